/**
 * Takes pictures of a film at intervals, for those who look at pictures alone. What lies between a key frame and a
 * wanted time is decoded in full: a thumbnail may be near its time, but here a group of pictures of any length would
 * hide the rest of it. It runs in the child process only.
 */
import { type EncodedPacket, EncodedPacketSink, type InputVideoTrack } from 'mediabunny'
import { openDecoder, undecodable } from './decoder.ts'
import type { FilmLimits } from './film.ts'
import { jpegOf } from './thumbnail.ts'

/**
 * @param countMax a longer film has as many, further apart
 * @returns JPEGs, one of each second
 * @throws MediaRefused TOO_LARGE_PICTURE or UNDECODABLE
 */
export async function takeFrames(
  track: InputVideoTrack,
  durationS: number,
  { countMax, limits }: { countMax: number; limits: FilmLimits },
): Promise<Buffer[]> {
  const count = Math.max(1, Math.min(countMax, Math.ceil(durationS)))
  const sink = new EncodedPacketSink(track)
  // Without a thread of its own its frames do not pile up.
  const decoder = await openDecoder(track, limits, { useWorkerThread: false })
  const jpegs: Buffer[] = []
  let last: EncodedPacket | null = null
  for (let i = 0; i < count; i++) {
    const targetS = ((i + 0.5) * durationS) / count
    const key = (await sink.getKeyPacket(targetS, { verifyKeyPackets: true })) ?? (await sink.getFirstKeyPacket())
    let packet: EncodedPacket | null =
      last && key && key.sequenceNumber <= last.sequenceNumber ? await sink.getNextPacket(last) : key
    for (; packet && (packet.timestamp < targetS || !decoder.latest()); packet = await sink.getNextPacket(packet)) {
      decoder.decode(packet)
      last = packet
    }
    // A decoder holds frames back until it knows that there are no more; it begins anew at a key frame then.
    if (!packet) {
      await decoder.flush()
      last = null
    }
    const frame = decoder.latest()
    if (!frame) throw undecodable()
    jpegs.push((await jpegOf(track, frame)).jpeg)
  }
  decoder.latest()?.close()
  decoder.close()
  return jpegs
}

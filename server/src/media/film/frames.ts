/**
 * Takes pictures of a film at intervals, for those who look at pictures alone. What lies between a key frame and a
 * wanted time is decoded in full: a thumbnail may be near its time, but here a group of pictures of any length would
 * hide the rest of it. It runs in the child process only.
 */
import { type EncodedPacket, EncodedPacketSink, type InputVideoTrack } from 'mediabunny'
import { EncodedVideoChunk, VideoDecoder, type VideoFrame } from 'node-webcodecs'
import { checkFrameSize, type FilmLimits } from './film.ts'
import { decoderConfigOf, jpegOf, undecodable } from './thumbnail.ts'

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
  const decoder = await openDecoder(track, limits)
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
  return jpegs
}

/** A decoder without a thread of its own: its frames are there when `decode` returns, and do not pile up. */
async function openDecoder(track: InputVideoTrack, limits: FilmLimits) {
  let latest: VideoFrame | null = null
  let refusal: unknown = null
  const decoder = new VideoDecoder({
    output: (frame) => {
      latest?.close()
      latest = frame
      try {
        checkFrameSize(frame.codedWidth, frame.codedHeight, limits)
      } catch (error) {
        refusal ??= error
      }
    },
    error: () => {
      refusal ??= undecodable()
    },
  })
  decoder.configure({ ...(await decoderConfigOf(track)), useWorkerThread: false })
  const check = () => {
    if (refusal !== null) throw refusal
  }
  return {
    latest: () => latest,
    decode: ({ type, data, microsecondTimestamp: timestamp, microsecondDuration: duration }: EncodedPacket) => {
      decoder.decode(new EncodedVideoChunk({ type, data, timestamp, duration }))
      check()
    },
    flush: async () => {
      await decoder.flush()
      check()
    },
  }
}

/**
 * Decodes the pictures of a film one after the other, each with its exact time. It runs in the child process only: the
 * decoder is native code that processes untrusted bytes.
 */
import { type EncodedPacket, EncodedPacketSink, type InputVideoTrack } from 'mediabunny'
import { EncodedVideoChunk, VideoDecoder, type VideoFrame } from 'node-webcodecs'
import { decoderConfigOf, undecodable } from './decoder.ts'
import { checkFrameSize, type FilmLimits } from './film.ts'

/** When a picture is shown, and when the next one is. */
export type Time = { atS: number; endS: number }

/**
 * The pictures in the order of display: from the first, or from a key frame before `fromS`. A consumer closes no frame,
 * and keeps none: it is closed when the next one is asked for.
 *
 * The decoder runs without a thread of its own: node-webcodecs 1.3 empties its counters of waiting frames at once, so
 * that a caller that relies on them (mediabunny's Conversion does) fills the memory with decoded frames.
 * @throws MediaRefused TOO_LARGE_PICTURE or UNDECODABLE
 */
export async function* picturesOf(
  video: InputVideoTrack,
  limits: FilmLimits,
  fromS = Number.NEGATIVE_INFINITY,
): AsyncGenerator<{ frame: VideoFrame } & Time> {
  const entry = await entryOf(video, fromS)
  const times = await timesOf(video, entry)
  const frames: VideoFrame[] = []
  const failures: unknown[] = []
  const decoder = new VideoDecoder({ output: (frame) => frames.push(frame), error: (error) => failures.push(error) })
  let next = 0
  const shown = function* () {
    if (failures.length > 0) throw undecodable()
    for (let frame = frames.shift(); frame; frame = frames.shift()) {
      // The decoder names the time of the packet that it has just read, but its frames come in the order of display.
      const time = times[next++]
      try {
        checkFrameSize(frame.codedWidth, frame.codedHeight, limits)
        if (time) yield { frame, ...time }
      } finally {
        frame.close()
      }
    }
  }
  try {
    decoder.configure({ ...(await decoderConfigOf(video)), useWorkerThread: false })
    for await (const packet of new EncodedPacketSink(video).packets(entry)) {
      const { type, data, microsecondTimestamp: timestamp, microsecondDuration: duration } = packet
      decoder.decode(new EncodedVideoChunk({ type, data, timestamp, duration }))
      yield* shown()
    }
    await decoder.flush()
    yield* shown()
    if (next === 0) throw undecodable()
  } finally {
    for (const frame of frames) frame.close()
    if (decoder.state !== 'closed') decoder.close()
  }
}

/**
 * When each picture is shown, and the next, in this order.
 * @param entry where decoding begins; left out: with the film
 */
export async function timesOf(video: InputVideoTrack, entry?: EncodedPacket): Promise<Time[]> {
  const shown: Time[] = []
  const isVp8 = (await video.getCodec()) === 'vp8'
  for await (const packet of new EncodedPacketSink(video).packets(entry, undefined, { metadataOnly: !isVp8 })) {
    if (isVp8 && !isShown(packet)) continue
    shown.push({ atS: packet.timestamp, endS: packet.timestamp + packet.duration })
  }
  shown.sort((a, b) => a.atS - b.atS)
  return shown.map(({ atS, endS }, index) => ({ atS, endS: shown[index + 1]?.atS ?? endS }))
}

/** VP8 has packets without a picture, to which others refer (RFC 6386, 9.1); the other codecs have them within one. */
const isShown = ({ data }: EncodedPacket): boolean => ((data[0] ?? 0) & 0x10) !== 0

/** @returns the last key frame up to that time behind which nothing needs what is before it */
async function entryOf(video: InputVideoTrack, fromS: number): Promise<EncodedPacket | undefined> {
  if (fromS === Number.NEGATIVE_INFINITY) return
  const key = await new EncodedPacketSink(video).getKeyPacket(fromS, { verifyKeyPackets: true })
  return key && (await isEntry(video, key)) ? key : undefined
}

/** Where a codec's description has the length of a unit, and the types of units with which decoding may begin. */
const units = {
  avc: { lengthAt: 4, typeOf: (first: number) => first & 0x1f, entries: [5] },
  hevc: { lengthAt: 21, typeOf: (first: number) => (first >> 1) & 0x3f, entries: [19, 20] },
}

/** H.264 and HEVC have key frames with pictures behind them that refer to others before them. */
async function isEntry(video: InputVideoTrack, { data }: EncodedPacket): Promise<boolean> {
  const codec = await video.getCodec()
  if (codec !== 'avc' && codec !== 'hevc') return true
  const description = (await video.getDecoderConfig())?.description as Uint8Array | undefined
  if (!description) return false
  const { lengthAt, typeOf, entries } = units[codec]
  const lengthBytes = ((description[lengthAt] ?? 0) & 3) + 1
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.length)
  for (let at = 0; at + lengthBytes < bytes.length; at += lengthBytes + bytes.readUIntBE(at, lengthBytes)) {
    if (entries.includes(typeOf(bytes[at + lengthBytes] ?? 0))) return true
  }
  return false
}

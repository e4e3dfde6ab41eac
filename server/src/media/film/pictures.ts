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
 * The pictures in the order of display, from the first. A consumer closes no frame, and keeps none: it is closed when
 * the next one is asked for.
 *
 * The decoder runs without a thread of its own: node-webcodecs 1.3 empties its counters of waiting frames at once, so
 * that a caller that relies on them (mediabunny's Conversion does) fills the memory with decoded frames.
 * @throws MediaRefused TOO_LARGE_PICTURE or UNDECODABLE
 */
export async function* picturesOf(
  video: InputVideoTrack,
  limits: FilmLimits,
): AsyncGenerator<{ frame: VideoFrame } & Time> {
  const times = await timesOf(video)
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
    for await (const packet of new EncodedPacketSink(video).packets()) {
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

/** When each picture is shown, and the next, in this order. */
export async function timesOf(video: InputVideoTrack): Promise<Time[]> {
  const shown: Time[] = []
  const isVp8 = (await video.getCodec()) === 'vp8'
  for await (const packet of new EncodedPacketSink(video).packets(undefined, undefined, { metadataOnly: !isVp8 })) {
    if (isVp8 && !isShown(packet)) continue
    shown.push({ atS: packet.timestamp, endS: packet.timestamp + packet.duration })
  }
  shown.sort((a, b) => a.atS - b.atS)
  return shown.map(({ atS, endS }, index) => ({ atS, endS: shown[index + 1]?.atS ?? endS }))
}

/** VP8 has packets without a picture, to which others refer (RFC 6386, 9.1); the other codecs have them within one. */
const isShown = ({ data }: EncodedPacket): boolean => ((data[0] ?? 0) & 0x10) !== 0

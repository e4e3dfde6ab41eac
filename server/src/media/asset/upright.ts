/**
 * Decodes the pictures of a film, turns each upright, and encodes it as H.264. It runs in the child process only.
 *
 * Decoder and encoder run without threads of their own: node-webcodecs 1.3 empties its counters of waiting frames at
 * once, so that a caller that relies on them (mediabunny's Conversion does) fills the memory with decoded frames.
 */
import { EncodedPacket, EncodedPacketSink, type EncodedVideoPacketSource, type InputVideoTrack } from 'mediabunny'
import { EncodedVideoChunk, VideoDecoder, VideoEncoder, VideoFrame } from 'node-webcodecs'
import { decoderConfigOf } from '../film/decoder.ts'
import { framePlanes, resize } from '../film/rgb.ts'
import { MediaRefused } from '../refusal.ts'

type Size = { width: number; height: number }
type Time = { atS: number; endS: number }

/** Twice what cameras' H.264 has, as this encoder compresses less. */
const BITS_A_PIXEL = 0.15
const KEY_FRAME_EVERY_S = 2

/**
 * @param options.size even sides of the upright film
 * @param options.startS what is shown at this time comes first
 */
export async function encodeUpright(
  video: InputVideoTrack,
  source: EncodedVideoPacketSource,
  { size, startS }: { size: Size; startS: number },
): Promise<void> {
  const times = await timesOf(video, startS)
  const rate = times.length / (times.at(-1)?.endS || 1)
  const turn = { ...size, rotation: await video.getRotation(), flip: await video.getFlip() }
  const frames: VideoFrame[] = []
  const failures: unknown[] = []
  const decoder = new VideoDecoder({ output: (frame) => frames.push(frame), error: (error) => failures.push(error) })
  decoder.configure({ ...(await decoderConfigOf(video)), useWorkerThread: false })
  const { encoder, packets } = await openEncoder(video, { size, rate, onError: (error) => failures.push(error) })
  const encoding: Time[] = []
  let keyFrameAtS = Number.NEGATIVE_INFINITY
  const drain = async () => {
    for (const frame of frames.splice(0)) {
      // The decoder names the time of the packet that it has just read, but its frames come in the order of display.
      const time = times.shift()
      if (time && time.atS >= 0) {
        const keyFrame = time.atS >= keyFrameAtS + KEY_FRAME_EVERY_S
        if (keyFrame) keyFrameAtS = time.atS
        const upright = await turned(frame, time.atS, turn)
        encoding.push(time)
        encoder.encode(upright, { keyFrame })
        upright.close()
      }
      frame.close()
    }
    if (failures.length > 0) throw damaged()
    for (const { data, type, decoderConfig } of packets.splice(0)) {
      const { atS, endS } = encoding.shift() ?? { atS: keyFrameAtS, endS: keyFrameAtS }
      await source.add(new EncodedPacket(data, type, atS, endS - atS), { decoderConfig })
    }
  }
  for await (const packet of new EncodedPacketSink(video).packets()) {
    const { type, data, microsecondTimestamp: timestamp, microsecondDuration: duration } = packet
    decoder.decode(new EncodedVideoChunk({ type, data, timestamp, duration }))
    await drain()
  }
  await decoder.flush()
  await drain()
  await encoder.flush()
  await drain()
  if (keyFrameAtS < 0) throw damaged()
  decoder.close()
  encoder.close()
  source.close()
}

/** When each picture is shown, and the next, in this order. */
async function timesOf(video: InputVideoTrack, startS: number): Promise<Time[]> {
  const shown: Time[] = []
  for await (const packet of new EncodedPacketSink(video).packets(undefined, undefined, { metadataOnly: true })) {
    const atS = packet.timestamp - startS
    shown.push({ atS, endS: atS + packet.duration })
  }
  shown.sort((a, b) => a.atS - b.atS)
  return shown.map(({ atS, endS }, index) => ({ atS, endS: shown[index + 1]?.atS ?? endS }))
}

/** H.264 without B-frames: packets come in the order of the frames. */
async function openEncoder(
  video: InputVideoTrack,
  { size, rate, onError }: { size: Size; rate: number; onError: (error: unknown) => void },
) {
  const codec = 'avc1.64003C'
  const colorSpace = await video.getColorSpace()
  const packets: { data: Uint8Array; type: 'key' | 'delta'; decoderConfig: VideoDecoderConfig }[] = []
  const decoderConfig: VideoDecoderConfig = { codec, codedWidth: size.width, codedHeight: size.height, colorSpace }
  const encoder = new VideoEncoder({
    output: (chunk, metadata) => {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      const description = metadata?.decoderConfig?.description
      if (description) decoderConfig.description ??= new Uint8Array(description as ArrayBuffer)
      packets.push({ data, type: chunk.type, decoderConfig })
    },
    error: onError,
  })
  encoder.configure({
    ...{ codec, ...size, avc: { format: 'avc' }, useWorkerThread: false, hardwareAcceleration: 'prefer-software' },
    bitrate: Math.round(size.width * size.height * rate * BITS_A_PIXEL),
    framerate: rate,
    colorSpace: colorSpace as never,
  })
  return { encoder, packets }
}

const damaged = () => new MediaRefused('UNDECODABLE', 'The film is damaged: its picture cannot be decoded.')

async function turned(
  frame: VideoFrame,
  atS: number,
  { width, height, ...turn }: Size & { rotation: number; flip: boolean },
): Promise<VideoFrame> {
  const planes = await framePlanes(frame)
  const half = { width: width / 2, height: height / 2 }
  const parts = await Promise.all(
    planes.map((plane, index) => resize(plane, index === 0 ? { width, height } : half, turn)),
  )
  return new VideoFrame(Buffer.concat(parts), {
    format: 'I420',
    codedWidth: width,
    codedHeight: height,
    timestamp: Math.round(atS * 1e6),
    colorSpace: frame.colorSpace,
  })
}

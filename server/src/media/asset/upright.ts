/**
 * Decodes the pictures of a film, turns each upright, and encodes it as H.264. It runs in the child process only.
 *
 * Decoder and encoder run without threads of their own: node-webcodecs 1.3 empties its counters of waiting frames at
 * once, so that a caller that relies on them (mediabunny's Conversion does) fills the memory with decoded frames.
 */
import { EncodedPacket, EncodedPacketSink, type EncodedVideoPacketSource, type InputVideoTrack } from 'mediabunny'
import { EncodedVideoChunk, VideoDecoder, VideoEncoder, VideoFrame } from 'node-webcodecs'
import { framePlanes, resize } from '../film/rgb.ts'
import { decoderConfigOf } from '../film/thumbnail.ts'
import { MediaRefused } from '../refusal.ts'

type Size = { width: number; height: number }

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
  const frames: VideoFrame[] = []
  const packets: EncodedPacket[] = []
  const failures: unknown[] = []
  const colorSpace = await video.getColorSpace()
  const { averagePacketRate } = await video.computePacketStats(100, { metadataOnly: true })
  const decoder = new VideoDecoder({ output: (frame) => frames.push(frame), error: (error) => failures.push(error) })
  decoder.configure({ ...(await decoderConfigOf(video)), useWorkerThread: false })
  let description: Uint8Array | undefined
  const encoder = new VideoEncoder({
    output: (chunk, metadata) => {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      const extra = metadata?.decoderConfig?.description
      if (extra) description ??= new Uint8Array(extra as ArrayBuffer)
      packets.push(new EncodedPacket(data, chunk.type, chunk.timestamp / 1e6, (chunk.duration ?? 0) / 1e6))
    },
    error: (error) => failures.push(error),
  })
  const codec = 'avc1.64003C'
  encoder.configure({
    ...{ codec, ...size, avc: { format: 'avc' as const }, useWorkerThread: false },
    bitrate: Math.round(size.width * size.height * averagePacketRate * BITS_A_PIXEL),
    framerate: averagePacketRate,
    hardwareAcceleration: 'prefer-software',
    ...(colorSpace && { colorSpace: colorSpace as never }),
  })
  const turn = { ...size, rotation: await video.getRotation(), flip: await video.getFlip() }
  let keyFrameAt = Number.NEGATIVE_INFINITY
  const drain = async () => {
    for (const frame of frames.splice(0)) {
      const timestamp = frame.timestamp - startS * 1e6
      if (timestamp >= 0) {
        const isKey = timestamp >= keyFrameAt + KEY_FRAME_EVERY_S * 1e6
        if (isKey) keyFrameAt = timestamp
        const upright = await turned(frame, timestamp, turn)
        encoder.encode(upright, { keyFrame: isKey })
        upright.close()
      }
      frame.close()
    }
    if (failures.length > 0) throw damaged()
    for (const packet of packets.splice(0)) {
      const decoderConfig = { codec, codedWidth: size.width, codedHeight: size.height, colorSpace }
      await source.add(packet, { decoderConfig: { ...decoderConfig, ...(description && { description }) } })
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
  if (keyFrameAt < 0) throw damaged()
  source.close()
}

const damaged = () => new MediaRefused('UNDECODABLE', 'The film is damaged: its picture cannot be decoded.')

async function turned(
  frame: VideoFrame,
  timestamp: number,
  { width, height, ...turn }: Size & { rotation: number; flip: boolean },
): Promise<VideoFrame> {
  const planes = await framePlanes(frame)
  const half = { width: width / 2, height: height / 2 }
  const parts = await Promise.all(
    planes.map((plane, index) => resize(plane, index === 0 ? { width, height } : half, turn)),
  )
  const { duration, colorSpace } = frame
  const init = { format: 'I420' as const, codedWidth: width, codedHeight: height, timestamp }
  return new VideoFrame(Buffer.concat(parts), { ...init, ...(duration !== null && { duration }), colorSpace })
}

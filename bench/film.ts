/** A film as models make them: 5 s of 720p, 3.8 MB. */
import { BufferTarget, EncodedPacket, EncodedVideoPacketSource, Mp4OutputFormat, Output } from 'mediabunny'
import { VideoEncoder, VideoFrame } from 'node-webcodecs'

export const SIZE = { width: 1280, height: 720 }
export const FRAMES_PER_SECOND = 24
const SECONDS = 5
const BITS_PER_SECOND = 6_000_000

/** Pictures that move and do not compress well: a gradient under noise. */
export async function makeFilm(seconds = SECONDS): Promise<Uint8Array> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat(), target })
  const source = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(source, { frameRate: FRAMES_PER_SECOND })
  await output.start()
  const packets: { packet: EncodedPacket; decoderConfig: VideoDecoderConfig | undefined }[] = []
  const encoder = new VideoEncoder({
    output: (chunk, metadata) => {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      const packet = new EncodedPacket(data, chunk.type, chunk.timestamp / 1e6, 1 / FRAMES_PER_SECOND)
      packets.push({ packet, decoderConfig: metadata?.decoderConfig as VideoDecoderConfig | undefined })
    },
    error: (error) => {
      throw error
    },
  })
  encoder.configure({
    ...{ codec: 'avc1.64001F', ...SIZE, avc: { format: 'avc' }, hardwareAcceleration: 'prefer-software' },
    ...{ bitrate: BITS_PER_SECOND, framerate: FRAMES_PER_SECOND, useWorkerThread: false },
  })
  for (let n = 0; n < seconds * FRAMES_PER_SECOND; n += 1) {
    const frame = new VideoFrame(pictureOf(n), {
      ...{ format: 'I420', codedWidth: SIZE.width, codedHeight: SIZE.height },
      timestamp: Math.round((n * 1e6) / FRAMES_PER_SECOND),
    })
    encoder.encode(frame, { keyFrame: n % (2 * FRAMES_PER_SECOND) === 0 })
    frame.close()
  }
  await encoder.flush()
  for (const { packet, decoderConfig } of packets) await source.add(packet, decoderConfig && { decoderConfig })
  await output.finalize()
  return new Uint8Array(target.buffer ?? new ArrayBuffer(0))
}

function pictureOf(n: number): Buffer {
  const { width, height } = SIZE
  const pixels = Buffer.alloc((width * height * 3) / 2, 128)
  let noise = n + 1
  for (let at = 0; at < width * height; at += 1) {
    noise = (noise * 1_103_515_245 + 12_345) & 0x7fff_ffff
    pixels[at] = 40 + (((at % width) + n * 8) % 160) + ((noise >> 16) & 15)
  }
  return pixels
}

/**
 * An encoder of H.264, without B-frames: its packets come in the order of the frames. It runs in the child process
 * only.
 */
import { VideoEncoder, type VideoFrame } from 'node-webcodecs'

type Encoded = { data: Uint8Array; type: 'key' | 'delta'; decoderConfig: VideoDecoderConfig }

const CODEC = 'avc1.64003C'

/**
 * `take` removes and returns the packets that are ready, and throws when the encoder has failed. `encode` closes its
 * frame.
 * @param options.rate pictures a second
 */
export function openVideoEncoder({
  width,
  height,
  rate,
  bitsPerSecond,
  colorSpace,
}: {
  width: number
  height: number
  rate: number
  bitsPerSecond: number
  colorSpace: VideoColorSpaceInit
}) {
  const packets: Encoded[] = []
  const failures: unknown[] = []
  const decoderConfig: VideoDecoderConfig = { codec: CODEC, codedWidth: width, codedHeight: height, colorSpace }
  const encoder = new VideoEncoder({
    output: (chunk, metadata) => {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      const description = metadata?.decoderConfig?.description
      if (description) decoderConfig.description ??= new Uint8Array(description as ArrayBuffer)
      packets.push({ data, type: chunk.type, decoderConfig })
    },
    error: (error) => failures.push(error),
  })
  encoder.configure({
    ...{ codec: CODEC, width, height, avc: { format: 'avc' } },
    // As the decoder of film/pictures.ts.
    ...{ useWorkerThread: false, hardwareAcceleration: 'prefer-software' },
    bitrate: Math.round(bitsPerSecond),
    framerate: Math.round(rate),
    colorSpace: colorSpace as never,
  })
  return {
    encode: (frame: VideoFrame, keyFrame: boolean): void => {
      encoder.encode(frame, { keyFrame })
      frame.close()
    },
    take: (): Encoded[] => {
      if (failures.length > 0) throw failures[0]
      return packets.splice(0)
    },
    flush: async (): Promise<void> => await encoder.flush(),
    close: (): void => encoder.close(),
  }
}

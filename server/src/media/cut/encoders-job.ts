/** How the child finds out what this machine can encode: a picture as H.264, and a moment of silence as AAC. */
import { VideoFrame } from 'node-webcodecs'
import { openVideoEncoder } from '../film/encoder.ts'
import type { Inspect } from '../job.ts'
import { openSoundEncoder } from './sound.ts'

export type Encoders = { video: boolean; audio: boolean }

export const damaged = 'The encoders could not be tried.'

const SIZE = { width: 320, height: 180 }

export const inspect: Inspect<object> = async () => {
  const encoders: Encoders = { video: await encodes(video), audio: await encodes(audio) }
  return { line: { encoders } }
}

const encodes = async (encode: () => Promise<number>): Promise<boolean> => (await encode().catch(() => 0)) > 0

async function video(): Promise<number> {
  const encoder = openVideoEncoder({ ...SIZE, rate: 24, bitsPerSecond: 1_000_000, colorSpace: {} })
  const pixels = Buffer.alloc((SIZE.width * SIZE.height * 3) / 2, 128)
  const options = { format: 'I420', codedWidth: SIZE.width, codedHeight: SIZE.height, timestamp: 0 } as const
  encoder.encode(new VideoFrame(pixels, options), true)
  await encoder.flush()
  const { length } = encoder.take()
  encoder.close()
  return length
}

async function audio(): Promise<number> {
  const encoder = openSoundEncoder()
  encoder.encode({ left: new Float32Array(1024), right: new Float32Array(1024) })
  await encoder.flush()
  const { length } = encoder.take()
  encoder.close()
  return length
}

/** Makes takes whose pictures are numbered and whose sound is known, and reads pictures and sound of a cut back. */
import 'node-webcodecs/register'
import {
  AudioSampleSink,
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MovOutputFormat,
  MP4,
  Output,
  WavOutputFormat,
} from 'mediabunny'
import { VideoFrame } from 'node-webcodecs'
import { openSoundEncoder } from '../../src/media/cut/sound.ts'
import { openVideoEncoder } from '../../src/media/film/encoder.ts'
import { picturesOf } from '../../src/media/film/pictures.ts'
import { framePlanes, type Plane } from '../../src/media/film/rgb.ts'

/** A value of -1 to 1 at each time in seconds. */
type Wave = (atS: number) => number
type TakeOptions = {
  width?: number
  height?: number
  fps?: number
  frames?: number
  /** The number of the first picture. */
  first?: number
  /** Left out: the first picture alone is a key frame. */
  keyEvery?: number
  /** At which place the container shows the picture. */
  shownAt?: (index: number) => number
  rotation?: 90 | 180 | 270
  /** The luma of each pixel, instead of the picture's number. */
  lumaAt?: (x: number, y: number, number: number) => number
  /** Of the whole picture, instead of its number; and what the container says of it. */
  color?: { planes: [luma: number, blue: number, red: number]; space: VideoColorSpaceInit }
  /** `isAac`: of 48 kHz, stereo. Otherwise without compression. */
  sound?: { wave: Wave; sampleRate?: number; channels?: number; isAac?: boolean; fromS?: number }
}

const SIZE = { width: 320, height: 180 }
const BITS = 8
const [DARK, BRIGHT] = [40, 210]
const limits = { sidePixelsMax: 9999, pixelsMax: 1e8, durationMaxS: 1e6, memoryMaxBytes: 0, cpuMaxS: 0, timeoutMs: 0 }

/** A QuickTime film. Its pictures have their numbers as eight stripes, dark or bright. */
export async function numberedTake(options: TakeOptions = {}): Promise<Buffer> {
  const {
    width = SIZE.width,
    height = SIZE.height,
    fps = 24,
    frames = 24,
    shownAt = (index: number) => index,
  } = options
  const { rotation, sound } = options
  const target = new BufferTarget()
  const output = new Output({ format: new MovOutputFormat({ fastStart: 'in-memory' }), target })
  const video = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(video, { frameRate: fps, ...(rotation && { rotation }) })
  const audio = sound && new EncodedAudioPacketSource(sound.isAac ? 'aac' : 'pcm-f32')
  if (audio) output.addAudioTrack(audio)
  await output.start()
  const encoder = openVideoEncoder({
    width,
    height,
    rate: fps,
    bitsPerSecond: 4_000_000,
    colorSpace: options.color?.space ?? {},
  })
  for (let index = 0; index < frames; index += 1) {
    const options420 = { format: 'I420', codedWidth: width, codedHeight: height, timestamp: index } as const
    const isKey = index === 0 || (options.keyEvery !== undefined && index % options.keyEvery === 0)
    encoder.encode(new VideoFrame(pictureOf(index, { ...options, width, height }), options420), isKey)
  }
  await encoder.flush()
  for (const [index, { data, type, decoderConfig }] of encoder.take().entries()) {
    await video.add(new EncodedPacket(data, type, shownAt(index) / fps, 1 / fps), { decoderConfig })
  }
  encoder.close()
  video.close()
  if (audio && sound) await addSound(audio, sound, frames / fps)
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer())
}

function pictureOf(index: number, options: TakeOptions & { width: number; height: number }): Buffer {
  const { width, height, first = 0, lumaAt, color } = options
  const number = first + index
  const pixels = Buffer.alloc((width * height * 3) / 2, 128)
  if (color) {
    const [luma, blue, red] = color.planes
    const end = width * height
    return pixels
      .fill(luma, 0, end)
      .fill(blue, end, end * 1.25)
      .fill(red, end * 1.25)
  }
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const isBright = ((number >> Math.floor((x * BITS) / width)) & 1) === 1
      pixels[y * width + x] = lumaAt?.(x, y, number) ?? (isBright ? BRIGHT : DARK)
    }
  }
  return pixels
}

/** A WAV of 32 bits. */
export async function wav(seconds: number, wave: Wave, sampleRate: number): Promise<Buffer> {
  const target = new BufferTarget()
  const output = new Output({ format: new WavOutputFormat(), target })
  const source = new EncodedAudioPacketSource('pcm-f32')
  output.addAudioTrack(source)
  await output.start()
  await addSound(source, { wave, sampleRate }, seconds)
  await output.finalize()
  return Buffer.from(target.buffer ?? new ArrayBuffer())
}

async function addSound(source: EncodedAudioPacketSource, sound: NonNullable<TakeOptions['sound']>, seconds: number) {
  const { wave, sampleRate = 48_000, channels = 2, isAac = false, fromS = 0 } = sound
  const samples = Float32Array.from({ length: Math.round(seconds * sampleRate) }, (_, at) => wave(at / sampleRate))
  if (isAac) {
    const encoder = openSoundEncoder()
    for (let at = 0; at < samples.length; at += 1024) {
      const part = samples.subarray(at, at + 1024)
      encoder.encode({ left: part, right: part })
    }
    await encoder.flush()
    for (const [index, { data, decoderConfig }] of encoder.take().entries()) {
      const atS = ((index - 1) * 1024) / 48_000
      await source.add(new EncodedPacket(data, 'key', atS, 1024 / 48_000), { decoderConfig })
    }
    encoder.close()
  } else {
    const all = Float32Array.from(
      { length: samples.length * channels },
      (_, at) => samples[Math.floor(at / channels)] ?? 0,
    )
    const decoderConfig = { codec: 'pcm-f32', sampleRate, numberOfChannels: channels }
    const packet = new EncodedPacket(new Uint8Array(all.buffer), 'key', fromS, seconds)
    await source.add(packet, { decoderConfig })
  }
  source.close()
}

/** A picture of a cut: when it is shown, and its planes. */
export type Shown = { atS: number; luma: Plane; blue: Plane; red: Plane }

export async function picturesOfCut(film: Buffer): Promise<Shown[]> {
  using input = new Input({ source: new BufferSource(film), formats: [MP4] })
  const video = await input.getPrimaryVideoTrack()
  if (!video) throw new Error('The cut has no pictures.')
  const shown: Shown[] = []
  for await (const { frame, atS } of picturesOf(video, limits)) {
    const [luma, blue, red] = await framePlanes(frame)
    shown.push({ atS, luma, blue, red })
  }
  return shown
}

export const lumaAt = ({ luma }: Pick<Shown, 'luma'>, x: number, y: number): number =>
  luma.samples[Math.floor(y * luma.height) * luma.width + Math.floor(x * luma.width)] ?? 0

/** @param options.left, options.right the part of the width that has the picture, 0 to 1 */
export const numberOf = (shown: Shown, { left = 0, right = 1 } = {}): number =>
  Array.from({ length: BITS }, (_, bit) => bit).reduce(
    (sum, bit) => sum + (lumaAt(shown, left + ((bit + 0.5) / BITS) * (right - left), 0.5) > 125 ? 1 << bit : 0),
    0,
  )

/** The left side at 48 kHz, from the time 0; null: there is no sound. @returns also how long its track is */
export async function soundOfCut(film: Buffer): Promise<{ samples: Float32Array; endS: number } | null> {
  using input = new Input({ source: new BufferSource(film), formats: [MP4] })
  const audio = await input.getPrimaryAudioTrack()
  if (!audio) return null
  const last = await new EncodedPacketSink(audio).getPacket(Number.POSITIVE_INFINITY)
  const endS = (last?.timestamp ?? 0) + (last?.duration ?? 0)
  const samples = new Float32Array(Math.round(endS * 48_000))
  for await (const sample of new AudioSampleSink(audio).samples()) {
    const both = new Float32Array(sample.numberOfFrames * sample.numberOfChannels)
    sample.copyTo(both, { planeIndex: 0, format: 'f32' })
    const at = Math.round(sample.timestamp * 48_000)
    for (let index = 0; index < sample.numberOfFrames; index += 1) {
      if (at + index >= 0 && at + index < samples.length)
        samples[at + index] = both[index * sample.numberOfChannels] ?? 0
    }
    sample.close()
  }
  return { samples, endS }
}

/** A short tone that begins at each of these times: to be found again to a few samples. */
export const clicksAt =
  (timesS: number[]): Wave =>
  (atS) =>
    timesS.some((clickS) => atS >= clickS && atS < clickS + 0.004) ? 0.8 * Math.cos(2 * Math.PI * 2000 * atS) : 0

/** When each of the clicks begins: where it is louder than half of the loudest, after silence. */
export function clicksIn(samples: Float32Array): number[] {
  const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  const found: number[] = []
  for (const [at, sample] of samples.entries()) {
    if (Math.abs(sample) < loudest / 2 || loudest < 0.01) continue
    const atS = at / 48_000
    if (atS - (found.at(-1) ?? -1) > 0.02) found.push(atS)
  }
  return found
}

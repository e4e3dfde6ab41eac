/**
 * Converts a decoded YUV frame to RGB at thumbnail size.
 *
 * node-webcodecs converts only four of the pixel formats that decoders produce: for the others (10 bits a sample,
 * full-range H.264) it reads one plane of three and returns uninitialised memory. Its plain copy is correct for all of
 * them, so the planes are copied and converted here.
 */
import type { VideoFrame } from 'node-webcodecs'
import { sharp } from '../sharp.ts'

export type ColorSpace = { matrix: 'bt601' | 'bt709' | 'bt2020'; fullRange: boolean }
export type Plane = { samples: Uint8Array; width: number; height: number }
type Planes = [luma: Plane, blue: Plane, red: Plane]

/** Kr and Kb: the weight of red and blue in the luma (ITU-T H.273, table 4). */
export const lumaWeights = { bt601: [0.299, 0.114], bt709: [0.2126, 0.0722], bt2020: [0.2627, 0.0593] } as const

/** The possible plane layouts: chroma subsampling across and down, and bytes a sample. */
const layouts = [
  { acrossBy: 2, downBy: 2, sampleBytes: 1 },
  { acrossBy: 2, downBy: 1, sampleBytes: 1 },
  { acrossBy: 1, downBy: 1, sampleBytes: 1 },
  { acrossBy: 2, downBy: 2, sampleBytes: 2 },
  { acrossBy: 2, downBy: 1, sampleBytes: 2 },
  { acrossBy: 1, downBy: 1, sampleBytes: 2 },
]

/** The three planes of a frame, 8 bits a sample. */
export async function framePlanes(frame: VideoFrame): Promise<Planes> {
  const { codedWidth: width, codedHeight: height } = frame
  const sizeOf = (layout: (typeof layouts)[number]) =>
    (width * height + 2 * Math.ceil(width / layout.acrossBy) * Math.ceil(height / layout.downBy)) * layout.sampleBytes
  // The frame's format field is unreliable, but a copy into too small a buffer fails: the smallest buffer that works
  // identifies the layout.
  for (const sizeBytes of [...new Set(layouts.map(sizeOf))].sort((a, b) => a - b)) {
    const bytes = new Uint8Array(sizeBytes)
    try {
      await frame.copyTo(bytes)
    } catch {
      continue
    }
    const fitting = layouts.filter((layout) => sizeOf(layout) === sizeBytes)
    const layout = fitting.find((one) => one.sampleBytes === (isWide(bytes, width * height) ? 2 : 1)) ?? fitting[0]
    if (layout) return splitPlanes(bytes, width, height, layout)
  }
  throw new Error('The frame has a pixel format that is not known.')
}

/** Three planes to interleaved RGB of the given size. */
export async function toRgb(
  planes: Planes,
  size: { width: number; height: number },
  colors: ColorSpace,
): Promise<Buffer> {
  const [luma, blue, red] = await Promise.all(planes.map((plane) => resize(plane, size)))
  const [redWeight, blueWeight] = lumaWeights[colors.matrix]
  const greenWeight = 1 - redWeight - blueWeight
  const [offset, lumaScale, colorScale] = colors.fullRange ? [0, 1, 1] : [16, 255 / 219, 255 / 224]
  const rgb = Buffer.alloc(size.width * size.height * 3)
  for (let i = 0; i < size.width * size.height; i++) {
    const y = ((luma?.[i] ?? 0) - offset) * lumaScale
    const r = y + ((red?.[i] ?? 128) - 128) * colorScale * 2 * (1 - redWeight)
    const b = y + ((blue?.[i] ?? 128) - 128) * colorScale * 2 * (1 - blueWeight)
    const g = (y - redWeight * r - blueWeight * b) / greenWeight
    rgb[i * 3] = clamp(r)
    rgb[i * 3 + 1] = clamp(g)
    rgb[i * 3 + 2] = clamp(b)
  }
  return rgb
}

/** Samples of 10 or 12 bits take two bytes, the second of which is always small; those of an 8-bit frame never are. */
function isWide(bytes: Uint8Array, lumaSamples: number): boolean {
  for (let i = 1; i < lumaSamples; i += 2) if ((bytes[i] ?? 0) > 15) return false
  return true
}

function splitPlanes(bytes: Uint8Array, width: number, height: number, layout: (typeof layouts)[number]): Planes {
  const color = { width: Math.ceil(width / layout.acrossBy), height: Math.ceil(height / layout.downBy) }
  const samples = layout.sampleBytes === 1 ? bytes : narrowed(new Uint16Array(bytes.buffer), width * height)
  const blueAt = width * height
  const redAt = blueAt + color.width * color.height
  return [
    { samples: samples.subarray(0, blueAt), width, height },
    { samples: samples.subarray(blueAt, redAt), ...color },
    { samples: samples.subarray(redAt), ...color },
  ]
}

function narrowed(wide: Uint16Array, lumaSamples: number): Uint8Array {
  const shift = wide.subarray(0, lumaSamples).some((sample) => sample > 1023) ? 4 : 2
  return Uint8Array.from(wide, (sample) => sample >> shift)
}

/** Turns the plane clockwise, mirrors it, and scales it to that size. */
export async function resize(
  plane: Plane,
  size: { width: number; height: number },
  { rotation, flip } = { rotation: 0, flip: false },
): Promise<Uint8Array> {
  return await sharp(plane.samples, { raw: { width: plane.width, height: plane.height, channels: 1 } })
    .rotate(rotation)
    .flop(flip)
    .resize({ ...size, fit: 'fill' })
    .toColourspace('b-w')
    .raw()
    .toBuffer()
}

function clamp(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)))
}

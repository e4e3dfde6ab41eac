/**
 * Turns a decoded frame into RGB at thumbnail size.
 *
 * node-webcodecs converts frames itself, but only four of the pixel formats that decoders give: for the others (10
 * bits a sample, full-range H.264) it reads one plane of three and answers with whatever lay in memory. Its plain copy
 * is right for all of them, so the planes are taken as they are and converted here.
 */
import type { VideoFrame } from 'node-webcodecs'
import sharp from 'sharp'

export type PictureColors = { matrix: 'bt601' | 'bt709' | 'bt2020'; fullRange: boolean }
type Plane = { samples: Uint8Array; width: number; height: number }
type Planes = [luma: Plane, blue: Plane, red: Plane]

/** Share of red and of blue in the luma (ITU-T H.273, table 4). */
const lumaShares = { bt601: [0.299, 0.114], bt709: [0.2126, 0.0722], bt2020: [0.2627, 0.0593] } as const

/** How the planes of a frame can lie: by how much colour is coarser than luma, and by bytes per sample. */
const layouts = [
  { acrossBy: 2, downBy: 2, sampleBytes: 1 },
  { acrossBy: 2, downBy: 1, sampleBytes: 1 },
  { acrossBy: 1, downBy: 1, sampleBytes: 1 },
  { acrossBy: 2, downBy: 2, sampleBytes: 2 },
  { acrossBy: 2, downBy: 1, sampleBytes: 2 },
  { acrossBy: 1, downBy: 1, sampleBytes: 2 },
]

/** The three planes of a frame, 8 bits a sample. */
export async function picturePlanes(frame: VideoFrame): Promise<Planes> {
  const { codedWidth: width, codedHeight: height } = frame
  const sizeOf = (layout: (typeof layouts)[number]) =>
    (width * height + 2 * Math.ceil(width / layout.acrossBy) * Math.ceil(height / layout.downBy)) * layout.sampleBytes
  // The frame does not tell its format truly, but refuses to be copied into too few bytes: the smallest that do, tell.
  for (const sizeBytes of [...new Set(layouts.map(sizeOf))].sort((a, b) => a - b)) {
    const bytes = new Uint8Array(sizeBytes)
    try {
      await frame.copyTo(bytes)
    } catch {
      continue
    }
    const fitting = layouts.filter((layout) => sizeOf(layout) === sizeBytes)
    const layout = fitting.find((one) => one.sampleBytes === (isWide(bytes, width * height) ? 2 : 1)) ?? fitting[0]
    if (layout) return cut(bytes, width, height, layout)
  }
  throw new Error('The frame has a pixel format that is not known.')
}

/** Three planes to interleaved RGB of the given size. */
export async function toRgb(
  planes: Planes,
  size: { width: number; height: number },
  colors: PictureColors,
): Promise<Buffer> {
  const [luma, blue, red] = await Promise.all(planes.map((plane) => resize(plane, size)))
  const [redShare, blueShare] = lumaShares[colors.matrix]
  const greenShare = 1 - redShare - blueShare
  const [offset, lumaScale, colorScale] = colors.fullRange ? [0, 1, 1] : [16, 255 / 219, 255 / 224]
  const rgb = Buffer.alloc(size.width * size.height * 3)
  for (let i = 0; i < size.width * size.height; i++) {
    const y = ((luma?.[i] ?? 0) - offset) * lumaScale
    const r = y + ((red?.[i] ?? 128) - 128) * colorScale * 2 * (1 - redShare)
    const b = y + ((blue?.[i] ?? 128) - 128) * colorScale * 2 * (1 - blueShare)
    const g = (y - redShare * r - blueShare * b) / greenShare
    rgb[i * 3] = clamp(r)
    rgb[i * 3 + 1] = clamp(g)
    rgb[i * 3 + 2] = clamp(b)
  }
  return rgb
}

/** Samples of 10 or 12 bits stand in two bytes, the second of which is always small; a picture's never all are. */
function isWide(bytes: Uint8Array, lumaSamples: number): boolean {
  for (let i = 1; i < lumaSamples; i += 2) if ((bytes[i] ?? 0) > 15) return false
  return true
}

function cut(bytes: Uint8Array, width: number, height: number, layout: (typeof layouts)[number]): Planes {
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

async function resize(plane: Plane, size: { width: number; height: number }): Promise<Uint8Array> {
  return await sharp(plane.samples, { raw: { width: plane.width, height: plane.height, channels: 1 } })
    .resize({ ...size, fit: 'fill' })
    .toColourspace('b-w')
    .raw()
    .toBuffer()
}

function clamp(value: number): number {
  return Math.max(0, Math.min(255, Math.round(value)))
}

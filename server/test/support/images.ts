/** Fixtures: valid and hostile start images, made with sharp, and helpers to upload them. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { Kinora, Person } from './harness.ts'

type Format = 'png' | 'jpeg' | 'webp' | 'avif'

/** A single colour, or noise for a large file. */
export function plain(width: number, height: number, format: Format = 'png', background = 'tomato'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .toFormat(format)
    .toBuffer()
}

export function noise(width: number, height: number, format: Format): Promise<Buffer> {
  const create = { width, height, channels: 3 as const, background: 'grey', noise: { type: 'gaussian' as const } }
  return sharp({ create: { ...create, noise: { ...create.noise, mean: 128, sigma: 60 } } })
    .toFormat(format, format === 'png' ? { compressionLevel: 1 } : {})
    .toBuffer()
}

/** A photograph with EXIF rotation and GPS position. Stored: left half red, right half blue. */
export async function photograph(): Promise<Buffer> {
  const blue = await plain(100, 120, 'png', '#0000ff')
  return sharp({ create: { width: 200, height: 120, channels: 3, background: '#ff0000' } })
    .composite([{ input: blue, left: 100, top: 0 }])
    .jpeg({ quality: 95 })
    .withExif({
      IFD0: { Make: 'Secret Camera' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '52/1 30/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .toBuffer()
}

export function moving(format: 'webp' | 'gif'): Promise<Buffer> {
  const frames = Buffer.concat([Buffer.alloc(64 * 64 * 3, 0), Buffer.alloc(64 * 64 * 3, 255)])
  return sharp(frames, { raw: { width: 64, height: 128, channels: 3, pageHeight: 64 } })
    .toFormat(format)
    .toBuffer()
}

/** An animated PNG: it has an acTL chunk before the pixels. */
export async function movingPng(): Promise<Buffer> {
  const png = await plain(64, 64)
  return Buffer.concat([png.subarray(0, 33), chunk('acTL', Buffer.from([0, 0, 0, 2, 0, 0, 0, 0])), png.subarray(33)])
}

/** A decompression bomb: a few hundred kilobytes that unpack to `side` squared pixels. */
export function bomb(side: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(side, 0)
  head.writeUInt32BE(side, 4)
  head.set([8, 6, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.alloc(64 * 1024 * 1024), { level: 9 })
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

/**
 * A transparent PNG that is expensive to decode: 16 bits a sample, in the seven passes of Adam7.
 * @param options.isCut only the header is there, so that its refusal comes from the header
 */
export function costlyPng(width: number, height: number, options: { depth?: 8 | 16; isCut?: boolean } = {}): Buffer {
  const { depth = 16, isCut = false } = options
  const adam7 = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ]
  let sizeBytes = 0
  for (const [x = 0, y = 0, across = 1, down = 1] of adam7) {
    const passWidth = Math.ceil((width - x) / across)
    sizeBytes += passWidth > 0 ? Math.ceil((height - y) / down) * (1 + (passWidth * 4 * depth) / 8) : 0
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth, 6, 0, 0, 1], 8)
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const pixels = deflateSync(Buffer.alloc(isCut ? 0 : sizeBytes), { level: 1 })
  return Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))])
}

/** A progressive JPEG with the first of its scans that refine a colour repeated, which decoders decode each time. */
export async function manyScansJpeg(width: number, height: number, scans: number): Promise<Buffer> {
  const create = { width, height, channels: 3 as const, background: 'tomato' }
  const jpeg = await sharp({ create }).jpeg({ progressive: true }).toBuffer()
  const starts: number[] = []
  for (let at = jpeg.indexOf('ffda', 0, 'hex'); at >= 0; at = jpeg.indexOf('ffda', at + 2, 'hex')) starts.push(at)
  const [, from = 0, to = 0] = starts
  const scan = jpeg.subarray(from, to)
  return Buffer.concat([jpeg.subarray(0, to), ...Array.from({ length: scans }, () => scan), jpeg.subarray(to)])
}

export function chunk(name: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(content.length)
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

export type Uploaded = {
  url: string
  width: number
  height: number
  sizeBytes: number
  contentType: string
  expiresAt: string
}
type Reply = { status: number; data: Uploaded; error: { code: string; message: string } | undefined }

/** Uploads like a browser. `type` null: no Content-Type. A stream is sent without Content-Length. */
export async function send(
  to: { url: string },
  as: Person | null,
  body: Buffer | ReadableStream,
  type: string | null = 'image/png',
): Promise<Reply> {
  const response = await fetch(`${to.url}/api/v1/video/image`, {
    method: 'POST',
    headers: {
      ...(as ? { authorization: `Bearer ${as.token}` } : {}),
      ...(type === null ? {} : { 'content-type': type }),
    },
    body: body instanceof Buffer ? new Uint8Array(body) : body,
    duplex: 'half',
  } as RequestInit)
  return { status: response.status, ...((await response.json()) as Omit<Reply, 'status'>) }
}

/** The entries of a folder in DATA_DIR. */
export function folderOf({ app }: Kinora, name: string): string[] {
  const folder = path.join(app.config.dataDir, name)
  return existsSync(folder) ? readdirSync(folder) : []
}

export const keptOf = (kinora: Kinora, as: Person): string[] => folderOf(kinora, `files/asset/${as.userId}`)

/** The rows of a user's images in every state. */
export const rowsOf = async ({ app }: Kinora, as: Person): Promise<{ id: string; state: string }[]> => [
  ...(await app.sql<{ id: string; state: string }[]>`
    select id, state from kinora.asset where user_id = ${as.userId}
  `),
]

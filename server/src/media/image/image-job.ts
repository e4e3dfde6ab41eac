/**
 * What the child does with one start image: it re-encodes it. Only pixels pass through, no metadata (place and time of
 * the photograph, thumbnails, clips, scripts).
 */
import type { Sharp } from 'sharp'
import type { Inspect } from '../job.ts'
import { MediaRefused } from '../refusal.ts'
import { sharp } from '../sharp.ts'
import type { Image, ImageLimits } from './image.ts'
import { decodeCost, type ImageKind, isLossless, kindOf } from './structure.ts'

/** Tried in this order until the file is small enough for providers. */
const jpegSteps = [
  { quality: 95, chromaSubsampling: '4:4:4' },
  { quality: 85, chromaSubsampling: '4:2:0' },
  { quality: 60, chromaSubsampling: '4:2:0' },
]
/** Films have no transparency; white is the background of most web pages. */
const BACKGROUND = '#ffffff'

export const damaged = 'The image is damaged or cut short and cannot be read; save it anew.'

// Blocks all decoders but these four.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif'],
})

export const inspect: Inspect<ImageLimits> = async (limits, file) => {
  const bytes = Buffer.from(file.read(0, file.sizeBytes))
  const kind = kindOf(bytes)
  await checkSize(bytes, kind, limits)
  const { image, content } = await reencode(bytes, kind, limits)
  return { line: { image }, bytes: content }
}

/** Reads headers only, so that an image of excessive size or cost is refused before any pixel is decoded. */
async function checkSize(bytes: Buffer, kind: ImageKind, limits: ImageLimits): Promise<void> {
  const { autoOrient, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata()
  const { width, height } = autoOrient
  const { sidePixelsMin, sidePixelsMax, pixelsMax } = limits
  if (pages > 1) throw new MediaRefused('ANIMATED', 'The image is animated; send a still one.')
  if (Math.min(width, height) < sidePixelsMin || Math.max(width, height) > sidePixelsMax) {
    const wanted = `each side must have ${sidePixelsMin} to ${sidePixelsMax}`
    throw new MediaRefused('WRONG_SIZE', `The image has ${width}×${height} pixels; ${wanted}.`)
  }
  if (width * height > pixelsMax) {
    const wanted = `${Math.floor(pixelsMax / 1_000_000)} million in all are the most`
    throw new MediaRefused('WRONG_SIZE', `The image has ${width}×${height} pixels; ${wanted}.`)
  }
  if (decodeCost(bytes, kind, width * height) > limits.costMaxBytes) {
    const remedy = 'save it with 8 bits a color, without interlacing and progressive scans, or smaller'
    throw new MediaRefused('TOO_COSTLY', `The image takes too long to decode: ${remedy}.`)
  }
}

/** Returns the image upright, in 8-bit sRGB, opaque, no larger than any film needs, without metadata. */
async function reencode(
  bytes: Buffer,
  kind: ImageKind,
  limits: ImageLimits,
): Promise<{ image: Image; content: Buffer }> {
  const side = limits.storedSidePixelsMax
  // Decoded once, to at most 50 MB: a pipeline for each format would decode the upload as often.
  const { data, info } = await sharp(bytes, { limitInputPixels: limits.pixelsMax, failOn: 'error' })
    .autoOrient()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: BACKGROUND })
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const source = sharp(data, { raw: { width, height, channels } })
  if (kind === 'png' || (kind === 'webp' && isLossless(bytes))) {
    const png = await encoded(source.clone().png({ compressionLevel: 6 }), 'image/png', 'png')
    if (png.content.length <= limits.storedMaxBytes) return png
  }
  for (const step of jpegSteps) {
    const jpeg = await encoded(source.clone().jpeg(step), 'image/jpeg', 'jpg')
    if (jpeg.content.length <= limits.storedMaxBytes) return jpeg
  }
  throw new MediaRefused('UNDECODABLE', damaged)
}

async function encoded(pipeline: Sharp, contentType: Image['contentType'], extension: Image['extension']) {
  const { data: content, info } = await pipeline.toBuffer({ resolveWithObject: true })
  return { image: { width: info.width, height: info.height, contentType, extension }, content }
}

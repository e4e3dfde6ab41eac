/**
 * The child process that looks into one start image and makes it anew: pixels in, pixels out, and nothing else of what
 * the file held (place and time of the photograph, thumbnails, clips, scripts) comes through.
 *
 * It is given the open file as its standard input and a pipe for the answer, and no path, no setting and no right to
 * write anywhere. Whatever an image does to it ends with it.
 */
import { fstatSync, readSync, writeSync } from 'node:fs'
import sharp, { type Sharp } from 'sharp'
import { type Image, type ImageLimits, ImageRefused } from './image-refusal.ts'
import { type ImageKind, isLossless, kindOf } from './image-structure.ts'

const IMAGE = 0
const ANSWER = 3
/** From hardly any loss down to a file that providers take, whatever the image. */
const jpegSteps = [
  { quality: 95, chromaSubsampling: '4:4:4' },
  { quality: 85, chromaSubsampling: '4:2:0' },
  { quality: 60, chromaSubsampling: '4:2:0' },
]
/** Films have no transparency; on white an image looks as it does on most pages. */
const BEHIND = '#ffffff'

const limits = JSON.parse(process.argv[2] ?? '') as ImageLimits
// Should the server die, nobody else ends this process.
setTimeout(() => process.exit(1), limits.timeoutMs).unref()
sharp.cache(false)
sharp.concurrency(1)
// No other decoder may run, whatever a file makes the library believe.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] })
answer({ ready: true })

try {
  const bytes = imageBytes()
  const kind = kindOf(bytes)
  await checkSize(bytes)
  const { image, content } = await makeAnew(bytes, kind)
  answer({ image }, content)
} catch (error) {
  const refused = error instanceof ImageRefused ? error : undecodable()
  answer({ refused: { code: refused.code, message: refused.message } })
}
// Native threads may still be at work on a damaged image.
process.exit(0)

function imageBytes(): Buffer {
  const bytes = Buffer.alloc(fstatSync(IMAGE).size)
  for (let at = 0; at < bytes.length; ) {
    const readBytes = readSync(IMAGE, bytes, at, bytes.length - at, at)
    if (readBytes === 0) break
    at += readBytes
  }
  return bytes
}

/** Before any pixel is decoded: the header alone says how large the image would be. */
async function checkSize(bytes: Buffer): Promise<void> {
  const { autoOrient, pages = 1 } = await sharp(bytes, { limitInputPixels: false }).metadata()
  const { width, height } = autoOrient
  const { sidePixelsMin, sidePixelsMax, pixelsMax } = limits
  if (pages > 1) throw new ImageRefused('ANIMATED', 'The image is animated; send a still one.')
  if (Math.min(width, height) < sidePixelsMin || Math.max(width, height) > sidePixelsMax) {
    const wanted = `each side must have ${sidePixelsMin} to ${sidePixelsMax}`
    throw new ImageRefused('WRONG_SIZE', `The image has ${width}×${height} pixels; ${wanted}.`)
  }
  if (width * height > pixelsMax) {
    const wanted = `${Math.floor(pixelsMax / 1_000_000)} million in all are the most`
    throw new ImageRefused('WRONG_SIZE', `The image has ${width}×${height} pixels; ${wanted}.`)
  }
}

/** Upright, in sRGB with 8 bits, opaque, no larger than any film needs, without metadata. */
async function makeAnew(bytes: Buffer, kind: ImageKind): Promise<{ image: Image; content: Buffer }> {
  const side = limits.keptSidePixelsMax
  const source = sharp(bytes, { limitInputPixels: limits.pixelsMax, failOn: 'error' })
    .autoOrient()
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .flatten({ background: BEHIND })
    .toColourspace('srgb')
  if (kind === 'png' || (kind === 'webp' && isLossless(bytes))) {
    const png = await encoded(source.clone().png({ compressionLevel: 6 }), 'image/png', 'png')
    if (png.content.length <= limits.keptMaxBytes) return png
  }
  for (const step of jpegSteps) {
    const jpeg = await encoded(source.clone().jpeg(step), 'image/jpeg', 'jpg')
    if (jpeg.content.length <= limits.keptMaxBytes) return jpeg
  }
  throw undecodable()
}

async function encoded(pipeline: Sharp, contentType: Image['contentType'], extension: Image['extension']) {
  const { data: content, info } = await pipeline.toBuffer({ resolveWithObject: true })
  return { image: { width: info.width, height: info.height, contentType, extension }, content }
}

function undecodable(): ImageRefused {
  return new ImageRefused('UNDECODABLE', 'The image is damaged or cut short and cannot be read; save it anew.')
}

/** One line of JSON, then the bytes it announces. */
function answer(line: object, bytes: Uint8Array = new Uint8Array()): void {
  const whole = Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n`), bytes])
  for (let written = 0; written < whole.length; ) written += writeSync(ANSWER, whole, written)
}

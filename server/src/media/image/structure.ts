/**
 * Content sniffing: determines an image's kind from its bytes before any decoding, and refuses files that are of another
 * kind, animated, truncated or followed by other data. It runs in the child process.
 */
import { ImageRefused } from './refusal.ts'

export type ImageKind = 'png' | 'jpeg' | 'webp'

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** Signatures of other common kinds, so that the refusal can name them. */
const otherKinds: [name: string, at: number, text: string][] = [
  ['a GIF', 0, 'GIF8'],
  ['a TIFF', 0, 'II*'],
  ['a TIFF', 0, 'MM'],
  ['a BMP', 0, 'BM'],
  ['a HEIC', 4, 'ftyphe'],
  ['a HEIC', 4, 'ftypmif1'],
  ['an AVIF', 4, 'ftypavi'],
  ['a JPEG XL', 4, 'JXL '],
  ['a film', 4, 'ftyp'],
  ['a PDF', 0, '%PDF'],
]

const animated = () => new ImageRefused('ANIMATED', 'The image is animated; send a still one.')
const truncated = () => new ImageRefused('TRUNCATED', 'The image is cut short; send the whole file.')
const moreThanAnImage = () =>
  new ImageRefused('MORE_THAN_AN_IMAGE', 'The file has something else behind the image; save the image anew.')

/** @throws ImageRefused NOT_AN_IMAGE, ANIMATED, TRUNCATED or MORE_THAN_AN_IMAGE */
export function kindOf(bytes: Buffer): ImageKind {
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) {
    checkPng(bytes)
    return 'png'
  }
  // Data after a JPEG's end is accepted: phones append depth maps, gain maps and clips. Re-encoding drops all of it.
  if (bytes.length > 2 && bytes.readUIntBE(0, 3) === 0xffd8ff) return 'jpeg'
  const head = bytes.toString('latin1', 0, 1024)
  if (/^RIFF.{4}WEBP/s.test(head)) {
    checkWebp(bytes)
    return 'webp'
  }
  const other = head.includes('<svg') ? 'an SVG' : otherKinds.find(([, at, text]) => head.startsWith(text, at))?.[0]
  const what = bytes.length === 0 ? 'The body is empty' : other ? `This is ${other}` : 'This is not an image'
  throw new ImageRefused('NOT_AN_IMAGE', `${what}; send a PNG, JPEG or WebP.`)
}

/** Whether a WebP is losslessly encoded, so that every pixel matters. */
export const isLossless = (bytes: Buffer): boolean => [...webpChunks(bytes)].some(({ name }) => name === 'VP8L')

/** A PNG is a sequence of chunks (length, name, content, checksum) that ends with IEND (ISO/IEC 15948, 5.3). */
function checkPng(bytes: Buffer): void {
  let at = PNG_SIGNATURE.length
  while (at + 12 <= bytes.length) {
    const name = bytes.toString('latin1', at + 4, at + 8)
    at += 12 + bytes.readUInt32BE(at)
    if (name === 'acTL') throw animated()
    if (name === 'IEND' && at < bytes.length) throw moreThanAnImage()
    if (name === 'IEND' && at === bytes.length) return
  }
  throw truncated()
}

/** A WebP is one RIFF file of chunks (name, length, content), each padded to an even length (RFC 9649, 2). */
function checkWebp(bytes: Buffer): void {
  const endsAt = 8 + bytes.readUInt32LE(4)
  if (endsAt > bytes.length) throw truncated()
  if (endsAt + (endsAt % 2) < bytes.length) throw moreThanAnImage()
  if ([...webpChunks(bytes)].some(({ name }) => name === 'ANIM' || name === 'ANMF')) throw animated()
}

function* webpChunks(bytes: Buffer): Generator<{ name: string }> {
  for (let at = 12; at + 8 <= bytes.length; ) {
    yield { name: bytes.toString('latin1', at, at + 4) }
    const sizeBytes = bytes.readUInt32LE(at + 4)
    at += 8 + sizeBytes + (sizeBytes % 2)
  }
}

/**
 * Content sniffing: determines an image's kind from its bytes before any decoding, and refuses files that are of
 * another kind, animated, truncated or followed by other data. It runs in the child process.
 */
import { MediaRefused } from '../refusal.ts'

export type ImageKind = 'png' | 'jpeg' | 'webp' | 'avif'

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
/** Signatures of other images, so that the refusal can name them. */
const otherImages: [name: string, at: number, text: string][] = [
  ['a GIF', 0, 'GIF8'],
  ['a TIFF', 0, 'II*'],
  ['a TIFF', 0, 'MM'],
  ['a BMP', 0, 'BM'],
  ['a HEIC', 4, 'ftyphe'],
  ['a HEIC', 4, 'ftypmif1'],
  ['a HEIC', 4, 'ftypmsf1'],
  ['a JPEG XL', 4, 'JXL '],
]
const otherFiles: typeof otherImages = [
  ['a film', 4, 'ftyp'],
  ['a PDF', 0, '%PDF'],
]
/** Enough of a file to find its kind. */
export const HEAD_BYTES = 1024

const animated = () => new MediaRefused('ANIMATED', 'The image is animated; send a still one.')
const truncated = () => new MediaRefused('TRUNCATED', 'The image is cut short; send the whole file.')
const moreThanAnImage = () =>
  new MediaRefused('MORE_THAN_AN_IMAGE', 'The file has something else behind the image; save the image anew.')

/**
 * The work of decoding in bytes of decoded samples, from the headers alone. An interlaced PNG is decoded whole before
 * it is copied, so it counts twice. Each scan of a JPEG after the first visits every block again; it counts a tenth.
 */
export function decodeCost(bytes: Buffer, kind: ImageKind, pixels: number): number {
  if (kind === 'webp') return pixels * 4
  // AV1 is decoded whole and takes most memory: 17 million pixels with 10 bits a sample take 500 MB.
  if (kind === 'avif') return pixels * 24
  if (kind === 'jpeg') return pixels * 3 * (1 + Math.max(0, countScans(bytes) - 1) / 10)
  const { width, height, depth, channels, isInterlaced } = pngHeader(bytes)
  return ((width * height * channels * depth) / 8) * (isInterlaced ? 2 : 1)
}

/** Whether the file is an image, of a kind that is read here or not. @param head its first HEAD_BYTES */
export const isImage = (head: Buffer): boolean => imageKind(head) !== null || nameOf(head, otherImages) !== undefined

/** @throws MediaRefused NOT_AN_IMAGE, ANIMATED, TRUNCATED or MORE_THAN_AN_IMAGE */
export function kindOf(bytes: Buffer): ImageKind {
  const head = bytes.subarray(0, HEAD_BYTES)
  const kind = imageKind(head)
  // Data after a JPEG's end is accepted: phones append depth maps, gain maps and clips. Re-encoding drops all of it.
  if (kind === 'png') checkPng(bytes)
  if (kind === 'webp') checkWebp(bytes)
  if (kind === 'avif') checkAvif(bytes)
  if (kind !== null) return kind
  const [image, file] = [nameOf(head, otherImages), nameOf(head, otherFiles)]
  if (image) {
    const message = `This is ${image}, which is not read here; convert it to a PNG, JPEG, WebP or AVIF.`
    throw new MediaRefused('NOT_AN_IMAGE', message)
  }
  const what = bytes.length === 0 ? 'The body is empty' : file ? `This is ${file}` : 'This is not an image'
  throw new MediaRefused('NOT_AN_IMAGE', `${what}; send a PNG, JPEG, WebP or AVIF.`)
}

function imageKind(head: Buffer): ImageKind | null {
  if (head.subarray(0, 8).equals(PNG_SIGNATURE)) return 'png'
  if (head.length > 2 && head.readUIntBE(0, 3) === 0xffd8ff) return 'jpeg'
  if (/^RIFF.{4}WEBP/s.test(head.toString('latin1'))) return 'webp'
  return brandsOf(head).some((brand) => brand === 'avif' || brand === 'avis') ? 'avif' : null
}

function nameOf(head: Buffer, kinds: typeof otherImages): string | undefined {
  const text = head.toString('latin1')
  return text.includes('<svg') ? 'an SVG' : kinds.find(([, at, start]) => text.startsWith(start, at))?.[0]
}

/** What the first box says that the file is: the major brand first (ISO/IEC 14496-12, 4.3). */
function brandsOf(head: Buffer): string[] {
  const text = head.toString('latin1')
  if (head.length < 16 || !text.startsWith('ftyp', 4)) return []
  return [text.slice(8, 12), ...(text.slice(16, head.readUInt32BE(0)).match(/.{4}/gs) ?? [])]
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

/** The header chunk comes first (ISO/IEC 15948, 5.6). Fewer than 8 bits a sample and palettes are decoded to 8 bits. */
function pngHeader(bytes: Buffer) {
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') throw truncated()
  const color = bytes.readUInt8(25)
  return {
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    depth: Math.max(8, bytes.readUInt8(24)),
    channels: { 0: 1, 4: 2, 6: 4 }[color] ?? 3,
    isInterlaced: bytes.readUInt8(28) !== 0,
  }
}

/** A JPEG is a sequence of markers, mostly with a length; each scan's entropy-coded data follows its SOS marker. */
function countScans(bytes: Buffer): number {
  const SOS = 0xda
  let scans = 0
  for (let at = bytes.indexOf(0xff, 2); at >= 0 && at + 4 <= bytes.length; at = bytes.indexOf(0xff, at)) {
    const marker = bytes.readUInt8(at + 1)
    // A stuffed or filling byte, a restart (RST0 to RST7), a start or an end has no length.
    if (marker === 0xff) at += 1
    else if (marker === 0 || marker === 1 || (marker >= 0xd0 && marker <= 0xd9)) at += 2
    else {
      if (marker === SOS) scans += 1
      at += 2 + bytes.readUInt16BE(at + 2)
    }
  }
  return scans
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

/** An AVIF is a sequence of boxes, each with length and name (ISO/IEC 14496-12, 4.2). A length of 0: to the end. */
function checkAvif(bytes: Buffer): void {
  if (brandsOf(bytes.subarray(0, HEAD_BYTES))[0] === 'avis') throw animated()
  let at = 0
  while (at + 8 <= bytes.length) {
    const short = bytes.readUInt32BE(at)
    const isLong = short === 1 && at + 16 <= bytes.length
    const sizeBytes = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? bytes.length - at : short
    if (sizeBytes < 8) throw moreThanAnImage()
    at += sizeBytes
  }
  if (at > bytes.length) throw truncated()
  if (at < bytes.length) throw moreThanAnImage()
}

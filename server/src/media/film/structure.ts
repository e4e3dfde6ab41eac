/**
 * Walks the top-level boxes (MP4) or elements (WebM) of a film by their headers only, and refuses a film that is
 * truncated or whose index is excessively large. The demuxer checks neither: it plays a truncated film as far as it
 * goes, and loads an index of any size.
 */
import { MediaRefused } from '../refusal.ts'

export type FilmBytes = {
  sizeBytes: number
  /** Reads up to `lengthBytes` bytes from `position`; fewer only at the end of the file. */
  read(position: number, lengthBytes: number): Uint8Array
}

/** Two minutes at 60 frames a second have an index of about 0.3 MB. */
const INDEX_BYTES_MAX = 16 * 1024 * 1024
/** Two minutes of WebM without cluster sizes have about 14,000 blocks. */
const ELEMENTS_MAX = 100_000

const notAFilm = () => new MediaRefused('NOT_A_VIDEO', 'The file is not an MP4, WebM or QuickTime film.')
export const truncated = () => new MediaRefused('TRUNCATED', 'The file is cut off: its end is missing.')

/** @throws MediaRefused NOT_A_VIDEO, TRUNCATED or UNDECODABLE */
export function checkStructure(film: FilmBytes): void {
  if (!checkContainer(film)) throw notAFilm()
}

/** @returns false: the file is neither; @throws MediaRefused as checkStructure */
export function checkContainer(film: FilmBytes): boolean {
  const start = Buffer.from(film.read(0, 12))
  const isBoxes = start.toString('latin1', 4, 8) === 'ftyp'
  const isElements = start.length >= 4 && start.readUInt32BE(0) === 0x1a45dfa3
  if (isBoxes) checkBoxes(film)
  if (isElements) checkElements(film)
  return isBoxes || isElements
}

/** MP4 and QuickTime: a sequence of boxes, each with size and name. */
function checkBoxes(film: FilmBytes): void {
  // Media data, and boxes that demuxers skip; a demuxer may load every other box as a whole.
  const skipped = ['mdat', 'free', 'skip', 'wide', 'uuid']
  const names = new Set<string>()
  let position = 0
  for (let count = 0; position + 8 <= film.sizeBytes; count++) {
    const header = Buffer.from(film.read(position, 16))
    const name = header.toString('latin1', 4, 8)
    let sizeBytes = header.readUInt32BE(0)
    if (sizeBytes === 1 && header.length === 16) sizeBytes = Number(header.readBigUInt64BE(8))
    if (sizeBytes === 0) sizeBytes = film.sizeBytes - position
    // Players ignore trailing bytes that are no box (padding, a tag).
    if (sizeBytes < 8 || !/^[\x20-\x7e\xa9]{4}$/.test(name)) break
    checkElement(count, skipped.includes(name) ? 0 : sizeBytes)
    position += sizeBytes
    if (position > film.sizeBytes) throw truncated()
    names.add(name)
  }
  if (names.has('moov')) return
  // HEIF and AVIF images consist of boxes too, with their index in `meta`.
  throw names.has('meta') ? notAFilm() : truncated()
}

/** WebM: a header, then a segment of elements with id and size; live recordings leave the size out. */
function checkElements(film: FilmBytes): void {
  const SEGMENT = 0x18538067
  const CLUSTER = 0x1f43b675
  const VOID = 0xec
  let position = 0
  for (let count = 0; position < film.sizeBytes; count++) {
    const header = film.read(position, 12)
    const id = variableInteger(header, 0, true)
    const size = id && variableInteger(header, id.lengthBytes, false)
    if (!id || !size) throw truncated()
    const contentPosition = position + id.lengthBytes + size.lengthBytes
    const endsAt = size.value === null ? contentPosition : contentPosition + size.value
    if (endsAt > film.sizeBytes) throw truncated()
    const container = id.value === SEGMENT || id.value === CLUSTER
    checkElement(count, container || id.value === VOID ? 0 : endsAt - contentPosition)
    position = id.value === SEGMENT ? contentPosition : endsAt
  }
}

/** An EBML variable-length integer: its leading zero bits give its length. A size of all ones means unknown: null. */
function variableInteger(
  bytes: Uint8Array,
  at: number,
  withMarker: boolean,
): { value: number | null; lengthBytes: number } | null {
  const first = bytes[at]
  if (first === undefined || first === 0) return null
  const lengthBytes = Math.clz32(first) - 23
  if (at + lengthBytes > bytes.length) return null
  const marker = 1 << (8 - lengthBytes)
  let value = withMarker ? first : first & (marker - 1)
  let allOnes = (first & (marker - 1)) === marker - 1
  for (const byte of bytes.subarray(at + 1, at + lengthBytes)) {
    value = value * 256 + byte
    allOnes &&= byte === 0xff
  }
  return { value: allOnes && !withMarker ? null : value, lengthBytes }
}

function checkElement(count: number, loadedBytes: number): void {
  if (count >= ELEMENTS_MAX || loadedBytes > INDEX_BYTES_MAX) {
    throw new MediaRefused('UNDECODABLE', 'The film could not be decoded within the limits: its index is too large.')
  }
}

/**
 * JUMBF boxes (ISO/IEC 19566-5) as C2PA 2.2 uses them: a superbox `jumb` has a description box `jumd` with type and
 * label, then its content. Reading is of bytes that a stranger made: every length is checked against the bytes that are
 * there.
 */

/** The types of C2PA's superboxes: four characters of the 16 bytes; the others are the same in each. */
type BoxType = 'c2pa' | 'c2ma' | 'c2as' | 'c2cl' | 'c2cs' | 'cbor'

const TYPE_SUFFIX = Buffer.from('00110010800000aa00389b71', 'hex')
/** Bit 0: requestable, bit 1: has a label. */
const TOGGLES = 0x03
const HEADER_BYTES = 8
const DESCRIPTION_BYTES_MIN = HEADER_BYTES + 17

export function box(type: string, ...content: Uint8Array[]): Buffer {
  const sizeBytes = content.reduce((sum, { length }) => sum + length, HEADER_BYTES)
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(sizeBytes, 0)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, ...content])
}

export function superBox(type: BoxType, label: string, ...content: Uint8Array[]): Buffer {
  const description = box(
    'jumd',
    Buffer.from(type, 'latin1'),
    TYPE_SUFFIX,
    Buffer.from([TOGGLES]),
    Buffer.from(`${label}\0`, 'utf8'),
  )
  return box('jumb', description, ...content)
}

/** What hashes of a superbox cover: all of it but its header. */
export const hashedPart = (bytes: Uint8Array): Uint8Array => bytes.subarray(HEADER_BYTES)

export type SuperBox = { type: string; label: string; bytes: Buffer; content: { type: string; bytes: Buffer }[] }

/** @returns the superbox that the bytes begin with; null when they are none */
export function readSuperBox(bytes: Uint8Array): SuperBox | null {
  const outer = readBoxes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), 1)?.[0]
  if (outer?.type !== 'jumb') return null
  const [description, ...content] = readBoxes(outer.bytes.subarray(HEADER_BYTES)) ?? []
  if (description?.type !== 'jumd' || description.bytes.length < DESCRIPTION_BYTES_MIN) return null
  const end = description.bytes.indexOf(0, DESCRIPTION_BYTES_MIN)
  return {
    type: description.bytes.toString('latin1', HEADER_BYTES, HEADER_BYTES + 4),
    label: description.bytes.toString('utf8', DESCRIPTION_BYTES_MIN, end < 0 ? undefined : end),
    bytes: outer.bytes,
    content,
  }
}

/** The superboxes in a superbox. */
export const superBoxesIn = ({ content }: SuperBox): SuperBox[] =>
  content.flatMap(({ bytes }) => readSuperBox(bytes) ?? [])

/** @returns at most `most` boxes in a row, without what comes after; null when one exceeds the bytes */
function readBoxes(bytes: Buffer, most = 10_000): { type: string; bytes: Buffer }[] | null {
  const boxes: { type: string; bytes: Buffer }[] = []
  for (let at = 0; at + HEADER_BYTES <= bytes.length && boxes.length < most; ) {
    const sizeBytes = bytes.readUInt32BE(at)
    if (sizeBytes < HEADER_BYTES || at + sizeBytes > bytes.length) return null
    boxes.push({ type: bytes.toString('latin1', at + 4, at + HEADER_BYTES), bytes: bytes.subarray(at, at + sizeBytes) })
    at += sizeBytes
  }
  return boxes
}

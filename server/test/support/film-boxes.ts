/** Rewrites the boxes of an MP4 film, as other programs write them. */

export type Part = { name: string; bytes: Buffer }

export const uint32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

export const box = (name: string, ...content: Uint8Array[]): Buffer => {
  const body = Buffer.concat(content)
  return Buffer.concat([uint32(8 + body.length), Buffer.from(name, 'latin1'), body])
}

/** With a size of 64 bits. */
export const longBox = (name: string, ...content: Uint8Array[]): Buffer => {
  const body = Buffer.concat(content)
  return Buffer.concat([uint32(1), Buffer.from(name, 'latin1'), uint32(0, 16 + body.length), body])
}

/** The boxes that follow each other in these bytes. */
export function partsOf(bytes: Buffer): Part[] {
  const parts: Part[] = []
  for (let at = 0; at < bytes.length; ) {
    const short = bytes.readUInt32BE(at)
    const size = short === 1 ? Number(bytes.readBigUInt64BE(at + 8)) : short
    parts.push({ name: bytes.toString('latin1', at + 4, at + 8), bytes: bytes.subarray(at, at + size) })
    at += size
  }
  return parts
}

/** The box with the box at this path replaced. */
export function replaced(bytes: Buffer, [name, ...rest]: string[], by: (found: Buffer) => Buffer): Buffer {
  return Buffer.concat(
    partsOf(bytes).map((part) => {
      if (part.name !== name) return part.bytes
      return rest.length === 0 ? by(part.bytes) : box(name, replaced(part.bytes.subarray(8), rest, by))
    }),
  )
}

const TABLE = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stco']

/** Adds this to the positions of pictures, which moved when something before them grew. */
export const withMovedPictures = (film: Buffer, by: number): Buffer =>
  replaced(film, TABLE, (table) => {
    const moved = Buffer.from(table)
    for (let at = 16; at < moved.length; at += 4) moved.writeUInt32BE(moved.readUInt32BE(at) + by, at)
    return moved
  })

/** The positions of pictures as numbers of 64 bits, in a film whose index is behind its pictures. */
export const withLongPositions = (film: Buffer): Buffer =>
  replaced(film, TABLE, (table) => {
    const positions = Array.from({ length: (table.length - 16) / 4 }, (_, index) => table.readUInt32BE(16 + 4 * index))
    return box('co64', table.subarray(8, 16), ...positions.map((position) => uint32(0, position)))
  })

/** The film with these boxes at the end of its index. */
export function withInIndex(film: Buffer, ...added: Buffer[]): Buffer {
  const size = added.reduce((sum, { length }) => sum + length, 0)
  const isBefore = film.indexOf('moov') < film.indexOf('mdat')
  return replaced(isBefore ? withMovedPictures(film, size) : film, ['moov'], (moov) =>
    box('moov', moov.subarray(8), ...added),
  )
}

/** Metadata of the kind `mdta`; QuickTime's has no version. */
export function metadata(entries: Record<string, string>, { version = true, kind = 'mdta' } = {}): Buffer {
  const keys = Object.keys(entries).map((key) => box('mdta', Buffer.from(key)))
  const values = Object.values(entries).map((text, index) => {
    const data = box('data', uint32(1, 0), Buffer.from(text))
    return Buffer.concat([uint32(8 + data.length, index + 1), data])
  })
  return box(
    'meta',
    Buffer.alloc(version ? 4 : 0),
    box('hdlr', Buffer.alloc(8), Buffer.from(kind), Buffer.alloc(13)),
    box('keys', uint32(0, keys.length), ...keys),
    box('ilst', ...values),
  )
}

/**
 * How a film's bytes are bound to the manifest that says where it comes from, and where the manifest goes: in a box of
 * its own behind `ftyp` in an MP4 or QuickTime film, else in a file beside it. What moves is found here, so the server
 * writes the film without parsing it.
 *
 * The hash is that of C2PA's `c2pa.hash.bmff.v3`: SHA-256 of every top-level box but `ftyp`, `mfra` and the manifest's
 * own, each behind its position in the new file as eight bytes.
 */
import { createHash, type Hash } from 'node:crypto'
import type { FilmBytes } from './structure.ts'

/**
 * What is asked. `boxBytes`: of the manifest's box, beside what the film's own manifests take; null: the manifest is a
 * file beside the film. `aigc`: the text of China's label; null: none.
 */
export type BindingRequest = { boxBytes: number | null; aigc: string | null }

/** Bytes of the film to replace: by the manifest's box where `isManifest`, else by `sizeBytes` of the reply. */
export type Edit = { at: number; removedBytes: number; sizeBytes: number; isManifest: boolean }

/** `embed`: the film has no place for a manifest when null; `hash` is then that of all its bytes. */
export type FilmBinding = {
  hash: Uint8Array
  embed: { edits: Edit[]; content: Uint8Array; isLabelled: boolean } | null
  /** The manifest store that the film came with. */
  manifests: Uint8Array | null
}

type Box = { name: string; at: number; sizeBytes: number; headerBytes: number }

const MANIFEST_BOX = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex')
/** Behind the box's type: version and flags, the purpose, and eight bytes of a Merkle box that is not there. */
export const MANIFEST_PURPOSE = Buffer.concat([Buffer.alloc(4), Buffer.from('manifest\0', 'latin1'), Buffer.alloc(8)])
export const MANIFEST_BOX_OVERHEAD = 8 + MANIFEST_BOX.length + MANIFEST_PURPOSE.length
/** Manifests with thumbnails of a chain of edits are some hundred kB. */
const MANIFESTS_BYTES_MAX = 1024 * 1024
const INDEX_BYTES_MAX = 1024 * 1024
const CHUNK_BYTES = 1024 * 1024
/** Two minutes in fragments of a tenth of a second have 2,400. */
const BOXES_MAX = 10_000
/** `stco` is in the fifth box. */
const DEPTH_MAX = 8
const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf']

/** The binding as a child replies it: a line, and the bytes behind it. */
export function boundParts({ hash, embed, manifests }: FilmBinding) {
  const line = {
    hash: Buffer.from(hash).toString('hex'),
    embed: embed && { edits: embed.edits, isLabelled: embed.isLabelled },
    manifestsBytes: manifests?.length ?? 0,
  }
  return { line, parts: [embed?.content ?? new Uint8Array(), manifests ?? new Uint8Array()] }
}

export function bindFilm(film: FilmBytes, request: BindingRequest): FilmBinding {
  const boxes = topLevelBoxes(film)
  const own = boxes?.filter((box) => hasManifests(film, box)) ?? []
  const manifests = own.map((box) => readManifests(film, box)).find((found) => found !== null) ?? null
  const { boxBytes, aigc } = request
  const roomBytes = boxBytes === null ? null : boxBytes + (manifests?.length ?? 0)
  const embed = boxes && roomBytes !== null ? planEdits(film, boxes, own, roomBytes, aigc) : null
  return { hash: boxes && embed ? hashBoxes(film, boxes, embed) : hashAll(film), embed, manifests }
}

const hasManifests = (film: FilmBytes, { name, at, headerBytes }: Box): boolean =>
  name === 'uuid' && Buffer.from(film.read(at + headerBytes, MANIFEST_BOX.length)).equals(MANIFEST_BOX)

/**
 * The hash of a film that has its manifest, as that binds it. @param excluded names of boxes that it leaves out, beside
 * that of the manifest
 * @returns null: the film's boxes cannot be told apart
 */
export function hashBoundFilm(film: FilmBytes, excluded: readonly string[]): Uint8Array | null {
  const hash = createHash('sha256')
  const boxes = topLevelBoxes(film)
  for (const box of boxes ?? []) {
    if (excluded.includes(box.name) || hasManifests(film, box)) continue
    hash.update(positionOf(box.at))
    hashRange(hash, film, box)
  }
  return boxes && hash.digest()
}

/** @returns null for a film that does not begin with `ftyp`, or has bytes outside boxes: readers disagree on them */
function topLevelBoxes(film: FilmBytes): Box[] | null {
  const boxes: Box[] = []
  for (let at = 0; at < film.sizeBytes; ) {
    const box = readHeader(Buffer.from(film.read(at, 16)), at, film.sizeBytes)
    if (!box || boxes.length === BOXES_MAX) return null
    boxes.push(box)
    at += box.sizeBytes
  }
  return boxes[0]?.name === 'ftyp' && boxes[0].headerBytes === 8 ? boxes : null
}

/** @param header the first 16 bytes of a box, fewer at the end. @returns null for none, or one beyond `end` */
function readHeader(header: Buffer, at: number, end: number): Box | null {
  if (header.length < 8) return null
  const short = header.readUInt32BE(0)
  const isLong = short === 1 && header.length >= 16
  const sizeBytes = isLong ? Number(header.readBigUInt64BE(8)) : short === 0 ? end - at : short
  const headerBytes = isLong ? 16 : 8
  if (sizeBytes < headerBytes || at + sizeBytes > end) return null
  return { name: header.toString('latin1', 4, 8), at, sizeBytes, headerBytes }
}

function readManifests(film: FilmBytes, box: Box): Uint8Array | null {
  const start = box.headerBytes + MANIFEST_BOX.length
  const purpose = Buffer.from(film.read(box.at + start, MANIFEST_PURPOSE.length))
  const sizeBytes = box.sizeBytes - start - MANIFEST_PURPOSE.length
  if (purpose.toString('latin1', 4, 13) !== 'manifest\0' || sizeBytes < 8 || sizeBytes > MANIFESTS_BYTES_MAX)
    return null
  return film.read(box.at + start + MANIFEST_PURPOSE.length, sizeBytes)
}

/**
 * @returns null when a position in the film would not be found again: it has an index of another kind, or too large a
 * one.
 */
function planEdits(
  film: FilmBytes,
  boxes: Box[],
  own: Box[],
  roomBytes: number,
  aigc: string | null,
): FilmBinding['embed'] {
  const [ftyp] = boxes
  const movie = boxes.find(({ name }) => name === 'moov')
  const indexes = boxes.filter(({ name }) => name === 'moov' || name === 'moof')
  if (!ftyp || !movie || indexes.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) > INDEX_BYTES_MAX) return null
  const contents: Buffer[] = indexes.map((box) => Buffer.from(film.read(box.at, box.sizeBytes)))
  const movieAt = indexes.indexOf(movie)
  const labelled = aigc === null ? null : withLabel(contents[movieAt] ?? Buffer.alloc(0), aigc)
  if (labelled) contents[movieAt] = labelled
  const replaced = indexes.map(
    ({ at, sizeBytes }, index): Edit => ({
      at,
      removedBytes: sizeBytes,
      sizeBytes: contents[index]?.length ?? 0,
      isManifest: false,
    }),
  )
  // An index of random access points at the end of a fragmented film is a convenience, and its positions would be
  // wrong.
  const removed = [...own, ...boxes.filter(({ name }) => name === 'mfra')].map(
    ({ at, sizeBytes }): Edit => ({
      at,
      removedBytes: sizeBytes,
      sizeBytes: 0,
      isManifest: false,
    }),
  )
  const manifest: Edit = { at: ftyp.sizeBytes, removedBytes: 0, sizeBytes: roomBytes, isManifest: true }
  const edits = [manifest, ...replaced, ...removed].sort((a, b) => a.at - b.at || a.removedBytes - b.removedBytes)
  const moved = (position: number) =>
    edits.reduce(
      (sum, { at, removedBytes, sizeBytes }) => (at + removedBytes <= position ? sum + sizeBytes - removedBytes : sum),
      position,
    )
  if (!contents.every((content) => movePositions(content, moved))) return null
  return { edits, content: Buffer.concat(contents), isLabelled: labelled !== null }
}

/** Changes in place every file position of an index. @returns false for an index of an unknown kind */
function movePositions(index: Buffer, moved: (position: number) => number): boolean {
  let isKnown = true
  const visit = (start: number, end: number, depth: number): void => {
    for (let at = start; isKnown && at + 8 <= end; ) {
      const box = readHeader(index.subarray(at, Math.min(at + 16, end)), at, end)
      if (!box || depth > DEPTH_MAX) {
        isKnown = false
        return
      }
      const content = index.subarray(at + box.headerBytes, at + box.sizeBytes)
      if (CONTAINERS.includes(box.name)) visit(at + box.headerBytes, at + box.sizeBytes, depth + 1)
      else if (box.name === 'stco') isKnown = moveTable(content, 4, moved)
      else if (box.name === 'co64') isKnown = moveTable(content, 8, moved)
      else if (box.name === 'tfhd') isKnown = moveBase(content, moved)
      // Positions of encrypted samples' data, and of items of pictures.
      else if (['saio', 'iloc'].includes(box.name)) isKnown = false
      at += box.sizeBytes
    }
  }
  visit(0, index.length, 0)
  return isKnown
}

function moveTable(content: Buffer, bytes: 4 | 8, moved: (position: number) => number): boolean {
  const entries = content.length >= 8 ? content.readUInt32BE(4) : 0
  if (8 + entries * bytes > content.length) return false
  for (let at = 8; at < 8 + entries * bytes; at += bytes) {
    if (!movePosition(content, at, bytes, moved)) return false
  }
  return true
}

/** The base of a fragment's data is a position in the file when a flag says so; otherwise it is relative. */
function moveBase(content: Buffer, moved: (position: number) => number): boolean {
  if (content.length < 8 || (content.readUInt32BE(0) & 1) === 0) return true
  return content.length >= 16 && movePosition(content, 8, 8, moved)
}

/** @returns false: the new position is no number of this size */
function movePosition(content: Buffer, at: number, bytes: 4 | 8, moved: (position: number) => number): boolean {
  const position = moved(bytes === 4 ? content.readUInt32BE(at) : Number(content.readBigUInt64BE(at)))
  if (position > (bytes === 4 ? 0xffff_ffff : Number.MAX_SAFE_INTEGER)) return false
  if (bytes === 8) content.writeBigUInt64BE(BigInt(position), at)
  else content.writeUInt32BE(position, at)
  return true
}

/** @param excluded ranges that are left out, in their sequence */
export function hashAll(film: FilmBytes, excluded: readonly { start: number; length: number }[] = []): Uint8Array {
  const hash = createHash('sha256')
  let at = 0
  for (const { start, length } of [...excluded, { start: film.sizeBytes, length: 0 }]) {
    hashRange(hash, film, { at, sizeBytes: start - at })
    at = start + length
  }
  return hash.digest()
}

function hashRange(hash: Hash, film: FilmBytes, { at, sizeBytes }: { at: number; sizeBytes: number }): void {
  for (let read = 0; read < sizeBytes; read += CHUNK_BYTES) {
    hash.update(film.read(at + read, Math.min(CHUNK_BYTES, sizeBytes - read)))
  }
}

function positionOf(at: number): Buffer {
  const position = Buffer.alloc(8)
  position.writeBigUInt64BE(BigInt(at))
  return position
}

/** Hashes the film as it will be. */
function hashBoxes(film: FilmBytes, boxes: Box[], { edits, content }: NonNullable<FilmBinding['embed']>): Uint8Array {
  const hash = createHash('sha256')
  let contentAt = 0
  let newAt = 0
  for (const box of boxes) {
    const { name, at, sizeBytes } = box
    const edit = edits.find((each) => !each.isManifest && each.at === at)
    const newBytes = edit ? edit.sizeBytes : sizeBytes
    if (name === 'ftyp') newAt += newBytes + (edits.find(({ isManifest }) => isManifest)?.sizeBytes ?? 0)
    else if (newBytes > 0) {
      hash.update(positionOf(newAt))
      if (edit) hash.update(content.subarray(contentAt, contentAt + newBytes))
      else hashRange(hash, film, box)
      newAt += newBytes
    }
    if (edit) contentAt += newBytes
  }
  return hash.digest()
}

const LABEL_KIND = 'mdta'
const LABEL_KEY = box(LABEL_KIND, Buffer.from('AIGC', 'latin1'))

/**
 * The `moov` box with China's label (GB 45438-2025): the key AIGC in `meta` of the kind `mdta`, as ffmpeg's
 * `use_metadata_tags` writes it. The label of another producer stays.
 * @returns null when the film has another kind of `meta` there, of which there is one at most
 */
function withLabel(movie: Buffer, text: string): Buffer | null {
  const children = childrenOf(movie)
  const existing = children?.find(({ name }) => name === 'meta')
  const meta = existing ? labelledMeta(partOf(movie, existing), text) : newMeta(text)
  const start = children?.[0]?.at
  if (!meta || start === undefined) return null
  const at = existing?.at ?? movie.length
  return box('moov', movie.subarray(start, at), meta, movie.subarray(at + (existing?.sizeBytes ?? 0)))
}

function newMeta(text: string): Buffer {
  const handler = box('hdlr', Buffer.alloc(8), Buffer.from(LABEL_KIND, 'latin1'), Buffer.alloc(13))
  const keys = box('keys', Buffer.alloc(4), uint32(1), LABEL_KEY)
  return box('meta', Buffer.alloc(4), handler, keys, box('ilst', labelEntry(1, text)))
}

function labelledMeta(meta: Buffer, text: string): Buffer | null {
  // QuickTime's has no version.
  const prefix = meta.toString('latin1', 12, 16) === 'hdlr' ? 0 : 4
  const children = childrenOf(meta, prefix)
  const contentOf = (wanted: string) => {
    const found = children?.find(({ name }) => name === wanted)
    return found && partOf(meta, found).subarray(found.headerBytes)
  }
  const [handler, keys, values] = ['hdlr', 'keys', 'ilst'].map(contentOf)
  if (!children || handler?.toString('latin1', 8, 12) !== LABEL_KIND || !keys || keys.length < 8 || !values) return null
  if (keys.includes(LABEL_KEY)) return meta
  const number = keys.readUInt32BE(4) + 1
  const changed: Record<string, Buffer> = {
    keys: box('keys', keys.subarray(0, 4), uint32(number), keys.subarray(8), LABEL_KEY),
    ilst: box('ilst', values, labelEntry(number, text)),
  }
  const version = meta.subarray(8, 8 + prefix)
  return box('meta', version, ...children.map((child) => changed[child.name] ?? partOf(meta, child)))
}

/** Type 1: UTF-8. */
function labelEntry(number: number, text: string): Buffer {
  const data = box('data', uint32(1), uint32(0), Buffer.from(text, 'utf8'))
  return Buffer.concat([uint32(8 + data.length), uint32(number), data])
}

const partOf = (parent: Buffer, { at, sizeBytes }: Box): Buffer => parent.subarray(at, at + sizeBytes)

/** @param skipped bytes behind the header. @returns null: the box is no sequence of boxes */
function childrenOf(parent: Buffer, skipped = 0): Box[] | null {
  const outer = readHeader(parent.subarray(0, 16), 0, parent.length)
  if (!outer) return null
  const boxes: Box[] = []
  for (let at = outer.headerBytes + skipped; at < parent.length; ) {
    const child = readHeader(parent.subarray(at, at + 16), at, parent.length)
    if (!child) return null
    boxes.push(child)
    at += child.sizeBytes
  }
  return boxes
}

function box(name: string, ...content: Buffer[]): Buffer {
  const whole = Buffer.concat([Buffer.alloc(8), ...content])
  whole.writeUInt32BE(whole.length, 0)
  whole.write(name, 4, 'latin1')
  return whole
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

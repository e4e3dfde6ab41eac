/**
 * Signs a film and its poster: what inspection found out about the bytes, and the facts of how it was made, become a
 * manifest in the file or beside it. The key never leaves this process, and this process parses no film.
 */
import { hash, randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import {
  type BindingRequest,
  type FilmBinding,
  MANIFEST_BOX_OVERHEAD,
  MANIFEST_PURPOSE,
} from '../media/film/binding.ts'
import { box } from './jumbf.ts'
import { type Binding, buildManifest, C2PA_BOX, type Ingredient, type ManifestFacts } from './manifest.ts'
import { type Signer, signClaim, type TimeStamp } from './signature.ts'
import { splice } from './splice.ts'
import { TOKEN_BYTES_MAX } from './time-stamp.ts'

/** Above it a manifest is a file beside the film: writing the film anew would take its time and disk twice. */
const EMBED_BYTES_MAX = 200 * 1024 * 1024
/** For the assertion about the film's own manifests, whose labels are not known before. */
const PARENT_BYTES = 2048
const COSE_BYTES = 512

export type FilmFacts = Omit<ManifestFacts, 'binding' | 'id'>
/** `label`: the text of China's label; null: none. */
export type Signing = { signer: Signer; timeStamp: TimeStamp | null; facts: FilmFacts; label: string | null }

/** `manifest`: of a file beside the film; null: it is in the film. */
export type SignedFilm = {
  manifestId: string
  sha256: Buffer
  sizeBytes: number
  manifest: Buffer | null
  isLabelled: boolean
}

const signatureBytes = ({ signer, timeStamp }: Signing): number =>
  COSE_BYTES + signer.certificates.reduce((sum, { length }) => sum + length, 0) + (timeStamp ? TOKEN_BYTES_MAX : 0)

/** What inspection is asked for, before it is known what the film has in it. */
export function bindingRequestOf(signing: Signing, filmBytes: number): BindingRequest {
  if (filmBytes > EMBED_BYTES_MAX) return { boxBytes: null, aigc: null }
  const empty = buildManifest({
    ...signing.facts,
    id: randomUUID(),
    binding: { kind: 'boxes', hash: Buffer.alloc(32) },
  })
  const unsignedBytes = empty.withSignature(Buffer.alloc(0)).length
  const boxBytes = MANIFEST_BOX_OVERHEAD + unsignedBytes + PARENT_BYTES + signatureBytes(signing)
  return { boxBytes, aigc: signing.label }
}

/**
 * Writes the signed film to `target`; a film whose manifest goes beside it stays where it is.
 * @throws Error of the disk, of the time stamp authority, or of a film's own manifests that leave no room
 */
export async function signFilm(
  signing: Signing,
  {
    file,
    target,
    contentType,
    binding,
    id = randomUUID(),
  }: { file: string; target: string; contentType: string; binding: FilmBinding; id?: string },
): Promise<SignedFilm> {
  const { hash: sha256, embed, manifests } = binding
  const own: Ingredient[] = manifests ? [{ relationship: 'parent', contentType, manifests }] : []
  // One parent at most: what the film came from is in the manifests that it came with.
  const others = signing.facts.ingredients.map(
    (each): Ingredient => (manifests ? { ...each, relationship: 'input' } : each),
  )
  const facts = { ...signing.facts, ingredients: [...own, ...others] }
  if (!embed) {
    const manifest = await signManifest(signing, {
      ...facts,
      id,
      binding: { kind: 'bytes', hash: sha256, excluded: null },
    })
    return { manifestId: id, sha256: Buffer.from(sha256), sizeBytes: -1, manifest, isLabelled: false }
  }
  const place = embed.edits.find(({ isManifest }) => isManifest)
  const roomBytes = (place?.sizeBytes ?? 0) - MANIFEST_BOX_OVERHEAD
  const store = await signManifest(signing, { ...facts, id, binding: { kind: 'boxes', hash: sha256 } }, roomBytes)
  const manifest = box('uuid', C2PA_BOX, MANIFEST_PURPOSE, store)
  const written = await splice(file, target, { ...embed, manifest })
  return { manifestId: id, ...written, manifest: null, isLabelled: embed.isLabelled }
}

/** Signs a JPEG in place: the manifest is its first segment. A signed one stays. @returns SHA-256 of the file */
export async function signPoster(signing: Signing, file: string): Promise<Buffer> {
  const start = Buffer.from([0xff, 0xd8])
  const picture = await readFile(file)
  if (picture.readUInt16BE(start.length) === MANIFEST_SEGMENT) return hash('sha256', picture, 'buffer')
  const label = signing.label === null ? Buffer.alloc(0) : xmpSegment(signing.label)
  const content = Buffer.concat([label, picture.subarray(start.length)])
  const facts = {
    ...signing.facts,
    ingredients: signing.facts.ingredients.map((each) => ({ ...each, manifests: null })),
  }
  const binding = (length: number): Binding => ({
    kind: 'bytes',
    hash: hash('sha256', Buffer.concat([start, content]), 'buffer'),
    excluded: { start: start.length, length },
  })
  const id = randomUUID()
  // A length of the same size in CBOR.
  const unsigned = buildManifest({ ...facts, id, binding: binding(0xffff) }).withSignature(Buffer.alloc(0)).length
  const storeBytes = unsigned + signatureBytes(signing)
  const store = await signManifest(
    signing,
    { ...facts, id, binding: binding(storeBytes + SEGMENT_OVERHEAD) },
    storeBytes,
  )
  const signed = Buffer.concat([start, manifestSegment(store), content])
  await writeFile(file, signed)
  return hash('sha256', signed, 'buffer')
}

/** @param sizeBytes of the whole store; left out: as it comes */
async function signManifest(signing: Signing, facts: ManifestFacts, sizeBytes?: number): Promise<Buffer> {
  const unsigned = buildManifest(facts)
  const rest =
    sizeBytes === undefined ? signatureBytes(signing) : sizeBytes - unsigned.withSignature(Buffer.alloc(0)).length
  const { signer, timeStamp } = signing
  return unsigned.withSignature(await signClaim(signer, unsigned.claim, { sizeBytes: rest, timeStamp }))
}

/** APP11 of JPEG XT: the identifier JP, the number of the box, the number of the segment; then the box. */
const SEGMENT_OVERHEAD = 12
const MANIFEST_SEGMENT = 0xffeb

function manifestSegment(store: Buffer): Buffer {
  const header = Buffer.alloc(SEGMENT_OVERHEAD)
  header.writeUInt16BE(MANIFEST_SEGMENT, 0)
  header.writeUInt16BE(SEGMENT_OVERHEAD - 2 + store.length, 2)
  header.write('JP', 4, 'latin1')
  header.writeUInt16BE(1, 6)
  header.writeUInt32BE(1, 8)
  return Buffer.concat([header, store])
}

/** China's label in a picture: XMP in APP1. */
function xmpSegment(label: string): Buffer {
  const text = label.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  const packet =
    '<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
    `<rdf:Description rdf:about="" xmlns:TC260="http://www.tc260.org.cn/ns/AIGC/1.0/" TC260:AIGC="${text}"/>` +
    '</rdf:RDF></x:xmpmeta>'
  const content = Buffer.from(`http://ns.adobe.com/xap/1.0/\0${packet}`, 'utf8')
  const header = Buffer.alloc(4)
  header.writeUInt16BE(0xffe1, 0)
  header.writeUInt16BE(2 + content.length, 2)
  return Buffer.concat([header, content])
}

/**
 * Checks the content credentials of a film or poster against its bytes: what the newest manifest says, by whom it is
 * signed, and whether signature, assertions and file belong together. Whether its signer is to be trusted, a list of
 * certificates says, which is not asked here. The file may be a stranger's: nothing of it is decoded, and every length
 * is checked.
 */
import { hash } from 'node:crypto'
import type { CBORType } from '@levischuck/tiny-cbor'
import { bindFilm, hashAll, hashBoundFilm } from '../media/film/binding.ts'
import type { FilmBytes } from '../media/film/structure.ts'
import { hashedPart, readSuperBox, type SuperBox, superBoxesIn } from './jumbf.ts'
import { nameOf } from './keys.ts'
import { decode, verifyClaim } from './signature.ts'

/** `unknown`: bound or signed in a way that is not checked here. `problem`: why it is not `valid`. */
export type Credentials = {
  state: 'valid' | 'changed' | 'unknown'
  problem: string | null
  signer: { name: string; issuer: string; validTo: Date } | null
  isMadeByAi: boolean
  /** The model or program. */
  madeBy: string | null
  madeAt: string | null
  ingredients: number
}

const MANIFEST_SEGMENT = 0xffeb
const SEGMENT_OVERHEAD = 12

/**
 * @param sidecar the manifest in a file beside it, where there is one
 * @returns `sha256`: of the whole file; `credentials` null: it has none
 */
export function checkFile(
  file: FilmBytes,
  sidecar: Uint8Array | null,
): { sha256: string; credentials: Credentials | null } {
  const { hash: whole, manifests } = bindFilm(file, { boxBytes: null, aigc: null })
  const store = sidecar ?? manifests ?? manifestsOfJpeg(file)
  const sha256 = Buffer.from(whole).toString('hex')
  return { sha256, credentials: store && checkStore(file, store) }
}

/** The parts of a box that is longer than a segment repeat its header. */
function manifestsOfJpeg(file: FilmBytes): Buffer | null {
  const parts: Buffer[] = []
  for (let at = 2; ; ) {
    const header = Buffer.from(file.read(at, SEGMENT_OVERHEAD))
    // Pictures begin with a marker below; before it are segments.
    if (header.length < SEGMENT_OVERHEAD || header.readUInt8(0) !== 0xff || header.readUInt16BE(0) === 0xffda) break
    const sizeBytes = 2 + header.readUInt16BE(2)
    if (header.readUInt16BE(0) === MANIFEST_SEGMENT && header.toString('latin1', 4, 6) === 'JP') {
      const content = Buffer.from(file.read(at + SEGMENT_OVERHEAD, Math.max(0, sizeBytes - SEGMENT_OVERHEAD)))
      parts.push(header.readUInt32BE(8) === 1 ? content : content.subarray(8))
    }
    at += sizeBytes
  }
  return parts.length > 0 ? Buffer.concat(parts) : null
}

function checkStore(file: FilmBytes, store: Uint8Array): Credentials {
  try {
    const outer = readSuperBox(store)
    const manifest = outer && superBoxesIn(outer).at(-1)
    return manifest ? checkManifest(file, manifest) : nothingKnown('it is no manifest that can be read')
  } catch {
    // What cannot be decoded is no manifest.
    return nothingKnown('its manifest is damaged')
  }
}

const nothingKnown = (problem: string): Credentials => ({
  state: 'changed',
  problem,
  signer: null,
  isMadeByAi: false,
  madeBy: null,
  madeAt: null,
  ingredients: 0,
})

function checkManifest(file: FilmBytes, manifest: SuperBox): Credentials {
  const parts = superBoxesIn(manifest)
  const [claim, signature] = ['c2pa.claim', 'c2pa.signature'].map((name) =>
    contentOf(parts.find(({ label }) => label.startsWith(name))),
  )
  const assertions = superBoxesIn(parts.find(({ label }) => label === 'c2pa.assertions') ?? manifest)
  if (!claim || !signature) return nothingKnown('it has no claim or no signature')
  const signed = verifyClaim(signature, claim)
  const fields = mapOf(decode(claim))
  const problem =
    (signed?.isRight === false && 'its signature is not that of its claim') ||
    problemOfAssertions(fields, assertions) ||
    problemOfBinding(file, assertions)
  const isUnknown = signed === null || problem === NOT_CHECKED
  return {
    state: isUnknown ? 'unknown' : problem ? 'changed' : 'valid',
    problem: signed === null ? 'it is signed in a way that is not known here' : problem || null,
    signer: signed && {
      name: nameOf(signed.certificate),
      issuer: nameOf({ subject: signed.certificate.issuer }),
      validTo: new Date(signed.certificate.validTo),
    },
    ...saidBy(assertions),
  }
}

/** The claim has the hash of each assertion. */
function problemOfAssertions(claim: Fields, assertions: SuperBox[]): string | null {
  const references = ['created_assertions', 'gathered_assertions', 'assertions'].flatMap((name) =>
    listOf(claim.get(name)),
  )
  for (const reference of references.map(mapOf)) {
    const label = String(reference.get('url')).split('/').at(-1)
    const found = assertions.find((each) => each.label === label)
    const algorithm = String(reference.get('alg') ?? claim.get('alg') ?? 'sha256')
    if (!found || !isHashOf(reference.get('hash'), hashedPart(found.bytes), algorithm)) {
      return `its assertion ${label} is missing or was changed`
    }
  }
  return null
}

const NOT_CHECKED = 'it is bound to the file in a way that is not checked here'
const OTHER_BYTES = 'the file is not as it was when it was signed'

/** @returns null: the file is as it was */
function problemOfBinding(file: FilmBytes, assertions: SuperBox[]): string | null {
  const found = assertions.find(({ label }) => /^c2pa\.hash\.(data|bmff\.v[23])$/.test(label))
  const binding = mapOf(found && decode(contentOf(found) ?? new Uint8Array()))
  const expected = binding.get('hash')
  const exclusions = listOf(binding.get('exclusions')).map(mapOf)
  if (!(expected instanceof Uint8Array) || String(binding.get('alg') ?? 'sha256') !== 'sha256') return NOT_CHECKED
  if (found?.label === 'c2pa.hash.data') {
    const ranges = exclusions.map((each) => ({ start: Number(each.get('start')), length: Number(each.get('length')) }))
    return Buffer.from(hashAll(file, ranges)).equals(expected) ? null : OTHER_BYTES
  }
  // Others leave parts of boxes out, or boxes in boxes.
  const names = exclusions.map((each) => /^\/(\w{4})$/.exec(String(each.get('xpath')))?.[1])
  const areWhole = exclusions.every((each, i) => names[i] !== undefined && !each.get('subset') && !each.get('length'))
  if (!areWhole || binding.get('merkle')) return NOT_CHECKED
  const actual = hashBoundFilm(file, names.filter((name) => name !== undefined && name !== 'uuid') as string[])
  return actual && Buffer.from(actual).equals(expected) ? null : OTHER_BYTES
}

/** What the actions and ingredients of the manifest say. */
function saidBy(assertions: SuperBox[]) {
  const contents = (name: RegExp) =>
    assertions.filter(({ label }) => name.test(label)).map((each) => mapOf(decode(contentOf(each) ?? new Uint8Array())))
  const actions = contents(/^c2pa\.actions/).flatMap((each) => listOf(each.get('actions')).map(mapOf))
  const made = actions.find((each) => /trainedAlgorithmicMedia/i.test(String(each.get('digitalSourceType'))))
  const agent = made?.get('softwareAgent')
  const name = agent instanceof Map ? agent.get('name') : agent
  return {
    isMadeByAi: made !== undefined,
    madeBy: typeof name === 'string' ? name : null,
    madeAt: typeof made?.get('when') === 'string' ? String(made.get('when')) : null,
    ingredients: contents(/^c2pa\.ingredient/).length,
  }
}

type Fields = Map<string | number, CBORType>
const mapOf = (value: CBORType): Fields => (value instanceof Map ? value : new Map())
const listOf = (value: CBORType): CBORType[] => (Array.isArray(value) ? value : [])
const contentOf = (box: SuperBox | undefined): Buffer | undefined =>
  box?.content.find(({ type }) => type === 'cbor')?.bytes.subarray(8)

const isHashOf = (expected: CBORType, bytes: Uint8Array, algorithm: string): boolean =>
  ['sha256', 'sha384', 'sha512'].includes(algorithm) &&
  expected instanceof Uint8Array &&
  hash(algorithm, bytes, 'buffer').equals(expected)

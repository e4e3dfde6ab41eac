/**
 * The manifest store of a film or poster (C2PA 2.2): one manifest of our own, behind those of its ingredients. A pure
 * function of its facts: the same facts have the same bytes up to the signature.
 *
 * Invariant: nothing in it is about a person. It has the model's public name, an opaque id, and hashes.
 */
import { hash } from 'node:crypto'
import { type CBORType, encodeCBOR } from '@levischuck/tiny-cbor'
import { box, hashedPart, readSuperBox, type SuperBox, superBox, superBoxesIn } from './jumbf.ts'

const SOURCE_TYPE = 'http://cv.iptc.org/newscodes/digitalsourcetype/'

/** How the bytes of the file are bound to the manifest; `hash` is SHA-256. */
export type Binding =
  /** An MP4 or QuickTime film with the manifest in a box of its own. */
  | { kind: 'boxes'; hash: Uint8Array }
  /** Any file; `excluded`: the part that has the manifest, null when that is a file of its own. */
  | { kind: 'bytes'; hash: Uint8Array; excluded: { start: number; length: number } | null }

export type Ingredient = {
  /** `parent`: the file goes on from it; `input`: what the model was given. */
  relationship: 'parent' | 'input'
  /** Null: it is not known. */
  contentType: string | null
  /** The manifest store that it came with; null: it has none that can be read. */
  manifests: Uint8Array | null
}

export type ManifestFacts = {
  /** The UUID of this manifest. */
  id: string
  /** An opaque id of the film: the same for its poster. */
  instanceId: string
  /** The model's public name. */
  model: string
  madeAt: Date
  /** Whether people gave pictures, films or sounds beside the text. */
  isComposite: boolean
  generator: { name: string; version: string }
  binding: Binding
  ingredients: readonly Ingredient[]
}

/** A manifest store with room for the signature, and what is to be signed. */
export type UnsignedManifest = { claim: Uint8Array; withSignature: (signature: Uint8Array) => Buffer }

type Assertion = { label: string; content: Map<string, CBORType> }

export function buildManifest(facts: ManifestFacts): UnsignedManifest {
  const label = labelOf(facts.id)
  const carried = new Map<string, SuperBox>()
  const ingredients = facts.ingredients.map((ingredient, index) => ingredientAssertion(ingredient, index, carried))
  const ingredientBoxes = ingredients.map(assertionBox)
  const references = ingredients.map((assertion, index) => referenceTo(assertion.label, ingredientBoxes[index]))
  const assertions = [
    ...ingredientBoxes,
    assertionBox({ label: 'c2pa.actions.v2', content: actions(facts, references) }),
    assertionBox(bindingAssertion(facts.binding)),
  ]
  const claim = encodeCBOR(
    map({
      instanceID: facts.instanceId,
      claim_generator_info: map(facts.generator),
      signature: `self#jumbf=/c2pa/${label}/c2pa.signature`,
      created_assertions: assertions.map((bytes) => referenceTo(nameOf(bytes), bytes)),
      alg: 'sha256',
    }),
  )
  const claimBox = superBox('c2cl', 'c2pa.claim.v2', box('cbor', claim))
  const assertionStore = superBox('c2as', 'c2pa.assertions', ...assertions)
  const others = [...carried.values()].map(({ bytes }) => bytes)
  return {
    claim,
    withSignature: (signature) => {
      const signatureBox = superBox('c2cs', 'c2pa.signature', box('cbor', signature))
      return superBox('c2pa', 'c2pa', ...others, superBox('c2ma', label, assertionStore, claimBox, signatureBox))
    },
  }
}

/** c2pa.created without a parent; c2pa.opened and c2pa.edited with one, as the standard asks. */
function actions(facts: ManifestFacts, references: CBORType[]): Map<string, CBORType> {
  const sourceType = facts.isComposite ? 'compositeWithTrainedAlgorithmicMedia' : 'trainedAlgorithmicMedia'
  const made = {
    when: facts.madeAt.toISOString(),
    softwareAgent: map({ name: facts.model }),
    digitalSourceType: `${SOURCE_TYPE}${sourceType}`,
  }
  const of = (relationship: Ingredient['relationship']) =>
    references.filter((_, index) => facts.ingredients[index]?.relationship === relationship)
  const parents = of('parent')
  const inputs = of('input')
  const parameters = inputs.length > 0 ? { parameters: map({ ingredients: inputs }) } : {}
  const list =
    parents.length === 0
      ? [map({ action: 'c2pa.created', ...made, ...parameters })]
      : [
          map({ action: 'c2pa.opened', when: made.when, parameters: map({ ingredients: parents }) }),
          map({ action: 'c2pa.edited', ...made, ...parameters }),
        ]
  return map({ actions: list, allActionsIncluded: true })
}

function bindingAssertion(binding: Binding): Assertion {
  if (binding.kind === 'bytes') {
    const { excluded } = binding
    const exclusions = excluded ? { exclusions: [map(excluded)] } : {}
    return {
      label: 'c2pa.hash.data',
      content: map({ ...exclusions, alg: 'sha256', hash: binding.hash, pad: new Uint8Array() }),
    }
  }
  const exclusions = [
    map({ xpath: '/uuid', data: [map({ offset: 8, value: C2PA_BOX })] }),
    map({ xpath: '/ftyp' }),
    map({ xpath: '/mfra' }),
  ]
  return { label: 'c2pa.hash.bmff.v3', content: map({ exclusions, alg: 'sha256', hash: binding.hash, name: 'boxes' }) }
}

/** The type of the box in which an MP4 or QuickTime film has its manifests. */
export const C2PA_BOX = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex')

function ingredientAssertion(ingredient: Ingredient, index: number, carried: Map<string, SuperBox>): Assertion {
  const store = ingredient.manifests && readSuperBox(ingredient.manifests)
  const manifests = store ? superBoxesIn(store) : []
  for (const each of manifests) carried.set(each.label, each)
  const active = manifests.at(-1)
  const signature = active && superBoxesIn(active).find(({ label }) => label === 'c2pa.signature')
  const url = (label: string) => `self#jumbf=/c2pa/${active?.label}${label}`
  const provenance =
    active && signature
      ? {
          activeManifest: map({ url: url(''), alg: 'sha256', hash: sha256(hashedPart(active.bytes)) }),
          claimSignature: map({
            url: url('/c2pa.signature'),
            alg: 'sha256',
            hash: sha256(hashedPart(signature.bytes)),
          }),
          validationResults: map({ activeManifest: map({ success: [], informational: [], failure: [] }) }),
        }
      : {}
  return {
    label: index === 0 ? 'c2pa.ingredient.v3' : `c2pa.ingredient.v3__${index}`,
    content: map({
      ...(ingredient.contentType === null ? {} : { 'dc:format': ingredient.contentType }),
      relationship: ingredient.relationship === 'parent' ? 'parentOf' : 'inputTo',
      ...provenance,
    }),
  }
}

/** The label of the manifest with this id. */
export const labelOf = (id: string): string => `urn:c2pa:${id}`

/** The label of the newest manifest of a store; null: there is none. */
export function activeLabel(store: Uint8Array): string | null {
  const found = readSuperBox(store)
  return (found && superBoxesIn(found).at(-1)?.label) ?? null
}

const assertionBox = ({ label, content }: Assertion): Buffer =>
  superBox('cbor', label, box('cbor', encodeCBOR(content)))
const nameOf = (bytes: Buffer): string => readSuperBox(bytes)?.label ?? ''
const referenceTo = (label: string, bytes: Uint8Array = new Uint8Array()): Map<string, CBORType> =>
  map({ url: `self#jumbf=c2pa.assertions/${label}`, hash: sha256(hashedPart(bytes)) })

const sha256 = (bytes: Uint8Array): Uint8Array => hash('sha256', bytes, 'buffer')
const map = (fields: Record<string, CBORType>): Map<string, CBORType> => new Map(Object.entries(fields))

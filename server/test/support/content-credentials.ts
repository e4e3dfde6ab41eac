/** Judges content credentials by c2pa-rs, the reference, as WebAssembly, reading a Blob by slices. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Signer, signClaim } from '../../src/provenance/signature.ts'

/** The bytes of a file as a Blob, of which c2pa-rs takes slices and reads them by `FileReaderSync`. */
const fileBlob = (content: Uint8Array): Blob =>
  Object.defineProperties(new Blob([]), {
    content: { value: content },
    size: { value: content.length },
    slice: { value: (start = 0, end = content.length) => fileBlob(content.subarray(start, end)) },
  })

function FileReaderSync() {
  return { readAsArrayBuffer: (blob: { content: Uint8Array }) => Uint8Array.from(blob.content).buffer }
}

export type Judgement = {
  /** `Trusted`: valid, by a certificate of the anchors; `Valid`; `Invalid`. */
  state: string
  failures: string[]
  /** The action of the active manifest's actions, and the ids of its ingredients' manifests. */
  actions: string[]
  sourceTypes: (string | undefined)[]
  softwareAgents: (string | undefined)[]
  ingredients: { relationship: string; manifest: string | undefined }[]
  /** The labels of the store's manifests. */
  manifests: string[]
  active: string
  text: string
}

type Report = {
  validation_state: string
  validation_results: { activeManifest: { failure: { code: string }[] } }
  active_manifest: string
  manifests: Record<
    string,
    {
      ingredients?: { relationship: string; active_manifest?: string }[]
      assertions: {
        label: string
        data: { actions?: { action: string; digitalSourceType?: string; softwareAgent?: { name: string } }[] }
      }[]
    }
  >
}

let opened: Promise<typeof import('@contentauth/c2pa-wasm')> | null = null

async function openJudge() {
  Object.assign(globalThis, { FileReaderSync })
  const judge = await import('@contentauth/c2pa-wasm')
  judge.initSync({ module: readFileSync(createRequire(import.meta.url).resolve('@contentauth/c2pa-wasm/c2pa.wasm')) })
  return judge
}

/** @param anchors PEM of the roots that count. @returns null: the file has no content credentials */
export async function judge(bytes: Uint8Array, contentType: string, anchors: string): Promise<Judgement | null> {
  opened ??= openJudge()
  const { WasmReader } = await opened
  const context = JSON.stringify({ trust: { trust_anchors: anchors }, verify: { verify_trust: true } })
  let report: Report
  let text: string
  try {
    const reader = await WasmReader.fromBlob(contentType, fileBlob(bytes), context)
    text = reader.json()
    report = JSON.parse(text) as Report
  } catch (error) {
    if (/no (JUMBF|manifest|claim)|not ?found/i.test(String(error))) return null
    throw error
  }
  const active = report.manifests[report.active_manifest] ?? assert.fail('there is an active manifest')
  const actions = active.assertions.flatMap(({ data }) => data.actions ?? [])
  return {
    state: report.validation_state,
    failures: report.validation_results.activeManifest.failure.map(({ code }) => code),
    actions: actions.map(({ action }) => action),
    sourceTypes: actions.map(({ digitalSourceType }) => digitalSourceType?.split('/').at(-1)),
    softwareAgents: actions.map(({ softwareAgent }) => softwareAgent?.name),
    ingredients: (active.ingredients ?? []).map(({ relationship, active_manifest }) => ({
      relationship,
      manifest: active_manifest,
    })),
    manifests: Object.keys(report.manifests),
    active: report.active_manifest,
    text,
  }
}

/** Signs a film by c2pa-rs, as a vendor does that signs its own. */
export async function signByVendor(signer: Signer, film: Uint8Array): Promise<Buffer> {
  opened ??= openJudge()
  const { WasmBuilder } = await opened
  const action = {
    action: 'c2pa.created',
    digitalSourceType: 'http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia',
  }
  const manifest = {
    claim_generator_info: [{ name: 'Vendor', version: '1' }],
    assertions: [{ label: 'c2pa.actions.v2', data: { actions: [action] } }],
  }
  const sizeBytes = 10_000
  const sign = (claim: Uint8Array) => signClaim(signer, claim, { sizeBytes, timeStamp: null })
  const builder = WasmBuilder.fromJson(JSON.stringify(manifest))
  return Buffer.from(
    await builder.sign(
      { alg: 'es256', reserveSize: sizeBytes, sign: async (claim) => Uint8Array.from(await sign(claim)) },
      [],
      'video/mp4',
      fileBlob(film),
    ),
  )
}

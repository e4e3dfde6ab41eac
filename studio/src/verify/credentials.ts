/** What the content credentials (C2PA) of a file say, from the report of c2pa-rs. */

export type Credentials =
  /** `damaged`: the file, or its manifest, cannot be read; `unavailable`: no reader, or too little memory. */
  | { state: 'none' | 'damaged' | 'unavailable' }
  /** `changed`: the file is not the one that was signed; `invalid`: a part of the manifest is wrong. */
  | ({ state: 'valid' | 'changed' | 'invalid' } & Claims)

export type Claims = {
  /** Whether any of its manifests says that AI has made it, or a part of it. */
  isByAi: boolean
  /** The file and what it was made from, one parent after another, the newest first. */
  chain: { id: string; maker: string | null; signer: string | null; at: string | null }[]
  /** How many pictures or other files went into it, beside its parent. */
  inputs: number
}

/** What is known of a file so far. */
export type ReadFile = { bytesRead?: number; sha256?: string; credentials?: Credentials; isUnreadable?: true }

export type Report = {
  validation_state: string
  validation_results?: { activeManifest?: { failure: { code: string }[] } }
  active_manifest: string
  manifests: Record<string, Manifest>
}
type Manifest = {
  label: string
  claim_generator_info?: { name?: string }[]
  signature_info?: { issuer?: string; common_name?: string; time?: string }
  ingredients?: { relationship: string; active_manifest?: string }[]
  assertions: { label: string; data: { actions?: Action[] } }[]
}
type Action = { digitalSourceType?: string; softwareAgent?: string | { name?: string }; when?: string }

export function credentialsOf(report: Report): Credentials {
  const { validation_state: state, manifests, active_manifest: active } = report
  const failures = report.validation_results?.activeManifest?.failure ?? []
  const isOfOtherBytes = failures.some(({ code }) => /^assertion\.\w*Hash\.mismatch$/.test(code))
  const types = Object.values(manifests).flatMap((manifest) =>
    actionsOf(manifest).map((each) => each.digitalSourceType),
  )
  const chain = chainOf(manifests, active)
  return {
    state: state !== 'Invalid' ? 'valid' : isOfOtherBytes ? 'changed' : 'invalid',
    isByAi: types.some((type) => /trainedAlgorithmicMedia$/i.test(type ?? '')),
    chain: chain.map(linkOf),
    inputs: (chain[0]?.ingredients ?? []).filter(({ relationship }) => relationship !== 'parentOf').length,
  }
}

/** The manifest, its parent, the parent of that, and so on. */
function chainOf(manifests: Report['manifests'], label: string | undefined): Manifest[] {
  const { [label ?? '']: manifest, ...others } = manifests
  if (!manifest) return []
  const parent = manifest.ingredients?.find(({ relationship }) => relationship === 'parentOf')
  return [manifest, ...chainOf(others, parent?.active_manifest)]
}

function linkOf(manifest: Manifest): Claims['chain'][number] {
  const { claim_generator_info: [generator] = [], signature_info: signature } = manifest
  const actions = actionsOf(manifest)
  const agent = actions.map(({ softwareAgent: by }) => (typeof by === 'string' ? by : by?.name)).find(Boolean)
  return {
    id: manifest.label,
    maker: agent ?? generator?.name ?? null,
    signer: signature?.common_name ?? signature?.issuer ?? null,
    at: actions.map(({ when }) => when).find(Boolean) ?? signature?.time ?? null,
  }
}

const actionsOf = ({ assertions }: Manifest): Action[] => assertions.flatMap(({ data }) => data.actions ?? [])

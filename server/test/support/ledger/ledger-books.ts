/**
 * The books of the ledger's reference model, and the amounts that follow from them. Invariant: they store no sum; each amount of a package is
 * derived from the slices that holds took from it.
 */

/** `frozen`: the hold is open. `returned`: released into its package. `moved`: released into a grace package. */
export type SliceState = 'frozen' | 'used' | 'returned' | 'moved'
export type Slice = { of: Package; credits: number; state: SliceState }
export type Package = {
  id: string
  source: string
  type: string
  orderNo: string | null
  /** The origin of a grace package: the expired package that the released credits came from. */
  parent: Package | null
  initial: number
  expiresAtMs: number
  createdAtMs: number
  expired: number
  /** Taken for refund claims and by administrators; `taken` by administrators alone, `collected` for what other packages owed. */
  clawedBack: number
  taken: number
  collected: number
  /** What other packages paid of the refund claims on this one, and what an administrator forgave. */
  repaid: number
  forgiven: number
  slices: Slice[]
}
export type Hold = {
  id: string
  credits: number
  createdAtMs: number
  state: 'frozen' | 'settled' | 'released'
  slices: Slice[]
}
export type Claim = { source: string; key: string; part: number }
export type Correction = { request: string; result: { outcome: string } }
export type Row = {
  type: string
  credits: number
  balanceAfter: number
  package: Package | null
  videoId: string | null
  orderNo: string | null
  remark: string | null
  actorId: string | null
  atMs: number
}
export type Ledger = {
  isOpen: boolean
  hasGift: boolean
  packages: Package[]
  holds: Map<string, Hold>
  rows: Row[]
  keys: Map<string, { request: string; package: Package }>
  claims: Claim[]
  /** Outcomes by operation and idempotency key. */
  corrections: Map<string, Correction>
  /** Number of entries in the audit log. */
  audits: number
}

export const newLedger = (): Ledger => ({
  isOpen: false,
  hasGift: false,
  packages: [],
  holds: new Map(),
  rows: [],
  keys: new Map(),
  claims: [],
  corrections: new Map(),
  audits: 0,
})

export const remaining = (each: Package): number =>
  each.initial - each.expired - each.clawedBack - sum(each.slices.filter(({ state }) => state !== 'returned'))
export const frozen = (each: Package): number => sum(each.slices.filter(({ state }) => state === 'frozen'))
export const used = (each: Package): number => sum(each.slices.filter(({ state }) => state === 'used'))
export const moved = (each: Package): number => sum(each.slices.filter(({ state }) => state === 'moved'))
/** What the refund claims on the package ask for. */
export const refundClaimed = (ledger: Ledger, { source, initial, parent }: Package): number => {
  if (parent) return 0
  const claims = ledger.claims.filter((each) => each.source === source)
  return Math.min(initial, Math.round(initial * sumOf(claims, ({ part }) => part)))
}
export const rootOf = (each: Package): Package => (each.parent ? rootOf(each.parent) : each)
export const familyOf = (ledger: Ledger, root: Package): Package[] =>
  ledger.packages.filter((each) => rootOf(each) === root)
/** What the claims on a package ask for and have not got; negative: what they got too much. */
export const shortfall = (ledger: Ledger, root: Package): number => {
  const missing = refundClaimed(ledger, root) - root.repaid - sumOf(familyOf(ledger, root), takenForClaims)
  return missing > 0 ? Math.max(0, missing - root.forgiven) : missing
}
export const takenForClaims = (each: Package): number => each.clawedBack - each.taken - each.collected
/** What the user has had of a package although it was claimed, and neither paid nor was forgiven. */
export const owedFor = (ledger: Ledger, root: Package): number => {
  const family = familyOf(ledger, root)
  const had = sumOf(family, (each) => used(each) + frozen(each) + each.collected)
  const owed = Math.min(refundClaimed(ledger, root) - sumOf(family, takenForClaims), had) - root.repaid - root.forgiven
  return root.parent ? 0 : Math.max(0, owed)
}
export const owed = (ledger: Ledger): number => sumOf(ledger.packages, (each) => owedFor(ledger, each))
/** Invariant: a user's history rows add up to `available`. */
export const available = (ledger: Ledger): number => sum(ledger.rows)
export const openHolds = (ledger: Ledger): Hold[] =>
  [...ledger.holds.values()].filter((hold) => hold.state === 'frozen')

export function inFifoOrder(packages: Package[]): Package[] {
  return [...packages].sort(
    (a, b) => a.expiresAtMs - b.expiresAtMs || a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1),
  )
}

export const sumOf = <T>(list: readonly T[], amount: (each: T) => number): number =>
  list.reduce((total, each) => total + amount(each), 0)
export const sum = (parts: readonly { credits: number }[]): number =>
  parts.reduce((total, { credits }) => total + credits, 0)

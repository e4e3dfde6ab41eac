/**
 * The books of the ledger's reference model (ledger-model.ts): their types, the calls that change them, and their sums. Invariant: no
 * sum is stored; each amount of a package is derived from the slices that holds took from it.
 */

/** `frozen`: the hold is open. `returned`: released into its package. `moved`: released into a grace package. */
export type SliceState = 'frozen' | 'used' | 'returned' | 'moved'
export type Slice = { of: Package; credits: number; state: SliceState }
export type Package = {
  id: string
  source: string
  type: string
  orderNo: string | null
  /** For a grace package: the expired package that the released credits came from. */
  parent: Package | null
  initial: number
  expiresAtMs: number
  createdAtMs: number
  expired: number
  /** Taken for refund claims and by administrators; `taken` by administrators alone. */
  clawedBack: number
  taken: number
  slices: Slice[]
}
export type Hold = {
  id: string
  credits: number
  createdAtMs: number
  state: 'frozen' | 'settled' | 'released'
  slices: Slice[]
}
export type Claim = { source: string; key: string; part: number; isReversed: boolean }
type Correction = { request: string; result: { outcome: string } }
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
  /** By operation and idempotency key. */
  corrections: Map<string, Correction>
  /** Number of entries in the audit log. */
  audits: number
}

export type Call =
  | { kind: 'lock'; atMs: number }
  | { kind: 'balance'; atMs: number }
  | { kind: 'gift'; atMs: number; packageId: string; credits: number; expiresAtMs: number }
  | ({ kind: 'grant'; atMs: number } & Grant)
  | ({ kind: 'adjust'; atMs: number; key: string | null; request: string } & Omit<Grant, 'source' | 'type' | 'orderNo'>)
  | { kind: 'freeze'; atMs: number; holdId: string; credits: number; remark: string; maxOpen: number }
  | { kind: 'settle'; atMs: number; holdId: string }
  | { kind: 'release'; atMs: number; holdId: string; graceMs: number; remark: string }
  | { kind: 'claim'; atMs: number; source: string; key: string; part: number }
  | { kind: 'reverseClaim'; atMs: number; source: string; key: string }
  | ({ kind: 'take'; atMs: number; credits: number } & CorrectionCall)
  | ({ kind: 'reverseExpiry'; atMs: number; packageId: string; expiresAtMs: number | null } & CorrectionCall)

export type CorrectionCall = { key: string | null; request: string; reason: string; actorId: string; isDryRun: boolean }

export type Grant = {
  packageId: string
  source: string
  type: string
  credits: number
  expiresAtMs: number
  orderNo: string | null
  remark: string | null
  actorId: string | null
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
  const claims = ledger.claims.filter((each) => each.source === source && !each.isReversed)
  return Math.min(initial, Math.round(initial * sumOf(claims, ({ part }) => part)))
}
export const rootOf = (each: Package): Package => (each.parent ? rootOf(each.parent) : each)
export const familyOf = (ledger: Ledger, root: Package): Package[] =>
  ledger.packages.filter((each) => rootOf(each) === root)
export const shortfall = (ledger: Ledger, root: Package): number =>
  refundClaimed(ledger, root) - sumOf(familyOf(ledger, root), (each) => each.clawedBack - each.taken)
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

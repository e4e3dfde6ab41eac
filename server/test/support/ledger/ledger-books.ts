/**
 * The books of the ledger's reference model, and the amounts that follow from them. Invariant: they store no sum; each
 * amount of a package is derived from the slices that holds took from it, and the packages of teams into which its
 * credits were moved.
 */

import type { Budget } from '../../../src/account/key/api-key.ts'
import type { Role } from '../../../src/account/team/role.ts'

/** `frozen`: the hold is open. `returned`: released into its package. `moved`: released into a grace package. */
export type SliceState = 'frozen' | 'used' | 'returned' | 'moved'
export type Slice = { of: Package; credits: number; state: SliceState }
export type Package = {
  ledger: Ledger
  id: string
  source: string
  type: string
  orderNo: string | null
  /** The origin of a grace package: the expired package that the released credits came from. */
  parent: Package | null
  /** Of a team's package whose credits a member has moved: the member's package, which has it in `given`. */
  from: Package | null
  given: Package[]
  initial: number
  expiresAtMs: number
  createdAtMs: number
  expired: number
  /** Taken for refund claims and by administrators; `taken`: by these alone; `collected`: for other packages. */
  clawedBack: number
  taken: number
  collected: number
  /** What other packages paid of the refund claims on this one, and what an administrator forgave. */
  repaid: number
  forgiven: number
  /** Of a package of a team that was deleted: what it owed, and its payer owes since. */
  passedOn: number
  slices: Slice[]
}
/** `keyId`: the member of a team, or the API key, whose budget the hold takes. */
export type Hold = {
  id: string
  keyId: string | null
  credits: number
  createdAtMs: number
  state: 'frozen' | 'settled' | 'released'
  /** Of a settled hold: what was released in the same step. */
  rest: number
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
  ownerId: string
  isOpen: boolean
  isDeleted: boolean
  hasGift: boolean
  packages: Package[]
  holds: Map<string, Hold>
  rows: Row[]
  /** So many of the rows were compared with the database's. They are immutable. */
  rowsSeen: number
  keys: Map<string, { request: string; package: Package }>
  claims: Claim[]
  /** Outcomes by operation and idempotency key. */
  corrections: Map<string, Correction>
  /** Number of entries in the audit log. */
  audits: number
  /** Of a user: those into which credits may be moved. */
  teams: Map<string, Ledger>
  /** By idempotency key, and by the id of the transfer: the packages that the credits left. */
  transferKeys: Map<string, { request: string; id: string }>
  transfers: Map<string, [id: string, credits: number, expiresAtMs: number][]>
  /** Of a team: who may be a member. A user has none. */
  people: string[]
  members: Map<string, Role>
  /** By the id of the member. A former member keeps it, and has it again after a return. */
  budgets: Map<string, Budget>
}

/** @param members of a team */
export const newLedger = (ownerId: string, members = new Map<string, Role>()): Ledger => ({
  ownerId,
  isOpen: false,
  isDeleted: false,
  hasGift: false,
  packages: [],
  holds: new Map(),
  rows: [],
  rowsSeen: 0,
  keys: new Map(),
  claims: [],
  corrections: new Map(),
  audits: 0,
  teams: new Map(),
  transferKeys: new Map(),
  transfers: new Map(),
  people: [...members.keys()],
  members,
  budgets: new Map(),
})

export const remaining = (each: Package): number =>
  each.initial -
  each.expired -
  each.clawedBack -
  transferred(each) -
  sum(each.slices.filter(({ state }) => state !== 'returned'))
export const transferred = (each: Package): number => sumOf(each.given, ({ initial }) => initial)
export const frozen = (each: Package): number => sum(each.slices.filter(({ state }) => state === 'frozen'))
export const used = (each: Package): number => sum(each.slices.filter(({ state }) => state === 'used'))
export const moved = (each: Package): number => sum(each.slices.filter(({ state }) => state === 'moved'))
/**
 * What the refund claims on the package ask for, or on the payment of a package that a team has of a member: each its
 * share, along one line of credits, the member's at its end.
 */
export const refundClaimed = (of: Package): number => {
  if (of.parent) return 0
  const paid = rootOf(of.from ?? of)
  const claims = paid.ledger.claims.filter(({ source }) => source === paid.source)
  const part = Math.min(
    1,
    sumOf(claims, (claim) => claim.part),
  )
  let until = 0
  for (const each of givenOf(paid)) {
    const before = Math.round(until * part)
    until += each.initial
    if (each === of) return Math.round(until * part) - before - of.passedOn
  }
  return Math.round(paid.initial * part) - Math.round(until * part) + assumed(paid)
}
/** What deleted teams owed of a payment, and its payer owes since. */
export const assumed = (paid: Package): number => (paid.parent ? 0 : sumOf(givenOf(paid), ({ passedOn }) => passedOn))
/** The packages of teams that have credits of a payment, also by its grace packages. */
export const givenOf = (paid: Package): Package[] =>
  familyOf(paid)
    .flatMap(({ given }) => given)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
export const rootOf = (each: Package): Package => (each.parent ? rootOf(each.parent) : each)
export const familyOf = (root: Package): Package[] => root.ledger.packages.filter((each) => rootOf(each) === root)
/** What the claims on a package ask for and have not got; negative: what they got too much. */
export const shortfall = (root: Package): number => {
  const missing = refundClaimed(root) - root.repaid - sumOf(familyOf(root), takenForClaims)
  return missing > 0 ? Math.max(0, missing - root.forgiven) : missing
}
export const takenForClaims = (each: Package): number => each.clawedBack - each.taken - each.collected
/** What the user has had of a package although it was claimed, and neither paid nor was forgiven. */
export const owedFor = (root: Package): number => {
  const family = familyOf(root)
  const had = sumOf(family, (each) => used(each) + frozen(each) + each.collected) + assumed(root) - root.passedOn
  const owed = Math.min(refundClaimed(root) - sumOf(family, takenForClaims), had) - root.repaid - root.forgiven
  return root.parent ? 0 : Math.max(0, owed)
}
export const owed = (ledger: Ledger): number => sumOf(ledger.packages, owedFor)
/** Invariant: a user's history rows add up to `available`. */
export const available = (ledger: Ledger): number => sum(ledger.rows)
export const openHolds = (ledger: Ledger): Hold[] =>
  [...ledger.holds.values()].filter((hold) => hold.state === 'frozen')

/** What a hold that was not released takes. */
export const usedOf = ({ credits, rest }: Hold): number => credits - rest

const DAY_MS = 86_400_000

/** Credits and number of the films that each member has, by UTC day. A day on which all were released stays. */
export function usageOf({ holds }: Ledger): [keyId: string, dayMs: number, credits: number, videos: number][] {
  const byDay = Map.groupBy(
    [...holds.values()].filter(({ keyId }) => keyId !== null),
    ({ keyId, createdAtMs }) => `${keyId} ${Math.floor(createdAtMs / DAY_MS) * DAY_MS}`,
  )
  return [...byDay].sort().map(([name, ofDay]) => {
    const [keyId = '', dayMs] = name.split(' ')
    const counting = ofDay.filter(({ state }) => state !== 'released')
    return [keyId, Number(dayMs), sumOf(counting, usedOf), counting.length]
  })
}

/** What is left of the budget of a member; without one, no limit. */
export function budgetLeft(ledger: Ledger, keyId: string | null, atMs: number): number {
  const budget = ledger.budgets.get(keyId ?? '')
  if (!budget) return Number.POSITIVE_INFINITY
  const [startMs, endMs] = periodOf(budget, new Date(atMs))
  const inPeriod = usageOf(ledger).filter(([id, dayMs]) => id === keyId && dayMs >= startMs && dayMs < endMs)
  return budget.credits - sumOf(inPeriod, ([, , credits]) => credits)
}

/** The UTC day, the week from Monday on, or the month in which a time is. */
function periodOf({ period }: Budget, at: Date): [startMs: number, endMs: number] {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  if (period === 'month') return [Date.UTC(year, month, 1), Date.UTC(year, month + 1, 1)]
  const first = period === 'day' ? day : day - ((at.getUTCDay() + 6) % 7)
  return [Date.UTC(year, month, first), Date.UTC(year, month, first + (period === 'day' ? 1 : 7))]
}

export function inFifoOrder(packages: Package[]): Package[] {
  return [...packages].sort(
    (a, b) => a.expiresAtMs - b.expiresAtMs || a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1),
  )
}

export const sumOf = <T>(list: readonly T[], amount: (each: T) => number): number =>
  list.reduce((total, each) => total + amount(each), 0)
export const sum = (parts: readonly { credits: number }[]): number =>
  parts.reduce((total, { credits }) => total + credits, 0)

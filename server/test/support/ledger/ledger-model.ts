/**
 * Reference model of the ledger in plain TypeScript, written from the rules and not from the SQL: what each call
 * changes in the books and returns. `ledger-commands.ts` compares model and database after every call.
 */
import type { Budget } from '../../../src/account/key/api-key.ts'
import type { Role } from '../../../src/account/team/role.ts'
import {
  available,
  budgetLeft,
  familyOf,
  type Hold,
  inFifoOrder,
  type Ledger,
  openHolds,
  owed,
  type Package,
  type Row,
  refundClaimed,
  remaining,
  rootOf,
  type Slice,
  shortfall,
  sum,
  sumOf,
  transferred,
  usedOf,
} from './ledger-books.ts'
import {
  addPackage,
  addRow,
  claimOf,
  claimRemark,
  clawBack,
  forgive,
  moveToGrace,
  payOwed,
  rowTime,
  writeOffExpired,
} from './ledger-movements.ts'

export type Call =
  | { kind: 'lock'; atMs: number }
  | { kind: 'balance'; atMs: number }
  | { kind: 'gift'; atMs: number; packageId: string; credits: number; expiresAtMs: number }
  | ({ kind: 'grant'; atMs: number; collects?: boolean } & Grant)
  | ({ kind: 'adjust'; atMs: number; key: string | null; request: string } & Omit<Grant, 'source' | 'type' | 'orderNo'>)
  | {
      kind: 'freeze'
      atMs: number
      holdId: string
      credits: number
      remark: string
      maxOpen: number
      keyId: string | null
    }
  | ({ kind: 'settle'; credits: number | null } & Closing)
  | ({ kind: 'release' } & Closing)
  | { kind: 'claim'; atMs: number; source: string; key: string; part: number }
  | { kind: 'reverseClaim'; atMs: number; source: string; key: string }
  | ({ kind: 'take'; atMs: number; credits: number } & CorrectionCall)
  | ({ kind: 'settleOwed'; atMs: number; credits: number; forgives: boolean } & CorrectionCall)
  | ({ kind: 'reverseExpiry'; atMs: number; packageId: string; expiresAtMs: number | null } & CorrectionCall)
  | ({ kind: 'transfer'; atMs: number } & Transfer)
  | { kind: 'join'; atMs: number; memberId: string; role: Role }
  | { kind: 'member'; atMs: number; memberId: string; role: Role | null; actorId: string }
  | { kind: 'delete'; atMs: number; isTeam: boolean; actorId: string; owed: number }
  | { kind: 'budget'; atMs: number; memberId: string; budget: Budget | null; actorId: string; actorRole: Role }

/** `credits` of a settle: those that are used, null for all; the rest is released. */
type Closing = { atMs: number; holdId: string; graceMs: number; remark: string }
/** Of a user, into one of `ledger.teams`. */
type Transfer = {
  teamId: string
  transferId: string
  credits: number
  key: string | null
  request: string
  collects: boolean
}
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

const SOON_MS = 7 * 86_400_000
const GRACE_MIN_MS = 10 * 60_000
export const LONGEST_DEADLINE_MS = 3.5 * 3_600_000
/** A time that the test database refuses: it is more than a thousand years ahead. */
export const AHEAD_MS = Date.UTC(3500, 0, 1)

/** Applies the call and returns what the SQL function must return. */
export function perform(ledger: Ledger, call: Call): unknown {
  if (call.atMs >= AHEAD_MS) return 'refused'
  switch (call.kind) {
    case 'lock':
      writeOffExpired(ledger, call.atMs)
      return { available: available(ledger) }
    case 'balance':
      return balance(ledger, call.atMs)
    case 'gift':
      return gift(ledger, call)
    case 'grant':
      return summary(grant(ledger, call))
    case 'adjust':
      return adjust(ledger, call)
    case 'freeze':
      return freeze(ledger, call)
    case 'settle':
      return settle(ledger, call)
    case 'release':
      return release(ledger, call)
    case 'claim':
      writeOffExpired(ledger, call.atMs)
      claimOf(ledger, call).part = call.part
      return clawBack(ledger, call.source, call.atMs)
    case 'reverseClaim':
      writeOffExpired(ledger, call.atMs)
      claimOf(ledger, call).part = 0
      return clawBack(ledger, call.source, call.atMs)
    case 'take':
      return take(ledger, call)
    case 'settleOwed':
      return settleOwed(ledger, call)
    case 'reverseExpiry':
      return reverseExpiry(ledger, call)
    case 'transfer':
      return transfer(ledger, call)
    case 'join':
      if (ledger.people.includes(call.memberId) && !ledger.members.has(call.memberId))
        ledger.members.set(call.memberId, call.role)
      return null
    case 'member':
      return changeMember(ledger, call)
    case 'delete':
      return deleteOwner(ledger, call)
    case 'budget':
      return setBudget(ledger, call)
  }
}

function balance(ledger: Ledger, atMs: number) {
  if (ledger.isOpen) writeOffExpired(ledger, atMs)
  const holds = [...ledger.holds.values()]
  const usable = ledger.packages.filter((each) => each.expiresAtMs > atMs)
  return {
    available: sum(usable.map((each) => ({ credits: remaining(each) }))),
    frozen: sum(holds.filter((hold) => hold.state === 'frozen')),
    used: sumOf(
      holds.filter((hold) => hold.state === 'settled'),
      usedOf,
    ),
    total: sumOf(ledger.packages, (each) => (each.parent ? 0 : each.initial) - transferred(each)),
    expired: sumOf(ledger.packages, (each) => each.expired),
    clawedBack: sumOf(ledger.packages, (each) => each.clawedBack),
    owed: owed(ledger),
    expiringSoon: sum(
      usable.filter((each) => each.expiresAtMs <= atMs + SOON_MS).map((each) => ({ credits: remaining(each) })),
    ),
  }
}

function gift(ledger: Ledger, call: Extract<Call, { kind: 'gift' }>): 'granted' | 'none' | 'replayed' {
  if (ledger.hasGift) return 'replayed'
  ledger.hasGift = true
  writeOffExpired(ledger, call.atMs)
  if (call.credits === 0) return 'none'
  const facts = { source: 'new-user', type: 'NEW_USER', orderNo: null, remark: 'Welcome gift', actorId: null }
  grant(ledger, { ...call, ...facts })
  return 'granted'
}

function grant(ledger: Ledger, { atMs, collects, ...given }: Grant & { atMs: number; collects?: boolean }): Package {
  writeOffExpired(ledger, atMs)
  const existing = ledger.packages.find((each) => each.source === given.source)
  if (existing) return existing
  const { packageId: id, source, type, credits, expiresAtMs, orderNo, remark, actorId } = given
  const created = addPackage(ledger, { id, source, type, orderNo, initial: credits, expiresAtMs, createdAtMs: atMs })
  addRow(ledger, { type, credits, package: created, orderNo, remark, actorId, atMs })
  if (ledger.claims.some((claim) => claim.source === source)) {
    writeOffExpired(ledger, atMs)
    clawBack(ledger, source, atMs)
  }
  if (collects) payOwed(ledger, [created], { credits, remark: 'Paid what was owed', actorId: null, atMs })
  return created
}

function adjust(ledger: Ledger, call: Extract<Call, { kind: 'adjust' }>) {
  const earlier = call.key === null ? undefined : ledger.keys.get(call.key)
  if (earlier) {
    return { outcome: earlier.request === call.request ? 'replayed' : 'key_reused', ...summary(earlier.package) }
  }
  const source = `adjust:${call.packageId}`
  const before = ledger.packages.length
  const created = grant(ledger, { ...call, source, type: 'SYSTEM_ADJUST', orderNo: null })
  if (call.key !== null) ledger.keys.set(call.key, { request: call.request, package: created })
  if (ledger.packages.length > before) ledger.audits += 1
  return { outcome: 'granted', ...summary(created) }
}

function freeze(ledger: Ledger, call: Extract<Call, { kind: 'freeze' }>) {
  const { atMs, holdId, keyId, credits, remark, maxOpen } = call
  writeOffExpired(ledger, atMs)
  if (ledger.holds.has(holdId)) return { outcome: 'frozen', available: available(ledger) }
  if (maxOpen > 0 && openHolds(ledger).length >= maxOpen) return { outcome: 'too_many', available: available(ledger) }
  if (budgetLeft(ledger, keyId, rowTime(ledger, atMs)) < credits)
    return { outcome: 'over_budget', available: available(ledger) }
  if (available(ledger) < credits) return { outcome: 'insufficient', available: available(ledger) }
  const hold: Hold = {
    id: holdId,
    keyId,
    credits,
    createdAtMs: rowTime(ledger, atMs),
    state: 'frozen',
    rest: 0,
    slices: [],
  }
  let missing = credits
  for (const each of inFifoOrder(ledger.packages)) {
    const taken = Math.min(remaining(each), missing)
    if (taken === 0) continue
    const slice: Slice = { of: each, credits: taken, state: 'frozen' }
    each.slices.push(slice)
    hold.slices.push(slice)
    missing -= taken
  }
  ledger.holds.set(holdId, hold)
  addRow(ledger, { type: 'VIDEO_CONSUME', credits: -credits, videoId: holdId, remark, atMs })
  return { outcome: 'frozen', available: available(ledger) }
}

/** Moves credits of a user into a team, first to expire first; none of the gift or of a returned payment. */
function transfer(ledger: Ledger, call: Extract<Call, { kind: 'transfer' }>) {
  const { atMs, teamId, credits, key, request, collects } = call
  writeOffExpired(ledger, atMs)
  const known = key === null ? undefined : ledger.transferKeys.get(key)
  const transferId = known?.id ?? call.transferId
  const refused = { transferId, credits: null, packages: null }
  if (known && known.request !== request) return { ...refused, outcome: 'key_reused' }
  const earlier = ledger.transfers.get(transferId)
  if (earlier) return { ...refused, outcome: 'replayed', packages: earlier }
  const team = ledger.teams.get(teamId)
  const debt = owed(ledger)
  if (!team?.members.has(ledger.ownerId)) return { ...refused, outcome: 'not_found', credits: debt }
  if (debt > 0) return { ...refused, outcome: 'owed', credits: debt }
  const movable = inFifoOrder(ledger.packages.filter(isMovable))
  const most = sumOf(movable, remaining)
  if (most < credits) return { ...refused, outcome: 'insufficient', credits: most }

  writeOffExpired(team, atMs)
  const packages: [string, number, number][] = []
  const came: Package[] = []
  let missing = credits
  for (const from of movable) {
    const initial = Math.min(remaining(from), missing)
    if (initial === 0) continue
    missing -= initial
    packages.push([from.id, initial, from.expiresAtMs])
    const facts = { id: '', source: `transfer:${transferId}:${from.id}`, type: rootOf(from).type, orderNo: null, from }
    came.push(addPackage(team, { ...facts, initial, expiresAtMs: from.expiresAtMs, createdAtMs: atMs }))
  }
  addRow(ledger, { type: 'SYSTEM_ADJUST', credits: -credits, remark: 'Moved into a team', atMs })
  addRow(team, { type: 'SYSTEM_ADJUST', credits, remark: 'Moved into the team by a member', atMs })
  for (const each of collects ? came : [])
    payOwed(team, [each], { credits, remark: 'Paid what was owed', actorId: null, atMs })
  if (key !== null) ledger.transferKeys.set(key, { request, id: transferId })
  ledger.transfers.set(transferId, packages)
  return { outcome: 'moved', transferId, credits: most, packages }
}

export function isMovable(each: Package): boolean {
  const { ledger, type, source } = rootOf(each)
  return type !== 'NEW_USER' && !ledger.claims.some((claim) => claim.source === source && claim.part > 0)
}

/** Another role, or none (`role` null). What the member has spent and may spend stays. */
function changeMember({ members }: Ledger, { memberId, role, actorId }: Extract<Call, { kind: 'member' }>): string {
  const [actor, member] = [members.get(actorId), members.get(memberId)]
  if (!actor || !member) return 'NOT_FOUND'
  const isLeaving = role === null && actorId === memberId
  if (!isLeaving && !mayManage(actor, member)) return 'FORBIDDEN'
  if (role !== null && !mayManage(actor, role)) return 'FORBIDDEN'
  if (role !== 'owner' && isLastOwner(members, memberId)) return 'CONFLICT'
  if (role === null) members.delete(memberId)
  else members.set(memberId, role)
  return 'changed'
}

/** `actorRole`: in which the request was authenticated. */
function setBudget({ members, budgets }: Ledger, call: Extract<Call, { kind: 'budget' }>): string {
  const member = members.get(call.memberId)
  if (!member) return 'NOT_FOUND'
  if (member === 'owner' && call.actorRole !== 'owner') return 'FORBIDDEN'
  if (call.budget) budgets.set(call.memberId, call.budget)
  else budgets.delete(call.memberId)
  return 'changed'
}

/**
 * Of a team, the members go, and what it owes its payers owe; a user leaves all teams, or stays as the last owner of
 * one. The books stay. `known`: what the actor knows to be owed.
 */
function deleteOwner(ledger: Ledger, { atMs, owed: known }: Extract<Call, { kind: 'delete' }>): string {
  if (ledger.isDeleted) return 'not_found'
  ledger.isOpen = true
  if (owed(ledger) > known) return 'owed'
  const teams = [...ledger.teams.values()]
  if (teams.some(({ members }) => isLastOwner(members, ledger.ownerId))) return 'last_owner'
  for (const team of teams) {
    team.members.delete(ledger.ownerId)
    team.people = team.people.filter((id) => id !== ledger.ownerId)
  }
  ledger.people = []
  ledger.members.clear()
  ledger.isDeleted = true
  const payers = new Set(ledger.packages.flatMap(({ from }) => from?.ledger ?? []))
  const teamsOfPayers = [...payers].flatMap(({ packages }) =>
    packages.flatMap(({ given }) => given.map((each) => each.ledger)),
  )
  for (const each of new Set([...payers, ...teamsOfPayers])) writeOffExpired(each, atMs)
  const debts = ledger.packages
    .flatMap((each) => (each.from && refundClaimed(each) > 0 ? [rootOf(each.from)] : []))
    .sort((a, b) => (a.ledger.ownerId + a.source < b.ledger.ownerId + b.source ? -1 : 1))
  for (const paid of new Set(debts)) clawBack(paid.ledger, paid.source, atMs)
  writeOffExpired(ledger, atMs)
  ledger.audits += 1
  return 'deleted'
}

const isLastOwner = (members: Map<string, Role>, id: string): boolean =>
  members.get(id) === 'owner' && [...members.values()].filter((each) => each === 'owner').length === 1
const mayManage = (actor: Role, role: Role): boolean => actor === 'owner' || (actor === 'admin' && role !== 'owner')

function settle(ledger: Ledger, call: Extract<Call, { kind: 'settle' }>): string | null {
  writeOffExpired(ledger, call.atMs)
  const hold = ledger.holds.get(call.holdId)
  if (hold?.state !== 'frozen') return hold?.state ?? null
  hold.state = 'settled'
  let left = Math.min(call.credits ?? hold.credits, hold.credits)
  hold.rest = hold.credits - left
  const rest: Slice[] = []
  for (const slice of hold.slices) {
    const credits = Math.max(0, slice.credits - left)
    slice.state = 'used'
    slice.credits -= credits
    left -= slice.credits
    if (credits > 0) rest.push({ of: slice.of, credits, state: 'frozen' })
  }
  for (const slice of rest) slice.of.slices.push(slice)
  hold.slices.push(...rest)
  giveBack(ledger, hold, rest, call)
  return 'settled'
}

function release(ledger: Ledger, call: Extract<Call, { kind: 'release' }>): string | null {
  writeOffExpired(ledger, call.atMs)
  const hold = ledger.holds.get(call.holdId)
  if (hold?.state !== 'frozen') return hold?.state ?? null
  hold.state = 'released'
  giveBack(ledger, hold, hold.slices, call)
  return 'released'
}

/** Frozen slices of a hold come back. */
function giveBack(ledger: Ledger, hold: Hold, slices: Slice[], { atMs, holdId, graceMs, remark }: Closing): void {
  if (slices.length === 0) return
  const leaving: (Pick<Row, 'type' | 'credits' | 'package' | 'orderNo'> & { remark?: string })[] = []
  for (const slice of slices) {
    const from = slice.of
    const root = rootOf(from)
    const clawedBack = Math.min(slice.credits, Math.max(0, shortfall(root)))
    const rest = slice.credits - clawedBack
    slice.state = 'returned'
    from.clawedBack += clawedBack
    if (clawedBack > 0) {
      const { type, orderNo } = root
      leaving.push({ type, credits: -clawedBack, package: from, orderNo, remark: claimRemark(root) })
    }
    if (from.expiresAtMs > atMs || rest === 0) continue
    const leftMs = Math.max(from.expiresAtMs - hold.createdAtMs, from.parent ? 0 : GRACE_MIN_MS)
    const reversedUntilMs = familyOf(root)
      .filter(({ source }) => source.startsWith('reversal:'))
      .map((each) => each.expiresAtMs)
    const endMs = Math.max(root.expiresAtMs, ...reversedUntilMs) + graceMs + LONGEST_DEADLINE_MS
    const expiresAtMs = Math.min(atMs + Math.min(leftMs, graceMs), endMs)
    if (expiresAtMs <= atMs) {
      from.expired += rest
      leaving.push({ type: 'EXPIRED', credits: -rest, package: from, orderNo: from.orderNo })
    } else {
      moveToGrace(ledger, from, { credits: rest, source: `release:${holdId}:${from.id}`, expiresAtMs, atMs })
    }
  }
  addRow(ledger, { type: 'REFUND', credits: sum(slices), videoId: holdId, remark, atMs })
  for (const row of leaving) addRow(ledger, { ...row, atMs })
}

function take(ledger: Ledger, call: Extract<Call, { kind: 'take' }>) {
  const { atMs, credits, actorId, reason } = call
  writeOffExpired(ledger, atMs)
  const before = available(ledger)
  const earlier = earlierCorrection(ledger, call)
  if (earlier) return earlier
  if (before < credits) return { outcome: 'insufficient', available: before, packages: [] }
  const packages: { id: string; credits: number; expiresAtMs: number }[] = []
  let missing = credits
  for (const each of inFifoOrder(ledger.packages)) {
    const taken = Math.min(remaining(each), missing)
    if (taken === 0) continue
    missing -= taken
    packages.push({ id: each.id, credits: taken, expiresAtMs: each.expiresAtMs })
    if (call.isDryRun) continue
    each.clawedBack += taken
    each.taken += taken
    const row = { type: 'SYSTEM_ADJUST', credits: -taken, package: each, orderNo: each.orderNo }
    addRow(ledger, { ...row, remark: reason, actorId, atMs })
  }
  return corrected(ledger, call, { outcome: 'taken', available: before, packages })
}

function settleOwed(ledger: Ledger, call: Extract<Call, { kind: 'settleOwed' }>) {
  const { atMs, credits, forgives, actorId, reason, isDryRun } = call
  writeOffExpired(ledger, atMs)
  const before = { owed: owed(ledger), available: available(ledger) }
  const earlier = earlierCorrection(ledger, { ...call, kind: forgives ? 'forgive' : 'collect' })
  if (earlier) return earlier
  if (before.owed < credits || (!forgives && before.available < credits)) {
    return { outcome: 'insufficient', ...before, packages: [] }
  }
  const packages = forgives
    ? []
    : payOwed(ledger, ledger.packages, { credits, remark: reason, actorId, atMs, isDryRun })
  if (forgives && !isDryRun) forgive(ledger, credits)
  return corrected(
    ledger,
    { ...call, kind: forgives ? 'forgive' : 'collect' },
    { outcome: 'settled', ...before, packages },
  )
}

function reverseExpiry(ledger: Ledger, call: Extract<Call, { kind: 'reverseExpiry' }>) {
  const { atMs, actorId, reason } = call
  const of = ledger.packages.find((each) => each.id === call.packageId)
  if (!of) return { outcome: 'not_found', credits: null, expiresAtMs: null }
  writeOffExpired(ledger, atMs)
  const earlier = earlierCorrection(ledger, call)
  if (earlier) return earlier
  const credits = of.expired
  const expiresAtMs = call.expiresAtMs ?? of.expiresAtMs
  if (credits === 0) return { outcome: 'nothing', credits, expiresAtMs }
  if (expiresAtMs <= atMs) return { outcome: 'past', credits, expiresAtMs }
  if (call.isDryRun) return { outcome: 'reversed', credits, expiresAtMs }
  of.expired = 0
  if (expiresAtMs !== of.expiresAtMs) moveToGrace(ledger, of, { credits, source: 'reversal:', expiresAtMs, atMs })
  addRow(ledger, { type: 'EXPIRED', credits, package: of, orderNo: of.orderNo, remark: reason, actorId, atMs })
  clawBack(ledger, rootOf(of).source, atMs)
  return corrected(ledger, call, { outcome: 'reversed', credits, expiresAtMs })
}

function earlierCorrection(ledger: Ledger, { kind, key, request }: CorrectionCall & { kind: string }) {
  const earlier = key === null ? undefined : ledger.corrections.get(`${kind} ${key}`)
  return earlier && { ...earlier.result, outcome: earlier.request === request ? 'replayed' : 'key_reused' }
}

function corrected<T extends { outcome: string }>(
  ledger: Ledger,
  { kind, key, request, isDryRun }: CorrectionCall & { kind: string },
  result: T,
): T {
  if (isDryRun) return result
  ledger.audits += 1
  if (key !== null) ledger.corrections.set(`${kind} ${key}`, { request, result })
  return result
}

const summary = (each: Package) => ({ id: each.id, initial: each.initial, expiresAtMs: each.expiresAtMs })

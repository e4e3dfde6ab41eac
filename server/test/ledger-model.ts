/**
 * Reference model of the ledger in plain TypeScript, written from the rules and not from the SQL. It stores no amounts: it
 * derives each amount of a package from the slices that holds took from it. `ledger-commands.ts` compares both after every
 * call.
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
  slices: Slice[]
}
export type Hold = { id: string; credits: number; state: 'frozen' | 'settled' | 'released'; slices: Slice[] }
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

type Grant = {
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

export const newLedger = (): Ledger => ({
  isOpen: false,
  hasGift: false,
  packages: [],
  holds: new Map(),
  rows: [],
  keys: new Map(),
})

/** Applies the call and returns what the SQL function must return. */
export function perform(ledger: Ledger, call: Call): unknown {
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
  }
}

export const remaining = (each: Package): number =>
  each.initial - each.expired - sum(each.slices.filter(({ state }) => state !== 'returned'))
export const frozen = (each: Package): number => sum(each.slices.filter(({ state }) => state === 'frozen'))
export const used = (each: Package): number => sum(each.slices.filter(({ state }) => state === 'used'))
export const moved = (each: Package): number => sum(each.slices.filter(({ state }) => state === 'moved'))
/** Invariant: a user's history rows add up to `available`. */
export const available = (ledger: Ledger): number => sum(ledger.rows)
export const openHolds = (ledger: Ledger): Hold[] =>
  [...ledger.holds.values()].filter((hold) => hold.state === 'frozen')

export function inFifoOrder(packages: Package[]): Package[] {
  return [...packages].sort(
    (a, b) => a.expiresAtMs - b.expiresAtMs || a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1),
  )
}

/** Start of every movement: creates the account if needed and writes off expired credits. */
function writeOffExpired(ledger: Ledger, atMs: number): void {
  ledger.isOpen = true
  for (const each of inFifoOrder(ledger.packages)) {
    const credits = remaining(each)
    if (each.expiresAtMs > atMs || credits === 0) continue
    each.expired += credits
    addRow(ledger, { type: 'EXPIRED', credits: -credits, package: each, orderNo: each.orderNo, atMs })
  }
}

function balance(ledger: Ledger, atMs: number) {
  if (ledger.isOpen) writeOffExpired(ledger, atMs)
  const holds = [...ledger.holds.values()]
  const usable = ledger.packages.filter((each) => each.expiresAtMs > atMs)
  return {
    available: sum(usable.map((each) => ({ credits: remaining(each) }))),
    frozen: sum(holds.filter((hold) => hold.state === 'frozen')),
    used: sum(holds.filter((hold) => hold.state === 'settled')),
    total: sum(ledger.packages.filter((each) => !each.parent).map((each) => ({ credits: each.initial }))),
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

function grant(ledger: Ledger, { atMs, ...given }: Grant & { atMs: number }): Package {
  writeOffExpired(ledger, atMs)
  const existing = ledger.packages.find((each) => each.source === given.source)
  if (existing) return existing
  const { packageId: id, source, type, credits, expiresAtMs, orderNo, remark, actorId } = given
  const created = addPackage(ledger, {
    id,
    source,
    type,
    orderNo,
    parent: null,
    initial: credits,
    expiresAtMs,
    createdAtMs: atMs,
  })
  addRow(ledger, { type, credits, package: created, orderNo, remark, actorId, atMs })
  return created
}

function adjust(ledger: Ledger, call: Extract<Call, { kind: 'adjust' }>) {
  const earlier = call.key === null ? undefined : ledger.keys.get(call.key)
  if (earlier) {
    return { outcome: earlier.request === call.request ? 'replayed' : 'key_reused', ...summary(earlier.package) }
  }
  const source = `adjust:${call.packageId}`
  const created = grant(ledger, { ...call, source, type: 'SYSTEM_ADJUST', orderNo: null })
  if (call.key !== null) ledger.keys.set(call.key, { request: call.request, package: created })
  return { outcome: 'granted', ...summary(created) }
}

function freeze(ledger: Ledger, { atMs, holdId, credits, remark, maxOpen }: Extract<Call, { kind: 'freeze' }>) {
  writeOffExpired(ledger, atMs)
  if (ledger.holds.has(holdId)) return { outcome: 'frozen', available: available(ledger) }
  if (maxOpen > 0 && openHolds(ledger).length >= maxOpen) return { outcome: 'too_many', available: available(ledger) }
  if (available(ledger) < credits) return { outcome: 'insufficient', available: available(ledger) }
  const hold: Hold = { id: holdId, credits, state: 'frozen', slices: [] }
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

function settle(ledger: Ledger, { atMs, holdId }: Extract<Call, { kind: 'settle' }>): string | null {
  writeOffExpired(ledger, atMs)
  const hold = ledger.holds.get(holdId)
  if (hold?.state === 'frozen') {
    hold.state = 'settled'
    for (const slice of hold.slices) slice.state = 'used'
  }
  return hold?.state ?? null
}

function release(ledger: Ledger, call: Extract<Call, { kind: 'release' }>): string | null {
  const { atMs, holdId, graceMs, remark } = call
  writeOffExpired(ledger, atMs)
  const hold = ledger.holds.get(holdId)
  if (hold?.state !== 'frozen') return hold?.state ?? null
  hold.state = 'released'
  for (const slice of hold.slices) {
    if (slice.of.expiresAtMs > atMs) {
      slice.state = 'returned'
      continue
    }
    slice.state = 'moved'
    const source = `release:${holdId}:${slice.of.id}`
    const { orderNo } = slice.of
    const expiresAtMs = atMs + graceMs
    // The database generates this id; `assertSameState` copies it.
    const grace = { id: '', source, type: 'REFUND', orderNo, parent: slice.of, initial: slice.credits, expiresAtMs }
    addPackage(ledger, { ...grace, createdAtMs: atMs })
  }
  addRow(ledger, { type: 'REFUND', credits: hold.credits, videoId: holdId, remark, atMs })
  return 'released'
}

function addPackage(ledger: Ledger, facts: Omit<Package, 'expired' | 'slices'>): Package {
  const created = { ...facts, expired: 0, slices: [] }
  ledger.packages.push(created)
  return created
}

function addRow(ledger: Ledger, row: Partial<Row> & Pick<Row, 'type' | 'credits' | 'atMs'>): void {
  const blank = { package: null, videoId: null, orderNo: null, remark: null, actorId: null }
  ledger.rows.push({ ...blank, ...row, balanceAfter: available(ledger) + row.credits })
}

const summary = (each: Package) => ({ id: each.id, initial: each.initial, expiresAtMs: each.expiresAtMs })

const sum = (parts: readonly { credits: number }[]): number => parts.reduce((total, { credits }) => total + credits, 0)

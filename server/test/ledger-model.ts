/**
 * The ledger's rules once more, in plain TypeScript, written from the rules and not from the SQL: no amount of a package
 * is kept, each is added up from the slices that holds took from it. What both say is compared after every operation.
 */

export type Fate = 'held' | 'used' | 'back' | 'moved'
export type Slice = { of: Package; credits: number; fate: Fate }
export type Package = {
  id: string
  source: string
  type: string
  orderNo: string | null
  /** Of a package of grace: the package whose released credits it took over. */
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

/** Does the call and answers what the SQL function has to answer. */
export function perform(ledger: Ledger, call: Call): unknown {
  switch (call.kind) {
    case 'lock':
      touch(ledger, call.atMs)
      return { available: available(ledger) }
    case 'balance':
      return balance(ledger, call.atMs)
    case 'gift':
      return gift(ledger, call)
    case 'grant':
      return shown(grant(ledger, call))
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
  each.initial - each.expired - sum(each.slices.filter(({ fate }) => fate !== 'back'))
export const held = (each: Package): number => sum(each.slices.filter(({ fate }) => fate === 'held'))
export const used = (each: Package): number => sum(each.slices.filter(({ fate }) => fate === 'used'))
export const moved = (each: Package): number => sum(each.slices.filter(({ fate }) => fate === 'moved'))
/** Available: a user's rows always add up to it. */
export const available = (ledger: Ledger): number => sum(ledger.rows)
export const openHolds = (ledger: Ledger): Hold[] =>
  [...ledger.holds.values()].filter((hold) => hold.state === 'frozen')

export function inFifoOrder(packages: Package[]): Package[] {
  return [...packages].sort(
    (a, b) => a.expiresAtMs - b.expiresAtMs || a.createdAtMs - b.createdAtMs || (a.id < b.id ? -1 : 1),
  )
}

/** Every movement begins here: the account is there, and what has expired is written off. */
function touch(ledger: Ledger, atMs: number): void {
  ledger.isOpen = true
  for (const each of inFifoOrder(ledger.packages)) {
    const credits = remaining(each)
    if (each.expiresAtMs > atMs || credits === 0) continue
    each.expired += credits
    write(ledger, { type: 'EXPIRED', credits: -credits, package: each, orderNo: each.orderNo, atMs })
  }
}

function balance(ledger: Ledger, atMs: number) {
  if (ledger.isOpen) touch(ledger, atMs)
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
  touch(ledger, call.atMs)
  if (call.credits === 0) return 'none'
  const facts = { source: 'new-user', type: 'NEW_USER', orderNo: null, remark: 'Welcome gift', actorId: null }
  grant(ledger, { ...call, ...facts })
  return 'granted'
}

function grant(ledger: Ledger, { atMs, ...given }: Grant & { atMs: number }): Package {
  touch(ledger, atMs)
  const known = ledger.packages.find((each) => each.source === given.source)
  if (known) return known
  const { packageId: id, source, type, credits, expiresAtMs, orderNo, remark, actorId } = given
  const made = add(ledger, {
    id,
    source,
    type,
    orderNo,
    parent: null,
    initial: credits,
    expiresAtMs,
    createdAtMs: atMs,
  })
  write(ledger, { type, credits, package: made, orderNo, remark, actorId, atMs })
  return made
}

function adjust(ledger: Ledger, call: Extract<Call, { kind: 'adjust' }>) {
  const known = call.key === null ? undefined : ledger.keys.get(call.key)
  if (known) {
    return { outcome: known.request === call.request ? 'replayed' : 'key_reused', ...shown(known.package) }
  }
  const source = `adjust:${call.packageId}`
  const made = grant(ledger, { ...call, source, type: 'SYSTEM_ADJUST', orderNo: null })
  if (call.key !== null) ledger.keys.set(call.key, { request: call.request, package: made })
  return { outcome: 'granted', ...shown(made) }
}

function freeze(ledger: Ledger, { atMs, holdId, credits, remark, maxOpen }: Extract<Call, { kind: 'freeze' }>) {
  touch(ledger, atMs)
  if (ledger.holds.has(holdId)) return { outcome: 'frozen', available: available(ledger) }
  if (maxOpen > 0 && openHolds(ledger).length >= maxOpen) return { outcome: 'too_many', available: available(ledger) }
  if (available(ledger) < credits) return { outcome: 'insufficient', available: available(ledger) }
  const hold: Hold = { id: holdId, credits, state: 'frozen', slices: [] }
  let missing = credits
  for (const each of inFifoOrder(ledger.packages)) {
    const taken = Math.min(remaining(each), missing)
    if (taken === 0) continue
    const slice: Slice = { of: each, credits: taken, fate: 'held' }
    each.slices.push(slice)
    hold.slices.push(slice)
    missing -= taken
  }
  ledger.holds.set(holdId, hold)
  write(ledger, { type: 'VIDEO_CONSUME', credits: -credits, videoId: holdId, remark, atMs })
  return { outcome: 'frozen', available: available(ledger) }
}

function settle(ledger: Ledger, { atMs, holdId }: Extract<Call, { kind: 'settle' }>): string | null {
  touch(ledger, atMs)
  const hold = ledger.holds.get(holdId)
  if (hold?.state === 'frozen') {
    hold.state = 'settled'
    for (const slice of hold.slices) slice.fate = 'used'
  }
  return hold?.state ?? null
}

function release(ledger: Ledger, call: Extract<Call, { kind: 'release' }>): string | null {
  const { atMs, holdId, graceMs, remark } = call
  touch(ledger, atMs)
  const hold = ledger.holds.get(holdId)
  if (hold?.state !== 'frozen') return hold?.state ?? null
  hold.state = 'released'
  for (const slice of hold.slices) {
    if (slice.of.expiresAtMs > atMs) {
      slice.fate = 'back'
      continue
    }
    slice.fate = 'moved'
    const source = `release:${holdId}:${slice.of.id}`
    const { orderNo } = slice.of
    const expiresAtMs = atMs + graceMs
    // The database makes this id; it is learned when both are compared.
    const grace = { id: '', source, type: 'REFUND', orderNo, parent: slice.of, initial: slice.credits, expiresAtMs }
    add(ledger, { ...grace, createdAtMs: atMs })
  }
  write(ledger, { type: 'REFUND', credits: hold.credits, videoId: holdId, remark, atMs })
  return 'released'
}

function add(ledger: Ledger, facts: Omit<Package, 'expired' | 'slices'>): Package {
  const made = { ...facts, expired: 0, slices: [] }
  ledger.packages.push(made)
  return made
}

function write(ledger: Ledger, row: Partial<Row> & Pick<Row, 'type' | 'credits' | 'atMs'>): void {
  const blank = { package: null, videoId: null, orderNo: null, remark: null, actorId: null }
  ledger.rows.push({ ...blank, ...row, balanceAfter: available(ledger) + row.credits })
}

const shown = (each: Package) => ({ id: each.id, initial: each.initial, expiresAtMs: each.expiresAtMs })

const sum = (parts: readonly { credits: number }[]): number => parts.reduce((total, { credits }) => total + credits, 0)

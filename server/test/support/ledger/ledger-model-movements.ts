/**
 * The movements of the ledger's reference model that its calls (ledger-model.ts) are made of: expiry, the move to a grace package,
 * claw-back, a new package, a history row.
 */
import {
  available,
  type Claim,
  familyOf,
  inFifoOrder,
  type Ledger,
  type Package,
  type Row,
  remaining,
  shortfall,
} from './ledger-model-books.ts'

/** Start of every movement: creates the account if needed and writes off expired credits. */
export function writeOffExpired(ledger: Ledger, atMs: number): void {
  ledger.isOpen = true
  for (const each of inFifoOrder(ledger.packages)) {
    const credits = remaining(each)
    if (each.expiresAtMs > atMs || credits === 0) continue
    each.expired += credits
    addRow(ledger, { type: 'EXPIRED', credits: -credits, package: each, orderNo: each.orderNo, atMs })
  }
}

export function moveToGrace(
  ledger: Ledger,
  from: Package,
  { credits, source, expiresAtMs, atMs }: { credits: number; source: string; expiresAtMs: number; atMs: number },
): void {
  from.slices.push({ of: from, credits, state: 'moved' })
  // The database generates the id; `assertSameState` copies it.
  const facts = { id: '', source, type: 'REFUND', orderNo: from.orderNo, parent: from, initial: credits }
  addPackage(ledger, { ...facts, expiresAtMs, createdAtMs: atMs })
}

export function claimOf(ledger: Ledger, { source, key }: { source: string; key: string }): Claim {
  const known = ledger.claims.find((each) => each.source === source && each.key === key)
  if (known) return known
  const claim = { source, key, part: 0, isReversed: false }
  ledger.claims.push(claim)
  return claim
}

/** Takes what the claims on a source are owed, first to expire first; after a reversal gives back, last to expire first. */
export function clawBack(ledger: Ledger, source: string, atMs: number): null {
  const root = ledger.packages.find((each) => each.source === source)
  if (!root) return null
  const { type, orderNo } = root
  const family = inFifoOrder(familyOf(ledger, root))
  for (const each of family) {
    const credits = Math.min(remaining(each), shortfall(ledger, root))
    if (credits <= 0) continue
    each.clawedBack += credits
    addRow(ledger, { type, credits: -credits, package: each, orderNo, remark: 'Payment returned', atMs })
  }
  for (const each of family.reverse()) {
    const credits = Math.min(each.clawedBack - each.taken, -shortfall(ledger, root))
    if (credits <= 0) continue
    each.clawedBack -= credits
    addRow(ledger, { type, credits, package: each, orderNo, remark: 'Payment reinstated', atMs })
    if (each.expiresAtMs > atMs) continue
    each.expired += credits
    addRow(ledger, { type: 'EXPIRED', credits: -credits, package: each, orderNo: each.orderNo, atMs })
  }
  return null
}

export function addPackage(
  ledger: Ledger,
  facts: Omit<Package, 'expired' | 'clawedBack' | 'taken' | 'slices'>,
): Package {
  const created = { ...facts, expired: 0, clawedBack: 0, taken: 0, slices: [] }
  ledger.packages.push(created)
  return created
}

export function addRow(ledger: Ledger, row: Partial<Row> & Pick<Row, 'type' | 'credits' | 'atMs'>): void {
  const blank = { package: null, videoId: null, orderNo: null, remark: null, actorId: null }
  ledger.rows.push({ ...blank, ...row, balanceAfter: available(ledger) + row.credits })
}

/** Movements of the ledger's reference model: expiry, refund claims, what is owed, new packages and rows. */
import {
  available,
  type Claim,
  familyOf,
  givenOf,
  inFifoOrder,
  type Ledger,
  owedFor,
  type Package,
  type Row,
  remaining,
  rootOf,
  shortfall,
  takenForClaims,
} from './ledger-books.ts'

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
  const claim = { source, key, part: 0 }
  ledger.claims.push(claim)
  return claim
}

/** Brings what claims took from a payment to what they ask for, from its package and those of teams. */
export function clawBack(ledger: Ledger, source: string, atMs: number): null {
  const root = ledger.packages.find((each) => each.source === source)
  if (!root) return null
  // All teams to which the user has moved credits are locked.
  const teams = new Set(ledger.packages.flatMap(({ given }) => given.map((each) => each.ledger)))
  for (const team of teams) writeOffExpired(team, atMs)
  if (root.from) {
    meetClaims(root, atMs)
    return null
  }
  for (const each of givenOf(root)) each.passedOn = 0
  for (const each of givenOf(root)) {
    meetClaims(each, atMs)
    if (each.ledger.isDeleted) each.passedOn = owedFor(each)
  }
  meetClaims(root, atMs)
  return null
}

/** Takes what claims on a package are owed, first to expire first; a reversal gives back, last first. */
function meetClaims(root: Package, atMs: number): void {
  const { ledger, type, orderNo } = root
  const family = inFifoOrder(familyOf(root))
  for (const each of family) {
    const credits = Math.min(remaining(each), shortfall(root))
    if (credits <= 0) continue
    each.clawedBack += credits
    addRow(ledger, { type, credits: -credits, package: each, orderNo, remark: claimRemark(root), atMs })
  }
  // What other packages paid comes back first, to any of them.
  for (const each of inFifoOrder(ledger.packages).reverse()) {
    const credits = Math.min(each.collected, root.repaid, -shortfall(root))
    if (credits <= 0) continue
    each.collected -= credits
    root.repaid -= credits
    giveBack(ledger, each, { credits, type, orderNo, atMs })
    if (rootOf(each) !== root) clawBack(ledger, rootOf(each).source, atMs)
  }
  for (const each of family.reverse()) {
    const credits = Math.min(takenForClaims(each), -shortfall(root))
    if (credits > 0) giveBack(ledger, each, { credits, type, orderNo, atMs })
  }
}

export const claimRemark = ({ from }: Package): string =>
  from ? 'Payment of moved credits returned' : 'Payment returned'

function giveBack(
  ledger: Ledger,
  to: Package,
  { atMs, credits, ...row }: Pick<Row, 'type' | 'credits' | 'orderNo' | 'atMs'>,
): void {
  to.clawedBack -= credits
  addRow(ledger, { ...row, credits, package: to, remark: 'Payment reinstated', atMs })
  if (to.expiresAtMs > atMs) return
  to.expired += credits
  addRow(ledger, { type: 'EXPIRED', credits: -credits, package: to, orderNo: to.orderNo, atMs })
}

/** The time of the next row: the history never runs back. */
export const rowTime = (ledger: Ledger, atMs: number): number => Math.max(atMs, ledger.rows.at(-1)?.atMs ?? 0)

export function addPackage(
  ledger: Ledger,
  facts: Pick<Package, 'id' | 'source' | 'type' | 'orderNo' | 'initial' | 'expiresAtMs' | 'createdAtMs'> &
    Partial<Pick<Package, 'parent' | 'from'>>,
): Package {
  const createdAtMs = rowTime(ledger, facts.createdAtMs)
  const created: Package = {
    ledger,
    parent: null,
    from: null,
    given: [],
    ...facts,
    createdAtMs,
    expired: 0,
    clawedBack: 0,
    taken: 0,
    collected: 0,
    repaid: 0,
    forgiven: 0,
    passedOn: 0,
    slices: [],
  }
  ledger.packages.push(created)
  created.from?.given.push(created)
  return created
}

export function addRow(ledger: Ledger, row: Partial<Row> & Pick<Row, 'type' | 'credits' | 'atMs'>): void {
  const blank = { package: null, videoId: null, orderNo: null, remark: null, actorId: null }
  const atMs = rowTime(ledger, row.atMs)
  ledger.rows.push({ ...blank, ...row, atMs, balanceAfter: available(ledger) + row.credits })
}

/** Credit by credit: the first package with credits pays for the first that owes. */
export function payOwed(
  ledger: Ledger,
  from: Package[],
  to: { credits: number; remark: string; actorId: string | null; atMs: number; isDryRun?: boolean },
) {
  const parts: { id: string; credits: number; expiresAtMs: number }[] = []
  const debts = inFifoOrder(ledger.packages).map((root) => ({ root, credits: owedFor(root) }))
  let left = to.credits
  for (const each of inFifoOrder(from)) {
    let usable = each.expiresAtMs > to.atMs ? remaining(each) : 0
    for (const debt of debts) {
      const credits = Math.min(usable, debt.credits, left)
      if (credits === 0) continue
      usable -= credits
      debt.credits -= credits
      left -= credits
      const part = parts.find(({ id }) => id === each.id)
      if (part) part.credits += credits
      else parts.push({ id: each.id, credits, expiresAtMs: each.expiresAtMs })
      if (to.isDryRun) continue
      each.clawedBack += credits
      each.collected += credits
      debt.root.repaid += credits
      const { type, orderNo } = debt.root
      const { remark, actorId, atMs } = to
      addRow(ledger, { type, credits: -credits, package: each, orderNo, remark, actorId, atMs })
    }
  }
  return parts
}

export function forgive(ledger: Ledger, credits: number): void {
  for (const root of inFifoOrder(ledger.packages)) {
    const forgiven = Math.min(owedFor(root), credits)
    root.forgiven += forgiven
    credits -= forgiven
  }
}

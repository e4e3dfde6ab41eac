/**
 * The ledger check of one large account: thousands of paid packages, and a history of the length of each step. Twice
 * the rows may take twice the processor time, and no more; statistics are as old as autovacuum leaves them.
 */
import { forEachConcurrently } from '../server/src/async/for-each-concurrently.ts'
import { verifyInRanges } from '../server/src/credit/verify.ts'
import { openDb } from '../server/src/db/db.ts'
import { onePart } from '../server/src/db/parts.ts'
import { newId } from '../server/src/id.ts'
import { creditFreezeHolds, creditSettleHolds } from '../server/test/support/ledger/ledger-calls.ts'
import { type Bench, startServer } from './environment.ts'
import { purchaseOf, SECRETS } from './payments.ts'
import type { Line } from './table.ts'
import { userIdOf } from './users.ts'

const PAYMENTS = 2_000
const STEPS = [125_000, 250_000, 500_000, 1_000_000]
const BATCH = 500
const USER = userIdOf(1)
const LIMIT_S_A_MILLION = 60

export async function books({ environment }: Bench): Promise<Line[]> {
  const server = await startServer(environment, SECRETS)
  await forEachConcurrently(Array(PAYMENTS).keys(), 16, async () => {
    const { body, signature } = purchaseOf(USER)
    const response = await fetch(`http://127.0.0.1:${server.port}/api/webhooks/payment-b`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      body,
    })
    if (response.status !== 200) throw new Error(`a webhook was not accepted: ${await response.text()}`)
  })
  await server.stop()
  const db = openDb(environment.databaseUrl, { connections: 2, name: 'kinora bench', statementTimeoutMs: 0 })
  const lines: Line[] = []
  try {
    let rows = 0
    for (const wanted of STEPS) {
      for (; rows < wanted; rows += 2 * BATCH) await makeHolds(db)
      const startUs = environment.databaseCpuUs()
      await verifyInRanges(onePart(db), { onRange: () => {} })
      lines.push({
        what: `verify of an account with ${wanted.toLocaleString('en')} rows and ${PAYMENTS.toLocaleString('en')} packages, CPU time of PostgreSQL`,
        unit: 'ms',
        runs: [(environment.databaseCpuUs() - startUs) / 1000],
        ...(wanted === 1_000_000 ? { limit: LIMIT_S_A_MILLION * 1000 } : {}),
      })
    }
  } finally {
    await db.end()
  }
  return lines
}

/** Half of the rows freeze credits, half settle them. */
async function makeHolds(db: ReturnType<typeof openDb>): Promise<void> {
  const now = new Date()
  const holds = Array.from({ length: BATCH }, () => ({ userId: USER, holdId: newId(now), credits: 1, remark: 'bench' }))
  await creditFreezeHolds(db, holds, now)
  await creditSettleHolds(db, holds, new Date())
}

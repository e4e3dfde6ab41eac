/**
 * Searches money pumps in a process of its own: `payments-main.ts <first seed> <count> <step>`, started by
 * run-seeds.mjs. Prints a line of JSON for each seed: what is wrong at either processor.
 */

import { openDb } from '../../server/src/db/db.ts'
import { createDatabase } from '../../server/test/support/database.ts'
import { searchPump } from './payment-search.ts'

const [first = 0, count = 0, step = 1] = process.argv.slice(2).map(Number)
const database = await createDatabase()
const sql = openDb(database.url, { connections: 1, name: 'kinora payment search' })
for (let n = 0; n < count; n++) {
  const seed = first + n * step
  const findings = []
  for (const processor of ['payment-a', 'payment-b'] as const) {
    const finding = await searchPump(sql, processor, seed)
    if (finding) findings.push(finding)
  }
  process.stdout.write(`${JSON.stringify(findings)}\n`)
  // The tables stay small, so that a run does not depend on the runs before it.
  if (n % 200 === 199)
    await sql`truncate kinora.payment_event, kinora.payment_object, kinora.payment_return, kinora.payment, kinora.payment_price, kinora.credit_account, kinora.credit_package, kinora.credit_transaction, kinora.credit_refund_claim, kinora.transaction_count`
}
await sql.end()
await database.drop()

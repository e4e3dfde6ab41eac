/**
 * verify() reports what an intruder with the database's password forges of the sources of credits, and nothing of what
 * the service does for the same end.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { adviceOf } from '../../src/credit/advice.ts'
import type { Difference } from '../../src/credit/verify.ts'
import { openDb } from '../../src/db/db.ts'
import { notDistributed } from '../support/citus/database.ts'
import { createDatabase } from '../support/database.ts'
import { forgeries } from '../support/ledger/forgeries.ts'
import { writeDebtFixture, writeEdgeFixture } from '../support/ledger/ledger-edge-fixture.ts'
import { rolledBack } from '../support/ledger/ledger-fixture.ts'

const database = await createDatabase()
const sql = openDb(database.url, { connections: 2, name: 'kinora forgeries test' })
after(async () => {
  await sql.end()
  await database.drop()
})
const ofOnePostgres = notDistributed('the tables of a shard have other names than the forgeries')
if (ofOnePostgres.skip === undefined) {
  await writeEdgeFixture(sql)
  await writeDebtFixture(sql)
}

/** What verify() reports after these statements, which are rolled back. */
const reported = async (...statements: string[]): Promise<string[]> => {
  const differences = await rolledBack(sql, async (tx) => {
    for (const each of statements) await tx.unsafe(each).simple()
    return await tx<Difference[]>`select * from verify()`
  })
  return (differences ?? assert.fail()).map(
    ({ rule, subject, expected, found }) => `${rule} | ${subject}: ${expected}, ${found}`,
  )
}

for (const { name, setUp = '', forged, honest, rules } of forgeries) {
  test(`verify: ${name} → reported; what the service does → nothing`, ofOnePostgres, async () => {
    const differences = await reported(setUp, forged)
    const found = new Set(differences.map((each) => each.split(' | ')[0] ?? ''))
    assert.deepEqual([...found].sort(), [...rules].sort(), differences.join('\n'))
    for (const rule of rules) assert.notEqual(adviceOf(rule), '')
    assert.deepEqual(await reported(setUp, honest), [])
  })
}

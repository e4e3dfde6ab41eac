/**
 * Fixture: a database of its own for tests that call the ledger's SQL functions, which is verified after every test,
 * and those calls with the arguments that most tests share.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach } from 'node:test'
import { creditBalance } from '../../../src/credit/ledger.ts'
import { verify } from '../../../src/credit/verify.ts'
import { idsOfOnePart, openTestDatabase } from '../citus/database.ts'
import { createDatabase } from '../database.ts'
import { creditFreeze, creditGrant, creditRelease, creditSettle } from './ledger-calls.ts'
import { addVideosToHolds } from './ledger-fixture.ts'

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
export const start = new Date('2030-01-01T00:00:00Z')
export const later = (ms: number, from = start) => new Date(from.getTime() + ms)

/** Opens the database for a test file and drops it after the file's last test. */
export async function openLedger(connections = 2) {
  const database = await createDatabase()
  const books = await openTestDatabase(database.url, { connections, name: 'kinora ledger test' })
  const { sql } = books
  afterEach(async () => assert.deepEqual(await verify(books), [], 'the ledger must be consistent after every test'))
  after(async () => {
    await books.close()
    await database.drop()
  })
  await addVideosToHolds(sql)
  return {
    sql,
    books,
    /** The ids of users who are together in sets. */
    newUserId: idsOfOnePart(books.partOf, randomUUID),
    /** A package of a purchase. Granted once for each `packageId`. Returns its id. */
    grant: async (
      userId: string,
      credits: number,
      expiresAt: Date,
      now = start,
      { orderNo = null, packageId = randomUUID() }: { orderNo?: string | null; packageId?: string } = {},
    ) => {
      const facts = { source: `test:${packageId}`, transType: 'ORDER_PAY', orderNo, remark: null }
      await creditGrant(sql, { userId, packageId, ...facts, credits, expiresAt, now })
      return packageId
    },
    freeze: async (userId: string, holdId: string, credits: number, now = start) => ({
      ...(await creditFreeze(sql, { userId, holdId, credits, now, remark: null })),
    }),
    settle: (userId: string, holdId: string, now = start, credits: number | null = null) =>
      creditSettle(sql, { userId, holdId, now, credits, graceS: DAY_MS / 1000, remark: null }),
    release: (userId: string, holdId: string, now = start, graceS = DAY_MS / 1000) =>
      creditRelease(sql, { userId, holdId, now, graceS, remark: null }),
    balance: async (userId: string, now = start) => {
      const { available, frozen, used, total } = await creditBalance(sql, { userId, now })
      return { available, frozen, used, total }
    },
  }
}

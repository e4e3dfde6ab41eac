/** What every benchmark ends with, as `kinora verify` does: a speed of books that are wrong is none. */
import { verify } from '../server/src/credit/verify.ts'
import { openDb } from '../server/src/db/db.ts'
import { onePart } from '../server/src/db/parts.ts'
import type { BenchEnvironment } from './environment.ts'

/** The ledger's calls by themselves make holds that have no video. */
export const HOLDS_WITHOUT_VIDEOS = 'credits follow the status'
const SHOWN_MAX = 3

/**
 * @param expectedRule of a benchmark that leaves a part of the books out on purpose: its differences are not counted
 * @throws Error with the number of differences, and the first ones
 */
export async function verifyBooks({ databaseUrl }: BenchEnvironment, expectedRule?: string): Promise<void> {
  const sql = openDb(databaseUrl, { connections: 1, name: 'bench verify', statementTimeoutMs: 0 })
  const differences = (await verify(onePart(sql))).filter(({ rule }) => rule !== expectedRule)
  await sql.end()
  if (differences.length === 0) return
  const first = differences.slice(0, SHOWN_MAX).map((each) => JSON.stringify(each))
  throw new Error(`The books have ${differences.length} differences after the benchmark:\n${first.join('\n')}`)
}

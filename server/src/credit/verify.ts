/** The ledger's self-check, used by `kinora verify`, by administrators and by the tests. */
import type { App } from '../app.ts'

export type Difference = { userId: string; subject: string; rule: string; expected: string; found: string }

/** Recomputes every balance from packages, holds and history. @returns the differences; empty when the ledger is consistent */
export async function verify({ sql }: Pick<App, 'sql'>): Promise<Difference[]> {
  return [...(await sql<Difference[]>`select user_id, subject, rule, expected, found from kinora.verify()`)]
}

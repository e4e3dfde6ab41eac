/** API keys beyond the limit that are made at the same time. */
import type { Sql } from '../../src/db/db.ts'
import { waitFor } from './video-row.ts'

/** Copies the owner's one key to 98, then makes four at once, each of which has counted 98. @returns the responses */
export async function makeFourKeysAtOnce<Made>(sql: Sql, ownerId: string, make: () => Promise<Made>): Promise<Made[]> {
  await sql`
    insert into public.apikey
    select (jsonb_populate_record(k, jsonb_build_object('id', gen_random_uuid(), 'key', 'copy ' || n))).*
    from public.apikey k, generate_series(1, 97) n
    where k."referenceId" = ${ownerId}
  `
  // All have counted, and wait to insert theirs.
  const { making } = await sql.begin(async (tx) => {
    await tx`lock table public.apikey in share mode`
    const making = Array.from({ length: 4 }, make)
    const waiting = () => sql`select from pg_locks where relation = 'public.apikey'::regclass and not granted`
    await waitFor('four insertions', async () => (await waiting()).length === 4)
    return { making }
  })
  return Promise.all(making)
}

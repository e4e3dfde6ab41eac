/** The users of `npm run bench:growth`: the first has a tenth of the videos, the next fifty have twenty, the others share the rest. */
import type { Sql } from '../server/src/db/db.ts'
import { seedLedger, seedSignIns } from './seed.ts'
import { tokenOf } from './users.ts'

export const TWENTIES = 50
export const SESSIONS = 500
const VIDEOS_PER_USER = 100

export const usersOf = (videos: number): number => Math.max(2 * TWENTIES, Math.round(videos / VIDEOS_PER_USER))

/** @param size how many videos */
export async function seedUsers(sql: Sql, size: number): Promise<void> {
  const users = usersOf(size)
  const others = users - TWENTIES - 1
  const big = Math.round(size / 10)
  const startMs = performance.now()
  await seedLedger(sql, {
    groups: [
      { users: 1, films: big },
      { users: TWENTIES, films: 20 },
      { users: others, films: Math.max(1, Math.floor((size - big - TWENTIES * 20) / others)) },
    ],
    onStep: (name, s) => s >= 1 && console.error(`  ${name}: ${s.toFixed(1)} s`),
  })
  await seedSignIns(sql, { users, sessions: Math.min(users, SESSIONS), token: tokenOf(0).slice(0, -1) })
  const [disk] = await sql<[{ gb: number; rows: number }]>`
    select pg_database_size(current_database()) / 1e9::float8 as gb,
           (select sum(n_live_tup) from pg_stat_user_tables)::bigint as rows
  `
  console.error(
    `${size} videos: ${disk.rows} rows, ${disk.gb.toFixed(1)} GB, seeded in ${((performance.now() - startMs) / 1000).toFixed(0)} s`,
  )
}

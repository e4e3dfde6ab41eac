/**
 * The clock: the database's clock judges the time that a process calls with. A database that was only migrated refuses a time
 * that is ahead; the test template allows any.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import type postgres from 'postgres'
import { openDb } from '../src/db.ts'
import { createDatabase, restoreClockLimit } from './database.ts'

const database = await createDatabase()
await restoreClockLimit(database)
const sql = openDb(database.url, { connections: 2, name: 'kinora clock test' })
after(async () => {
  await sql.end()
  await database.drop()
})
const MINUTE_MS = 60_000

/** Functions that receive a time from a function that has checked it. */
const INTERNAL = [
  'audit_add',
  'check_clock',
  'credit_correction_key',
  'credit_grace_end',
  'credit_move',
  'credit_upgrade',
  'uuid_v7',
  'video_add_link',
  'video_fail_and_release',
  'video_log_add',
  'video_log_add_once',
  'video_progress',
  'video_progress_seen',
  'video_raise_progress',
  'video_start_generating',
]

test('clock: every function that takes a time, called three minutes ahead → refused with KN001, nothing is written', async () => {
  const functions = await sql<{ name: string; args: string[] }[]>`
    select proname as name, array(
      select case names.name when 'p_now' then '%NOW%' else 'null' end || '::' || format_type(types.oid, null)
      from unnest(proargnames) with ordinality as names (name, n)
      join unnest(proargtypes) with ordinality as types (oid, n) using (n)
      order by n
    ) as args
    from pg_proc
    where pronamespace = 'kinora'::regnamespace and 'p_now' = any(proargnames)
    order by proname
  `
  const checked = functions.filter(({ name }) => !INTERNAL.includes(name))
  assert.ok(checked.length >= 25, `${checked.length} functions`)
  for (const { name, args } of checked) {
    const call = `select * from kinora.${name}(${args.join(', ')})`
    const ahead = call.replace('%NOW%', `(clock_timestamp() + interval '3 minutes')`)
    await assert.rejects(
      async () => await sql.unsafe(ahead),
      (error: postgres.PostgresError) => {
        assert.equal(error.code, 'KN001', `${name}: ${error.message}`)
        return true
      },
    )
  }
  assert.equal((await sql`select from kinora.credit_account`).length, 0)
})

test('clock: a time less than two minutes ahead, or any time in the past → accepted', async () => {
  for (const offsetMs of [MINUTE_MS, 0, -MINUTE_MS, -1000 * MINUTE_MS]) {
    await sql`select kinora.credit_lock(${randomUUID()}, ${new Date(Date.now() + offsetMs)})`
  }
})

/**
 * The clock: the database's clock judges the time that a process calls with. A database that was only migrated refuses
 * a time that is ahead; the test template allows any.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { pino } from 'pino'
import type postgres from 'postgres'
import { creditTake } from '../../src/credit/correction.ts'
import { creditGrantGift } from '../../src/credit/gift.ts'
import { creditAdjust, creditBalance, creditLock } from '../../src/credit/ledger.ts'
import { verify } from '../../src/credit/verify.ts'
import { checkClock, openClockGuard } from '../../src/db/clock.ts'
import { videoCancel, videoGenerate } from '../../src/video/transitions.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { openTestDatabase } from '../support/citus/database.ts'
import { createDatabase, restoreClockLimit } from '../support/database.ts'
import { openKinora } from '../support/harness.ts'
import { newVideo, waitFor } from '../support/video-row.ts'

const database = await createDatabase()
await restoreClockLimit(database)
const books = await openTestDatabase(database.url, { connections: 2, name: 'kinora clock test' })
const { sql, close } = books
after(async () => {
  await close()
  await database.drop()
})
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** Functions that receive a time from a function that has checked it, and those that only read. */
const INTERNAL = [
  'account_is_subscribed',
  'administrator_key_is_free',
  'api_key_budgets',
  'api_key_use',
  'audit_add',
  'authority_end',
  'authority_may',
  'authority_suspend',
  'check_clock',
  'code_take',
  'credit_change_accounts',
  'credit_correction_key',
  'credit_decide_release',
  'credit_gift_refusal',
  'credit_give_back',
  'credit_grace_end',
  'credit_meet_claims',
  'credit_move',
  'credit_move_all',
  'credit_notify_low',
  'credit_number_rows',
  'credit_pay_owed',
  'credit_read_closed',
  'credit_read_for_freeze',
  'credit_release_closed',
  'credit_restore_expired',
  'credit_row_time',
  'credit_take_claimed',
  'credit_transferable',
  'credit_write_expiry',
  'credit_write_freeze',
  'credit_write_off',
  'credit_write_release',
  'credit_write_transfer',
  'is_administrator',
  'is_banned',
  'is_last_administrator',
  'mail_write',
  'mail_write_one',
  'mail_write_videos',
  'payment_balance',
  'payment_grant',
  'payment_lacking',
  'payment_lagging_records',
  'payment_link',
  'payment_record',
  'payment_refundable',
  'payment_save',
  'payment_settle',
  'payment_settle_source',
  'payment_store',
  'payment_take_back',
  'provider_lock_slot',
  'subscription_apply_status',
  'team_leave_all',
  'team_log',
  'time_of_grant',
  'top_up_is_due',
  'uuid_v7',
  'video_check_and_create',
  'video_create',
  'video_decide',
  'video_estimated_s',
  'video_lock_due',
  'video_log_add',
  'video_move_credits',
  'video_oldest_due',
  'video_progress',
  'video_progress_seen',
  'video_raise_progress',
  'video_wake_waiting',
  'webhook_lock_origins',
  'webhook_of_videos',
  'webhook_valid_secrets',
  'webhook_write',
  'webhook_write_one',
  'webhook_write_videos',
]
/** Functions that decide for video_apply and touch no table. */
const DECISION = /^video_(step|to)_/

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
  const ofShards = process.env.CITUS_URL ? ['payment_apply'] : []
  const checked = functions.filter(({ name }) => ![...INTERNAL, ...ofShards].includes(name) && !DECISION.test(name))
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
      name,
    )
  }
  assert.equal((await sql`select from kinora.credit_account`).length, 0)
})

test('clock: a time less than two minutes ahead, or any time in the past → accepted', async () => {
  for (const offsetMs of [MINUTE_MS, 0, -MINUTE_MS, -1000 * MINUTE_MS]) {
    await creditLock(sql, { userId: randomUUID(), now: new Date(Date.now() + offsetMs) })
  }
})

test('clock: a process 40 days behind grants → from the database’s time on; the gift has not expired', async () => {
  const now = new Date(Date.now() - 40 * DAY_MS)
  const [ann, ben] = [randomUUID(), randomUUID()]
  const expiresAt = new Date(now.getTime() + 30 * DAY_MS)
  await creditGrantGift(sql, { userId: ann, packageId: randomUUID(), credits: 60, expiresAt, now })
  const facts = { remark: null, adminId: randomUUID(), idempotency: null }
  await creditAdjust(sql, { userId: ben, packageId: randomUUID(), credits: 60, expiresAt, now, ...facts })
  for (const userId of [ann, ben]) {
    assert.equal((await creditBalance(sql, { userId, now: new Date() })).available, 60)
    const [row] = await sql<[{ createdAt: Date; lastsMs: number }]>`
      select created_at, extract(epoch from expires_at - created_at) * 1000 as lasts_ms
      from kinora.credit_package
      where user_id = ${userId}
    `
    assert.ok(Math.abs(Date.now() - row.createdAt.getTime()) < MINUTE_MS)
    assert.ok(Math.abs(Number(row.lastsMs) - 30 * DAY_MS) < MINUTE_MS)
  }
})

test('clock: a process 40 days behind cancels a film → it ended by the database’s time, on a day that is not summed yet', async () => {
  const now = new Date(Date.now() - 40 * DAY_MS)
  const [userId, videoId] = [randomUUID(), randomUUID()]
  const expiresAt = new Date(now.getTime() + 90 * DAY_MS)
  await creditGrantGift(sql, { userId, packageId: randomUUID(), credits: 60, expiresAt, now })
  const deadlineAt = new Date(now.getTime() + DAY_MS)
  await videoGenerate(sql, newVideo({ userId, videoId, deadlineAt, now }))
  await videoCancel(sql, { userId, videoId, error: 'Cancelled.', graceS: 0, now })
  const [row] = await sql<[{ completedAt: Date }]>`
    select completed_at from kinora.video where user_id = ${userId} and id = ${videoId}
  `
  assert.ok(Math.abs(Date.now() - row.completedAt.getTime()) < MINUTE_MS)
})

test('history: a process behind writes after one ahead → createdAt does not run back, in rows, packages and audit entries', async () => {
  const [userId, adminId] = [randomUUID(), randomUUID()]
  const at = (ms: number) => new Date(Date.now() + ms)
  const adjust = (ms: number) => {
    const facts = { credits: 60, expiresAt: at(DAY_MS), remark: null, adminId, idempotency: null }
    return creditAdjust(sql, { userId, packageId: randomUUID(), now: at(ms), ...facts })
  }
  await adjust(MINUTE_MS)
  await adjust(-MINUTE_MS)
  const taking = { credits: 10, reason: 'by mistake', adminId, requestId: null, isDryRun: false, idempotency: null }
  await creditTake(sql, { userId, now: at(-MINUTE_MS), ...taking })
  const [row] = await sql<[{ rows: number; times: number; before: number }]>`
    select count(*) as rows, count(distinct created_at) as times,
           (select count(*) from kinora.audit a where a.user_id = t.user_id and a.created_at < min(t.created_at)) as before
    from kinora.credit_transaction t
    where user_id = ${userId}
    group by user_id
  `
  assert.deepEqual({ ...row }, { rows: 3, times: 1, before: 0 })
  assert.deepEqual(await verify(books), [])
})

const HOUR_MS = 60 * MINUTE_MS
const logger = () => {
  const lines: string[] = []
  return { lines, log: pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line).msg) }) }
}

for (const [offsetMs, difference] of [
  [3 * MINUTE_MS, 'ahead of'],
  [-3 * MINUTE_MS, 'behind'],
] as const) {
  test(`clock guard: a process three minutes ${difference} → wrong, logged once`, async () => {
    const { lines, log } = logger()
    const app = { sql, now: () => new Date(Date.now() + offsetMs), log }
    await assert.rejects(checkClock(app), new RegExp(`1[78]\\d s ${difference} the database`))
    const isClockRight = openClockGuard(app)
    assert.deepEqual(await Promise.all([isClockRight(), isClockRight()]), [false, false])
    assert.equal(await isClockRight(), false)
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', new RegExp(`${difference} the database's; .* claims no videos`))
  })
}

test('clock guard: process one minute ahead → accepted', async () => {
  const { lines, log } = logger()
  const now = () => new Date(Date.now() + MINUTE_MS)
  assert.equal(await openClockGuard({ sql, now, log })(), true)
  assert.deepEqual(lines, [])
})

test('503: /readyz of a process whose clock is an hour ahead → clock in details; its worker claims nothing', async () => {
  const kinora = await openKinora({ worker: true })
  const ann = await kinora.person()
  await restoreClockLimit({ url: kinora.databaseUrl })
  assert.equal((await kinora.call('GET', '/readyz')).status, 200)
  kinora.turnClock(HOUR_MS)
  const response = await kinora.call('GET', '/readyz')
  assert.equal(response.status, 503)
  assert.match(JSON.stringify(response.error?.details), /"clock":"the clock of this machine is (3599|36\d\d) s ahead/)
  const generated = await kinora.generate(ann)
  assert.deepEqual([generated.status, generated.error?.code], [503, 'UNAVAILABLE'])
  kinora.turnClock(-2 * HOUR_MS)
  assert.equal((await kinora.call('GET', '/readyz')).status, 503, 'an hour behind is wrong too')
  kinora.turnClock(HOUR_MS)
  assert.equal((await kinora.call('GET', '/readyz')).status, 200)
})

test('worker: its clock is wrong → a due video is not claimed until the clock is right', async () => {
  const { lines, log } = logger()
  const kinora = await openKinora()
  const ann = await kinora.person()
  await restoreClockLimit({ url: kinora.databaseUrl })
  const { uuid } = (await kinora.generate(ann)).data
  const app = { ...kinora.app, log, now: () => new Date(Date.now() - 3 * MINUTE_MS) }
  const steps: string[] = []
  const worker = startWorker(app, { run: async (_app, { video }) => void steps.push(video.id) })
  await waitFor('the worker to report its clock', () => lines.length > 0)
  app.now = () => new Date()
  await waitFor('the worker to claim the video', () => steps.length > 0)
  assert.deepEqual(steps, [uuid])
  assert.equal(lines.filter((line) => line.includes('clock')).length, 2, 'wrong, then right again')
  await worker.stop()
})

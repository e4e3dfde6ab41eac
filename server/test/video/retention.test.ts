/**
 * Retention of rows that no page shows, its settings, and temporary files. The books stay: after every test the ledger
 * is verified.
 */
import assert from 'node:assert/strict'
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { ConfigError, readConfig } from '../../src/config/config.ts'
import { removeAdministratorKeys } from '../../src/db/citus/open.ts'
import { onePart } from '../../src/db/parts.ts'
import { removeStaleTemporaryFiles } from '../../src/storage/temporary-files.ts'
import { sweepOldRows } from '../../src/worker/retention.ts'
import { finishedVideo } from '../support/finished-video.ts'
import { openKinora } from '../support/harness.ts'
import { logOf } from '../support/video-row.ts'

const kinora = await openKinora({ simulator: true })
const { app } = kinora
const { sql } = app
const HOUR_S = 3600
const DAY_S = 86_400

const countOf = async (query: PromiseLike<readonly Record<string, unknown>[]>) => (await query)[0]?.count
const ago = (s: number) => new Date(app.now().getTime() - s * 1000)

/** Sweeps and returns how many rows of each table were removed. */
const sweepRows = async (batch?: number) => Object.fromEntries(await sweepOldRows(app, { batch }))

test('KEEP_SESSIONS: sessions that ended more than 7 days ago → deleted; the others stay', async () => {
  const ann = await kinora.person({ credits: 0 })
  const session = (name: string, expiresAt: Date) => sql`
    insert into public."session" ("id", "token", "userId", "expiresAt", "updatedAt")
    values (${name}, ${name}, ${ann.userId}, ${expiresAt}, ${ago(40 * DAY_S)})
  `
  await session(`old ${ann.userId}`, ago(7 * DAY_S + HOUR_S))
  await session(`young ${ann.userId}`, ago(7 * DAY_S - HOUR_S))
  await sweepRows()
  const rows = await sql<{ id: string }[]>`select "id" from public."session" where "userId" = ${ann.userId}`
  assert.deepEqual(
    rows.filter(({ id }) => /old|young/.test(id)).map(({ id }) => id.split(' ')[0]),
    ['young'],
  )
  assert.equal(rows.length, 2)
})

test('KEEP_SESSIONS: tokens of OAuth that ended more than 7 days ago → deleted; the others stay', async () => {
  const ann = await kinora.person({ credits: 0 })
  await sql`insert into public."oauthClient" ("id", "clientId", "redirectUris") values ('c', 'c', '[]')`
  for (const [name, endedS] of [
    ['old', 7 * DAY_S + HOUR_S],
    ['young', 7 * DAY_S - HOUR_S],
  ] as const) {
    const expiresAt = ago(endedS)
    await sql`
      insert into public."oauthRefreshToken" ("id", "token", "clientId", "userId", "expiresAt", "createdAt", "scopes")
      values (${name}, ${name}, 'c', ${ann.userId}, ${expiresAt}, ${expiresAt}, '[]')
    `
    await sql`
      insert into public."oauthAccessToken" ("id", "token", "clientId", "userId", "expiresAt", "createdAt", "scopes")
      values (${name}, ${name}, 'c', ${ann.userId}, ${expiresAt}, ${expiresAt}, '[]')
    `
  }
  const { oauthAccessTokens, oauthRefreshTokens } = await sweepRows()
  assert.deepEqual([oauthAccessTokens, oauthRefreshTokens], [1, 1])
  assert.deepEqual(
    (await sql`select "id" from public."oauthAccessToken" union all select "id" from public."oauthRefreshToken"`).map(
      ({ id }) => id,
    ),
    ['young', 'young'],
  )
})

test('KEEP_VERIFICATIONS: verifications that ended more than a day ago → deleted', async () => {
  for (const [name, endedS] of [
    ['old', DAY_S + HOUR_S],
    ['young', DAY_S - HOUR_S],
  ] as const) {
    await sql`
      insert into public."verification" ("id", "identifier", "value", "expiresAt") values (${name}, 'x', 'x', ${ago(endedS)})
    `
  }
  assert.equal((await sweepRows()).verifications, 1)
  assert.deepEqual(
    (await sql`select "id" from public."verification"`).map(({ id }) => id),
    ['young'],
  )
})

test('KEEP_PROVIDER_TASKS: tasks of final videos after 90 days → deleted; of a video in progress → kept', async () => {
  const { uuid } = await finishedVideo(kinora)
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, { prompt: '[silent]' })
  await kinora.workUntil(
    async () => (await countOf(sql`select count(*) from kinora.provider_task where video_id = ${data.uuid}`)) === 1,
  )
  const age = (s: number) => sql`update kinora.provider_task set created_at = ${ago(s)}`
  await age(90 * DAY_S - HOUR_S)
  assert.equal((await sweepRows()).providerTasks, 0)
  await age(90 * DAY_S + HOUR_S)
  await sweepRows()
  const left = await sql`select video_id from kinora.provider_task where video_id in (${uuid}, ${data.uuid})`
  assert.deepEqual(
    left.map(({ videoId }) => videoId),
    [data.uuid],
  )
  await kinora.call('DELETE', `/api/v1/video/${data.uuid}`, { as: ann })
})

test('KEEP_VIDEO_LOGS: entries older than 180 days → deleted', async () => {
  const { uuid } = await finishedVideo(kinora)
  await sql`update kinora.video_log set at = ${ago(180 * DAY_S - HOUR_S)} where video_id = ${uuid}`
  await sql`update kinora.video_log set at = ${ago(180 * DAY_S + HOUR_S)} where video_id = ${uuid} and entry = 'accepted'`
  await sweepRows()
  assert.deepEqual(await logOf(kinora, uuid), ['result', 'completed'])
})

test('KEEP_PAYMENT_BODIES: bodies of applied, ignored and dismissed events after 400 days → emptied; the events stay', async () => {
  const event = (id: string, state: string, receivedS: number) => sql`
    insert into kinora.payment_event (processor, external_id, id, type, state, body, received_at)
    values ('payment-a', ${id}, gen_random_uuid(), 'test', ${state}, '{"id":1}', ${ago(receivedS)})
  `
  const old = 400 * DAY_S + HOUR_S
  for (const state of ['applied', 'ignored', 'unmatched', 'failed']) await event(`old ${state}`, state, old)
  await event('young applied', 'applied', old - 2 * HOUR_S)
  for (const [id, dismissedS] of [
    ['old dismissed', old],
    ['young dismissed', old - 2 * HOUR_S],
  ] as const) {
    await event(id, 'failed', 2 * old)
    await sql`
      update kinora.payment_event
      set state = 'dismissed', dismissed_at = ${ago(dismissedS)}, dismissed_by = id, dismissed_reason = 'x'
      where external_id = ${id}
    `
  }
  assert.equal((await sweepRows()).paymentBodies, 3)
  const rows = await sql`select external_id, body from kinora.payment_event order by external_id`
  assert.deepEqual(
    rows.map(({ externalId, body }) => [externalId, body]),
    [
      ['old applied', ''],
      ['old dismissed', ''],
      ['old failed', '{"id":1}'],
      ['old ignored', ''],
      ['old unmatched', '{"id":1}'],
      ['young applied', '{"id":1}'],
      ['young dismissed', '{"id":1}'],
    ],
  )
  const root = await kinora.person({ role: 'admin' })
  const listed = await kinora.call<{ events: { body: string }[] }>('GET', '/api/v1/admin/payments/events', { as: root })
  assert.equal(listed.status, 200)
  await sql`delete from kinora.payment_event`
})

test('sweep: 25 rows and batches of 10 → all are deleted, none in one statement', async () => {
  await sql`
    insert into public."verification" ("id", "identifier", "value", "expiresAt")
    select 'many ' || n, 'x', 'x', ${ago(30 * DAY_S)} from generate_series(1, 25) n
  `
  await sql`create table statement_size (rows bigint)`
  await sql`
    create function note_size() returns trigger language plpgsql as
    $$ begin insert into statement_size select count(*) from gone; return null; end $$
  `
  await sql`
    create trigger note_size after delete on public."verification" referencing old table as gone
    for each statement execute function note_size()
  `
  const { verifications } = await sweepRows(10)
  await sql`drop trigger note_size on public."verification"`
  assert.equal(verifications, 25)
  const sizes = await sql<{ rows: number }[]>`select rows from statement_size where rows > 0`
  assert.deepEqual(
    sizes.map(({ rows }) => rows),
    [10, 10, 5],
  )
})

test('sweep: statement of each table, those of a distributed database included → limited to a batch', async () => {
  const statements: { text: string; values: unknown[] }[] = []
  const record = (strings: readonly string[], ...values: unknown[]) => {
    statements.push({ text: strings.join('?'), values })
    return Promise.resolve(Object.assign([], { count: 0 }))
  }
  const part = Object.assign(record, { unsafe: (name: string) => name }) as unknown as typeof sql
  const database = { ...onePart(part), removeOldKeys: removeAdministratorKeys }
  const swept = await sweepOldRows({ ...app, sql: part, database }, { batch: 7 })
  const sweeps = statements.filter(({ text }) => !text.includes('check_clock'))
  assert.ok(sweeps.length >= swept.size && swept.has('administratorKeys'))
  assert.deepEqual(
    sweeps
      .filter(({ text, values }) => !(/\blimit \?/.test(text) && values.includes(7)))
      .map(({ text }) => text.trim()),
    [],
  )
})

test('sweep: idempotency keys → kept for two days, those of administrators’ grants for 30, with every setting', async () => {
  const ann = await kinora.person({ credits: 0 })
  const key = (operation: string, name: string, s: number) => sql`
    insert into kinora.idempotency_key (user_id, operation, key, request_hash, subject_user_id, subject_id, created_at)
    values (${ann.userId}, ${operation}, ${name}, '', ${ann.userId}, ${ann.userId}, ${ago(s)})
  `
  await key('a.test', 'old', 2 * DAY_S + HOUR_S)
  await key('a.test', 'young', 2 * DAY_S - HOUR_S)
  await key('credits.test', 'old grant', 30 * DAY_S + HOUR_S)
  await key('credits.test', 'young grant', 30 * DAY_S - HOUR_S)
  await sweepRows()
  const keys = await sql<
    { key: string }[]
  >`select key from kinora.idempotency_key where user_id = ${ann.userId} order by key`
  assert.deepEqual(
    keys.map(({ key: name }) => name),
    ['young', 'young grant'],
  )
})

test('settings: retention → durations, 0 where it means at once, "forever"; anything else is refused', () => {
  const read = (env: Record<string, string>) => {
    const required = { DATABASE_URL: 'postgres://x', AUTH_SECRET: 'x', AI_CALLBACK_SECRET: 'x' }
    return readConfig({ ...required, ...env }, []).retention
  }
  assert.deepEqual(read({}), {
    deletedS: 30 * DAY_S,
    filmsS: null,
    sessionsS: 7 * DAY_S,
    testFilmsS: DAY_S,
    verificationsS: DAY_S,
    providerTasksS: 90 * DAY_S,
    paymentBodiesS: 400 * DAY_S,
    videoLogsS: 180 * DAY_S,
    webhookDeliveriesS: 30 * DAY_S,
    mailsS: 30 * DAY_S,
    giftAddressesS: 400 * DAY_S,
  })
  assert.equal(read({ DELETED_KEPT: '0' }).deletedS, 0)
  assert.equal(read({ DELETED_KEPT: '12h' }).deletedS, 12 * HOUR_S)
  assert.equal(read({ DELETED_KEPT: 'forever' }).deletedS, null)
  assert.equal(read({ KEEP_FILMS: '365d' }).filmsS, 365 * DAY_S)
  assert.equal(read({ KEEP_FILMS: 'forever' }).filmsS, null)
  assert.equal(read({ KEEP_VIDEO_LOGS: 'forever' }).videoLogsS, null)
  // A slip of the keyboard must not delete every film.
  for (const [name, value] of [
    ['KEEP_FILMS', '0'],
    ['KEEP_FILMS', 'never'],
    ['DELETED_KEPT', '-1d'],
    ['KEEP_SESSIONS', '0'],
    // A delivery is retried for three days.
    ['KEEP_WEBHOOK_DELIVERIES', '3d'],
  ] as const) {
    assert.throws(
      () => read({ [name]: value }),
      (error) => error instanceof ConfigError && error.message.includes(name),
    )
  }
  assert.throws(() => read({ KEEP_MAILS: 'always' }), /KEEP_MAILS must be a time such as .*, or forever, not "always"/)
})

test('temporary files: left by a process that died → removed when they are an hour old', async () => {
  const parts = path.join(app.config.dataDir, 'tmp')
  await mkdir(path.join(parts, 'old'), { recursive: true })
  await writeFile(path.join(parts, 'old', 'film'), '')
  await writeFile(path.join(parts, 'young'), '')
  const longAgo = new Date(Date.now() - 2 * HOUR_S * 1000)
  await utimes(path.join(parts, 'old'), longAgo, longAgo)
  await removeStaleTemporaryFiles(app.config.dataDir)
  assert.deepEqual(await readdir(parts), ['young'])
})

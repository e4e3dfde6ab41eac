/**
 * Runs the product behind pgbouncer in transaction mode: each transaction may run in another session of PostgreSQL, no
 * statement is prepared, and start-up parameters are refused. `npm run test:pooler` runs the other files of the server
 * this way.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import postgres from 'postgres'
import { readConfig } from '../../src/config/config.ts'
import { ensureRoleLimits } from '../../src/db/role-limits.ts'
import { accounts } from '../../src/provider/accounts.ts'
import { notDistributed } from '../support/citus/database.ts'
import { openStream } from '../support/event-stream-client.ts'
import { type Kinora, openKinora } from '../support/harness.ts'
import { findPgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { runCommand, startProcess } from '../support/processes.ts'

const program = findPgbouncer()
const skip =
  notDistributed('a pooler is before the coordinator alone').skip ??
  (program === null && 'pgbouncer is not installed: apt-get install pgbouncer')
const pooler =
  program === null || skip !== false ? null : await startPgbouncer(program, process.env.TEST_DATABASE_URL ?? '')
// No service without a pooler: the tests are skipped.
const kinora = pooler === null ? ({} as Kinora) : await openPooled()
after(() => pooler?.stop())

async function openPooled(): Promise<Kinora> {
  // Registered first, so that it is the last to end.
  return await openKinora({
    pooler,
    simulator: true,
    worker: true,
    env: { RATE_LIMITS: 'on', RATE_LIMIT_STORE: 'postgresql' },
  })
}

test('settings: DATABASE_POOLER=transaction without DATABASE_URL_DIRECT → refused with the remedy', () => {
  const read = () =>
    readConfig({ DATABASE_URL: 'postgres://x@127.0.0.1/x', DATABASE_POOLER: 'transaction' }, accounts())
  assert.throws(read, /DATABASE_POOLER=transaction needs DATABASE_URL_DIRECT/)
})

test('pooler: generate → film stored, credits settled, every status in the event stream', { skip }, async () => {
  const ann = await kinora.person()
  const stream = await openStream(kinora.url, ann)
  const { data } = await kinora.generate(ann)
  const video = await kinora.finish(ann, data.uuid)
  assert.equal(video.status, 'COMPLETED')
  await stream.until(data.uuid, 'COMPLETED')
  assert.equal((await kinora.balance(ann)).frozen, 0)
  stream.close()
})

test('pooler: 40 requests at once over 6 sessions → each has its own response', { skip }, async () => {
  const users = await Promise.all(Array.from({ length: 10 }, (_, n) => kinora.person({ credits: 10 + n })))
  const responses = await Promise.all(
    [...users, ...users, ...users, ...users].map(async (as) => [as, await kinora.balance(as)] as const),
  )
  for (const [as, { available }] of responses) assert.equal(available, 10 + users.indexOf(as))
})

test('429: rate limits in PostgreSQL behind the pooler → counted over every session', { skip }, async () => {
  const signIn = () =>
    kinora.call('POST', '/api/auth/sign-in/email', { body: { email: 'ann@example.com', password: 'a wrong one' } })
  const statuses = (await Promise.all(Array.from({ length: 12 }, signIn))).map(({ status }) => status)
  assert.ok(statuses.includes(401))
  assert.ok(statuses.includes(429))
})

test('pooler: every session → has the limits of time of the role, also that of sign-in', { skip }, async () => {
  const read = () =>
    kinora.app.sql<{ pid: number; statement: string; lock: string; path: string }[]>`
      select pg_backend_pid() as pid, current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock,
             current_setting('search_path') as path, pg_sleep(0.05)::text
    `
  const sessions = (await Promise.all(Array.from({ length: 16 }, read))).flat()
  assert.ok(new Set(sessions.map(({ pid }) => pid)).size > 1)
  for (const { statement, lock, path } of sessions) assert.deepEqual([statement, lock, path], ['30s', '3s', 'public'])
})

test('503: account that another transaction holds behind the pooler → the lock timeout of the role ends the wait', {
  skip,
}, async () => {
  const ann = await kinora.person()
  const holder = postgres(kinora.databaseUrl, { max: 1, onnotice: () => {} })
  await holder.begin(async (tx) => {
    await tx`select from kinora.credit_account where user_id = ${ann.userId} for update`
    assert.equal((await kinora.generate(ann)).status, 503)
  })
  await holder.end()
  assert.equal((await kinora.generate(ann)).status, 200)
})

test('pooler: limits of the role → written once, and read by every later start', { skip }, async () => {
  assert.deepEqual(await ensureRoleLimits(kinora.app.config.databaseUrl), [])
  await Promise.all(Array.from({ length: 4 }, () => ensureRoleLimits(kinora.app.config.databaseUrl)))
})

test('kinora migrate, verify, doctor, backup: behind the pooler → work', { skip }, async () => {
  const migrated = await runCommand(kinora, ['migrate'])
  assert.equal(migrated.status, 0, migrated.output)
  const verified = await runCommand(kinora, ['verify'])
  assert.match(verified.output, /The books are right/)
  const { output } = await runCommand(kinora, ['doctor'])
  assert.match(output, /^settings of sessions – the role has them$/m)
  const backup = await runCommand(kinora, ['backup', `${kinora.app.config.dataDir}/pooled.backup`, '--no-hashes'])
  assert.equal(backup.status, 0, backup.output)
})

test('kinora all: DATABASE_POOLER=transaction → ready, with every setting in its environment', { skip }, async () => {
  const server = await startProcess(kinora, 'all')
  assert.equal(await server.stop(), 0)
})

test('kinora migrate: pooler that is not declared → one sentence with the settings to make', { skip }, async () => {
  const { databaseUrl } = kinora.app.config
  const { status, output } = await runCommand(kinora, ['api'], {
    DATABASE_POOLER: 'off',
    DATABASE_URL_DIRECT: databaseUrl,
  })
  assert.equal(status, 78)
  assert.match(output, /It is a pooler: set DATABASE_POOLER=transaction, and DATABASE_URL_DIRECT/)
})

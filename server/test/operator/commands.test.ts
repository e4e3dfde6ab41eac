// slow
/** `kinora reset-password`, `promote`, `doctor`, `providers`, `costs` and `upgrade --check`, as processes. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { readConfig } from '../../src/config/config.ts'
import { backupCheck } from '../../src/operator/doctor-checks.ts'
import { completedVideo } from '../support/completed-video.ts'
import { openKinora } from '../support/harness.ts'
import { runCommand, runOn } from '../support/processes.ts'
import { openS3Server } from '../support/s3-server.ts'
import { sharedSimulator } from '../support/simulator.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()
const EMAIL = 'ann@example.com'
const OLD_PASSWORD = 'her forgotten words'

async function signUp(email: string): Promise<string> {
  const body = { name: 'Ann', email, password: OLD_PASSWORD }
  const { text } = await kinora.call('POST', '/api/auth/sign-up/email', { body })
  return (JSON.parse(text) as { token: string }).token
}

async function signIn(password: string): Promise<{ status: number; token: string }> {
  const { status, text } = await kinora.call('POST', '/api/auth/sign-in/email', { body: { email: EMAIL, password } })
  return { status, token: (JSON.parse(text) as { token?: string }).token ?? '' }
}

const statusWith = async (token: string, path: string) =>
  (await kinora.call('GET', path, { headers: { authorization: `Bearer ${token}` } })).status

const entriesOf = (email: string) => kinora.app.sql`
  select a.actor_id, a.action, a.before, a.after, a.reason
  from kinora.audit a
  join public."user" u on u.id = a.user_id::text and u.email = ${email}
`
const SERVICE = '00000000-0000-0000-0000-000000000000'

test('exit status: wrong setting, refusing database, wrong argument → 78, 78, 2; a database that is away → 1', async () => {
  const missing = new URL(kinora.databaseUrl)
  missing.pathname = '/none'
  const cases: [status: number, url: string, args: string[], env: Record<string, string>, says: RegExp][] = [
    [78, kinora.databaseUrl, ['worker'], { WORKER_CONCURRENCY: 'many' }, /WORKER_CONCURRENCY must be a whole number/],
    [78, missing.href, ['migrate'], {}, /database "none" does not exist/],
    [2, kinora.databaseUrl, ['api', '--processes', 'many'], {}, /--processes must be auto or a whole number/],
    [1, 'postgres://ann@127.0.0.1:1/none', ['migrate'], {}, /The database does not answer/],
  ]
  for (const [status, url, args, env, says] of cases) {
    const ended = await runOn(url, args, env)
    assert.equal(ended.status, status, ended.output)
    assert.match(ended.output, says)
  }
})

test('kinora reset-password: user with a session → a new password once, no session left, one audit entry', async () => {
  const token = await signUp(EMAIL)
  const { status, output } = await runCommand(kinora, ['reset-password', ' Ann@Example.com '])
  assert.equal(status, 0, output)
  const [, password = ''] = /^New password of ann@example\.com: (\S+)$/m.exec(output) ?? []
  assert.match(password, /^[2-9a-z]{5}(-[2-9a-z]{5}){3}$/)
  assert.match(output, /1 session was ended; API keys stay valid/)
  const sessions = await kinora.app.sql`
    select from public.session s join public."user" u on u.id = s."userId" where u.email = ${EMAIL}
  `
  assert.equal(sessions.length, 0)
  assert.equal(await statusWith(token, '/api/v1/credit/balance'), 401)
  assert.equal((await signIn(OLD_PASSWORD)).status, 401)
  const again = await signIn(password)
  assert.equal(again.status, 200)
  assert.equal(await statusWith(again.token, '/api/v1/credit/balance'), 200)
  const entries = await entriesOf(EMAIL)
  assert.deepEqual(
    entries.map((entry) => ({ ...entry })),
    [
      {
        actorId: SERVICE,
        action: 'user.set-password',
        before: { sessions: 1 },
        after: { sessions: 0 },
        reason: 'kinora reset-password',
      },
    ],
  )
})

test('kinora promote: user → administrator, with one audit entry; again → unchanged', async () => {
  const email = 'eve@example.com'
  const token = await signUp(email)
  assert.equal(await statusWith(token, '/api/v1/admin/users'), 403)
  assert.match((await runCommand(kinora, ['promote', email])).output, /eve@example\.com is an administrator now/)
  const again = await runCommand(kinora, ['promote', email])
  assert.deepEqual({ ...again }, { status: 0, output: 'eve@example.com was an administrator already.\n' })
  const entries = await entriesOf(email)
  assert.deepEqual(
    entries.map(({ action, before, after, reason }) => ({ action, before, after, reason })),
    [
      {
        action: 'user.set-role',
        before: { role: 'user' },
        after: { role: 'admin' },
        reason: 'kinora promote',
      },
    ],
  )
  assert.equal(await statusWith(token, '/api/v1/admin/users'), 200)
})

test('kinora reset-password, promote: unknown or missing address → exit 1 or 2, one sentence', async () => {
  const unknown = { status: 1, output: 'There is no user with the e-mail address none@example.com.\n' }
  assert.deepEqual(await runCommand(kinora, ['reset-password', 'none@example.com']), unknown)
  assert.deepEqual(await runCommand(kinora, ['promote', 'none@example.com']), unknown)
  const missing = await runCommand(kinora, ['promote'])
  assert.deepEqual(missing, {
    status: 2,
    output: 'Name the user by the e-mail address: kinora promote ann@example.com\n',
  })
})

test('kinora doctor: running service → schema, rights, clock and storage are right', async () => {
  const { output } = await runCommand(kinora, ['doctor'])
  assert.match(output, /^schema – version \d+, this release has \d+$/m)
  assert.match(output, /^rights – rows of every table$/m)
  assert.match(output, /^clock – as that of the database$/m)
  assert.match(output, /^storage – .*files, stored, read and removed a file$/m)
  const wrong = await runCommand(kinora, ['doctor'], {
    S3_BUCKET: 'b',
    S3_ENDPOINT: 'http://127.0.0.1:9',
    S3_ACCESS_KEY_ID: 'k',
    S3_SECRET_ACCESS_KEY: 's',
    SMTP_URL: 'smtp://ann:a-secret@127.0.0.1:9',
    MAIL_FROM: 'no-reply@example.com',
    BACKUP_TO: kinora.app.config.dataDir,
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  })
  assert.match(wrong.output, /^backup – none at .+ – run kinora backup every night/m)
  assert.match(wrong.output, /^traces – http:\/\/127\.0\.0\.1:9: the connection was refused – check OTEL_/m)
  assert.match(wrong.output, /^mail – 127\.0\.0\.1:9 does not accept: .+ – check SMTP_URL/m)
  assert.match(
    wrong.output,
    /^gift – 60 credits once the address is verified, because SMTP_URL is set – .*GIFT_AFTER=/m,
  )
  assert.doesNotMatch(wrong.output, /a-secret/)
  assert.match(wrong.output, /^storage – bucket b fails: .+ – check S3_BUCKET, S3_ENDPOINT and the keys$/m)
})

test('kinora providers, doctor: good key, wrong key, no answer → each is told, with what the protocol offers; exit 1', async () => {
  const { url } = await sharedSimulator()
  const env = {
    PROVIDER_FAL_URL: `${url}/fal`,
    PROVIDER_FAL_API_KEY: 'key',
    PROVIDER_B_URL: 'http://user:a-secret@127.0.0.1:9/provider-b',
    PROVIDER_REPLICATE_URL: `${url}/replicate`,
    PROVIDER_REPLICATE_API_KEY: 'wrong',
  }
  const { status, output } = await runCommand(kinora, ['providers'], env)
  assert.equal(status, 1)
  assert.match(
    output,
    /^provider-a – http:\/\/127\.0\.0\.1:9\/provider-a – does not answer: the connection was refused$/m,
  )
  assert.match(output, new RegExp(`^fal – ${url}/fal – takes the key, 24.5 USD left$`, 'm'))
  assert.match(output, /^ {2}callback: signed · .*cancel: yes · lost submit: reported by the callback/m)
  assert.match(output, /^replicate – .* – refuses the key: ./m)
  assert.match(output, /^provider-b – http:\/\/127\.0\.0\.1:9\/provider-b – /m)
  assert.doesNotMatch(output, /a-secret/)
  assert.match(output, /^ {2}last failure: none of the last day$/m)
  const examined = await runCommand(kinora, ['doctor'], env)
  assert.equal(examined.status, 1)
  assert.match(examined.output, /^provider fal – takes the key, 24.5 USD left$/m)
  assert.match(examined.output, /^provider replicate – refuses the key: .* – set PROVIDER_REPLICATE_API_KEY$/m)
  assert.match(
    examined.output,
    /^provider provider-a – does not answer: the connection was refused – check PROVIDER_A_URL/m,
  )
})

test('kinora costs: films that ended → a row for each group and a total, or CSV; unknown group or day → exit 2', async () => {
  const ann = await kinora.person({ credits: 1000 })
  for (const catalogueUsd of [0.5, 0.25]) {
    const uuid = await completedVideo(kinora, ann)
    await kinora.app.sql`
      update kinora.video set catalogue_usd = ${catalogueUsd} where user_id = ${ann.userId} and id = ${uuid}
    `
  }
  const { status, output } = await runCommand(kinora, ['costs', '--by', 'model,account'])
  assert.equal(status, 0, output)
  assert.match(output, /^Films that ended from \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d \(UTC\)\.$/m)
  assert.match(output, /^delta-1-5 provider-b +2 +0 +0 +8 +32 +0 +\$0\.00 +\$0\.75 +-\$0\.75 +0 +\d+ s +\d+ s$/m)
  assert.match(output, /^total +2 +0 +0 +8 +32 /m)
  const csv = await runCommand(kinora, ['costs', '--by', 'model', '--csv'])
  assert.match(csv.output, /^day,model,.*\r\n,delta-1-5,,,,2,0,0,8,32,0,/)
  for (const args of [
    ['--by', 'price'],
    ['--from', '2026-02-30'],
  ])
    assert.equal((await runCommand(kinora, ['costs', ...args])).status, 2, args.join())
})

test('kinora doctor: a credit above what is sold → films below their cost; by default none', async () => {
  const { output } = await runCommand(kinora, ['doctor'], { PROVIDER_OPENROUTER_API_KEY: 'key', CREDIT_USD: '0.0532' })
  assert.match(
    output,
    /^prices – below cost: .*veo-3\.1 at openrouter with ultimate-yearly.* – raise the prices or set CREDIT_USD/m,
  )
  const { output: byDefault } = await runCommand(kinora, ['doctor'], { PROVIDER_OPENROUTER_API_KEY: 'key' })
  assert.match(byDefault, /^prices – every film brings at least its cost$/m)
})

test('kinora doctor: BACKUP_TO that names one file → its age, on disk and in S3', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'kinora-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'books.backup')
  const lineOf = async (target: string, env = {}) => {
    const { output } = await runCommand(kinora, ['doctor'], { BACKUP_TO: target, ...env })
    return /^backup – .*$/m.exec(output)?.[0] ?? output
  }
  assert.match(await lineOf(file), /^backup – none at .*books\.backup – run kinora backup every night/)
  writeFileSync(file, 'books')
  assert.match(await lineOf(file), /^backup – 1 at .*books\.backup, the newest of 20\S+Z$/)
  utimesSync(file, new Date(), new Date('2025-01-01'))
  assert.match(
    await lineOf(file),
    /^backup – the newest at .*books\.backup is of 2025-01-01T00:00:00\.000Z – run kinora backup every night/,
  )
  const s3 = await openS3Server()
  t.after(s3.close)
  const inS3 = () => lineOf('s3://backups/kinora/books.backup', s3.env('BACKUP_'))
  s3.objects.set('backups/kinora/books.backup.old', Buffer.from('another'))
  assert.match(await inS3(), /^backup – none at s3:/)
  s3.objects.set('backups/kinora/books.backup', Buffer.from('books'))
  assert.match(await inS3(), /^backup – 1 at s3:\/\/backups\/kinora\/books\.backup, the newest of 20\S+Z$/)
})

test('kinora doctor: bucket of backups that refuses a list → reported, and no connection stays open', async (t) => {
  const s3 = await openS3Server()
  t.after(s3.close)
  const env = { ...s3.env('BACKUP_'), BACKUP_TO: 's3://backups/kinora' }
  const config = readConfig({ ...env, DATABASE_URL: kinora.databaseUrl, AUTH_SECRET: 'a' }, [])
  s3.failOnce('list-type=2', 403)
  const [finding] = await backupCheck(config)
  assert.match(finding?.state ?? '', /^s3:\/\/backups\/kinora fails: /)
  await waitFor('the connection to be closed', async () => (await s3.connections()) === 0)
})

test('kinora doctor: role that may only read → the tables whose rows it cannot change', async (t) => {
  const { sql, config } = kinora.app
  const role = `kinora_reader_${randomUUID().slice(0, 8)}`
  await sql.unsafe(`create role ${role} login password 'reads'`)
  t.after(async () => {
    await sql.unsafe(`drop owned by ${role}; drop role ${role}`).simple()
  })
  await sql.unsafe(`grant usage on schema kinora, public to ${role}`)
  await sql.unsafe(`grant select on all tables in schema kinora, public to ${role}`)
  const url = new URL(config.databaseUrl)
  url.username = role
  url.password = 'reads'
  const { output } = await runCommand(kinora, ['doctor'], { DATABASE_URL: url.href })
  assert.match(
    output,
    /^rights – not those of .*kinora\.video.*public\.session.* – grant the role of DATABASE_URL .*select, insert, update, delete /m,
  )
})

test('kinora upgrade --check: current database → nothing to do; an older one → each migration with its locks, unchanged', async () => {
  const current = await runCommand(kinora, ['upgrade', '--check'])
  assert.equal(current.status, 0, current.output)
  assert.match(current.output, /the database has version \d+\.\nNothing to do\.$/m)
  await kinora.app.sql`delete from kinora.migration where name = '0001_schema.sql'`
  const older = await runCommand(kinora, ['upgrade', '--check'])
  assert.match(older.output, /^0001_schema\.sql: one transaction – locks .*public\."session" \(\d+ rows, \d+ MB\)/m)
  assert.match(older.output, /Run `kinora migrate`/)
  const rows = await kinora.app.sql`select from kinora.migration where name = '0001_schema.sql'`
  assert.equal(rows.length, 0)
  assert.equal((await runCommand(kinora, ['upgrade'])).status, 2)
})

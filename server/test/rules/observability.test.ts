/** The metrics that deploy/observability reads: each exists, and those of the backlog and the database are right. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { openDb } from '../../src/db/db.ts'
import { onePart } from '../../src/db/parts.ts'
import { queues } from '../../src/media/queues.ts'
import { openSigner } from '../../src/provenance/keys.ts'
import { signDue } from '../../src/video/film-provenance.ts'
import { completedVideo } from '../support/completed-video.ts'
import { freePort } from '../support/free-port.ts'
import { openKinora } from '../support/harness.ts'

const metricsPort = await freePort()
const backups = mkdtempSync(path.join(tmpdir(), 'kinora-test-'))
after(() => rmSync(backups, { recursive: true }))
writeFileSync(path.join(backups, 'kinora-2025-01-01T00-00-00Z.backup'), 'books')
const mail = { SMTP_URL: 'smtp://127.0.0.1:9', MAIL_FROM: 'no-reply@example.com' }
// No moderation answers there, and films are made all the same.
const moderation = { MODERATION_URL: 'http://127.0.0.1:9/', MODERATION_FAIL: 'open' }
const kinora = await openKinora({
  env: { METRICS_PORT: `${metricsPort}`, BACKUP_TO: backups, ...mail, ...moderation },
})
const folder = new URL('../../../deploy/observability/', import.meta.url)

const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
const readMetric = (text: string, name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1])

test('observability: every metric of the dashboard and the alert rules → is at /metrics', async () => {
  const known = new Set([...(await metrics()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  const files = readdirSync(folder).filter((name) => ['alerts.yaml', 'grafana.json'].includes(name))
  assert.equal(files.length, 2)
  const used = files.flatMap((name) => [
    ...new Set(readFileSync(new URL(name, folder), 'utf8').match(/\b(kinora|process)_[a-z_]+\b(?=[{)[ ]|$)/gm)),
  ])
  const base = (name: string) => (known.has(name) ? name : name.replace(/_(count|sum|bucket)$/, ''))
  assert.deepEqual(
    used.filter((name) => !known.has(base(name))),
    [],
  )
  assert.ok(used.length > 25, `${used.length} uses`)
})

test('200: /metrics → due videos with the age of the oldest, dead rows, snapshots, space and the check of the books', async () => {
  const ann = await kinora.person()
  await kinora.generate(ann)
  await kinora.generate(ann)
  kinora.turnClock(90_000)
  const text = await metrics()
  kinora.turnClock(-90_000)
  assert.equal(readMetric(text, 'kinora_videos_due'), 2)
  const oldestS = readMetric(text, 'kinora_videos_oldest_due_seconds')
  assert.ok(oldestS >= 90 && oldestS < 300, `${oldestS} s`)
  assert.ok(readMetric(text, 'kinora_disk_free_bytes') > 0)
  assert.ok(readMetric(text, 'kinora_database_oldest_snapshot_seconds') >= 0)
  assert.equal(readMetric(text, 'kinora_ledger_differences'), 0)
  assert.equal(readMetric(text, 'kinora_ledger_check_last_success_timestamp_seconds'), 0)
})

test('200: /metrics, films arrive while two are inspected → how many wait, and for how long the oldest has', async () => {
  const running = await Promise.all(['ann', 'bob'].map((userId) => queues.film.acquire(userId)))
  const waiting = ['cid', 'dan'].map((userId) => queues.film.acquire(userId))
  const text = await metrics()
  assert.equal(readMetric(text, 'kinora_inspections_waiting\\{kind="film"\\}'), 2)
  assert.ok(readMetric(text, 'kinora_inspections_oldest_waiting_seconds\\{kind="film"\\}') > 0)
  for (const release of running) release()
  for (const release of await Promise.all(waiting)) release()
  const after = await metrics()
  assert.equal(readMetric(after, 'kinora_inspections_waiting\\{kind="film"\\}'), 0)
  assert.equal(readMetric(after, 'kinora_inspections_oldest_waiting_seconds\\{kind="film"\\}'), 0)
})

test('200: /metrics → films that wait to be signed or were signed later, and when the certificate expires', async () => {
  const { config, sql, now } = kinora.app
  const signer = await openSigner(config, now())
  const ann = await kinora.person({ credits: 500 })
  const uuids = [
    await completedVideo(kinora, ann),
    await completedVideo(kinora, ann),
    await completedVideo(kinora, ann),
  ]
  await sql`update kinora.video_provenance set due_at = ${now()} where video_id = ${uuids[0] ?? ''}`
  assert.equal(await signDue(kinora.app), 1)
  await sql`update kinora.video_provenance set attempt = 2 where video_id = ${uuids[1] ?? ''}`
  const text = await metrics()
  assert.equal(readMetric(text, 'kinora_films_unsigned\\{state="waiting"\\}'), 1)
  assert.equal(readMetric(text, 'kinora_films_unsigned\\{state="failed"\\}'), 1)
  assert.equal(readMetric(text, 'kinora_films_signed_later'), 1)
  const expires = 'kinora_provenance_certificate_expires_timestamp_seconds\\{signer="Kinora \\(self-made\\)"\\}'
  assert.equal(readMetric(text, expires), signer.validTo.getTime() / 1000)
})

test('200: /metrics → the newest backup at BACKUP_TO, and mail that waits', async () => {
  await kinora.app.sql`
    insert into kinora.mail (id, kind, key, is_notice, recipient, data, has_link, due_at, expires_at, created_at)
    values (gen_random_uuid(), 'password-reset', 'k', false, 'ann@example.com', '{}', false, now(), now() + interval '1 day',
            now() - interval '20 minutes')
  `
  const text = await metrics()
  assert.equal(
    readMetric(text, `kinora_backup_last_timestamp_seconds\\{to="${backups}"\\}`),
    Date.UTC(2025, 0, 1) / 1000,
  )
  assert.equal(readMetric(text, 'kinora_mails_pending'), 1)
  assert.ok(readMetric(text, 'kinora_mail_oldest_pending_seconds') >= 1200)
})

test('200: /metrics while the database is down → those of the process; parts that were read before are as they were', async () => {
  const { app } = kinora
  const { sql, database } = app
  const broken = openDb('postgres://kinora@127.0.0.1:9/none', { connections: 1, name: 'kinora test' })
  Object.assign(app, { sql: broken, database: onePart(broken) })
  const text = await metrics().finally(() => {
    Object.assign(app, { sql, database })
    return broken.end({ timeout: 0 })
  })
  for (const part of ['backlog', 'costs', 'payments', 'operations', 'providers']) {
    assert.match(text, new RegExp(`^kinora_metrics_unavailable\\{part="${part}"\\} 1$`, 'm'))
  }
  assert.ok(readMetric(text, 'process_cpu_seconds_total') > 0)
  assert.match(text, /^kinora_videos_due /m)
  assert.match(await metrics(), /^kinora_metrics_unavailable\{part="backlog"\} 0$/m)
})

/** What an idle worker asks for: one statement names each kind of work that is due, none that waits or is leased. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { call } from '../../src/db/call.ts'
import { openKinora } from '../support/harness.ts'
import { claimVideo } from '../support/video-row.ts'

const kinora = await openKinora()
const { app } = kinora
const due = async () => [...((await call(app.sql, 'work_due', { now: app.now() })) as string[])]

test('work due: video → its loop is named until it is claimed, and again when the lease has ended', async () => {
  assert.deepEqual(await due(), [])
  const ann = await kinora.person({ credits: 100 })
  const { uuid } = (await kinora.generate(ann)).data
  assert.deepEqual(await due(), ['provider steps'])
  await claimVideo(kinora, ann.userId, uuid, randomUUID())
  assert.deepEqual(await due(), [])
  await app.sql`update kinora.video set status = 'UPLOADING', due_at = ${app.now()} where id = ${uuid}`
  assert.deepEqual(await due(), ['collect steps'])
  await app.sql`update kinora.video set status = 'PENDING', due_at = ${app.now()} where id = ${uuid}`
  await claimVideo(kinora, ann.userId, uuid, randomUUID())
  assert.deepEqual(await due(), [])
})

test('work due: mail, webhook or payment event whose time has come → named; one that waits → not', async () => {
  const ann = await kinora.person()
  const now = app.now()
  const later = new Date(now.getTime() + 60_000)
  const id = randomUUID()
  await app.sql`
    insert into kinora.mail (id, kind, key, is_notice, recipient, data, has_link, due_at, expires_at, created_at)
    values (${id}, 'verify-email', 'k', false, 'ann@example.com', '{}', false, ${later}, ${later}, ${now})
  `
  await app.sql`
    insert into kinora.webhook_endpoint (user_id, id, is_registered, url, due_at, created_at, updated_at)
    values (${ann.userId}, ${id}, true, 'https://example.com', ${later}, ${now}, ${now})
  `
  await app.sql`
    insert into kinora.payment_event (processor, external_id, id, type, state, body, received_at, retry_at)
    values ('payment-b', 'evt', ${id}, 'x', 'failed', '{}', ${now}, ${later})
  `
  assert.deepEqual(await due(), [])
  await app.sql`update kinora.mail set due_at = ${now} where id = ${id}`
  assert.deepEqual(await due(), ['mail'])
  await app.sql`update kinora.mail set state = 'sent', due_at = null where id = ${id}`
  await app.sql`update kinora.webhook_endpoint set due_at = ${now} where id = ${id}`
  assert.deepEqual(await due(), ['webhooks'])
  await app.sql`update kinora.webhook_endpoint set failing_since = ${now} where id = ${id}`
  assert.deepEqual(await due(), ['webhooks'])
  await app.sql`delete from kinora.webhook_endpoint where id = ${id}`
  await app.sql`update kinora.payment_event set retry_at = ${now} where id = ${id}`
  assert.deepEqual(await due(), ['payment events'])
  await app.sql`delete from kinora.payment_event where id = ${id}`
})

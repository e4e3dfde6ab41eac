/** Incidents: notices to all users by banner and mail, and maintenance, which new work waits for. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { mailIncidents, readIncidents } from '../../src/admin/incidents.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { plain } from '../support/images.ts'

const HOUR_MS = 3600_000
const kinora = await openKinora({ simulator: true })
const { app } = kinora
const { sql } = app
const root = await kinora.person({ role: 'admin' })
const texts = { textEn: 'We move to larger machines.', textZh: '我们正在迁移。' }

afterEach(async () => {
  await sql`delete from kinora.incident`
  await readIncidents(app)
})

type Notice = { id: string; textEn: string; pauses: boolean; endsAt: string }
const from = (hours: number) => new Date(app.now().getTime() + hours * HOUR_MS).toISOString()
const set = (change: object = {}, id = randomUUID() as string, as = root) =>
  kinora.call<{ id: string }>('PUT', `/api/v1/admin/incidents/${id}`, {
    as,
    body: {
      ...texts,
      ...{ isBanner: true, isMail: false, pauses: false, startsAt: from(-1), endsAt: from(1), reason: 'Migration 12' },
      ...change,
    },
  })
const banners = async () =>
  (await kinora.call<{ notices: Notice[] }>('GET', '/api/v1/config/notices')).data.notices.map(({ id }) => id)
const upload = async (as: Person) =>
  kinora.call('POST', '/api/v1/asset', { as, body: await plain(640, 360), headers: { 'content-type': 'image/png' } })

test('200: notice → a banner from its start to its end, of maintenance before it too; changed by the same id', async () => {
  kinora.holdClock()
  const { data: now } = await set()
  await set({ startsAt: from(1), endsAt: from(2) })
  await set({ isBanner: false })
  const { data: soon } = await set({ pauses: true, startsAt: from(1), endsAt: from(2) })
  assert.deepEqual(await banners(), [now.id, soon.id])
  for (const _again of [1, 2]) await set({ endsAt: app.now().toISOString() }, now.id)
  assert.deepEqual(await banners(), [soon.id])
  const entries = await sql`select reason from kinora.audit where action = 'incident.set' and subject = ${now.id}`
  assert.equal(entries.length, 2)
  const { data } = await kinora.call<{ incidents: Notice[] }>('GET', '/api/v1/admin/incidents', { as: root })
  assert.equal(data.incidents.length, 4)
})

test('400, 403: end before start, malformed id, text missing, another role → nothing is told', async () => {
  assert.equal((await set({ startsAt: from(1), endsAt: from(0) })).status, 400)
  assert.equal((await set({}, 'nonsense')).status, 400)
  assert.equal((await set({ textZh: ' ' })).status, 400)
  assert.equal((await set({}, randomUUID(), await kinora.person())).status, 403)
  assert.deepEqual(await banners(), [])
})

test('503: generate and uploads during maintenance → text, until when and Retry-After; films in progress end', async () => {
  const ann = await kinora.person({ credits: 100 })
  const running = await kinora.generate(ann)
  kinora.holdClock()
  const { data } = await set({ pauses: true })
  const until = `${from(1).slice(0, 16).replace('T', ' ')} UTC`
  for (const { status, error, headers } of [await kinora.generate(ann), await upload(ann)]) {
    assert.equal(status, 503)
    assert.equal(error?.message, `We move to larger machines. New films and uploads are taken from ${until} on.`)
    assert.equal(headers.get('retry-after'), '3600')
  }
  const compatible = await kinora.call('POST', '/openai/v1/videos', {
    as: ann,
    body: { model: 'delta-1-5', prompt: 'A boat' },
  })
  assert.deepEqual([compatible.status, compatible.headers.get('retry-after')], [503, '3600'])
  assert.equal((await kinora.finish(ann, running.data.uuid)).status, 'COMPLETED')
  assert.equal((await kinora.balance(ann)).used, 16)
  await set({ pauses: true, endsAt: app.now().toISOString() }, data.id)
  assert.equal((await kinora.generate(ann)).status, 200)
})

test('mail: notice for all → one message for each verified user who wants it, in both languages, also after a crash', async () => {
  const [ann, bob, unverified] = [await kinora.person(), await kinora.person(), await kinora.person()]
  await sql`update public."user" set "emailVerified" = id <> ${unverified.userId}`
  await kinora.call('PUT', '/api/v1/account/notices', { as: bob, body: { 'service.notice': false } })
  const { data } = await set({ isMail: true, pauses: true, startsAt: from(24), endsAt: from(25) })
  await mailIncidents(app)
  // As if the worker had died before it recorded how far it was.
  await sql`update kinora.incident set mailed_to = '' where id = ${data.id}`
  await mailIncidents(app)
  const written = await sql<{ userId: string; data: { textEn: string; textZh: string } }[]>`
    select user_id, data from kinora.mail where kind = 'service.notice'
  `
  const to = written.map(({ userId }) => userId)
  assert.deepEqual(
    [ann, bob, unverified].map(({ userId }) => to.filter((each) => each === userId).length),
    [1, 0, 0],
  )
  assert.deepEqual([written[0]?.data.textEn, written[0]?.data.textZh], [texts.textEn, texts.textZh])
  type Listed = { incidents: { id: string; isMailed: boolean }[] }
  const { incidents } = (await kinora.call<Listed>('GET', '/api/v1/admin/incidents', { as: root })).data
  assert.deepEqual(
    incidents.map(({ isMailed }) => isMailed),
    [true],
  )
})

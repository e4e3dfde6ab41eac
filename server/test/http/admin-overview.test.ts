/** `GET /api/v1/admin/overview`: the figures of a period, and what an operator must know now. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { completedVideo } from '../support/completed-video.ts'
import { openKinora } from '../support/harness.ts'
import { deliverAll, paymentEnv } from '../support/payment/payment-delivery.ts'
import { checkoutA, eventA, newName } from '../support/payment/payment-events.ts'

const backups = mkdtempSync(path.join(tmpdir(), 'kinora-overview-'))
after(() => rmSync(backups, { recursive: true }))
writeFileSync(path.join(backups, 'kinora-2026-01-30T02-00-00Z.backup'), '')
const kinora = await openKinora({ env: { ...paymentEnv, BACKUP_TO: backups } })
const root = await kinora.person({ role: 'admin', credits: 0 })
const { sql } = kinora.app
const DAY_MS = 86_400_000
const dayOf = (time: Date) => time.toISOString().slice(0, 10)

type Overview = {
  from: string
  films: Record<string, number>
  signUps: number
  credits: Record<string, number>
  revenue: { currency: string; received: number; returned: number }[]
  days: {
    day: string
    films: number
    failed: number
    revenue: { currency: string; received: number; returned: number }[]
  }[]
  now: Record<string, unknown> & { mails: object; backup: { madeAt: string }; inProgress: number }
}
async function overview(query = ''): Promise<Overview> {
  const { status, data, text } = await kinora.call<Overview>('GET', `/api/v1/admin/overview?${query}`, { as: root })
  assert.equal(status, 200, text)
  return data
}

test('200: films, sign-ups, payments and what is owed → their figures, of the days on which they were', async () => {
  const before = await overview()
  const ann = await kinora.person({ credits: 1000 })
  await completedVideo(kinora, ann)
  const old = await completedVideo(kinora, ann)
  const then = new Date(kinora.app.now().getTime() - 400 * DAY_MS)
  await sql`update kinora.video set completed_at = ${then} where user_id = ${ann.userId} and id = ${old}`
  const { uuid } = (await kinora.generate(ann)).data
  await kinora.call('POST', `/api/v1/video/${uuid}/cancel`, { as: ann })
  await kinora.generate(ann)
  await deliverAll(kinora, 'payment-a', eventA('checkout.completed', checkoutA(ann.userId)))
  const found = await overview()
  const today = dayOf(kinora.app.now())
  assert.deepEqual([found.films.films, found.films.cancelled, found.films.filmSeconds], [1, 1, 4])
  assert.equal(found.signUps, before.signUps + 1)
  assert.deepEqual(found.credits, { sold: 280, used: 16, returned: 16, owed: 0 })
  assert.deepEqual(found.revenue, [{ currency: 'USD', received: 1490, returned: 0 }])
  assert.deepEqual(found.days, [
    { day: today, films: 1, failed: 0, revenue: [{ currency: 'USD', received: 1490, returned: 0 }] },
  ])
  assert.equal(found.now.inProgress, 1)
  const year = await overview(`from=${dayOf(then)}&to=${dayOf(then)}`)
  assert.deepEqual([year.films.films, year.signUps, year.revenue], [1, 0, []])
})

test('200: credits that a refund could not take back → owed, and returned of the revenue', async () => {
  const ben = await kinora.person({ credits: 0 })
  const checkout = checkoutA(ben.userId)
  await deliverAll(kinora, 'payment-a', eventA('checkout.completed', checkout))
  await completedVideo(kinora, ben)
  await deliverAll(
    kinora,
    'payment-a',
    eventA('refund.created', { id: newName('ref'), refund_amount: 1490, order: checkout.order }),
  )
  const { credits, revenue } = await overview()
  assert.equal(credits.owed, 16)
  assert.deepEqual(revenue[0]?.returned, 1490)
  const { data } = await kinora.call<{ users: { id: string }[]; total: number }>(
    'GET',
    '/api/v1/admin/users?owes=true',
    { as: root },
  )
  assert.deepEqual([data.users.map(({ id }) => id), data.total], [[ben.userId], 1])
  const { data: teams } = await kinora.call<{ teams: { id: string }[]; total: number }>(
    'GET',
    '/api/v1/admin/teams?owes=true',
    { as: root },
  )
  assert.deepEqual([teams.teams, teams.total], [[], 0])
})

test('200: now → age of the backup, mails, check of the books, mistakes of the catalogue, providers', async () => {
  const { now } = await overview()
  assert.equal(now.backup.madeAt, '2026-01-30T02:00:00.000Z')
  assert.deepEqual(now.mails, { isSetUp: false, pending: 0, oldestS: 0 })
  assert.deepEqual(now.ledger, { differences: 0, checkedAt: null })
  assert.deepEqual([now.catalogueProblems, now.paymentEvents, now.webhooksFailing, now.overdue], [0, 0, 0, 0])
  assert.deepEqual(
    (now.providers as { id: string; configured: boolean }[]).filter(({ configured }) => configured).map(({ id }) => id),
    ['provider-a', 'provider-b'],
  )
})

test('400, 403: invalid period, or a user’s credential → refused', async () => {
  assert.equal((await kinora.call('GET', '/api/v1/admin/overview?from=2026-02-30', { as: root })).status, 400)
  const ann = await kinora.person()
  assert.equal((await kinora.call('GET', '/api/v1/admin/overview', { as: ann })).status, 403)
})

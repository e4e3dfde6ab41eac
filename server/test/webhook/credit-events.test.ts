/** Webhooks about credits and subscriptions: credit.added, credit.low, credit.expiring, subscription.updated. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notifyExpiring } from '../../src/credit/notices.ts'
import { applyAll } from '../../src/db/set-calls.ts'
import { beginFor, partFor } from '../support/citus/database.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { deliverAll, paymentEnv } from '../support/payment/payment-delivery.ts'
import { eventB, sessionB, startOfToday, subscriptionB } from '../support/payment/payment-events.ts'
import { servedDocument } from '../support/served-document.ts'
import { waitFor } from '../support/video-row.ts'
import { create } from '../support/webhook-receiver.ts'

const kinora = await openKinora({ env: paymentEnv })
const { app } = kinora
const { assertEvent } = await servedDocument(kinora)
const DAY_MS = 86_400_000

async function subscribed(events: string[], credits = 60, beside?: Person): Promise<Person> {
  const ann = await kinora.person({ credits, ...(beside && { beside }) })
  const { status } = await create(kinora, ann, { url: 'https://example.com/kinora', events })
  assert.equal(status, 200)
  return ann
}
/** The data of what was written for a user, in its sequence. */
async function dataOf({ userId }: Person): Promise<Record<string, unknown>[]> {
  const rows = await app.sql<{ body: string }[]>`
    select body from kinora.webhook_delivery where user_id = ${userId} order by id
  `
  for (const { body } of rows) assertEvent(body)
  return rows.map(({ body }) => JSON.parse(body).data)
}
const alert = (as: Person, below: unknown) =>
  kinora.call<{ below: number | null }>('PUT', '/api/v1/credit/alert', { as, body: { below } })

test('webhook: credits are granted → credit.added with the package', async () => {
  const ann = await subscribed(['credit.added'])
  await kinora.grant(ann, 40)
  const [added, ...more] = await dataOf(ann)
  assert.deepEqual([added?.credits, added?.transType, added?.orderNo, more], [40, 'SYSTEM_ADJUST', null, []])
  assert.ok(Date.parse(String(added?.expiresAt)) > app.now().getTime() + 364 * DAY_MS)
})

test('webhook: available credits fall below the threshold → credit.low, once each time', async () => {
  const ann = await subscribed(['credit.low'])
  assert.equal((await alert(ann, 50)).status, 200)
  assert.deepEqual((await kinora.call('GET', '/api/v1/credit/alert', { as: ann })).data, {
    below: 50,
    day: null,
    week: null,
  })
  const first = await kinora.generate(ann)
  await kinora.generate(ann)
  assert.deepEqual(await dataOf(ann), [{ available: 44, threshold: 50 }])
  await kinora.call('POST', `/api/v1/video/${first.data.uuid}/cancel`, { as: ann })
  await kinora.grant(ann, 10)
  await kinora.generate(ann)
  assert.deepEqual((await dataOf(ann)).length, 2)
  assert.equal((await alert(ann, null)).data.below, null)
  await kinora.grant(ann, 60)
  for (let n = 0; n < 4; n += 1) await kinora.generate(ann)
  assert.deepEqual((await dataOf(ann)).length, 2)
})

test('400: threshold that is no positive whole number → refused', async () => {
  const ann = await kinora.person()
  for (const below of [0, -1, 1.5, '50', {}]) assert.equal((await alert(ann, below)).status, 400, String(below))
})

test('webhook: credits expire within seven days → credit.expiring, once a package, for users with webhooks only', async () => {
  const ann = await subscribed(['credit.expiring'], 0)
  const bob = await kinora.person({ credits: 0 })
  for (const each of [ann, bob]) {
    await kinora.grant(each, 30, 5)
    await kinora.grant(each, 20, 60)
  }
  await notifyExpiring(app)
  await notifyExpiring(app)
  const [expiring, ...more] = await dataOf(ann)
  assert.deepEqual([expiring?.credits, more], [30, []])
  const notices = await app.sql`
    select user_id from kinora.expiry_notice where user_id = any(${[ann.userId, bob.userId]})
  `
  assert.deepEqual([...notices], [{ userId: ann.userId }])
  kinora.turnClock(54 * DAY_MS)
  await notifyExpiring(app)
  kinora.turnClock(-54 * DAY_MS)
  assert.deepEqual(
    (await dataOf(ann)).map(({ credits }) => credits),
    [30, 20],
  )
})

test('webhook: subscription begins and changes → subscription.updated; an event that changes nothing → none', async () => {
  const ann = await subscribed(['subscription.updated'])
  const today = startOfToday()
  const subscription = { id: `sub_${ann.userId}`, start: today, end: today + 1 }
  const created = eventB('customer.subscription.created', subscriptionB('new', ann.userId, subscription))
  const session = sessionB(ann.userId, { mode: 'subscription', subscription: subscription.id })
  await deliverAll(kinora, 'payment-b', created, eventB('checkout.session.completed', session))
  const written = await dataOf(ann)
  assert.ok(written.length >= 1)
  assert.equal(written.at(-1)?.cancelAtPeriodEnd, false)
  await deliverAll(kinora, 'payment-b', created)
  assert.equal((await dataOf(ann)).length, written.length)
  const own = await app.sql<{ status: string; plan: string | null }[]>`
    select status, plan from kinora.subscription where user_id = ${ann.userId}
  `
  assert.deepEqual([written.at(-1)?.status, written.at(-1)?.plan], [own[0]?.status, own[0]?.plan])
})

test('webhook: sets that write events of the same users in opposite sequences → no deadlock', async () => {
  const first = await subscribed([], 0)
  const users = [first, await subscribed([], 0, first)]
  const [ann, zoe] = users.sort((a, b) => (a.userId < b.userId ? -1 : 1)) as [Person, Person]
  const videosOf = async (each: Person) => {
    await kinora.grant(each, 60, 15)
    await kinora.grant(each, 60, 6)
    await alert(each, 70)
    const [first, second] = [await kinora.generate(each), await kinora.generate(each)]
    return { cancelled: first.data.uuid, deleted: second.data.uuid }
  }
  const [annVideos, zoeVideos] = [await videosOf(ann), await videosOf(zoe)]
  // What is left of the second package expires, so that the balance falls from 88 to 60.
  kinora.turnClock(7 * DAY_MS)
  const cancelOne = ({ userId }: Person, id: string) => {
    return { step: 'cancel', user_id: userId, id, error: 'Cancelled.', grace_s: 86_400 }
  }
  const deleteOne = ({ userId }: Person, id: string) => ({ step: 'delete', user_id: userId, id })
  const apply = (...steps: object[]) => applyAll(app.sql, JSON.stringify(steps), app.now())
  const outcomes = await behindLocks(
    ann,
    [annVideos.deleted, zoeVideos.deleted],
    () => apply(cancelOne(ann, annVideos.cancelled), deleteOne(zoe, zoeVideos.deleted)),
    () => apply(cancelOne(zoe, zoeVideos.cancelled), deleteOne(ann, annVideos.deleted)),
  )
  assert.deepEqual(outcomes, [
    ['cancelled', 'deleted'],
    ['cancelled', 'deleted'],
  ])

  const [annNext, zoeNext] = [await kinora.generate(ann), await kinora.generate(zoe)]
  await kinora.grant(zoe, 40, 1)
  kinora.turnClock(2 * DAY_MS)
  const [cancelled] = await behindLocks(
    ann,
    [zoeNext.data.uuid],
    () => apply(cancelOne(zoe, zoeNext.data.uuid), cancelOne(ann, annNext.data.uuid)),
    () => notifyExpiring(app),
  )
  assert.deepEqual(cancelled, ['cancelled', 'cancelled'])
})

/** Starts each call when those before it wait for a lock, while the videos are locked; then unlocks them. */
async function behindLocks(
  { userId }: Person,
  videoIds: string[],
  ...calls: (() => Promise<unknown>)[]
): Promise<unknown[]> {
  const results: Promise<unknown>[] = []
  const part = partFor(app.database, userId)
  await beginFor(app.sql, userId, async (tx) => {
    await tx`select from kinora.video where id = any(${videoIds}::uuid[]) for update`
    for (const call of calls) {
      results.push(call())
      await waitFor('the call to wait for a lock', async () => {
        const waiting = await part`
          select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
        `
        return waiting.length === results.length
      })
    }
  })
  return Promise.all(results)
}

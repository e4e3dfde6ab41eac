/** `DELETE /api/v1/account`: who is not deleted: a wrong password, a subscription that may still be charged, the last administrator. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAccounts } from './account-fixture.ts'
import { deliverAll, type Processor, recordOf } from './payment-delivery.ts'
import {
  DAY_MS,
  eventA,
  eventB,
  newName,
  returnedA,
  startOfToday,
  subscriptionA,
  subscriptionB,
} from './payment-events.ts'

const { auth, deleteAccount, deleteUser, erase, kinora, PASSWORD, register } = await openAccounts()

const { sql } = kinora.app

test('400: wrong password → nothing is deleted', async () => {
  const ann = await register()
  const { status, error } = await deleteAccount(ann, 'something else')
  assert.equal(status, 400)
  assert.deepEqual(error?.details, [{ path: 'password', message: 'is not your password' }])
  assert.equal((await kinora.call('DELETE', '/api/v1/account', { as: ann, body: {} })).status, 400)
  assert.equal((await kinora.call('DELETE', '/api/v1/account', { body: { password: PASSWORD } })).status, 401)
  assert.equal((await auth('sign-in', ann.email)).status, 200)
})

test('409: subscription that renews → cancelled first; its later events change the books under the pseudonym', async () => {
  const ann = await register()
  const start = startOfToday()
  const running = subscriptionA('sub_of_ann', ann.userId, { start, end: start + 30 * DAY_MS })
  await deliverAll(kinora, 'payment-a', eventA('subscription.paid', running))
  const refused = await deleteAccount(ann)
  assert.equal(refused.status, 409)
  assert.match(refused.error?.message ?? '', /subscription still renews.*: cancel it/)
  assert.equal((await auth('sign-in', ann.email)).status, 200)
  await deliverAll(kinora, 'payment-a', eventA('subscription.scheduled_cancel', running, Date.now() + 1000))
  assert.equal((await deleteAccount(ann)).status, 200)
  await erase()
  await deliverAll(kinora, 'payment-a', eventA('refund.created', returnedA(running)))
  await deliverAll(kinora, 'payment-a', eventA('subscription.reminder', running))
  const events = await sql`select state, body from kinora.payment_event where user_id = ${ann.userId}`
  assert.deepEqual(new Set(events.map(({ state, body }) => `${state}:${body}`)), new Set(['applied:', 'ignored:']))
  const [account] = await sql`select available, clawed_back from kinora.credit_account where user_id = ${ann.userId}`
  assert.ok(Number(account?.clawedBack) > 0)
})

test('409: subscription that ends at a later date than its period → renews until then; in its last period → deleted', async () => {
  const ann = await register()
  const [id, start] = [newName('sub'), startOfToday()]
  const cancelAt = start + 45 * DAY_MS
  const period = async (start: number) => {
    const change = { cancel_at: cancelAt / 1000, canceled_at: start / 1000 }
    const end = Math.min(start + 30 * DAY_MS, cancelAt)
    const object = subscriptionB('newest', ann.userId, { id, start, end }, change)
    await deliverAll(kinora, 'payment-b', eventB('customer.subscription.updated', object, start))
    return (await recordOf(kinora, ann))?.cancelAtPeriodEnd
  }
  assert.equal(await period(start), false)
  assert.equal((await deleteAccount(ann)).status, 409)
  assert.equal(await period(start + 30 * DAY_MS), true)
  assert.equal((await deleteAccount(ann)).status, 200)
})

test('409: first payment that is open, for a day; expired at payment-a, until its retries end; renewal overdue → refused; ended → deleted', async () => {
  const start = startOfToday()
  const record = async (
    processor: Processor,
    status: string,
    { endMs = start, age = 0 }: { endMs?: number; age?: number } = {},
  ) => {
    const ann = await register()
    const id = newName('sub')
    const change = status === 'canceled' ? { canceled_at: new Date(start).toISOString() } : {}
    const period = { start: endMs - 30 * DAY_MS, end: endMs, status }
    if (processor === 'payment-a') {
      const type = `subscription.${status}`
      await deliverAll(kinora, processor, eventA(type, subscriptionA(id, ann.userId, period, change)))
    } else {
      await deliverAll(
        kinora,
        processor,
        eventB('customer.subscription.created', subscriptionB('new', ann.userId, { id, ...period }, change)),
      )
    }
    await sql`
      update kinora.subscription set updated_at = updated_at - ${age} * interval '1 day' where external_id = ${id}
    `
    return (await deleteAccount(ann)).status
  }
  assert.equal(await record('payment-b', 'incomplete'), 409)
  assert.equal(await record('payment-b', 'incomplete', { age: 2 }), 200)
  assert.equal(await record('payment-b', 'incomplete_expired'), 200)
  assert.equal(await record('payment-a', 'expired'), 409)
  assert.equal(await record('payment-a', 'expired', { endMs: start - 31 * DAY_MS }), 200)
  assert.equal(await record('payment-a', 'canceled'), 200)
  for (const status of ['active', 'past_due']) {
    assert.equal(await record('payment-b', status, { endMs: start - 60 * DAY_MS, age: 60 }), 409)
    assert.equal(await record('payment-b', status, { endMs: start - 62 * DAY_MS }), 409, 'an event of it came today')
    // Its end was lost for good: reconciliation does not ask for it any more.
    assert.equal(await record('payment-b', status, { endMs: start - 62 * DAY_MS, age: 62 }), 200, status)
  }
})

test('409: last administrator → stays; of two who delete themselves at once one stays', async () => {
  const [ann, bob] = [await kinora.person({ role: 'admin' }), await kinora.person({ role: 'admin' })]
  const statuses = (await Promise.all([deleteUser(ann, ann), deleteUser(bob, bob)])).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [200, 409])
  const [count] = await sql`select count(*)::int as left from public."user" where role = 'admin'`
  assert.equal(count?.left, 1)
  await sql`update public."user" set role = 'user' where role = 'admin'`
})

test('404: better-auth’s own removal of a user → switched off, because it would leave films and keys behind', async () => {
  const [admin, ann] = [await kinora.person({ role: 'admin' }), await kinora.person()]
  const { status } = await kinora.call('POST', '/api/auth/admin/remove-user', {
    as: admin,
    body: { userId: ann.userId },
    headers: { origin: kinora.url },
  })
  assert.equal(status, 404)
  assert.equal((await kinora.balance(ann)).available, 60)
})

/** `DELETE /api/v1/account` refused: a wrong password, a subscription that may be charged, the last administrator. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openAccounts } from '../support/account-fixture.ts'
import { deliverAll, type Processor, recordOf } from '../support/payment/payment-delivery.ts'
import {
  DAY_MS,
  eventA,
  eventB,
  newName,
  returnedA,
  startOfToday,
  subscriptionA,
  subscriptionB,
} from '../support/payment/payment-events.ts'

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

/** The status of a deletion by a user whose subscription has this status. `age`: days since the last event of it. */
async function deletionWith(
  processor: Processor,
  status: string,
  { endMs = startOfToday(), age = 0 }: { endMs?: number; age?: number } = {},
): Promise<number> {
  const ann = await register()
  const id = newName('sub')
  const change = status === 'canceled' ? { canceled_at: new Date(startOfToday()).toISOString() } : {}
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

test('409, 200: first payment that is open → refused for a day; deleted afterwards, and when the payment has expired', async () => {
  assert.equal(await deletionWith('payment-b', 'incomplete'), 409)
  assert.equal(await deletionWith('payment-b', 'incomplete', { age: 2 }), 200)
  assert.equal(await deletionWith('payment-b', 'incomplete_expired'), 200)
})

test('409, 200: subscription that has expired at payment-a → refused until its retries end, 30 days after its period', async () => {
  assert.equal(await deletionWith('payment-a', 'expired'), 409)
  assert.equal(await deletionWith('payment-a', 'expired', { endMs: startOfToday() - 31 * DAY_MS }), 200)
})

test('200: subscription that was cancelled at payment-a → deleted', async () => {
  assert.equal(await deletionWith('payment-a', 'canceled'), 200)
})

for (const status of ['active', 'past_due']) {
  test(`409, 200: renewal overdue while ${status} → refused until its period and its last event are more than 61 days old`, async () => {
    const endMs = startOfToday() - 62 * DAY_MS
    assert.equal(await deletionWith('payment-b', status, { endMs: startOfToday() - 60 * DAY_MS, age: 60 }), 409)
    assert.equal(await deletionWith('payment-b', status, { endMs }), 409, 'an event of it came today')
    // Its end was lost for good: reconciliation does not ask for it any more.
    assert.equal(await deletionWith('payment-b', status, { endMs, age: 62 }), 200)
  })
}

test('409: last administrator → not deleted; two concurrent deletions of the last two → one refused', async () => {
  await sql`update public."user" set role = 'user' where role = 'admin'`
  const [ann, bob] = [await kinora.person({ role: 'admin' }), await kinora.person({ role: 'admin' })]
  const statuses = (await Promise.all([deleteUser(ann, ann), deleteUser(bob, bob)])).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [200, 409])
  const [count] = await sql`select count(*)::int as left from public."user" where role = 'admin'`
  assert.equal(count?.left, 1)
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

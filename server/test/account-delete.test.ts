/** `DELETE /api/v1/account`: personal data, films and images go, the books stay under the user id as a pseudonym. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, test } from 'node:test'
import { newId } from '../src/id.ts'
import { sweepImages } from '../src/image/start-image.ts'
import { eraseDeletedAccounts } from '../src/personal-data/erase.ts'
import { expireCredentialCache } from './expire-credential-cache.ts'
import { openKinora, type Person } from './harness.ts'
import { plain } from './images.ts'
import {
  checkoutA,
  DAY_MS,
  deliverAll,
  eventA,
  eventB,
  newName,
  type Processor,
  paymentEnv,
  returnedA,
  startOfToday,
  subscriptionA,
  subscriptionB,
} from './payment-events.ts'
import { readRow, waitFor } from './video-row.ts'

const kinora = await openKinora({ simulator: true, env: paymentEnv })
const { app } = kinora
const { sql, storage } = app
const remove = storage.remove
afterEach(() => {
  storage.remove = remove
})
const PASSWORD = 'correct horse battery'
const SETTLE_MS = 16 * 60_000
/** The simulator renders the films of all files one after another. */
const LONG_WAIT = { timeoutMs: 60_000, intervalMs: 100 }

const auth = (way: 'sign-up' | 'sign-in', email: string) =>
  kinora.call('POST', `/api/auth/${way}/email`, {
    body: { email, password: PASSWORD, ...(way === 'sign-up' ? { name: 'Ann Smith' } : {}) },
    headers: { origin: kinora.url },
  })

/** Registers over HTTP, because a deletion asks for the password. */
async function register(email = `ann-${newId(new Date())}@example.com`): Promise<Person> {
  const { status, text } = await auth('sign-up', email)
  assert.equal(status, 200)
  const { token, user } = JSON.parse(text)
  return { userId: user.id, token, email }
}

const deleteAccount = (as: Person, password = PASSWORD) =>
  kinora.call('DELETE', '/api/v1/account', { as, body: { password } })
const deleteUser = (as: Person, { userId }: Person) =>
  kinora.call('DELETE', `/api/v1/admin/users/${userId}`, { as, body: { reason: 'Asked for it by e-mail' } })
/** An administrator's operation of sign-in. */
async function administer(name: string, body: Record<string, unknown>): Promise<void> {
  const admin = await kinora.person({ role: 'admin' })
  const response = await kinora.call('POST', `/api/auth/admin/${name}`, {
    as: admin,
    body,
    headers: { origin: kinora.url },
  })
  assert.equal(response.status, 200, response.text)
  await sql`update public."user" set role = 'user' where id = ${admin.userId}`
}
const isErased = async ({ userId }: Person) => {
  const [row] = await sql`select erased_at from kinora.deleted_account where user_id = ${userId}`
  return row?.erasedAt != null
}
async function erase(): Promise<void> {
  await eraseDeletedAccounts(app)
  await sweepImages(app)
  kinora.turnClock(SETTLE_MS)
  await eraseDeletedAccounts(app)
  kinora.turnClock(-SETTLE_MS)
}
const booksOf = async ({ userId }: Person) => ({
  account: await sql`
    select available, frozen, used, total, transactions from kinora.credit_account where user_id = ${userId}
  `,
  history:
    await sql`select n, trans_type, credits, hash from kinora.credit_transaction where user_id = ${userId} order by n`,
})
/** Every row of every table that contains the text, as table names. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select format('%I.%I', table_schema, table_name) as name
    from information_schema.tables
    where table_schema in ('kinora', 'public') and table_type = 'BASE TABLE'
  `
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await sql.unsafe(`select from ${name} t where strpos(lower(t::text), lower($1)) > 0 limit 1`, [text])
      return rows.length > 0 ? name : null
    }),
  )
  return found.filter((name) => name !== null).sort()
}

test('200: account with film, start image, key and payment → personal data and files go, the books stay', async (t) => {
  const ann = await register()
  await deliverAll(kinora, 'payment-a', eventA('checkout.completed', checkoutA(ann.userId)))
  const upload = await kinora.call<{ url: string }>('POST', '/api/v1/video/image', {
    as: ann,
    body: await plain(640, 360),
    headers: { 'content-type': 'image/png' },
  })
  assert.equal(upload.status, 200)
  await kinora.grant(ann, 100)
  const { data } = await kinora.generate(ann, { prompt: 'My neighbour Zebulon', startImageUrl: upload.data.url })
  assert.equal((await kinora.finish(ann, data.uuid)).status, 'COMPLETED')
  const { data: film } = await kinora.call<{ videoUrl: string }>('GET', `/api/v1/video/${data.uuid}`, { as: ann })
  const key = await kinora.call('POST', '/api/auth/api-key/create', {
    as: ann,
    body: { name: 'render farm' },
    headers: { origin: kinora.url },
  })
  assert.equal(key.status, 200)
  const before = await booksOf(ann)

  const deleted = await deleteAccount(ann)
  assert.equal(deleted.status, 200)
  assert.deepEqual(deleted.data, { userId: ann.userId, deleted: true })
  assert.equal((await fetch(film.videoUrl)).status, 404, 'the link stops working at once')
  assert.equal((await auth('sign-in', ann.email)).status, 401)
  expireCredentialCache(t)
  assert.equal((await kinora.call('GET', '/api/v1/credit/balance', { as: ann })).status, 401)
  await erase()
  assert.ok(await isErased(ann))
  for (const text of [ann.email, 'Ann Smith', 'Zebulon', 'render farm', ann.token, 'somebody@example.com']) {
    assert.deepEqual(await tablesWith(text), [], text)
  }
  const files = path.join(app.config.dataDir, 'files')
  const left = readdirSync(files, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.includes(`${ann.userId}/`),
  )
  assert.deepEqual(left, [])
  assert.deepEqual(await booksOf(ann), before)
  const [audited] =
    await sql`select actor_id, action, user_id from kinora.audit where action = 'account.delete' and user_id = ${ann.userId}`
  assert.deepEqual({ ...audited }, { actorId: ann.userId, action: 'account.delete', userId: ann.userId })
})

test('200: name changed by an administrator → the audit log keeps the entry without the name, also one that ends after the deletion', async () => {
  const ann = await register()
  await administer('update-user', { userId: ann.userId, data: { name: 'Ann Quartermaine' } })
  assert.deepEqual(await tablesWith('Quartermaine'), ['kinora.audit', 'public."user"'])
  assert.equal((await deleteAccount(ann)).status, 200)
  assert.deepEqual(await tablesWith('Quartermaine'), [])
  assert.deepEqual(await tablesWith('Ann Smith'), [])
  await sql`
    select kinora.audit_add(
      p_actor_id => ${ann.userId}, p_action => 'user.update', p_user_id => ${ann.userId}, p_subject => null,
      p_before => '{"name": "Ann Quartermaine", "role": "user"}', p_after => '{"name": "Ann Smith", "role": "admin"}',
      p_request_id => null, p_reason => null, p_now => ${app.now()}
    )
  `
  await erase()
  const entries = await sql`
    select action, before ->> 'role' as before, after ->> 'role' as after
    from kinora.audit
    where user_id = ${ann.userId} and action = 'user.update'
    order by id
  `
  assert.deepEqual(
    entries.map(({ before, after }) => [before, after]),
    [
      [null, null],
      ['user', 'admin'],
    ],
  )
  assert.deepEqual(await tablesWith('Quartermaine'), [])
})

test('401: sign-in to a deleted account → the same response as for an unknown user', async () => {
  const ann = await register()
  await deleteAccount(ann)
  const [former, unknown] = [await auth('sign-in', ann.email), await auth('sign-in', 'unknown@example.com')]
  assert.equal(former.status, 401)
  assert.equal(former.text, unknown.text)
})

test('200: same address registers again → a new user without a second gift, in any case of the letters', async () => {
  const ann = await register()
  assert.equal((await kinora.balance(ann)).available, app.config.newUserCredits)
  await deleteAccount(ann)
  const again = await register(ann.email.toUpperCase())
  assert.notEqual(again.userId, ann.userId)
  assert.equal((await kinora.balance(again)).total, 0)
  assert.equal((await auth('sign-in', ann.email)).status, 200)
  assert.equal((await kinora.balance(again)).total, 0)
  const other = await register()
  assert.equal((await kinora.balance(other)).total, app.config.newUserCredits)
})

test('400: wrong password → nothing is deleted', async () => {
  const ann = await register()
  const { status, error } = await deleteAccount(ann, 'something else')
  assert.equal(status, 400)
  assert.deepEqual(error?.details, [{ path: 'password', message: 'is not your password' }])
  assert.equal((await kinora.call('DELETE', '/api/v1/account', { as: ann, body: {} })).status, 400)
  assert.equal((await kinora.call('DELETE', '/api/v1/account', { body: { password: PASSWORD } })).status, 401)
  assert.equal((await auth('sign-in', ann.email)).status, 200)
})

test('200: video that a provider has → runs to its end, is settled, and its film is removed', async () => {
  const ann = await register()
  await kinora.grant(ann, 100)
  const { data } = await kinora.generate(ann, { prompt: 'My neighbour Yolanda' })
  await kinora.workUntil(async () => {
    const [row] = await sql`select accepted_at from kinora.video where id = ${data.uuid}`
    return row?.acceptedAt != null
  })
  assert.equal((await deleteAccount(ann)).status, 200)
  // Before the clock moves: a callback that arrives meanwhile would be too old for its signature, and the film be left to a poll.
  await waitFor('the callback', async () => (await readRow(kinora, data.uuid)).status === 'UPLOADING', LONG_WAIT)
  await erase()
  assert.ok(!(await isErased(ann)), 'a video is in progress')
  const settled = async () => {
    const [row] = await sql`select state from kinora.credit_hold where id = ${data.uuid}`
    return row?.state === 'settled'
  }
  await kinora.workUntil(settled)
  await erase()
  assert.ok(await isErased(ann))
  const [row] = await sql`
    select status, prompt, credits, files_removed_at is not null as is_removed from kinora.video where id = ${data.uuid}
  `
  assert.deepEqual({ ...row }, { status: 'COMPLETED', prompt: '', credits: 16, isRemoved: true })
  assert.deepEqual(await tablesWith('Yolanda'), [])
})

test('200: video that fails after the deletion → its credits are released, its reason is erased', async () => {
  const ann = await register()
  await kinora.grant(ann, 100)
  const { data } = await kinora.generate(ann, { prompt: '[fail: the boat sank]' })
  await kinora.workUntil(async () => {
    const [row] = await sql`select accepted_at from kinora.video where id = ${data.uuid}`
    return row?.acceptedAt != null
  })
  await deleteAccount(ann)
  await kinora.workUntil(async () => {
    const [row] = await sql`select state from kinora.credit_hold where id = ${data.uuid}`
    return row?.state === 'released'
  })
  await erase()
  const [row] = await sql`select status, error from kinora.video where id = ${data.uuid}`
  assert.deepEqual({ ...row }, { status: 'FAILED', error: 'The account was deleted.' })
})

test('200: video that no provider has → cancelled, its credits are released', async () => {
  const ann = await register()
  await kinora.grant(ann, 100)
  const { data } = await kinora.generate(ann)
  await deleteAccount(ann)
  const [row] = await sql`
    select v.status, v.error_code, h.state from kinora.video v join kinora.credit_hold h using (user_id, id) where v.id = ${data.uuid}
  `
  assert.deepEqual({ ...row }, { status: 'FAILED', errorCode: 'CANCELLED', state: 'released' })
})

test('storage is away: films stay recorded, and a later sweep removes them', async () => {
  const ann = await register()
  await kinora.grant(ann, 100)
  const { data } = await kinora.generate(ann)
  await kinora.finish(ann, data.uuid)
  await deleteAccount(ann)
  storage.remove = async () => {
    throw new Error('away')
  }
  await eraseDeletedAccounts(app)
  assert.ok(!(await isErased(ann)))
  storage.remove = remove
  await erase()
  assert.ok(await isErased(ann))
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
  const events = await sql`select state, body from kinora.payment_event where user_id = ${ann.userId}`
  assert.deepEqual([...new Set(events.map(({ state, body }) => `${state}:${body}`))], ['applied:'])
  const [account] = await sql`select available, clawed_back from kinora.credit_account where user_id = ${ann.userId}`
  assert.ok(Number(account?.clawedBack) > 0)
})

test('409: first payment that is open, for a day; expired at payment-a, until its retries end → refused; ended → deleted', async () => {
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
})

test('409: last administrator → stays; of two who delete themselves at once one stays', async () => {
  const [ann, bob] = [await kinora.person({ role: 'admin' }), await kinora.person({ role: 'admin' })]
  const statuses = (await Promise.all([deleteUser(ann, ann), deleteUser(bob, bob)])).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [200, 409])
  const [count] = await sql`select count(*)::int as left from public."user" where role = 'admin'`
  assert.equal(count?.left, 1)
  await sql`update public."user" set role = 'user' where role = 'admin'`
})

test('200: administrator deletes a user → audited with the reason, listed as deleted user with the books', async () => {
  const [admin, ann] = [await kinora.person({ role: 'admin' }), await kinora.person()]
  assert.equal((await deleteUser(ann, ann)).status, 403)
  assert.equal((await deleteUser(admin, ann)).status, 200)
  assert.equal((await deleteUser(admin, ann)).status, 404)
  const [audited] = await sql`
    select actor_id, reason, before->>'available' as available from kinora.audit
    where action = 'account.delete' and user_id = ${ann.userId}
  `
  assert.deepEqual({ ...audited }, { actorId: admin.userId, reason: 'Asked for it by e-mail', available: '60' })
  const one = await kinora.call('GET', `/api/v1/admin/users/${ann.userId}`, { as: admin })
  const { name, email, deletedAt, credits } = one.data as Record<string, unknown> & { credits: { available: number } }
  assert.deepEqual([name, email, credits.available], ['deleted user', '', 60])
  assert.ok(deletedAt)
  const list = await kinora.call<{ users: { id: string; name: string }[] }>('GET', '/api/v1/admin/users?q=deleted', {
    as: admin,
  })
  assert.ok(list.data.users.some(({ id }) => id === ann.userId))
  const history = await kinora.call('GET', `/api/v1/admin/users/${ann.userId}/history`, { as: admin })
  assert.equal(history.status, 200)
  const grant = { as: admin, body: { userId: ann.userId, credits: 1 } }
  assert.equal((await kinora.call('POST', '/api/v1/admin/credits/add', grant)).status, 404)
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

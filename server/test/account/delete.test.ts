/** `DELETE /api/v1/account`: personal data, films and images go, the books stay under the user id as a pseudonym. */
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterEach, test } from 'node:test'
import { eraseDeletedAccounts } from '../../src/account-data/erase.ts'
import { openAccounts } from '../support/account-fixture.ts'
import { completedVideo, completeVideo, putManifest } from '../support/completed-video.ts'
import { assertRefusedWithinASecond } from '../support/expire-credential-cache.ts'
import { plain } from '../support/images.ts'
import { deliverAll } from '../support/payment/payment-delivery.ts'
import { checkoutA, eventA } from '../support/payment/payment-events.ts'
import { openProjects } from '../support/projects.ts'
import { readRow, waitFor } from '../support/video-row.ts'

const { administer, auth, booksOf, deleteAccount, deleteUser, erase, isErased, kinora, register, tablesWith } =
  await openAccounts()

const { app } = kinora
const { sql, storage } = app
const remove = storage.remove
afterEach(() => {
  storage.remove = remove
})
/** The simulator renders the films of all files one after another. */
const LONG_WAIT = { timeoutMs: 60_000, intervalMs: 100 }

test('200: account with film, start image, key and payment → personal data and files go, the books stay', async () => {
  const ann = await register({ name: 'Ann Ferryman' })
  const paid = checkoutA(ann.userId)
  const opened = { ...checkoutA(ann.userId), order: { status: 'pending' }, customer: { email: 'unpaid@example.com' } }
  await deliverAll(
    kinora,
    'payment-a',
    eventA('checkout.completed', paid),
    eventA('checkout.completed', opened),
    // Names no user, but a customer of the user's.
    eventA('customer.updated', { id: 'update', customer: paid.customer, email: 'changed@example.com' }),
  )
  const upload = await kinora.call<{ url: string }>('POST', '/api/v1/asset?name=zebulon', {
    as: ann,
    body: await plain(640, 360),
    headers: { 'content-type': 'image/png' },
  })
  assert.equal(upload.status, 200)
  await kinora.grant(ann, 100)
  const { data } = await kinora.generate(ann, { prompt: 'My neighbour Zebulon', startImageUrl: upload.data.url })
  await completeVideo(kinora, ann, data.uuid)
  await putManifest(kinora, ann, data.uuid, true)
  const folder = await kinora.call('POST', '/api/v1/video/folders', { as: ann, body: { name: 'Films of Zebulon' } })
  assert.equal(folder.status, 200)
  assert.equal((await openProjects(kinora).make(ann, ['Zebulon leaves'])).status, 200)
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
  await assertRefusedWithinASecond(async () => (await kinora.call('GET', '/api/v1/credit/balance', { as: ann })).status)
  await erase()
  assert.ok(await isErased(ann))
  for (const text of [
    ann.email,
    'Ann Ferryman',
    'Zebulon',
    'render farm',
    ann.token,
    'unknown@example.com',
    'unpaid@',
    'changed@',
  ]) {
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
  const ann = await register({ name: 'Ann Cooper' })
  await administer('update-user', { userId: ann.userId, data: { name: 'Ann Quartermaine' } })
  assert.deepEqual(await tablesWith('Quartermaine'), ['kinora.audit', 'public."user"'])
  assert.equal((await deleteAccount(ann)).status, 200)
  assert.deepEqual(await tablesWith('Quartermaine'), [])
  assert.deepEqual(await tablesWith('Ann Cooper'), [])
  await sql`
    select kinora.audit_add(
      p_actor_id => ${ann.userId}, p_action => 'user.update', p_user_id => ${ann.userId}, p_subject => null,
      p_before => '{"name": "Ann Quartermaine", "role": "user"}', p_after => '{"name": "Ann Cooper", "role": "admin"}',
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
  const said = ({ text }: typeof former) => text.replace(/"requestId":"[^"]+"/, '')
  assert.equal(said(former), said(unknown))
})

test('200: same address registers again → a new user without a second gift, in any case of the letters', async () => {
  const ann = await register()
  assert.equal((await kinora.balance(ann)).available, app.config.newUserCredits)
  await deleteAccount(ann)
  const again = await register({ email: ann.email.toUpperCase() })
  assert.notEqual(again.userId, ann.userId)
  assert.equal((await kinora.balance(again)).total, 0)
  assert.equal((await auth('sign-in', ann.email)).status, 200)
  assert.equal((await kinora.balance(again)).total, 0)
  const other = await register()
  assert.equal((await kinora.balance(other)).total, app.config.newUserCredits)
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
  // The callback is awaited before the clock moves: one that arrives meanwhile would be too old for its signature, and
  // the film be left to a poll.
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
  assert.deepEqual({ ...row }, { status: 'FAILED', error: 'Erased.' })
})

test('200: video that no provider has → cancelled, its credits are released', async () => {
  const ann = await register()
  await kinora.grant(ann, 100)
  const { data } = await kinora.generate(ann)
  assert.equal((await deleteAccount(ann)).status, 200)
  const [row] = await sql`
    select v.status, v.error_code, h.state from kinora.video v join kinora.credit_hold h using (user_id, id) where v.id = ${data.uuid}
  `
  assert.deepEqual({ ...row }, { status: 'FAILED', errorCode: 'CANCELLED', state: 'released' })
})

test('200: film without a prompt → what it was made from is erased too', async () => {
  const ann = await register()
  const uuid = await completedVideo(kinora, ann, { startImageUrl: 'https://secret.example/mara.png' })
  assert.equal((await kinora.call('DELETE', `/api/v1/video/${uuid}`, { as: ann })).status, 200)
  await sql`update kinora.video set prompt = '', files_removed_at = now() where user_id = ${ann.userId} and id = ${uuid}`
  assert.equal((await deleteAccount(ann)).status, 200)
  await erase()
  assert.deepEqual([await isErased(ann), await tablesWith('secret.example')], [true, []])
})

test('account deletion: storage unavailable → films stay recorded, and a later sweep removes them', async () => {
  const ann = await register()
  await kinora.grant(ann, 100)
  await completedVideo(kinora, ann)
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

/** `GET /api/v1/admin/audit`: what administrators and the service's sweeps did. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { videoFilesRemoved } from '../../src/video/film-transitions.ts'
import { openKinora, type Person, pathsOf } from '../support/harness.ts'
import { applyStored, deliverAll, paymentEnv } from '../support/payment/payment-delivery.ts'
import { checkoutA, eventA } from '../support/payment/payment-events.ts'
import { servedDocument } from '../support/served-document.ts'

const kinora = await openKinora({ env: paymentEnv })
const root = await kinora.person({ role: 'admin', credits: 0 })
const SERVICE = '00000000-0000-0000-0000-000000000000'
const { sql } = kinora.app

type Entry = {
  id: string
  createdAt: string
  action: string
  actorId: string
  actorEmail: string | null
  userId: string | null
  userEmail: string | null
  subject: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  requestId: string | null
  reason: string | null
}
type Page = { entries: Entry[]; total: number; pageSize: number; nextCursor: string | null }
const audit = (query = '', as: Person | null = root) =>
  kinora.call<Page>('GET', `/api/v1/admin/audit${query}`, as ? { as } : {})
const entriesOf = async ({ userId }: Person) => (await audit(`?userId=${userId}`)).data.entries
const give = (to: Person, credits: number, as = root) =>
  kinora.call('POST', '/api/v1/admin/credits/add', { as, body: { userId: to.userId, credits, remark: `${credits}` } })

test('200: grant and take → entries with actor, action, user, before, after, time, request id and reason', async () => {
  const ann = await kinora.person({ credits: 10 })
  const granted = await give(ann, 5)
  const body = { userId: ann.userId, credits: 3, reason: 'Granted too much' }
  const taken = await kinora.call('POST', '/api/v1/admin/credits/take', { as: root, body })
  const [taking, grant] = await entriesOf(ann)
  assert.ok(taking && grant)
  assert.deepEqual(Object.keys(taking), [
    'id',
    'createdAt',
    'action',
    'actorId',
    'actorEmail',
    'userId',
    'userEmail',
    'team',
    'subject',
    'before',
    'after',
    'requestId',
    'reason',
  ])
  assert.deepEqual([taking.action, grant.action], ['credits.take', 'credits.add'])
  for (const entry of [taking, grant]) {
    assert.deepEqual([entry.actorId, entry.actorEmail], [root.userId, root.email])
    assert.deepEqual([entry.userId, entry.userEmail], [ann.userId, ann.email])
    assert.ok(Math.abs(Date.parse(entry.createdAt) - kinora.app.now().getTime()) < 60_000)
  }
  assert.deepEqual([taking.before?.available, taking.after?.available, taking.after?.credits], [15, 12, 3])
  assert.deepEqual([grant.before?.available, grant.after?.available, grant.after?.credits], [10, 15, 5])
  assert.deepEqual([taking.reason, grant.reason], ['Granted too much', '5'])
  assert.equal(taking.requestId, taken.headers.get('x-request-id'))
  assert.equal(grant.requestId, granted.headers.get('x-request-id'))
})

test('200: payment event applied by hand → listed with its state before and after', async () => {
  const ann = await kinora.person({ credits: 20 })
  const event = eventA('checkout.completed', checkoutA(null))
  await deliverAll(kinora, 'payment-a', event)
  const { status, data: stored } = await applyStored(kinora, event, root, ann.userId)
  assert.equal(status, 200)
  const [applied] = await entriesOf(ann)
  assert.deepEqual([applied?.action, applied?.subject], ['payment.apply', stored.id])
  assert.deepEqual([applied?.before?.state, applied?.after?.state], ['unmatched', 'applied'])
})

test('200: files removed by retention → an entry of the service, whose reason is the setting', async () => {
  const ann = await kinora.person()
  const { uuid } = (await kinora.generate(ann)).data
  const video = { userId: ann.userId, videoId: uuid, now: kinora.app.now() }
  await videoFilesRemoved(sql, { ...video, reason: 'DELETED_KEPT' })
  const [entry] = (await audit(`?actorId=${SERVICE}&userId=${ann.userId}`)).data.entries
  assert.deepEqual(
    [entry?.action, entry?.actorId, entry?.actorEmail, entry?.subject, entry?.reason, entry?.requestId, entry?.after],
    ['video.remove-files', SERVICE, null, uuid, 'DELETED_KEPT', null, null],
  )
})

test('200: filters by user, actor and action → may be combined; keyset pagination lists each entry once', async () => {
  const [ann, ben] = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
  const eve = await kinora.person({ role: 'admin', credits: 0 })
  for (const credits of [1, 2, 3, 4, 5]) await give(ann, credits, eve)
  await give(ben, 6, eve)
  await give(ann, 7)
  await kinora.call('POST', '/api/v1/admin/credits/take', {
    as: eve,
    body: { userId: ann.userId, credits: 1, reason: 'one' },
  })
  const totalOf = async (query: string) => (await audit(query)).data.total
  assert.equal(await totalOf(`?userId=${ann.userId}`), 7)
  assert.equal(await totalOf(`?actorId=${eve.userId.toUpperCase()}`), 7)
  assert.equal(await totalOf(`?actorId=${eve.userId}&userId=${ann.userId}`), 6)
  assert.equal(await totalOf(`?actorId=${eve.userId}&userId=${ann.userId}&action=credits.add`), 5)
  assert.equal(await totalOf('?action=no.such'), 0)
  const seen: (string | null)[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query: string = `?userId=${ann.userId}&action=credits.add&pageSize=2${cursor && `&cursor=${cursor}`}`
    const { data } = await audit(query)
    assert.deepEqual([data.total, data.pageSize], [6, 2])
    seen.push(...data.entries.map(({ reason }) => reason))
    cursor = data.nextCursor
  }
  assert.deepEqual(seen, ['7', '5', '4', '3', '2', '1'])
})

test('200: entry of a deleted account → its id without an e-mail address', async () => {
  const ann = await kinora.person({ credits: 0 })
  await give(ann, 5)
  const body = { reason: 'Asked for by mail' }
  assert.equal((await kinora.call('DELETE', `/api/v1/admin/users/${ann.userId}`, { as: root, body })).status, 200)
  const [removed, grant] = await entriesOf(ann)
  assert.deepEqual([grant?.userId, grant?.userEmail], [ann.userId, null])
  assert.deepEqual([removed?.action, removed?.after, removed?.actorId], ['account.delete', null, root.userId])
  assert.ok(!JSON.stringify(removed).includes(ann.email), 'no personal data of the removed user')
})

test('200: administrator’s operations of sign-in → an entry each, with the changed fields and no secret', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { userId } = ann
  const operation = async (name: string, body: Record<string, unknown>, as = root) => {
    const response = await kinora.call<{ session?: { token: string } }>('POST', `/api/auth/admin/${name}`, { as, body })
    assert.equal(response.status, 200, name)
    return response
  }
  const [session] = await sql<{ id: string; token: string }[]>`
    select id, token from public.session where "userId" = ${userId}
  `
  const ban = await operation('ban-user', { userId, banReason: 'Chargebacks' })
  await operation('unban-user', { userId })
  await operation('set-role', { userId, role: 'admin', reason: 'On call' })
  await operation('set-role', { userId, role: 'user' })
  await operation('update-user', { userId, data: { name: 'Anna' } })
  await operation('set-user-password', { userId, newPassword: 'a new secret 123' })
  await operation('impersonate-user', { userId })
  await operation('revoke-user-sessions', { userId })
  const entries = await entriesOf(ann)
  assert.deepEqual(entries.map(({ action }) => action).reverse(), [
    'user.ban',
    'user.unban',
    'user.set-role',
    'user.set-role',
    'user.update',
    'user.set-password',
    'user.impersonate',
    'user.revoke-sessions',
  ])
  assert.ok(entries.every(({ actorId }) => actorId === root.userId))
  const [banned, , role, , update, , impersonation] = entries.toReversed()
  assert.deepEqual([banned?.before?.banned, banned?.after?.banned, banned?.reason], [false, true, 'Chargebacks'])
  assert.equal(banned?.requestId, ban.headers.get('x-request-id'))
  assert.deepEqual([role?.before, role?.after, role?.reason], [{ role: 'user' }, { role: 'admin' }, 'On call'])
  assert.deepEqual([Object.keys(update?.before ?? {}), update?.after], [['name'], { name: 'Anna' }])
  assert.equal(Number(impersonation?.after?.sessions), Number(impersonation?.before?.sessions) + 1)
  const text = JSON.stringify(entries)
  assert.ok(session && !text.includes(session.token) && !text.includes('a new secret'))
})

test('200: revoking one session, creating a user → entries with the session’s id and the new user', async () => {
  const ann = await kinora.person({ credits: 0 })
  const [session] = await sql<{ id: string; token: string }[]>`
    select id, token from public.session where "userId" = ${ann.userId}
  `
  const call = (name: string, body: Record<string, unknown>) =>
    kinora.call<never>('POST', `/api/auth/admin/${name}`, { as: root, body })
  await call('revoke-user-session', { sessionToken: session?.token })
  const [revoked] = await entriesOf(ann)
  assert.deepEqual([revoked?.action, revoked?.subject], ['user.revoke-session', session?.id])
  const email = 'created@example.com'
  assert.equal(
    (await call('create-user', { email, name: 'Cara', password: 'a long password', role: 'user' })).status,
    200,
  )
  const [created] = (await audit('?action=user.create')).data.entries
  assert.deepEqual([created?.userEmail, created?.before, created?.after?.role], [email, null, 'user'])
})

test('403: operations of sign-in by a user, or refused → no entry', async () => {
  const [ann, ben] = [await kinora.person({ credits: 0 }), await kinora.person({ credits: 0 })]
  const ban = (as: Person, body: Record<string, unknown>) =>
    kinora.call('POST', '/api/auth/admin/ban-user', { as, body })
  assert.equal((await ban(ann, { userId: ben.userId })).status, 403)
  assert.equal((await ban(root, { userId: root.userId })).status, 400)
  assert.equal((await ban(root, {})).status, 400)
  assert.equal((await ban(root, { userId: `urn:uuid:${ben.userId}` })).status, 400)
  assert.deepEqual(await entriesOf(ben), [])
  assert.equal((await audit(`?userId=${root.userId}&action=user.ban`)).data.total, 0)
})

test('400: filter that is no uuid, unknown cursor, page size out of range → the path of the parameter', async () => {
  for (const [query, path] of [
    ['?userId=ann', 'userId'],
    ['?actorId=1', 'actorId'],
    [`?userId=urn:uuid:${root.userId}`, 'userId'],
    [`?actorId=urn:uuid:${root.userId}`, 'actorId'],
    ['?cursor=x', 'cursor'],
    ['?pageSize=0', 'pageSize'],
  ] as const) {
    const response = await audit(query)
    assert.equal(response.status, 400, query)
    assert.deepEqual(pathsOf(response), [path])
  }
})

test('401, 403: without a credential, without the admin role → refused', async () => {
  assert.equal((await audit('', null)).status, 401)
  assert.equal((await audit('', await kinora.person())).status, 403)
})

test('400: reason of blanks → refused by every operation of administrators that needs one', async () => {
  const { operations } = await servedDocument(kinora)
  const asking = operations.flatMap(({ path, method, operation }) => {
    const { example } = operation.requestBody?.content?.['application/json'] ?? {}
    const isAsking = path.startsWith('/api/v1/admin/') && Object.hasOwn(example ?? {}, 'reason')
    return isAsking ? [{ path, method, body: { ...(example as object), reason: ' ' } }] : []
  })
  assert.ok(asking.length >= 12, String(asking.length))
  for (const { path, method, body } of asking) {
    const response = await kinora.call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, root.userId), {
      as: root,
      body,
    })
    assert.equal(response.status, 400, path)
    assert.deepEqual(response.error?.details, [{ path: 'reason', message: 'must not be blank' }], path)
  }
})

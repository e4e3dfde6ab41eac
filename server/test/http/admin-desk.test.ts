/** What administrators do for a user or a team: the search, and the actions of `/api/v1/admin/users/{id}/desk`. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { readProfile } from '../../src/account-data/records.ts'
import { completedVideo } from '../support/completed-video.ts'
import { assertRefusedWithinASecond } from '../support/expire-credential-cache.ts'
import { generateBody, openKinora, type Person } from '../support/harness.ts'
import { deliverAll, paymentEnv } from '../support/payment/payment-delivery.ts'
import { checkoutA, eventA, newName, startOfToday, subscriptionA } from '../support/payment/payment-events.ts'
import { addMember, openTeams } from '../support/teams.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora({ env: { ...paymentEnv, EXPLORE: 'on', RATE_LIMITS: 'on', MAX_IN_PROGRESS: '5' } })
const root = await kinora.person({ role: 'admin', credits: 0 })
const { newTeam, generate: generateFor } = openTeams(kinora)
const { sql, now } = kinora.app
const DAY_MS = 86_400_000
const reason = 'Asked for by mail'

type Found = { kind: string; id: string; userId: string | null; email: string | null; team: string | null }
type Desk = {
  apiKeys: { id: string; name: string; start: string; used: { month: number }; lastRequest: string | null }[]
  limits: { inProgress: number | null; requestsPerMinute: number | null; budget: { used: number } | null }
  tags: string[]
  notes: { id: string; text: string; actorEmail: string }[]
}
const search = async (q: string) =>
  (await kinora.call<{ found: Found[] }>('POST', '/api/v1/admin/search', { as: root, body: { q } })).data.found
const found = async (q: string) => (await search(q)).map(({ kind, id }) => [kind, id])
const desk = async (id: string) => (await kinora.call<Desk>('GET', `/api/v1/admin/users/${id}/desk`, { as: root })).data
const act = (id: string, action: string, body: object = {}, as = root) =>
  kinora.call<Desk>('POST', `/api/v1/admin/users/${id}/desk/${action}`, { as, body: { reason, ...body } })
const done = async (id: string, action: string, body: object = {}) => {
  const { status, data, text } = await act(id, action, body)
  assert.equal(status, 200, text)
  return data
}
const audited = async (userId: string) =>
  (
    await sql`select action, actor_id, reason from kinora.audit where user_id = ${userId} and action <> 'credits.add' order by id`
  ).map((entry) => ({
    ...entry,
  }))
const entry = (action: string) => ({ action, actorId: root.userId, reason })
const mailed = async (userId: string) =>
  (
    await sql<{ kind: string; recipient: string }[]>`
    select kind, recipient from kinora.mail where user_id = ${userId} order by id
  `
  ).map(({ kind, recipient }) => [kind, recipient])
async function newKey(as: Person): Promise<{ id: string; key: string; start: string }> {
  const { text } = await kinora.call('POST', '/api/auth/api-key/create', { as, body: { name: 'server' } })
  return JSON.parse(text)
}
const statusWith = async (key: string) =>
  (await kinora.call('GET', '/api/v1/credit/balance', { headers: { 'x-api-key': key } })).status

test('search: each thing that a customer writes → its kind and the id of its page', async () => {
  const ann = await kinora.person({ credits: 200 })
  await sql`update public."user" set name = 'Ann Ferrywoman', "emailVerified" = true where id = ${ann.userId}`
  const { id: teamId, owner } = await newTeam({ credits: 0 })
  const uuid = await completedVideo(kinora, ann)
  const share = await kinora.call<{ share: { url: string } }>('PUT', `/api/v1/video/${uuid}/share`, {
    as: ann,
    body: {},
  })
  const { data: published } = await kinora.call<{ publication: { id: string } }>(
    'PUT',
    `/api/v1/video/${uuid}/publication`,
    { as: ann, body: {} },
  )
  const [{ taskId }] = await sql<[{ taskId: string }]>`
    select task_id from kinora.provider_task where video_id = ${uuid}
  `
  const checkout = checkoutA(ann.userId)
  const order = checkout.order as { id: string }
  const subscription = newName('sub')
  const period = { start: startOfToday(), end: startOfToday() + 30 * DAY_MS }
  await deliverAll(
    kinora,
    'payment-a',
    eventA('checkout.completed', checkout),
    eventA('subscription.paid', subscriptionA(subscription, ann.userId, period)),
  )
  const key = await newKey(ann)
  const { data: invitation } = await kinora.call<{ id: string; link: string }>('POST', '/api/v1/admin/invitations', {
    as: root,
    body: { email: 'guest@example.com' },
  })
  const expected: [string, string, string][] = [
    [ann.email, 'user', ann.userId],
    ['ferrywoman', 'user', ann.userId],
    [ann.userId.toUpperCase(), 'user', ann.userId],
    [`the team ${teamId}, please`, 'team', teamId],
    [uuid, 'film', uuid],
    [`${kinora.url}/library/${uuid}`, 'film', uuid],
    [`Look: ${share.data.share.url} .`, 'share', uuid],
    [`${kinora.url}/explore/${published.publication.id}`, 'explore', uuid],
    [taskId, 'task', uuid],
    [order.id, 'payment', order.id],
    [subscription, 'subscription', subscription],
    [key.start, 'key', key.id],
    [key.key, 'key', key.id],
    [invitation.link, 'invitation', invitation.id],
    ['guest@example.com', 'invitation', invitation.id],
  ]
  for (const [q, kind, id] of expected) {
    assert.ok(
      (await found(q)).some(([k, i]) => k === kind && i === id),
      `${kind}: ${q} → ${JSON.stringify(await found(q))}`,
    )
  }
  const [film] = await search(uuid)
  assert.deepEqual([film?.userId, film?.email, film?.team], [ann.userId, ann.email, null])
  assert.deepEqual(await found(`no such thing ${randomUUID()} ${owner.userId.slice(0, 8)}`), [])
  for (const q of ["'; drop table x", '\\', 'kin_', '%%%', `${'a'.repeat(999)}`])
    assert.deepEqual(await found(q), [], q)
  assert.equal((await kinora.call('POST', '/api/v1/admin/search', { as: ann, body: { q: 'ann' } })).status, 403)
})

test('key: revoked on a user’s and a team’s page → refused within a second, audited; the account goes on', async () => {
  const ann = await kinora.person()
  const key = await newKey(ann)
  assert.equal(await statusWith(key.key), 200)
  const [shown] = (await desk(ann.userId)).apiKeys
  assert.deepEqual([shown?.name, shown?.start, shown?.used.month], ['server', key.start, 0])
  assert.deepEqual((await done(ann.userId, 'key', { keyId: key.id })).apiKeys, [])
  await assertRefusedWithinASecond(() => statusWith(key.key))
  assert.deepEqual(await audited(ann.userId), [entry('key.revoke')])
  assert.deepEqual(await mailed(ann.userId), [['account.changed', ann.email]])
  assert.equal((await kinora.generate(ann)).status, 200)

  const { id, owner } = await newTeam({ credits: 0 })
  const body = { name: 'build' }
  const made = await kinora.call<{ id: string; key: string }>('POST', '/api/v1/team/keys', {
    ...{ as: owner, body, headers: { 'x-team': id } },
  })
  assert.equal(made.status, 200, made.text)
  await done(id, 'key', { keyId: made.data.id })
  await assertRefusedWithinASecond(() => statusWith(made.data.key))
  for (const [of, keyId] of [
    [ann.userId, key.id],
    [ann.userId, made.data.id],
  ] as const)
    assert.equal((await act(of, 'key', { keyId })).status, 404)
})

test('address: changed → not verified, the old one told, the new one mailed; another user’s → 409', async () => {
  const ann = await kinora.person()
  await sql`update public."user" set "emailVerified" = true where id = ${ann.userId}`
  const email = `${newName('new')}@example.com`
  await done(ann.userId, 'address', { email: email.toUpperCase() })
  const [user] = await sql`select email, "emailVerified" as verified from public."user" where id = ${ann.userId}`
  assert.deepEqual({ ...user }, { email, verified: false })
  assert.deepEqual(await mailed(ann.userId), [
    ['account.changed', ann.email],
    ['email.verify', email],
  ])
  await done(ann.userId, 'address', { email })
  assert.equal((await act(ann.userId, 'address', { email: root.email })).status, 409)
  assert.deepEqual(await audited(ann.userId), [entry('user.change-address')])
})

test('password, sessions, second factor: for a user who cannot sign in → each once, with the sessions ended', async () => {
  const ann = await kinora.person()
  const isSignedIn = async () => (await kinora.call('GET', '/api/v1/credit/balance', { as: ann })).status
  await done(ann.userId, 'password')
  assert.deepEqual(await mailed(ann.userId), [['password.reset', ann.email]])
  assert.equal(await isSignedIn(), 200)
  assert.equal((await act(ann.userId, 'password', { password: 'password1234' })).status, 400)
  const password = 'a paper boat at dawn'
  await done(ann.userId, 'password', { password })
  await assertRefusedWithinASecond(isSignedIn)
  const signIn = () => kinora.call('POST', '/api/auth/sign-in/email', { body: { email: ann.email, password } })
  const { token } = JSON.parse((await signIn()).text) as { token: string }
  const bearer = async () =>
    (await kinora.call('GET', '/api/v1/credit/balance', { headers: { authorization: `Bearer ${token}` } })).status
  assert.equal(await bearer(), 200)
  await done(ann.userId, 'sessions')
  await assertRefusedWithinASecond(bearer)

  await sql`update public."user" set "twoFactorEnabled" = true where id = ${ann.userId}`
  await sql`
    insert into public."twoFactor" (id, secret, "backupCodes", "userId", verified) values (${randomUUID()}, 's', 'b', ${ann.userId}, true)
  `
  assert.ok('twoFactorRedirect' in JSON.parse((await signIn()).text))
  await done(ann.userId, 'second-factor', { passkeys: true })
  assert.ok('token' in JSON.parse((await signIn()).text))
  assert.equal((await act(ann.userId, 'second-factor', { passkeys: true })).status, 409)
  const actions = ['user.send-password', 'user.set-password', 'user.revoke-sessions', 'user.remove-factor']
  assert.deepEqual(await audited(ann.userId), actions.map(entry))
  const { id: teamId } = await newTeam({ credits: 0 })
  for (const action of ['password', 'sessions', 'second-factor'])
    assert.equal((await act(teamId, action, action === 'second-factor' ? { passkeys: false } : {})).status, 409, action)
})

test('limits: of a user and of a team → the smallest counts: in progress, credits of a day, requests', async () => {
  const ann = await kinora.person({ credits: 200 })
  const none = { inProgress: null, requestsPerMinute: null, budget: null }
  const codeOf = async () => (await kinora.generate(ann)).error?.code
  await done(ann.userId, 'limits', { ...none, inProgress: 1 })
  assert.equal(await codeOf(), undefined)
  assert.equal(await codeOf(), 'TOO_MANY_IN_PROGRESS')

  const budget = { credits: 40, period: 'day' }
  const { limits } = await done(ann.userId, 'limits', { ...none, inProgress: 6, budget })
  assert.equal(limits.budget?.used, 16)
  assert.equal(await codeOf(), undefined)
  assert.equal(await codeOf(), 'KEY_BUDGET_EXCEEDED')
  const read = async (as: Person, headers = {}) =>
    (
      await kinora.call<{ rates: { name: string; limit: number }[]; budgets: object[]; inProgress: object }>(
        'GET',
        '/api/v1/limits',
        { as, headers },
      )
    ).data
  const shown = await read(ann)
  assert.deepEqual(shown.inProgress, { limit: 6, now: 2 })
  assert.deepEqual(
    shown.budgets.map((each) => ({ ...each, resetAt: 0 })),
    [{ of: 'account', credits: 40, left: 8, resetAt: 0 }],
  )
  // The key has more, and the limit of the user counts.
  const key = await newKey(ann)
  const withKey = () =>
    kinora.call('POST', '/api/v1/video/generate', { body: generateBody, headers: { 'x-api-key': key.key } })
  assert.equal((await withKey()).error?.code, 'KEY_BUDGET_EXCEEDED')

  await done(ann.userId, 'limits', { ...none, requestsPerMinute: 500 })
  const rateOf = async (as: Person, headers = {}) =>
    (await read(as, headers)).rates.filter(({ name }) => ['user', 'generate'].includes(name)).map(({ limit }) => limit)
  await waitFor('the rate of the user', async () => `${await rateOf(ann)}` === '500,60')
  const { id: teamId } = await newTeam({ credits: 100 })
  await addMember(kinora.app, teamId, ann)
  await done(teamId, 'limits', { inProgress: 1, requestsPerMinute: 400, budget: { credits: 20, period: 'week' } })
  await waitFor('the rate of the team', async () => `${await rateOf(ann, { 'x-team': teamId })}` === '400,60')
  assert.equal((await generateFor(ann, teamId)).status, 200)
  assert.equal((await generateFor(ann, teamId)).error?.code, 'TOO_MANY_IN_PROGRESS')
  await done(teamId, 'limits', { ...none, budget: { credits: 20, period: 'week' } })
  assert.equal((await generateFor(ann, teamId)).error?.code, 'KEY_BUDGET_EXCEEDED')
  await done(teamId, 'limits', none)
  assert.equal((await generateFor(ann, teamId)).status, 200)
})

test('limits: 6 requests at once with a budget for 2 → 2 films', async () => {
  const ann = await kinora.person({ credits: 200 })
  await done(ann.userId, 'limits', {
    inProgress: 100,
    requestsPerMinute: null,
    budget: { credits: 32, period: 'month' },
  })
  const replies = await Promise.all(Array.from({ length: 6 }, () => kinora.generate(ann)))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 402, 402, 402, 402])
})

test('tags, notes: set and written → listed, filtered by, exported with the account and gone with it', async () => {
  const ann = await kinora.person()
  const { id: teamId } = await newTeam({ credits: 0 })
  const tag = newName('vip')
  assert.deepEqual((await done(ann.userId, 'tags', { tags: [tag, 'press', tag] })).tags, ['press', tag])
  await done(teamId, 'tags', { tags: [tag] })
  const listed = async (list: string, rows: string) =>
    (
      (await kinora.call<Record<string, { id: string }[]>>('GET', `/api/v1/admin/${list}?tag=${tag}`, { as: root }))
        .data[rows] ?? []
    ).map(({ id }) => id)
  assert.deepEqual([await listed('users', 'users'), await listed('teams', 'teams')], [[ann.userId], [teamId]])
  const { data } = await kinora.call<{ tags: { tag: string; owners: number }[] }>('GET', '/api/v1/admin/tags', {
    as: root,
  })
  assert.equal(data.tags.find((each) => each.tag === tag)?.owners, 2)
  const [note] = (await done(ann.userId, 'note', { text: ' Wants an invoice ' })).notes
  assert.deepEqual([note?.text, note?.actorEmail], ['Wants an invoice', root.email])
  assert.equal((await act(ann.userId, 'note-deletion', { noteId: randomUUID() })).status, 404)
  await done(ann.userId, 'note', { text: 'Wrong' })
  const [wrong] = (await desk(ann.userId)).notes
  assert.equal((await done(ann.userId, 'note-deletion', { noteId: wrong?.id })).notes.length, 1)
  assert.deepEqual(await audited(ann.userId), ['tags.set', 'note.add', 'note.add', 'note.delete'].map(entry))
  await done(ann.userId, 'limits', { inProgress: 3, requestsPerMinute: null, budget: null })
  const exported = await readProfile(kinora.app, ann.userId)
  assert.deepEqual(
    [exported.tags, (exported.notes as { text: string }[]).map(({ text }) => text), exported.limits],
    [
      ['press', tag],
      ['Wants an invoice'],
      { maxInProgress: 3, requestsPerMinute: null, budget: null, budgetPeriod: null },
    ],
  )
  const deleted = await kinora.call('DELETE', `/api/v1/admin/users/${ann.userId}`, {
    as: root,
    body: { reason, owed: 0 },
  })
  assert.equal(deleted.status, 200, deleted.text)
  assert.deepEqual(await desk(ann.userId), {
    ...{ apiKeys: [], tags: [], notes: [] },
    limits: { inProgress: null, requestsPerMinute: null, budget: null },
  })
  const left = await sql`select from kinora.audit where user_id = ${ann.userId} and (before ? 'tags' or after ? 'tags')`
  assert.equal(left.length, 0)
})

test('restore: a deleted film → in its library and counted again; not after DELETED_KEPT, not twice', async () => {
  const ann = await kinora.person({ credits: 100 })
  const [uuid, old] = [await completedVideo(kinora, ann), await completedVideo(kinora, ann)]
  const restore = (id: string) =>
    kinora.call('POST', `/api/v1/admin/videos/${id}/restore`, { as: root, body: { reason } })
  const list = async () => {
    const { data } = await kinora.call<{ videos: { uuid: string }[]; total: number }>('GET', '/api/v1/video/list', {
      as: ann,
    })
    return [data.total, data.videos.map((video) => video.uuid)]
  }
  assert.equal((await restore(uuid)).status, 409)
  for (const id of [uuid, old]) await kinora.call('DELETE', `/api/v1/video/${id}`, { as: ann })
  assert.deepEqual(await list(), [0, []])
  const kept = (kinora.app.config.retention.deletedS ?? assert.fail('DELETED_KEPT')) * 1000
  await sql`update kinora.video set deleted_at = ${new Date(now().getTime() - kept - 1000)} where id = ${old}`
  assert.equal((await restore(uuid)).status, 200)
  assert.deepEqual(await list(), [1, [uuid]])
  const refused = await restore(old)
  assert.deepEqual([refused.status, refused.error?.code], [409, 'CONFLICT'])
  assert.equal((await restore(uuid)).status, 409)
  assert.equal((await restore(randomUUID())).status, 404)
  assert.deepEqual(await audited(ann.userId), [entry('video.restore')])
})

test('mail: sent again → one that was sent as another mail to the present address; with a link or waiting → 409', async () => {
  const ann = await kinora.person()
  await done(ann.userId, 'password')
  const key = await newKey(ann)
  await done(ann.userId, 'key', { keyId: key.id })
  const { data } = await kinora.call<{ mails: { id: string; kind: string }[] }>(
    'GET',
    `/api/v1/admin/mails?userId=${ann.userId}`,
    { as: root },
  )
  assert.deepEqual(
    data.mails.map(({ kind }) => kind),
    ['account.changed', 'password.reset'],
  )
  const [told, reset] = data.mails
  const retry = (id = '') => kinora.call('POST', `/api/v1/admin/mails/${id}/retry`, { as: root, body: { reason } })
  assert.equal((await retry(told?.id)).status, 409)
  await sql`update kinora.mail set state = 'sent', due_at = null, link = null where user_id = ${ann.userId}`
  assert.equal((await retry(reset?.id)).status, 409)
  const email = `${newName('new')}@example.com`
  await sql`update public."user" set email = ${email} where id = ${ann.userId}`
  assert.equal((await retry(told?.id)).status, 200)
  assert.deepEqual((await mailed(ann.userId)).at(-1), ['account.changed', email])
  assert.deepEqual((await audited(ann.userId)).at(-1), entry('mail.retry'))
})

test('charge: of a film → each credit with the payment or gift that it came from', async () => {
  const ann = await kinora.person({ credits: 10 })
  const checkout = checkoutA(ann.userId)
  const order = checkout.order as { id: string }
  await deliverAll(kinora, 'payment-a', eventA('checkout.completed', checkout))
  const { data: film } = await kinora.generate(ann)
  const { data } = await kinora.call<{
    paidBy: { credits: number; orderNo: string | null; processor: string | null }[]
  }>('GET', `/api/v1/admin/videos/${film.uuid}`, { as: root })
  const paid = data.paidBy.map(({ credits, orderNo, processor }) => [credits, orderNo, processor])
  assert.deepEqual(
    paid.toSorted(([a], [b]) => Number(a) - Number(b)),
    [
      [6, order.id, 'payment-a'],
      [10, null, null],
    ],
  )
})

test('400, 403, 404: without a reason, by a user, of an unknown id → nothing changes', async () => {
  const ann = await kinora.person()
  for (const body of [{ reason: ' ' }, { reason: undefined }, { reason, other: 1 }])
    assert.equal((await act(ann.userId, 'sessions', body)).status, 400)
  assert.equal((await act(ann.userId, 'sessions', {}, ann)).status, 403)
  assert.equal((await act(randomUUID(), 'sessions')).status, 404)
  assert.equal((await act('x', 'sessions')).status, 404)
  assert.deepEqual(await audited(ann.userId), [])
})

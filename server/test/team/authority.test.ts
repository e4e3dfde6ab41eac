/**
 * Authority has a parent: what a member has given (invitation, API key with its browser tokens, webhook endpoint) ends,
 * or is suspended, when the member may give it no longer, within a second. server/sql/authority.sql has the rule.
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { sweepAuthority } from '../../src/account/team/authority.ts'
import { AppError } from '../../src/errors.ts'
import { openStream } from '../support/event-stream-client.ts'
import { assertRefusedWithinASecond, holdMonotonicClock } from '../support/expire-credential-cache.ts'
import { generateBody, openKinora, type Person } from '../support/harness.ts'
import { addMember, openTeams } from '../support/teams.ts'
import { waitFor } from '../support/video-row.ts'
import { allow, dispatchAll, openReceiver, type Receiver } from '../support/webhook-receiver.ts'

// A credential makes films until its end is noticed: how many is not what is tested.
const kinora = await openKinora({ env: { MAX_IN_PROGRESS: '0' } })
const { app } = kinora
const { sql } = app
const { newTeam, call, generate } = openTeams(kinora)
const root = await kinora.person({ role: 'admin' })
const DAY_MS = 86_400_000

type Made = {
  id: string
  madeBy: { id: string; name: string | null } | null
  suspendedAt: string | null
  endsAt: string | null
}
type Headers = Record<string, string>

/** A team whose admin Ben has given one of each to it. */
async function openGiven(t: TestContext, role: 'admin' | 'owner' = 'admin') {
  const { id, owner } = await newTeam({ credits: 1000 })
  const ben = await addMember(app, id, await kinora.person({ credits: 0 }), role)
  const dan = await kinora.person()
  const receiver = await openReceiver(t)
  allow(kinora, t, receiver)
  const post = async <T>(path: string, body: object) => {
    const made = await call<T>(ben, id, 'POST', path, body)
    assert.equal(made.status, 200, made.text)
    return made.data
  }
  const key = await post<{ id: string; key: string }>('/api/v1/team/keys', { name: 'server' })
  const endpoint = await post<{ id: string }>('/api/v1/webhook/endpoints', { url: receiver.url })
  const { link } = await post<{ link: string }>('/api/v1/team/invitations', { email: dan.email })
  const asKey = { 'x-api-key': key.key }
  const body = { budget: 500, scopes: ['read', 'generate'] }
  const { data } = await kinora.call<{ token: string }>('POST', '/api/v1/key/token', { headers: asKey, body })
  const asToken = { authorization: `Bearer ${data.token}` }
  const member = `/api/v1/team/members/${ben.userId}`
  const invitation = link.split('#team-invitation=')[1] ?? ''
  return { id, owner, ben, dan, receiver, key, endpoint, invitation, asKey, asToken, member }
}
type Given = Awaited<ReturnType<typeof openGiven>>

const admin = async (method: string, path: string, body: object) => {
  const answer = await kinora.call(method, path, { as: root, body })
  assert.equal(answer.status, 200, answer.text)
}
const ban = ({ userId }: Person) => admin('POST', '/api/auth/admin/ban-user', { userId })
const unban = ({ userId }: Person) => admin('POST', '/api/auth/admin/unban-user', { userId })
const deleteUser = ({ userId }: Person) => admin('DELETE', `/api/v1/admin/users/${userId}`, { reason: 'Chargebacks' })
const sent = async (answer: Promise<{ status: number; text: string }>) => {
  const { status, text } = await answer
  assert.equal(status, 200, text)
}

/** Reads, spends and changes something with a credential. */
const uses = {
  read: (headers: Headers) => kinora.call('GET', '/api/v1/video/list', { headers }),
  spend: (headers: Headers) => kinora.call('POST', '/api/v1/video/generate', { headers, body: generateBody }),
  change: (headers: Headers) =>
    kinora.call('POST', '/api/v1/video/delete', { headers, body: { uuid: '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50' } }),
}

const keysOf = async ({ owner, id }: Pick<Given, 'owner' | 'id'>) =>
  (await call<{ apiKeys: Made[] }>(owner, id, 'GET', '/api/v1/team/keys')).data.apiKeys
const endpointsOf = async ({ owner, id }: Pick<Given, 'owner' | 'id'>) =>
  (await call<{ endpoints: Made[] }>(owner, id, 'GET', '/api/v1/webhook/endpoints')).data.endpoints
const accept = ({ dan, invitation }: Given) =>
  kinora.call('POST', '/api/v1/team/invitations/accept', { as: dan, body: { token: invitation } })

/** Ends a film of the owner, of which an endpoint gets an event. @returns how many the receiver has got */
async function endFilm({ owner, id, receiver }: { owner: Person; id: string; receiver: Receiver }): Promise<number> {
  const { data, status, text } = await generate(owner, id)
  assert.equal(status, 200, text)
  await sent(call(owner, id, 'POST', `/api/v1/video/${data.uuid}/cancel`))
  await dispatchAll(kinora)
  return receiver.received.length
}

/** Every use by key and token is refused within a second, and all of them stay refused. */
async function assertRefused({ asKey, asToken }: Given, status: number): Promise<void> {
  await Promise.all(
    [asKey, asToken].flatMap((headers) =>
      Object.values(uses).map((use) => assertRefusedWithinASecond(async () => (await use(headers)).status, status)),
    ),
  )
}

/** The end of a suspension has no time limit, but an end: a key that was refused counts again. */
const assertAccepted = (headers: Headers) =>
  waitFor('the end of the suspension', async () => (await uses.read(headers)).status === 200)

const ends: Record<string, (given: Given) => Promise<void>> = {
  'was demoted': ({ owner, id, member }) => sent(call(owner, id, 'PATCH', member, { role: 'maker' })),
  'was removed': ({ owner, id, member }) => sent(call(owner, id, 'DELETE', member)),
  'has left': ({ ben, id, member }) => sent(call(ben, id, 'DELETE', member)),
  'has deleted the own account': ({ ben }) => sent(kinora.call('DELETE', '/api/v1/account', { as: ben, body: {} })),
}
for (const [what, withdraw] of Object.entries(ends)) {
  test(`401: the giver ${what} → key, token, endpoint and invitation have ended within a second`, async (t) => {
    const given = await openGiven(t)
    for (const headers of [given.asKey, given.asToken]) assert.equal((await uses.read(headers)).status, 200)
    assert.equal(await endFilm(given), 1)
    const stream = await openStream(kinora.url, { ...given.ben, token: given.asToken.authorization.slice(7) })
    await withdraw(given)
    await assertRefused(given, 401)
    assert.equal(await stream.ended(), 'clean')
    assert.equal((await accept(given)).status, 404)
    assert.equal(await endFilm(given), 1)
    assert.deepEqual([await keysOf(given), await endpointsOf(given)], [[], []])
  })
}

const suspends = { 'was locked': ban, 'was deleted': deleteUser }
for (const [what, withdraw] of Object.entries(suspends)) {
  test(`403: the account of the giver ${what} by an administrator → suspended, mailed to the owners, ended after seven days`, async (t) => {
    const given = await openGiven(t)
    kinora.holdClock()
    assert.equal((await uses.read(given.asToken)).status, 200)
    const stream = await openStream(kinora.url, { ...given.ben, token: given.asToken.authorization.slice(7) })
    await withdraw(given.ben)
    await assertRefused(given, 403)
    assert.equal(await stream.ended(), 'clean')
    const { error } = await uses.read(given.asKey)
    assert.deepEqual(error?.details, { reason: 'key_suspended' })
    assert.match(error?.message ?? '', /An owner of the team can take it over/)
    assert.equal((await accept(given)).status, 404)
    assert.equal(await endFilm(given), 0)
    const endsAt = new Date(app.now().getTime() + 7 * DAY_MS).toISOString()
    for (const [made] of [await keysOf(given), await endpointsOf(given)]) {
      assert.equal(made?.endsAt, endsAt)
      assert.deepEqual(made?.madeBy, { id: given.ben.userId, name: what === 'was locked' ? 'Test User' : null })
    }
    const mails = await sql`select kind, data from kinora.mail where user_id = ${given.id}`
    assert.deepEqual([...mails], [{ kind: 'team.suspended', data: { keys: 1, endpoints: 1, expiresAt: endsAt } }])
    const test = `/api/v1/webhook/endpoints/${given.endpoint.id}/test`
    assert.equal((await call(given.owner, given.id, 'POST', test)).status, 409)
    kinora.turnClock(7 * DAY_MS - 1)
    await sweepAuthority(app)
    assert.equal((await keysOf(given)).length, 1)
    kinora.turnClock(1)
    await sweepAuthority(app)
    assert.deepEqual([await keysOf(given), await endpointsOf(given)], [[], []])
    await assertRefused(given, 401)
  })
}

for (const what of ['was removed', 'was locked'] as const) {
  test(`webhook: the giver ${what} while its endpoint is sent a batch → nothing more of the batch a second later`, async (t) => {
    const given = await openGiven(t)
    const { owner, ben, id, endpoint, member, receiver } = given
    const gate = Promise.withResolvers<{ status: number }>()
    receiver.respond = () => gate.promise
    // One more than are sent at a time.
    for (let event = 0; event < 17; event += 1) {
      const { status, text } = await call(owner, id, 'POST', `/api/v1/webhook/endpoints/${endpoint.id}/test`)
      assert.equal(status, 200, text)
    }
    const sending = dispatchAll(kinora)
    await waitFor('the first of the batch', () => receiver.received.length === 16)
    await (what === 'was locked' ? ban(ben) : sent(call(owner, id, 'DELETE', member)))
    holdMonotonicClock(t)(1_000)
    gate.resolve({ status: 204 })
    await sending
    assert.equal(receiver.received.length, 16)
  })
}

test('200: the giver is unlocked, by an administrator or by time → nothing is suspended, what has waited is sent', async (t) => {
  const given = await openGiven(t)
  const assertLifted = async (events: number) => {
    await assertAccepted(given.asKey)
    await dispatchAll(kinora)
    assert.equal(given.receiver.received.length, events)
    assert.deepEqual((await keysOf(given))[0]?.suspendedAt, null)
  }
  await ban(given.ben)
  assert.equal(await endFilm(given), 0)
  await unban(given.ben)
  await assertLifted(1)
  await admin('POST', '/api/auth/admin/ban-user', { userId: given.ben.userId, banExpiresIn: 3600 })
  assert.equal(await endFilm(given), 1)
  await sweepAuthority(app)
  await assertRefusedWithinASecond(async () => (await uses.read(given.asKey)).status, 403)
  kinora.turnClock(3601_000)
  await sweepAuthority(app)
  await assertLifted(2)
  assert.equal((await accept(given)).status, 200)
})

test('200: an owner takes over a suspended key and endpoint → they go on as the owner’s, also after seven days', async (t) => {
  const given = await openGiven(t)
  const { owner, ben, id, key, endpoint } = given
  const ids = [key.id, endpoint.id]
  const takeOver = (person: Person) => call(person, id, 'POST', '/api/v1/team/take-over', { ids })
  const cai = await addMember(app, id, await kinora.person(), 'admin')
  await deleteUser(ben)
  assert.equal(await endFilm(given), 0)
  assert.equal((await takeOver(cai)).status, 403)
  await sent(takeOver(owner))
  await assertAccepted(given.asToken)
  await dispatchAll(kinora)
  assert.equal(given.receiver.received.length, 1)
  kinora.turnClock(8 * DAY_MS)
  await sweepAuthority(app)
  for (const [made] of [await keysOf(given), await endpointsOf(given)]) {
    assert.deepEqual([made?.madeBy?.id, made?.suspendedAt, made?.endsAt], [owner.userId, null, null])
  }
})

test('200: a member is removed, an owner takes one over → that one goes on, the others end; what ends was listed before', async (t) => {
  const given = await openGiven(t)
  const { owner, id, member, key, endpoint } = given
  const listed = async (query = '') =>
    (await call<{ given: { kind: string; name: string }[] }>(owner, id, 'GET', `${member}/given${query}`)).data.given
  assert.deepEqual(
    (await listed()).map(({ kind, name }) => [kind, name]),
    [
      ['endpoint', given.receiver.url],
      ['invitation', given.dan.email],
      ['key', 'server'],
    ],
  )
  assert.deepEqual(await listed('?role=owner'), [])
  const cai = await addMember(app, id, await kinora.person(), 'admin')
  const takeOver = [key.id]
  assert.equal((await call(cai, id, 'DELETE', member, { takeOver })).status, 403)
  const stranger = await call(owner, id, 'DELETE', member, { takeOver: [cai.userId] })
  assert.deepEqual([stranger.status, (await uses.read(given.asKey)).status], [409, 200])
  await sent(call(owner, id, 'DELETE', member, { takeOver }))
  assert.deepEqual(
    (await keysOf(given)).map(({ id, madeBy }) => [id, madeBy?.id]),
    [[key.id, owner.userId]],
  )
  assert.equal((await uses.read(given.asKey)).status, 200)
  assert.ok(!(await endpointsOf(given)).some(({ id }) => id === endpoint.id))
  assert.equal((await accept(given)).status, 404)
})

test('404: an owner is made an admin → the invitations to owner end, those to maker, keys and endpoints stay', async (t) => {
  const given = await openGiven(t, 'owner')
  const { owner, ben, id, member } = given
  const eve = await kinora.person()
  const invited = await call<{ link: string }>(ben, id, 'POST', '/api/v1/team/invitations', {
    email: eve.email,
    role: 'owner',
  })
  await sent(call(owner, id, 'PATCH', member, { role: 'admin' }))
  const body = { token: invited.data.link.split('#team-invitation=')[1] }
  assert.equal((await kinora.call('POST', '/api/v1/team/invitations/accept', { as: eve, body })).status, 404)
  assert.equal((await accept(given)).status, 200)
  assert.deepEqual([(await keysOf(given)).length, (await endpointsOf(given)).length], [1, 1])
})

test('200: lists of invitations, keys and endpoints → name who gave them; of an invitation that was made anew the second', async (t) => {
  const given = await openGiven(t)
  const { owner, ben, dan, id } = given
  await sql`update public."user" set name = 'Ben' where id = ${ben.userId}`
  const inviter = async () =>
    (await call<{ invitations: { inviter: string }[] }>(owner, id, 'GET', '/api/v1/team/invitations')).data.invitations
  assert.deepEqual(
    (await inviter()).map((each) => each.inviter),
    ['Ben'],
  )
  await sent(call(owner, id, 'POST', '/api/v1/team/invitations', { email: dan.email }))
  assert.deepEqual(
    (await inviter()).map((each) => each.inviter),
    ['Test User'],
  )
  for (const [made] of [await keysOf(given), await endpointsOf(given)]) assert.equal(made?.madeBy?.name, 'Ben')
  const own = await kinora.call<Made>('POST', '/api/v1/webhook/endpoints', {
    as: ben,
    body: { url: given.receiver.url },
  })
  assert.equal(own.data.madeBy, null)
})

test('200: an endpoint is made with a key of a team, another one gets a new URL → the key’s maker answers for it, and who changed the URL', async (t) => {
  const given = await openGiven(t)
  const { owner, id, asKey, endpoint, receiver } = given
  const body = { url: `${receiver.url}/2` }
  const { data } = await kinora.call<Made>('POST', '/api/v1/webhook/endpoints', { headers: asKey, body })
  assert.equal(data.madeBy?.id, given.ben.userId)
  const patch = (body: object) => call<Made>(owner, id, 'PATCH', `/api/v1/webhook/endpoints/${endpoint.id}`, body)
  assert.equal((await patch({ description: 'Nightly' })).data.madeBy?.id, given.ben.userId)
  assert.equal((await patch({ url: `${receiver.url}/3` })).data.madeBy?.id, owner.userId)
  await sent(call(owner, id, 'DELETE', given.member))
  assert.deepEqual(
    (await endpointsOf(given)).map((each) => each.id),
    [endpoint.id],
  )
})

test('race: 20 times a take-over and a removal at the same time → the key is the owner’s or it has ended, never both or neither', async (t) => {
  const outcomes = new Set<string>()
  for (let round = 0; round < 20; round += 1) {
    const given = await openGiven(t)
    const { owner, id, member, key, asKey } = given
    const second = await addMember(app, id, await kinora.person(), 'owner')
    const [taken, removed] = await Promise.all([
      call(second, id, 'POST', '/api/v1/team/take-over', { ids: [key.id] }),
      call(owner, id, 'DELETE', member),
    ])
    assert.equal(removed.status, 200)
    const makers = (await keysOf(given)).map(({ madeBy }) => madeBy?.id)
    assert.deepEqual(makers, taken.status === 200 ? [second.userId] : [])
    assert.ok([200, 404].includes(taken.status), taken.text)
    await assertRefusedWithinASecond(async () => (await uses.read(asKey)).status, taken.status === 200 ? 200 : 401)
    outcomes.add(`${taken.status}`)
  }
  t.diagnostic(`take-over answered ${[...outcomes].join(' and ')}`)
})

test('race: 20 times a removal while the member gives → nothing that the member gave is left', async () => {
  for (let round = 0; round < 20; round += 1) {
    const { id, owner } = await newTeam({ credits: 0 })
    const ben = await addMember(app, id, await kinora.person({ credits: 0 }), 'admin')
    await Promise.all([
      call(ben, id, 'POST', '/api/v1/team/keys', { name: 'server' }),
      call(ben, id, 'POST', '/api/v1/webhook/endpoints', { url: 'https://hooks.example.com/' }),
      call(ben, id, 'POST', '/api/v1/team/invitations', { email: 'dan@example.com' }),
      call(owner, id, 'DELETE', `/api/v1/team/members/${ben.userId}`),
    ])
    const { data } = await call<{ invitations: object[] }>(owner, id, 'GET', '/api/v1/team/invitations')
    assert.deepEqual([await keysOf({ owner, id }), await endpointsOf({ owner, id }), data.invitations], [[], [], []])
  }
})

test('crash: a process dies between a gift and its settlement, its giver removed meanwhile → the sweep ends the gift', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const ben = await addMember(app, id, await kinora.person({ credits: 0 }), 'admin')
  const before = app.crashPoint
  app.crashPoint = (point) => {
    if (point === 'team.given') throw new AppError('UNAVAILABLE', 'The process dies here.')
  }
  for (const [path, body] of [
    ['/api/v1/team/keys', { name: 'server' }],
    ['/api/v1/webhook/endpoints', { url: 'https://hooks.example.com/' }],
  ] as const) {
    assert.equal((await call(ben, id, 'POST', path, body)).status, 503)
  }
  app.crashPoint = before
  await sql`delete from kinora.team_member where team_id = ${id} and user_id = ${ben.userId}`
  assert.deepEqual([(await keysOf({ owner, id })).length, (await endpointsOf({ owner, id })).length], [1, 1])
  await sweepAuthority(app)
  assert.deepEqual([await keysOf({ owner, id }), await endpointsOf({ owner, id })], [[], []])
})

test('401: a team is locked, or deleted → its keys and their tokens are refused within a second', async (t) => {
  const [locked, deleted] = [await openGiven(t), await openGiven(t)]
  for (const { asToken } of [locked, deleted]) assert.equal((await uses.read(asToken)).status, 200)
  await admin('POST', `/api/v1/admin/teams/${locked.id}/lock`, { reason: 'Spam' })
  await sent(call(deleted.owner, deleted.id, 'DELETE', '/api/v1/team', {}))
  for (const given of [locked, deleted]) await assertRefused(given, 401)
  assert.equal((await accept(deleted)).status, 404)
})

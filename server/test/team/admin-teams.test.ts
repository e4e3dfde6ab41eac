/** `GET /api/v1/admin/teams…`: teams, members, balances, grants, lock, deletion, owners. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora, type Person } from '../support/harness.ts'
import { addMember, openTeams } from '../support/teams.ts'

const kinora = await openKinora({ simulator: true })
const { app } = kinora
const { newTeam, call, generate, finish } = openTeams(kinora)
const root = await kinora.person({ role: 'admin', credits: 0 })

type Team = { id: string; name: string; members: number; locked: boolean; credits: { available: number; used: number } }
type Page = { teams: Team[]; total: number; nextCursor: string | null }
const admin = <T = Record<string, unknown>>(method: string, path: string, body?: unknown, as: Person = root) =>
  kinora.call<T>(method, `/api/v1/admin/${path}`, { as, body })
const found = async (q: string) => {
  const { data } = await admin<Page>('GET', `teams?q=${encodeURIComponent(q)}`)
  return [data.teams.map(({ id }) => id), data.total]
}
const lock = (id: string, operation = 'lock') =>
  admin<Team>('POST', `teams/${id}/${operation}`, { reason: 'Chargebacks' })
/** Repeats what fails until it does not, for a second. */
async function withinSecond(check: () => Promise<void>): Promise<void> {
  for (const until = performance.now() + 1000; ; ) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > until) throw error
    }
  }
}

test('200: teams by name, by a member’s address, by id → those; keyset pagination shows each once', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  await app.sql`update kinora.team set name = 'Quirrell_100%' where id = ${id}`
  const ben = await addMember(app, id, await kinora.person())
  for (const q of ['quirrell', 'RELL_100%', id, ` ${id.toUpperCase()} `, owner.email, ben.email]) {
    assert.deepEqual(await found(q), [[id], 1], q)
  }
  for (const q of ['quirrell1', root.email, owner.userId]) assert.deepEqual(await found(q), [[], 0], q)
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data }: { data: Page } = await admin<Page>('GET', `teams?pageSize=1${cursor && `&cursor=${cursor}`}`)
    seen.push(...data.teams.map((team) => team.id))
    cursor = data.nextCursor
  }
  assert.deepEqual(seen, seen.toSorted().toReversed())
  assert.ok(seen.includes(id))
})

test('200: one team → members, balance, history, films and payments; granted and taken as of a user, in the audit log', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const ben = await addMember(app, id, await kinora.person())
  const granted = await admin('POST', 'credits/add', { userId: id, credits: 100 })
  assert.equal(granted.status, 200, granted.text)
  const { uuid } = (await generate(ben, id)).data
  await finish(owner, id, uuid)
  const taken = await admin('POST', 'credits/take', { userId: id, credits: 4, reason: 'Twice' })
  assert.equal(taken.status, 200, taken.text)
  const { data: team } = await admin<Team & { inProgress: number }>('GET', `teams/${id}`)
  assert.deepEqual([team.name, team.members, team.locked, team.inProgress], ['North', 2, false, 0])
  assert.deepEqual([team.credits.available, team.credits.used], [80, 16])
  const { data: list } = await admin<{ members: { userId: string; role: string }[] }>('GET', `teams/${id}/members`)
  assert.deepEqual(
    list.members.map(({ userId, role }) => [userId, role]),
    [
      [owner.userId, 'owner'],
      [ben.userId, 'maker'],
    ].toSorted(),
  )
  const { data: history } = await admin<{ transactions: { credits: number }[] }>('GET', `users/${id}/history`)
  assert.deepEqual(
    history.transactions.map(({ credits }) => credits),
    [-4, -16, 100],
  )
  const { data: payments } = await admin<{ payments: object[] }>('GET', `users/${id}/payments`)
  assert.deepEqual(payments.payments, [])
  type Owned = { userId: string; email: string | null; team: string | null }
  const { data: films } = await admin<{ videos: Owned[] }>('GET', `videos/ended?userId=${id}`)
  const { data: film } = await admin<Owned>('GET', `videos/${uuid}`)
  for (const owned of [...films.videos, film])
    assert.deepEqual([owned.userId, owned.email, owned.team], [id, null, 'North'])
  assert.equal(films.videos.length, 1)
  const { data: audit } = await admin<{ entries: { action: string; team: string }[] }>('GET', `audit?userId=${id}`)
  assert.deepEqual(
    audit.entries.map((entry) => [entry.action, entry.team]),
    [
      ['credits.take', 'North'],
      ['credits.add', 'North'],
      ['team.create', 'North'],
    ],
  )
})

test('403: a locked team → its members, keys, streams and links are refused within a second, until it is unlocked', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const { uuid } = (await generate(owner, id)).data
  await finish(owner, id, uuid)
  const { share } = (await call<{ share: { url: string } }>(owner, id, 'PUT', `/api/v1/video/${uuid}/share`, {})).data
  const made = await call<{ key: string }>(owner, id, 'POST', '/api/v1/team/keys', { name: 'Robot' })
  assert.equal(made.status, 200, made.text)
  const withKey = () => fetch(`${kinora.url}/api/v1/credit/balance`, { headers: { 'x-api-key': made.data.key } })
  const shared = () => fetch(`${kinora.url}/api/v1${new URL(share.url).pathname}`)
  const stream = await fetch(`${kinora.url}/api/v1/video/events`, {
    headers: { authorization: `Bearer ${owner.token}`, 'x-team': id },
  })
  assert.deepEqual([stream.status, (await withKey()).status, (await shared()).status], [200, 200, 200])

  const { data: locked } = await lock(id)
  assert.deepEqual([locked.locked, (locked as { lockReason?: string }).lockReason], [true, 'Chargebacks'])
  const statuses = async () => [
    (await call(owner, id, 'GET', '/api/v1/credit/balance')).status,
    (await withKey()).status,
  ]
  await withinSecond(async () => assert.deepEqual(await statuses(), [403, 401]))
  for await (const _ of stream.body ?? []);
  assert.equal((await shared()).status, 404)
  const { data: mine } = await kinora.call<{ teams: Team[] }>('GET', '/api/v1/teams', { as: owner })
  assert.deepEqual(
    mine.teams.map((team) => [team.id, team.locked]),
    [[id, true]],
  )

  await lock(id)
  const unlocked = await lock(id, 'unlock')
  assert.equal(unlocked.data.locked, false)
  await withinSecond(async () => assert.deepEqual(await statuses(), [200, 200]))
  assert.equal((await shared()).status, 200)
  const { data: audit } = await admin<{ entries: { action: string; reason: string }[] }>('GET', `audit?userId=${id}`)
  assert.deepEqual(
    audit.entries.slice(0, 2).map(({ action, reason }) => [action, reason]),
    [
      ['team.unlock', 'Chargebacks'],
      ['team.lock', 'Chargebacks'],
    ],
  )
})

test('200: a member made an owner by an administrator → the last owner’s account can be deleted, within the audit log', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const ben = await addMember(app, id, await kinora.person({ credits: 0 }), 'viewer')
  const remove = () => admin('DELETE', `users/${owner.userId}`, { reason: 'Asked for it' })
  assert.equal((await call(ben, id, 'PATCH', '/api/v1/team', { name: 'South' })).status, 403)
  assert.equal((await remove()).status, 409)
  const path = `teams/${id}/members/${ben.userId}/owner`
  for (let times = 0; times < 2; times++)
    assert.deepEqual((await admin('POST', path, { reason: 'She left' })).data, { userId: ben.userId })
  await withinSecond(async () =>
    assert.equal((await call(ben, id, 'PATCH', '/api/v1/team', { name: 'South' })).status, 200),
  )
  assert.equal((await remove()).status, 200)
  type Entries = { entries: { action: string; reason: string; subject: string; before: object; after: object }[] }
  const { data } = await admin<Entries>('GET', `audit?userId=${id}`)
  assert.deepEqual(
    data.entries.map(({ action, reason, subject, before, after }) => [action, reason, subject, before, after]),
    [
      ['team.leave', null, owner.userId, { role: 'owner' }, null],
      ['team.rename', null, null, { name: 'North' }, { name: 'South' }],
      ['team.make-owner', 'She left', ben.userId, { role: 'viewer' }, { role: 'owner' }],
      ['team.create', null, null, null, { name: 'North' }],
    ],
  )
  for (const unknown of [
    `teams/${id}/members/${owner.userId}/owner`,
    `teams/${owner.userId}/members/${ben.userId}/owner`,
    `teams/x/members/y/owner`,
  ])
    assert.equal((await admin('POST', unknown, { reason: 'r' })).status, 404, unknown)
  assert.equal((await admin('POST', path, { reason: 'r' }, ben)).status, 403)
})

test('200: a team deleted by an administrator → gone for its members within a second, as by an owner; 409: it is subscribed', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  const { uuid } = (await generate(owner, id)).data
  const remove = (teamId: string, as?: Person) => admin('DELETE', `teams/${teamId}`, { reason: 'Nobody is left' }, as)
  assert.equal((await remove(id, owner)).status, 403)
  assert.equal((await admin('DELETE', `teams/${id}`, {})).status, 400)
  await app.sql`
    insert into kinora.subscription (
      user_id, id, processor, external_id, plan, status, current_period_end, cancel_at_period_end, created_at, updated_at
    ) values (
      ${id}, ${uuid}, 'payment-b', 'sub_1', 'pro-monthly', 'active', now() + interval '9 days', false, now(), now()
    )
  `
  const subscribed = await remove(id)
  assert.deepEqual([subscribed.status, subscribed.error?.code], [409, 'CONFLICT'])
  assert.match(subscribed.error?.message ?? '', /cancel it at the payment processor first/)
  await app.sql`delete from kinora.subscription where user_id = ${id}`

  assert.deepEqual((await remove(id)).data, { id, deleted: true })
  await withinSecond(async () => assert.equal((await call(owner, id, 'GET', '/api/v1/credit/balance')).status, 404))
  const [video] = await app.sql`select status from kinora.video where user_id = ${id}`
  assert.equal(video?.status, 'FAILED')
  type Entries = { entries: { action: string; reason: string; actorId: string }[] }
  const { data } = await admin<Entries>('GET', `audit?userId=${id}`)
  assert.deepEqual(
    data.entries.slice(0, 1).map(({ action, reason, actorId }) => [action, reason, actorId]),
    [['account.delete', 'Nobody is left', root.userId]],
  )
  assert.equal((await admin('DELETE', `users/${owner.userId}`, { reason: 'Asked for it' })).status, 200)
  assert.equal((await remove(id)).status, 404)
})

test('404: no team with the id → nothing to read or lock; 403: no administrator', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  for (const path of [
    `teams/${owner.userId}`,
    `teams/${owner.userId}/members`,
    'teams/x',
    `users/${root.userId}x/history`,
  ])
    assert.equal((await admin('GET', path)).status, 404, path)
  assert.equal((await lock(owner.userId)).status, 404)
  for (const path of ['teams', `teams/${id}`, `teams/${id}/members`])
    assert.equal((await admin('GET', path, undefined, owner)).status, 403, path)
})

test('200: a deleted team → listed without a name, its books stay', async () => {
  const { id, owner } = await newTeam({ credits: 100 })
  assert.equal((await call(owner, id, 'DELETE', '/api/v1/team', {})).status, 200)
  const { data } = await admin<Team & { deletedAt: string | null }>('GET', `teams/${id}`)
  assert.deepEqual([data.name, data.members, data.credits.available], ['', 0, 100])
  assert.ok(data.deletedAt)
  assert.equal((await admin('GET', `users/${id}/history`)).status, 200)
})

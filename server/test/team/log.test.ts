/** The log of a team: every change by its members, who did it, pages, CSV, erasure. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deleteAccount } from '../../src/account-data/delete.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { addMember, openTeams } from '../support/teams.ts'

const kinora = await openKinora({ env: { FETCH_ALLOW: '127.0.0.1:9' } })
const { app } = kinora
const { newTeam, call } = openTeams(kinora)

type Entry = {
  id: string
  action: string
  by: string
  actorId: string | null
  actorName: string | null
  subject: string | null
  subjectName: string | null
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}
type Page = { entries: Entry[]; nextCursor: string | null }
const logOf = async (owner: Person, id: string, query = '') =>
  (await call<Page>(owner, id, 'GET', `/api/v1/team/log${query}`)).data
/** The entries of the actions, by whom and about what, oldest first. */
const briefly = ({ entries }: Page) =>
  entries.toReversed().map(({ action, actorId, subject, before, after }) => [action, actorId, subject, before, after])

test('200: each change of a team → one entry with actor, subject and values, in the sequence of the changes', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const ben = await kinora.person({ credits: 0 })
  const step = async <T = Record<string, unknown>>(by: Person, method: string, path: string, body?: object) => {
    kinora.turnClock(1000)
    const { status, data, text } = await call<T>(by, id, method, path, body)
    assert.equal(status, 200, `${method} ${path}: ${text}`)
    return data
  }
  type Made = { id: string; link: string }
  const revoked = await step<Made>(owner, 'POST', '/api/v1/team/invitations', { email: 'x@example.com' })
  await step(owner, 'DELETE', `/api/v1/team/invitations/${revoked.id}`)
  const invited = await step<Made>(owner, 'POST', '/api/v1/team/invitations', { email: ben.email, role: 'admin' })
  kinora.turnClock(1000)
  const token = invited.link.split('=')[1]
  await kinora.call('POST', '/api/v1/team/invitations/accept', { as: ben, body: { token } })
  await step(owner, 'PATCH', `/api/v1/team/members/${ben.userId}`, { role: 'maker' })
  // Neither changes anything.
  await step(owner, 'PATCH', `/api/v1/team/members/${ben.userId}`, { role: 'maker', budget: null })
  await step(owner, 'PATCH', `/api/v1/team/members/${ben.userId}`, { budget: { credits: 5, period: 'day' } })
  await step(owner, 'PATCH', '/api/v1/team', { name: 'South' })
  const key = await step<Made>(owner, 'POST', '/api/v1/team/keys', { name: 'server', scopes: ['read'] })
  await step(owner, 'DELETE', `/api/v1/team/keys/${key.id}`)
  const url = 'https://hooks.example/secret-path'
  const endpoint = await step<Made>(owner, 'POST', '/api/v1/webhook/endpoints', { url })
  await step(owner, 'DELETE', `/api/v1/webhook/endpoints/${endpoint.id}`)
  const folder = await step<Made>(ben, 'POST', '/api/v1/video/folders', { name: 'Boats' })
  await step(ben, 'DELETE', `/api/v1/video/folders/${folder.id}`)
  const project = await step<Made>(ben, 'POST', '/api/v1/project', { name: 'The lighthouse' })
  await step(ben, 'DELETE', `/api/v1/project/${project.id}`)
  await kinora.grant(owner, 30)
  const moved = await step<Made>(owner, 'POST', '/api/v1/team/credits', { credits: 30 })
  await step(owner, 'DELETE', `/api/v1/team/members/${ben.userId}`)
  const by = owner.userId
  assert.deepEqual(briefly(await logOf(owner, id)), [
    ['team.create', by, null, null, { name: 'North' }],
    ['team.invite', by, revoked.id, null, { email: 'x@example.com', role: 'maker' }],
    ['team.revoke-invitation', by, revoked.id, { role: 'maker' }, null],
    ['team.invite', by, invited.id, null, { email: ben.email, role: 'admin' }],
    ['team.join', ben.userId, ben.userId, null, { role: 'admin', invitedBy: by }],
    ['team.set-role', by, ben.userId, { role: 'admin' }, { role: 'maker' }],
    ['team.set-budget', by, ben.userId, { budget: null, period: null }, { budget: 5, period: 'day' }],
    ['team.rename', by, null, { name: 'North' }, { name: 'South' }],
    ['team.create-key', by, key.id, null, { name: 'server', scopes: ['read'], budget: null, period: null }],
    ['team.delete-key', by, key.id, { name: 'server' }, null],
    ['team.create-endpoint', by, endpoint.id, null, { origin: 'https://hooks.example' }],
    ['team.delete-endpoint', by, endpoint.id, { origin: 'https://hooks.example' }, null],
    ['team.delete-folder', ben.userId, folder.id, { name: 'Boats' }, null],
    ['team.delete-project', ben.userId, project.id, { name: 'The lighthouse' }, null],
    ['team.move-credits', by, moved.id, null, { credits: 30 }],
    ['team.remove-member', by, ben.userId, { role: 'maker' }, {}],
  ])
})

test('200: an admin is removed, an owner takes a key over → the log names what was taken over, by whom, and what ended by the service', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const cai = await addMember(app, id, await kinora.person({ credits: 0 }), 'admin')
  const made = async (path: string, body: object) =>
    (await call<{ id: string }>(cai, id, 'POST', `/api/v1/${path}`, body)).data.id
  const taken = await made('team/keys', { name: 'server' })
  const ended = await made('team/keys', { name: 'other' })
  const endpoint = await made('webhook/endpoints', { url: 'https://hooks.example/secret-path' })
  const invitation = await made('team/invitations', { email: 'x@example.com' })
  const body = { takeOver: [taken] }
  assert.equal((await call(owner, id, 'DELETE', `/api/v1/team/members/${cai.userId}`, body)).status, 200)
  const entries = briefly(await logOf(owner, id)).filter(([, by]) => by !== cai.userId)
  const of = (action: string) => entries.find(([each]) => each === action)?.slice(1)
  const name = 'server'
  assert.deepEqual(of('team.take-over-key'), [
    owner.userId,
    taken,
    { name, madeBy: cai.userId },
    { name, madeBy: owner.userId },
  ])
  assert.deepEqual(of('team.delete-key'), [null, ended, { name: 'other' }, null])
  assert.deepEqual(of('team.delete-endpoint'), [null, endpoint, { origin: 'https://hooks.example' }, null])
  assert.deepEqual(of('team.revoke-invitation'), [null, invitation, { role: 'maker' }, null])
  assert.equal(entries.length, 6)
  const own = await call<{ id: string }>(owner, id, 'POST', '/api/v1/team/take-over', { ids: [taken] })
  assert.equal(own.status, 200)
  assert.equal(briefly(await logOf(owner, id)).filter(([action]) => action === 'team.take-over-key').length, 1)
})

test('200: what administrators did → without name, reason and sums; what a key of the team did → names the key', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const root = await kinora.person({ role: 'admin', credits: 0 })
  const lock = (operation: string) =>
    kinora.call('POST', `/api/v1/admin/teams/${id}/${operation}`, { as: root, body: { reason: 'Chargebacks' } })
  assert.equal((await lock('lock')).status, 200)
  assert.equal((await lock('unlock')).status, 200)
  const body = { userId: id, credits: 5, expiryDays: 5, remark: 'Goodwill' }
  assert.equal((await kinora.call('POST', '/api/v1/admin/credits/add', { as: root, body })).status, 200)
  const key = await call<{ id: string; key: string }>(owner, id, 'POST', '/api/v1/team/keys', { name: 'server' })
  const headers = { 'x-api-key': key.data.key }
  assert.equal((await kinora.call('PATCH', '/api/v1/team', { headers, body: { name: 'West' } })).status, 200)
  const page = await logOf(owner, id)
  const of = (action: string) => page.entries.find((entry) => entry.action === action)
  for (const action of ['team.lock', 'team.unlock', 'credits.add']) {
    assert.deepEqual([of(action)?.by, of(action)?.actorId, of(action)?.actorName], ['operator', null, null], action)
  }
  assert.deepEqual([of('credits.add')?.before, of('credits.add')?.after], [{}, { credits: 5 }])
  assert.ok(!JSON.stringify(page).includes('Chargebacks') && !JSON.stringify(page).includes(root.userId))
  assert.deepEqual(
    [of('team.rename')?.by, of('team.rename')?.actorId, of('team.rename')?.actorName],
    ['key', key.data.id, 'server'],
  )
  const all = await kinora.call<{ entries: Entry[] }>('GET', '/api/v1/admin/audit?pageSize=100', { as: root })
  const actions = (entries: Entry[]) => entries.map(({ action }) => action)
  assert.ok(actions(all.data.entries).includes('team.lock') && !actions(all.data.entries).includes('team.rename'))
  const ofTeam = await kinora.call<{ entries: Entry[] }>('GET', `/api/v1/admin/audit?userId=${id}`, { as: root })
  assert.ok(actions(ofTeam.data.entries).includes('team.rename'))
})

test('200: pages of the log, CSV, export → every entry once; 403: below an owner', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const cleo = await addMember(app, id, await kinora.person({ credits: 0 }), 'admin')
  for (const name of ['=1+1', 'B, "C"', 'D']) {
    kinora.turnClock(1000)
    assert.equal((await call(cleo, id, 'PATCH', '/api/v1/team', { name })).status, 200)
  }
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await logOf(owner, id, `?pageSize=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...page.entries.map((entry) => entry.id))
    cursor = page.nextCursor
  }
  assert.deepEqual(
    seen,
    (await logOf(owner, id)).entries.map((entry) => entry.id),
  )
  assert.equal(seen.length, 4)
  assert.equal((await call(owner, id, 'GET', '/api/v1/team/log?cursor=x')).status, 400)
  const csv = await fetch(`${kinora.url}/api/v1/team/log.csv?team=${id}`, {
    headers: { authorization: `Bearer ${owner.token}` },
  })
  const text = await csv.text()
  const lines = text.trimEnd().split('\r\n')
  assert.equal(lines.length, 5)
  assert.match(
    lines[2] ?? '',
    /^[\dT:.Z-]+,team\.rename,member,[\da-f-]+,,"\{""name"":""=1\+1""\}","\{""name"":""B, \\""C\\""""\}"$/,
  )
  for (const path of ['/api/v1/team/log', '/api/v1/team/log.csv']) {
    assert.equal((await call(cleo, id, 'GET', path)).status, 403)
  }
})

test('200: an invited person deletes the account → the logs of teams have the address no more, and say that a member left', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const ben = await kinora.person({ credits: 0 })
  await call(owner, id, 'POST', '/api/v1/team/invitations', { email: ben.email })
  await addMember(app, id, ben)
  await deleteAccount(app, { userId: ben.userId, actorId: ben.userId, reason: null, requestId: 'request-1', owed: 0 })
  const page = await logOf(owner, id)
  assert.ok(!JSON.stringify(page).includes(ben.email))
  const left = page.entries.find(({ action }) => action === 'team.leave')
  assert.deepEqual(
    [left?.by, left?.actorId, left?.actorName, left?.before],
    ['member', ben.userId, null, { role: 'maker' }],
  )
})

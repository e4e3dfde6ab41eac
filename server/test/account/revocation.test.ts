/** Revoked means revoked: another API process refuses it within a second, open event streams included. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openStream } from '../support/event-stream-client.ts'
import { assertRefusedWithinASecond } from '../support/expire-credential-cache.ts'
import { freePort } from '../support/free-port.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { type ServerProcess, startProcess } from '../support/processes.ts'
import { addMember, openTeams } from '../support/teams.ts'

const kinora = await openKinora({ simulator: true })
const { newTeam } = openTeams(kinora)
const processes: ServerProcess[] = []
let [first, second] = ['', '']

before(async () => {
  ;[first = '', second = ''] = await Promise.all(
    [await freePort(), await freePort()].map(async (port) => {
      processes.push(await startProcess(kinora, 'api', { PORT: `${port}` }))
      return `http://127.0.0.1:${port}`
    }),
  )
})
after(async () => {
  for (const each of processes) await each.stop()
})

type Headers = Record<string, string>
const bearer = ({ token }: Person): Headers => ({ authorization: `Bearer ${token}` })
const statusAt = async (url: string, headers: Headers) =>
  (await fetch(`${url}/api/v1/credit/balance`, { headers })).status
const post = (path: string, headers: Headers, body: unknown = {}) => send('POST', path, headers, body)
async function send(
  method: string,
  path: string,
  headers: Headers,
  body: unknown = {},
): Promise<Record<string, string>> {
  const response = await fetch(`${first}${path}`, {
    method,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  assert.equal(response.status, 200, await response.clone().text())
  return (await response.json()) as Record<string, string>
}

test('401: session signed out at another process → refused within a second, its stream ends', async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  for (const each of [ann, bob]) assert.equal(await statusAt(second, bearer(each)), 200)
  const [hers, his] = [await openStream(second, ann), await openStream(second, bob)]
  await post('/api/auth/sign-out', bearer(ann))
  const startMs = performance.now()
  assert.equal(await hers.ended(), 'clean')
  assert.ok(performance.now() - startMs < 1_000, 'the stream ended within a second')
  await assertRefusedWithinASecond(() => statusAt(second, bearer(ann)))
  assert.equal(await statusAt(second, bearer(bob)), 200)
  assert.ok(!his.response.destroyed)
  his.close()
})

test('401: user banned at another process → session, key and stream refused within a second', async () => {
  const [root, ann] = [await kinora.person({ role: 'admin' }), await kinora.person()]
  const { key = '' } = await post('/api/auth/api-key/create', bearer(ann), { name: 'server' })
  const stream = await openStream(second, ann)
  assert.equal(await statusAt(second, { 'x-api-key': key }), 200)
  await post('/api/auth/admin/ban-user', bearer(root), { userId: ann.userId })
  await assertRefusedWithinASecond(() => statusAt(second, bearer(ann)))
  await assertRefusedWithinASecond(() => statusAt(second, { 'x-api-key': key }))
  assert.equal(await stream.ended(), 'clean')
  await post('/api/auth/admin/unban-user', bearer(root), { userId: ann.userId })
})

test('401: API key deleted at another process → refused within a second, the session stays', async () => {
  const ann = await kinora.person()
  const { id, key = '' } = await post('/api/auth/api-key/create', bearer(ann), { name: 'server' })
  for (const url of [first, second]) assert.equal(await statusAt(url, { 'x-api-key': key }), 200)
  await post('/api/auth/api-key/delete', bearer(ann), { keyId: id })
  for (const url of [first, second]) await assertRefusedWithinASecond(() => statusAt(url, { 'x-api-key': key }))
  assert.equal(await statusAt(second, bearer(ann)), 200)
})

test('403: administrator demoted at another process → refused within a second', async () => {
  const [root, eve] = [await kinora.person({ role: 'admin' }), await kinora.person({ role: 'admin' })]
  const status = async () => (await fetch(`${second}/api/v1/admin/users`, { headers: bearer(eve) })).status
  assert.equal(await status(), 200)
  await post('/api/auth/admin/set-role', bearer(root), { userId: eve.userId, role: 'user' })
  await assertRefusedWithinASecond(async () => ((await status()) === 403 ? 401 : 200))
})

test('401: session revoked while an older transaction is open, and another one beside it → both refused within a second', async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  for (const each of [ann, bob]) assert.equal(await statusAt(second, bearer(each)), 200)
  await kinora.app.sql.begin(async (tx) => {
    // The row of the first revocation has the lower transaction id and becomes visible last.
    await tx`delete from public.session where token = public.stored_token(${ann.token})`
    await kinora.app.sql`delete from public.session where token = public.stored_token(${bob.token})`
    await assertRefusedWithinASecond(() => statusAt(second, bearer(bob)))
    assert.equal(await statusAt(second, bearer(ann)), 200)
  })
  await assertRefusedWithinASecond(() => statusAt(second, bearer(ann)))
})

const losses: [string, (team: { id: string; owner: Person; member: Person; root: Person }) => Promise<unknown>][] = [
  [
    'removed',
    ({ id, owner, member }) =>
      send('DELETE', `/api/v1/team/members/${member.userId}`, { ...bearer(owner), 'x-team': id }),
  ],
  [
    'made a viewer',
    ({ id, owner, member }) =>
      send('PATCH', `/api/v1/team/members/${member.userId}`, { ...bearer(owner), 'x-team': id }, { role: 'viewer' }),
  ],
  [
    'of a team that is locked',
    ({ id, root }) => post(`/api/v1/admin/teams/${id}/lock`, bearer(root), { reason: 'asked' }),
  ],
  ['of a team that is deleted', ({ id, owner }) => send('DELETE', '/api/v1/team', { ...bearer(owner), 'x-team': id })],
]
for (const [loss, lose] of losses) {
  test(`403, 404: member is ${loss} at another process → refused within a second, the stream ends`, async () => {
    const { id, owner } = await newTeam({ credits: 0 })
    const [member, root] = [
      await addMember(kinora.app, id, await kinora.person()),
      await kinora.person({ role: 'admin' }),
    ]
    const headers = { ...bearer(member), 'x-team': id, 'content-type': 'application/json' }
    const generate = () => fetch(`${second}/api/v1/video/generate`, { method: 'POST', headers, body: '{}' })
    assert.equal((await generate()).status, 400)
    const [stream, own] = [
      await openStream(second, member, { headers: { 'x-team': id } }),
      await openStream(second, member),
    ]
    await lose({ id, owner, member, root })
    const startMs = performance.now()
    assert.equal(await stream.ended(), 'clean')
    assert.ok(performance.now() - startMs < 1_000, 'the stream ended within a second')
    await assertRefusedWithinASecond(async () => ([403, 404].includes((await generate()).status) ? 401 : 200))
    assert.ok(!own.response.destroyed)
    own.close()
  })
}

test('404: film deleted at another process → task, links and streams at once', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann)
  await kinora.finish(ann, data.uuid)
  const detail = await fetch(`${second}/api/v1/video/${data.uuid}`, { headers: bearer(ann) })
  const { videoUrl } = ((await detail.json()) as { data: { videoUrl: string } }).data
  const { pathname, search } = new URL(videoUrl)
  assert.equal((await fetch(second + pathname + search)).status, 200)
  const deleted = await fetch(`${first}/api/v1/video/${data.uuid}`, { method: 'DELETE', headers: bearer(ann) })
  assert.equal(deleted.status, 200)
  assert.equal((await fetch(second + pathname + search)).status, 404)
  assert.equal((await fetch(`${second}/api/v1/video/task?uuid=${data.uuid}`, { headers: bearer(ann) })).status, 404)
})

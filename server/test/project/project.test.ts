/** Projects and their shots: made, read, changed by several people at once, deleted. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openKinora, type Person } from '../support/harness.ts'
import { first, openProjects, PROJECTS, type Project, promptsOf, settingsOf } from '../support/projects.ts'
import { addMember, openTeams } from '../support/teams.ts'

const kinora = await openKinora({ env: { MAX_IN_PROGRESS: '0' } })

const { newTeam } = openTeams(kinora)
const { make, read, change, changeShot, add } = openProjects(kinora)

test('200: a project → made with its shots, listed with their number, read, deleted', async () => {
  const ann = await kinora.person()
  const { data: made } = await make(ann, ['A boat', 'A storm'])
  assert.deepEqual(
    [made.name, made.aspectRatio, made.fit, made.sound, made.version],
    ['The lighthouse', '16:9', 'fit', null, 1],
  )
  assert.deepEqual(promptsOf(made), ['A boat', 'A storm'])
  assert.deepEqual(await read(ann, made.id), made)
  kinora.turnClock(1000)
  const { data: second } = await make(ann)
  const { data } = await kinora.call<{ projects: { id: string; shots: number }[] }>('GET', PROJECTS, { as: ann })
  assert.deepEqual(
    data.projects.map(({ id, shots }) => [id, shots]),
    [
      [second.id, 0],
      [made.id, 2],
    ],
  )
  const deleted = await kinora.call('DELETE', `${PROJECTS}/${made.id}`, { as: ann })
  assert.deepEqual([deleted.status, deleted.data], [200, { id: made.id, deleted: true }])
  assert.equal((await kinora.call('GET', `${PROJECTS}/${made.id}`, { as: ann })).status, 404)
})

test('200: shots → added after another one or at the end, brought into another order, deleted', async () => {
  const ann = await kinora.person()
  const { data: made } = await make(ann, ['1', '3'])
  const { data: added } = await add(ann, made.id, ['2a', '2b'], `?after=${first(made).id}`)
  assert.deepEqual(promptsOf(added), ['1', '2a', '2b', '3'])
  const { data: appended } = await add(ann, made.id, ['4'])
  assert.deepEqual([promptsOf(appended), appended.version], [['1', '2a', '2b', '3', '4'], 3])
  const order = appended.shots.map(({ id }) => id).reverse()
  const { data: turned } = await change(ann, made.id, { version: 3, shots: order })
  assert.deepEqual(promptsOf(turned), ['4', '3', '2b', '2a', '1'])
  const shot = first(turned)
  const path = `${PROJECTS}/${made.id}/shots/${shot.id}`
  const { data: left } = await kinora.call<Project>('DELETE', `${path}?version=${shot.version}`, { as: ann })
  assert.deepEqual(promptsOf(left), ['3', '2b', '2a', '1'])
  assert.equal((await change(ann, made.id, { version: left.version, shots: order })).status, 400)
  assert.equal((await add(ann, made.id, ['5'], `?after=${shot.id}`)).status, 400)
})

test('409: a change of a version that is not the current one → nothing is lost, and who changed it when is told', async () => {
  const ann = await kinora.person()
  const { data: made } = await make(ann, ['A boat'])
  const shot = first(made)
  const [one, other] = await Promise.all([
    changeShot(ann, made.id, shot, { notes: 'one' }),
    changeShot(ann, made.id, shot, { settings: settingsOf('A ship') }),
  ])
  assert.deepEqual([one.status, other.status].sort(), [200, 409])
  const refused = one.status === 409 ? one : other
  const details = refused.error?.details as { version: number; changedBy: { id: string }; changedAt: string }
  assert.deepEqual([details.version, details.changedBy.id], [2, ann.userId])
  assert.ok(Math.abs(Date.parse(details.changedAt) - kinora.app.now().getTime()) < 60_000)
  const kept = first(await read(ann, made.id))
  assert.deepEqual([kept.notes === 'one', kept.settings.prompt === 'A boat'], [one.status === 200, one.status === 200])
  await change(ann, made.id, { version: 1, name: 'A' })
  assert.equal((await change(ann, made.id, { version: 1, fit: 'crop' })).status, 409)
  assert.equal((await read(ann, made.id)).name, 'A')
  const path = `${PROJECTS}/${made.id}/shots/${shot.id}`
  assert.equal((await kinora.call('DELETE', `${path}?version=1`, { as: ann })).status, 409)
})

test('200: the chosen take → a film of the user’s becomes a take, its cut begins anew, its deletion is told', async () => {
  const ann = await kinora.person()
  const { data: made } = await make(ann, ['A boat', 'A storm'])
  const [one, two] = [(await kinora.generate(ann)).data.uuid, (await kinora.generate(ann)).data.uuid]
  const shot = first(made)
  const { data: chosen } = await changeShot(ann, made.id, shot, { takeId: one, inMs: 500, outMs: 1500 })
  assert.deepEqual(
    [chosen.takeId, chosen.inMs, chosen.outMs, chosen.takes.map(({ uuid }) => uuid)],
    [one, 500, 1500, [one]],
  )
  const { data: other } = await changeShot(ann, made.id, chosen, { takeId: two })
  assert.deepEqual([other.takeId, other.inMs, other.outMs, other.takes.length], [two, null, null, 2])
  assert.equal((await changeShot(ann, made.id, other, { inMs: 900, outMs: 900 })).status, 400)
  assert.equal((await changeShot(ann, made.id, made.shots[1] ?? shot, { takeId: one })).status, 400)
  assert.equal((await changeShot(ann, made.id, other, { takeId: randomUUID() })).status, 400)
  await kinora.call('DELETE', `/api/v1/video/${two}`, { as: ann })
  const left = first(await read(ann, made.id))
  assert.deepEqual([left.takeId, left.takeDeleted, left.takes.length], [two, true, 1])
  assert.equal(left.settings.prompt, 'A boat')
})

test('409: the fifty-first shot, the thousand-and-first project → nothing is made', async () => {
  const ann = await kinora.person()
  const { data: made } = await make(
    ann,
    Array.from({ length: 50 }, (_, i) => `${i}`),
  )
  assert.equal(made.shots.length, 50)
  assert.equal((await add(ann, made.id, ['51'])).status, 409)
  await kinora.app.sql`
    insert into kinora.project (user_id, id, name, aspect_ratio, fit, made_by, changed_by, created_at, updated_at)
    select ${ann.userId}, gen_random_uuid(), n::text, '16:9', 'fit', ${ann.userId}, ${ann.userId}, now(), now()
    from generate_series(1, 999) n
  `
  assert.equal((await make(ann)).status, 409)
})

test('400: settings that are too large, a field that generate does not have, a sound that is none → nothing is made', async () => {
  const ann = await kinora.person()
  const large = Object.fromEntries(Array.from({ length: 70 }, (_, i) => [`option${i}`, 'x'.repeat(1000)]))
  assert.equal((await make(ann, [], { shots: [{ settings: { options: large } }] })).status, 400)
  assert.equal((await make(ann, [], { shots: [{ settings: { n: 2 } }] })).status, 400)
  assert.equal((await make(ann, [], { shots: [{ settings: { prompt: 'A\0' } }] })).status, 400)
  const sound = { asset: randomUUID(), volume: 1, fadeInS: 0, fadeOutS: 1 }
  assert.equal((await make(ann, [], { sound })).status, 400)
})

test('404: the project of another user, and one that does not exist → are equally unknown', async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const { data: made } = await make(ann, ['A boat'])
  for (const id of [made.id, randomUUID(), 'x']) {
    const path = `${PROJECTS}/${id}`
    const shot = `${path}/shots/${first(made).id}`
    const calls = [
      kinora.call('GET', path, { as: bob }),
      kinora.call('PATCH', path, { as: bob, body: { version: 1, name: 'B' } }),
      kinora.call('DELETE', path, { as: bob }),
      kinora.call('POST', `${path}/shots`, { as: bob, body: { shots: [{ settings: {} }] } }),
      kinora.call('PATCH', shot, { as: bob, body: { version: 1, notes: 'B' } }),
      kinora.call('DELETE', `${shot}?version=1`, { as: bob }),
    ]
    assert.deepEqual(
      (await Promise.all(calls)).map(({ status }) => status),
      Array(6).fill(404),
    )
  }
  assert.deepEqual(await read(ann, made.id), made)
})

test('409: two members of a team change one shot → the later one is told the name of the earlier; a viewer reads alone', async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  const headers = { 'x-team': id }
  const [ben, eve] = [
    await addMember(kinora.app, id, await kinora.person({ credits: 0 }), 'maker'),
    await addMember(kinora.app, id, await kinora.person({ credits: 0 }), 'viewer'),
  ]
  const call = <T>(as: Person, method: string, path: string, body?: object) =>
    kinora.call<T>(method, PROJECTS + path, { as, headers, ...(body && { body }) })
  const { data: made } = await call<Project>(owner, 'POST', '', {
    name: 'Ours',
    shots: [{ settings: settingsOf('A') }],
  })
  const path = `/${made.id}/shots/${first(made).id}`
  assert.equal((await call(ben, 'PATCH', path, { version: 1, notes: 'of Ben' })).status, 200)
  const { status, error } = await call(owner, 'PATCH', path, { version: 1, notes: 'of the owner' })
  const { changedBy } = (error as { details: { changedBy: { id: string; name: string | null } } }).details
  assert.deepEqual([status, changedBy.id], [409, ben.userId])
  assert.ok(changedBy.name && error?.message.startsWith(changedBy.name))
  assert.equal((await call(eve, 'PATCH', path, { version: 2, notes: 'of Eve' })).status, 403)
  const { data } = await call<Project>(eve, 'GET', `/${made.id}`)
  assert.equal(first(data).notes, 'of Ben')
})

/** Takes of shots: one by generate, several by one request, of which those without a place wait. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { call } from '../../src/db/call.ts'
import { generateBody, noCredits, openKinora, type Person } from '../support/harness.ts'
import { MODERATION_KEY, openModerator } from '../support/moderator.ts'
import { first, openProjects, type Project, settingsOf } from '../support/projects.ts'
import { addMember, openTeams } from '../support/teams.ts'

const moderator = await openModerator()
const kinora = await openKinora({
  env: { MAX_IN_PROGRESS: '2', MODERATION_URL: moderator.own, MODERATION_API_KEY: MODERATION_KEY },
  simulator: true,
})
const { app } = kinora
const { make, read, changeShot, generate, quote } = openProjects(kinora)
const { newTeam } = openTeams(kinora)

const takesOf = ({ shots }: Project) =>
  shots.map(({ takeId, takes }) => takes.find(({ uuid }) => uuid === takeId)?.status ?? null)
const waitingOf = async ({ userId }: Person) =>
  (await app.sql`select open_holds, waiting_holds from kinora.credit_account where user_id = ${userId}`)[0]
const finishAll = async (as: Person, id: string) => {
  await kinora.workUntil(async () => {
    kinora.turnClock(1000)
    return takesOf(await read(as, id)).every((status) => status === 'COMPLETED' || status === 'FAILED')
  })
  return read(as, id)
}

test('200: generate with a shot → its take, chosen until there is another choice, and again after it failed', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { data: project } = await make(ann, ['A boat'])
  const shot = { project: project.id, shot: first(project).id }
  const take = async (change: object = {}) => {
    const { data, status } = await kinora.call<{ uuid: string }>('POST', '/api/v1/video/generate', {
      as: ann,
      body: { ...generateBody, ...change, shot },
    })
    assert.equal(status, 200)
    await kinora.finish(ann, data.uuid)
    return data.uuid
  }
  const failed = await take({ prompt: '[fail: no luck]' })
  assert.equal(first(await read(ann, project.id)).takeId, failed)
  const one = await take()
  assert.equal(first(await read(ann, project.id)).takeId, one)
  const two = await take()
  const { takeId, takes, version } = first(await read(ann, project.id))
  assert.deepEqual([takeId, takes.map(({ uuid }) => uuid), version], [one, [two, one, failed], 1])
})

test('404: generate with a shot of another user, or of no project → nothing is frozen', async () => {
  const [ann, bob] = [await kinora.person({ credits: 100 }), await kinora.person({ credits: 100 })]
  const { data: project } = await make(ann, ['A boat'])
  const send = (as: Person, shot: object) =>
    kinora.call('POST', '/api/v1/video/generate', { as, body: { ...generateBody, shot } })
  assert.equal((await send(bob, { project: project.id, shot: first(project).id })).status, 404)
  assert.equal((await send(ann, { project: project.id, shot: randomUUID() })).status, 404)
  assert.deepEqual(await kinora.balance(ann), { ...noCredits, available: 100, total: 100 })
})

test('200: generate all → credits of all frozen, two begin, the others wait and begin in order as places are free', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { data: project } = await make(ann, ['1', '2', '3', settingsOf('4', { duration: 5 })])
  const { data: sum } = await quote(ann, project.id)
  const { data, status } = await generate(ann, project.id, { credits: sum.credits })
  assert.equal(status, 200)
  assert.deepEqual(
    [data.creditsUsed, data.videos.map(({ waiting }) => waiting)],
    [sum.credits, [false, false, true, true]],
  )
  assert.deepEqual(
    data.videos.map(({ shot }) => shot),
    project.shots.map(({ id }) => id),
  )
  assert.equal((await kinora.balance(ann)).frozen, sum.credits)
  assert.deepEqual(await waitingOf(ann), { openHolds: 4, waitingHolds: 2 })
  assert.equal((await kinora.generate(ann)).status, 429)
  const begun = async () =>
    (
      await app.sql<{ n: number }[]>`
      select count(*)::integer as n from kinora.video
      where user_id = ${ann.userId} and due_at is not null and not is_waiting
    `
    )[0]?.n ?? 0
  await kinora.workUntil(async () => {
    kinora.turnClock(1000)
    assert.ok((await begun()) <= 2)
    return takesOf(await read(ann, project.id)).every((each) => each === 'COMPLETED')
  })
  const order = await app.sql<{ id: string }[]>`
    select id from kinora.video where user_id = ${ann.userId} order by submitted_at, id
  `
  const [made, begunInOrder] = [data.videos.map(({ uuid }) => uuid), order.map(({ id }) => id)]
  // Two are submitted at the same time.
  assert.deepEqual([...begunInOrder.slice(0, 2).sort(), ...begunInOrder.slice(2).sort()], made)
  assert.deepEqual(await waitingOf(ann), { openHolds: 0, waitingHolds: 0 })
  assert.equal((await kinora.balance(ann)).used, sum.credits)
  assert.equal((await generate(ann, project.id)).status, 409)
})

test('200: a waiting film that was not given its place → begins by itself, its deadline counts from then', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { data: project } = await make(ann, ['1', '2', '3'])
  const { data } = await generate(ann, project.id)
  const waiting = data.videos[2]?.uuid ?? ''
  const read3 = async () =>
    (
      await app.sql`
      select is_waiting, extract(epoch from deadline_at - updated_at)::integer as left_s, due_at from kinora.video
      where user_id = ${ann.userId} and id = ${waiting}
    `
    )[0]
  const before = await read3()
  // The places are free, and the process that freed them has died.
  await app.sql`update kinora.credit_account set waiting_holds = 0 where user_id = ${ann.userId}`
  for (const { uuid } of data.videos.slice(0, 2)) await kinora.call('POST', `/api/v1/video/${uuid}/cancel`, { as: ann })
  await app.sql`update kinora.credit_account set waiting_holds = 1 where user_id = ${ann.userId}`
  assert.deepEqual(await read3(), before)
  const { data: later } = await generate(ann, project.id, { shots: [first(project).id] })
  assert.deepEqual(
    later.videos.map((video) => video.waiting),
    [true],
  )
  kinora.turnClock(31_000)
  await kinora.workUntil(async () => (await read3())?.isWaiting === false)
  assert.equal((await read3())?.leftS, before?.leftS)
  assert.equal((await finishAll(ann, project.id)).shots[2]?.takes[0]?.status, 'COMPLETED')
})

test('200: waiting films cancelled → their credits are back, the others begin; one that fails returns its own', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { data: project } = await make(ann, ['1', '[fail: no luck]', '3', '4'])
  const { data } = await generate(ann, project.id)
  const cancelled = await kinora.call('POST', `/api/v1/video/${data.videos[2]?.uuid}/cancel`, { as: ann })
  assert.equal(cancelled.status, 200)
  assert.deepEqual(await waitingOf(ann), { openHolds: 3, waitingHolds: 1 })
  assert.deepEqual(takesOf(await finishAll(ann, project.id)), ['COMPLETED', 'FAILED', 'FAILED', 'COMPLETED'])
  assert.deepEqual(await kinora.balance(ann), { ...noCredits, available: 68, used: 32, total: 100 })
  const { data: again } = await quote(ann, project.id)
  assert.deepEqual(
    again.shots.map(({ shot }) => shot),
    project.shots.slice(1, 3).map(({ id }) => id),
  )
})

test('402: generate all with credits for all but one, or beyond the budget of a member → nothing is frozen or made', async () => {
  const ann = await kinora.person({ credits: 50 })
  const { data: project } = await make(ann, ['1', '2', settingsOf('3', { duration: 5 })])
  const { data: sum } = await quote(ann, project.id)
  assert.deepEqual([sum.credits, sum.available, sum.affordable], [52, 50, false])
  const refused = await generate(ann, project.id)
  assert.deepEqual([refused.status, refused.error?.code], [402, 'INSUFFICIENT_CREDITS'])
  assert.deepEqual(takesOf(await read(ann, project.id)), [null, null, null])
  assert.equal((await generate(ann, project.id, { shots: project.shots.slice(0, 2).map(({ id }) => id) })).status, 200)
})

test('400: a shot that moderation or its model refuses → its place is told, and none is made', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { data: project } = await make(ann, ['1', 'A boat [violence]', settingsOf('3', { duration: 400 }), {}])
  const { data: sum } = await quote(ann, project.id)
  assert.deepEqual(
    sum.shots.map(({ refusal }) => refusal?.code),
    [undefined, undefined, 'DURATION_OUT_OF_RANGE', 'INVALID_REQUEST'],
  )
  const refused = await generate(ann, project.id)
  assert.deepEqual([refused.status, refused.error?.code], [400, 'DURATION_OUT_OF_RANGE'])
  assert.deepEqual(
    (refused.error as { details: { position: number }[] }).details.map(({ position }) => position),
    [3, 4],
  )
  const unsafe = await generate(ann, project.id, { shots: project.shots.slice(0, 2).map(({ id }) => id) })
  assert.deepEqual([unsafe.status, unsafe.error?.code], [400, 'CONTENT_REFUSED'])
  assert.match(unsafe.error?.message ?? '', /^Shot 2: /)
  assert.deepEqual(await kinora.balance(ann), { ...noCredits, available: 100, total: 100 })
})

test('200, 409: two who generate all at the same time → each shot has one take; a repeated request is replayed', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const { data: project } = await make(ann, ['1', '2', '3'])
  const both = await Promise.all([generate(ann, project.id, {}, 'a'), generate(ann, project.id, {}, 'b')])
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  const made = both.find(({ status }) => status === 200)
  const key = made === both[0] ? 'a' : 'b'
  assert.deepEqual((await generate(ann, project.id, {}, key)).data, made?.data)
  assert.equal((await generate(ann, project.id, { shots: [first(project).id] }, key)).status, 422)
  assert.equal((await kinora.balance(ann)).frozen, 48)
  const { data: quoted } = await quote(ann, project.id, { shots: [first(project).id] })
  assert.equal(
    (await generate(ann, project.id, { shots: [first(project).id], credits: quoted.credits + 1 })).status,
    409,
  )
  await changeShot(ann, project.id, first(project), { takeId: null })
  assert.equal((await quote(ann, project.id)).data.credits, 16)
})

test('402: generate all by a member whose budget covers all but one → KEY_BUDGET_EXCEEDED of the whole', async () => {
  const { id, owner } = await newTeam({ credits: 1000 })
  const ben = await addMember(app, id, await kinora.person({ credits: 0 }), 'maker')
  const team = { 'x-team': id }
  const budget = await kinora.call('PATCH', `/api/v1/team/members/${ben.userId}`, {
    as: owner,
    headers: team,
    body: { budget: { credits: 47, period: 'month' } },
  })
  assert.equal(budget.status, 200, budget.text)
  const body = { name: 'Ours', shots: ['1', '2', '3'].map((prompt) => ({ settings: settingsOf(prompt) })) }
  const { data: project } = await kinora.call<Project>('POST', '/api/v1/project', { as: owner, headers: team, body })
  const send = (shots?: string[]) =>
    kinora.call('POST', `/api/v1/project/${project.id}/generate`, {
      as: ben,
      headers: team,
      body: shots ? { shots } : {},
    })
  const refused = await send()
  assert.deepEqual([refused.status, refused.error?.code], [402, 'KEY_BUDGET_EXCEEDED'])
  assert.equal((await send(project.shots.slice(0, 2).map((shot) => shot.id))).status, 200)
})

test('race: films end while every waiting one looks for a place → no more than two are in progress, none is left', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const { data: project } = await make(
    ann,
    Array.from({ length: 12 }, (_, i) => `${i}`),
  )
  const { data } = await generate(ann, project.id)
  const cancel = (uuid: string) => kinora.call('POST', `/api/v1/video/${uuid}/cancel`, { as: ann })
  const begin = (id: string) =>
    call(app.sql, 'video_begin_waiting', {
      ...{ userId: ann.userId, id, lease: randomUUID(), maxInProgress: 2, now: app.now() },
    })
  for (const { uuid } of data.videos) {
    await Promise.all([cancel(uuid), ...data.videos.map((video) => begin(video.uuid)), kinora.generate(ann)])
    const { openHolds, waitingHolds } = (await waitingOf(ann)) ?? {}
    assert.ok(openHolds - waitingHolds <= 2, `${openHolds} open, ${waitingHolds} waiting`)
  }
  assert.equal((await waitingOf(ann))?.waitingHolds, 0)
})

/** Health of routes: one that failed half of its last tasks is tried last, until a later film succeeds. */
import assert from 'node:assert/strict'
import { after, beforeEach, type TestContext, test } from 'node:test'
import { openApp } from '../../src/app.ts'
import { judgeRoutes, orderByHealth, readRoutes } from '../../src/video/route-health.ts'
import { workOnce } from '../../src/worker/worker.ts'
import { openKinora } from '../support/harness.ts'
import { providersWith } from '../support/providers-with.ts'
import { refusal, running, startScriptedProvider, taskIdOf } from '../support/scripted-provider.ts'
import { readRow, waitFor } from '../support/video-row.ts'

const provider = await startScriptedProvider()
const kinora = await openKinora({ env: { ...provider.env, MAX_IN_PROGRESS: '0' } })
const { app } = kinora
after(() => provider.close())
beforeEach(async () => {
  provider.reset()
  await app.sql`truncate kinora.route_health, kinora.provider_slot`
  await app.sql`update kinora.video set due_at = ${new Date(app.now().getTime() + 86_400_000)} where due_at is not null`
  await app.sql`delete from kinora.video_log`
})
const ann = await kinora.person({ credits: 100_000 })
const root = await kinora.person({ role: 'admin', credits: 0 })

/** Films of delta-1-5, whose first route is at provider-b, sent. */
async function send(count: number): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => kinora.generate(ann)))
  kinora.turnClock(1000)
  await workOnce(app, ['PENDING'])
  return made.map(({ data }) => data.uuid)
}
const accountsOf = (uuids: string[]) => Promise.all(uuids.map(async (uuid) => (await readRow(kinora, uuid)).provider))
const end = async (uuids: string[], hasFailed: boolean) => {
  for (const uuid of uuids) {
    const submit = provider.submits.find((each) => taskIdOf(each) === `task-${uuid.slice(-12)}`)
    assert.ok(submit)
    const taskId = taskIdOf(submit)
    await provider.callBack(submit, hasFailed ? { taskId, error: 'no luck' } : { taskId, videoUrl: provider.filmUrl })
    await kinora.finish(ann, uuid)
  }
  await judgeRoutes(app)
}
const failing = async () =>
  (await readRoutes(app)).flatMap((route) => (route.failingSince ? `${route.model} ${route.account}` : []))

test('route health: half of the last tasks failed → tried last in all processes, shown and counted; a probe that succeeds → first again', async () => {
  kinora.holdClock()
  await end(await send(2), true)
  await end(await send(3), false)
  assert.deepEqual(await failing(), [])
  await end(await send(1), true)
  assert.deepEqual(await failing(), ['delta-1-5 provider-b'])
  assert.deepEqual(await accountsOf(await send(2)), ['provider-a', 'provider-a'])
  const { data } = await kinora.call<{ models: { id: string; routes: { state: string }[] }[] }>(
    'GET',
    '/api/v1/admin/models',
    { as: root },
  )
  const states = data.models.find(({ id }) => id === 'delta-1-5')?.routes.map(({ state }) => state)
  assert.deepEqual(states, ['failing', 'in-use'])
  const health = await kinora.call<{ providers: { id: string; failingModels: string[] }[] }>(
    'GET',
    '/api/v1/admin/providers',
    { as: root },
  )
  assert.deepEqual(
    health.data.providers.map(({ failingModels }) => failingModels),
    [[], ['delta-1-5']],
  )

  // Another process knows it by its own reading.
  const second = await openApp(app.config, app.log)
  second.now = app.now
  assert.deepEqual(await orderByHealth(second, ['provider-b', 'provider-a'], 'delta-1-5'), ['provider-a', 'provider-b'])
  assert.deepEqual(await orderByHealth(second, ['provider-b', 'provider-a'], 'alpha-2'), ['provider-b', 'provider-a'])

  // One probe of all processes.
  kinora.turnClock(121_000)
  const orders = await Promise.all(
    [app, second, app, second].map((each) => orderByHealth(each, ['provider-b', 'provider-a'], 'delta-1-5')),
  )
  assert.equal(orders.filter(([first]) => first === 'provider-b').length, 1)
  await second.close()
  kinora.turnClock(121_000)
  const probes = await send(3)
  assert.deepEqual((await accountsOf(probes)).sort(), ['provider-a', 'provider-a', 'provider-b'])
  const [probe = ''] = (await Promise.all(probes.map(async (uuid) => ({ uuid, ...(await readRow(kinora, uuid)) }))))
    .filter((row) => row.provider === 'provider-b')
    .map(({ uuid }) => uuid)
  await end([probe], false)
  assert.deepEqual(await failing(), [])
  assert.deepEqual(await accountsOf(await send(2)), ['provider-b', 'provider-b'])
  // What failed before does not count again.
  await end(await send(2), true)
  assert.deepEqual(await failing(), [])
})

test('route health: tasks refused for their content, failures of this service → not counted', async () => {
  kinora.holdClock()
  const uuids = await send(4)
  for (const [i, uuid] of uuids.entries()) {
    await app.sql`
      update kinora.video set error_code = ${i % 2 ? 'CONTENT_REFUSED' : 'NOT_STORED'} where id = ${uuid}
    `
    await app.sql`
      insert into kinora.video_log (user_id, video_id, id, entry, detail, at)
      values (${ann.userId}, ${uuid}, gen_random_uuid(), 'failed', null, ${app.now()})
    `
  }
  await judgeRoutes(app)
  assert.deepEqual(await failing(), [])
})

test('route health: submits that are not accepted → the films go to the next route, and the route is tried last by itself', async () => {
  kinora.holdClock()
  provider.onSubmit = (submit) =>
    submit.provider === 'provider-b' ? refusal(429) : { status: 200, body: { id: taskIdOf(submit), status: 'pending' } }
  const uuids = await send(3)
  for (let second = 0; second < 20; second += 1) {
    kinora.turnClock(1000)
    await workOnce(app, ['PENDING'])
  }
  assert.deepEqual(await accountsOf(uuids), ['provider-a', 'provider-a', 'provider-a'])
  await waitFor('the route to be judged', async () => (await failing()).length > 0)
  assert.deepEqual(await failing(), ['delta-1-5 provider-b'])
})

test('full account: film whose next route has room → goes there; none has room → waits, and says for what', async (t: TestContext) => {
  kinora.holdClock()
  providersWith(t, app, { limits: { concurrency: 1 } })
  const uuids = await send(3)
  const accounts = await accountsOf(uuids)
  const rows = await Promise.all(uuids.map((uuid) => readRow(kinora, uuid)))
  assert.deepEqual(rows.flatMap(({ status }, i) => (status === 'GENERATING' ? accounts[i] : [])).sort(), [
    'provider-a',
    'provider-b',
  ])
  const why = async () => {
    const { data } = await kinora.call<{ videos: { uuid: string; why: string }[] }>(
      'GET',
      `/api/v1/admin/videos?userId=${ann.userId}&pageSize=100`,
      { as: root },
    )
    const waiting = uuids[rows.findIndex(({ status }) => status === 'PENDING')]
    return data.videos.find(({ uuid }) => uuid === waiting)?.why ?? ''
  }
  assert.match(
    await why(),
    /^It waits for room: provider-b is full \(1 of 1 tasks\), provider-a is full \(1 of 1 tasks\)\. A worker looks at /,
  )
  const [done = ''] = uuids.filter((_, i) => accounts[i] === 'provider-a' && rows[i]?.status === 'GENERATING')
  await end([done], false)
  for (let minute = 0; minute < 5; minute += 1) {
    kinora.turnClock(60_000)
    provider.onAsk = (_, taskId) => running(taskId)
    await workOnce(app, ['PENDING'])
  }
  const waited = uuids[rows.findIndex(({ status }) => status === 'PENDING')] ?? ''
  assert.deepEqual(
    [(await readRow(kinora, waited)).status, (await readRow(kinora, waited)).provider],
    ['GENERATING', 'provider-a'],
  )
})

test('rate limit: submits of a time are used up at every route → the film says when the next may be sent', async (t: TestContext) => {
  kinora.holdClock()
  providersWith(t, app, { limits: { submitsPer: { count: 1, seconds: 600 } } })
  const uuids = await send(3)
  const { data } = await kinora.call<{ videos: { uuid: string; why: string }[] }>(
    'GET',
    `/api/v1/admin/videos?userId=${ann.userId}&pageSize=100`,
    { as: root },
  )
  const reasons = data.videos.filter(({ uuid }) => uuids.includes(uuid)).map(({ why }) => why)
  assert.equal(
    reasons.filter((why) =>
      /^It waits for room: provider-b has had its 1 submits in 600 s and takes the next at /.test(why),
    ).length,
    1,
  )
})

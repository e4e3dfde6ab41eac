/** `GET /api/v1/admin/videos/ended` and `/{uuid}`: the search of all films, and what is recorded of one. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { completedVideo } from '../support/completed-video.ts'
import { openKinora, type Person, pathsOf } from '../support/harness.ts'

const kinora = await openKinora()
const root = await kinora.person({ role: 'admin', credits: 0 })
const { sql } = kinora.app
const DAY_MS = 86_400_000
const dayBefore = (days: number) => new Date(kinora.app.now().getTime() - days * DAY_MS)
const textOf = (day: Date) => day.toISOString().slice(0, 10)

type Ended = {
  uuid: string
  email: string
  outcome: string
  account: string
  errorCode: string | null
  credits: number
}
type Page = { videos: Ended[]; nextCursor: string | null }
async function ended(query: string): Promise<Page> {
  const { status, data, text } = await kinora.call<Page>('GET', `/api/v1/admin/videos/ended?${query}`, { as: root })
  assert.equal(status, 200, text)
  return data
}
const uuidsOf = ({ videos }: Page) => videos.map(({ uuid }) => uuid)

async function cancelled(by: Person, change: Record<string, unknown> = {}, model = 'delta-1-5'): Promise<string> {
  const { uuid } = (await kinora.generate(by, { model })).data
  assert.equal((await kinora.call('POST', `/api/v1/video/${uuid}/cancel`, { as: by })).status, 200)
  if (Object.keys(change).length > 0)
    await sql`update kinora.video set ${sql(change)} where user_id = ${by.userId} and id = ${uuid}`
  return uuid
}

test('200: ended films → the latest end first, by keyset pagination, also of one moment; those in progress are not listed', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const made = [await completedVideo(kinora, ann), await cancelled(ann), await completedVideo(kinora, ann)]
  await kinora.generate(ann)
  await sql`update kinora.video set completed_at = ${dayBefore(1)} where user_id = ${ann.userId} and id in ${sql(made.slice(0, 2))}`
  const expected = [made[2], made[1], made[0]]
  const first = await ended(`userId=${ann.userId}&pageSize=2`)
  const second = await ended(`userId=${ann.userId}&pageSize=2&cursor=${first.nextCursor}`)
  assert.deepEqual([...uuidsOf(first), ...uuidsOf(second)], expected)
  assert.equal(second.nextCursor, null)
  assert.deepEqual(
    [...first.videos, ...second.videos].map(({ outcome, email, credits }) => [outcome, email, credits]),
    ['completed', 'cancelled', 'completed'].map((outcome) => [outcome, ann.email, 16]),
  )
})

test('200: outcome, model, account, text of the error, its code, the provider’s task id → only those', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const task = randomUUID()
  const done = await completedVideo(kinora, ann)
  const failure = { errorCode: 'PROVIDER_ERROR', error: '100% of Luck ran out', providerTaskId: task }
  const failed = await cancelled(ann, failure, 'alpha-2')
  const stopped = await cancelled(ann)
  const find = async (query: string) => uuidsOf(await ended(`userId=${ann.userId}&${query}`))
  assert.deepEqual(await find('outcome=completed'), [done])
  assert.deepEqual(await find('outcome=failed'), [failed])
  assert.deepEqual(await find('outcome=cancelled'), [stopped])
  assert.deepEqual(await find('q=luck%20RAN'), [failed])
  assert.deepEqual(await find('q=100%25'), [failed])
  assert.deepEqual(await find('q=100_'), [])
  assert.deepEqual(await find('q=CANCELLED'), [stopped])
  assert.deepEqual(await find('account=provider-b'), [stopped, done])
  assert.deepEqual(await find('account=none'), [])
  assert.deepEqual(await find('model=alpha-2'), [failed])
  assert.deepEqual(uuidsOf(await ended(`q=${task}`)), [failed])
})

test('200: period → films that ended in it; of one user without from → of all time', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const [old, young] = [await completedVideo(kinora, ann), await completedVideo(kinora, ann)]
  const then = dayBefore(400)
  await sql`update kinora.video set completed_at = ${then} where user_id = ${ann.userId} and id = ${old}`
  assert.deepEqual(uuidsOf(await ended(`userId=${ann.userId}`)), [young, old])
  assert.deepEqual(uuidsOf(await ended(`from=${textOf(then)}&to=${textOf(then)}`)), [old])
  assert.ok(!uuidsOf(await ended('pageSize=100')).includes(old))
})

type Detail = Record<string, unknown> & { log: { event: string }[] }
const detail = (uuid: string) => kinora.call<Detail>('GET', `/api/v1/admin/videos/${uuid}`, { as: root })

test('200: detail of an ended film → user, account, route, costs with unit and USD, credits, times and log', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const uuid = await completedVideo(kinora, ann)
  const costs = { reservedCost: 14, finalCost: 12, costUnit: 'units', unitUsd: 0.005, catalogueUsd: 0.05 }
  await sql`
    update kinora.video set ${sql({ ...costs, routeModel: 'vendor/film' })} where user_id = ${ann.userId} and id = ${uuid}
  `
  const { status, data, text } = await detail(uuid.toUpperCase())
  assert.equal(status, 200, text)
  const { log, film, createdAt, completedAt, ...rest } = data
  assert.deepEqual(Object.fromEntries(Object.keys(expectedDetail).map((name) => [name, rest[name]])), {
    ...expectedDetail,
    uuid,
    userId: ann.userId,
    email: ann.email,
  })
  assert.deepEqual(Object.keys(film ?? {}), ['durationS', 'width', 'height', 'sizeBytes'])
  assert.ok(typeof createdAt === 'string' && typeof completedAt === 'string')
  assert.deepEqual(
    log.filter(({ event }) => ['accepted', 'completed'].includes(event)).map(({ event }) => event),
    ['accepted', 'completed'],
  )
  assert.ok(!text.includes('"prompt"'))
})
const expectedDetail = {
  uuid: '',
  userId: '',
  email: '',
  status: 'COMPLETED',
  model: 'delta-1-5',
  account: 'provider-b',
  provider: 'provider-b',
  vendorModel: 'vendor/film',
  credits: 16,
  creditState: 'settled',
  reservedCost: { amount: 14, unit: 'units', usd: 0.07 },
  finalCost: { amount: 12, unit: 'units', usd: 0.06 },
  catalogueUsd: 0.05,
  errorCode: null,
  error: null,
  dueAt: null,
}

test('200: detail of a film in progress, and of a deleted one that failed → found by the uuid alone', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const { uuid } = (await kinora.generate(ann)).data
  const running = (await detail(uuid)).data
  assert.deepEqual(
    [running.status, running.creditState, running.finalCost, running.film],
    ['PENDING', 'frozen', null, null],
  )
  assert.ok(running.dueAt)
  await kinora.call('POST', `/api/v1/video/${uuid}/cancel`, { as: ann })
  await kinora.call('DELETE', `/api/v1/video/${uuid}`, { as: ann })
  const stopped = (await detail(uuid)).data
  assert.deepEqual([stopped.status, stopped.errorCode, stopped.creditState], ['FAILED', 'CANCELLED', 'released'])
  assert.ok(stopped.deletedAt)
})

test('404: detail of an unknown uuid, or of none → NOT_FOUND', async () => {
  for (const uuid of [randomUUID(), 'none']) assert.equal((await detail(uuid)).status, 404)
})

test('400: invalid outcome, period, userId or cursor → names the field', async () => {
  for (const [query, path] of [
    ['outcome=done', 'outcome'],
    ['from=2026-02-30', 'from'],
    ['from=2026-02-02&to=2026-02-01', 'from'],
    ['userId=ann', 'userId'],
    ['cursor=ann', 'cursor'],
    [`cursor=${randomUUID()}`, 'cursor'],
  ]) {
    const response = await kinora.call('GET', `/api/v1/admin/videos/ended?${query}`, { as: root })
    assert.equal(response.status, 400, query)
    assert.deepEqual([...new Set(pathsOf(response))], [path])
  }
})

test('401, 403: no credential, or a user’s → refused', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const { uuid } = (await kinora.generate(ann)).data
  for (const path of ['ended', uuid]) {
    assert.equal((await kinora.call('GET', `/api/v1/admin/videos/${path}`)).status, 401)
    assert.equal((await kinora.call('GET', `/api/v1/admin/videos/${path}`, { as: ann })).status, 403)
  }
})

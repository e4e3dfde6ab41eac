/** Test keys: films for nothing, by an account beside the user's that is in no sum of a real one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eraseDeletedAccounts } from '../../src/account-data/erase.ts'
import { sweepAssets } from '../../src/asset/asset.ts'
import { testOwnerOf } from '../../src/id.ts'
import { sweepFilms } from '../../src/video/film-files.ts'
import { generateBody, openKinora, type Person } from '../support/harness.ts'
import { plain } from '../support/images.ts'
import { openTeams } from '../support/teams.ts'
import { allow, dispatchAll, openReceiver } from '../support/webhook-receiver.ts'

const kinora = await openKinora({ env: { MAX_IN_PROGRESS: '2' } })
const { app } = kinora
const SECOND_MS = 1000
const DAY_MS = 86_400_000

type Key = { id: string; key: string; test: boolean; start: string; used: { day: number } }
type Answered = Record<string, never> & { uuid: string; total: number; videos: { uuid: string }[]; available: number }

async function keyOf(as: Person, limits: object = {}): Promise<Key> {
  const body = { name: 'tests', test: true, ...limits }
  const { text, status } = await kinora.call('POST', '/api/auth/api-key/create', { as, body })
  assert.equal(status, 200, text)
  return JSON.parse(text)
}
const callWith = (key: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
  kinora.call<Answered>(method, path, { body, headers: { authorization: `Bearer ${key}`, ...headers } })
const generateWith = (key: string, change: object = {}, headers = {}) =>
  callWith(key, 'POST', '/api/v1/video/generate', { ...generateBody, ...change }, headers)
const filmOf = async (key: string, uuid: string) =>
  (await kinora.call('GET', `/api/v1/video/${uuid}`, { headers: { authorization: `Bearer ${key}` } })).data

/** Runs the steps of a film to its end. */
async function ended(key: string, uuid: string) {
  await kinora.workUntil(async () => {
    kinora.turnClock(5 * SECOND_MS)
    return ['COMPLETED', 'FAILED'].includes(`${(await filmOf(key, uuid)).status}`)
  })
  return filmOf(key, uuid)
}

test('test key: generate → a film of this release that cost the user nothing, in a list of its own', async () => {
  const ann = await kinora.person({ credits: 20 })
  const { key, start, test: isTest } = await keyOf(ann)
  assert.deepEqual([key.startsWith('kin_test_'), start.startsWith('kin_test_'), isTest], [true, true, true])
  const { data, status } = await generateWith(key, { aspectRatio: '9:16' })
  assert.equal(status, 200)
  const film = await ended(key, data.uuid)
  assert.deepEqual([film.status, film.creditsUsed], ['COMPLETED', 16])
  const bytes = Buffer.from(await (await fetch(`${film.videoUrl}`)).arrayBuffer())
  assert.equal(bytes.subarray(4, 8).toString(), 'ftyp')
  assert.equal((await callWith(key, 'GET', '/api/v1/video/list')).data.total, 1)
  assert.equal((await kinora.call<Answered>('GET', '/api/v1/video/list', { as: ann })).data.total, 0)
  assert.equal((await kinora.call('GET', `/api/v1/video/${data.uuid}`, { as: ann })).status, 404)
  const { available, used } = await kinora.balance(ann)
  assert.deepEqual([available, used], [20, 0])
})

test('test key: words in the prompt → the film fails with the code and text that they name', async () => {
  const { key } = await keyOf(await kinora.person())
  const failureFor = async (words: string) => {
    const { data } = await generateWith(key, { prompt: `A boat ${words}` })
    return (await ended(key, data.uuid)).failure as { code: string; message: string }
  }
  const failed = await failureFor('[fail: out of film]')
  assert.deepEqual([failed.code, failed.message], ['PROVIDER_ERROR', 'out of film'])
  assert.equal((await failureFor('[fail: TIMED_OUT]')).code, 'TIMED_OUT')
  assert.equal((await failureFor('[refuse: a person]')).code, 'CONTENT_REFUSED')
})

test('test key: slow film → cancelled on request, and the cap on films in progress is its own', async () => {
  const ann = await kinora.person({ credits: 20 })
  const { key } = await keyOf(ann)
  const slow = { prompt: 'A boat [slow: 300s]' }
  const made = [await generateWith(key, slow), await generateWith(key, slow)]
  assert.equal((await generateWith(key, slow)).error?.code, 'TOO_MANY_IN_PROGRESS')
  assert.equal((await kinora.generate(ann)).status, 200)
  for (const { data } of made) {
    await kinora.workUntil(async () => (await filmOf(key, data.uuid)).status === 'GENERATING')
    assert.equal((await callWith(key, 'POST', `/api/v1/video/${data.uuid}/cancel`)).status, 200)
  }
})

test('test key: same Idempotency-Key as a film of a session → two films, each replayed to its own caller', async () => {
  const ann = await kinora.person({ credits: 20 })
  const { key } = await keyOf(ann)
  const header = { 'idempotency-key': 'order-1' }
  const { data: real } = await kinora.generate(ann, {}, header)
  const { data: tried } = await generateWith(key, {}, header)
  assert.notEqual(tried.uuid, real.uuid)
  const again = await generateWith(key, {}, header)
  assert.deepEqual([again.data.uuid, again.headers.get('idempotent-replayed')], [tried.uuid, 'true'])
  await callWith(key, 'POST', `/api/v1/video/${tried.uuid}/cancel`)
})

test('test key: webhooks, token of a page and metadata → as with a key, and events of its own films alone', async (t) => {
  const receiver = await openReceiver(t)
  allow(kinora, t, receiver)
  const ann = await kinora.person({ credits: 20 })
  const { key } = await keyOf(ann)
  assert.equal((await callWith(key, 'POST', '/api/v1/webhook/endpoints', { url: receiver.url })).status, 200)
  const listed = await kinora.call<{ endpoints: object[] }>('GET', '/api/v1/webhook/endpoints', { as: ann })
  assert.deepEqual(listed.data.endpoints, [])
  const request = { subject: 'visitor-1', scopes: ['generate'], budget: 20 }
  const { data: page } = await callWith(key, 'POST', '/api/v1/key/token', request)
  const token = String((page as { token?: string }).token)
  const { data } = await generateWith(token, { metadata: { order: '7' } })
  assert.equal((await generateWith(token)).error?.code, 'KEY_BUDGET_EXCEEDED')
  await ended(key, data.uuid)
  const { data: real } = await kinora.generate(ann)
  await kinora.call('POST', `/api/v1/video/${real.uuid}/cancel`, { as: ann })
  await dispatchAll(kinora)
  const events = receiver.received.map(({ body }) => JSON.parse(body))
  assert.deepEqual(
    events.map(({ type, data: film }) => [type, film.uuid, film.subject, film.metadata]),
    [['video.completed', data.uuid, 'visitor-1', { order: '7' }]],
  )
})

test('403: what costs or tells others, with a test key → refused by the name of what it is for', async () => {
  const root = await kinora.person({ role: 'admin' })
  const { key } = await keyOf(root)
  for (const [method, path, body] of [
    ['POST', '/api/v1/credit/redeem', { code: 'ABCD-EFGH-JKLM-NPQR' }],
    ['POST', '/api/v1/billing/checkout', { productId: 'pro-monthly' }],
    ['POST', '/api/v1/writer/prompt', { prompt: 'A boat' }],
    ['POST', '/api/v1/team', { name: 'Crew' }],
    ['GET', '/api/v1/admin/users', undefined],
  ] as const) {
    const { status, error } = await callWith(key, method, path, body)
    assert.equal(status, 403, `${method} ${path}`)
    assert.deepEqual(error?.details, { reason: 'test_key' }, `${method} ${path}`)
  }
})

test('402: budget of a test key → counts its own films, and is shown with the key', async () => {
  const ann = await kinora.person()
  const { key } = await keyOf(ann, { budget: { credits: 20, period: 'day' } })
  const { data } = await generateWith(key)
  assert.equal((await generateWith(key)).error?.code, 'KEY_BUDGET_EXCEEDED')
  const listed = JSON.parse((await kinora.call('GET', '/api/auth/api-key/list', { as: ann })).text) as {
    apiKeys: Key[]
  }
  assert.deepEqual(
    listed.apiKeys.map(({ test: isTest, used }) => [isTest, used.day]),
    [[true, 16]],
  )
  await callWith(key, 'POST', `/api/v1/video/${data.uuid}/cancel`)
})

test('team: a test key of it, and a member with a test key → the same films, which the team does not have', async () => {
  const { id: teamId, owner: ann } = await openTeams(kinora).newTeam({ credits: 0 })
  const inTeam = { 'x-team': teamId }
  const body = { name: 'tests', test: true }
  const made = await kinora.call<Key>('POST', '/api/v1/team/keys', { as: ann, body, headers: inTeam })
  assert.equal(made.data.test, true)
  const { data } = await generateWith(made.data.key)
  const { key } = await keyOf(ann)
  assert.equal((await callWith(key, 'GET', '/api/v1/video/list', undefined, inTeam)).data.total, 1)
  assert.equal((await callWith(key, 'GET', '/api/v1/video/list')).data.total, 0)
  const listed = await kinora.call<Answered>('GET', '/api/v1/video/list', { as: ann, headers: inTeam })
  assert.equal(listed.data.total, 0)
  await callWith(made.data.key, 'POST', `/api/v1/video/${data.uuid}/cancel`)
})

test('administrators: films of test keys → in no list, overview, cost or health of a provider', async () => {
  const root = await kinora.person({ role: 'admin' })
  const read = async () => {
    const paths = ['admin/overview', 'admin/videos/ended', 'admin/costs', 'admin/providers', 'admin/videos']
    const answers = paths.map((path) => kinora.call<Record<string, unknown>>('GET', `/api/v1/${path}`, { as: root }))
    return (await Promise.all(answers)).map(({ status, text }) => [status, text.includes(':test')])
  }
  const { key } = await keyOf(root)
  const { data } = await generateWith(key, { prompt: 'A boat [fail: no luck]' })
  await ended(key, data.uuid)
  const { data: open } = await generateWith(key)
  for (const [status, isNamed] of await read()) assert.deepEqual([status, isNamed], [200, false])
  const ofTests =
    await app.sql`select from kinora.film_costs(now() - interval '1 day', now() + interval '1 day') f where kinora.is_test(f.user_id)`
  assert.equal(ofTests.length, 0)
  await callWith(key, 'POST', `/api/v1/video/${open.uuid}/cancel`)
})

test('retention: KEEP_TEST_FILMS has passed → films and uploads of test keys are gone, real ones stay', async () => {
  const ann = await kinora.person({ credits: 20 })
  const { key } = await keyOf(ann)
  const { data } = await generateWith(key)
  const film = await ended(key, data.uuid)
  const uploaded = await kinora.call<{ id: string }>('POST', '/api/v1/asset', {
    body: await plain(640, 360),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'image/png' },
  })
  assert.equal(uploaded.status, 200, uploaded.text)
  const { data: real } = await kinora.generate(ann)
  kinora.turnClock(DAY_MS + 60 * SECOND_MS)
  await sweepFilms(app)
  await sweepAssets(app)
  assert.equal((await callWith(key, 'GET', '/api/v1/video/list')).data.total, 0)
  assert.equal((await fetch(`${film.videoUrl}`)).status, 404)
  const [stored] = await app.sql`select from kinora.video where id = ${data.uuid} and files_removed_at is null`
  assert.equal(stored, undefined)
  assert.equal((await app.sql`select from kinora.asset where user_id = ${testOwnerOf(ann.userId)}`).length, 0)
  assert.equal((await kinora.call('GET', `/api/v1/video/${real.uuid}`, { as: ann })).status, 200)
})

test('account: deleted → its test films and their webhooks are erased with it', async () => {
  const ann = await kinora.person()
  const { key } = await keyOf(ann)
  const { data } = await generateWith(key)
  await ended(key, data.uuid)
  const owner = testOwnerOf(ann.userId)
  const root = await kinora.person({ role: 'admin' })
  const body = { reason: 'Asked for it' }
  const { status, text } = await kinora.call('DELETE', `/api/v1/admin/users/${ann.userId}`, { as: root, body })
  assert.equal(status, 200, text)
  await eraseDeletedAccounts(app)
  const left =
    await app.sql`select from kinora.video where user_id = ${owner} and (prompt <> '' or files_removed_at is null)`
  assert.equal(left.length, 0)
})

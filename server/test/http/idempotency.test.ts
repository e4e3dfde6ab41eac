/**
 * `Idempotency-Key` at every POST of both documents: what makes something takes it, and makes it once; all others
 * refuse it. Those of credits, films and refunds have more of it: ledger/*, video/generate-idempotency.test.ts,
 * payment/desk.test.ts.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCrashes } from '../support/crash.ts'
import { freePort } from '../support/free-port.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { readDocuments } from '../support/served-document.ts'

type Operation = { operationId: string; parameters?: { $ref?: string }[] }
type Document = { paths: Record<string, Record<string, Operation>> }

const kinora = await openKinora()
const { app } = kinora
const { start } = openCrashes(kinora)
const { paths } = await readDocuments<Document>(kinora)
const posts = Object.entries(paths).flatMap(([path, { post }]) => (post ? [{ ...post, path }] : []))
const takesKey = ({ parameters = [] }: Operation) => parameters.some(({ $ref }) => $ref?.endsWith('/IdempotencyKey'))

const ofCredits = [
  ...['generateVideo', 'generateProject', 'renderProject', 'addCredits', 'moveCredits'],
  ...['takeCredits', 'collectOwed', 'forgiveOwed', 'reverseExpiry', 'refundPayment'],
]
/** AI providers and mail programs send these. */
const ofOthers = ['receiveCallback', 'unsubscribe']

type Case = {
  path: string
  body: object | undefined
  other: object | undefined
  /** Their number, by which a second one is seen. */
  count: () => Promise<number>
  as: Person | string
}
const counted = async (rows: PromiseLike<{ n: number }[]>) => (await rows)[0]?.n ?? -1
const { sql } = app

async function projectOf(as: Person): Promise<string> {
  return (await kinora.call<{ id: string }>('POST', '/api/v1/project', { as, body: { name: 'First' } })).data.id
}
const endpointBody = { url: 'https://hooks.example.com/kinora', description: 'one' }
const shots = (prompt: string) => ({ shots: [{ settings: { prompt, model: 'delta-1-5' } }] })

/** What makes something else than films and credits. */
const cases: Record<string, () => Promise<Case>> = {
  makeProject: async () => {
    const as = await kinora.person()
    const count = () => counted(sql`select count(*)::integer as n from kinora.project where user_id = ${as.userId}`)
    return { path: '/api/v1/project', body: { name: 'North' }, other: { name: 'South' }, count, as }
  },
  addShots: async () => {
    const as = await kinora.person()
    const id = await projectOf(as)
    const count = () => counted(sql`select count(*)::integer as n from kinora.shot where user_id = ${as.userId}`)
    return { path: `/api/v1/project/${id}/shots`, body: shots('A boat'), other: shots('A train'), count, as }
  },
  createVideoFolder: async () => {
    const as = await kinora.person()
    const count = () =>
      counted(sql`select count(*)::integer as n from kinora.video_folder where user_id = ${as.userId}`)
    return { path: '/api/v1/video/folders', body: { name: 'Boats' }, other: { name: 'Trains' }, count, as }
  },
  createWebhookEndpoint: async () => {
    const as = await kinora.person()
    const count = () =>
      counted(sql`select count(*)::integer as n from kinora.webhook_endpoint where user_id = ${as.userId}`)
    const other = { ...endpointBody, description: 'two' }
    return { path: '/api/v1/webhook/endpoints', body: endpointBody, other, count, as }
  },
  testWebhookEndpoint: async () => {
    const as = await kinora.person()
    const { data } = await kinora.call('POST', '/api/v1/webhook/endpoints', { as, body: endpointBody })
    const count = () =>
      counted(sql`select count(*)::integer as n from kinora.webhook_delivery where user_id = ${as.userId}`)
    return { path: `/api/v1/webhook/endpoints/${data.id}/test`, body: undefined, other: undefined, count, as }
  },
  createToken: async () => {
    const { userId, key } = await keyOf(await kinora.person())
    const count = () => counted(sql`select count(*)::integer as n from kinora.key_token where user_id = ${userId}`)
    return { path: '/api/v1/key/token', body: { subject: 'ann' }, other: { subject: 'ben' }, count, as: key }
  },
  createTeam: async () => {
    const as = await kinora.person()
    const count = () => counted(sql`select count(*)::integer as n from kinora.team_member where user_id = ${as.userId}`)
    return { path: '/api/v1/team', body: { name: 'North' }, other: { name: 'South' }, count, as }
  },
  createCode: async () => {
    const as = await kinora.person({ role: 'admin' })
    const count = () =>
      counted(sql`select count(*)::integer as n from kinora.redemption_code where actor_id = ${as.userId}`)
    return { path: '/api/v1/admin/codes', body: { credits: 5 }, other: { credits: 6 }, count, as }
  },
}

async function keyOf(as: Person): Promise<{ userId: string; key: string }> {
  const { text } = await kinora.call('POST', '/api/auth/api-key/create', { as, body: { name: 'page' } })
  return { userId: as.userId, key: (JSON.parse(text) as { key: string }).key }
}

async function send({ path, as }: Pick<Case, 'path' | 'as'>, body: object | undefined, key: string, url = kinora.url) {
  const credential = typeof as === 'string' ? { 'x-api-key': as } : { authorization: `Bearer ${as.token}` }
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { ...credential, ...type, 'idempotency-key': key },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { data, error } = (await response.json()) as { data: Record<string, unknown>; error?: { code: string } }
  return { status: response.status, data, code: error?.code, replayed: response.headers.get('idempotent-replayed') }
}

test('documents: every POST → takes a key and is in a test, or refuses it', () => {
  const taking = posts.filter(takesKey).map(({ operationId }) => operationId)
  assert.deepEqual(taking.sort(), [...Object.keys(cases), ...ofCredits].sort())
})

for (const { operationId, path } of posts.filter((post) => !takesKey(post) && !ofOthers.includes(post.operationId))) {
  test(`400: ${operationId} with an Idempotency-Key → refused, with the reason`, async () => {
    const as = await kinora.person({ role: 'admin' })
    const id = '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50'
    const team = /^\/api\/v1\/team\/(keys|invitations|take-over)$/.test(path)
      ? (await kinora.call<{ id: string }>('POST', '/api/v1/team', { as, body: { name: 'North' } })).data.id
      : null
    const { status, text } = await kinora.call('POST', path.replaceAll(/\{\w+\}/g, id), {
      as,
      body: {},
      headers: { 'idempotency-key': 'k', ...(team && { 'x-team': team }) },
    })
    assert.equal(status, 400, text)
    assert.match(text, /This operation takes no Idempotency-Key: .+\. Send it without the header\./)
  })
}

for (const [operationId, open] of Object.entries(cases)) {
  test(`200: ${operationId} twice with a key → made once, the same answer; another body is 422, another key another one`, async () => {
    const made = await open()
    const before = await made.count()
    const first = await send(made, made.body, 'one')
    assert.deepEqual([first.status, first.replayed], [200, null], JSON.stringify(first))
    const perDeed = (await made.count()) - before
    const second = await send(made, made.body, 'one')
    assert.deepEqual([second.status, second.replayed], [200, 'true'], JSON.stringify(second))
    // A token is sealed anew each time.
    const shown = ({ data: { token: _, ...data } }: typeof first) => data
    assert.deepEqual(shown(second), shown(first))
    assert.equal((await made.count()) - before, perDeed)
    if (made.other) {
      const other = await send(made, made.other, 'one')
      assert.deepEqual([other.status, other.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
    }
    const another = await send(made, made.other ?? made.body, 'two')
    assert.deepEqual([another.status, another.replayed], [200, null], JSON.stringify(another))
    assert.equal((await made.count()) - before, 2 * perDeed)
  })

  test(`200: ${operationId} eight times at once with a key → made once, by one of them`, async () => {
    const made = await open()
    const before = await made.count()
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(made, made.body, 'one')))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200], JSON.stringify(answers))
    assert.equal(answers.filter(({ replayed }) => replayed === null).length, 1)
    assert.equal((await made.count()) - before, 1)
  })
}

test('200: the API was killed after making a project, same key again → one project', async () => {
  const made = await (cases.makeProject ?? assert.fail)()
  const PORT = String(await freePort())
  const crashing = await start('api', { PORT, KINORA_CRASH_AT: 'once.committed' })
  await assert.rejects(send(made, made.body, 'one', `http://127.0.0.1:${PORT}`))
  assert.equal(await crashing.ended, 'SIGKILL')
  const again = await send(made, made.body, 'one')
  assert.deepEqual([again.status, again.replayed], [200, 'true'])
  assert.equal(await made.count(), 1)
})

test('409, then 200: a refused request, its reason gone, same key again → made: a refusal keeps no key', async () => {
  const made = await (cases.createVideoFolder ?? assert.fail)()
  const { data } = await send(made, made.body, 'first')
  assert.equal((await send(made, made.body, 'one')).code, 'CONFLICT')
  await kinora.call('DELETE', `/api/v1/video/folders/${data.id}`, { as: made.as as Person })
  const again = await send(made, made.body, 'one')
  assert.deepEqual([again.status, again.replayed], [200, null])
})

test('404: what a key has made was deleted, same key again → says so, and makes no other', async () => {
  const made = await (cases.makeProject ?? assert.fail)()
  const { data } = await send(made, made.body, 'one')
  await kinora.call('DELETE', `/api/v1/project/${data.id}`, { as: made.as as Person })
  const again = await send(made, made.body, 'one')
  assert.deepEqual([again.status, again.code, await made.count()], [404, 'NOT_FOUND', 0])
})

test('200: same body with its fields in another order → the same request', async () => {
  const made = await (cases.addShots ?? assert.fail)()
  const settings = { prompt: 'A boat', model: 'delta-1-5' }
  const first = await send(made, { shots: [{ settings, notes: 'n' }] }, 'one')
  const { prompt, model } = settings
  const second = await send(made, { shots: [{ notes: 'n', settings: { model, prompt } }] }, 'one')
  assert.deepEqual([first.status, second.status, second.replayed], [200, 200, 'true'])
})

test('200: two users, one key → one made for each', async () => {
  const [first, second] = [await (cases.makeProject ?? assert.fail)(), await (cases.makeProject ?? assert.fail)()]
  const answers = [await send(first, first.body, 'one'), await send(second, second.body, 'one')]
  assert.deepEqual(
    answers.map(({ status, replayed }) => [status, replayed]),
    [
      [200, null],
      [200, null],
    ],
  )
})

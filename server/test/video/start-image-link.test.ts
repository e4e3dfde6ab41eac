/** Start images of other sites: the check of their host, at the request and before the submit. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Lookup } from '../../src/net/ssrf-guard.ts'
import { workOnce } from '../../src/worker/worker.ts'
import { type Answer, generateBody, openKinora, type Person, pathsOf } from '../support/harness.ts'
import { failsWith, imagesSent, reach } from '../support/start-image-fixture.ts'
import { readRow } from '../support/video-row.ts'

const kinora = await openKinora({ simulator: true })
const { app } = kinora
const PUBLIC = '93.184.215.14'
const link = 'https://pictures.example.com/boat.png'

const { userFetch } = app
const resolve = (t: TestContext, lookup: Lookup) => {
  app.userFetch = userFetch
  reach(kinora, t, { allow: [], lookup })
}
const failing = (code: string) => async () => {
  throw Object.assign(new Error(code), { code })
}

const quote = (as: Person, startImageUrl = link) =>
  kinora.call('POST', '/api/v1/video/quote', { as, body: { ...generateBody, startImageUrl } })
const refusal = ({ status, error }: Answer) => {
  assert.deepEqual([status, error?.code, pathsOf({ error })], [400, 'INVALID_REQUEST', ['startImageUrl']])
  return error?.message
}

test('400: host resolves to a private address, in part, or not at all → one message, nothing frozen', async (t) => {
  const ann = await kinora.person()
  const lookups: Lookup[] = [
    async () => ['169.254.169.254'],
    async () => [PUBLIC, '10.0.0.1'],
    async () => ['::1'],
    async () => ['64:ff9b::7f00:1'],
    failing('ENOTFOUND'),
    failing('ENODATA'),
    async () => [],
  ]
  for (const lookup of lookups) {
    resolve(t, lookup)
    for (const answer of [await quote(ann), await kinora.generate(ann, { startImageUrl: link })]) {
      assert.equal(
        refusal(answer),
        'The startImageUrl cannot be used: pictures.example.com is not an address on the public Internet; upload the file instead.',
      )
    }
  }
  assert.equal((await kinora.balance(ann)).available, 60)
})

test('400: FETCH_ALLOW names the host of a user’s link → refused all the same', async () => {
  await kinora.withSettings({ fetchAllow: ['127.0.0.1:9000', 'pictures.internal:80'] }, async (url) => {
    const { token } = await kinora.person()
    for (const startImageUrl of ['http://127.0.0.1:9000/boat.png', 'http://pictures.internal/boat.png']) {
      const response = await fetch(`${url}/api/v1/video/generate`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...generateBody, startImageUrl }),
      })
      assert.equal(response.status, 400)
    }
  })
})

test('200: resolver does not answer → accepted; the worker tries again, and the task is sent when it does', async (t) => {
  const ann = await kinora.person()
  let isAway = true
  resolve(t, async () => (isAway ? failing('ETIMEOUT')() : [PUBLIC]))
  const prompt = 'A boat behind a slow resolver'
  const { status, data } = await kinora.generate(ann, { startImageUrl: link, prompt: `${prompt} [fail: no]` })
  assert.equal(status, 200)
  await workOnce(app)
  const row = await readRow(kinora, data.uuid)
  assert.deepEqual([row.status, row.submittedAt, row.attempt], ['PENDING', null, 0])
  isAway = false
  kinora.turnClock(60_000)
  assert.match((await kinora.finish(ann, data.uuid)).error ?? '', /no/)
  assert.deepEqual(await imagesSent(kinora, `${prompt} [fail: no]`), [link])
})

test('FAILED: resolver does not answer for ten minutes → credits released with the reason', async (t) => {
  const ann = await kinora.person()
  resolve(t, failing('ESERVFAIL'))
  const prompt = 'A boat without a resolver'
  const { data } = await kinora.generate(ann, { startImageUrl: link, prompt })
  await workOnce(app)
  kinora.turnClock(10 * 60_000 + 1000)
  await failsWith(
    kinora,
    ann,
    data.uuid,
    prompt,
    /^The start image could not be used: pictures\.example\.com could not be reached\.$/,
  )
})

test('200: known Idempotency-Key, host now private → idempotent replay; another key → 400', async (t) => {
  const ann = await kinora.person()
  const key = { 'idempotency-key': 'one' }
  const first = await kinora.generate(ann, { startImageUrl: link }, key)
  assert.equal(first.status, 200)
  resolve(t, async () => ['10.0.0.1'])
  const second = await kinora.generate(ann, { startImageUrl: link }, key)
  assert.deepEqual([second.status, second.data], [200, first.data])
  const other = await kinora.generate(ann, { startImageUrl: link, prompt: 'Another boat' }, key)
  assert.deepEqual([other.status, other.error?.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
  refusal(await kinora.generate(ann, { startImageUrl: link }, { 'idempotency-key': 'two' }))
  await kinora.call('POST', `/api/v1/video/${first.data.uuid}/cancel`, { as: ann })
})

test('FAILED: DNS rebinding after the request → not sent to a provider, credits released with the reason', async (t) => {
  const ann = await kinora.person()
  let address = PUBLIC
  resolve(t, async () => [address])
  const prompt = 'A boat that moves inside'
  const { status, data } = await kinora.generate(ann, { startImageUrl: link, prompt })
  assert.equal(status, 200)
  address = '169.254.169.254'
  await failsWith(
    kinora,
    ann,
    data.uuid,
    prompt,
    /^The start image could not be used: pictures\.example\.com is not an address on the public/,
  )
})

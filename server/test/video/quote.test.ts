/** `POST /api/v1/video/quote`: the price that generate would freeze, without side effects. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateBody, openKinora, type Person, pathsOf } from '../support/harness.ts'

const kinora = await openKinora()

type Quote = {
  credits: number
  ceiling: boolean
  available: number
  affordable: boolean
  mode: string
  provider: string
  estimatedSeconds: number
}
/** Of a film of `generateBody`. */
const made = { ceiling: false, mode: 'text-to-video', provider: 'provider-b', estimatedSeconds: 60 }
const quote = (as: Person, change: Record<string, unknown> = {}) =>
  kinora.call<Quote>('POST', '/api/v1/video/quote', { as, body: { ...generateBody, ...change } })

async function assertUntouched(as: Person): Promise<void> {
  for (const table of ['video', 'credit_hold']) {
    const rows = await kinora.app.sql`select from ${kinora.app.sql(`kinora.${table}`)} where user_id = ${as.userId}`
    assert.equal(rows.length, 0, table)
  }
}

test('200: quote → the price that generate freezes, for each pricing scheme', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const cases: [change: Record<string, unknown>, credits: number][] = [
    [{}, 16],
    [{ duration: 12, quality: '1080p' }, 96],
    [{ model: 'alpha-2', duration: 5, startImageUrl: 'https://example.com/boat.png' }, 30],
    [{ model: 'beta-3-1', duration: 8 }, 13],
    [{ model: 'beta-3-1', quality: '4k' }, 37],
  ]
  let available = 1000
  for (const [change, credits] of cases) {
    const { status, data } = await quote(ann, change)
    assert.equal(status, 200)
    const { mode: _, provider: __, estimatedSeconds: ___, ...price } = data
    assert.deepEqual(price, { credits, ceiling: false, available, affordable: true })
    assert.equal((await kinora.generate(ann, change)).data.uuid.length, 36)
    available -= credits
    assert.equal((await kinora.balance(ann)).available, available)
  }
})

test('200: affordable → exact to one credit, without frozen or expired ones; no rows are written', async () => {
  const [rich, exact, short, none] = await Promise.all([17, 16, 15, 0].map((credits) => kinora.person({ credits })))
  assert.ok(rich && exact && short && none)
  assert.deepEqual((await quote(rich)).data, { ...made, credits: 16, available: 17, affordable: true })
  assert.deepEqual((await quote(exact)).data, { ...made, credits: 16, available: 16, affordable: true })
  assert.deepEqual((await quote(short)).data, { ...made, credits: 16, available: 15, affordable: false })
  assert.deepEqual((await quote(none)).data, { ...made, credits: 16, available: 0, affordable: false })
  for (const as of [rich, exact, short, none]) await assertUntouched(as)
  assert.equal((await kinora.app.sql`select from kinora.credit_account where user_id = ${none.userId}`).length, 0)

  await kinora.generate(exact)
  assert.deepEqual((await quote(exact)).data, { ...made, credits: 16, available: 0, affordable: false })
  const late = await kinora.person({ credits: 0 })
  await kinora.grant(late, 20, 1)
  kinora.turnClock(86_400_000)
  assert.deepEqual((await quote(late)).data, { ...made, credits: 16, available: 0, affordable: false })
})

const refused: [change: Record<string, unknown>, code: string, path: string][] = [
  [{ prompt: ' ' }, 'INVALID_REQUEST', 'prompt'],
  [{ colour: 'red' }, 'INVALID_REQUEST', 'colour'],
  [{ model: 'omega-9' }, 'UNSUPPORTED_MODEL', 'model'],
  [{ model: 'gamma-2-6', duration: 5 }, 'MODEL_UNAVAILABLE', 'model'],
  [{ duration: 13 }, 'DURATION_OUT_OF_RANGE', 'duration'],
  [{ quality: '4k' }, 'UNSUPPORTED_QUALITY', 'quality'],
  [{ aspectRatio: '2:1' }, 'UNSUPPORTED_ASPECT_RATIO', 'aspectRatio'],
  [{ startImageUrl: 'ftp://example.com/boat.png' }, 'INVALID_REQUEST', 'startImageUrl'],
]
for (const [change, code, path] of refused) {
  test(`400: ${code} for ${JSON.stringify(change)} → the same error as generate`, async () => {
    const ann = await kinora.person()
    const response = await quote(ann, change)
    assert.equal(response.status, 400)
    assert.equal(response.error?.code, code)
    assert.deepEqual(pathsOf(response), [path])
    const generated = await kinora.generate(ann, change)
    assert.equal(generated.error?.message, response.error?.message)
  })
}

test('200: a body without a prompt, with an image or with n → its price, mode, first provider and usual time', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const { data } = await quote(ann, { prompt: undefined })
  assert.deepEqual(data, { ...made, credits: 16, available: 1000, affordable: true })
  const image = await quote(ann, { model: 'alpha-2', startImageUrl: 'https://example.com/boat.png', n: 3 })
  const { mode, provider, estimatedSeconds, credits } = image.data
  assert.deepEqual([mode, provider, estimatedSeconds, credits], ['image-to-video', 'provider-a', 90, 72])
})

test('401: no credential → refused before the body is validated', async () => {
  for (const body of [generateBody, {}]) {
    const { status, error } = await kinora.call('POST', '/api/v1/video/quote', { body })
    assert.equal(status, 401)
    assert.equal(error?.code, 'UNAUTHENTICATED')
  }
})

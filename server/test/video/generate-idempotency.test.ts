/** `POST /api/v1/video/generate` with an Idempotency-Key: a repeated request is replayed and creates one video. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import postgres from 'postgres'
import type { Model } from '../../src/catalogue/model.ts'
import { modelOf, models, withModes } from '../support/changed-models.ts'
import { completeVideo } from '../support/completed-video.ts'
import { openKinora, type Person, pathsOf } from '../support/harness.ts'

const kinora = await openKinora({ simulator: true })

const withKey = (as: Person, key: string, change: Record<string, unknown> = {}) =>
  kinora.generate(as, change, { 'idempotency-key': key })

async function videosOf(as: Person): Promise<number> {
  return (await kinora.call<{ total: number }>('GET', '/api/v1/video/list', { as })).data.total
}

test('200: same key, same body → idempotent replay, one video', async () => {
  const ann = await kinora.person()
  const first = await withKey(ann, 'boat-1')
  const second = await withKey(ann, 'boat-1')
  assert.equal(first.status, 200)
  assert.equal(second.status, 200)
  assert.deepEqual(second.data, first.data)
  assert.deepEqual(
    [first, second].map((each) => each.headers.get('idempotent-replayed')),
    [null, 'true'],
  )
  assert.equal(await videosOf(ann), 1)
  assert.equal((await kinora.balance(ann)).frozen, 16)
})

test('200: same key, equivalent body (whitespace, defaults, field order) → idempotent replay', async () => {
  const ann = await kinora.person()
  const first = await withKey(ann, 'k', { prompt: 'boat' })
  assert.deepEqual((await withKey(ann, 'k', { prompt: '  boat\n', quality: '720p' })).data, first.data)
  const { status, data } = await kinora.call('POST', '/api/v1/video/generate', {
    as: ann,
    body: { aspectRatio: '16:9', duration: 4.0, model: 'delta-1-5', prompt: 'boat' },
    headers: { 'idempotency-key': 'k' },
  })
  assert.equal(status, 200)
  assert.deepEqual(data, first.data)
})

test('200: no key, same body → a second video', async () => {
  const ann = await kinora.person()
  const [first, second] = [await kinora.generate(ann), await kinora.generate(ann)]
  assert.notEqual(first.data.uuid, second.data.uuid)
  assert.equal(await videosOf(ann), 2)
})

test('200: same key after completion → idempotent replay of the first response', async () => {
  const ann = await kinora.person()
  const first = await withKey(ann, 'k')
  await completeVideo(kinora, ann, first.data.uuid)
  const again = await withKey(ann, 'k')
  assert.deepEqual(again.data, first.data)
  assert.equal(await videosOf(ann), 1)
})

test('200: same key after a failure and after deletion → idempotent replay of the first response', async () => {
  const ann = await kinora.person()
  const failing = { prompt: '[fail: no boat today]' }
  const first = await withKey(ann, 'k', failing)
  await kinora.finish(ann, first.data.uuid)
  assert.deepEqual((await withKey(ann, 'k', failing)).data, first.data)
  await kinora.call('DELETE', `/api/v1/video/${first.data.uuid}`, { as: ann })
  assert.deepEqual((await withKey(ann, 'k', failing)).data, first.data)
  assert.equal((await kinora.balance(ann)).available, 60)
})

/** What an operator changes, and the code that a new request gets then. */
const changes: [name: string, code: string, change: (model: Model) => Model | null][] = [
  ['model disabled', 'MODEL_UNAVAILABLE', (model) => ({ ...model, enabled: false })],
  ['model without providers', 'MODEL_UNAVAILABLE', (model) => ({ ...model, routes: [{ account: 'provider-z' }] })],
  ['model removed', 'UNSUPPORTED_MODEL', () => null],
  ['duration no longer made', 'DURATION_OUT_OF_RANGE', (model) => withModes(model, { duration: [5] })],
  ['aspect ratio no longer made', 'UNSUPPORTED_ASPECT_RATIO', (model) => withModes(model, { aspectRatio: ['9:16'] })],
  ['quality no longer made', 'UNSUPPORTED_QUALITY', (model) => withModes(model, { quality: ['1080p'] })],
  ['start image no longer taken', 'UNSUPPORTED_MODE', (model) => withModes(model, {}, ['text-to-video'])],
]

for (const [name, code, change] of changes) {
  test(`200: same key after a change of the catalogue, ${name} → idempotent replay; another request is refused`, async (t) => {
    const ann = await kinora.person()
    const body = { startImageUrl: 'https://example.com/boat.png', webhookUrl: 'https://example.com/hook' }
    const first = await withKey(ann, 'k', body)
    assert.equal(first.status, 200)
    const model = modelOf('delta-1-5')
    t.after(() => models().set(model.id, model))
    const changed = change(model)
    if (changed) models().set(model.id, changed)
    else models().delete(model.id)

    const again = await withKey(ann, 'k', { ...body, quality: '720p', prompt: ' A paper boat in a rain gutter ' })
    assert.deepEqual([again.status, again.data], [200, first.data])
    const other = await withKey(ann, 'k', { ...body, prompt: 'Another film' })
    assert.deepEqual([other.status, other.error?.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
    const named = { ...body, quality: '720p' }
    for (const refused of [await withKey(ann, 'k-2', named), await kinora.generate(ann, named)]) {
      assert.deepEqual([refused.status, refused.error?.code], [400, code])
    }
    assert.equal(await videosOf(ann), 1)
    assert.equal((await kinora.balance(ann)).frozen, 16)
  })
}

test('200: same key, another user → a second video', async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const [annsVideo, bobsVideo] = [await withKey(ann, 'k'), await withKey(bob, 'k', { prompt: 'Another film' })]
  assert.equal(bobsVideo.status, 200)
  assert.notEqual(bobsVideo.data.uuid, annsVideo.data.uuid)
})

test('200: 8 requests at once with one key → 8 equal responses, one video', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const responses = await Promise.all(Array.from({ length: 8 }, () => withKey(ann, 'k')))
  for (const { status, data } of responses) {
    assert.equal(status, 200)
    assert.deepEqual(data, responses[0]?.data)
  }
  assert.equal(await videosOf(ann), 1)
  assert.equal((await kinora.balance(ann)).frozen, 16)
})

test('200: a key of 255 characters → accepted', async () => {
  const ann = await kinora.person()
  assert.equal((await withKey(ann, 'k'.repeat(255))).status, 200)
  assert.equal(await videosOf(ann), 1)
})

test('400: a key of 256 characters, empty, or not printable ASCII → no video', async () => {
  const ann = await kinora.person()
  for (const key of ['k'.repeat(256), '', 'clé', 'a\tb']) {
    const { status, error } = await withKey(ann, key)
    assert.equal(status, 400, JSON.stringify(key))
    assert.equal(error?.code, 'INVALID_REQUEST')
    assert.deepEqual(pathsOf({ error }), ['Idempotency-Key'])
  }
  assert.equal(await videosOf(ann), 0)
})

test('402: refused with a key → the key can be used again', async () => {
  const ann = await kinora.person({ credits: 15 })
  assert.equal((await withKey(ann, 'k')).status, 402)
  await kinora.grant(ann, 1)
  assert.equal((await withKey(ann, 'k')).status, 200)
})

test('400: refused with a key → the key can be used again', async () => {
  const ann = await kinora.person()
  assert.equal((await withKey(ann, 'k', { duration: 3 })).status, 400)
  assert.equal((await withKey(ann, 'k')).status, 200)
})

test('422: same key, another body → IDEMPOTENCY_KEY_REUSED, one video', async () => {
  const ann = await kinora.person()
  await withKey(ann, 'k')
  for (const change of [{ prompt: 'Another film' }, { duration: 5 }, { quality: '1080p' }, { aspectRatio: '1:1' }]) {
    const { status, error } = await withKey(ann, 'k', change)
    assert.equal(status, 422)
    assert.equal(error?.code, 'IDEMPOTENCY_KEY_REUSED')
  }
  assert.equal(await videosOf(ann), 1)
})

test('409: the user’s account is locked by another transaction → CONFLICT with Retry-After (503 without a key)', async () => {
  const ann = await kinora.person()
  const other = postgres(kinora.databaseUrl, { max: 1 })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>()
  const locking = other.begin(async (tx) => {
    await tx`select from kinora.credit_account where user_id = ${ann.userId} for no key update`
    isLocked()
    await released
  })
  await locked
  const [keyed, plain] = await Promise.all([withKey(ann, 'k'), kinora.generate(ann)])
  release()
  await locking
  await other.end()

  assert.equal(keyed.status, 409)
  assert.equal(keyed.error?.code, 'CONFLICT')
  assert.equal(plain.status, 503)
  assert.equal(plain.error?.code, 'UNAVAILABLE')
  for (const { headers } of [keyed, plain]) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  assert.equal(await videosOf(ann), 0)
  assert.equal((await withKey(ann, 'k')).status, 200)
})

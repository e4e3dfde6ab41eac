/** Calls of the client against the real service: their data and their errors. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { freePort } from '../../server/test/support/free-port.ts'
import { generateBody, openKinora as openService } from '../../server/test/support/harness.ts'
import { plain } from '../../server/test/support/images.ts'
import { type AllPaths, newIdempotencyKey, openIdempotencyKeys, openKinora } from '../src/index.ts'
import { startHttpServer } from './faulty-proxy.ts'

const service = await openService()

test('200: GET → the data of the envelope', async () => {
  const ann = await service.person()
  const kinora = openKinora({ baseUrl: `${service.url}/`, token: ann.token })
  const { data, error } = await kinora.GET('/api/v1/credit/balance')
  assert.equal(error, undefined)
  assert.equal(data?.available, 60)
})

test('200: /api/auth, without an envelope → the whole body', async () => {
  const ann = await service.person()
  const kinora = openKinora<AllPaths>({ baseUrl: service.url, token: ann.token })
  const { data } = await kinora.GET('/api/auth/get-session')
  assert.equal(data?.user.email, ann.email)
  const signedOut = await openKinora<AllPaths>({ baseUrl: service.url }).GET('/api/auth/get-session')
  assert.deepEqual(signedOut, { data: null, error: undefined })
})

test('200: apiKey → authenticated without a session', async () => {
  const ann = await service.person()
  const signedIn = openKinora<AllPaths>({ baseUrl: service.url, token: ann.token })
  const made = await signedIn.POST('/api/auth/api-key/create', { body: { name: 'client' } })
  assert.ok(made.data?.key, made.error?.message)
  const { data } = await openKinora({ baseUrl: service.url, apiKey: made.data.key }).GET('/api/v1/credit/balance')
  assert.equal(data?.available, 60)
})

test('200: params.path and params.query → encoded into the URL', async () => {
  const ann = await service.person()
  const kinora = openKinora<AllPaths>({ baseUrl: service.url, token: ann.token })
  const { data: made } = await kinora.POST('/api/v1/video/generate', { body: { ...generateBody, prompt: 'A & B?' } })
  assert.ok(made)
  const { data: video } = await kinora.GET('/api/v1/video/{uuid}', { params: { path: { uuid: made.uuid } } })
  assert.equal(video?.prompt, 'A & B?')
  const { data: list } = await kinora.GET('/api/v1/video/list', { params: { query: { q: 'a & b?', pageSize: 1 } } })
  assert.deepEqual(
    list?.videos.map(({ uuid }) => uuid),
    [made.uuid],
  )
  const { data: completed } = await kinora.GET('/api/v1/video/list', { params: { query: { status: 'COMPLETED' } } })
  assert.deepEqual(completed?.videos, [])
})

test('400: invalid body → INVALID_REQUEST with the invalid fields', async () => {
  const ann = await service.person()
  const kinora = openKinora<AllPaths>({ baseUrl: service.url, token: ann.token })
  const { error } = await kinora.POST('/api/v1/video/generate', { body: { ...generateBody, prompt: '' } })
  assert.ok(error?.code === 'INVALID_REQUEST')
  assert.deepEqual(
    error.details?.map(({ path }) => path),
    ['prompt'],
  )
})

test('401: wrong password → the code of sign-in', async () => {
  const kinora = openKinora<AllPaths>({ baseUrl: service.url })
  const unsigned = await kinora.GET('/api/v1/credit/balance')
  assert.deepEqual([unsigned.error?.code, unsigned.error?.status], ['UNAUTHENTICATED', 401])
  assert.ok(unsigned.error?.requestId)
  const body = { email: 'unknown@example.com', password: 'not the password' }
  const { error } = await kinora.POST('/api/auth/sign-in/email', { body })
  assert.deepEqual([error?.code, error?.status], ['INVALID_EMAIL_OR_PASSWORD', 401])
  assert.match(error?.message ?? '', /\.$/)
})

test('402: insufficient credits → an error value with required and available', async () => {
  const poor = await service.person({ credits: 0 })
  const kinora = openKinora({ baseUrl: service.url, token: poor.token })
  const { error } = await kinora.POST('/api/v1/video/generate', { body: generateBody })
  assert.ok(error?.code === 'INSUFFICIENT_CREDITS')
  assert.equal(error.details.required - error.details.available, 16)
  assert.equal(error.status, 402)
})

test('429: Retry-After as a date → retryAfterSeconds', async () => {
  const kinora = openKinora({ baseUrl: service.url })
  const limited = await startHttpServer((_request, response) => {
    response.writeHead(429, { 'retry-after': new Date(Date.now() + 90_000).toUTCString() }).end('slow down')
  })
  const { error } = await openKinora({ baseUrl: limited.url }).GET('/api/v1/config/models')
  await limited.close()
  assert.equal(error?.code, 'RATE_LIMITED')
  assert.ok(error.retryAfterSeconds && error.retryAfterSeconds <= 90, String(error.retryAfterSeconds))
  assert.equal((await kinora.GET('/api/v1/config/models')).error, undefined)
})

test('generateAndWait: Retry-After of up to two minutes → waits and tries again; above → the error at once', async (t) => {
  for (const [seconds, requests] of [
    [120, 2],
    [121, 1],
  ] as const) {
    t.mock.timers.enable({ apis: ['setTimeout'] })
    let count = 0
    const fetch = async () => {
      count += 1
      const headers = { 'retry-after': `${seconds}` }
      return count === 1 ? new Response('slow down', { status: 429, headers }) : new Response('', { status: 400 })
    }
    const waits = setInterval(() => t.mock.timers.tick(seconds * 1000))
    const { error } = await openKinora({ baseUrl: service.url, fetch }).generateAndWait(generateBody)
    clearInterval(waits)
    t.mock.timers.reset()
    assert.deepEqual([count, error?.status], [requests, requests === 1 ? 429 : 400])
  }
})

test('client: connection refused → UNREACHABLE with status 0', async () => {
  const kinora = openKinora({ baseUrl: `http://127.0.0.1:${await freePort()}` })
  const { error } = await kinora.GET('/api/v1/config/models')
  assert.deepEqual([error?.code, error?.status], ['UNREACHABLE', 0])
})

test('client: connection lost within the response → UNREACHABLE', async () => {
  const broken = await startHttpServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 })
    response.write('{"success":true,"data":{', () => request.socket.destroy())
  })
  const { error } = await openKinora({ baseUrl: broken.url }).GET('/api/v1/config/models')
  await broken.close()
  assert.equal(error?.code, 'UNREACHABLE')
})

test('client: response of another server → an error with a code by its status and a sentence', async () => {
  const responses: [status: number, body: string, code: string][] = [
    [200, '<html>Sign in to the network</html>', 'INTERNAL'],
    [200, '', 'INTERNAL'],
    [200, '{"success":true}', 'INTERNAL'],
    [200, '{"success":false,"data":{}}', 'INTERNAL'],
    [200, '[1,2]', 'INTERNAL'],
    [404, 'no such page', 'NOT_FOUND'],
    [413, '<h1>Request Entity Too Large</h1>', 'PAYLOAD_TOO_LARGE'],
    [418, '{"error":"teapot"}', 'INVALID_REQUEST'],
    [500, '', 'INTERNAL'],
    [502, '<h1>Bad Gateway</h1>', 'UNAVAILABLE'],
  ]
  let next: (typeof responses)[number] | undefined
  const foreign = await startHttpServer((_request, response) => response.writeHead(next?.[0] ?? 500).end(next?.[1]))
  const kinora = openKinora({ baseUrl: foreign.url })
  for (next of responses) {
    const { data, error } = await kinora.GET('/api/v1/config/models')
    assert.equal(data, undefined)
    assert.deepEqual([error?.status, error?.code], [next[0], next[2]], next[1])
    assert.match(error?.message ?? '', /^[A-Z].*\.$/)
  }
  await foreign.close()
})

test('client: signal aborted → rejects with AbortError, as fetch does; an invalid baseUrl → TypeError', async () => {
  const arrived = Promise.withResolvers<void>()
  const silent = await startHttpServer(() => arrived.resolve())
  const controller = new AbortController()
  const call = openKinora({ baseUrl: silent.url }).GET('/api/v1/config/models', { signal: controller.signal })
  await arrived.promise
  controller.abort()
  await assert.rejects(call, { name: 'AbortError' })
  await assert.rejects(openKinora({ baseUrl: 'nowhere' }).GET('/api/v1/config/models'), TypeError)
  assert.throws(() => openKinora(), /baseUrl/)
  await silent.close()
})

test('client: signal aborted after a garbage collection → rejects with AbortError all the same', async () => {
  // A process of its own: ten full collections of a test worker's heap take minutes on a busy machine.
  const file = fileURLToPath(new URL('./abort-after-collection.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, ['--expose-gc', file])
  assert.equal(stdout, 'AbortError\nAbortError\n')
})

test('client: binary body → sent unchanged; content type of the Blob or of the header, else 415', async () => {
  const ann = await service.person()
  const kinora = openKinora<AllPaths>({ baseUrl: service.url, token: ann.token })
  const image = new Uint8Array(await plain(640, 360))
  const bodies = [new Blob([image], { type: 'image/png' }), image, image.buffer]
  for (const body of bodies) {
    const { data, error } = await kinora.POST('/api/v1/video/image', {
      body,
      // A Blob has its own type.
      ...(body instanceof Blob ? {} : { headers: { 'content-type': 'image/png' } }),
    })
    assert.deepEqual([error, data?.width, data?.height], [undefined, 640, 360])
  }
  const { error } = await kinora.POST('/api/v1/video/image', { body: image })
  assert.equal(error?.code, 'UNSUPPORTED_MEDIA_TYPE')
})

test('newIdempotencyKey: two calls → 32 hexadecimal digits, different each time', () => {
  assert.match(newIdempotencyKey(), /^[0-9a-f]{32}$/)
  assert.notEqual(newIdempotencyKey(), newIdempotencyKey())
})

test('openIdempotencyKeys: equal requests → the same key until settled, then a new one', () => {
  const keys = openIdempotencyKeys()
  const first = keys.keyOf({ credits: 10 })
  const other = keys.keyOf({ credits: 20 })
  assert.equal(keys.keyOf({ credits: 10 }), first)
  assert.notEqual(other, first)
  keys.settle({ credits: 10 })
  assert.notEqual(keys.keyOf({ credits: 10 }), first)
  assert.equal(keys.keyOf({ credits: 20 }), other)
})

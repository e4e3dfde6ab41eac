/** Lists over all pages, webhooks that are received, and requests that are sent again. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { signatures } from '../../server/src/webhook/secret.ts'
import { generateBody, openKinora as openService } from '../../server/test/support/harness.ts'
import { type AllPaths, KinoraStreamError, KinoraWebhookError, openKinora, unwrap } from '../src/index.ts'
import { type Fault, openFaultyProxy } from './faulty-proxy.ts'

const service = await openService()

async function apiKey(): Promise<string> {
  const { token } = await service.person()
  const kinora = openKinora<AllPaths>({ baseUrl: service.url, token })
  const { data, error } = await kinora.POST('/api/auth/api-key/create', { body: { name: 'films' } })
  assert.ok(data, error?.message)
  return data.key
}

test('each: three videos in pages of two → each once, in the order of the list', async () => {
  const ann = await service.person()
  const kinora = openKinora({ baseUrl: service.url, token: ann.token })
  const made: string[] = []
  for (const prompt of ['a', 'b', 'c']) {
    const { data } = await kinora.POST('/api/v1/video/generate', { body: { ...generateBody, prompt } })
    assert.ok(data)
    made.unshift(data.uuid)
  }
  const listed: string[] = []
  const query = { pageSize: 2 }
  for await (const { uuid } of kinora.each('/api/v1/video/list', { params: { query } })) listed.push(uuid)
  assert.deepEqual(listed, made)
  assert.deepEqual(query, { pageSize: 2 })
})

test('each: a page that is refused → KinoraStreamError with the error', async () => {
  const list = openKinora({ baseUrl: service.url }).each('/api/v1/asset')
  await assert.rejects(list.next(), (error) => {
    assert.ok(error instanceof KinoraStreamError)
    assert.equal(error.error.code, 'UNAUTHENTICATED')
    return true
  })
})

test('unwrap: signed, changed, old, of another secret → the event, or KinoraWebhookError', async () => {
  const secret = randomBytes(32)
  const text = `whsec_${secret.toString('base64')}`
  const body = JSON.stringify({ type: 'credit.low', timestamp: new Date(0), data: { available: 1, threshold: 2 } })
  const headersAt = (timestampS: number, secrets = [randomBytes(32), secret]) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': `${timestampS}`,
    'webhook-signature': signatures(secrets, { id: 'msg_1', timestampS, body }),
  })
  const nowS = Math.floor(Date.now() / 1000)
  const event = await unwrap(new TextEncoder().encode(body), new Headers(headersAt(nowS)), text)
  assert.equal(event.type === 'credit.low' && event.data.threshold, 2)
  for (const [sent, headers, used] of [
    [`${body} `, headersAt(nowS), text],
    [body, headersAt(nowS - 400), text],
    [body, headersAt(nowS, [randomBytes(32)]), text],
    [body, headersAt(nowS), 'whsec_no base64!'],
    [body, {}, text],
  ] as const) {
    await assert.rejects(unwrap(sent, headers, used), KinoraWebhookError)
  }
})

test('retry: response of generate lost twice → sent again with the same key, one video', async (t) => {
  const proxy = await openFaultyProxy(service.url)
  t.after(proxy.close)
  const faults: Fault[] = ['after', 'before']
  proxy.onRequest = () => faults.shift() ?? null
  const kinora = openKinora({ baseUrl: proxy.url, apiKey: await apiKey() })
  const { data, error } = await kinora.POST('/api/v1/video/generate', { body: generateBody })
  assert.ok(data, error?.message)
  const { data: list } = await kinora.GET('/api/v1/video/list')
  assert.deepEqual(
    list?.videos.map(({ uuid }) => uuid),
    [data.uuid],
  )
})

test('retry: response of a PATCH lost, or retry: false → UNREACHABLE at once', async (t) => {
  const proxy = await openFaultyProxy(service.url)
  t.after(proxy.close)
  const key = await apiKey()
  proxy.onRequest = () => 'before'
  const patched = await openKinora({ baseUrl: proxy.url, apiKey: key }).PATCH('/api/v1/asset/{id}', {
    params: { path: { id: '01939b1e-7777-7000-8000-000000000001' } },
    body: { name: 'mara' },
  })
  assert.equal(patched.error?.code, 'UNREACHABLE')
  let requests = 0
  proxy.onRequest = () => {
    requests += 1
    return 'before'
  }
  const read = await openKinora({ baseUrl: proxy.url, apiKey: key, retry: false }).GET('/api/v1/key')
  assert.deepEqual([read.error?.code, requests], ['UNREACHABLE', 1])
})

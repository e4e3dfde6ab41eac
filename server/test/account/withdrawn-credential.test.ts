/** Event streams and waits for a film end within a second when their credential or scope is withdrawn. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openStream } from '../support/event-stream-client.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { waitFor } from '../support/video-row.ts'

// No worker and no provider: no film gets ready.
const kinora = await openKinora()
const { sql } = kinora.app

type Key = { id: string; key: string }
const post = async (as: Person, path: string, body: object): Promise<Key> => {
  const { status, text } = await kinora.call('POST', `/api/auth/${path}`, { as, body })
  assert.equal(status, 200, text)
  return JSON.parse(text)
}
const createKey = (as: Person, scopes: string[]) => post(as, 'api-key/create', { name: 'k', scopes })

test('event stream: key that loses a scope → ends within a second; one that gets another scope → goes on', async () => {
  const ann = await kinora.person()
  const [wide, narrow] = [await createKey(ann, ['read', 'generate']), await createKey(ann, ['read'])]
  const streamOf = ({ key }: Key) => openStream(kinora.url, ann, { headers: { authorization: `Bearer ${key}` } })
  const [ending, staying] = [await streamOf(wide), await streamOf(narrow)]
  await post(ann, 'api-key/update', { keyId: narrow.id, scopes: ['read', 'account'] })
  await post(ann, 'api-key/update', { keyId: wide.id, scopes: ['generate'] })
  const startMs = performance.now()
  assert.equal(await ending.ended(), 'clean')
  assert.ok(performance.now() - startMs < 1_000, 'the stream ended within a second')
  const { data } = await kinora.generate(ann)
  await staying.until(data.uuid, 'PENDING')
  staying.close()
})

const film = { prompt: 'A paper boat', aspectRatio: '16:9', duration: 4 }
const rpc = (name: string, given: object) => ({
  ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
  params: { name, arguments: given },
})
/** Each: the request that waits, how its credential is withdrawn, and what the response says. */
const waits: Record<
  string,
  {
    path: string
    headers?: Record<string, string>
    body: object
    withdraw: (ann: Person, key: Key) => Promise<unknown>
    expected: RegExp
  }
> = {
  'AI gateway, key deleted': {
    path: '/ai-gateway/video-model',
    headers: { 'ai-model-id': 'delta-1-5' },
    body: film,
    withdraw: (ann, { id }) => post(ann, 'api-key/delete', { keyId: id }),
    expected: /"errorType":"authentication_error","statusCode":401/,
  },
  'Replicate, user banned': {
    path: '/replicate/v1/models/kinora/delta-1-5/predictions',
    headers: { prefer: 'wait=60' },
    body: { input: { prompt: 'A paper boat', duration: 4 } },
    withdraw: async ({ userId }) =>
      post(await kinora.person({ role: 'admin' }), 'admin/ban-user', { userId, banReason: 'test' }),
    expected: /has ended meanwhile/,
  },
  'MCP, scope withdrawn': {
    path: '/mcp',
    body: rpc('generate_video', { ...film, model: 'delta-1-5', waitSeconds: 50 }),
    withdraw: (ann, { id }) => post(ann, 'api-key/update', { keyId: id, scopes: ['read'] }),
    expected: /INSUFFICIENT_SCOPE/,
  },
}
for (const [name, { path, headers = {}, body, withdraw, expected }] of Object.entries(waits)) {
  test(`wait for a film: ${name} → ends within a second, without the film`, async () => {
    const ann = await kinora.person()
    const key = await createKey(ann, ['read', 'generate'])
    const waiting = fetch(kinora.url + path, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
        ...{ accept: 'application/json, text/event-stream', ...headers },
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    }).then((response) => response.text())
    const hasVideo = async () => (await sql`select from kinora.video where user_id = ${ann.userId}`).length === 1
    await waitFor('the video', hasVideo)
    await withdraw(ann, key)
    const startMs = performance.now()
    assert.match(await waiting, expected)
    assert.ok(performance.now() - startMs < 1_000, `${Math.round(performance.now() - startMs)} ms`)
  })
}

test('address that names its key sealed: key deleted → 401 within a second, and an open stream ends', async () => {
  const ann = await kinora.person()
  const { id, key } = await createKey(ann, ['read', 'generate'])
  const send = async (path: string, body: object, target: string) => {
    const headers = { authorization: `Key ${key}`, 'content-type': 'application/json', 'x-fal-target-url': target }
    const response = await fetch(kinora.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return response.json()
  }
  const input = { prompt: 'A paper boat', duration: 4 }
  const { urls } = (await send('/replicate/v1/predictions', { version: 'kinora/delta-1-5', input }, '')) as {
    urls: { stream: string }
  }
  const initiate = 'https://rest.fal.ai/storage/upload/initiate'
  const { upload_url } = (await send('/fal', { content_type: 'image/png' }, initiate)) as { upload_url: string }
  const put = async () => (await fetch(upload_url, { method: 'PUT', body: 'no picture' })).status
  assert.equal(await put(), 415)
  const stream = await fetch(urls.stream)
  await post(ann, 'api-key/delete', { keyId: id })
  const startMs = performance.now()
  assert.match(await stream.text(), /event: error\ndata: .*has ended meanwhile/)
  assert.ok(performance.now() - startMs < 1_000, `${Math.round(performance.now() - startMs)} ms`)
  assert.deepEqual([await put(), (await fetch(urls.stream)).status], [401, 401])
})

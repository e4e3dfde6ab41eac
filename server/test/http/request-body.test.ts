/** Bodies of requests, for every operation of openapi.json that changes something: unknown fields, no body. */
import assert from 'node:assert/strict'
import net from 'node:net'
import { test } from 'node:test'
import { type Answer, openKinora, type Person, pathsOf } from '../support/harness.ts'
import { readDocuments } from '../support/served-document.ts'
import { waitFor } from '../support/video-row.ts'

type Operation = { operationId: string; requestBody?: { required?: boolean }; 'x-team-role'?: string }
type Document = { paths: Record<string, Record<string, Operation>> }

const kinora = await openKinora()
const root = await kinora.person({ role: 'admin' })
const { paths } = await readDocuments<Document>(kinora)
/** Their bodies are no JSON objects of ours: a picture, a provider's report, a form. */
const otherBodies = ['uploadAsset', 'uploadImage', 'receiveCallback', 'unsubscribe']
const operations = Object.entries(paths)
  .filter(([path]) => path.startsWith('/api/v1/'))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      id: operation.operationId,
      method: method.toUpperCase(),
      path: path.replace('{item}', 'mail').replaceAll(/\{\w+\}/g, '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50'),
      takesBody: operation.requestBody?.required === true,
      isOfTeam: path.startsWith('/api/v1/team') && operation['x-team-role'] !== 'none',
    })),
  )
  .filter(({ id, method }) => method !== 'GET' && !otherBodies.includes(id))

/** A new team and owner: an operation may delete it. Without a team it is refused before its body is looked at. */
async function newTeam(): Promise<{ as: Person; team: Record<string, string> }> {
  const as = await kinora.person()
  const { data } = await kinora.call<{ id: string }>('POST', '/api/v1/team', { as, body: { name: 'North' } })
  return { as, team: { 'x-team': data.id } }
}

test('operations: those that change something → some take a body and some do not', () => {
  assert.ok(operations.filter(({ takesBody }) => takesBody).length > 10)
  assert.ok(operations.filter(({ takesBody }) => !takesBody).length > 10)
})

for (const { id, method, path, takesBody, isOfTeam } of operations) {
  const call = async (options: { body?: unknown; headers?: Record<string, string> }): Promise<Answer> => {
    const { as, team } = isOfTeam ? await newTeam() : { as: root, team: {} }
    return kinora.call(method, path, { ...options, as, headers: { ...team, ...options.headers } })
  }

  test(`400: ${id} with an unknown field → named`, async () => {
    const response = await call({ body: { surplus: 1 } })
    assert.deepEqual([response.status, response.error?.code], [400, 'INVALID_REQUEST'])
    assert.ok(pathsOf(response).includes('surplus'), response.text)
  })

  const outcome = takesBody ? '400' : 'counts as no body'
  test(`${id}: Content-Type: application/json and an empty body → ${outcome}`, async () => {
    const headers = { 'content-type': 'application/json' }
    const without = takesBody ? [await call({})] : []
    for (const response of [await call({ headers }), await call({ headers, body: '' }), ...without]) {
      if (takesBody) {
        assert.deepEqual([response.status, response.error?.code], [400, 'INVALID_REQUEST'])
        assert.match(response.error?.message ?? '', /needs a body/)
        assert.deepEqual(pathsOf(response), ['body'])
      } else {
        assert.ok(![400, 415].includes(response.status) && response.status < 500, response.text)
      }
    }
  })
}

test('400: a thousand unknown fields → a hundred are named', async () => {
  const body = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`surplus${n}`, n]))
  const response = await kinora.call('POST', '/api/v1/video/generate', { as: root, body })
  assert.deepEqual([response.status, pathsOf(response).length], [400, 100])
})

test('400: POST of each compatible API with Content-Type: application/json and an empty body → the error of its format', async () => {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'ai-video-model-id': 'delta-1-5',
  }
  const paths = ['/v1/videos', '/api/v1/videos', '/replicate/v1/predictions', '/ai-gateway/video-model', '/mcp']
  for (const path of [...paths, '/fal/kinora/delta-1-5']) {
    const { status, text } = await kinora.call('POST', path, { as: root, headers })
    assert.equal(status, 400, `${path}: ${text}`)
    assert.ok(Object.keys(JSON.parse(text)).length > 0)
  }
})

for (const [framing, headers, chunk] of [
  ['declared', (bytes: number) => `content-length: ${bytes}`, (bytes: Buffer) => bytes],
  [
    'chunked',
    () => 'transfer-encoding: chunked',
    (bytes: Buffer) => Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]),
  ],
] as const) {
  test(`413: ${framing} body over 1 MiB of a user → the rest is read, and the connection stays open`, async (t) => {
    const { hostname, port } = new URL(kinora.url)
    const socket = net.connect({ host: hostname, port: Number(port) })
    t.after(() => socket.destroy())
    let received = ''
    socket.on('error', () => undefined)
    socket.on('data', (bytes) => {
      received += bytes
    })
    const half = Buffer.alloc(2 * 1024 * 1024, 'x')
    const head = (line: string) =>
      `${line} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${root.token}\r\ncontent-type: application/json\r\n`
    socket.write(`${head('POST /api/v1/video/generate')}${headers(2 * half.length)}\r\n\r\n`)
    socket.write(chunk(half))
    await waitFor('413', () => received.includes('HTTP/1.1 413'))
    socket.write(chunk(half))
    if (framing === 'chunked') socket.write('0\r\n\r\n')
    socket.write(`${head('GET /api/v1/credit/balance')}\r\n`)
    await waitFor('200', () => received.includes('HTTP/1.1 200'))
    assert.doesNotMatch(received, /connection: close/i)
  })
}

test('413: body over 1 MiB without a credential → the connection is closed', async () => {
  const body = { email: 'a@example.com', password: 'x'.repeat(1024 * 1024) }
  const { status, headers } = await kinora.call('POST', '/api/auth/sign-in/email', { body })
  assert.deepEqual([status, headers.get('connection')], [413, 'close'])
})

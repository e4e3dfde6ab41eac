/**
 * The adapters against a server that writes raw bytes: the outcome of each response and each kind of failure. What
 * matters for credits is whether a submit may be retried.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { requestOf } from '../../src/film/parameters.ts'
import { adapter as adapterA } from '../../src/provider/adapter/provider-a.ts'
import { adapter as adapterB } from '../../src/provider/adapter/provider-b.ts'
import { mapRequest } from '../../src/provider/request-mapping.ts'
import { sampleParameters } from '../support/sample-parameters.ts'

type Request = { line: string; headers: string; body: string }
type Reply = (socket: Socket, request: Request) => void

let reply: Reply = () => {}
const requests: Request[] = []
const sockets = new Set<Socket>()
const server = createServer((socket) => {
  sockets.add(socket)
  socket.on('close', () => sockets.delete(socket))
  socket.on('error', () => {})
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    const end = text.indexOf('\r\n\r\n')
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
    if (end < 0 || text.length < end + 4 + length) return
    const [line = '', ...headers] = text.slice(0, end).split('\r\n')
    const request = { line, headers: headers.join('\n'), body: text.slice(end + 4, end + 4 + length) }
    text = ''
    requests.push(request)
    reply(socket, request)
  })
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
const settings = { id: 'provider', url, apiKey: 'key', webhookKey: null, timeoutS: 20 }
const a = adapterA.open(settings)
const b = adapterB.open(settings)
/** A timeout for endless responses only: a machine that stalls for half a second looks the same. */
const shortTimeout = { ...settings, timeoutS: 0.5 }
const [shortA, shortB] = [adapterA.open(shortTimeout), adapterB.open(shortTimeout)]
after(async () => {
  await Promise.all([a, b, shortA, shortB].map((provider) => provider.close()))
  for (const socket of sockets) socket.destroy()
  server.close()
})

const request = { prompt: 'Ein Boot aus Papier, größer', duration: 4, aspectRatio: '16:9', quality: '720p' }
const task = {
  model: 'alpha-2',
  input: await mapRequest(adapterA.input ?? {}, request),
  videoId: '0199aaaa-0000-7000-8000-000000000001',
  callbackUrl: 'https://kinora.example/callback?ref=x&sig=y',
}

const http = (status: number, body: string, headers = ''): Reply => {
  const bytes = Buffer.byteLength(body)
  return (socket) => socket.end(`HTTP/1.1 ${status} X\r\ncontent-length: ${bytes}\r\n${headers}\r\n${body}`)
}
const json = (status: number, body: unknown, headers = ''): Reply => http(status, JSON.stringify(body), headers)
const kindOf = (outcome: object) => ({ ...outcome, reason: undefined, failure: undefined })
const kinds = {
  accepted: { kind: 'accepted', handle: { taskId: 't-1' } },
  refused: { kind: 'refused' },
  unknown: { kind: 'unknown' },
  'not_accepted, retryable': { kind: 'not_accepted', retryable: true },
  'not_accepted, not retryable': { kind: 'not_accepted', retryable: false },
} as const
type Kind = keyof typeof kinds
const plain = (outcome: object) => JSON.parse(JSON.stringify(kindOf(outcome)))

const errorBody = { error: { code: 'x', message: 'Why not.', type: 'y' } }
const submitsA: [string, Reply, Kind][] = [
  ['200 with a task', json(200, { id: 't-1', status: 'pending' }), 'accepted'],
  ['201 with a taskId', json(201, { taskId: 't-1' }), 'accepted'],
  ['200 without a task', json(200, { status: 'pending' }), 'unknown'],
  ['200 with a list', json(200, [{ id: 't-1' }]), 'unknown'],
  ['200 with an error', json(200, { error: { code: 'x', message: 'Why not.' } }), 'refused'],
  ['200 with an error that is a text', json(200, { status: 'failed', error: 'Why not.' }), 'refused'],
  ['200 with a task and an error', json(200, { id: 't-1', error: { message: 'Why not.' } }), 'accepted'],
  ['200 with a task after a byte order mark', http(200, '\uFEFF{"id":"t-1"}'), 'accepted'],
  ['200 with HTML', http(200, '<html>welcome'), 'unknown'],
  ['200 with nothing', http(200, ''), 'unknown'],
  ['200 with a task id no database could keep', json(200, { id: 'x'.repeat(5000) }), 'unknown'],
  ['400', json(400, errorBody), 'refused'],
  ['409, of an Idempotency-Key whose request is still running there', json(409, errorBody), 'unknown'],
  ['413', http(413, 'too large'), 'refused'],
  ['422', json(422, errorBody), 'refused'],
  ['a redirect', http(308, '', 'location: https://elsewhere.example/\r\n'), 'not_accepted, not retryable'],
  ['303, which may follow on having done it', http(303, ''), 'unknown'],
  ['401', json(401, errorBody), 'not_accepted, not retryable'],
  ['402', json(402, errorBody), 'not_accepted, not retryable'],
  ['403', json(403, errorBody), 'not_accepted, not retryable'],
  ['404', json(404, errorBody), 'not_accepted, not retryable'],
  ['429', json(429, errorBody), 'not_accepted, retryable'],
  ['503, which it documents', http(503, '<html>'), 'not_accepted, retryable'],
  ['408, which a proxy sends for a slow request that may have arrived', http(408, ''), 'unknown'],
  ['500', json(500, errorBody), 'unknown'],
  ['502', http(502, 'bad gateway'), 'unknown'],
  ['504', http(504, ''), 'unknown'],
]
for (const [name, response, kind] of submitsA) {
  test(`provider-a submit: ${name} → ${kind}`, async () => {
    reply = response
    assert.deepEqual(plain(await a.submit(task)), kinds[kind])
  })
}

const envelope = (code: unknown, data: unknown = null) => json(200, { code, msg: 'Why not.', data })
const submitsB: [string, Reply, Kind][] = [
  ['code 200', envelope(200, { taskId: 't-1' }), 'accepted'],
  ['code "200" as text', envelope('200', { taskId: 't-1' }), 'accepted'],
  ['HTTP 201 with code 200', json(201, { code: 200, data: { taskId: 't-1' } }), 'accepted'],
  ['code 200 with a task_id', envelope(200, { task_id: 't-1' }), 'accepted'],
  ['code 200 without data', envelope(200), 'unknown'],
  ['code 200 with an error', envelope(200, { failMsg: 'Why not.' }), 'refused'],
  ['an error without a code', json(200, { error: { message: 'Why not.' } }), 'refused'],
  ['code 200 with a list', envelope(200, [{ taskId: 't-1' }]), 'unknown'],
  ['no code', json(200, { msg: 'success', data: {} }), 'unknown'],
  ['HTTP 200 with HTML', http(200, '<html>welcome'), 'unknown'],
  ['code 400', envelope(400), 'refused'],
  ['code 422', envelope(422), 'refused'],
  ['a redirect', http(301, '', 'location: https://elsewhere.example/\r\n'), 'not_accepted, not retryable'],
  ['code 401', envelope(401), 'not_accepted, not retryable'],
  ['code 402', envelope(402), 'not_accepted, not retryable'],
  ['code 404', envelope(404), 'not_accepted, not retryable'],
  ['code 505', envelope(505), 'not_accepted, not retryable'],
  ['code 429', envelope(429), 'not_accepted, retryable'],
  ['code 455', envelope(455), 'not_accepted, retryable'],
  ['HTTP 503, which it does not document', json(503, { code: 455 }), 'unknown'],
  ['code 408', envelope(408), 'unknown'],
  ['HTTP 408', http(408, ''), 'unknown'],
  ['code 500', envelope(500), 'unknown'],
  ['code 501', envelope(501), 'unknown'],
  ['HTTP 500', http(500, 'oops'), 'unknown'],
]
for (const [name, response, kind] of submitsB) {
  test(`provider-b submit: ${name} → ${kind}`, async () => {
    reply = response
    assert.deepEqual(plain(await b.submit(task)), kinds[kind])
  })
}

test("submit: refused → the provider's message, at most 500 characters, or a default sentence", async () => {
  const messageOf = async (provider: typeof a) => {
    const outcome = await provider.submit(task)
    return outcome.kind === 'refused' ? outcome.failure.message : assert.fail(outcome.kind)
  }
  reply = json(400, { error: { message: `No\0pe, ${'🎬'.repeat(600)}` } })
  const long = await messageOf(a)
  assert.ok(long.isWellFormed() && long.startsWith('Nope, 🎬') && long.endsWith('…') && long.length <= 500, long)
  reply = http(400, '<html>')
  assert.match(await messageOf(a), /^The provider refused .*\.$/)
  reply = json(200, { code: 422, msg: null })
  assert.match(await messageOf(b), /^The provider refused .*\.$/)
  reply = json(200, { code: 422, message: 'Why not.', data: null })
  assert.equal(await messageOf(b), 'Why not.')
})

for (const body of [
  { error: 'Why not.' },
  { error: { message: 'Why not.' } },
  { error: { code: 'Why not.' } },
  { error: { error: { message: 'Why not.' } } },
  { error: 'Bad Request', message: 'Why not.' },
  { message: ['Why not.', 'Why not.'] },
  { msg: 'Why not.' },
  { detail: 'Why not.' },
  { detail: [{ loc: ['body'], msg: 'Why not.', type: 'value_error' }] },
  { errors: [{ message: 'Why not.' }] },
]) {
  test(`submit: refused with ${JSON.stringify(body)} → the provider's text`, async () => {
    const refused = { kind: 'refused', failure: { code: 'PARAMETERS_REFUSED', message: 'Why not.' } }
    reply = json(400, body)
    assert.deepEqual(await a.submit(task), refused)
    assert.deepEqual(await b.submit(task), refused)
    reply = json(200, { code: 422, ...body })
    assert.deepEqual(await b.submit(task), refused)
  })
}

test('submit and poll: a task id beyond 2^53 as a number → its digits', async () => {
  reply = http(200, '{"id":4326796003218200779,"code":200,"data":{"taskId":4326796003218200779},"status":"pending"}')
  const accepted = { kind: 'accepted', handle: { taskId: '4326796003218200779' } }
  assert.deepEqual(await a.submit(task), accepted)
  assert.deepEqual(await b.submit(task), accepted)
})

test('submit: reset, no response, partial or endless response → unknown', async () => {
  const failures: Record<string, Reply> = {
    reset: (socket) => socket.resetAndDestroy(),
    'closed without a response': (socket) => socket.end(),
    silence: () => {},
    'half a response': (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n{"id":"t-1"'),
    'not HTTP': (socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'),
    'one byte at a time, for ever': (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 900000\r\n\r\n')
      const timer = setInterval(() => socket.write(' '), 20)
      socket.on('close', () => clearInterval(timer))
    },
    'a response over 1 MiB': http(200, JSON.stringify({ id: 't-1', more: 'x'.repeat(1_200_000) })),
  }
  for (const [name, failure] of Object.entries(failures)) {
    reply = failure
    const isEndless = /silence|for ever/.test(name)
    const outcome = await (isEndless ? shortA : a).submit(task)
    assert.equal(outcome.kind, 'unknown', name)
    assert.match(outcome.kind === 'unknown' ? outcome.reason : '', /\D{4}/, `${name}: the reason is a sentence`)
    assert.equal((await (isEndless ? shortB : b).submit(task)).kind, 'unknown', name)
  }
})

test('submit: connection refused, unknown host, aborted before sending → not_accepted, retryable', async () => {
  const closed = createServer().listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const port = (closed.address() as AddressInfo).port
  closed.close()
  await once(closed, 'close')
  for (const unreachableUrl of [
    `http://127.0.0.1:${port}`,
    `http://localhost:${port}`,
    'http://nowhere.invalid',
    'http://[::1]:1',
  ]) {
    const provider = adapterA.open({ ...shortTimeout, url: unreachableUrl })
    assert.deepEqual(plain(await provider.submit(task)), kinds['not_accepted, retryable'], unreachableUrl)
    await provider.close()
  }
  // A server without TLS: the handshake fails before the request is sent.
  reply = http(200, '')
  const secure = adapterA.open({ ...shortTimeout, url: url.replace('http:', 'https:') })
  assert.deepEqual(plain(await secure.submit(task)), kinds['not_accepted, retryable'])
  await secure.close()

  const before = requests.length
  assert.deepEqual(plain(await a.submit(task, { signal: AbortSignal.abort() })), kinds['not_accepted, retryable'])
  assert.equal(requests.length, before)
})

test('submit: too late just before the first byte → not_accepted, and no byte is sent', async () => {
  let bytes = 0
  const silent = createServer((socket) => socket.on('data', (chunk) => (bytes += chunk.length))).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const provider = adapterA.open({ ...settings, url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` })
  assert.deepEqual(plain(await provider.submit(task, { maySend: () => false })), kinds['not_accepted, retryable'])
  await provider.close()
  silent.close()
  await once(silent, 'close')
  assert.equal(bytes, 0)
})

test('submit: after a poll on a keep-alive connection → new connection', async () => {
  // The server closes each connection after one request.
  const used = new WeakSet<Socket>()
  reply = (socket) => {
    if (used.has(socket)) return socket.destroy()
    used.add(socket)
    const body = '{"id":"t-1","status":"pending"}'
    socket.write(`HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
  }
  assert.equal((await a.poll?.({ taskId: 't-1' }))?.kind, 'running')
  assert.equal((await a.submit(task)).kind, 'accepted')
  assert.equal((await a.submit(task)).kind, 'accepted')
})

test('Retry-After: seconds or date → retryAfterS; malformed → ignored', async () => {
  const retryAfter = async (value: string) => {
    reply = json(429, errorBody, `retry-after: ${value}\r\n`)
    const outcome = await a.submit(task)
    return outcome.kind === 'not_accepted' ? outcome.retryAfterS : assert.fail(outcome.kind)
  }
  assert.equal(await retryAfter('17'), 17)
  const dated = await retryAfter(new Date(Date.now() + 40_000).toUTCString())
  assert.ok(dated && dated > 30 && dated <= 40, String(dated))
  for (const nonsense of ['-5', 'soon', '0', 'Wed, 21 Oct 2015 07:28:00 GMT', '1e999']) {
    assert.equal(await retryAfter(nonsense), undefined, nonsense)
  }
})

test('submit: request body → the documented wire format, start image included', async () => {
  reply = json(200, { id: 't-1', code: 200, data: { taskId: 't-1' } })
  const sent = () => requests.at(-1) ?? assert.fail()
  const startImageUrl = 'https://pictures.example/a.png'
  const common = { prompt: request.prompt, aspect_ratio: '16:9', duration: 4, quality: '720p' }
  const input = await mapRequest(adapterA.input ?? {}, { ...request, start: startImageUrl })
  await a.submit({ ...task, input })
  assert.match(sent().line, /^POST \/v1\/videos\/generations /)
  assert.match(sent().headers, /authorization: Bearer key/i)
  assert.match(sent().headers, new RegExp(`idempotency-key: ${task.videoId}`, 'i'))
  const bodyOf = () => JSON.parse(Buffer.from(sent().body, 'latin1').toString('utf8'))
  const image = { image_urls: [startImageUrl] }
  assert.deepEqual(bodyOf(), { model: 'alpha-2', ...common, ...image, callback_url: task.callbackUrl })
  await a.submit(task)
  assert.ok(!('image_urls' in bodyOf()))
  await b.submit({ ...task, input })
  assert.match(sent().line, /^POST \/api\/v1\/jobs\/createTask /)
  assert.deepEqual(bodyOf(), { model: 'alpha-2', callBackUrl: task.callbackUrl, input: { ...common, ...image } })
})

test('submit: a task with every parameter → the body has each value, but for those that a route of the catalogue maps', async () => {
  reply = json(200, { id: 't-1', code: 200, data: { taskId: 't-1' } })
  for (const [provider, adapter] of [
    [a, adapterA],
    [b, adapterB],
  ] as const) {
    const start = sampleParameters.madeOf?.[0]?.source
    const input = await mapRequest(adapter.input ?? {}, { ...requestOf(sampleParameters), start })
    await provider.submit({ ...task, model: sampleParameters.model, input })
    const sent = requests.at(-1)?.body ?? ''
    const ofRoutes = ['mode', 'negativePrompt', 'audio', 'options']
    const own = Object.entries(sampleParameters).filter(([name]) => !ofRoutes.includes(name))
    for (const [name, value] of own) assert.ok(sent.includes(name === 'madeOf' ? String(start) : String(value)), name)
  }
})

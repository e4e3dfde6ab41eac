/** Errors: every one has the envelope, without information about the implementation (stack traces, SQL, secrets). */
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { runForUsers } from '../support/citus/database.ts'
import { withUnreachableDatabase } from '../support/database-outage.ts'
import { generateBody, openKinora } from '../support/harness.ts'

const kinora = await openKinora()
const ann = await kinora.person()

/** No response contains stack traces, SQL, PostgreSQL messages, file paths or settings. */
function assertNoInternals(text: string): void {
  const { databaseUrl, dataDir, authSecret, callbackSecret } = kinora.app.config
  for (const secret of [databaseUrl, dataDir, authSecret, callbackSecret, import.meta.dirname]) {
    assert.ok(!text.includes(secret))
  }
  assert.doesNotMatch(
    text,
    /\bat .+:\d+:\d+|node_modules|\.ts\b|kinora\.\w+\(|select |relation|postgres|function|ECONN/i,
  )
}

test('404: unknown path → names a page that exists', async () => {
  const paths = ['/api/v1', '/api/v1/', '/api/v1/nothing', '/api/v1/video', '/api/v2/video/list', '/api/v1/video/a/b']
  for (const path of [...paths, '/api/v1/../v1/x', '/api/v1/%2e%2e/x', "/api/v1/'--", '/nothing', '/files']) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status, error, text } = await kinora.call(method, path)
      assert.equal(status, 404, `${method} ${path}`)
      assert.equal(error?.code, 'NOT_FOUND')
      assertNoInternals(text)
      // The path named in the message exists for programs too.
      const [, next = ''] = /GET (\/\S*) says/.exec(error?.message ?? '') ?? []
      assert.equal((await fetch(`${kinora.url}${next}`)).status, 200, next)
    }
  }
})

const guesses: [path: string, message: RegExp][] = [
  ['GET /api/v1/predictions', /\/replicate\/v1;/],
  ['POST /api/v1/models/kinora/alpha-2/predictions', /\/replicate\/v1;/],
  ['GET /replicate/predictions', /\/replicate\/v1;/],
  ['GET /api/v1/models', /GET \/api\/v1\/config\/models.*\/openrouter\/api\/v1;/],
  ['GET /api/v1/credits', /GET \/api\/v1\/credit\/balance.*\/openrouter\/api\/v1;/],
  ['GET /v1/credits', /\/openrouter\/api\/v1;/],
  ['GET /api/v1/videos', /GET \/api\/v1\/video\/list; .*\/openrouter\/api\/v1;/],
  ['POST /openrouter/v1/videos', /\/openrouter\/api\/v1;/],
  ['POST /api/v1/chat/completions', /POST \/api\/v1\/video\/generate;/],
  ['POST /openai/videos', /\/openai\/v1;/],
  ['POST /videos', /\/openai\/v1;/],
  ['POST /v1/images/generations', /POST \/api\/v1\/video\/generate;/],
  ['GET /queue/kinora/alpha-2', /\/fal;/],
  ['POST /v4/ai/video-model', /\/ai-gateway;/],
  ['GET /api/v1/credits/balance', /GET \/api\/v1\/credit\/balance/],
  ['GET /api/v1/webhooks/endpoints', /\/api\/v1\/webhook\/endpoints may be meant;/],
  ['POST /api/v1/video/generations', /answers GET and DELETE, not POST; .*generate/],
]
for (const [request, message] of guesses) {
  test(`404 or 405: ${request} → where to look`, async () => {
    const [method = '', path = ''] = request.split(' ')
    const { status, text } = await kinora.call(method, path)
    assert.ok(status === 404 || status === 405, text)
    assert.match(text, message)
  })
}

test('400: path that URL parsing or a proxy would normalize to another → refused with any prefix', async () => {
  const { hostname, port } = new URL(kinora.url)
  const statusOf = (method: string, path: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { 'x-api-key': 'none', 'content-type': 'application/json', 'content-length': 2 }
      httpRequest({ hostname, port, method, path, headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      })
        .on('error', reject)
        .end('{}')
    })
  const prefixes = [
    '/api/auth/sign-in/email',
    '/api/v1/credit/balance',
    '/files/video/u/v.mp4',
    '/mcp',
    '/fal/alpha-2',
    '/metrics',
  ]
  for (const prefix of [
    ...prefixes,
    '/openai/v1/videos',
    '/replicate/v1/models',
    '/assets/x.js',
    '/share/x',
    '/healthz',
    '/docs',
    '/nothing',
  ]) {
    const escaped = prefix.replace(/[a-z](?=[^a-z]*$|$)/, (letter) => `%${letter.charCodeAt(0).toString(16)}`)
    const segments = [`/.${prefix}`, `/x/..${prefix}`, `/x/%2e%2E${prefix}`, `${prefix}/.`, `${prefix}/..?x=1`]
    const separators = [`/${prefix}`, `${prefix}//x`, prefix.replaceAll('/', '\\'), `${prefix}%2Fx`, `${prefix}%5cx`]
    const others = [`${prefix}%00`, `${prefix}%0a`, `${prefix}#x`, `http://127.0.0.1${prefix}`]
    for (const path of [escaped, ...segments, ...separators, ...others])
      for (const method of ['GET', 'POST']) assert.equal(await statusOf(method, path), 400, `${method} ${path}`)
  }
  for (const path of [
    '/api/auth/Sign-in/email',
    '/api/auth/sign-in/email/',
    '/api/auth/sign-in/email;x',
    '/api/auth/sign-in/email.',
  ])
    assert.equal(await statusOf('POST', path), 404, path)
  // What a query contains is no path.
  assert.equal(await statusOf('GET', '/healthz?x=//../%2F\\%41'), 200)
})

const uuid = '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50'
const wrongMethods: [method: string, path: string, allow: string[]][] = [
  ['PUT', '/api/v1/video/generate', ['POST']],
  ['PUT', '/api/v1/video/list', ['GET']],
  ['POST', `/api/v1/video/${uuid}`, ['GET', 'DELETE']],
  ['PATCH', `/api/v1/video/${uuid}?x=1`, ['GET', 'DELETE']],
  ['POST', `/api/v1/video/task?uuid=${uuid}`, ['GET']],
  // The route of /api/v1/video/{uuid} has these methods.
  ['GET', '/api/v1/video/generate', ['POST']],
  ['HEAD', '/api/v1/video/image', ['POST']],
  ['DELETE', '/api/v1/video/quote', ['POST']],
  ['DELETE', '/api/v1/video/list', ['GET']],
  ['DELETE', `/api/v1/video/task?uuid=${uuid}`, ['GET']],
  ['DELETE', '/api/v1/video/events', ['GET']],
  ['POST', '/api/v1/config/models', ['GET']],
  ['DELETE', '/api/v1/credit/history', ['GET']],
  ['POST', '/api/v1/credit/balance', ['GET']],
  ['GET', '/api/v1/admin/credits/add', ['POST']],
  ['PUT', '/api/v1/video/callback/provider-a', ['POST']],
  ['OPTIONS', '/api/v1/config/models', ['GET']],
]
for (const [method, path, allow] of wrongMethods) {
  test(`405: ${method} ${path} → Allow names the methods`, async () => {
    for (const options of [{}, { as: ann }]) {
      const { status, error, headers } = await kinora.call(method, path, options)
      assert.equal(status, 405)
      if (method !== 'HEAD') assert.equal(error?.code, 'METHOD_NOT_ALLOWED')
      assert.deepEqual((headers.get('allow') ?? '').split(', '), allow)
    }
  })
}

test('400: malformed or too long path → INVALID_REQUEST', async () => {
  for (const path of ['/api/v1/video/%', '/api/v1/video/%zz', '/api/v1/%c0%af', `/api/v1/video/${'x'.repeat(501)}`]) {
    const { status, error, text } = await kinora.call('GET', path)
    assert.equal(status, 400, path)
    assert.equal(error?.code, 'INVALID_REQUEST')
    assertNoInternals(text)
  }
})

test('400: an error names half an emoji of the request → the response has U+FFFD, and no lone surrogate', async () => {
  const requests: [path: string, body: object][] = [
    // A model is cut after 60 UTF-16 code units, here between the two of an emoji.
    ['/api/v1/video/generate', { ...generateBody, model: `a${'😀'.repeat(30)}` }],
    ['/api/v1/video/generate', { ...generateBody, 'half a \ud83d': 1 }],
    ['/v1/videos', { prompt: 'A boat', model: 'half a \ud83d' }],
  ]
  for (const [path, body] of requests) {
    const { status, text } = await kinora.call('POST', path, { as: ann, body })
    assert.equal(status, 400, path)
    assert.match(text, /\ufffd/)
    assert.doesNotMatch(text, /\\ud83d/)
  }
})

test('X-Request-Id: caller’s id that is safe to log → returned; otherwise a new one', async () => {
  const idFor = async (given?: string) => {
    const headers: Record<string, string> = given === undefined ? {} : { 'x-request-id': given }
    const { headers: answered, error } = await kinora.call('GET', '/api/v1/credit/balance', { headers })
    assert.equal(error?.requestId, answered.get('x-request-id'))
    return answered.get('x-request-id') ?? ''
  }
  for (const good of ['order-4711', 'a'.repeat(64), uuid]) assert.equal(await idFor(good), good)
  for (const bad of ['short', 'a'.repeat(65), 'with space 1', '<script>alert(1)', 'a{"b":1}xxxx', '', 'ünïcödé-id']) {
    assert.match(await idFor(bad), /^[0-9a-f]{8}-[0-9a-f]{4}-7/, bad)
  }
  assert.notEqual(await idFor(), await idFor())
  for (const path of ['/api/v1/config/models', '/healthz', '/', '/nothing', '/api/auth/get-session', '/openapi.json']) {
    assert.match((await kinora.call('GET', path)).headers.get('x-request-id') ?? '', /^[\w-]{8,64}$/, path)
  }
})

test('431: headers too long → refused', async () => {
  const { port } = new URL(kinora.url)
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest({ port, host: '127.0.0.1', method: 'GET', path: '/api/v1/config/models' })
    request.setHeader('x-long', 'x'.repeat(70_000))
    request.on('response', (response) => resolve(response.resume().statusCode))
    request.on('error', reject)
    request.end()
  })
  assert.equal(status, 431)
})

test('503: database unavailable → Retry-After, without its address; routes without a database respond', async () => {
  await withUnreachableDatabase(kinora, async (url, { port, username, password }) => {
    for (const [method, path] of [
      ['GET', '/api/v1/video/list'],
      ['POST', '/api/v1/video/generate'],
      ['GET', '/api/v1/credit/balance'],
      ['POST', '/api/v1/admin/credits/add'],
      ['GET', '/api/auth/get-session'],
      ['POST', '/api/auth/sign-in/email'],
    ] as const) {
      const body = path.includes('sign-in') ? '{"email":"ann@example.com","password":"password"}' : null
      const headers = { authorization: 'Bearer token', ...(body ? { 'content-type': 'application/json' } : {}) }
      const response = await fetch(url + path, { method, headers, body })
      const text = await response.text()
      assert.equal(response.status, 503, path)
      assert.equal(JSON.parse(text).error.code, 'UNAVAILABLE')
      assert.match(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
      assertNoInternals(text)
      for (const part of [port, username, password || port]) assert.ok(!text.includes(part), part)
    }
    assert.equal((await fetch(`${url}/api/v1/config/models`)).status, 200, 'a route without a database responds')
  })
})

// The last test with a database, because it drops functions of it.
test('500: unexpected error → only a generic message and the request id', async () => {
  await runForUsers(
    kinora.app.sql,
    'drop function kinora.video_generate_all; drop function kinora.credit_balance, kinora.credit_balance_all',
  )
  // The history writes expired credits off only when there are any.
  await kinora.app
    .sql`update kinora.credit_account set next_expiry_at = ${kinora.app.now()} where user_id = ${ann.userId}`
  const responses = [
    await kinora.call('POST', '/api/v1/video/generate', { as: ann, body: generateBody }),
    await kinora.call('GET', '/api/v1/credit/balance', { as: ann }),
    await kinora.call('GET', '/api/v1/credit/history', { as: ann }),
    await kinora.call('GET', '/api/auth/get-session', { as: ann }),
  ]
  for (const { status, error, text } of responses) {
    assert.equal(status, 500)
    const { requestId, ...rest } = error ?? {}
    assert.deepEqual(rest, { code: 'INTERNAL', message: 'Something went wrong on our side.' })
    assert.ok(requestId)
    assertNoInternals(text)
  }
})

test('400: bytes that are not HTTP → error envelope with a request id', async () => {
  const { hostname, port } = new URL(kinora.url)
  const socket = connect(Number(port), hostname)
  socket.write('nonsense\r\n\r\n')
  let response = ''
  for await (const chunk of socket) response += chunk
  assert.match(response, /^HTTP\/1\.1 400 /)
  assert.match(response, /x-request-id: [0-9a-f-]{36}/)
  assert.equal(JSON.parse(response.split('\r\n\r\n')[1] ?? '').error.code, 'INVALID_REQUEST')
})

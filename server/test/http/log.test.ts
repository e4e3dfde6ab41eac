/** Secrets in logs: the service runs at log level trace through successes and failures, and logs no secret. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import postgres from 'postgres'
import { openDb } from '../../src/db/db.ts'
import { runForUsers } from '../support/citus/database.ts'
import { createDatabase } from '../support/database.ts'
import { freePort } from '../support/free-port.ts'
import { generateBody } from '../support/harness.ts'
import { startSimulator } from '../support/simulator.ts'

const main = path.resolve(import.meta.dirname, '../../main.mjs')
const database = await createDatabase()
const simulator = await startSimulator()
const dataDir = await mkdtemp(path.join(tmpdir(), 'kinora-log-'))
const port = await freePort()
const url = `http://127.0.0.1:${port}`

/** A file server that responds 403, as to an expired presigned URL. */
const { promise: requested, resolve: markRequested } = Promise.withResolvers<void>()
const store = createServer((_request, response) => {
  response.writeHead(403).end()
  markRequested()
}).listen(0, '127.0.0.1')
await once(store, 'listening')
const address = store.address()
const storePort = address !== null && typeof address === 'object' ? address.port : 0

after(async () => {
  store.close()
  await simulator.stop()
  await database.drop()
  await rm(dataDir, { recursive: true })
})

const secrets = {
  AUTH_SECRET: 'f1Zq8vXo2LrT6yWc9NdB4hGs7MkP0aUe',
  AI_CALLBACK_SECRET: 't3Ky7RmZ0pLx5WvQ9cHn2DgJ8sBf6TuA',
  ADMIN_PASSWORD: 'tafo-muki-rezu-lapo',
  PROVIDER_B_WEBHOOK_KEY: 'webhook-key-webhook-key-webhook-key',
}

/** Runs the service as an operator does, and returns everything it wrote. */
async function logOf(work: () => Promise<void>): Promise<string> {
  const child = spawn(process.execPath, [main, 'all'], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_ENV: 'production',
      ...secrets,
      DATABASE_URL: database.url,
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: url,
      ADMIN_EMAIL: 'root@example.com',
      PROVIDER_A_URL: `${simulator.url}/provider-a`,
      PROVIDER_A_API_KEY: 'key-a',
      PROVIDER_B_URL: `${simulator.url}/provider-b`,
      PROVIDER_B_API_KEY: 'key-b',
      FETCH_ALLOW: `${simulator.hostAndPort},127.0.0.1:${storePort}`,
      LOG_LEVEL: 'trace',
    },
  })
  let written = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (written += chunk))
  const ended = once(child, 'exit')
  try {
    const [message] = await Promise.race([once(child, 'message'), ended.then(() => [{ kind: 'ended' }])])
    assert.equal(message.kind, 'ready', written)
    await work()
  } finally {
    child.kill('SIGTERM')
    await ended
  }
  return written
}

type Answer = { status: number; headers: Headers; json: Record<string, unknown> | null }

async function call(method: string, target: string, headers: Record<string, string>, body?: unknown): Promise<Answer> {
  const response = await fetch(url + target, {
    method,
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') && text
  return { status: response.status, headers: response.headers, json: isJson ? JSON.parse(text) : null }
}

const dataOf = (response: Answer) => response.json?.data as Record<string, unknown>

/** Polls a video until the condition holds. */
async function until(headers: Record<string, string>, uuid: string, isDone: (status: string) => boolean) {
  for (;;) {
    const data = dataOf(await call('GET', `/api/v1/video/${uuid}`, headers))
    if (isDone(String(data.status))) return data
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** The signed query of the callback URL that provider-b received with a task. */
function signedQuery(ref: string): string {
  const sig = createHmac('sha256', secrets.AI_CALLBACK_SECRET).update(`provider-b\n${ref}`).digest('hex')
  return new URLSearchParams({ ref, sig }).toString()
}

/** The signature headers that provider-b adds to a callback. */
function ownSignature(taskId: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const hash = createHmac('sha256', secrets.PROVIDER_B_WEBHOOK_KEY).update(`${taskId}.${timestamp}`).digest('base64')
  return { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': hash }
}

/** Uses every kind of secret, in requests that succeed and that fail. Returns all of them. */
async function useSecrets(email: string): Promise<string[]> {
  const password = 'password-of-a-user-1'
  const signUp = await call('POST', '/api/auth/sign-up/email', {}, { name: 'Ann', email, password })
  await call('POST', '/api/auth/sign-in/email', {}, { email, password: 'password-that-is-wrong-1' })
  const signIn = await call('POST', '/api/auth/sign-in/email', {}, { email, password })
  const token = String(signIn.json?.token)
  const cookie = signIn.headers.getSetCookie().map((each) => each.split(';')[0] ?? '')
  const bearer = { authorization: `Bearer ${token}` }
  const made = await call('POST', '/api/auth/api-key/create', bearer, { name: 'log' })
  const apiKey = String(made.json?.key)

  const key = { 'x-api-key': apiKey }
  const film = dataOf(await call('POST', '/api/v1/video/generate', key, { ...generateBody, model: 'alpha-2' }))
  const finished = await until({ cookie: cookie.join('; ') }, String(film.uuid), (status) => status === 'COMPLETED')
  const videoUrl = String(finished.videoUrl)
  await fetch(videoUrl).then((response) => response.body?.cancel())
  await fetch(`${videoUrl}x`).then((response) => response.body?.cancel())

  const late = dataOf(await call('POST', '/api/v1/video/generate', bearer, { ...generateBody, prompt: '[silent]' }))
  await until(bearer, String(late.uuid), (status) => status === 'GENERATING')
  const sql = postgres(database.url, { max: 1 })
  const [row] = await sql`select user_id, provider_task_id from kinora.video where id = ${String(late.uuid)}`
  const result = `http://127.0.0.1:${storePort}/film.mp4?X-Signature=signature-of-the-store`
  const report = { code: 200, data: { taskId: row?.provider_task_id, info: { resultUrls: [result] } } }
  const own = ownSignature(String(row?.provider_task_id))
  const byHeader = (secret: string) => ({ ...own, 'x-callback-secret': secret })
  const callback = '/api/v1/video/callback/provider-b'
  await call('POST', callback, byHeader('callback-secret-that-is-wrong'), report)
  await call('POST', `${callback}?ref=${row?.user_id}.${late.uuid}&sig=signature-that-is-wrong`, {}, '{"broken":')
  assert.equal((await call('POST', callback, byHeader(secrets.AI_CALLBACK_SECRET), report)).status, 200)
  await requested

  for (const headers of [{ authorization: 'Bearer token-that-is-wrong' }, { 'x-api-key': 'kin_key-that-is-wrong' }]) {
    await call('GET', '/api/v1/credit/balance', headers)
  }
  // Unexpected errors, which are logged in full.
  const functions = openDb(database.url, { connections: 1, name: 'kinora log test' })
  await runForUsers(functions, 'alter function kinora.credit_balance_all rename to credit_balance_away')
  await runForUsers(functions, 'alter function kinora.video_step_report_result rename to video_report_result_away')
  assert.equal((await call('GET', '/api/v1/credit/balance', { ...bearer, ...key })).status, 500)
  assert.equal((await call('GET', '/api/auth/get-session', { cookie: cookie.join('; ') })).status, 500)
  assert.equal(
    (await call('POST', `${callback}?${signedQuery(`${row?.user_id}.${late.uuid}`)}`, own, report)).status,
    500,
  )
  await runForUsers(functions, 'alter function kinora.credit_balance_away rename to credit_balance_all')
  await runForUsers(functions, 'alter function kinora.video_report_result_away rename to video_step_report_result')
  await functions.end()
  await sql.end()
  await call('POST', '/api/auth/sign-out', { ...bearer, origin: url }, {})

  return [
    ...[password, 'password-that-is-wrong', token, String(signUp.json?.token), apiKey, apiKey.slice(4, 20)],
    ...cookie.map((each) => each.slice(each.indexOf('=') + 1)),
    ...[new URL(videoUrl).searchParams.get('sig') ?? '?', 'sig=', 'ref=', 'signature-of-the-store'],
    ...['callback-secret-that-is-wrong', 'signature-that-is-wrong', 'token-that-is-wrong', 'key-that-is-wrong'],
    own['x-webhook-signature'] ?? '?',
    ...Object.values(secrets),
  ]
}

test('log: level trace, successes and failures → no secret, every line is JSON', async () => {
  let known: string[] = []
  const written = await logOf(async () => {
    known = await useSecrets('ann@example.com')
  })
  assert.match(written, /credit_balance/, 'the unexpected error is logged')
  for (const secret of known) {
    assert.ok(secret.length > 3)
    assert.ok(!written.includes(secret), `"${secret}" is in the log:\n${written}`)
  }
  for (const line of written.trim().split('\n')) JSON.parse(line)
})

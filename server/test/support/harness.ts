/**
 * The test harness: the real application on a database of its own, over real HTTP, with a clock that tests move. After
 * every test it recomputes the ledger (verify); a difference fails the test.
 */
import assert from 'node:assert/strict'
import { randomBytes, scryptSync, timingSafeEqual } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, afterEach, beforeEach } from 'node:test'
import { verifyPassword } from 'better-auth/crypto'
import { pino } from 'pino'
import type { Auth } from '../../src/account/auth.ts'
import { type App, openApp } from '../../src/app.ts'
import { readSwitches } from '../../src/catalogue/switches.ts'
import { registerFormats, webhookFormats } from '../../src/compatible/compatible.ts'
import { type Config, readConfig } from '../../src/config/config.ts'
import type { Balance } from '../../src/credit/ledger.ts'
import { adjust } from '../../src/credit/ledger.ts'
import { verify } from '../../src/credit/verify.ts'
import { ensureRoleLimits } from '../../src/db/role-limits.ts'
import { closeHttp, openHttp } from '../../src/http/server.ts'
import { openSignIn } from '../../src/http/sign-in/auth.ts'
import { newId } from '../../src/id.ts'
import { openSafeFetch } from '../../src/net/safe-fetch.ts'
import { openSafePost } from '../../src/net/safe-post.ts'
import { accounts } from '../../src/provider/accounts.ts'
import { startWorker, type Worker } from '../../src/worker/worker.ts'
import { idsOfOnePart, openTestDatabase } from './citus/database.ts'
import { createDatabase } from './database.ts'
import { freePort } from './free-port.ts'
import { type Pgbouncer, poolerOfRun } from './pgbouncer.ts'
import { type Simulator, sharedSimulator, startSimulator } from './simulator.ts'
import { openWakes, workOn, workUntil } from './work-until.ts'

/** A signed-in user: `token` is sent as a bearer token by `call(…, { as })`. */
export type Person = { userId: string; token: string; email: string }

export type Answer<T = Record<string, unknown>> = {
  status: number
  headers: Headers
  text: string
  /** `data` of the envelope. */
  data: T
  error: { code: string; message: string; details?: unknown; requestId: string } | undefined
}

export type Kinora = {
  app: App
  auth: Auth
  url: string
  databaseUrl: string
  simulator: Simulator | null
  /** Sends a request. A body but text and bytes is JSON. Responses of /api/v1 are checked for the envelope. */
  call: <T = Record<string, unknown>>(method: string, path: string, options?: CallOptions) => Promise<Answer<T>>
  /** A user with a session and, by default, 60 credits; inserted by SQL, without the slow hash of a password. */
  person: (options?: PersonOptions) => Promise<Person>
  generate: (
    as: Person,
    change?: Record<string, unknown>,
    headers?: Record<string, string>,
  ) => Promise<Answer<{ uuid: string }>>
  /** Grants credits as an administrator does. */
  grant: (to: Person, credits: number, expiryDays?: number) => Promise<void>
  balance: (as: Person) => Promise<Balance>
  /** Runs a second service with other settings on the same database, for as long as `work` takes. */
  withSettings: (change: Partial<Config>, work: (url: string) => Promise<void>) => Promise<void>
  /** Moves the clock of this process forward, or back by a negative number, until the test ends. */
  turnClock: (ms: number) => void
  /** Freezes the clock until the test ends: only `turnClock` moves it, so times compare on a slow machine. */
  holdClock: () => void
  /** Runs due steps until the condition holds; fails when none was due for `patienceMs` and no task is open. */
  workUntil: (condition: () => Promise<boolean>, patienceMs?: number) => Promise<void>
  /** Runs the video's steps, and no other's, until it is final; returns it. */
  finish: (as: Person, uuid: string) => Promise<Task>
}

type Task = { status: string; error: string | null; progress: number }

type PersonOptions = {
  credits?: number
  role?: 'user' | 'admin'
  /** The new user is in the part of the database that has this one. */
  beside?: Person
}

type CallOptions = { as?: Person; body?: unknown; headers?: Record<string, string> }

type Options = {
  /** Settings as environment variables; they override those of the harness. */
  env?: Record<string, string>
  /** Opens the simulator without waiting times, or its own; without any, no server listens at the providers'. */
  simulator?: boolean | { pace: number }
  /** The host of PUBLIC_URL: passkeys need a name, and no IP address. */
  publicHost?: string
  /** Runs the worker's loop, as in production; otherwise workUntil and finish run the steps. */
  worker?: boolean
  /** Reaches the database through this pooler; default: that of `npm run test:pooler`, if it runs. */
  pooler?: Pick<Pgbouncer, 'through'> | null
}

export const generateBody = {
  prompt: 'A paper boat in a rain gutter',
  model: 'delta-1-5',
  duration: 4,
  aspectRatio: '16:9',
}

/** The balance of a user without credits; a test spreads it and names the quantities that differ. */
export const noCredits: Balance = {
  available: 0,
  frozen: 0,
  used: 0,
  total: 0,
  expiringSoon: 0,
  expired: 0,
  clawedBack: 0,
  owed: 0,
}

/** Opens Kinora for a test file and closes it after the file's last test. */
export async function openKinora(options: Options = {}): Promise<Kinora> {
  const database = await createDatabase()
  const pooler = options.pooler === undefined ? poolerOfRun() : options.pooler
  const pooled = pooler?.through(database.url)
  if (pooled) await ensureRoleLimits(pooled)
  const dataDir = await mkdtemp(path.join(tmpdir(), 'kinora-test-'))
  const simulator = await openSimulator(options.simulator ?? false)
  // Reserved first, because sign-in accepts browsers from the public URL only.
  const port = await freePort()
  const config = testConfig(options, { databaseUrl: database.url, pooled, dataDir, simulator, port })
  const app = await openApp(config, pino({ level: config.logLevel }))
  // As the service does at its start: a file before this one may have left a switch off in its process.
  await readSwitches(app)
  app.userFetch = openSafeFetch({ allow: [], lookup })
  app.webhookPost = openSafePost({ allow: config.webhookAllow, lookup })
  const clock = testClock(app)
  const auth = openSignIn(app, { password: fastPassword })
  const http = await openHttp(app, auth, { registerFormats })
  const url = await http.listen({ port, host: '127.0.0.1' })
  // A session of its own: the plan of verify() takes 40 ms of CPU time in each session, and a pool uses its sessions in
  // turn.
  const verifier = await openTestDatabase(database.url, { connections: 1, name: 'kinora test verify' })
  const worker: Worker | null = options.worker ? startWorker(app, { formats: webhookFormats }) : null

  beforeEach(clock.beginTest)
  afterEach(async () => {
    clock.endTest()
    assert.deepEqual(await verify(verifier), [], 'the books must be right after every test')
  })
  after(async () => {
    await worker?.stop()
    await closeHttp(http, 0)
    await auth.close()
    await app.close()
    await verifier.close()
    await simulator?.stop()
    await database.drop()
    await rm(dataDir, { recursive: true, force: true })
  })
  const { turnClock, holdClock } = clock
  return { ...operationsOf(app, { url, simulator, worker }), auth, databaseUrl: database.url, turnClock, holdClock }
}

/** No test depends on the network: every name resolves to this public address. */
const lookup = async () => ['93.184.215.14']

type Environment = {
  databaseUrl: string
  pooled: string | undefined
  dataDir: string
  simulator: Simulator | null
  port: number
}

function testConfig({ env, publicHost = '127.0.0.1' }: Options, opened: Environment): Config {
  const { databaseUrl, pooled, dataDir, simulator, port } = opened
  const providers = simulator?.url ?? 'http://127.0.0.1:9'
  const config = readConfig(
    {
      DATABASE_URL: pooled ?? databaseUrl,
      DATABASE_URL_DIRECT: databaseUrl,
      DATABASE_POOLER: pooled ? 'transaction' : 'off',
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: `${port}`,
      PUBLIC_URL: `http://${publicHost}:${port}`,
      AUTH_SECRET: 'test auth secret of thirty-two bytes',
      AI_CALLBACK_SECRET: 'test callback secret of thirty-two bytes',
      PROVIDER_A_URL: `${providers}/provider-a`,
      PROVIDER_A_API_KEY: 'key-a',
      PROVIDER_B_URL: `${providers}/provider-b`,
      PROVIDER_B_API_KEY: 'key-b',
      FETCH_ALLOW: simulator?.hostAndPort ?? '',
      LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'error',
      RATE_LIMITS: 'off',
      GIFTS_PER_NETWORK: '0',
      CONSENT_TEXT: 'off',
      ...env,
    },
    accounts(),
  )
  if (process.env.CITUS_URL) config.division = { node: null }
  return config
}

/** Replaces the clock of the service by one that the test moves. */
function testClock(app: App) {
  let clockMs = 0
  const beforeTests: number[] = []
  let heldAtMs: number | null = null
  app.now = () => new Date((heldAtMs ?? Date.now()) + clockMs)
  return {
    turnClock: (ms: number): void => {
      clockMs += ms
    },
    holdClock: (): void => {
      heldAtMs ??= Date.now()
    },
    beginTest: (): void => {
      beforeTests.push(clockMs)
    },
    endTest: (): void => {
      clockMs = beforeTests.pop() ?? 0
      heldAtMs = null
    },
  }
}

type Service = { url: string; simulator: Simulator | null; worker: Worker | null }

/** What a test does with the service. */
function operationsOf(app: App, { url, simulator, worker }: Service) {
  const wakes = openWakes(app)
  const isFilmOpen = async () =>
    ((await simulator?.tasks()) ?? []).some(({ state }) => /waiting|generating/.test(state))
  const callService: Kinora['call'] = (method, target, options) => call(url, method, target, options)
  return {
    app,
    url,
    simulator,
    call: callService,
    person: (options?: PersonOptions) => person(app, options),
    generate: (as: Person, change: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
      callService<{ uuid: string }>('POST', '/api/v1/video/generate', {
        as,
        body: { ...generateBody, ...change },
        headers,
      }),
    grant: async ({ userId }: Person, credits: number, expiryDays = 365) => {
      await adjust(app, { adminId: userId, userId, credits, expiryDays, remark: null, idempotencyKey: null })
    },
    balance: async (as: Person) => (await callService<Balance>('GET', '/api/v1/credit/balance', { as })).data,
    withSettings: (change: Partial<Config>, work: (url: string) => Promise<void>) => withSettings(app, change, work),
    workUntil: (condition: () => Promise<boolean>, patienceMs = 20_000) =>
      workUntil(app, { condition, wakes, isFilmOpen, patienceMs }),
    finish: async (as: Person, uuid: string) => {
      const read = async () => (await callService<Task>('GET', `/api/v1/video/task?uuid=${uuid}`, { as })).data
      // The service's own worker runs the steps, so workUntil sees none.
      const patienceMs = worker ? 60_000 : 20_000
      const condition = async () => ['COMPLETED', 'FAILED'].includes((await read()).status)
      const work = () => (worker ? Promise.resolve(0) : workOn(app, as.userId, uuid))
      await workUntil(app, { condition, work, wakes, isFilmOpen, patienceMs })
      return read()
    },
  }
}

async function openSimulator(option: boolean | { pace: number }): Promise<Simulator | null> {
  if (option === false) return null
  return option === true ? await sharedSimulator() : await startSimulator(option)
}

async function withSettings(app: App, change: Partial<Config>, work: (url: string) => Promise<void>): Promise<void> {
  const other = await openApp({ ...app.config, ...change }, app.log)
  const auth = openSignIn(other, { password: fastPassword })
  const http = await openHttp(other, auth, { registerFormats })
  try {
    await work(await http.listen({ port: 0, host: '127.0.0.1' }))
  } finally {
    await closeHttp(http, 0)
    await auth.close()
    await other.close()
  }
}

/** The paths of the fields that a validation error names. */
export const pathsOf = ({ error }: Pick<Answer, 'error'>): string[] =>
  ((error?.details ?? []) as { path: string }[]).map(({ path }) => path)

async function call<T>(url: string, method: string, target: string, options: CallOptions = {}): Promise<Answer<T>> {
  const { as, body, headers = {} } = options
  const isAsItIs = typeof body === 'string' || body instanceof Uint8Array
  const sent = {
    ...(as ? { authorization: `Bearer ${as.token}` } : {}),
    ...(body === undefined || isAsItIs ? {} : { 'content-type': 'application/json' }),
    ...headers,
  }
  const response = await fetch(url + target, {
    method,
    redirect: 'manual',
    headers: sent,
    ...(body === undefined ? {} : { body: isAsItIs ? (body as string) : JSON.stringify(body) }),
  })
  const text = await response.text()
  await sendToValidator({ method, target, sent }, response, text)
  const isApi = target.startsWith('/api/v1') && !otherFormats.some((prefix) => target.startsWith(prefix))
  const json = text && response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : {}
  if (isApi && method !== 'HEAD') assertEnvelope(response, json)
  return { status: response.status, headers: response.headers, text, data: json?.data, error: json?.error }
}

/** Compatible APIs under /api/v1: their responses have another service's format. */
const otherFormats = ['/api/v1/videos']

/** Asserts the envelope that every response of /api/v1 has. */
function assertEnvelope(response: Response, json: Record<string, unknown>): void {
  assert.equal(json.success, response.status < 400, 'success says what the status says')
  assert.equal(typeof json.data, 'object')
  assert.ok(json.data !== null)
  assert.ok(response.headers.get('x-request-id'))
  if (response.status < 400) return
  const error = json.error as Record<string, unknown>
  assert.deepEqual(json.data, {})
  assert.match(String(error.code), /^[A-Z_]+$/)
  assert.match(String(error.message), /^[A-Z].*\.$/s, 'a message is a sentence')
  assert.equal(error.requestId, response.headers.get('x-request-id'))
}

async function person(app: App, options: PersonOptions = {}): Promise<Person> {
  const { credits = 60, role = 'user', beside } = options
  const now = app.now()
  const idBeside = idsOfOnePart(app.database.partOf, () => newId(now), beside?.userId)
  const userId = idBeside()
  const email = `${userId}@example.com`
  const token = randomBytes(24).toString('base64url')
  const expiresAt = new Date(now.getTime() + 30 * 86_400_000)
  await app.sql`
    insert into public."user" ("id", "name", "email", "emailVerified", "role")
    values (${userId}, 'Test User', ${email}, false, ${role})
  `
  await app.sql`
    insert into public."session" ("id", "token", "userId", "expiresAt", "updatedAt")
    values (${newId(now)}, ${token}, ${userId}, ${expiresAt}, ${now})
  `
  if (credits > 0) {
    const grant = { adminId: userId, userId, credits, expiryDays: 365, remark: null, idempotencyKey: null }
    await adjust(app, grant)
  }
  return { userId, token, email }
}

/** Sends every response to the validator of `npm run fuzz -- --prism` (proofs/fuzz/prism.mjs), if any. */
async function sendToValidator(
  { method, target, sent }: { method: string; target: string; sent: Record<string, string> },
  response: Response,
  text: string,
): Promise<void> {
  const url = process.env.TEST_VALIDATOR_URL
  if (!url) return
  const responseHeaders = Object.fromEntries(response.headers)
  const exchange = { method, target, headers: sent, status: response.status, responseHeaders, text }
  const received = await fetch(url, { method: 'POST', body: JSON.stringify(exchange) })
  await received.arrayBuffer()
}

/**
 * Passwords of the tests are hashed with scrypt at its lowest cost: better-auth's own takes 90 ms of CPU time.
 * Processes that a test starts (`kinora api`) hash as in production.
 */
const digest = (password: string, salt: string): Buffer => scryptSync(password, salt, 32, { N: 2 })

const fastPassword = {
  hash: async (password: string): Promise<string> => {
    const salt = randomBytes(16).toString('hex')
    return ['fast', salt, digest(password, salt).toString('hex')].join(':')
  },
  /** Also of hashes that a command has written. */
  verify: async ({ hash, password }: { hash: string; password: string }): Promise<boolean> => {
    const [prefix, salt = '', hex = ''] = hash.split(':')
    if (prefix !== 'fast') return verifyPassword({ hash, password })
    return timingSafeEqual(Buffer.from(hex, 'hex'), digest(password, salt))
  },
}

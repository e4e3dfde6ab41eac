/**
 * `npm run bench:growth -- --videos 10000,1000000`: what gets slower as the number of videos grows. Each size is a database of its
 * own: a tenth of the videos is of one user, fifty users have twenty, and the others about a hundred. The table shows rate and 99th
 * percentile of each request and task at each size, their ratios, and the pages of the big user beside those of one with twenty.
 * `--keep FOLDER` seeds each size once, in a folder that stays; `--seed-only` ends when all are seeded.
 */
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { type App, openApp } from '../server/src/app.ts'
import { readConfig } from '../server/src/config/config.ts'
import { expireDue } from '../server/src/credit/ledger.ts'
import { verifyInRanges } from '../server/src/credit/verify.ts'
import { openDb, type Sql } from '../server/src/db/db.ts'
import { onePart } from '../server/src/db/parts.ts'
import { openLog } from '../server/src/process/log.ts'
import { readInitial } from '../server/src/stream/rows.ts'
import { catalogue, providersOf } from '../server/src/video/catalogue.ts'
import { claim } from '../server/src/video/claim.ts'
import { videoFilesDue } from '../server/src/video/film-transitions.ts'
import { keepConnectionsBusy } from './connections.ts'
import { type BenchEnvironment, openEnvironment, startServer } from './environment.ts'
import { SESSIONS, seedUsers, TWENTIES, usersOf } from './growth-seed.ts'
import { WORDS } from './seed.ts'
import { quantile } from './table.ts'
import { generateBody, tokenOf, userIdOf } from './users.ts'

const { values } = parseArgs({
  options: {
    videos: { type: 'string', default: '10000,1000000,10000000' },
    seconds: { type: 'string', default: '2' },
    /** Seconds of the ledger's check. */
    verify: { type: 'string', default: '10' },
    keep: { type: 'string' },
    'seed-only': { type: 'boolean', default: false },
    /** A part of the names of those that are measured. */
    only: { type: 'string', default: '' },
  },
})
const sizes = values.videos.split(',').map(Number)
const seconds = Number(values.seconds)

const CONNECTIONS = 2
const GROWTH_TARGET = 0.9
const BIG_USER_TARGET = 2
const P99_TARGET_MS = 20
const CLAIMED = 64
/** The user with a tenth of all videos, and those with twenty. */
const BIG = () => 1
const TWENTY = () => 2 + random(TWENTIES)
const random = (below: number) => Math.floor(Math.random() * below)

type Result = { perSecond: number; p50Ms: number; p99Ms: number }
/** `beside`: the same of a user with twenty videos, which the page of the big user is compared with. */
type Measurement = { what: string; run: (bench: Bench) => Promise<Result>; beside?: string }
type Bench = { app: App; sql: Sql; port: number; users: number; videos: { userId: string; id: string }[] }

const page = (what: string, path: string, user: () => number, beside?: string): Measurement => ({
  what,
  run: (bench) => get(bench, user, () => path),
  ...(beside ? { beside } : {}),
})
const list = (query = '') => `/api/v1/video/list?pageSize=20${query}`
const history = (query = '') => `/api/v1/credit/history?pageSize=20${query}`
const pagesOf = (name: string, path: (query?: string) => string, filters: [name: string, query: string][]) => [
  page(`${name}, twenty`, path(), TWENTY),
  page(`${name}, big user`, path(), BIG, `${name}, twenty`),
  page(`${name}, big user, page 2`, path('&page=2'), BIG, `${name}, twenty`),
  page(`${name}, big user, page 1000`, path('&page=1000'), BIG, `${name}, twenty`),
  ...filters.flatMap(([filter, query]) => [
    page(`${name} ${filter}, twenty`, path(query), TWENTY),
    page(`${name} ${filter}, big user`, path(query), BIG, `${name} ${filter}, twenty`),
  ]),
]

const all: Measurement[] = [
  { what: 'generate', run: generate },
  { what: 'task', run: task },
  ...pagesOf('list', list, [
    ['status=COMPLETED', '&status=COMPLETED'],
    ['status=FAILED', '&status=FAILED'],
    ['status=PENDING', '&status=PENDING'],
    ['model', '&model=alpha-2'],
    ['model and status', '&model=alpha-2&status=COMPLETED'],
    ['search, in each prompt', `&q=${encodeURIComponent(WORDS.common)}`],
    ['search, in one of 300', `&q=${WORDS.uncommon}`],
    ['search, in one of 20,000', `&q=${WORDS.rare}`],
    ['search, in none', '&q=zeppelin'],
  ]),
  page('list status=FAILED, big user, page 100', list('&status=FAILED&page=100'), BIG, 'list status=FAILED, twenty'),
  ...pagesOf('history', history, [
    ['VIDEO_CONSUME', '&transType=VIDEO_CONSUME'],
    ['REFUND', '&transType=REFUND'],
  ]),
  { what: 'event stream, resume', run: resume },
  page('admin users', '/api/v1/admin/users', BIG),
  page('admin search, in one of 20,000', `/api/v1/admin/users?q=${WORDS.rare}`, BIG),
  page('admin search, in all', '/api/v1/admin/users?q=example', BIG),
  page('admin search, in none', '/api/v1/admin/users?q=zeppelin', BIG),
  page('admin unfinished videos', '/api/v1/admin/videos', BIG),
  { what: `claim of ${CLAIMED}`, run: claims },
  { what: 'sweep', run: sweep },
  { what: 'verify, history rows', run: verify },
]

const measurements = all.filter(({ what }) => what.includes(values.only))
const results = new Map<number, Map<string, Result>>()
for (const size of sizes) results.set(size, await measureSize(size))
if (!values['seed-only']) printTable()

async function measureSize(size: number): Promise<Map<string, Result>> {
  const keptIn = values.keep === undefined ? undefined : path.resolve(values.keep, String(size))
  const environment = await openEnvironment({ keptIn })
  const sql = openDb(environment.databaseUrl, { connections: 1, name: 'bench', statementTimeoutMs: 0 })
  const users = usersOf(size)
  try {
    const marker = keptIn === undefined ? null : path.join(keptIn, 'seeded')
    if (marker === null || !existsSync(marker)) await seedUsers(sql, size)
    if (marker !== null) writeFileSync(marker, '')
    return values['seed-only'] ? new Map() : await measure(environment, sql, users)
  } finally {
    await sql.end()
    await environment.close()
  }
}

async function measure(environment: BenchEnvironment, sql: Sql, users: number): Promise<Map<string, Result>> {
  const videos = await sql<{ userId: string; id: string }[]>`
    select user_id, id from kinora.video
    where user_id between ${userIdOf(2)}::uuid and ${userIdOf(Math.min(users, SESSIONS))}::uuid
    limit 20000
  `
  const server = await startServer(environment, 'api', { RATE_LIMITS: 'off' })
  const config = readConfig(environment.env, providersOf(catalogue()))
  const app = await openApp(config, openLog(config))
  const bench: Bench = { app, sql, port: server.port, users, videos }
  const found = new Map<string, Result>()
  try {
    for (const { what, run } of measurements) {
      const result = await run(bench)
      console.error(
        `  ${what}: ${result.perSecond.toFixed(0)}/s, p50 ${result.p50Ms.toFixed(1)} ms, p99 ${result.p99Ms.toFixed(1)} ms`,
      )
      found.set(what, result)
    }
  } finally {
    await app.close()
    await server.stop()
  }
  return found
}

/** Warm after a quarter of the time. */
async function load(port: number, nextRequest: () => string): Promise<Result> {
  const run = async (time: number) => {
    const latencies: number[] = []
    const took = await keepConnectionsBusy({
      port,
      connections: CONNECTIONS,
      seconds: time,
      nextRequest,
      onResponse: (response, ms) => {
        if (!response.startsWith('HTTP/1.1 200')) throw new Error(response.slice(0, 500))
        latencies.push(ms)
      },
    })
    return resultOf(latencies, latencies.length / took)
  }
  await run(seconds / 4)
  return await run(seconds)
}

function head(n: number): string {
  return `host: localhost\r\nauthorization: Bearer ${tokenOf(n)}\r\naccept: application/json\r\n`
}

function get({ port }: Bench, user: () => number, path: (n: number) => string): Promise<Result> {
  return load(port, () => {
    const n = user()
    return `GET ${path(n)} HTTP/1.1\r\n${head(n)}\r\n`
  })
}

function task({ port, videos }: Bench): Promise<Result> {
  return load(port, () => {
    const { userId, id } = videos[random(videos.length)] ?? { userId: '', id: '' }
    return `GET /api/v1/video/task?uuid=${id} HTTP/1.1\r\n${head(Number.parseInt(userId.slice(-12), 16))}\r\n`
  })
}

function generate({ port, users }: Bench): Promise<Result> {
  const body = JSON.stringify(generateBody)
  const length = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  const others = Math.min(users, SESSIONS) - TWENTIES - 1
  return load(
    port,
    () => `POST /api/v1/video/generate HTTP/1.1\r\n${head(TWENTIES + 2 + random(others))}${length}\r\n${body}`,
  )
}

/** As many times as there is time for, one after the other. */
async function repeat(time: number, run: () => Promise<number>): Promise<Result> {
  const latencies: number[] = []
  let done = 0
  const startMs = performance.now()
  while (performance.now() < startMs + time * 1000) {
    const beginMs = performance.now()
    const count = await run()
    if (count === 0) break
    latencies.push(performance.now() - beginMs)
    done += count
  }
  return resultOf(latencies, (done * 1000) / (performance.now() - startMs))
}

/** What a stream that was away for five minutes reads first, of random users. */
function resume({ app, users }: Bench): Promise<Result> {
  const since = new Date(Date.now() - 300_000)
  return repeat(seconds, async () => {
    await readInitial(app, [{ userId: userIdOf(1 + random(users)), since }], new Date())
    return 1
  })
}

/** The videos that `generate` has left, as one worker claims them. */
function claims({ app }: Bench): Promise<Result> {
  return repeat(seconds, async () => (await claim(app, ['PENDING', 'GENERATING'], CLAIMED)).videos.length)
}

/** What the sweep of every minute reads when nothing is due. */
function sweep({ app }: Bench): Promise<Result> {
  return repeat(seconds, async () => {
    await expireDue(app)
    await videoFilesDue(app.sql, { now: new Date(), retryAt: new Date(), limit: 100 })
    return 1
  })
}

/** History rows a second, with the rules of all other rows. The latencies are those of ranges. */
async function verify({ sql }: Bench): Promise<Result> {
  // After the first range that ends past the time: that of the big user alone may take longer.
  const stopping = new AbortController()
  const latencies: number[] = []
  const startMs = performance.now()
  let lastMs = startMs
  const reached: { userId: string | null } = { userId: null }
  await verifyInRanges(onePart(sql), {
    signal: stopping.signal,
    onRange: ({ differences, nextUserId }) => {
      if (differences.length > 0)
        throw new Error(`${differences.length} differences: ${JSON.stringify(differences[0])}`)
      latencies.push(performance.now() - lastMs)
      lastMs = performance.now()
      reached.userId = nextUserId
      if (lastMs - startMs > Number(values.verify) * 1000) stopping.abort()
    },
  })
  const { userId } = reached
  const [{ rows }] = await sql<[{ rows: number }]>`
    select sum(transactions)::bigint as rows from kinora.credit_account where ${userId}::uuid is null or user_id < ${userId}
  `
  return resultOf(latencies, (rows * 1000) / (lastMs - startMs))
}

function resultOf(latencies: number[], perSecond: number): Result {
  return { perSecond, p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) }
}

function printTable(): void {
  const [first, last] = [sizes[0] ?? 0, sizes.at(-1) ?? 0]
  const cell = (text: string) => text.padStart(10)
  console.log(
    `${''.padEnd(42)}${sizes.map((size) => `${cell(`${size}`)}/s${cell('p99 ms')}`).join('')}${cell('ratio')}${cell('÷ twenty')}`,
  )
  let missed = 0
  for (const { what, beside } of measurements) {
    const of = (size: number, name = what) => results.get(size)?.get(name)
    const ratio = (of(last)?.perSecond ?? 0) / (of(first)?.perSecond ?? 1)
    const besides = beside ? (of(last)?.p50Ms ?? 0) / (of(last, beside)?.p50Ms ?? 1) : null
    const isLong = what.startsWith('verify')
    const isMet =
      ratio >= GROWTH_TARGET &&
      (besides === null || besides <= BIG_USER_TARGET) &&
      (isLong || (of(last)?.p99Ms ?? 0) < P99_TARGET_MS)
    if (!isMet) missed += 1
    console.log(
      `${what.padEnd(42)}${sizes
        .map((size) => `${cell((of(size)?.perSecond ?? 0).toFixed(0))}  ${cell((of(size)?.p99Ms ?? 0).toFixed(1))}`)
        .join('')}${cell(ratio.toFixed(2))}${cell(besides?.toFixed(2) ?? '')}  ${isMet ? 'met' : 'MISSED'}`,
    )
  }
  console.log(
    `\nTargets: ratio of the largest to the smallest size ≥ ${GROWTH_TARGET}, the page of the big user ≤ ${BIG_USER_TARGET} × that of one with ` +
      `twenty videos (median), p99 < ${P99_TARGET_MS} ms. ${CONNECTIONS} connections; ${missed} missed.`,
  )
  process.exitCode = missed > 0 ? 1 : 0
}

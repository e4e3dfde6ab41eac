/**
 * `npm run bench:compatible`: the CPU time of a generate request in each compatible format against that of the native one, side by
 * side: in every run the kinds alternate every second, so that all meet the same background load. One table. A format whose clients repeat
 * requests silently stores an idempotency key, so it is compared with the native request that has one.
 */
import postgres from 'postgres'
import { runBenchmark } from './benchmark.ts'
import { keepConnectionsBusy } from './connections.ts'
import { type BenchEnvironment, type Server, startServer } from './environment.ts'
import { type Line, medianRatio } from './table.ts'
import { generateBody, seedUsers, tokenOf, USERS } from './users.ts'

const CONNECTIONS = 16
const SLICE_SECONDS = 1
const WARM_UP_SECONDS = 2
/** Most that a format may add. */
const RATIO_MAX = 1.1

type Kind = {
  name: string
  path: string
  status: number
  /** Both: `n` is the number of the request. */
  headers?: (n: number) => string[]
  body: (n: number) => object
  /** The name of the native kind that it is compared with. */
  baseline?: string
}

const { prompt, model, duration, aspectRatio } = generateBody
const KEYED = 'native, with an Idempotency-Key'
const kinds: Kind[] = [
  { name: 'native', path: '/api/v1/video/generate', status: 200, body: () => generateBody },
  {
    name: KEYED,
    path: '/api/v1/video/generate',
    status: 200,
    headers: (n) => [`idempotency-key: bench-${n}`],
    body: () => generateBody,
  },
  {
    name: 'OpenAI, JSON',
    path: '/v1/videos',
    status: 200,
    body: () => ({ prompt, model, seconds: String(duration), size: '1280x720' }),
    baseline: 'native',
  },
  {
    name: 'Replicate',
    path: `/replicate/v1/models/kinora/${model}/predictions`,
    status: 201,
    body: (seed) => ({ input: { prompt, duration, aspect_ratio: aspectRatio, seed } }),
    baseline: KEYED,
  },
  {
    name: 'OpenRouter',
    path: '/api/v1/videos',
    status: 202,
    body: (seed) => ({ model, prompt, duration, aspect_ratio: aspectRatio, seed }),
    baseline: KEYED,
  },
  {
    name: 'AI SDK gateway',
    path: '/ai-gateway/video-model/start',
    status: 200,
    headers: (n) => [`ai-model-id: ${model}`, `idempotency-key: aisdk_vid_${n}`],
    body: () => ({ prompt, n: 1, duration, aspectRatio, providerOptions: {} }),
    baseline: KEYED,
  },
]

/** Requests so far; each has its own number. */
let requests = 0

await runBenchmark(6, async (environment, { seconds, runs }) => {
  const sql = postgres(environment.databaseUrl, { max: 1, onnotice: () => {} })
  await seedUsers(sql)
  await sql.end()
  const server = await startServer(environment, 'api')
  for (const kind of kinds) await load(server, environment, kind, WARM_UP_SECONDS)
  const costs = new Map(kinds.map(({ name }) => [name, [] as number[]]))
  for (let run = 0; run < runs; run += 1) {
    const totals = kinds.map((kind) => ({ kind, us: 0, count: 0 }))
    for (let elapsed = 0; elapsed < seconds; elapsed += SLICE_SECONDS) {
      for (const total of totals) {
        const { us, count } = await load(server, environment, total.kind, SLICE_SECONDS)
        total.us += us
        total.count += count
      }
    }
    for (const { kind, us, count } of totals) costs.get(kind.name)?.push(us / count)
  }
  await server.stop()
  const ratios = kinds.map(({ name, baseline }) =>
    baseline === undefined ? 1 : medianRatio(costs.get(name) ?? [], costs.get(baseline) ?? []),
  )
  const lines = kinds.map(
    ({ name, baseline }, i): Line => ({
      what: `${name}, CPU time of API and database`,
      unit: 'µs',
      runs: costs.get(name) ?? [],
      ...(baseline === undefined
        ? {}
        : { note: `${(ratios[i] ?? 0).toFixed(2)} of ${baseline}; at most ${RATIO_MAX}.` }),
    }),
  )
  return { lines, isMet: ratios.every((ratio) => ratio <= RATIO_MAX) }
})

/** The CPU time of API and database for a load of one kind. @throws Error when a response has another status */
async function load(
  server: Server,
  { databaseCpuUs }: BenchEnvironment,
  kind: Kind,
  seconds: number,
): Promise<{ us: number; count: number }> {
  const startUs = (await server.cpuUs()) + databaseCpuUs()
  let count = 0
  await keepConnectionsBusy({
    port: server.port,
    connections: CONNECTIONS,
    seconds,
    nextRequest: () => {
      requests += 1
      return build(kind, requests)
    },
    onResponse: (response) => {
      count += 1
      if (!response.startsWith(`HTTP/1.1 ${kind.status} `)) throw new Error(`${kind.name}: ${response.slice(0, 500)}`)
    },
  })
  return { us: (await server.cpuUs()) + databaseCpuUs() - startUs, count }
}

function build({ path, headers = () => [], body }: Kind, n: number): Buffer {
  const text = JSON.stringify(body(n))
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: localhost',
    `authorization: Bearer ${tokenOf((n % USERS) + 1)}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    ...headers(n),
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`)
}

/**
 * `npm run bench:tracing`: the CPU time that a request takes of an API process with OpenTelemetry on, divided by that of one with
 * it off. They run side by side on one database and get the same load in turn; the receivers of the spans are in this process, which
 * is idle otherwise, and respond at once. `all` is a sampler that sends the span of every poll, too; it has no target. On a machine
 * that does other work the ratios are noise: the fewer requests a server gets done, the smaller its sets, and the more each costs.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { printLoadWarning } from './benchmark.ts'
import { cpuUsage, openEnvironment, runInProcess, type Server, startServer } from './environment.ts'
import type { Job, LoadResult } from './http-load.ts'
import { median, medianRatio } from './table.ts'
import { seedUsers } from './users.ts'
import { verifyBooks } from './verify-books.ts'

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '4' }, runs: { type: 'string', default: '5' } },
})
const [seconds, runs] = [Number(options.seconds), Number(options.runs)]
const CONNECTIONS = 64
const WARM_UP_SECONDS = 3
/** The last batch is sent after five seconds (BatchSpanProcessor). */
const LAST_BATCH_MS = 6_000
const TARGET = 1.25

const variants = ['off', 'on', 'all'] as const
type Variant = (typeof variants)[number]
type Receiver = { url: string; spans: () => number; close: () => void }
type Measured = { us: number[]; perSecond: number[]; requests: number; spans: number }

const usage = await cpuUsage()
const receivers = { off: await openReceiver(), on: await openReceiver(), all: await openReceiver() }
const environment = await openEnvironment()
try {
  const sql = postgres(environment.databaseUrl, { max: 1, onnotice: () => {} })
  await seedUsers(sql)
  await sql.end()
  const limits = { RATE_LIMITS: 'off' }
  const tracedTo = ({ url }: Receiver) => ({ ...limits, OTEL_EXPORTER_OTLP_ENDPOINT: url })
  const servers: Record<Variant, Server> = {
    off: await startServer(environment, 'api', limits),
    on: await startServer(environment, 'api', tracedTo(receivers.on)),
    all: await startServer(environment, 'api', {
      ...tracedTo(receivers.all),
      OTEL_TRACES_SAMPLER: 'parentbased_always_on',
    }),
  }
  console.log(`\n${CONNECTIONS} connections, medians of ${runs} runs of ${seconds} s\n`)
  printLoadWarning(usage)
  let isMet = true
  for (const kind of ['generate', 'task'] as const) {
    const found = new Map<Variant, Measured>()
    for (const name of variants) found.set(name, { us: [], perSecond: [], requests: 0, spans: 0 })
    for (const name of variants) await load(servers[name], kind, WARM_UP_SECONDS)
    await setTimeout(LAST_BATCH_MS)
    for (let run = 0; run < runs; run += 1) {
      // Each alternates as the first.
      const pairs = [...found]
      for (const [name, into] of [...pairs.slice(run % pairs.length), ...pairs.slice(0, run % pairs.length)]) {
        await measure(servers[name], receivers[name], kind, into)
      }
    }
    const off = found.get('off')?.us ?? []
    for (const [name, { us, perSecond, requests, spans }] of found) {
      const ratio = medianRatio(us, off)
      if (name === 'on') isMet &&= ratio <= TARGET
      const figures = [
        `${Math.round(median(us))} µs`,
        `${Math.round(median(perSecond))}/s`,
        `${(spans / requests).toFixed(2)} spans a request`,
        `ratio ${ratio.toFixed(2)} (${us.map((each, i) => (each / (off[i] ?? 0)).toFixed(2)).join(' ')})`,
        ...(name === 'on' ? [`≤ ${TARGET}: ${ratio <= TARGET ? 'met' : 'MISSED'}`] : []),
      ]
      console.log(`${kind.padEnd(9)} ${name.padEnd(4)} ${figures.join(', ')}`)
    }
  }
  for (const server of Object.values(servers)) await server.stop()
  process.exitCode = isMet ? 0 : 1
  await verifyBooks(environment)
} finally {
  await environment.close()
  for (const { close } of Object.values(receivers)) close()
}

async function measure(server: Server, receiver: Receiver, kind: Job['kind'], into: Measured): Promise<void> {
  const [startUs, startSpans] = [await server.cpuUs(), receiver.spans()]
  const { requests, perSecond } = await load(server, kind, seconds)
  // The sending of the last batch is part of the cost.
  await setTimeout(LAST_BATCH_MS)
  into.us.push(((await server.cpuUs()) - startUs) / requests)
  into.spans += receiver.spans() - startSpans
  into.perSecond.push(perSecond)
  into.requests += requests
}

async function load({ port }: Server, kind: Job['kind'], duration: number): Promise<LoadResult> {
  const job = { kind, port, connections: CONNECTIONS, seconds: duration }
  const result = await runInProcess<Job, LoadResult>('http-load.ts', job)
  if (result.refused > 0) throw new Error(`${result.refused} of ${result.requests} were refused:\n${result.example}`)
  return result
}

/** Takes OTLP in protobuf, as operators have it by default, and counts the spans. */
async function openReceiver(): Promise<Receiver> {
  let spans = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    spans += countSpans(Buffer.concat(chunks))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => spans,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** ExportTraceServiceRequest.resource_spans (1), ResourceSpans.scope_spans (2), ScopeSpans.spans (2). */
function countSpans(body: Buffer): number {
  const scopes = messages(body, 1).flatMap((resource) => messages(resource, 2))
  return scopes.reduce((sum, scope) => sum + messages(scope, 2).length, 0)
}

/** The messages of a field; all fields of these three are length-delimited. */
function messages(body: Buffer, field: number): Buffer[] {
  const found: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const key = body[at] ?? 0
    let length = 0
    let shift = 0
    for (at += 1; ; at += 1, shift += 7) {
      const byte = body[at] ?? 0
      length += (byte & 0x7f) << shift
      if (byte < 0x80) break
    }
    at += 1
    if (key >> 3 === field) found.push(body.subarray(at, at + length))
    at += length
  }
  return found
}

/**
 * A vendor that answers what its dialect has answered, with one field replaced by a value that no vendor should send.
 * What an adapter makes of it must be within its contract.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { FAILURE_CODES } from '../../src/film/failure.ts'
import type {
  Account,
  Adapter,
  Cost,
  Handle,
  OpenedResult,
  Provider,
  Report,
  Task,
} from '../../src/provider/provider.ts'
import { parseJson } from '../../src/text/json-reader.ts'

type Json = null | boolean | number | string | Json[] | { [name: string]: Json }
type Recorded = { status: number; headers: Record<string, string>; body: Json }
/** The path of the account, below which every request must stay. */
const BASE = '/base'

/** `nested`: deeper than a call stack. */
/** Of an object or a list: some are as long as the simulator's life. */
const FIELDS_MAX = 6
const TIME_MAX_MS = 1500
const LONG = `1${' '.repeat(30_000)}x`
const values: Json[] = [
  null,
  -1.5,
  1e300,
  '0.30000000000000004',
  '..',
  'constructor',
  'line\r\nx-injected: 1\u0000\ud800',
  LONG,
  'https://user:secret@127.0.0.1/%2e%2e?a=1#b',
  {},
  JSON.parse('{"__proto__":{"id":"x"},"length":1e9}') as Json,
]
const nested = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as Json

/** Serves the dialect at `target` below BASE; each response as it is, or with one field replaced. */
async function openProxy(target: string) {
  let change: ((answer: Recorded) => Recorded) | null = null
  const recorded = new Map<string, Recorded>()
  const paths: string[] = []
  const server = createServer(async (request, response) => {
    const path = request.url ?? ''
    paths.push(path)
    const name = `${request.method} ${path}`
    const known = change ? recorded.get(name) : undefined
    const answer = known ?? (await forwarded(request, `${target}${path.slice(BASE.length)}`))
    recorded.set(name, answer)
    const { status, body } = known && change ? change(answer) : answer
    response.writeHead(status, answer.headers)
    response.end(stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}`,
    paths,
    recorded,
    replace: (by: typeof change) => {
      change = by
    },
    close: () => server.close(),
  }
}

async function forwarded(request: IncomingMessage, url: string): Promise<Recorded> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { host: _, connection: __, 'transfer-encoding': ___, ...headers } = request.headers
  const { method = 'GET' } = request
  const body = method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.concat(chunks) }
  const response = await fetch(url, { method, headers: headers as Record<string, string>, ...body })
  const date = response.headers.get('date')
  return {
    status: response.status,
    headers: { 'content-type': 'application/json', ...(date ? { date } : {}) },
    body: parseJson(await response.text()) as Json,
  }
}

/** JSON.stringify fails by a value that is nested too deeply. */
const stringify = (body: Json): string =>
  JSON.stringify(body, (_key, value) => (value === nested ? '§' : value)).replace(
    '"§"',
    '['.repeat(20_000) + ']'.repeat(20_000),
  )

function pathsOf(value: Json, path: (string | number)[] = []): (string | number)[][] {
  if (value === null || typeof value !== 'object') return [path]
  return [
    path,
    ...Object.entries(value)
      .slice(0, FIELDS_MAX)
      .flatMap(([name, each]) => pathsOf(each, [...path, name])),
  ]
}

function replaced(value: Json, [step, ...rest]: (string | number)[], by: Json): Json {
  if (step === undefined) return by
  if (Array.isArray(value))
    return value.map((each, index) => (String(index) === step ? replaced(each, rest, by) : each))
  return { ...Object(value), [step]: replaced((value as Record<string, Json>)[step] ?? null, rest, by) }
}

/** @throws AssertionError that names the field and the value */
export async function assertHostileAnswers(
  adapter: Adapter,
  account: Account,
  task: () => Task,
  ended: (provider: Provider, handle: Handle) => Promise<Report>,
): Promise<void> {
  const proxy = await openProxy(account.url)
  const provider = adapter.open({ ...account, url: proxy.url })
  const problems: string[] = []
  try {
    const first = await provider.submit(task())
    assert.equal(first.kind, 'accepted', JSON.stringify(first))
    const { handle, report: atOnce } = first as Extract<typeof first, { kind: 'accepted' }>
    const report = atOnce?.kind === 'completed' || !provider.poll ? atOnce : await ended(provider, handle)
    const result = report?.kind === 'completed' ? report.result : ''
    const sent = task()
    const flows: [string, () => Promise<void>][] = [
      [
        'submit',
        async () => {
          const outcome = await provider.submit(sent)
          if (outcome.kind !== 'accepted')
            return assertMessage('reason' in outcome ? outcome.reason : outcome.failure.message)
          assertHandle(outcome.handle)
          if (outcome.report) assertReport(outcome.report)
          assertCost(outcome.cost)
          assertReport((await provider.poll?.(outcome.handle)) ?? null)
        },
      ],
      ['poll', async () => assertReport((await provider.poll?.(handle)) ?? null)],
      ['openResult', async () => assertOpened((await provider.openResult?.(handle, result)) ?? null, proxy.url)],
      ['cancel', async () => void (await provider.cancel?.(handle))],
      ['find', async () => void (await provider.find?.(sent, new Date()))],
    ]
    for (const [name, run] of flows) {
      proxy.replace(null)
      proxy.recorded.clear()
      await run()
      const fields = new Map(
        [...proxy.recorded.values()].flatMap(({ body }) =>
          pathsOf(body).map((path) => [JSON.stringify(path), path] as const),
        ),
      )
      for (const [text, path] of fields) {
        for (const value of [...values, nested]) {
          // Errors are read by other code than tasks are.
          for (const status of value === nested || value === LONG ? [null, 400, 429] : [null]) {
            proxy.replace((answer) =>
              has(answer.body, path)
                ? { ...answer, status: status ?? answer.status, body: replaced(answer.body, path, value) }
                : answer,
            )
            const started = process.cpuUsage()
            const about = `${name}, ${text}: ${stringify(value).slice(0, 60)}`
            await run().catch((error: unknown) => problems.push(`${about} → ${(error as Error).message}`))
            const tookMs = process.cpuUsage(started).user / 1000
            if (tookMs > TIME_MAX_MS) problems.push(`${about} → took ${Math.round(tookMs)} ms`)
          }
        }
      }
    }
    problems.push(...proxy.paths.filter((path) => !path.startsWith(`${BASE}/`)))
    assert.deepEqual(problems, [])
  } finally {
    proxy.replace(null)
    await provider.close()
    proxy.close()
  }
}

const has = (value: Json, [step, ...rest]: (string | number)[]): boolean =>
  step === undefined ||
  (value !== null &&
    typeof value === 'object' &&
    Object.hasOwn(value, step) &&
    has((value as Record<string, Json>)[step] ?? null, rest))

function assertHandle(handle: Handle): void {
  for (const each of Object.values(handle)) assert.equal(typeof each, 'string')
  assert.ok(handle.taskId.length > 0 && handle.taskId.length <= 500)
}

function assertReport(report: Report | null): void {
  assertCost(report?.cost)
  if (report?.kind === 'completed') assert.ok(report.result.length <= 8192)
  if (report?.kind === 'failed') {
    assert.ok(FAILURE_CODES.includes(report.failure.code))
    assertMessage(report.failure.message)
  }
  if (report?.kind !== 'running') return
  const { progress, queuePosition = 0, remainingS = 0, note = '' } = report
  const isWhole = (value: number, max: number) => Number.isInteger(value) && value >= 0 && value <= max
  assert.ok(progress === null || isWhole(progress, 100), `progress ${progress}`)
  assert.ok(isWhole(queuePosition, 2 ** 31 - 1), `queue position ${queuePosition}`)
  assert.ok(isWhole(remainingS, 1e7), `${remainingS} s`)
  assertMessage(note)
}

const assertMessage = (message: string): void =>
  assert.ok(message.length <= 600 && message.isWellFormed() && !message.includes('\0'))

function assertCost(cost: Cost | undefined): void {
  if (cost) assert.match(cost.amount, /^\d{1,12}(\.\d{1,12})?$/)
}

function assertOpened(opened: OpenedResult | null, own: string): void {
  if (opened?.kind !== 'link') return
  const isOwn = opened.url.startsWith(`${own}/`)
  assert.ok(isOwn || !opened.headers, `our key to ${opened.url}`)
}

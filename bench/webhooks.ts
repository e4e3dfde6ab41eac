/**
 * How long a processor waits for our 200: purchases of payment-b, each signed and each another one, over 32 connections,
 * one at a time on each. `npm run bench:webhooks` starts all it needs and prints one table.
 */
import { createHmac } from 'node:crypto'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import postgres from 'postgres'
import { median, printTable } from './table.ts'
import { makePeople, PEOPLE } from './users.ts'
import { openPlace, type Place, processorsInUse, startServer } from './environment.ts'

const CONNECTIONS = 32
const WARM_UP_SECONDS = 2
/** What the processor is promised. */
const P99_TARGET_MS = 50
const ANSWER_BYTES_MAX = 16 * 1024
const SECRET = 'PAYMENT_B_WEBHOOK_SECRET of the bench, which guards nothing'
const env = { PAYMENT_B_API_KEY: 'none', PAYMENT_B_WEBHOOK_SECRET: SECRET }

/** `cpuUs`: processor time that the API took for an event. */
export type Waits = { cpuUs: number; perSecond: number; p50Ms: number; p99Ms: number; longestMs: number }

/** Purchases so far; each names another event, payment and customer. */
let count = 0

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: { seconds: { type: 'string', default: '5' }, runs: { type: 'string', default: '3' } },
  })
  const inUse = await processorsInUse()
  const place = await openPlace()
  try {
    const sql = postgres(place.databaseUrl, { max: 1, onnotice: () => {} })
    await makePeople(sql)
    await sql.end()
    const runs = await webhooks(place, Number(values.seconds), Number(values.runs))
    if (inUse > 0.1)
      console.log(`Other programs took ${Math.round(inUse * 100)} % of the processors before this began.\n`)
    const figures = (key: keyof Waits) => runs.map((run) => run[key])
    const what = 'POST /api/webhooks/payment-b'
    printTable([
      { what, unit: '/s', runs: figures('perSecond') },
      { what: `${what}, processor time of the API`, unit: 'µs', runs: figures('cpuUs') },
      { what: `${what}, half of them within`, unit: 'ms', runs: figures('p50Ms') },
      {
        what: `${what}, 99 of 100 within`,
        unit: 'ms',
        runs: figures('p99Ms'),
        note: `at most ${P99_TARGET_MS} ms is wanted.`,
      },
      { what: `${what}, the longest`, unit: 'ms', runs: figures('longestMs') },
    ])
    process.exitCode = median(figures('p99Ms')) <= P99_TARGET_MS ? 0 : 1
  } finally {
    await place.close()
  }
}

/** @throws Error when any event was not answered with 200 */
export async function webhooks(place: Place, seconds: number, runs: number): Promise<Waits[]> {
  const server = await startServer(place, 'api', env)
  const results: Waits[] = []
  await load(server.port, WARM_UP_SECONDS)
  for (let i = 0; i < runs; i += 1) {
    const startUs = await server.cpuUs()
    const waits = await load(server.port, seconds)
    results.push({ ...waits, cpuUs: ((await server.cpuUs()) - startUs) / (waits.perSecond * seconds) })
  }
  await server.stop()
  return results
}

async function load(port: number, seconds: number): Promise<Omit<Waits, 'cpuUs'>> {
  const waitsMs: number[] = []
  const startMs = performance.now()
  const endMs = startMs + seconds * 1000
  const keepBusy = () =>
    new Promise<void>((resolve, reject) => {
      let sentMs = 0
      const ask = () => {
        const request = purchase()
        sentMs = performance.now()
        socket.write(request)
      }
      const buffer = Buffer.allocUnsafe(ANSWER_BYTES_MAX)
      const socket = connect({
        port,
        host: '127.0.0.1',
        noDelay: true,
        onread: {
          buffer,
          // The answer is a few hundred bytes that are written at once.
          callback: (length) => {
            waitsMs.push(performance.now() - sentMs)
            const text = buffer.toString('latin1', 0, length)
            if (!text.startsWith('HTTP/1.1 200')) reject(new Error(`an event was not taken:\n${text}`))
            if (performance.now() < endMs) ask()
            else socket.destroy()
            return true
          },
        },
      })
      socket.once('connect', ask)
      socket.once('error', reject)
      socket.once('close', () => resolve())
    })
  await Promise.all(Array.from({ length: CONNECTIONS }, keepBusy))
  const elapsedMs = performance.now() - startMs
  waitsMs.sort((a, b) => a - b)
  const within = (share: number) => waitsMs[Math.ceil(waitsMs.length * share) - 1] ?? Number.NaN
  return {
    perSecond: waitsMs.length / (elapsedMs / 1000),
    p50Ms: within(0.5),
    p99Ms: within(0.99),
    longestMs: within(1),
  }
}

/** A paid session of a pack, of one user after the other: an event, a payment and a customer that nobody has seen. */
function purchase(): string {
  count += 1
  const userId = `00000000-0000-7000-8000-${((count % PEOPLE) + 1).toString(16).padStart(12, '0')}`
  const t = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({
    id: `evt_${process.pid}_${count}`,
    object: 'event',
    type: 'checkout.session.completed',
    created: t,
    data: {
      object: {
        id: `cs_${count}`,
        object: 'checkout.session',
        mode: 'payment',
        payment_status: 'paid',
        client_reference_id: userId,
        payment_intent: `pi_${count}`,
        customer: `cus_${count}`,
        metadata: { userId, productId: 'pack-starter' },
      },
    },
  })
  const v1 = createHmac('sha256', SECRET).update(`${t}.${body}`).digest('hex')
  return [
    'POST /api/webhooks/payment-b HTTP/1.1',
    'host: localhost',
    'content-type: application/json',
    `stripe-signature: t=${t},v1=${v1}`,
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

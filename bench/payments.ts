/**
 * The latency of payment webhooks: signed events of different purchases at payment-b, over 32 connections with one
 * request at a time.
 */
import { createHmac } from 'node:crypto'
import { keepConnectionsBusy } from './connections.ts'
import { type Bench, type BenchEnvironment, startServer } from './environment.ts'
import { type Line, quantile } from './table.ts'
import { USERS, userIdOf } from './users.ts'

const CONNECTIONS = 32
const WARM_UP_SECONDS = 2
/** The response time that the processor may expect. */
const P99_LIMIT_MS = 50
const SECRET = 'PAYMENT_B_WEBHOOK_SECRET of the bench, which guards nothing'
export const SECRETS = { PAYMENT_B_API_KEY: 'none', PAYMENT_B_WEBHOOK_SECRET: SECRET }

/** `cpuUs`: the API's CPU time per webhook. */
type Latencies = { cpuUs: number; perSecond: number; p50Ms: number; p99Ms: number; maxMs: number }

/** Purchases so far; each has its own event, payment and customer. */
let purchases = 0

export async function payments({ environment, seconds, runs }: Bench): Promise<Line[]> {
  const results = await measureWebhooks(environment, seconds, runs)
  const valuesOf = (key: keyof Latencies) => results.map((result) => result[key])
  const what = 'POST /api/webhooks/payment-b'
  return [
    { what, unit: '/s', runs: valuesOf('perSecond') },
    { what: `${what}, CPU time of the API`, unit: 'µs', runs: valuesOf('cpuUs') },
    { what: `${what}, p50`, unit: 'ms', runs: valuesOf('p50Ms') },
    { what: `${what}, p99`, unit: 'ms', runs: valuesOf('p99Ms'), limit: P99_LIMIT_MS },
    { what: `${what}, maximum`, unit: 'ms', runs: valuesOf('maxMs') },
  ]
}

/** @throws Error when a response has another status than 200 */
async function measureWebhooks(environment: BenchEnvironment, seconds: number, runs: number): Promise<Latencies[]> {
  const server = await startServer(environment, SECRETS)
  const results: Latencies[] = []
  await load(server.port, WARM_UP_SECONDS)
  for (let i = 0; i < runs; i += 1) {
    const startUs = await server.cpuUs()
    const latencies = await load(server.port, seconds)
    results.push({ ...latencies, cpuUs: ((await server.cpuUs()) - startUs) / (latencies.perSecond * seconds) })
  }
  await server.stop()
  return results
}

async function load(port: number, seconds: number): Promise<Omit<Latencies, 'cpuUs'>> {
  const latenciesMs: number[] = []
  const elapsedSeconds = await keepConnectionsBusy({
    port,
    connections: CONNECTIONS,
    seconds,
    nextRequest: buildPurchase,
    onResponse: (response, latencyMs) => {
      latenciesMs.push(latencyMs)
      if (!response.startsWith('HTTP/1.1 200')) throw new Error(`a webhook was not accepted:\n${response}`)
    },
  })
  return {
    perSecond: latenciesMs.length / elapsedSeconds,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    maxMs: quantile(latenciesMs, 1),
  }
}

/** The event of a paid checkout session for a pack, with new ids, and its signature. */
export function purchaseOf(userId: string): { body: string; signature: string } {
  purchases += 1
  const t = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({
    id: `evt_${process.pid}_${purchases}`,
    object: 'event',
    type: 'checkout.session.completed',
    created: t,
    data: {
      object: {
        id: `cs_${purchases}`,
        object: 'checkout.session',
        mode: 'payment',
        payment_status: 'paid',
        amount_subtotal: 1490,
        currency: 'usd',
        client_reference_id: userId,
        payment_intent: `pi_${purchases}`,
        customer: `cus_${purchases}`,
        metadata: { userId, productId: 'pack-starter' },
      },
    },
  })
  const v1 = createHmac('sha256', SECRET).update(`${t}.${body}`).digest('hex')
  return { body, signature: `t=${t},v1=${v1}` }
}

/** The request of a purchase, by one user after the other. */
function buildPurchase(): string {
  const { body, signature } = purchaseOf(userIdOf((purchases % USERS) + 1))
  return [
    'POST /api/webhooks/payment-b HTTP/1.1',
    'host: localhost',
    'content-type: application/json',
    `stripe-signature: ${signature}`,
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
}

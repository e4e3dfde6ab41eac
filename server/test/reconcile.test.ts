/**
 * Reconciliation against the simulator, whose webhooks are lost: what a processor lists is applied once, and a webhook that comes
 * after all changes nothing.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { type ReconcileOptions, reconcile } from '../src/payment/reconcile.ts'
import { openKinora, type Person } from './harness.ts'
import { movesOf, type Processor, paymentEnv, recordOf, secrets, webhooks } from './payment-events.ts'
import { startSimulator } from './simulator.ts'

type SimulatedCustomer = {
  id: string
  portalUrl: string
  subscriptions: { id: string }[]
  payments: { id: string; reason: string }[]
  events: { id: string }[]
}

/** Forwards to the simulator, whose address is known later. `status`: responds that instead, `failures` times. */
const gate = { target: '', status: 0, failures: 0, requests: 0 }
const proxy = createServer(async (request, response) => {
  gate.requests++
  if (gate.status !== 0 && gate.failures > 0) {
    gate.failures--
    return response.writeHead(gate.status, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}')
  }
  const body = Buffer.concat(await request.toArray())
  const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers
  const answer = await fetch(gate.target + request.url, {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(body.length > 0 ? { body } : {}),
  })
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
  response.end(await answer.text())
}).listen(0, '127.0.0.1')
await once(proxy, 'listening')
const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
const kinora = await openKinora({
  env: { ...paymentEnv, PAYMENT_A_URL: `${origin}/payment-a`, PAYMENT_B_URL: origin, METRICS_PORT: '0' },
})
const simulator = await startSimulator({
  env: {
    SIMULATOR_PAYMENT_CHAOS: 'drop',
    PAYMENT_A_WEBHOOK_URL: kinora.url + webhooks['payment-a'],
    PAYMENT_A_WEBHOOK_SECRET: secrets['payment-a'],
    PAYMENT_B_WEBHOOK_URL: kinora.url + webhooks['payment-b'],
    PAYMENT_B_WEBHOOK_SECRET: secrets['payment-b'],
  },
})
gate.target = simulator.url
after(async () => {
  proxy.close()
  await simulator.stop()
})

const submit = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', headers: { accept: 'application/json' }, body: new URLSearchParams(fields) })

async function customerOf({ email }: Person, processor: Processor): Promise<SimulatedCustomer> {
  const query = new URLSearchParams({ email, processor })
  const response = await fetch(`${simulator.url}/simulator/payments?${query}`)
  const { customers } = (await response.json()) as { customers: SimulatedCustomer[] }
  assert.ok(customers[0])
  return customers[0]
}

/** Buys through the service's checkout. */
async function buy(as: Person, processor: Processor, productId: string): Promise<SimulatedCustomer> {
  const { data } = await kinora.call<{ url: string }>('POST', '/api/v1/billing/checkout', {
    as,
    body: { productId, processor },
  })
  assert.equal((await submit(`${data.url}/pay`, { email: as.email })).status, 200)
  return await customerOf(as, processor)
}

/** Submits a form of the portal for the last subscription and a payment. */
async function act(as: Person, processor: Processor, action: string, fields: Record<string, string> = {}) {
  const customer = await customerOf(as, processor)
  const subscription = customer.subscriptions.at(-1)?.id ?? ''
  const payment = customer.payments.at(-1)?.id ?? ''
  const response = await submit(customer.portalUrl, { do: action, subscription, payment, ...fields })
  assert.equal(response.status, 200, await response.text())
}

/** Sends all events of the customer, as a processor does that finds its webhooks again. */
async function deliverLate(as: Person, processor: Processor): Promise<void> {
  for (const { id } of (await customerOf(as, processor)).events) {
    const response = await fetch(`${simulator.url}/simulator/payments/deliver`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ event: id }),
    })
    const { deliveries } = (await response.json()) as { deliveries: { status: number }[] }
    assert.deepEqual(
      deliveries.map(({ status }) => status),
      [200],
    )
  }
}

const quick = (options: ReconcileOptions = {}) => reconcile(kinora.app, { pauseMs: 1, ...options })

/** The kinds that a run found at a processor, which must all be applied. */
async function foundAt(processor: Processor, options: ReconcileOptions = {}): Promise<string[]> {
  const reports = await quick(options)
  assert.deepEqual(
    reports.map(({ error }) => error),
    [null, null],
  )
  const differences = reports.find((report) => report.processor === processor)?.differences ?? []
  const state = options.dryRun ? 'found' : 'applied'
  for (const difference of differences) assert.equal(difference.state, state, JSON.stringify(difference))
  return differences.map(({ kind }) => kind).sort()
}

const cases: Record<Processor, { moves: string[]; first: string[]; second: string[]; disputed: string }> = {
  'payment-a': {
    moves: ['ORDER_PAY 280', 'SUBSCRIPTION 960', 'SUBSCRIPTION 960'],
    first: ['customer', 'period', 'period', 'purchase'],
    second: ['dispute', 'refund'],
    disputed: 'pack',
  },
  'payment-b': {
    moves: ['ORDER_PAY 280', 'SUBSCRIPTION 960', 'SUBSCRIPTION 960'],
    first: ['customer', 'period', 'period', 'purchase', 'subscription', 'subscription'],
    second: ['dispute', 'refund'],
    disputed: 'pack',
  },
}

for (const processor of ['payment-a', 'payment-b'] as const) {
  test(`${processor}: purchase, renewal, refund and dispute whose webhooks are lost → applied once, and a late webhook changes nothing`, async () => {
    const { moves, first, second } = cases[processor]
    const ann = await kinora.person({ credits: 0 })
    await buy(ann, processor, 'pack-starter')
    await buy(ann, processor, 'pro-monthly')
    await act(ann, processor, 'next-period')
    assert.deepEqual(await movesOf(kinora, ann), [])

    assert.deepEqual(await foundAt(processor, { dryRun: true }), first)
    assert.deepEqual(await movesOf(kinora, ann), [], 'a dry run applies nothing')
    assert.deepEqual(await foundAt(processor), first)
    assert.deepEqual((await movesOf(kinora, ann)).sort(), moves)
    assert.equal((await recordOf(kinora, ann))?.status, 'active')
    assert.deepEqual(await foundAt(processor), [], 'a second run finds nothing')

    const renewal = (await customerOf(ann, processor)).payments.find(({ reason }) => reason === 'next period')
    await act(ann, processor, 'refund-half', { payment: renewal?.id ?? '' })
    const pack = (await allCustomers(ann, processor)).find(({ payments }) =>
      payments.some(({ reason }) => reason === 'purchase'),
    )
    const purchase = pack?.payments.find(({ reason }) => reason === 'purchase')
    const disputed = await submit(pack?.portalUrl ?? '', { do: 'dispute', payment: purchase?.id ?? '' })
    assert.equal(disputed.status, 200)
    assert.deepEqual(await foundAt(processor), second)
    const { available } = await kinora.balance(ann)
    assert.equal(available, 960 + 480)
    assert.deepEqual(await foundAt(processor), [])

    const before = await movesOf(kinora, ann)
    for (let times = 0; times < 2; times++) await deliverLate(ann, processor)
    assert.deepEqual(await movesOf(kinora, ann), before)
    assert.deepEqual(await kinora.balance(ann), { ...(await kinora.balance(ann)), available })
    assert.deepEqual(await foundAt(processor), [])
  })
}

/** payment-b makes one customer for each checkout. */
async function allCustomers({ email }: Person, processor: Processor): Promise<SimulatedCustomer[]> {
  const response = await fetch(`${simulator.url}/simulator/payments?${new URLSearchParams({ email, processor })}`)
  return ((await response.json()) as { customers: SimulatedCustomer[] }).customers
}

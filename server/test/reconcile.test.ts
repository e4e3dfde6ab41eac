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

/** payment-b makes one customer for each checkout. */
async function customersOf({ email }: Person, processor: Processor): Promise<SimulatedCustomer[]> {
  const response = await fetch(`${simulator.url}/simulator/payments?${new URLSearchParams({ email, processor })}`)
  return ((await response.json()) as { customers: SimulatedCustomer[] }).customers
}

/** Buys through the service's checkout. */
async function buy(as: Person, processor: Processor, productId: string): Promise<void> {
  const { data } = await kinora.call<{ url: string }>('POST', '/api/v1/billing/checkout', {
    as,
    body: { productId, processor },
  })
  assert.equal((await submit(`${data.url}/pay`, { email: as.email })).status, 200)
}

/** Submits a form of the portal for the subscription, or for the payment with this reason. */
async function act(as: Person, processor: Processor, action: string, reason = 'first period'): Promise<void> {
  const customers = await customersOf(as, processor)
  const customer = customers.find(({ payments }) => payments.some((each) => each.reason === reason))
  const payment = customer?.payments.find((each) => each.reason === reason)?.id ?? ''
  const subscription = customer?.subscriptions.at(-1)?.id ?? ''
  const response = await submit(customer?.portalUrl ?? '', { do: action, subscription, payment })
  assert.equal(response.status, 200, await response.text())
}

/** Sends all events of the customer, as a processor does that finds its webhooks again. */
async function deliverLate(as: Person, processor: Processor): Promise<void> {
  const customers = await customersOf(as, processor)
  for (const { id } of customers.flatMap(({ events }) => events)) {
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

const firstKinds: Record<Processor, string[]> = {
  'payment-a': ['customer', 'period', 'period', 'purchase'],
  // Its record has events of its own.
  'payment-b': ['customer', 'period', 'period', 'purchase', 'subscription', 'subscription'],
}

for (const processor of ['payment-a', 'payment-b'] as const) {
  test(`${processor}: purchase, renewal, refund and dispute whose webhooks are lost → applied once, and a late webhook changes nothing`, async () => {
    const first = firstKinds[processor]
    const ann = await kinora.person({ credits: 0 })
    await buy(ann, processor, 'pack-starter')
    await buy(ann, processor, 'pro-monthly')
    await act(ann, processor, 'next-period')
    assert.deepEqual(await movesOf(kinora, ann), [])

    assert.deepEqual(await foundAt(processor, { dryRun: true }), first)
    assert.deepEqual(await movesOf(kinora, ann), [], 'a dry run applies nothing')
    assert.deepEqual(await foundAt(processor), first)
    assert.deepEqual((await movesOf(kinora, ann)).sort(), ['ORDER_PAY 280', 'SUBSCRIPTION 960', 'SUBSCRIPTION 960'])
    assert.equal((await recordOf(kinora, ann))?.status, 'active')
    assert.deepEqual(await foundAt(processor), [], 'a second run finds nothing')

    await act(ann, processor, 'refund-half', 'next period')
    await act(ann, processor, 'dispute', 'purchase')
    assert.deepEqual(await foundAt(processor), ['dispute', 'refund'])
    const { available } = await kinora.balance(ann)
    assert.equal(available, 960 + 480)
    assert.deepEqual(await foundAt(processor), [])

    const before = await movesOf(kinora, ann)
    for (let times = 0; times < 2; times++) await deliverLate(ann, processor)
    assert.deepEqual(await movesOf(kinora, ann), before)
    assert.equal((await kinora.balance(ann)).available, available)
    assert.deepEqual(await foundAt(processor), [])
  })
}

test('processor down: HTTP 500, 429 and wrong key → a clear error, nothing half done; 429 once → asked again', async () => {
  const bob = await kinora.person({ credits: 0 })
  await buy(bob, 'payment-b', 'pack-starter')
  const runs = [
    { status: 500, failures: 1000, error: /^payment-[ab] answered HTTP 500\.$/ },
    { status: 429, failures: 1000, error: /^payment-[ab] answered HTTP 429\.$/ },
    { status: 403, failures: 1000, error: /^payment-[ab] answered HTTP 403\.$/ },
  ]
  for (const { status, failures, error } of runs) {
    Object.assign(gate, { status, failures, requests: 0 })
    const reports = await quick()
    assert.equal(reports.length, 2)
    for (const report of reports) {
      assert.match(report.error ?? '', error)
      assert.deepEqual(report.differences, [])
    }
    assert.equal(gate.requests, status === 403 ? 2 : 10, 'five tries while it may pass, else one')
  }
  assert.deepEqual(await movesOf(kinora, bob), [])
  Object.assign(gate, { status: 429, failures: 1 })
  assert.deepEqual(await foundAt('payment-b'), ['purchase'])
  gate.status = 0
  assert.deepEqual(await movesOf(kinora, bob), ['ORDER_PAY 280'])
})

/**
 * Fixture: the service and the simulator's processors with a proxy between them, which fails or holds requests;
 * webhooks are lost. Purchases go through the service's checkout, all else through the processors' own pages.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { processorOf } from '../../../../simulator/src/payment/processors.ts'
import { type ReconcileOptions, reconcile } from '../../../src/payment/reconcile.ts'
import { openKinora, type Person } from '../harness.ts'
import { startSimulator } from '../simulator.ts'
import { type Processor, paymentEnvAt, webhooks } from './payment-delivery.ts'

export type SimulatedCustomer = {
  id: string
  portalUrl: string
  subscriptions: { id: string }[]
  payments: {
    id: string
    reason: string
    status: string
    refunds: { id: string; cents: number; key: string | null }[]
  }[]
  events: { type: string; body: string }[]
}

/** Opens the service, the simulator and the proxy for a test file and closes them after its last test. */
export async function openReconciliation() {
  const { gate, origin, close } = await openProxy()
  const processorEnv = paymentEnvAt((processor) =>
    processorOf({ processor }).isAtRoot ? origin : `${origin}/${processor}`,
  )
  const kinora = await openKinora({ env: processorEnv })
  const secretsEnv = Object.fromEntries(Object.entries(processorEnv).filter(([name]) => name.endsWith('_SECRET')))
  // Webhook URLs are missing: all webhooks are lost until `deliverLate`.
  const simulator = await startSimulator({ env: secretsEnv })
  gate.target = simulator.url
  after(async () => {
    close()
    await simulator.stop()
  })

  const submit = (url: string, fields: Record<string, string>) =>
    fetch(url, { method: 'POST', headers: { accept: 'application/json' }, body: new URLSearchParams(fields) })

  /** payment-b makes one customer for each checkout. */
  async function customersOf({ email }: Person, processor: Processor): Promise<SimulatedCustomer[]> {
    const response = await fetch(`${simulator.url}/simulator/payments?${new URLSearchParams({ email, processor })}`)
    return ((await response.json()) as { customers: SimulatedCustomer[] }).customers
  }

  /** Buys through the service's checkout. `choice`: the fields `quantity` and `free` of its page. */
  async function buy(
    as: Person,
    processor: Processor,
    productId: string,
    choice: Record<string, string> = {},
  ): Promise<void> {
    const { data } = await kinora.call<{ url: string }>('POST', '/api/v1/billing/checkout', {
      as,
      body: { productId, processor },
    })
    assert.equal((await submit(`${data.url}/pay`, { email: as.email, ...choice })).status, 200)
  }

  /** Buys a pack at payment-a without the service's checkout, as another shop of the account does. */
  async function buyElsewhere(email: string): Promise<void> {
    const response = await fetch(`${simulator.url}/payment-a/v1/checkouts`, {
      method: 'POST',
      headers: { 'x-api-key': 'key-a', 'content-type': 'application/json' },
      body: JSON.stringify({ product_id: 'prod_pack_starter' }),
    })
    const { checkout_url: url } = (await response.json()) as { checkout_url: string }
    assert.equal((await submit(`${url}/pay`, { email })).status, 200)
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
    for (const { id } of customers) {
      const response = await fetch(`${simulator.url}/simulator/payments/deliver`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ customer: id, url: kinora.url + webhooks[processor] }),
      })
      const { deliveries } = (await response.json()) as { deliveries: { status: number }[] }
      assert.ok(deliveries.length > 0 && deliveries.every(({ status }) => status === 200))
    }
  }

  const quick = (options: ReconcileOptions = {}) => reconcile(kinora.app, { pauseMs: 1, ...options })

  /** The kinds that a run found at a processor, which must all be applied. */
  async function foundAt(processor: Processor, options: ReconcileOptions = {}): Promise<string[]> {
    const reports = await quick(options)
    for (const { error } of reports) assert.equal(error, null)
    const differences = reports.find((report) => report.processor === processor)?.differences ?? []
    const state = options.dryRun ? 'found' : 'applied'
    for (const difference of differences) assert.equal(difference.state, state, JSON.stringify(difference))
    return differences.map(({ kind }) => kind).sort()
  }

  /** Runs reconciliation on rewritten responses, which must find these kinds at the processor and apply them. */
  async function foundIn(processor: Processor, rewrite: NonNullable<typeof gate.rewrite>): Promise<string[]> {
    gate.rewrite = rewrite
    try {
      return await foundAt(processor)
    } finally {
      gate.rewrite = null
    }
  }

  return {
    gate,
    processorEnv,
    kinora,
    simulator,
    customersOf,
    buy,
    buyElsewhere,
    act,
    submit,
    deliverLate,
    quick,
    foundAt,
    foundIn,
  }
}

type Fields = Record<string, unknown>

/**
 * Opens a proxy that forwards to the simulator, whose address is known later. `status`: responds that instead,
 * `failures` times. `held`: requests wait for it. `pageSize`: of every list, instead of the one that is asked for.
 * `rewrite`: changes the objects of a response, for what the simulator does not do by itself.
 */
async function openProxy() {
  const gate = {
    target: '',
    status: 0,
    failures: 0,
    requests: 0,
    /** So many answers to a POST are lost behind the processor, which has done what it was asked for. */
    lostPosts: 0,
    held: null as Promise<unknown> | null,
    /** After so many requests, as many responses are lost on their way. */
    lost: null as { after: number; times: number } | null,
    pageSize: null as number | null,
    rewrite: null as ((path: string, json: { data: Fields[]; items: Fields[] } & Fields) => void) | null,
  }
  const proxy = createServer(async (request, response) => {
    gate.requests++
    if (gate.status !== 0 && gate.failures > 0) {
      gate.failures--
      return response.writeHead(gate.status, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}')
    }
    const body = Buffer.concat(await request.toArray())
    await gate.held
    const { host: _, connection: __, 'content-length': ___, 'transfer-encoding': ____, ...headers } = request.headers
    const url =
      gate.pageSize === null ? request.url : request.url?.replace(/(limit|page_size)=\d+/, `$1=${gate.pageSize}`)
    const answer = await fetch(gate.target + url, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body.length > 0 ? { body } : {}),
    })
    if (gate.lost && gate.lost.after-- <= 0 && gate.lost.times-- > 0) return response.destroy()
    if (request.method === 'POST' && gate.lostPosts > 0) {
      gate.lostPosts--
      return response.writeHead(502).end()
    }
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
    const text = await answer.text()
    if (!gate.rewrite) return response.end(text)
    const json = JSON.parse(text)
    gate.rewrite(request.url?.split('?')[0] ?? '', json)
    response.end(JSON.stringify(json))
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const close = () => {
    proxy.close()
    proxy.closeAllConnections()
  }
  return { gate, origin, close }
}

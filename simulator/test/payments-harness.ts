/** Buys and manages over HTTP as a user would, and receives events as the service would. */
import { createHmac } from 'node:crypto'
import { listen, type Simulator, startSimulator } from './harness.ts'

const SECRETS = { 'payment-a': 'secret-of-payment-a', 'payment-b': 'whsec_of-payment-b' } as const
export type Processor = keyof typeof SECRETS

export type ReceivedEvent = {
  processor: Processor
  id: string
  type: string
  /** Milliseconds. */
  at: number
  /** The value at a dotted path of the event's object, e.g. `items.data.0.id`. */
  get: (path: string) => unknown
  body: string
  headers: Record<string, string | string[] | undefined>
}

/** @returns the value at a dotted path, undefined if missing */
function valueAt(value: unknown, path: string): unknown {
  let found = value
  for (const name of path.split('.')) found = (found as Record<string, unknown> | null | undefined)?.[name]
  return found
}

/** @param answer the status for the n-th delivery of an event, counted from 0 */
export async function startShop(answer: (event: ReceivedEvent, n: number) => number = () => 200) {
  const received: ReceivedEvent[] = []
  const { base } = await listen(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const processor = (request.url ?? '').slice(1) as Processor
    const event: unknown = JSON.parse(body)
    const isA = processor === 'payment-a'
    const one: ReceivedEvent = {
      processor,
      id: String(valueAt(event, 'id')),
      type: String(valueAt(event, isA ? 'eventType' : 'type')),
      at: isA ? Number(valueAt(event, 'created_at')) : Number(valueAt(event, 'created')) * 1000,
      get: (path) => valueAt(event, `${isA ? 'object' : 'data.object'}.${path}`),
      body,
      headers: request.headers,
    }
    const earlier = received.filter((other) => other.id === one.id).length
    received.push(one)
    response.writeHead(answer(one, earlier)).end()
  })
  return { received, base, types: () => received.map(({ type }) => type) }
}
export type Shop = Awaited<ReturnType<typeof startShop>>

export function startWithShop(shop: Shop, env: Record<string, string> = {}): Promise<Simulator> {
  return startSimulator({
    PAYMENT_A_WEBHOOK_URL: `${shop.base}/payment-a`,
    PAYMENT_B_WEBHOOK_URL: `${shop.base}/payment-b`,
    PAYMENT_A_WEBHOOK_SECRET: SECRETS['payment-a'],
    PAYMENT_B_WEBHOOK_SECRET: SECRETS['payment-b'],
    ...env,
  })
}

/** Verifies the signature as the processors document it. */
export function isSigned({ processor, headers, body }: ReceivedEvent): boolean {
  const hmac = (text: string): string => createHmac('sha256', SECRETS[processor]).update(text).digest('hex')
  if (processor === 'payment-a') return headers['creem-signature'] === hmac(body)
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['stripe-signature'])) ?? []
  return v1 === hmac(`${t}.${body}`) && Math.abs(Number(t) - Date.now() / 1000) < 300
}

export async function postA(simulator: Simulator, path: string, body: unknown, key = 'key'): Promise<Reply> {
  const response = await fetch(`${simulator.url}/payment-a${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
  })
  return readReply(response)
}

export async function postB(
  simulator: Simulator,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { authorization: 'Bearer sk_test_key' },
): Promise<Reply> {
  const response = await fetch(`${simulator.url}${path}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(fields),
  })
  return readReply(response)
}
export type Reply = { status: number; headers: Headers; data: unknown; get: (path: string) => unknown }

async function readReply(response: Response): Promise<Reply> {
  const data: unknown = await response.json()
  return { status: response.status, headers: response.headers, data, get: (path) => valueAt(data, path) }
}

export type OpenCheckout = { checkoutUrl: string; email: string }

let users = 0

/** Opens a checkout for a new user, as the service does. */
export async function openCheckout(
  simulator: Simulator,
  processor: Processor,
  productId: string,
): Promise<OpenCheckout> {
  const email = `user-${++users}@example.com`
  const userId = `user-${users}`
  const stem = productId.replaceAll('-', '_')
  if (processor === 'payment-a') {
    const { get } = await postA(simulator, '/v1/checkouts', {
      product_id: `prod_${stem}`,
      success_url: 'http://shop.test/done',
      request_id: `request-${users}`,
      customer: { email },
      metadata: { referenceId: userId },
    })
    return { checkoutUrl: String(get('checkout_url')), email }
  }
  const isPack = productId.startsWith('pack-')
  const inner = isPack ? 'payment_intent_data' : 'subscription_data'
  const { get } = await postB(simulator, '/payment-b/v1/checkout/sessions', {
    mode: isPack ? 'payment' : 'subscription',
    'line_items[0][price]': `price_${stem}`,
    'line_items[0][quantity]': '1',
    client_reference_id: userId,
    customer_email: email,
    'metadata[userId]': userId,
    'metadata[productId]': productId,
    [`${inner}[metadata][userId]`]: userId,
    [`${inner}[metadata][productId]`]: productId,
    success_url: 'http://shop.test/done?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://shop.test/left',
  })
  return { checkoutUrl: String(get('url')), email }
}

export type FormResponse = {
  location: string | null
  error?: string
  events: { id: string; type: string; state: string; deliveries: { status: number | null }[] }[]
}

/** Submits a form of a page. */
export async function submitForm(url: string, fields: Record<string, string> = {}): Promise<FormResponse> {
  const headers = { accept: 'application/json' }
  const response = await fetch(url, { method: 'POST', headers, body: new URLSearchParams(fields) })
  return (await response.json()) as FormResponse
}

export type Customer = {
  id: string
  email: string
  isGuest: boolean
  portalUrl: string
  balanceCents: number
  subscriptions: { id: string; status: string; productId: string; periodStart: number; periodEnd: number }[]
  payments: { id: string; cents: number; status: string; refundedCents: number; reason: string }[]
  events: {
    id: string
    type: string
    state: string
    body: string
    at: number
    deliveries: { status: number | null }[]
  }[]
}

export async function customerOf(simulator: Simulator, email: string): Promise<Customer> {
  const response = await fetch(`${simulator.url}/simulator/payments?email=${encodeURIComponent(email)}`)
  const { customers } = (await response.json()) as { customers: Customer[] }
  const [customer] = customers
  if (!customer || customers.length > 1) throw new Error(`${email} is ${customers.length} customers.`)
  return customer
}

/**
 * Buys a product.
 * @param choice fields of the checkout page
 * @returns the customer, and `act`, which submits the portal's forms for this purchase
 */
export async function buy(simulator: Simulator, processor: Processor, productId: string, choice = {}) {
  const { checkoutUrl, email } = await openCheckout(simulator, processor, productId)
  await submitForm(`${checkoutUrl}/pay`, choice)
  const customer = await customerOf(simulator, email)
  const subscription = customer.subscriptions.at(-1)?.id ?? ''
  const payment = customer.payments.at(-1)?.id ?? ''
  const act = (action: string, more: Record<string, string> = {}): Promise<FormResponse> =>
    submitForm(customer.portalUrl, { do: action, subscription, payment, ...more })
  return { email, customer, act, subscription, payment, checkoutUrl }
}

export async function deliver(simulator: Simulator, request: unknown) {
  const response = await fetch(`${simulator.url}/simulator/payments/deliver`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  return {
    status: response.status,
    data: (await response.json()) as { error?: string; deliveries: { event: string; type: string; status: number }[] },
  }
}

/** What the service asks payment-a for: a checkout, and the address of a customer's portal. JSON, key in `x-api-key`. */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Checkout } from './account.ts'
import { beginCheckout } from './checkout.ts'
import type { Desk } from './desk.ts'

type Body = Partial<Record<string, unknown>>

const errors: Record<number, string> = { 400: 'Bad Request', 403: 'Forbidden', 404: 'Not Found' }

export function paymentARoutes(desk: Desk) {
  const { accounts, products } = desk
  return async (app: FastifyInstance): Promise<void> => {
    const apiKey = desk.settings.apiKeys['payment-a']
    app.addHook('onRequest', async (request, reply) => {
      const given = request.headers['x-api-key']
      if (!given || (apiKey && given !== apiKey)) return refuse(reply, 403)
    })
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
      refuse(reply, error.statusCode ?? 500, error.message),
    )

    app.post<{ Body: Body | null }>('/v1/checkouts', async (request, reply) => {
      const body = request.body ?? {}
      const problems = problemsOf(body)
      if (problems.length > 0) return refuse(reply, 400, ...problems)
      const product = products.byProcessorId('payment-a', String(body.product_id))
      if (!product) return refuse(reply, 404, 'Product not found')
      const customer = (body.customer ?? {}) as Body
      const known = typeof customer.id === 'string' ? accounts.customers.get(customer.id) : undefined
      if (customer.id !== undefined && known?.processor !== 'payment-a') return refuse(reply, 404, 'Customer not found')
      const checkout = beginCheckout(accounts, {
        processor: 'payment-a',
        product,
        customerId: known?.id ?? null,
        email: known?.email ?? (typeof customer.email === 'string' ? customer.email : null),
        metadata: textsOf(body.metadata),
        innerMetadata: {},
        reference: typeof body.request_id === 'string' ? body.request_id : null,
        successUrl: typeof body.success_url === 'string' ? body.success_url : '',
        cancelUrl: null,
      })
      return describe(checkout)
    })

    app.get<{ Querystring: { checkout_id?: string } }>('/v1/checkouts', async (request, reply) => {
      const checkout = accounts.checkouts.get(request.query.checkout_id ?? '')
      if (checkout?.processor !== 'payment-a') return refuse(reply, 404, 'Checkout not found')
      return describe(checkout)
    })

    app.post<{ Body: Body | null }>('/v1/customers/billing', async (request, reply) => {
      const id = request.body?.customer_id
      if (typeof id !== 'string') return refuse(reply, 400, 'customer_id must be a string')
      const customer = accounts.customers.get(id)
      if (customer?.processor !== 'payment-a') return refuse(reply, 404, 'Customer not found')
      return { customer_portal_link: `${desk.baseUrl()}/payment-a/portal/${customer.portal}` }
    })
  }

  function describe(checkout: Checkout) {
    return {
      id: checkout.id,
      object: 'checkout',
      product: products.byId(checkout.productId).processorIds['payment-a'],
      units: 1,
      status: checkout.state === 'open' ? 'pending' : 'completed',
      checkout_url: `${desk.baseUrl()}/payment-a/checkout/${checkout.id}`,
      success_url: checkout.successUrl || null,
      ...(checkout.reference === null ? {} : { request_id: checkout.reference }),
      metadata: checkout.metadata,
      mode: 'test',
    }
  }
}

function problemsOf(body: Body): string[] {
  const problems: string[] = []
  if (typeof body.product_id !== 'string') problems.push('product_id must be a string')
  const url = body.success_url
  if (url !== undefined && !(typeof url === 'string' && /^https?:$/.test(URL.parse(url)?.protocol ?? ''))) {
    problems.push('success_url must be a URL address')
  }
  if (body.metadata !== undefined && !isObject(body.metadata)) problems.push('metadata must be an object')
  if (body.customer !== undefined && !isObject(body.customer)) problems.push('customer must be an object')
  return problems
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function textsOf(value: unknown): Record<string, string> {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, String(each)])) : {}
}

function refuse(reply: FastifyReply, status: number, ...message: string[]): FastifyReply {
  return reply.code(status).send({
    trace_id: randomUUID(),
    status,
    error: errors[status] ?? 'Error',
    ...(message.length > 0 ? { message } : {}),
    timestamp: Date.now(),
  })
}

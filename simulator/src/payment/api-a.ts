/** payment-a's API as the service calls it: a checkout, and the URL of a customer's portal. JSON, key in `x-api-key`. */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { isWebUrl } from '../settings.ts'
import { openCheckout } from './checkout.ts'
import type { PaymentContext } from './events.ts'
import type { Checkout } from './store.ts'

type Body = Partial<Record<string, unknown>>

const errorNames: Record<number, string> = { 400: 'Bad Request', 403: 'Forbidden', 404: 'Not Found' }

class ApiError extends Error {
  readonly statusCode: number
  readonly messages: string[]
  constructor(statusCode: number, ...messages: string[]) {
    super(messages.join(' '))
    this.statusCode = statusCode
    this.messages = messages
  }
}

export function paymentARoutes({ store, products, settings, baseUrl }: PaymentContext) {
  return async (app: FastifyInstance): Promise<void> => {
    const apiKey = settings.apiKeys['payment-a']
    app.addHook('onRequest', async (request) => {
      const key = request.headers['x-api-key']
      if (!key || (apiKey && key !== apiKey)) throw new ApiError(403)
    })
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      const status = error.statusCode ?? 500
      const message = error instanceof ApiError ? error.messages : [error.message]
      return reply.code(status).send({
        trace_id: randomUUID(),
        status,
        error: errorNames[status] ?? 'Error',
        ...(message.length > 0 ? { message } : {}),
        timestamp: Date.now(),
      })
    })

    app.post<{ Body: Body | null }>('/v1/checkouts', async ({ body }) => {
      const {
        product_id: productId,
        success_url: successUrl = '',
        metadata = {},
        customer = {},
        request_id,
      } = body ?? {}
      const problems = [
        typeof productId !== 'string' && 'product_id must be a string',
        successUrl !== '' && !isWebUrl(successUrl) && 'success_url must be a URL address',
        !isObject(metadata) && 'metadata must be an object',
        !isObject(customer) && 'customer must be an object',
      ].filter((problem) => problem !== false)
      if (problems.length > 0) throw new ApiError(400, ...problems)
      const product = products.byProcessorId('payment-a', String(productId))
      if (!product) throw new ApiError(404, 'Product not found')
      const { id, email } = customer as Body
      const known = store.customers.get(String(id))
      if (id !== undefined && known?.processor !== 'payment-a') throw new ApiError(404, 'Customer not found')
      const checkout = openCheckout(store, product, {
        processor: 'payment-a',
        customerId: known?.id ?? null,
        email: known?.email ?? (typeof email === 'string' ? email : null),
        metadata: Object.fromEntries(Object.entries(metadata as Body).map(([name, value]) => [name, String(value)])),
        reference: typeof request_id === 'string' ? request_id : null,
        successUrl: String(successUrl),
      })
      return describe(checkout)
    })

    app.get<{ Querystring: { checkout_id?: string } }>('/v1/checkouts', async (request) => {
      const checkout = store.checkouts.get(request.query.checkout_id ?? '')
      if (checkout?.processor !== 'payment-a') throw new ApiError(404, 'Checkout not found')
      return describe(checkout)
    })

    app.post<{ Body: Body | null }>('/v1/customers/billing', async ({ body }) => {
      if (typeof body?.customer_id !== 'string') throw new ApiError(400, 'customer_id must be a string')
      const customer = store.customers.get(body.customer_id)
      if (customer?.processor !== 'payment-a') throw new ApiError(404, 'Customer not found')
      return { customer_portal_link: `${baseUrl()}/payment-a/portal/${customer.portal}` }
    })
  }

  function describe(checkout: Checkout) {
    return {
      id: checkout.id,
      object: 'checkout',
      product: products.byId(checkout.productId).processorIds['payment-a'],
      status: checkout.state === 'open' ? 'pending' : 'completed',
      checkout_url: `${baseUrl()}/payment-a/checkout/${checkout.id}`,
      success_url: checkout.successUrl || null,
      ...(checkout.reference === null ? {} : { request_id: checkout.reference }),
      metadata: checkout.metadata,
      mode: 'test',
    }
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * payment-a's API as the service calls it: a checkout, and the URL of a customer's portal. JSON, key in `x-api-key`.
 */
import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { isWebUrl } from '../settings.ts'
import type { PaymentContext } from './events.ts'
import { HttpError } from './http-error.ts'
import { listRoutesA } from './lists-a.ts'
import { productBy } from './products.ts'
import { newCheckout } from './store.ts'

type Body = Partial<Record<string, unknown>>

const errorNames: Record<number, string> = { 400: 'Bad Request', 403: 'Forbidden', 404: 'Not Found' }

export function paymentARoutes({ store, settings, baseUrl }: PaymentContext) {
  return async (app: FastifyInstance): Promise<void> => {
    const apiKey = settings.apiKeys['payment-a']
    app.addHook('onRequest', async (request) => {
      const key = request.headers['x-api-key']
      if (!key || (apiKey && key !== apiKey)) throw new HttpError(403, '')
    })
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      const status = error.statusCode ?? 500
      const message = error.message ? { message: error.message.split('\n') } : {}
      const name = errorNames[status] ?? 'Error'
      return reply.code(status).send({ trace_id: randomUUID(), status, error: name, ...message, timestamp: Date.now() })
    })

    app.post<{ Body: Body | null }>('/v1/checkouts', async ({ body }) => {
      const { product_id, success_url = '', metadata = {}, customer = {}, request_id } = body ?? {}
      const problems = [
        typeof product_id !== 'string' && 'product_id must be a string',
        success_url !== '' && !isWebUrl(success_url) && 'success_url must be a URL address',
        !isObject(metadata) && 'metadata must be an object',
        !isObject(customer) && 'customer must be an object',
      ].filter((problem) => problem !== false)
      if (problems.length > 0) throw new HttpError(400, problems.join('\n'))
      const product = productBy('payment-a', String(product_id))
      if (!product) throw new HttpError(404, 'Product not found')
      const { id, email } = customer as Body
      const known = id === undefined ? null : customerOf(id)
      const checkout = newCheckout(
        {
          processor: 'payment-a',
          customerId: known?.id ?? null,
          email: known?.email ?? (typeof email === 'string' ? email : null),
          metadata: Object.fromEntries(Object.entries(metadata as Body).map(([name, value]) => [name, String(value)])),
          reference: typeof request_id === 'string' ? request_id : null,
          successUrl: String(success_url),
        },
        product,
      )
      store.saveCheckout(checkout)
      return {
        id: checkout.id,
        object: 'checkout',
        product: product_id,
        status: 'pending',
        checkout_url: `${baseUrl()}/payment-a/checkout/${checkout.id}`,
        ...(checkout.reference === null ? {} : { request_id: checkout.reference }),
        metadata: checkout.metadata,
        mode: 'test',
      }
    })

    listRoutesA(app, store)

    app.post<{ Body: Body | null }>('/v1/customers/billing', async ({ body }) => {
      if (typeof body?.customer_id !== 'string') throw new HttpError(400, 'customer_id must be a string')
      return { customer_portal_link: `${baseUrl()}/payment-a/portal/${customerOf(body.customer_id).portal}` }
    })
  }

  function customerOf(id: unknown) {
    const customer = store.customers.get(String(id))
    if (customer?.processor !== 'payment-a') throw new HttpError(404, 'Customer not found')
    return customer
  }
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * payment-b's API as its official package calls it: form-encoded bodies, the key as Bearer or as the name of Basic,
 * `Idempotency-Key`, errors in its own shape, and a `request-id` on every response.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isWebUrl } from '../settings.ts'
import type { PaymentContext } from './events.ts'
import { HttpError } from './http-error.ts'
import { listRoutesB } from './lists-b.ts'
import { generations, seconds, sessionB } from './objects-b.ts'
import { productBy } from './products.ts'
import { type Checkout, type Customer, newCheckout, newId, type Store } from './store.ts'

export function paymentBRoutes({ store, settings, baseUrl }: PaymentContext) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRequest', async (request, reply) => {
      const { version } = generations[settings.delivery.api]
      reply.header('request-id', newId('req_', 14))
      reply.header('stripe-version', request.headers['stripe-version'] ?? version)
      checkKey(request.headers.authorization, settings.apiKeys['payment-b'])
    })
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      const details = error instanceof HttpError ? error.details : { type: 'api_error' }
      return reply
        .code(error.statusCode ?? 500)
        .send({ error: { type: 'invalid_request_error', ...details, message: error.message } })
    })
    // A not-found handler belongs to a prefix; without one it would apply to the whole simulator.
    if (app.prefix) {
      app.setNotFoundHandler(({ method, url }) => {
        throw new HttpError(404, `Unrecognized request URL (${method}: ${url}).`)
      })
    }

    app.post('/v1/checkout/sessions', async (request, reply) => {
      const form = formOf(request)
      const params = form.toString()
      const key = request.headers['idempotency-key']
      const first = [...store.checkouts.values()].find(({ idempotency }) => key && idempotency?.key === key)
      if (first && first.idempotency?.params !== params) {
        const message = 'Keys for idempotent requests can only be used with the parameters of their first request.'
        throw new HttpError(400, message, { type: 'idempotency_error' })
      }
      if (typeof key === 'string') reply.header('idempotency-key', key)
      if (first) reply.header('idempotent-replayed', 'true')
      const checkout = first ?? readSession(form, typeof key === 'string' ? { key, params } : null, store)
      store.saveCheckout(checkout)
      return sessionB(checkout, `${baseUrl()}/payment-b/checkout/${checkout.id}`)
    })

    listRoutesB(app, store, settings)

    app.post('/v1/billing_portal/sessions', async (request) => {
      const form = formOf(request)
      const customer = customerOf(store, required(form, 'customer'))
      const returnUrl = webUrl(form, 'return_url')
      store.saveCustomer(Object.assign(customer, { returnUrl }))
      return {
        id: newId('bps_1', 23),
        object: 'billing_portal.session',
        created: seconds(Date.now()),
        customer: customer.id,
        livemode: false,
        return_url: returnUrl,
        url: `${baseUrl()}/payment-b/portal/${customer.portal}`,
      }
    })
  }
}

function readSession(form: URLSearchParams, idempotency: Checkout['idempotency'], store: Store): Checkout {
  const mode = required(form, 'mode')
  if (mode !== 'payment' && mode !== 'subscription') {
    throw new HttpError(400, 'Invalid mode: must be one of payment or subscription', { param: 'mode' })
  }
  required(form, 'success_url')
  const price = required(form, 'line_items[0][price]')
  const product = productBy('payment-b', price)
  if (!product) throw missing('price', price, 'line_items[0][price]')
  if ((mode === 'subscription') !== product.months > 0) {
    const wanted = mode === 'payment' ? 'only one-time prices' : 'at least one recurring price'
    throw new HttpError(400, `You must provide ${wanted} in \`${mode}\` mode.`, { param: 'line_items' })
  }
  const customerId = form.get('customer')
  const known = customerId ? customerOf(store, customerId) : null
  const inner = mode === 'payment' ? 'payment_intent_data' : 'subscription_data'
  return newCheckout(
    {
      processor: 'payment-b',
      customerId,
      email: known?.email ?? form.get('customer_email'),
      keepsCustomer: form.get('customer_creation') === 'always',
      metadata: entriesOf(form, 'metadata'),
      innerMetadata: entriesOf(form, `${inner}[metadata]`),
      reference: form.get('client_reference_id'),
      successUrl: webUrl(form, 'success_url') ?? '',
      cancelUrl: webUrl(form, 'cancel_url'),
      idempotency,
    },
    product,
  )
}

/** The API does not know guests. */
function customerOf(store: Store, id: string): Customer {
  const customer = store.customers.get(id)
  if (customer?.processor !== 'payment-b' || customer.isGuest) throw missing('customer', id, 'customer')
  return customer
}

/** A body that is no form counts as one without fields. */
export const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams()

/** The fields `prefix[name]` by name. */
function entriesOf(form: URLSearchParams, prefix: string): Record<string, string> {
  const fields = [...form].filter(([name]) => name.startsWith(`${prefix}[`) && name.endsWith(']'))
  return Object.fromEntries(fields.map(([name, value]) => [name.slice(prefix.length + 1, -1), value]))
}

function required(form: URLSearchParams, param: string): string {
  const value = form.get(param)
  if (value) return value
  throw new HttpError(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param })
}

function webUrl(form: URLSearchParams, param: string): string | null {
  const url = form.get(param) || null
  if (url && !isWebUrl(url)) throw new HttpError(400, 'Not a valid URL', { code: 'url_invalid', param })
  return url
}

function checkKey(authorization: string | undefined, apiKey: string | null): void {
  const [scheme = '', credentials = ''] = authorization?.split(' ') ?? []
  const basic = Buffer.from(credentials, 'base64').toString('utf8').split(':')[0]
  const key = { basic, bearer: credentials }[scheme.toLowerCase()]
  if (!key) throw new HttpError(401, 'You did not provide an API key: send it as Authorization: Bearer.')
  if (apiKey && key !== apiKey) throw new HttpError(401, 'Invalid API Key provided.', { code: 'api_key_invalid' })
}

const missing = (object: string, id: string, param: string): HttpError =>
  new HttpError(400, `No such ${object}: '${id}'`, { code: 'resource_missing', param })

/**
 * payment-b's API as its official package calls it: form-encoded bodies, the key as Bearer or as the name of Basic,
 * `Idempotency-Key`, errors in its own shape, and a `request-id` on every response.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isWebUrl } from '../settings.ts'
import { ApiError } from './api-error.ts'
import type { PaymentContext } from './events.ts'
import { newId } from './ids.ts'
import { apiVersions, sessionB } from './objects-b.ts'
import type { Products } from './products.ts'
import { type Checkout, type CheckoutRequest, newCheckout, type Store } from './store.ts'

export function paymentBRoutes({ store, products, settings, baseUrl }: PaymentContext) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRequest', async (request, reply) => {
      reply.header('request-id', newId('req_', 14))
      reply.header('stripe-version', request.headers['stripe-version'] ?? apiVersions[settings.delivery.api])
      checkKey(request.headers.authorization, settings.apiKeys['payment-b'])
    })
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      const details = error instanceof ApiError ? error.details : { type: 'api_error' }
      return reply
        .code(error.statusCode ?? 500)
        .send({ error: { type: 'invalid_request_error', ...details, message: error.message } })
    })
    // A not-found handler belongs to a prefix; without one it would apply to the whole simulator.
    if (app.prefix) {
      app.setNotFoundHandler(({ method, url }) => {
        throw new ApiError(404, `Unrecognized request URL (${method}: ${url}).`)
      })
    }

    app.post('/v1/checkout/sessions', async (request, reply) => {
      const form = formOf(request)
      const params = form.toString()
      const key = request.headers['idempotency-key']
      const first = [...store.checkouts.values()].find(({ idempotency }) => key && idempotency?.key === key)
      if (first && first.idempotency?.params !== params) {
        const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`
        throw new ApiError(400, message, { type: 'idempotency_error' })
      }
      if (typeof key === 'string') reply.header('idempotency-key', key)
      if (first) reply.header('idempotent-replayed', 'true')
      const idempotency = typeof key === 'string' ? { key, params } : null
      const checkout = first ?? readSession(form, idempotency, store, products)
      store.saveCheckout(checkout)
      return sessionB(checkout, { products, baseUrl: baseUrl() }, null)
    })

    app.post('/v1/billing_portal/sessions', async (request) => {
      const form = formOf(request)
      const id = form.get('customer')
      if (!id) throw required('customer')
      const customer = store.customers.get(id)
      if (customer?.processor !== 'payment-b' || customer.isGuest) throw missing('customer', id, 'customer')
      const returnUrl = webUrl(form, 'return_url')
      store.saveCustomer(Object.assign(customer, { returnUrl }))
      return {
        id: newId('bps_1', 23),
        object: 'billing_portal.session',
        created: Math.floor(Date.now() / 1000),
        customer: id,
        livemode: false,
        return_url: returnUrl,
        url: `${baseUrl()}/payment-b/portal/${customer.portal}`,
      }
    })
  }
}

function readSession(
  form: URLSearchParams,
  idempotency: Checkout['idempotency'],
  store: Store,
  products: Products,
): Checkout {
  const mode = form.get('mode')
  if (mode === null) throw required('mode')
  if (mode !== 'payment' && mode !== 'subscription') {
    throw new ApiError(400, 'Invalid mode: must be one of payment or subscription', { param: 'mode' })
  }
  const successUrl = webUrl(form, 'success_url')
  if (!successUrl) throw required('success_url')
  const cancelUrl = webUrl(form, 'cancel_url')
  const price = form.get('line_items[0][price]')
  if (!price) throw required('line_items')
  const product = products.byProcessorId('payment-b', price)
  if (!product) throw missing('price', price, 'line_items[0][price]')
  if ((mode === 'subscription') !== product.months > 0) {
    const message =
      mode === 'payment'
        ? 'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.'
        : 'You must provide at least one recurring price in `subscription` mode when using prices.'
    throw new ApiError(400, message, { param: 'line_items' })
  }
  const customerId = form.get('customer')
  const known = store.customers.get(customerId ?? '')
  if (customerId && (known?.processor !== 'payment-b' || known.isGuest)) {
    throw missing('customer', customerId, 'customer')
  }
  const request: CheckoutRequest = {
    processor: 'payment-b',
    customerId,
    email: known?.email ?? form.get('customer_email'),
    keepsCustomer: form.get('customer_creation') === 'always',
    metadata: entriesOf(form, 'metadata'),
    innerMetadata: entriesOf(form, `${mode === 'payment' ? 'payment_intent_data' : 'subscription_data'}[metadata]`),
    reference: form.get('client_reference_id'),
    successUrl,
    cancelUrl,
    idempotency,
  }
  return newCheckout(request, product)
}

/** A body that is no form counts as one without fields. */
const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams()

/** The fields `prefix[name]` by name. */
const entriesOf = (form: URLSearchParams, prefix: string): Record<string, string> =>
  Object.fromEntries(
    [...form].flatMap(([name, value]) =>
      name.startsWith(`${prefix}[`) && name.endsWith(']') ? [[name.slice(prefix.length + 1, -1), value]] : [],
    ),
  )

function webUrl(form: URLSearchParams, param: string): string | null {
  const url = form.get(param) || null
  if (url && !isWebUrl(url)) throw new ApiError(400, 'Not a valid URL', { code: 'url_invalid', param })
  return url
}

function checkKey(authorization: string | undefined, apiKey: string | null): void {
  const [scheme = '', credentials = ''] = authorization?.split(' ') ?? []
  const basic = Buffer.from(credentials, 'base64').toString('utf8').split(':')[0]
  const key = { basic, bearer: credentials }[scheme.toLowerCase()]
  if (!key) throw new ApiError(401, 'You did not provide an API key: send it as Authorization: Bearer.')
  if (apiKey && key !== apiKey) throw new ApiError(401, 'Invalid API Key provided.', { code: 'api_key_invalid' })
}

const required = (param: string): ApiError =>
  new ApiError(400, `Missing required param: ${param}.`, { code: 'parameter_missing', param })
const missing = (object: string, id: string, param: string): ApiError =>
  new ApiError(400, `No such ${object}: '${id}'`, { code: 'resource_missing', param })

/**
 * What the service asks payment-b for, as its official package asks: form-encoded bodies, the key as Bearer or as the name
 * of Basic, `Idempotency-Key`, errors in its own shape, and a `request-id` on every answer.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Checkout, Customer, Payment } from './account.ts'
import { beginCheckout } from './checkout.ts'
import type { Desk } from './desk.ts'
import { type Form, readForm, textIn, textsIn } from './form.ts'
import { newName } from './name.ts'
import { apiVersions, sessionB } from './objects-b.ts'
import type { Product, Products } from './product.ts'

type Problem = { status: number; message: string; code?: string; param?: string; type?: string }

export function paymentBRoutes(desk: Desk) {
  const { accounts, products } = desk
  return async (app: FastifyInstance): Promise<void> => {
    const apiKey = desk.settings.apiKeys['payment-b']
    app.addHook('onRequest', async (request, reply) => {
      const version = request.headers['stripe-version']
      reply.header('request-id', newName('req_', 14))
      reply.header('stripe-version', typeof version === 'string' ? version : apiVersions[desk.settings.manner.api])
      const problem = keyProblem(request.headers.authorization, apiKey)
      if (problem) return refuse(reply, problem)
    })
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
      refuse(reply, { status: error.statusCode ?? 500, message: error.message, type: 'api_error' }),
    )
    // A handler for what is unknown belongs to a prefix; without one it would answer for the whole simulator.
    if (app.prefix) {
      app.setNotFoundHandler((request, reply) =>
        refuse(reply, { status: 404, message: `Unrecognized request URL (${request.method}: ${request.url}).` }),
      )
    }

    app.post('/v1/checkout/sessions', async (request, reply) => {
      const params = paramsOf(request)
      const name = request.headers['idempotency-key']
      const key = typeof name === 'string' ? { name, params: params.toString() } : null
      if (key) reply.header('idempotency-key', key.name)
      const before = key && [...accounts.checkouts.values()].find((each) => each.key?.name === key.name)
      if (before && before.key?.params !== key.params) return refuse(reply, reusedKey(key.name))
      if (before) {
        reply.header('idempotent-replayed', 'true')
        return sessionB(before, { products, baseUrl: desk.baseUrl() }, null)
      }
      const read = readSession(readForm(params), desk)
      if ('status' in read) return refuse(reply, read)
      return sessionB(beginCheckout(accounts, { ...read, key }), { products, baseUrl: desk.baseUrl() }, null)
    })

    app.get<{ Params: { id: string } }>('/v1/checkout/sessions/:id', async (request, reply) => {
      const { id } = request.params
      const checkout = accounts.checkouts.get(id)
      if (checkout?.processor !== 'payment-b')
        return refuse(reply, { ...missing('checkout.session', id, 'session'), status: 404 })
      return sessionB(checkout, { products, baseUrl: desk.baseUrl() }, payerOf(checkout))
    })

    app.post('/v1/billing_portal/sessions', async (request, reply) => {
      const form = readForm(paramsOf(request))
      const id = textIn(form, 'customer')
      if (!id) return refuse(reply, required('customer'))
      const customer = accounts.customers.get(id)
      if (customer?.processor !== 'payment-b' || customer.isGuest)
        return refuse(reply, missing('customer', id, 'customer'))
      const returnUrl = textIn(form, 'return_url')
      if (returnUrl && !isWebAddress(returnUrl)) return refuse(reply, notAnAddress('return_url'))
      accounts.saveCustomer(Object.assign(customer, { returnUrl }))
      return {
        id: newName('bps_1', 23),
        object: 'billing_portal.session',
        configuration: 'bpc_1simulator',
        created: Math.floor(Date.now() / 1000),
        customer: id,
        flow: null,
        livemode: false,
        locale: null,
        return_url: returnUrl,
        url: `${desk.baseUrl()}/payment-b/portal/${customer.portal}`,
      }
    })
  }

  function payerOf(checkout: Checkout): { customer: Customer; payment: Payment } | null {
    const customer = accounts.customers.get(checkout.customerId ?? '')
    const payment = customer?.payments.find((each) => each.checkoutId === checkout.id)
    return customer && payment ? { customer, payment } : null
  }
}

type Read = Parameters<typeof beginCheckout>[1]

function readSession(form: Form, { accounts, products }: Desk): Read | Problem {
  const mode = textIn(form, 'mode')
  if (mode !== 'payment' && mode !== 'subscription') {
    return mode === null
      ? required('mode')
      : { status: 400, message: 'Invalid mode: must be one of payment or subscription', param: 'mode' }
  }
  const successUrl = textIn(form, 'success_url')
  const cancelUrl = textIn(form, 'cancel_url')
  if (!successUrl) return required('success_url')
  if (!isWebAddress(successUrl)) return notAnAddress('success_url')
  if (cancelUrl && !isWebAddress(cancelUrl)) return notAnAddress('cancel_url')
  const product = productOf(form, products, mode)
  if ('status' in product) return product
  const customerId = textIn(form, 'customer')
  const known = accounts.customers.get(customerId ?? '')
  if (customerId && (known?.processor !== 'payment-b' || known.isGuest))
    return missing('customer', customerId, 'customer')
  const inner = mode === 'payment' ? 'payment_intent_data' : 'subscription_data'
  return {
    processor: 'payment-b',
    product,
    customerId,
    email: known?.email ?? textIn(form, 'customer_email'),
    keepsCustomer: textIn(form, 'customer_creation') === 'always',
    metadata: textsIn(form, 'metadata'),
    innerMetadata: textsIn(form, inner, 'metadata'),
    reference: textIn(form, 'client_reference_id'),
    successUrl,
    cancelUrl,
  }
}

function productOf(form: Form, products: Products, mode: 'payment' | 'subscription'): Product | Problem {
  const price = textIn(form, 'line_items', '0', 'price')
  if (!price) return required('line_items')
  const product = products.byProcessorId('payment-b', price)
  if (!product) return missing('price', price, 'line_items[0][price]')
  if (mode === 'payment' && product.months > 0) {
    return {
      status: 400,
      param: 'line_items',
      message:
        'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
    }
  }
  if (mode === 'subscription' && product.months === 0) {
    return {
      status: 400,
      param: 'line_items',
      message: 'You must provide at least one recurring price in `subscription` mode when using prices.',
    }
  }
  return product
}

/** A body that is no form counts as one without any field. */
const paramsOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams()

function keyProblem(authorization: string | undefined, apiKey: string | null): Problem | null {
  const [scheme = '', credentials = ''] = authorization?.split(' ') ?? []
  const given =
    scheme.toLowerCase() === 'basic'
      ? (Buffer.from(credentials, 'base64').toString('utf8').split(':')[0] ?? '')
      : scheme.toLowerCase() === 'bearer'
        ? credentials
        : ''
  if (!given) return { status: 401, message: 'You did not provide an API key: send it as Authorization: Bearer.' }
  if (apiKey && given !== apiKey) return { status: 401, message: 'Invalid API Key provided.', code: 'api_key_invalid' }
  return null
}

const isWebAddress = (text: string): boolean => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

const required = (param: string): Problem => ({
  status: 400,
  code: 'parameter_missing',
  message: `Missing required param: ${param}.`,
  param,
})
const missing = (what: string, id: string, param: string): Problem => ({
  status: 400,
  code: 'resource_missing',
  message: `No such ${what}: '${id}'`,
  param,
})
const notAnAddress = (param: string): Problem => ({
  status: 400,
  code: 'url_invalid',
  message: 'Not a valid URL',
  param,
})
const reusedKey = (name: string): Problem => ({
  status: 400,
  type: 'idempotency_error',
  message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${name}' if you meant to execute a different request.`,
})

function refuse(reply: FastifyReply, { status, type = 'invalid_request_error', ...rest }: Problem): FastifyReply {
  return reply.code(status).send({ error: { ...rest, type } })
}

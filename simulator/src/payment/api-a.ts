/**
 * payment-a's API as the service calls it: JSON, key in `x-api-key`. A checkout, the URL of a customer's portal, and what
 * reconciliation reads: transactions in pages, and one checkout or subscription by its id.
 */
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { isWebUrl } from '../settings.ts'
import type { PaymentContext } from './events.ts'
import { checkoutA, subscriptionA, transactionA } from './objects-a.ts'
import { productBy } from './products.ts'
import { newCheckout, newId } from './store.ts'

type CheckoutBody = Partial<Record<'product_id' | 'success_url' | 'request_id', unknown>> & {
  metadata?: Record<string, unknown>
  customer?: { id?: string; email?: string }
}

const PAGE_MAX = 100
const errorNames: Record<number, string> = { 400: 'Bad Request', 403: 'Forbidden', 404: 'Not Found' }
const refusal = (status: 400 | 403 | 404, message: string) => new HTTPException(status, { message })

export function paymentARoutes({ store, settings, baseUrl }: PaymentContext) {
  const app = new Hono()
  const apiKey = settings.apiKeys['payment-a']
  app.use('/v1/*', async (c, next) => {
    const key = c.req.header('x-api-key')
    if (!key || (apiKey && key !== apiKey)) throw refusal(403, '')
    await next()
  })
  app.onError((error, c) => {
    const status = error instanceof HTTPException ? (error.status as ContentfulStatusCode) : 400
    const details = { error: errorNames[status], message: error.message.split('\n'), timestamp: Date.now() }
    return c.json({ trace_id: newId(''), status, ...details }, status)
  })

  app.post('/v1/checkouts', async (c) => {
    const { product_id, success_url, metadata = {}, customer, request_id } = await c.req.json<CheckoutBody>()
    const isUrl = success_url === undefined || isWebUrl(String(success_url))
    const problems = [
      ...(typeof product_id === 'string' ? [] : ['product_id must be a string']),
      ...(isUrl ? [] : ['success_url must be a URL address']),
    ]
    if (problems.length > 0) throw refusal(400, problems.join('\n'))
    const product = productBy('payment-a', String(product_id))
    if (!product) throw refusal(404, 'Product not found')
    const known = customer?.id === undefined ? null : customerOf(customer.id)
    const texts = Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, String(value)]))
    const checkout = newCheckout(
      {
        processor: 'payment-a',
        customerId: known?.id ?? null,
        email: known?.email ?? customer?.email ?? null,
        metadata: texts,
        innerMetadata: texts,
        reference: typeof request_id === 'string' ? request_id : null,
        successUrl: String(success_url ?? ''),
      },
      product,
    )
    store.saveCheckout(checkout)
    return c.json({ ...checkoutA(checkout, null), checkout_url: `${baseUrl()}/payment-a/checkout/${checkout.id}` })
  })

  app.post('/v1/customers/billing', async (c) => {
    const { customer_id } = await c.req.json<{ customer_id?: string }>()
    return c.json({ customer_portal_link: `${baseUrl()}/payment-a/portal/${customerOf(customer_id).portal}` })
  })

  app.get('/v1/transactions/search', (c) => {
    const [page, size] = [Number(c.req.query('page_number') ?? 1), Number(c.req.query('page_size') ?? 10)]
    if (!(page >= 1 && size >= 1 && size <= PAGE_MAX)) throw refusal(400, 'page_number and page_size must be positive')
    const paid = store.paymentsOf('payment-a').filter(({ payment }) => payment.paidAt !== null)
    const all = paid.sort((a, b) => Number(b.payment.paidAt) - Number(a.payment.paidAt))
    const pages = Math.ceil(all.length / size)
    return c.json({
      items: all.slice((page - 1) * size, page * size).map(({ customer, payment }) => transactionA(customer, payment)),
      pagination: { total_records: all.length, total_pages: pages, next_page: page < pages ? page + 1 : null },
    })
  })

  app.get('/v1/checkouts', (c) => {
    const checkout = store.checkouts.get(c.req.query('checkout_id') ?? '')
    if (checkout?.processor !== 'payment-a') throw refusal(404, 'Checkout not found')
    const paid = store.paymentsOf('payment-a').find(({ payment }) => payment.checkoutId === checkout.id)
    return c.json(checkoutA(checkout, paid ?? null))
  })

  app.get('/v1/subscriptions', (c) => {
    const found = store.subscriptionOf('payment-a', c.req.query('subscription_id'))
    if (!found) throw refusal(404, 'Subscription not found')
    return c.json(subscriptionA(found.customer, found.subscription))
  })
  return app

  function customerOf(id: string | undefined) {
    const customer = store.customers.get(String(id))
    if (customer?.processor !== 'payment-a') throw refusal(404, 'Customer not found')
    return customer
  }
}

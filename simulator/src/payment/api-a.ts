/**
 * payment-a's API as the service calls it: JSON, key in `x-api-key`. A checkout, the URL of a customer's portal, and what
 * reconciliation reads: transactions in pages, and one checkout or subscription by its id.
 */
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { type Context, isWebUrl } from '../settings.ts'
import { checkoutA, subscriptionA, transactionA } from './objects-a.ts'
import { productBy } from './products.ts'
import { found, refusal } from './refusal.ts'
import { newCheckout, newId, type Store } from './store.ts'

type CheckoutBody = Partial<Record<'product_id' | 'success_url' | 'request_id', string>> & {
  metadata?: Record<string, string>
  customer?: { id?: string; email?: string }
}

export function paymentARoutes({ store, settings, baseUrl }: Context & { store: Store }) {
  const app = new Hono()
  const customerBy = (id?: string) => found(store.customerBy('payment-a', id), missing('Customer'))
  const { apiKey } = settings.payment['payment-a']
  app.use('/v1/*', async (c, next) => {
    const key = c.req.header('x-api-key')
    if (!key || (apiKey && key !== apiKey)) throw refusal(403, 'Forbidden')
    await next()
  })
  app.onError((error, c) => {
    const status = error instanceof HTTPException ? error.status : 500
    return c.json({ trace_id: newId(''), status, message: error.message.split('\n'), timestamp: Date.now() }, status)
  })

  app.post('/v1/checkouts', async (c) => {
    const { product_id, success_url = '', metadata = {}, customer, request_id } = await c.req.json<CheckoutBody>()
    const problems = typeof product_id === 'string' ? [] : ['product_id must be a string']
    if (success_url !== '' && !isWebUrl(success_url)) problems.push('success_url must be a URL address')
    if (problems.length > 0) throw refusal(400, problems.join('\n'))
    const product = found(productBy('payment-a', String(product_id)), missing('Product'))
    const known = customer?.id === undefined ? null : customerBy(customer.id)
    const checkout = newCheckout({
      processor: 'payment-a',
      productId: product.id,
      customerId: known?.id ?? null,
      email: known?.email ?? customer?.email ?? null,
      metadata,
      reference: request_id ?? null,
      successUrl: success_url,
    })
    store.saveCheckout(checkout)
    return c.json({ ...checkoutA(checkout), checkout_url: `${baseUrl()}/payment-a/checkout/${checkout.id}` })
  })

  app.post('/v1/customers/billing', async (c) => {
    const { customer_id } = await c.req.json<{ customer_id?: string }>()
    const { portal } = customerBy(customer_id)
    return c.json({ customer_portal_link: `${baseUrl()}/payment-a/portal/${portal}` })
  })

  app.get('/v1/transactions/search', (c) => {
    const [page, size] = [Number(c.req.query('page_number') ?? 1), Number(c.req.query('page_size') ?? 10)]
    const paid = store.paymentsOf('payment-a').filter(({ payment }) => payment.paidAt !== null)
    const all = paid.sort((a, b) => Number(b.payment.paidAt) - Number(a.payment.paidAt))
    const items = all.slice((page - 1) * size, page * size)
    return c.json({
      items: items.map(({ customer, payment }) => transactionA(customer, payment)),
      pagination: { total_records: all.length, next_page: page * size < all.length ? page + 1 : null },
    })
  })

  app.get('/v1/checkouts', (c) => {
    const checkout = found(store.checkoutBy('payment-a', c.req.query('checkout_id')), missing('Checkout'))
    const paid = store.paymentsOf('payment-a').find(({ payment }) => payment.checkoutId === checkout.id)
    return c.json(checkoutA(checkout, paid))
  })

  app.get('/v1/subscriptions', (c) => {
    const id = c.req.query('subscription_id')
    const { customer, subscription } = found(store.subscriptionBy('payment-a', id), missing('Subscription'))
    return c.json(subscriptionA(customer, subscription))
  })
  return app
}

const missing = (what: string) => refusal(404, `${what} not found`)

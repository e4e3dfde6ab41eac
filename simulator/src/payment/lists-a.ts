/** payment-a's reads: the search of transactions, in pages, and one checkout or subscription by its id. */
import type { FastifyInstance } from 'fastify'
import { HttpError } from './http-error.ts'
import { completedCheckoutA, subscriptionA, transactionA } from './objects-a.ts'
import { productById } from './products.ts'
import type { Store } from './store.ts'

type Query = Partial<Record<string, string>>

const PAGE_MAX = 100

export function listRoutesA(app: FastifyInstance, store: Store): void {
  app.get<{ Querystring: Query }>('/v1/transactions/search', async ({ query }) => {
    const [page, size] = [wholeNumber(query, 'page_number', 1), Math.min(PAGE_MAX, wholeNumber(query, 'page_size', 10))]
    const all = store
      .paymentsOf('payment-a')
      .filter(({ payment }) => payment.paidAt !== null)
      .filter(({ customer, payment }) => {
        const productIds = productById(payment.productId).processorIds['payment-a']
        return (
          (!query.customer_id || query.customer_id === customer.id) &&
          (!query.order_id || query.order_id === payment.orderId) &&
          (!query.product_id || productIds.includes(query.product_id))
        )
      })
      .sort((a, b) => Number(b.payment.paidAt) - Number(a.payment.paidAt))
    const pages = Math.ceil(all.length / size)
    return {
      items: all.slice((page - 1) * size, page * size).map(({ customer, payment }) => ({
        ...transactionA(customer, payment),
        mode: 'test',
      })),
      pagination: {
        total_records: all.length,
        total_pages: pages,
        current_page: page,
        next_page: page < pages ? page + 1 : null,
        prev_page: page > 1 ? page - 1 : null,
      },
    }
  })

  app.get<{ Querystring: Query }>('/v1/checkouts', async ({ query }) => {
    const checkout = store.checkouts.get(query.checkout_id ?? '')
    if (checkout?.processor !== 'payment-a') throw new HttpError(404, 'Checkout not found')
    const paid = store.paymentsOf('payment-a').find(({ payment }) => payment.checkoutId === checkout.id)
    return completedCheckoutA(checkout, paid ?? null)
  })

  app.get<{ Querystring: Query }>('/v1/subscriptions', async ({ query }) => {
    const found = store.findSubscription('payment-a', query.subscription_id)
    if (!found) throw new HttpError(404, 'Subscription not found')
    return subscriptionA(found.customer, found.subscription)
  })
}

function wholeNumber(query: Query, name: string, fallback: number): number {
  const value = Number(query[name] ?? fallback)
  if (Number.isInteger(value) && value >= 1) return value
  throw new HttpError(400, `${name} must be a positive number`)
}

/** payment-a, which speaks the dialect of Creem. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { App } from '../../app.ts'
import type { PaymentSettings } from '../../config/config.ts'
import { openHttpClient } from '../../net/http-client.ts'
import { at, textAt } from '../../text/json-reader.ts'
import { dateAt, idAt, type Mode } from '../effect.ts'
import { processorId } from '../plans.ts'
import {
  PAGE_TIMEOUT_S,
  type PaymentClient,
  type PaymentDocument,
  type PaymentProcessor,
  type ReceivedWebhook,
  successUrl,
  UnknownCustomer,
} from '../processor.ts'
import { accountA, SUBSCRIPTION } from './account.ts'
import { noticeOf, noticeTypes, pageOf, refund } from './desk.ts'
import { paidIn, translateA } from './events.ts'
import { movementsA } from './movements.ts'

const headersOf = ({ apiKey }: PaymentSettings) => ({ 'x-api-key': apiKey })

export const paymentA: PaymentProcessor = {
  webhookPath: '/api/auth/payment-a/webhook',
  verify,
  translate: translateA,
  modeOf,
  headersOf,
  paths: { probe: '/v1/transactions/search?page_number=1&page_size=1', subscription: SUBSCRIPTION },
  readAccount: accountA,
  readMovements: movementsA,
  open,
  refund,
  noticeTypes,
  noticeOf,
  pageOf,
}

/**
 * The header `creem-signature` is the lower-case hex HMAC-SHA256 of the raw body. It contains no timestamp, so replays
 * are detected by the stored event ids only.
 */
function verify({ body, headers, secret }: ReceivedWebhook): boolean {
  const expected = Buffer.from(createHmac('sha256', secret).update(body).digest('hex'))
  // Compared as bytes: strings of equal length may differ in bytes, and timingSafeEqual throws on unequal lengths.
  const given = Buffer.from(String(headers['creem-signature'] ?? ''))
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** Keys begin with `creem_test_` or `creem_`; the test API has its own host. A webhook secret shows no mode. */
function modeOf({ apiKey, url }: PaymentSettings): Mode | null {
  if (apiKey.startsWith('creem_test_')) return 'test'
  if (apiKey.startsWith('creem_')) return 'live'
  return hosts[URL.parse(url)?.hostname ?? ''] ?? null
}

const hosts: Record<string, Mode> = { 'test-api.creem.io': 'test', 'api.creem.io': 'live' }

function open(app: App, settings: PaymentSettings): PaymentClient {
  const client = openHttpClient(PAGE_TIMEOUT_S)
  const documents = async (customer: string): Promise<PaymentDocument[]> => {
    const query = new URLSearchParams({ customer_id: customer, page_number: '1', page_size: '100' })
    const result = await client.call('GET', `${settings.url}/v1/transactions/search?${query}`, {
      headers: headersOf(settings),
    })
    if (result.kind !== 'response') throw new Error(result.reason)
    if (result.status === 404) throw new UnknownCustomer('HTTP 404')
    const items = result.status < 300 ? at(result.body, 'items') : null
    if (!Array.isArray(items)) throw new Error(`HTTP ${result.status}`)
    return items.flatMap((each) => {
      const [id, createdAt] = [idAt(each), dateAt(each, 'created_at')]
      const amount = paidIn(each)
      if (id === null || createdAt === null || amount === null) return []
      const currency = textAt(each, 'currency') ?? 'USD'
      const status = textAt(each, 'status') ?? 'paid'
      return [{ id, number: null, status, amount, currency, createdAt, url: null, pdfUrl: null }]
    })
  }
  const post = async (path: string, request: object, field: string, customer: string | null) => {
    const options = { headers: headersOf(settings), body: JSON.stringify(request) }
    const result = await client.call('POST', `${settings.url}${path}`, options)
    if (result.kind !== 'response') throw new Error(result.reason)
    const { status, body } = result
    if (customer !== null && status === 404) throw new UnknownCustomer('HTTP 404')
    const page = status < 300 ? textAt(body, field) : null
    if (!page) throw new Error(`HTTP ${status}`)
    return { url: page, id: idAt(body) }
  }
  return {
    checkout: async (product, offer, user, customer) => {
      const request = {
        product_id: processorId(product, 'payment-a'),
        success_url: successUrl(app, product, user),
        request_id: `${user.userId}.${app.now().getTime()}`,
        customer: customer === null ? { email: user.email } : { id: customer },
        // events.ts says what the payer is for.
        metadata: { referenceId: user.userId, offer, ...(user.payerId !== user.userId && { payerId: user.payerId }) },
      }
      return await post('/v1/checkouts', request, 'checkout_url', customer)
    },
    portal: (customer) => post('/v1/customers/billing', { customer_id: customer }, 'customer_portal_link', customer),
    documents,
    preview: null,
    offSession: null,
    close: client.close,
  }
}

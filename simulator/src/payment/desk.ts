/**
 * From what happened to the events that tell of it: named, written down together with the change itself, and sent. What
 * is answered to the person who did it is what was sent.
 */
import type { Manner, PaymentSettings } from '../settings.ts'
import type { Accounts, Customer, SentEvent } from './account.ts'
import type { Draft, Happening } from './happening.ts'
import { newName } from './name.ts'
import { apiVersions } from './objects-b.ts'
import type { Outbox } from './outbox.ts'
import type { Products } from './product.ts'
import { draftsA } from './words-a.ts'
import { draftsB } from './words-b.ts'

export type Desk = {
  accounts: Accounts
  products: Products
  outbox: Outbox
  settings: PaymentSettings
  /** Without a slash at the end; known once the program listens. */
  baseUrl: () => string
}

/** Writes down what happened and sends its events. @returns the events, in the order in which they were made */
export async function tell(desk: Desk, happening: Happening, manner: Manner): Promise<SentEvent[]> {
  const { customer } = happening
  const drafts =
    customer.processor === 'payment-a'
      ? draftsA(happening, desk.products, manner.spelling)
      : draftsB(happening, { products: desk.products, api: manner.api, baseUrl: desk.baseUrl() })
  const subscription = 'subscription' in happening ? happening.subscription : null
  const state = !desk.settings.webhooks[customer.processor].url ? 'kept' : manner.hold ? 'held' : 'waiting'
  const events = drafts.map(
    (draft): SentEvent => ({
      ...written(customer, draft, manner),
      type: draft.type,
      subscriptionId: subscription?.id ?? null,
      at: draft.at,
      state,
      attempts: 0,
      nextAt: null,
      deliveries: [],
    }),
  )
  customer.events.push(...events)
  // Somebody whose card was declined before they ever paid is not worth remembering where nothing is said of it.
  if (desk.accounts.customers.has(customer.id) || events.length > 0) desk.accounts.saveCustomer(customer)
  if ('checkout' in happening && happening.what !== 'declined') {
    desk.accounts.saveCheckout(Object.assign(happening.checkout, { state: 'complete' }))
  }
  await desk.outbox.send(customer, events, manner)
  return events
}

function written({ processor }: Customer, draft: Draft, manner: Manner): Pick<SentEvent, 'id' | 'body'> {
  if (processor === 'payment-a') {
    const id = newName('evt_')
    return { id, body: JSON.stringify({ id, eventType: draft.type, created_at: draft.at, object: draft.object }) }
  }
  const id = newName('evt_1', 23)
  const event = {
    id,
    object: 'event',
    api_version: apiVersions[manner.api],
    created: Math.floor(draft.at / 1000),
    data: { object: draft.object, ...(draft.previous ? { previous_attributes: draft.previous } : {}) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: draft.type,
  }
  return { id, body: JSON.stringify(event, null, 2) }
}

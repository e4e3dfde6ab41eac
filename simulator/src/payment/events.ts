/** From the steps of an operation to events: built, stored together with the change itself, and sent. */
import type { Delivery, PaymentSettings } from '../settings.ts'
import { newId } from './ids.ts'
import { objectA } from './objects-a.ts'
import { apiVersions, objectB, seconds } from './objects-b.ts'
import type { Facts, Step, Steps } from './operations.ts'
import type { Outbox } from './outbox.ts'
import type { Products } from './products.ts'
import type { SentEvent, Store } from './store.ts'

export type PaymentContext = {
  store: Store
  products: Products
  outbox: Outbox
  settings: PaymentSettings
  /** Without a slash at the end; known once the simulator listens. */
  baseUrl: () => string
}

/** payment-a's events of one operation all fall into the second before the next operation, see clock.ts. */
const GAP_MS = 250

/** Names of the specification where they differ from those really sent. It has no name for a paid period. */
const specifiedNames: Record<string, string> = {
  'subscription.active': 'subscription.created',
  'subscription.paid': 'subscription.updated',
  'subscription.update': 'subscription.updated',
  'subscription.past_due': 'subscription.updated',
  'subscription.scheduled_cancel': 'subscription.updated',
  'subscription.canceled': 'subscription.cancelled',
}

/** Stores an operation and its events, and sends them. @returns the events, in the order in which they were built */
export async function publish(
  context: PaymentContext,
  facts: Facts,
  steps: Steps,
  delivery: Delivery,
): Promise<SentEvent[]> {
  const { customer } = facts
  const { store, settings } = context
  const isA = customer.processor === 'payment-a'
  const drafts = isA
    ? draftsA(steps['payment-a'], facts, context, delivery)
    : draftsB(steps['payment-b'], facts, context, delivery)
  const state = !settings.webhooks[customer.processor].url ? 'kept' : delivery.hold ? 'held' : 'waiting'
  const events = drafts.map((draft): SentEvent => ({ ...draft, state, attempts: 0, nextAt: null, deliveries: [] }))
  customer.events.push(...events)
  // payment-a sends no event for a declined card, so that a payer who never paid is not stored.
  if (store.customers.has(customer.id) || facts.payment || events.length > 0) store.saveCustomer(customer)
  if (facts.checkout && facts.payment) store.saveCheckout(Object.assign(facts.checkout, { state: 'complete' }))
  await context.outbox.send(customer, events, delivery)
  return events
}

type Draft = Pick<SentEvent, 'id' | 'type' | 'at' | 'body'>

function draftsA(steps: Step[], facts: Facts, { products }: PaymentContext, { names }: Delivery): Draft[] {
  const built = objectsOf(steps, (type) => objectA(type, facts, products))
  const isPaid = built.some(({ type }) => type === 'subscription.paid')
  const isFirst = built.some(({ type }) => type === 'subscription.active')
  const spelled =
    names === 'sent'
      ? built
      : built
          // The specification has one event for each paid period.
          .filter(({ type }) => !(isPaid && ['subscription.active', 'subscription.update'].includes(type)))
          .map(({ type, object }) => ({
            type: isFirst && type === 'subscription.paid' ? 'subscription.created' : (specifiedNames[type] ?? type),
            object,
          }))
  return spelled.map(({ type, object }, index) => {
    const [id, at] = [newId('evt_'), facts.at + index * GAP_MS]
    return { id, type, at, body: JSON.stringify({ id, eventType: type, created_at: at, object }) }
  })
}

function draftsB(steps: Step[], facts: Facts, { products, baseUrl }: PaymentContext, { api }: Delivery): Draft[] {
  let { at } = facts
  const context = { products, api, baseUrl: baseUrl() }
  return objectsOf(steps, (type) => objectB(type, facts, context)).map(({ type, object }) => {
    if (type.startsWith('invoice')) at = facts.billedAt ?? at
    const id = newId('evt_1', 23)
    const event = {
      id,
      object: 'event',
      api_version: apiVersions[api],
      created: seconds(at),
      data: { object },
      livemode: false,
      type,
    }
    return { id, type, at, body: JSON.stringify(event, null, 2) }
  })
}

function objectsOf(steps: Step[], build: (type: string) => object | null): { type: string; object: object }[] {
  return steps.flatMap((step) => {
    const [type, fields] = typeof step === 'string' ? [step, {}] : step
    const object = build(type)
    return object ? [{ type, object: { ...object, ...fields } }] : []
  })
}

/** From an operation to its events: built, stored together with the change itself, and sent. */
import type { Delivery, PaymentSettings } from '../settings.ts'
import { HttpError } from './http-error.ts'
import { objectA } from './objects-a.ts'
import { generations, objectB, seconds } from './objects-b.ts'
import type { Facts, Operation, Step } from './operations.ts'
import type { Outbox } from './outbox.ts'
import type { Product } from './products.ts'
import { newId, type PaymentEvent, type Store } from './store.ts'

export type PaymentContext = {
  store: Store
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

/** The records before an operation. */
export type Records = Omit<Facts, 'at'> & { next?: Product | undefined }

/**
 * Changes the records, stores them with the events of the change, and sends the events.
 * @returns the events in the order in which they were built; @throws HttpError 409 when the operation is not possible
 */
export async function operate<Target>(
  context: PaymentContext,
  operation: Operation<Target>,
  target: Target,
  { next, ...records }: Records,
  delivery: Delivery,
): Promise<{ facts: Facts; events: PaymentEvent[] }> {
  const { customer } = records
  const { store, settings } = context
  const { processor } = customer
  const [isPossible, refusal] = operation.when ?? []
  if (isPossible?.(target, processor) === false) throw new HttpError(409, String(refusal))
  const steps = typeof operation.events === 'function' ? operation.events(target) : operation.events
  const facts: Facts = { ...records, ...operation.apply(target, customer, next) }
  const draftsOf = processor === 'payment-a' ? draftsA : draftsB
  const drafts = draftsOf(steps[processor], facts, delivery)

  const state = !settings.webhooks[processor].url ? 'kept' : stateBefore(delivery)
  const events = drafts.map((draft): PaymentEvent => ({ ...draft, state, attempts: 0, nextAt: null, deliveries: [] }))
  customer.events.push(...events)
  // payment-a sends no event for a declined card, so that a payer who never paid is not stored.
  if (store.customers.has(customer.id) || facts.payment || events.length > 0) store.saveCustomer(customer)
  if (facts.checkout && facts.payment) store.saveCheckout(Object.assign(facts.checkout, { state: 'complete' }))
  await context.outbox.send(customer, events, delivery)
  return { facts, events }
}

const stateBefore = ({ chaos }: Delivery) =>
  chaos.includes('drop') ? 'dropped' : chaos.includes('hold') ? 'held' : 'waiting'

type Draft = Pick<PaymentEvent, 'id' | 'type' | 'at' | 'body'>
type Built = { type: string; object: object }

function draftsA(steps: Step[], facts: Facts, { names }: Delivery): Draft[] {
  const built = objectsOf(steps, (type) => objectA(type, facts))
  return (names === 'sent' ? built : specified(built)).map(({ type, object }, index) => {
    const [id, at] = [newId('evt_'), facts.at + index * GAP_MS]
    return { id, type, at, body: JSON.stringify({ id, eventType: type, created_at: at, object }) }
  })
}

/** The specification has one event for each paid period. */
function specified(built: Built[]): Built[] {
  const events: Built[] = []
  for (const { type, object } of built) {
    const before = events.at(-1)
    if (type === 'subscription.paid' && before?.type.startsWith('subscription.')) before.object = object
    else events.push({ type: specifiedNames[type] ?? type, object })
  }
  return events
}

function draftsB(steps: Step[], facts: Facts, { api }: Delivery): Draft[] {
  let { at } = facts
  const generation = generations[api]
  return objectsOf(steps, (type) => objectB(type, facts, generation)).map(({ type, object }) => {
    if (type.startsWith('invoice')) at = facts.billedAt ?? at
    const id = newId('evt_1', 23)
    const created = seconds(at)
    const { version } = generation
    const event = { id, object: 'event', api_version: version, created, data: { object }, livemode: false, type }
    return { id, type, at, body: JSON.stringify(event, null, 2) }
  })
}

function objectsOf(steps: Step[], build: (type: string) => object | null): Built[] {
  return steps.flatMap((step) => {
    const [type, fields] = typeof step === 'string' ? [step, {}] : step
    const object = build(type)
    return object ? [{ type, object: { ...object, ...fields } }] : []
  })
}

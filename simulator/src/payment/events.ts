/**
 * Runs operations and sends their events: signed as each processor signs, one after another, retried on the processor's documented
 * schedule until they are answered 200, and carried on after a restart.
 */
import { createHmac } from 'node:crypto'
import { attempt, deliver } from '../deliveries.ts'
import type { Context } from '../settings.ts'
import { API_VERSION, objectB, seconds } from './objects-b.ts'
import type { Operation, OperationContext } from './operations.ts'
import { objectA } from './payment-a.ts'
import type { Processor } from './products.ts'
import { advance, type Customer, newId, type PaymentEvent, refusal, type Store } from './store.ts'

export type PaymentContext = Context & { store: Store; events: ReturnType<typeof openEvents> }
/** The records that an operation works on. */
type OperationSubject = Omit<OperationContext, 'isA' | 'at' | 'send'>

/** Delays before each retry; then the processor gives up. payment-b's add up to just under three days. */
const RETRY_AFTER_S: Record<Processor, number[]> = {
  'payment-a': [30, 60, 300, 3600],
  'payment-b': [60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 72_000],
}
/** payment-a's events of one operation all fall into the second before the next operation. */
const GAP_MS = 250

export function openEvents(store: Store, context: Context) {
  const settings = context.settings.payment
  const routeTo = (customer: Customer, url = settings[customer.processor].url) => ({
    context,
    retryAfterS: RETRY_AFTER_S[customer.processor],
    write: ({ id, type, body }: PaymentEvent) => {
      const { processor } = customer
      const label = `${processor} ${id} ${type}`
      return { label, url, body, signature: signatureOf(processor, body, settings[processor].secret) }
    },
    isReceived: (status: number | null) => status === 200,
    save: () => store.saveCustomer(customer),
  })

  return {
    /** Makes one attempt now, at another address with `url`. @returns the HTTP status, null without a response */
    deliver: (customer: Customer, event: PaymentEvent, url?: string) => attempt(event, routeTo(customer, url)),
    /**
     * Changes the records, stores them with the events of the change, and sends the events.
     * @returns the events, each attempted once; @throws HTTPException 409 when it is not possible
     */
    operate: async <Target>(operation: Operation<Target>, target: Target, subject: OperationSubject) => {
      const { customer } = subject
      const isA = customer.processor === 'payment-a'
      const [, isPossible, run, ...types] = operation
      if (!isPossible(target, isA)) throw refusal(409, 'This is not possible now; the page has no button for it.')
      const state = settings[customer.processor].url ? 'waiting' : 'kept'
      const events: PaymentEvent[] = []
      const context: OperationContext = {
        ...subject,
        isA,
        at: advance(subject.subscription ?? customer),
        send: (...types) => {
          for (const type of types) {
            const event = draft(type, context, events.length)
            if (event) events.push({ ...event, state, deliveries: [] })
          }
        },
      }
      run(target, context)
      context.send(...types)
      customer.events.push(...events)
      // payment-a sends no event for a declined card, so that a payer who never paid is not stored.
      if (store.customers.has(customer.id) || context.payment || events.length > 0) store.saveCustomer(customer)
      if (context.checkout) store.saveCheckout(context.checkout)
      await deliver(events, routeTo(customer))
      return events
    },
    /** Takes up the deliveries that a stopped process left. */
    resume: (): void => {
      for (const customer of store.customers.values()) deliver(customer.events, routeTo(customer))
    },
  }
}

/** @returns the event, null when the processor has none of this type. @param n of earlier events of the operation */
function draft(type: string, context: OperationContext, n: number) {
  const [id, isA] = [newId('evt_'), context.isA]
  const at = isA ? context.at + n * GAP_MS : context.at
  const object = isA ? objectA(type, context) : objectB(type, context)
  const headB = { id, object: 'event', api_version: API_VERSION, created: seconds(at), livemode: false, type }
  const event = isA ? { id, eventType: type, created_at: at, object } : { ...headB, data: { object } }
  return object && { id, type, at, body: JSON.stringify(event) }
}

/** payment-b's signature carries the time of sending, which is the real one, however far ahead the event's own is. */
function signatureOf(processor: Processor, body: string, secret: string): Record<string, string> {
  const hmac = (text: string): string => createHmac('sha256', secret).update(text).digest('hex')
  if (processor === 'payment-a') return { 'creem-signature': hmac(body) }
  const sentAt = Math.floor(Date.now() / 1000)
  return { 'stripe-signature': `t=${sentAt},v1=${hmac(`${sentAt}.${body}`)}` }
}

/**
 * Runs operations and sends their events: signed as each processor signs, one after another, retried on the processor's
 * documented schedule until they are answered 200, and carried on after a restart.
 */
import { attempt, deliver } from '../deliveries.ts'
import type { Context } from '../settings.ts'
import { type Operation, paymentOperations } from './operations.ts'
import type { OperationContext } from './processor.ts'
import { processorOf } from './processors.ts'
import { advance, type Customer, found, newId, type Paid, type PaymentEvent, refusal, type Store } from './store.ts'

export type PaymentContext = Context & { store: Store; events: ReturnType<typeof openEvents> }
/** The records that an operation works on. */
type OperationSubject = Omit<OperationContext, 'processor' | 'at' | 'send'>

export function openEvents(store: Store, context: Context) {
  const settingsOf = ({ processor }: Customer) => context.settings.payment(processor)
  const routeTo = (customer: Customer, url = settingsOf(customer).url) => ({
    context,
    retryAfterS: processorOf(customer).retryAfterS,
    write: ({ id, type, body }: PaymentEvent) => {
      const signature = processorOf(customer).sign(body, settingsOf(customer).secret, Date.now())
      return { label: `${customer.processor} ${id} ${type}`, url, body, signature }
    },
    isReceived: (status: number | null) => status === 200,
    save: () => store.saveCustomer(customer),
  })

  const events = {
    /** Makes one attempt now, at another address with `url`. @returns the HTTP status, null without a response */
    deliver: (customer: Customer, event: PaymentEvent, url?: string) => attempt(event, routeTo(customer, url)),
    /**
     * Changes the records, stores them with the events of the change, and sends the events.
     * @returns the events, each attempted once; @throws HTTPException 409 when it is not possible
     */
    operate: async <Target>(operation: Operation<Target>, target: Target, subject: OperationSubject) => {
      const { customer } = subject
      const processor = processorOf(customer)
      const [, isPossible, run, ...types] = operation
      if (!isPossible(target, processor.rules))
        throw refusal(409, 'This is not possible now; the page has no button for it.')
      const state = settingsOf(customer).url ? 'waiting' : 'kept'
      const events: PaymentEvent[] = []
      const context: OperationContext = {
        ...subject,
        processor,
        at: advance(subject.subscription ?? customer),
        send: (...types) => {
          for (const type of types) {
            const id = newId('evt_')
            const event = processor.event(id, type, context, events.length)
            if (event) events.push({ id, type, at: event.at, body: JSON.stringify(event.body), state, deliveries: [] })
          }
        },
      }
      run(target, context)
      context.send(...types)
      customer.events.push(...events)
      // A processor may send no event for a declined card: a payer who never paid is not stored.
      if (store.customers.has(customer.id) || context.payment || events.length > 0) store.saveCustomer(customer)
      if (context.checkout) store.saveCheckout(context.checkout)
      await deliver(events, routeTo(customer))
      return events
    },
    /** Takes up the deliveries that a stopped process left. */
    resume: (): void => {
      for (const customer of store.customers.values()) deliver(customer.events, routeTo(customer))
    },
    payInvoice: async ({ customer, payment }: Paid): Promise<unknown> => {
      const confirm = paymentOperations.find(([name]) => name === 'confirm')
      const operation = found(confirm, refusal(404, 'There is no such operation.'))
      return await events.operate(operation, payment, { customer, payment })
    },
  }
  return events
}

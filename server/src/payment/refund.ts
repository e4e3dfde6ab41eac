/**
 * Refunds at the processor. An administrator's refund is a row first (payment_refund.sql), whose id is the processor's
 * idempotency key; then the processor is asked, outside of every transaction; then its answer is recorded. A process
 * that dies in between leaves an open row, which the worker sends again with the same key. The ledger follows by the
 * processor's webhook.
 */
import type { App } from '../app.ts'
import { type Processor, processorNames } from '../config/processors.ts'
import { call, part } from '../db/call.ts'
import { once, type RequestKey } from '../db/idempotency.ts'
import { AppError } from '../errors.ts'
import { newId } from '../id.ts'
import { dispatchOnce } from '../process/dispatch-loop.ts'
import { openAccount } from './account-client.ts'
import { AccountError, isTransient } from './account-reader.ts'
import { processors } from './processors.ts'

const TIMEOUT_S = 15
const AT_ONCE = 5

type NewRefund = {
  /** Of the payment: the processor and its id of the order. */
  source: string
  /** Null: all that is left. */
  cents: number | null
  reason: string
  actorId: string
  requestId: string
}
type OpenRefund = {
  userId: string
  id: string
  processor: string
  source: string
  cents: number
  isWhole: boolean
}

/**
 * Asks the processor for a refund. Without an answer it stays open, and the worker asks again.
 * @param key of the request; the same refund is asked for once
 * @throws AppError NOT_FOUND, CONFLICT with what hinders it; Repeated
 */
export async function refund(app: App, { cents, ...asked }: NewRefund, key: RequestKey | null): Promise<void> {
  const { sql } = app
  const [now, userId] = [app.now(), await ownerOfPayment(app, asked.source)]
  requireCall(app, asked.source, cents)
  const id = newId(now)
  const begin = part(sql, 'payment_refund_begin', { ...asked, userId, id, cents, now })
  const outcome = await once<'begun' | keyof typeof hindrances>(sql, key, begin, { id, done: 'begun', now })
  if (outcome !== 'begun') throw hindrances[outcome]()
  const [row] = await sql<OpenRefund[]>`
    select user_id, id, processor, source, cents, is_whole
    from kinora.payment_refund
    where user_id = ${userId} and id = ${id}
  `
  if (row) await send(app, row)
}

/** @param id the processor and its id of the order. @throws AppError NOT_FOUND */
export async function ownerOfPayment({ sql }: Pick<App, 'sql'>, id: string): Promise<string> {
  const processor = processorOf(id) ?? ''
  const [row] = await sql<{ userId: string }[]>`
    select user_id from kinora.payment_object where processor = ${processor} and external_id = ${id} and source = ${id}
  `
  if (row) return row.userId
  throw new AppError('NOT_FOUND', 'There is no such payment.')
}

const processorOf = (source: string): Processor | undefined =>
  processorNames.find((each) => source.startsWith(`${each}:`))

function requireCall({ config }: App, source: string, cents: number | null): void {
  const processor = processorOf(source)
  const refundCall = processor && config.payments[processor] ? processors[processor].refund : null
  if (!refundCall)
    throw conflict('This processor is not set up, or has no call for refunds: refund it in its account.')()
  if (cents !== null && !refundCall.takesPart)
    throw conflict(
      'This processor refunds a payment as a whole alone: leave `cents` out, or refund a part in its account.',
    )()
}

const conflict = (message: string) => () => new AppError('CONFLICT', message)
const hindrances = {
  not_found: () => new AppError('NOT_FOUND', 'There is no such payment.'),
  busy: conflict('A refund of this payment is on its way: wait until the processor has answered it.'),
  disputed: conflict('The payment is disputed: the bank returns it, or answer the dispute at the processor.'),
  nothing_left: conflict('Nothing is left of this payment to refund, or a refund of it is about to arrive.'),
  too_much: conflict('That is more than is left of this payment.'),
}

/** Sends refunds again that have no answer, once. @returns their number. For the worker. */
export const sendRefunds = (app: App): Promise<number> =>
  dispatchOnce<OpenRefund>(
    {
      name: 'refunds',
      max: AT_ONCE,
      claim: async (limit) => await call(app.sql, 'payment_refund_claim', { now: app.now(), limit }),
      describe: ({ id }) => ({ refund: id }),
      serve: (row) => send(app, row),
    },
    AT_ONCE,
  )

async function send(app: App, { userId, id, processor: name, source, cents, isWhole }: OpenRefund): Promise<void> {
  const processor = name as Processor
  const account = openAccount(app, processor, TIMEOUT_S)
  const { refund: calls } = processors[processor]
  if (!account || !calls) return
  try {
    const ids = await app.sql<{ id: string }[]>`
      select external_id as id from kinora.payment_object where processor = ${processor} and source = ${source} and user_id = ${userId}
    `
    const request = {
      key: id,
      orderNo: source.slice(processor.length + 1),
      ids: ids.map((each) => each.id),
      cents: isWhole ? null : cents,
    }
    const answer = await calls.send(account, request)
    const ended = 'refusal' in answer ? { answer: answer.refusal.slice(0, 500) } : answer
    await call(app.sql, 'payment_refund_end', { userId, id, ...ended, now: app.now() })
  } catch (error) {
    if (!(error instanceof AccountError)) throw error
    if (!isTransient(error))
      return await call(app.sql, 'payment_refund_end', { userId, id, answer: error.message, now: app.now() })
    app.log.warn({ refund: id, processor, reason: error.message }, 'a refund has no answer yet; it is sent again')
  } finally {
    await account.close()
  }
}

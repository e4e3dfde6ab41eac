/** One payment for administrators: what it brought, what was returned, and what a refund of it may take now. */
import type { App } from '../app.ts'
import type { Processor } from '../config/processors.ts'
import { part } from '../db/call.ts'
import { AppError } from '../errors.ts'
import { isAbout, noticesOf, type ShownNotice } from '../payment/notice.ts'
import { processors } from '../payment/processors.ts'
import { ownerOfPayment } from '../payment/refund.ts'
import { ownersOf, withOwners } from './owner.ts'
import { type UserPayment, userPaymentColumns } from './payments.ts'

/** What hinders a refund. `no_call`: the processor has none. */
export const HINDRANCES = ['not_set_up', 'no_call', 'disputed', 'in_progress', 'nothing_left'] as const

export type PaymentRefund = {
  id: string
  cents: number
  state: 'open' | 'accepted' | 'refused'
  externalId: string | null
  /** Why the processor refuses. */
  answer: string | null
  reason: string
  actorId: string
  createdAt: Date
  endedAt: Date | null
}
type PaymentReturn = { key: string; kind: string; cents: number; state: 'taken' | 'given back' | 'failed'; at: Date }

/** @throws AppError NOT_FOUND */
export async function readPayment(app: App, id: string) {
  const { sql, config } = app
  const userId = await ownerOfPayment(app, id)
  type Refundable = { processor: Processor; paid: number; left: number; isDisputed: boolean }
  const [payments, [refundable], refunds, returns, events] = await Promise.all([
    sql<(UserPayment & { userId: string })[]>`
      select user_id, ${userPaymentColumns(sql)} from kinora.payment p where user_id = ${userId} and source = ${id} order by part
    `,
    sql<Refundable[]>`
      select processor, paid::float8 as paid, (paid - returned - pending)::float8 as left, is_disputed
      from ${part(sql, 'payment_refundable', { userId, source: id, now: app.now() })}
    `,
    sql<PaymentRefund[]>`
      select id, cents, state, external_id, answer, reason, actor_id, created_at, ended_at
      from kinora.payment_refund
      where user_id = ${userId} and source = ${id}
      order by id desc
    `,
    returnsOf(app, userId, id),
    sql<{ processor: Processor; userId: string; body: string; receivedAt: Date }[]>`
      select processor, user_id, body, received_at
      from kinora.payment_event e
      where user_id = ${userId} and body <> '' and (${isAbout(sql, 'dispute')} or ${isAbout(sql, 'failure')})
        and refs && array(select external_id from kinora.payment_object where user_id = ${userId} and source = ${id})
      order by received_at desc
    `,
  ])
  const [payment] = await withOwners(app, payments.slice(0, 1))
  if (!payment || !refundable) throw new AppError('NOT_FOUND', 'There is no such payment.')
  const actorOf = await ownersOf(
    app,
    refunds.map(({ actorId }) => actorId),
  )
  const { processor, paid, left } = refundable
  const settings = config.payments[processor]
  return {
    payment: { ...payment, ...sumsOf(payments) },
    paid,
    left: Math.max(0, left),
    refund: {
      hindrance: hindranceOf(app, { ...refundable, isOpen: refunds.some(({ state }) => state === 'open') }),
      takesPart: processors[processor].refund?.takesPart ?? false,
    },
    url: settings ? processors[processor].pageOf(settings, 'payments', id.slice(processor.length + 1)) : null,
    refunds: refunds.map((each) => ({ ...each, actorEmail: actorOf(each.actorId).email })),
    returns,
    notices: (await noticesOf(app, events)).flatMap(({ notice, receivedAt }) =>
      notice ? [{ ...notice, at: receivedAt } satisfies ShownNotice & { at: Date }] : [],
    ),
  }
}

/** Plans and packs of an invoice are two rows of one payment. */
function sumsOf(payments: readonly UserPayment[]) {
  const sum = (name: 'received' | 'returned' | 'credits') => payments.reduce((all, each) => all + each[name], 0)
  const remark = payments.map((each) => each.remark).join(', ')
  return { remark, received: sum('received'), returned: sum('returned'), credits: sum('credits') }
}

function hindranceOf(
  { config }: App,
  { processor, left, isDisputed, isOpen }: { processor: Processor; left: number; isDisputed: boolean; isOpen: boolean },
): (typeof HINDRANCES)[number] | null {
  if (!config.payments[processor]) return 'not_set_up'
  if (processors[processor].refund === null) return 'no_call'
  if (isDisputed) return 'disputed'
  if (isOpen) return 'in_progress'
  return left < 1 ? 'nothing_left' : null
}

/** Refunds, disputes and credit notes of a payment as its processor reports them, the latest first. */
const returnsOf = ({ sql }: App, userId: string, source: string) => sql<PaymentReturn[]>`
  select r.key, r.kind, round(x.part * (p.paid + greatest(0, p.covered) - p.own))::float8 as cents, r.state,
         coalesce(r.at, r.created_at) as at
  from (select * from kinora.payment where user_id = ${userId} and source = ${source} order by part limit 1) p
  join kinora.payment_return r on r.processor = p.processor and r.source = p.source
  cross join lateral kinora.payment_returns_of(p::kinora.payment) x
  where x.key = r.key and (x.part > 0 or r.state <> 'taken')
  order by at desc, r.key
`

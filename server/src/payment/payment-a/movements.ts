/**
 * payment-a: movements of money. Its list of transactions has the payments; it has none of refunds and disputes, so
 * these are the ones that its events and reconciliation have brought. It tells neither its fee nor its payouts.
 */
import { numberAt, textAt } from '../../text/json-reader.ts'
import { idAt, idsOf } from '../effect.ts'
import type { Movement, MovementContext } from '../processor.ts'
import { createdMs, isPaid, transactions } from './account.ts'
import { paidIn } from './events.ts'

const RETURNS = 100

export async function* movementsA({ app, get, since, until }: MovementContext): AsyncGenerator<Movement[]> {
  for await (const page of transactions({ get }, since.getTime(), Number.POSITIVE_INFINITY))
    yield page
      .filter((each) => isPaid(each) && createdMs(each) >= since.getTime() && createdMs(each) < until.getTime())
      .map(paymentIn)
  let last: Returned | undefined
  do {
    const page = await returned(app.sql, since, until, last)
    yield page.map(({ at, kind, key, orderNo, cents, currency, country }) => {
      const amount = { gross: -cents, charged: -cents, currency, chargedCurrency: currency }
      return { at, kind, id: key, ids: [orderNo], ...amount, fee: null, country, payout: null }
    })
    last = page.length === RETURNS ? page.at(-1) : undefined
  } while (last)
}

function paymentIn(transaction: unknown): Movement {
  const gross = paidIn(transaction) ?? 0
  const currency = (textAt(transaction, 'currency') ?? '').toUpperCase()
  return {
    at: new Date(createdMs(transaction)),
    kind: 'payment',
    id: idAt(transaction) ?? '',
    ids: idsOf(idAt(transaction), idAt(transaction, 'subscription') ? null : idAt(transaction, 'order')),
    ...{ gross, charged: gross, currency, chargedCurrency: currency },
    fee: numberAt(transaction, 'fee'),
    country: textAt(transaction, 'tax_country'),
    payout: null,
  }
}

type Returned = {
  at: Date
  kind: string
  key: string
  orderNo: string
  cents: number
  currency: string
  country: string | null
}
/** Refunds and disputes that count, newest first, behind the last one. A sort key has the time of its event. */
const returned = (sql: MovementContext['app']['sql'], since: Date, until: Date, last?: Returned) => sql<Returned[]>`
  select *
  from (
    select coalesce(r.at, to_timestamp(split_part(r.sort_key, '.', 2)::float8 / 1000)) as at,
           case r.kind when 'dispute' then 'dispute' else 'refund' end as kind, r.key, p.order_no,
           round(x.part * (p.paid + greatest(0, p.covered) - p.own))::float8 as cents, upper(p.currency) as currency, p.country
    from kinora.payment_return r
    join kinora.payment p on p.source = r.source and p.part = ''
      and p.user_id = (select o.user_id from kinora.payment_object o where o.processor = r.processor and o.external_id = r.source)
    cross join lateral kinora.payment_returns_of(p) x
    where r.processor = 'payment-a' and x.key = r.key and x.part > 0
  ) r
  where at >= ${since} and at < ${until} and ${last ? sql`(at, key) < (${last.at}, ${last.key})` : sql`true`}
  order by at desc, key desc
  limit ${RETURNS}
`

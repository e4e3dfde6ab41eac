/**
 * payment-b: movements of money, from Stripe's balance transactions, of which its own reports are made: their sums are
 * those of the report. A balance transaction does not name its payout, so those of the payouts are read first.
 */
import { at, listAt, numberAt, textAt } from '../../text/json-reader.ts'
import { type Booked, dateAt, idAt, idsOf } from '../effect.ts'
import type { Movement, MovementContext } from '../processor.ts'
import { listB } from './account.ts'

/** A payout has the transactions of weeks before. */
const PAYOUT_DELAY_S = 40 * 86_400
const ALL_PAGES = Number.POSITIVE_INFINITY

export async function* movementsB({ get, since, until }: MovementContext): AsyncGenerator<Movement[]> {
  const [from, to] = [since, until].map((each) => Math.ceil(each.getTime() / 1000)) as [number, number]
  const payouts = new Map<string, string>()
  for await (const page of listB(get, `payouts?created[gte]=${from}&created[lt]=${to + PAYOUT_DELAY_S}`, ALL_PAGES))
    for (const payout of page) await addPaid(get, payout, payouts)
  const period = `created[gte]=${from}&created[lt]=${to}&expand[]=data.source`
  for await (const page of listB(get, `balance_transactions?${period}`, ALL_PAGES))
    yield page
      .filter((each) => !/^payout/.test(textAt(each, 'type') ?? ''))
      .map((each) => movementOf(each, payouts.get(idAt(each) ?? '') ?? null))
}

/** A payout that was made by hand does not say what is in it. */
async function addPaid(get: MovementContext['get'], payout: object, payouts: Map<string, string>): Promise<void> {
  const id = idAt(payout)
  if (id === null || at(payout, 'automatic') === false || /^(failed|canceled)$/.test(textAt(payout, 'status') ?? ''))
    return
  for await (const page of listB(get, `balance_transactions?payout=${encodeURIComponent(id)}`, ALL_PAGES))
    for (const each of page) payouts.set(idAt(each) ?? '', id)
}

const kinds: Record<string, string> = { charge: 'payment', payment: 'payment', payment_refund: 'refund' }

function movementOf(moved: object, payout: string | null): Movement {
  const source = at(moved, 'source')
  const kind = textAt(moved, 'reporting_category') ?? textAt(moved, 'type') ?? ''
  const gross = numberAt(moved, 'amount') ?? 0
  const currency = (textAt(moved, 'currency') ?? '').toUpperCase()
  return {
    at: dateAt([(numberAt(moved, 'created') ?? 0) * 1000], 0) ?? new Date(0),
    kind: kinds[kind] ?? kind.replaceAll('_', ' '),
    id: idAt(moved) ?? '',
    ids: idsOf(idAt(source, 'payment_intent'), idAt(source, 'charge'), idAt(source)),
    gross,
    fee: numberAt(moved, 'fee') ?? 0,
    currency,
    charged: Math.sign(gross) * Math.abs(numberAt(source, 'amount') ?? gross),
    chargedCurrency: textAt(source, 'currency')?.toUpperCase() ?? currency,
    country: textAt(source, 'billing_details', 'address', 'country'),
    payout,
  }
}

/** What an invoice or a session tells of its tax and its payer. */
export function bookedIn(object: unknown): Required<Booked> {
  const taxes = listAt(object, 'total_taxes').map((each) => numberAt(each, 'amount') ?? 0)
  const named = numberAt(object, 'total_details', 'amount_tax') ?? numberAt(object, 'tax') ?? 0
  return {
    tax: Math.max(0, taxes.length > 0 ? taxes.reduce((all, each) => all + each, 0) : named),
    country: textAt(object, 'customer_details', 'address', 'country') ?? textAt(object, 'customer_address', 'country'),
  }
}

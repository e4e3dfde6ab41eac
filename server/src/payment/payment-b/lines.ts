/** payment-b's invoice lines and line items: which product, how many, and how many credits. */
import { at, numberAt, textAt } from '../../text/json-reader.ts'
import { dateAt, idAt } from '../event-reader.ts'
import { goodUntil, type Plans, type Product } from '../plans.ts'

/**
 * How many packs a session sold. Events have no line items; then a subtotal, before discounts and taxes, of the price of one pack
 * shows that it was one. Null when the event does not show it.
 */
export function packsIn(session: unknown, { price }: Product): number | null {
  const items = at(session, 'line_items', 'data')
  if (Array.isArray(items)) return quantityOf(items[0])
  const isOne =
    numberAt(session, 'amount_subtotal') === price.cents &&
    textAt(session, 'currency')?.toUpperCase() === price.currency
  return isOne ? 1 : null
}

/** A discount took the whole price. An invoice of a trial, and one that a balance pays, have no discount. */
export function isDiscountedToZero(invoice: unknown): boolean {
  const discounts = at(invoice, 'total_discount_amounts')
  if (numberAt(invoice, 'total') !== 0 || !Array.isArray(discounts)) return false
  return discounts.some((discount) => (numberAt(discount, 'amount') ?? 0) > 0)
}

/**
 * The credits of one invoice line and their expiry. A plan change in mid-period is prorated: the rest of the old plan is a
 * negative line, the rest of the new one a positive line. Credits follow in proportion, so that changing back and forth
 * grants no more than is paid.
 */
export function lineCredits(line: unknown, plans: Plans) {
  const product = productOf(line, plans)
  const start = secondsAt(line, 'period', 'start')
  const end = secondsAt(line, 'period', 'end')
  if (product?.kind !== 'subscription') return null
  const isProration =
    at(line, 'proration') === true ||
    at(line, 'parent', 'subscription_item_details', 'proration') === true ||
    at(line, 'parent', 'invoice_item_details', 'proration') === true
  const sign = Math.sign(numberAt(line, 'amount') ?? 1)
  const planCredits = product.credits * quantityOf(line)
  // A line of zero cost, such as trial days on a paid invoice, grants nothing.
  if (!isProration || !start || !end)
    return {
      product,
      start,
      end: start && goodUntil(product, start, end),
      credits: sign > 0 ? planCredits : 0,
      isProration,
    }
  const periodMs = goodUntil(product, start).getTime() - start.getTime()
  const share = Math.min(1, Math.max(0, (end.getTime() - start.getTime()) / periodMs))
  return { product, start, end, credits: planCredits * share * sign, isProration }
}

export const priceIdOf = (line: unknown): string | null =>
  idAt(line, 'pricing', 'price_details', 'price') ?? idAt(line, 'price') ?? idAt(line, 'plan')

export function productOf(line: unknown, plans: Plans): Product | null {
  const priceId = priceIdOf(line)
  return priceId ? plans.byProcessorId('payment-b', priceId) : null
}

/** Whole and at least 1, because a missing or odd quantity must not take credits away from a payer. */
const quantityOf = (line: unknown): number => Math.max(1, Math.floor(numberAt(line, 'quantity') ?? 1))

export function secondsAt(object: unknown, ...path: string[]): Date | null {
  const seconds = numberAt(object, ...path)
  return seconds === null ? null : dateAt([seconds * 1000], 0)
}

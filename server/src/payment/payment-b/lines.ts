/** payment-b's invoice lines and line items: which product, how many, at what price. */
import { at, numberAt, textAt } from '../../text/json-reader.ts'
import { dateAt, idAt } from '../event-reader.ts'
import { type Line, wholeQuantity } from '../outcome.ts'
import { goodUntil, type Plans, type Product } from '../plans.ts'

/** The items of a list that an object has; null when the event lacks some of them. */
export function itemsAt(object: unknown, name: string): unknown[] | null {
  const data = at(object, name, 'data')
  return Array.isArray(data) && at(object, name, 'has_more') !== true ? data : null
}

/**
 * A line of an invoice, or a line item of a session, in a currency. Null when its product or its price in this currency is not known.
 */
export function lineOf(line: unknown, currency: string, plans: Plans, sold: Product | null = null): Line | null {
  const product = productOf(line, plans) ?? (priceIdOf(line) === null ? sold : null)
  const quantity = wholeQuantity(numberAt(line, 'quantity'))
  const named = numberAt(line, 'amount') ?? numberAt(line, 'amount_subtotal')
  const unit =
    numberAt(line, 'pricing', 'unit_amount_decimal') ??
    numberAt(line, 'price', 'unit_amount_decimal') ??
    numberAt(line, 'price', 'unit_amount')
  const whole = isProration(line) || !named ? null : named / quantity
  const price = product?.price.currency === currency ? product.price.cents : (unit ?? whole)
  if (!product || price === null || price <= 0) return null
  const [start, end] = [secondsAt(line, 'period', 'start'), secondsAt(line, 'period', 'end')]
  const life =
    product.kind === 'pack'
      ? { start: null, end: null }
      : { start, end: isProration(line) ? end : start && goodUntil(product, start, end) }
  return { product, quantity, value: named ?? price * quantity, price, ...life }
}

export const isProration = (line: unknown): boolean =>
  at(line, 'proration') === true ||
  at(line, 'parent', 'subscription_item_details', 'proration') === true ||
  at(line, 'parent', 'invoice_item_details', 'proration') === true

export const priceIdOf = (line: unknown): string | null =>
  idAt(line, 'pricing', 'price_details', 'price') ?? idAt(line, 'price') ?? idAt(line, 'plan')

export function productOf(line: unknown, plans: Plans): Product | null {
  const priceId = priceIdOf(line)
  return priceId ? plans.byProcessorId('payment-b', priceId) : null
}

export const currencyAt = (object: unknown): string | null => textAt(object, 'currency')?.toUpperCase() ?? null

export function secondsAt(object: unknown, ...path: string[]): Date | null {
  const seconds = numberAt(object, ...path)
  return seconds === null ? null : dateAt([seconds * 1000], 0)
}

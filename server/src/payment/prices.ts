/**
 * A price belongs to its purchase. Each id of a processor keeps the price and the credits of its first payment, which
 * `payment_price` has; a checkout has what it offered, by which its payment is judged also when plans.json has changed.
 */
import type { App } from '../app.ts'
import type { Processor } from '../config/processors.ts'
import { isUuid } from '../id.ts'
import { at, textAt } from '../text/json-reader.ts'
import { inForce, type Plans, type Price, plans, processorId } from './plans.ts'

/** The products at the prices in force; for the payment of a checkout, at what that offered. @param json an event */
export async function plansInForce({ sql }: Pick<App, 'sql'>, json: unknown = null): Promise<Plans> {
  const offers = offersIn(json)
  const offered =
    offers.length === 0
      ? []
      : await sql<Price[]>`
          select processor, sold_as, cents, currency, credits from kinora.payment_checkout where offer_id = any(${offers})
        `
  return inForce(plans(), [...offered, ...(await pricesPaid(sql))])
}

/** Each id that was ever paid. */
export const pricesPaid = async (sql: App['sql']): Promise<Price[]> =>
  await sql<Price[]>`select processor, sold_as, cents, currency, credits from kinora.payment_price`

/** Our metadata of a checkout, which only our API key can set, and the processors copy to what follows from it. */
function offersIn(json: unknown): string[] {
  const object = at(json, 'object')
  const about = typeof object === 'object' ? object : at(json, 'data', 'object')
  return [[], ['subscription'], ['checkout'], ['order'], ['parent', 'subscription_details'], ['subscription_details']]
    .map((path) => textAt(about, ...path, 'metadata', 'offer'))
    .filter((id) => id !== null && isUuid(id)) as string[]
}

/** What plans.json changed under an id that was paid before. */
export function priceProblems(read: Plans, paid: Price[]): string[] {
  return paid.flatMap((price) => {
    const product = read.byProcessorId(price.processor, price.soldAs)
    if (!product) return []
    const { cents, currency } = product.price
    if (cents === price.cents && currency === price.currency && product.credits === price.credits) return []
    const before = JSON.stringify({
      id: price.soldAs,
      price: price.cents,
      currency: price.currency,
      credits: price.credits,
    })
    return [
      `catalogue/plans.json: ${product.id}: ${price.processor} has sold ${price.soldAs} for ${priceText(price)}, which stays in force; write a new id for the new price before it, and keep ${before}`,
    ]
  })
}

/** What was sold, and would be unknown: an event of it would grant nothing. */
export const lostProblems = (read: Plans, paid: Price[]): string[] =>
  paid.flatMap(({ processor, soldAs }) =>
    read.byProcessorId(processor, soldAs)
      ? []
      : [`${processor} has sold ${soldAs}, which no product has: keep its product, with "listed": false`],
  )

/** A sentence for each id that is no longer offered at its price, with the number of subscriptions that pay it. */
export async function olderPrices(sql: App['sql']): Promise<string[]> {
  const rows = await sql<{ processor: Processor; soldAs: string; subscriptions: number }[]>`
    select processor, sold_as, count(*) as subscriptions
    from kinora.subscription
    where status in ('active', 'trialing', 'past_due') and sold_as is not null
    group by processor, sold_as
    order by processor, sold_as
  `
  const now = inForce(plans(), await pricesPaid(sql))
  return rows.flatMap(({ processor, soldAs, subscriptions }) => {
    const paid = now.byProcessorId(processor, soldAs)
    const offered = paid && now.byProcessorId(processor, processorId(paid, processor))
    if (!paid || !offered) return []
    const [old, current] = [paid, offered].map(({ price, credits }) => priceText({ ...price, credits }))
    if (old === current) return []
    const number = subscriptions === 1 ? '1 subscription pays' : `${subscriptions} subscriptions pay`
    return [`${paid.name}: ${number} ${old} (${processor}: ${soldAs}), offered at ${current}`]
  })
}

/** How many digits of an amount are behind the point. */
export const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency: currency || 'USD' }).resolvedOptions()
    .maximumFractionDigits ?? 2

const priceText = ({ cents, currency, credits }: Pick<Price, 'cents' | 'currency' | 'credits'>): string => {
  const digits = digitsOf(currency)
  return `${(cents / 10 ** digits).toFixed(digits)} ${currency} (${credits} credits)`
}

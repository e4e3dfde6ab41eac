/** Searches money pumps: random sequences of payments, in order and in random order with some twice. */
import { randomUUID } from 'node:crypto'
import { forEachProcessor, type Processor } from '../../server/src/config/processors.ts'
import type { Sql } from '../../server/src/db/db.ts'
import { effectsJson, type PaymentEvent } from '../../server/src/payment/effect.ts'
import { type Plans, parsePlans, plans, processorId } from '../../server/src/payment/plans.ts'
import { processors } from '../../server/src/payment/processors.ts'
import { randomOf } from '../../server/test/support/random.ts'
import { sequenceOf, shuffledTwice } from './payment-sequences.ts'
import { START } from './payment-stage.ts'

const NOW = new Date(START)
/** Each product under its id, and under a new one at a price that is higher by 40 %, for the same credits. */
const sold: Plans = parsePlans(
  JSON.stringify({
    products: plans().products.map((product) => {
      const { price, credits } = product
      const entry = (id: string, cents: number) => ({ id, price: cents, currency: price.currency, credits })
      const raised = Math.round(price.cents * 1.4)
      const idsAt = (processor: Processor) => {
        const id = processorId(product, processor)
        return [entry(`${id}_raised`, raised), entry(id, price.cents)]
      }
      return { ...product, price: { ...price, cents: raised }, ids: forEachProcessor(idsAt) }
    }),
  }),
)
/** The same sequence at another user has other ids. */
const renamed = (events: object[], name: string): object[] =>
  JSON.parse(
    JSON.stringify(events).replace(/\b(evt|tran|ord|ch|in|pi|re|ret|du|cn|sub|cus|cust)_(\d+)/g, `$1_$2${name}`),
  ) as object[]

export type Finding = { processor: Processor; seed: number; problem: string }

/** Runs one sequence. Returns what is wrong with it, or null. */
export async function searchPump(sql: Sql, processor: Processor, seed: number): Promise<Finding | null> {
  const sequence = sequenceOf(processor, seed, sold)
  const orders = [sequence.events, shuffledTwice(sequence.events, randomOf(seed + 1))]
  const ends: number[] = []
  for (const [n, events] of orders.entries()) {
    ends.push(await creditsAfter(sql, processor, renamed(events, `x${n}`)))
  }
  const [credits = 0] = ends
  const { kept, best, worst, payments } = sequence
  const problem = ends.some((end) => end !== credits)
    ? `the orders end in ${ends.join(', ')}`
    : kept > 0 && credits > kept * best + payments
      ? `${credits} credits are more than ${(kept * best).toFixed(2)} and ${payments}`
      : credits < kept * Math.min(worst, best) - payments
        ? `${credits} credits are less than ${(kept * worst).toFixed(2)} and ${payments}`
        : null
  return problem === null ? null : { processor, seed, problem: `${problem}, for ${(kept / 100).toFixed(2)}` }
}

/** The credits that the events leave, all of one user: their effects in one call, without storing the events. */
async function creditsAfter(sql: Sql, processor: Processor, events: object[]): Promise<number> {
  const userId = randomUUID()
  const effects = events
    .flatMap((body) => (processors[processor].translate(body, sold, NOW) as PaymentEvent).effects)
    .filter((effect) => effect.do !== 'subscription')
  await sql`
    select kinora.payment_apply(
      p_user_id => ${userId}, p_processor => ${processor}, p_effects => ${JSON.stringify(effectsJson(effects))}::text::jsonb,
      p_now => ${NOW}
    )
  `
  const [account] = await sql<{ credits: number }[]>`
    select total - clawed_back as credits from kinora.credit_account where user_id = ${userId}
  `
  return account?.credits ?? 0
}

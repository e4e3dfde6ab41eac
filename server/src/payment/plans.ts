/**
 * The products for sale, from plans.json, validated as a whole at start-up and when they change. Invariant: granted
 * credits come from this file, and for an id that was paid from what it was first paid at (prices.ts); amounts of
 * credits in payment events are ignored.
 */
import { type Static, Type } from 'typebox'
import { ConfigError } from '../config/config.ts'
import { catalogueFolders, catalogueTexts } from '../config/package-dir.ts'
import { forEachProcessor, type Processor, processorNames, processors } from '../config/processors.ts'
import { readJsonFile } from '../text/json-file.ts'

const ProcessorId = Type.String({ minLength: 1, maxLength: 250 })
const Cents = Type.Integer({ minimum: 1, maximum: 2_000_000_000 })
const Currency = Type.String({ pattern: '^[A-Z]{3}$' })
const Credits = Type.Integer({ minimum: 1, maximum: 2_000_000_000 })
/**
 * The one that is sold, at the product's price; or a list, the newest first: it is sold, and the others are old ones,
 * whose subscriptions go on renewing at their own price.
 */
const ProcessorIds = Type.Union([
  ProcessorId,
  Type.Array(
    Type.Object(
      { id: ProcessorId, price: Cents, currency: Currency, credits: Credits },
      { additionalProperties: false },
    ),
    { minItems: 1, maxItems: 100 },
  ),
])
const common = {
  id: Type.String({ pattern: '^[a-z0-9-]+$' }),
  name: Type.String({ minLength: 1 }),
  credits: Credits,
  price: Type.Object({ cents: Cents, currency: Currency }, { additionalProperties: false }),
  /** false: no longer sold, but subscriptions renew and events of it are applied. Default true. */
  listed: Type.Optional(Type.Boolean()),
  /** The processors' ids of the product, where they differ from the default ones. */
  ids: Type.Optional(
    Type.Object(
      forEachProcessor(() => Type.Optional(ProcessorIds)),
      { additionalProperties: false },
    ),
  ),
}
const Pack = Type.Object(
  { ...common, kind: Type.Literal('pack'), validDays: Type.Integer({ minimum: 1, maximum: 3650 }) },
  { additionalProperties: false },
)
const Subscription = Type.Object(
  { ...common, kind: Type.Literal('subscription'), period: Type.Union([Type.Literal('month'), Type.Literal('year')]) },
  { additionalProperties: false },
)
const Entry = Type.Union([Pack, Subscription])
const PlansFile = Type.Object({ products: Type.Array(Entry, { minItems: 1 }) }, { additionalProperties: false })

/** `soldAs`: the processor's id to which price and credits belong, where it is known. */
export type Product = Static<typeof Entry> & { listed: boolean; soldAs?: string }
/** What an id of a processor costs, and the credits that it brings. */
export type Price = { processor: Processor; soldAs: string; cents: number; currency: string; credits: number }
export type Plans = {
  products: Product[]
  byId: (id: string) => Product | null
  /** The product with this id at a processor, at the price and with the credits of that id. */
  byProcessorId: (processor: Processor, id: string) => Product | null
}

let cached: Plans | undefined

/** The products in force. @throws ConfigError that names the problem of each invalid entry */
export function plans(): Plans {
  cached ??= readPlans()
  return cached
}

/** Takes other products, all at once. */
export function replacePlans(products: Plans): void {
  cached = products
}

/** The operator's products, or those of the release. @throws ConfigError */
export function readPlans(folders = catalogueFolders()): Plans {
  const found = catalogueTexts('plans.json', folders).at(-1)
  if (!found) throw new ConfigError(['catalogue/plans.json: there is no such file; write one'])
  return parsePlans(found.text, found.file)
}

/** What a credit of each product for sale costs in USD, the cheapest first; none of those sold in other currencies. */
export const creditsSold = (): { product: string; name: string; creditUsd: number }[] =>
  plans()
    .products.filter(({ listed, price }) => listed && price.currency === 'USD')
    .map(({ id, name, credits, price }) => ({ product: id, name, creditUsd: price.cents / 100 / credits }))
    .sort((a, b) => a.creditUsd - b.creditUsd)

/** What a credit costs at least and at most; null when none is sold in USD. */
export function creditUsdRange(): { cheapest: number; dearest: number } | null {
  const sold = creditsSold().map(({ creditUsd }) => creditUsd)
  const [cheapest, dearest] = [sold[0], sold.at(-1)]
  return cheapest === undefined || dearest === undefined ? null : { cheapest, dearest }
}

/** @param text of a plans.json. @throws ConfigError */
export function parsePlans(text: string, file = 'catalogue/plans.json'): Plans {
  const { value, problems, locate } = readJsonFile(file, text, PlansFile)
  const products = (value?.products ?? []).map((product) => ({ listed: true, ...product }))
  const taken = new Map<string, string>()
  for (const [i, product] of products.entries()) {
    const prices = processorNames.flatMap((each) => pricesOf(product, each))
    const externalIds = prices.map(({ processor, soldAs }) => `${processor} id ${soldAs}`)
    for (const processor of processorNames) {
      const [offered] = pricesOf(product, processor)
      if (offered && priced(product, offered) !== product) {
        const text = `the first of its ${processor} ids is sold, so its price and credits are the product's; write the same in both places`
        problems.push(locate({ path: ['products', i], text }))
      }
    }
    for (const key of [`id ${product.id}`, ...externalIds]) {
      const other = taken.get(key)
      if (other !== undefined) {
        problems.push(locate({ path: ['products', i], text: `its ${key} is also that of ${other}; write another one` }))
      }
      taken.set(key, product.id)
    }
  }
  if (problems.length > 0) throw new ConfigError(problems)

  return plansOf(products)
}

/** Products whose ids have other prices than the file: an offer, or what was first paid. */
export const inForce = ({ products }: Plans, prices: Price[]): Plans => plansOf(products, prices)

function plansOf(products: Product[], prices: Price[] = []): Plans {
  const priceOf = (price: Price) =>
    prices.find(({ processor, soldAs }) => processor === price.processor && soldAs === price.soldAs)
  const offered = products.map((product) => {
    const price = processorNames.map((each) => pricesOf(product, each)[0]).find((each) => each && priceOf(each))
    return price ? priced(product, priceOf(price) ?? price) : product
  })
  return {
    products: offered,
    byId: (id) => offered.find((product) => product.id === id) ?? null,
    byProcessorId: (processor, id) => {
      for (const product of products) {
        const price = pricesOf(product, processor).find(({ soldAs }) => soldAs === id)
        if (price) return { ...priced(product, priceOf(price) ?? price), soldAs: id }
      }
      return null
    },
  }
}

/** The product at a price; itself where that is its own. */
function priced(product: Product, { cents, currency, credits }: Price): Product {
  const { price } = product
  if (price.cents === cents && price.currency === currency && product.credits === credits) return product
  return { ...product, credits, price: { cents, currency } }
}

/** A product's id at a processor: `prod_pack_starter` at payment-a, `price_pack_starter` at payment-b. */
export const processorId = (product: Product, processor: Processor): string =>
  pricesOf(product, processor)[0]?.soldAs ?? defaultId(product, processor)

/** All ids of a product at a processor with their prices, the one that is sold first. */
function pricesOf({ price, credits, ...product }: Product, processor: Processor): Price[] {
  const ids = product.ids?.[processor] ?? defaultId(product, processor)
  return Array.isArray(ids)
    ? ids.map((each) => ({
        processor,
        soldAs: each.id,
        cents: each.price,
        currency: each.currency,
        credits: each.credits,
      }))
    : [{ processor, soldAs: ids, ...price, credits }]
}

const defaultId = ({ id }: Pick<Product, 'id'>, processor: Processor): string =>
  `${processors[processor].productPrefix}_${id.replaceAll('-', '_')}`

/**
 * The expiry of credits bought at `from`: a pack's days, or a calendar month or year for a subscription period. A
 * processor that bills on the 31st ends the period of a short month some days later; then the credits expire with the
 * period.
 */
export function goodUntil(product: Product, from: Date, periodEnd: Date | null = null): Date {
  const regularEnd = regularEndOf(product, from)
  const laterMs = (periodEnd?.getTime() ?? 0) - regularEnd.getTime()
  return periodEnd && laterMs > 0 && laterMs <= LONGER_PERIOD_MS ? periodEnd : regularEnd
}

const LONGER_PERIOD_MS = 4 * 86_400_000

function regularEndOf(product: Product, from: Date): Date {
  const until = new Date(from)
  if (product.kind === 'pack') {
    until.setUTCDate(until.getUTCDate() + product.validDays)
    return until
  }
  const months = product.period === 'month' ? 1 : 12
  const day = until.getUTCDate()
  until.setUTCMonth(until.getUTCMonth() + months)
  // Day 31 in a shorter month: its last day instead of an overflow into the next month.
  if (until.getUTCDate() !== day) until.setUTCDate(0)
  return until
}

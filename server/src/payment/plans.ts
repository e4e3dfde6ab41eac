/**
 * The products for sale, from plans.json, validated as a whole at start-up and when they change. Invariant: granted credits come from
 * this file only; amounts of credits in payment events are ignored.
 */
import { type Static, Type } from 'typebox'
import { ConfigError } from '../config/config.ts'
import { catalogueFolders, catalogueTexts } from '../config/package-dir.ts'
import { readJsonFile } from '../text/json-file.ts'

export type Processor = 'payment-a' | 'payment-b'

const ProcessorId = Type.String({ minLength: 1, maxLength: 250 })
/** The first is sold; the others are old ones, whose subscriptions go on renewing. */
const ProcessorIds = Type.Union([ProcessorId, Type.Array(ProcessorId, { minItems: 1, maxItems: 100 })])
const common = {
  id: Type.String({ pattern: '^[a-z0-9-]+$' }),
  name: Type.String({ minLength: 1 }),
  credits: Type.Integer({ minimum: 1 }),
  price: Type.Object(
    { cents: Type.Integer({ minimum: 1 }), currency: Type.String({ pattern: '^[A-Z]{3}$' }) },
    { additionalProperties: false },
  ),
  /** false: no longer sold, but subscriptions renew and events of it are applied. Default true. */
  listed: Type.Optional(Type.Boolean()),
  /** The processors' ids of the product, where they differ from the default ones. */
  ids: Type.Optional(
    Type.Object(
      { 'payment-a': Type.Optional(ProcessorIds), 'payment-b': Type.Optional(ProcessorIds) },
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

export type Product = Static<typeof Entry> & { listed: boolean }
export type Plans = {
  products: Product[]
  byId: (id: string) => Product | null
  /** The product with this id at a processor. */
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

/** What a credit of the products for sale costs; null when none is sold in USD. */
export function creditUsdRange(): { cheapest: number; dearest: number } | null {
  const sold = plans().products.filter(({ listed, price }) => listed && price.currency === 'USD')
  const each = sold.map(({ credits, price }) => price.cents / 100 / credits)
  return each.length === 0 ? null : { cheapest: Math.min(...each), dearest: Math.max(...each) }
}

/** @param text of a plans.json. @throws ConfigError */
export function parsePlans(text: string, file = 'catalogue/plans.json'): Plans {
  const { value, problems, locate } = readJsonFile(file, text, PlansFile)
  const products = (value?.products ?? []).map((product) => ({ listed: true, ...product }))
  const taken = new Map<string, string>()
  for (const [i, product] of products.entries()) {
    const externalIds = processors.flatMap((each) => processorIds(product, each).map((id) => `${each} id ${id}`))
    for (const key of [`id ${product.id}`, ...externalIds]) {
      const other = taken.get(key)
      if (other !== undefined) {
        problems.push(locate({ path: ['products', i], text: `its ${key} is also that of ${other}; write another one` }))
      }
      taken.set(key, product.id)
    }
  }
  if (problems.length > 0) throw new ConfigError(problems)

  return {
    products,
    byId: (id) => products.find((product) => product.id === id) ?? null,
    byProcessorId: (processor, id) => products.find((product) => processorIds(product, processor).includes(id)) ?? null,
  }
}

const processors: Processor[] = ['payment-a', 'payment-b']

/** The id under which a product is sold at a processor: `prod_pack_starter` at payment-a, `price_pack_starter` at payment-b. */
export const processorId = (product: Product, processor: Processor): string =>
  processorIds(product, processor)[0] ?? defaultId(product, processor)

/** All ids of a product at a processor, the one that is sold first. */
function processorIds(product: Product, processor: Processor): string[] {
  const ids = product.ids?.[processor] ?? defaultId(product, processor)
  return Array.isArray(ids) ? ids : [ids]
}

const defaultId = ({ id }: Product, processor: Processor): string =>
  `${processor === 'payment-a' ? 'prod' : 'price'}_${id.replaceAll('-', '_')}`

/**
 * The expiry of credits bought at `from`: a pack's days, or a calendar month or year for a subscription period. A processor
 * that bills on the 31st ends the period of a short month some days later; then the credits expire with the period.
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

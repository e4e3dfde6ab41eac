/** plans.json as a form changes it: a price belongs to its purchase, so an id that was sold keeps its own. */
import { locale } from '../i18n/locale.ts'

export const PROCESSORS = ['payment-a', 'payment-b'] as const
export type Processor = (typeof PROCESSORS)[number]
type OldId = { id: string; price: number; currency: string; credits: number }
/** An entry of plans.json; catalogue/README.md has its fields. */
export type FileProduct = {
  id: string
  name: string
  kind: 'pack' | 'subscription'
  credits: number
  validDays?: number
  period?: 'month' | 'year'
  price: { cents: number; currency: string }
  listed?: boolean
  ids?: { [of in Processor]?: string | OldId[] }
}
export type ProductValues = {
  id: string
  name: string
  kind: string
  credits: string
  days: string
  period: string
  price: string
  currency: string
  isListed: boolean
  'payment-a': string
  'payment-b': string
}

export const productsOf = (text: string): FileProduct[] => JSON.parse(text).products

export const fileOf = (products: FileProduct[]): string => `${JSON.stringify({ products }, null, 2)}\n`

/** The digits behind the point: 2 of USD, 0 of JPY. */
const digitsOf = (currency: string): number => {
  try {
    const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
    return format.resolvedOptions().maximumFractionDigits ?? 2
  } catch {
    return 2
  }
}

/** The id that is sold at a processor; empty: the one that follows from the product's. */
const soldId = (product: FileProduct, processor: Processor): string => {
  const ids = product.ids?.[processor]
  return Array.isArray(ids) ? (ids[0]?.id ?? '') : (ids ?? '')
}

/** @param product null: a new one */
export function valuesOf(product: FileProduct | null): ProductValues {
  const { cents, currency } = product?.price ?? { cents: null, currency: 'USD' }
  const digits = digitsOf(currency)
  return {
    id: product?.id ?? '',
    name: product?.name ?? '',
    kind: product?.kind ?? 'pack',
    credits: product ? String(product.credits) : '',
    days: String(product?.validDays ?? 365),
    period: product?.period ?? 'month',
    price: cents === null ? '' : (cents / 10 ** digits).toFixed(digits),
    currency,
    isListed: product?.listed !== false,
    'payment-a': product ? soldId(product, 'payment-a') : '',
    'payment-b': product ? soldId(product, 'payment-b') : '',
  }
}

/** The entry that a form makes of one. @param former null: a new one */
export function changedProduct(former: FileProduct | null, values: ProductValues): FileProduct {
  const currency = values.currency.trim().toUpperCase()
  const price = { cents: Math.round(Number(values.price) * 10 ** digitsOf(currency)), currency }
  const credits = Number(values.credits)
  const ids = Object.fromEntries(
    PROCESSORS.flatMap((processor) => {
      const changed = changedIds(former, processor, { id: values[processor].trim(), price, credits })
      return changed ? [[processor, changed]] : []
    }),
  )
  return {
    id: values.id.trim(),
    name: values.name.trim(),
    kind: values.kind === 'subscription' ? 'subscription' : 'pack',
    credits,
    ...(values.kind === 'subscription'
      ? { period: values.period === 'year' ? ('year' as const) : ('month' as const) }
      : { validDays: Number(values.days) }),
    price,
    ...(values.isListed ? {} : { listed: false }),
    ...(Object.keys(ids).length > 0 ? { ids } : {}),
  }
}

type Sold = { id: string; price: FileProduct['price']; credits: number }

/** A new id is sold; the ones before it keep their prices, so that what was bought renews. */
function changedIds(former: FileProduct | null, processor: Processor, sold: Sold): string | OldId[] | null {
  const before = former?.ids?.[processor]
  const entry = { id: sold.id, price: sold.price.cents, currency: sold.price.currency, credits: sold.credits }
  if (Array.isArray(before)) {
    const [first, ...older] = before
    if (sold.id === '') return before
    return sold.id === first?.id ? [entry, ...older] : [entry, ...before]
  }
  if (sold.id === '' || sold.id === before || !former) return sold.id || (before ?? null)
  const { cents, currency } = former.price
  const old = { id: before ?? defaultId(former, processor), price: cents, currency, credits: former.credits }
  return [entry, old]
}

const defaultId = ({ id }: FileProduct, processor: Processor): string =>
  `${processor === 'payment-a' ? 'prod' : 'price'}_${id.replaceAll('-', '_')}`

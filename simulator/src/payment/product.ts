/**
 * What can be bought at both processors: catalogue/plans.json, the same data that the service sells from, read as a file
 * because packages share no code. Only names, prices and rhythm matter here; credits are no business of a processor.
 */
import { readFileSync } from 'node:fs'

export type Processor = 'payment-a' | 'payment-b'
export const processors = ['payment-a', 'payment-b'] as const satisfies Processor[]

export type Product = {
  id: string
  name: string
  /** Months from one payment to the next; 0: paid once. */
  months: 0 | 1 | 12
  cents: number
  /** Three capital letters. */
  currency: string
  processorIds: Record<Processor, string>
}

export type Products = {
  all: readonly Product[]
  /** @throws Error when it was removed from the catalogue meanwhile */
  byId: (id: string) => Product
  byProcessorId: (processor: Processor, id: string) => Product | undefined
}

type Entry = {
  id: string
  name: string
  kind: 'pack' | 'subscription'
  period?: 'month' | 'year'
  price: { cents: number; currency: string }
  ids?: Partial<Record<Processor, string>>
}

const plansFile = new URL('../../../catalogue/plans.json', import.meta.url)

export function readProducts(): Products {
  const { products } = JSON.parse(readFileSync(plansFile, 'utf8')) as { products: Entry[] }
  const all = products.map((entry): Product => {
    const stem = entry.id.replaceAll('-', '_')
    return {
      id: entry.id,
      name: entry.name,
      months: entry.kind === 'pack' ? 0 : entry.period === 'year' ? 12 : 1,
      cents: entry.price.cents,
      currency: entry.price.currency,
      processorIds: { 'payment-a': `prod_${stem}`, 'payment-b': `price_${stem}`, ...entry.ids },
    }
  })
  return {
    all,
    byId: (id) => {
      const product = all.find((each) => each.id === id)
      if (!product) throw new Error(`catalogue/plans.json has no product "${id}" any more.`)
      return product
    },
    byProcessorId: (processor, id) => all.find((product) => product.processorIds[processor] === id),
  }
}

export const rhythm = ({ months }: Product): string => ({ 0: 'once', 1: 'a month', 12: 'a year' })[months]

/** "29.90 USD"; negative amounts keep their sign. */
export function money(cents: number, currency: string): string {
  const sign = cents < 0 ? '−' : ''
  const whole = Math.abs(cents)
  return `${sign}${Math.floor(whole / 100)}.${String(whole % 100).padStart(2, '0')} ${currency}`
}

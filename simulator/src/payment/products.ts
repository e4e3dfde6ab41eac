/**
 * The products of both processors: catalogue/plans.json, which the service sells from too, read as a file because the
 * packages share no code. A processor knows names, prices and billing periods, and nothing of credits.
 */
import { readFileSync } from 'node:fs'

export const processors = ['payment-a', 'payment-b'] as const
export type Processor = (typeof processors)[number]

export type Product = {
  id: string
  name: string
  /** Length of a billing period; 0: paid once. */
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

export function readProducts(): Products {
  const file = new URL('../../../catalogue/plans.json', import.meta.url)
  const { products } = JSON.parse(readFileSync(file, 'utf8')) as { products: Entry[] }
  const all = products.map(({ id, name, kind, period, price, ids }): Product => {
    const stem = id.replaceAll('-', '_')
    const months = kind === 'pack' ? 0 : period === 'year' ? 12 : 1
    const processorIds = { 'payment-a': `prod_${stem}`, 'payment-b': `price_${stem}`, ...ids }
    return { id, name, months, ...price, processorIds }
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

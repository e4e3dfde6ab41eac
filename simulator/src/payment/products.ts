/**
 * The products of both processors: catalogue/plans.json, which the service sells from too, read as a file because the
 * packages share no code. A processor knows names, prices and billing periods, and nothing of credits.
 */
import { readFileSync } from 'node:fs'

export type Processor = 'payment-a' | 'payment-b'

type Entry = {
  id: string
  name: string
  kind: 'pack' | 'subscription'
  period?: 'month' | 'year'
  /** `currency`: three capital letters. */
  price: { cents: number; currency: string }
  ids?: Partial<Record<Processor, string | { id: string }[]>>
}
export type Product = (typeof products)[number]

const file = new URL('../../../catalogue/plans.json', import.meta.url)
const catalogue = JSON.parse(readFileSync(file, 'utf8')) as { products: Entry[] }

const idOf = (each: string | { id: string }): string => (typeof each === 'string' ? each : each.id)

export const products = catalogue.products.map(({ id, name, kind, period, price, ids }) => {
  const stem = id.replaceAll('-', '_')
  /** The id that is sold first, then old ones, under which older purchases go on. */
  const processorIds: Record<Processor, string[]> = {
    'payment-a': [ids?.['payment-a'] ?? `prod_${stem}`].flat().map(idOf),
    'payment-b': [ids?.['payment-b'] ?? `price_${stem}`].flat().map(idOf),
  }
  /** Length of a billing period; 0: paid once. */
  const months = kind === 'pack' ? 0 : period === 'year' ? 12 : 1
  return { id, name, months, ...price, processorIds }
})

/** The product with this id at a processor, old ids included. */
export const productBy = (processor: Processor, id: string): Product | undefined =>
  products.find(({ processorIds }) => processorIds[processor].includes(id))

/** @throws Error when the product was removed from the catalogue since it was sold */
export function productById(id: string): Product {
  const product = products.find((each) => each.id === id)
  if (!product) throw new Error(`catalogue/plans.json has no product "${id}" any more.`)
  return product
}

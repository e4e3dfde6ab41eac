/**
 * The products of all processors: catalogue/plans.json, which the service sells from too, read as a file because the
 * packages share no code. A processor knows names, prices and billing periods, and nothing of credits.
 */
import { readFileSync } from 'node:fs'

type Entry = {
  id: string
  name: string
  kind: 'pack' | 'subscription'
  period?: 'month' | 'year'
  /** `currency`: three capital letters. */
  price: { cents: number; currency: string }
  ids?: Record<string, string | { id: string }[]>
}
export type Product = (typeof products)[number]

const file = new URL('../../../catalogue/plans.json', import.meta.url)
const catalogue = JSON.parse(readFileSync(file, 'utf8')) as { products: Entry[] }

const idOf = (each: string | { id: string }): string => (typeof each === 'string' ? each : each.id)

export const products = catalogue.products.map(({ id, name, kind, period, price, ids }) => {
  /** Length of a billing period; 0: paid once. */
  const months = kind === 'pack' ? 0 : period === 'year' ? 12 : 1
  return { id, name, months, ...price, ids }
})

/** A processor, as the catalogue knows it. */
type Seller = { name: string; productPrefix: string }

/** A product's ids at a processor: the one that is sold first, then old ones, under which older purchases go on. */
const idsAt = ({ name, productPrefix }: Seller, { id, ids }: Product): string[] =>
  [ids?.[name] ?? `${productPrefix}_${id.replaceAll('-', '_')}`].flat().map(idOf)

export const idAt = (seller: Seller, product: Product): string => idsAt(seller, product)[0] ?? ''

/** The product with this id at a processor, old ids included. */
export const productBy = (seller: Seller, id: string): Product | undefined =>
  products.find((product) => idsAt(seller, product).includes(id))

/** @throws Error when the product was removed from the catalogue since it was sold */
export function productById(id: string): Product {
  const product = products.find((each) => each.id === id)
  if (!product) throw new Error(`catalogue/plans.json has no product "${id}" any more.`)
  return product
}

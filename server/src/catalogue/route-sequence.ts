/** The sequence in which an offer's routes are tried. Invariant: none serves at a loss unless its file allows it. */
import type { Chosen } from './constraints.ts'
import { type CatalogueSettings, equalsFor, type Model } from './model.ts'
import type { Route } from './model-file.ts'
import { costOf, creditUsdOf, priceOf } from './price.ts'

/**
 * The accounts that make a film, the first one first. Equals are shuffled by their weights.
 * @param random from 0 to below 1
 */
export function accountsFor(model: Model, chosen: Chosen, settings: CatalogueSettings, random = Math.random): string[] {
  const [first = [], ...others] = equalsFor(model, chosen)
  const covered = others.map((group) => group.filter((route) => isCovered(model, route, chosen, settings)))
  return [...new Set([first, ...covered].flatMap((group) => shuffled(group, random)).map(({ account }) => account))]
}

/** Whether the price, which follows the first route, covers the cost of another. Always where it is a table. */
export function isCovered(
  model: Model,
  { cost, fallback }: Route,
  chosen: Chosen,
  settings: CatalogueSettings,
): boolean {
  if (fallback === 'at a loss' || !model.price || !('fromCost' in model.price)) return true
  const [usd, credits] = [cost ? costOf(cost, chosen) : null, priceOf(model, chosen, settings)]
  return usd !== null && credits !== null && usd <= credits * (creditUsdOf(settings) ?? 0)
}

function shuffled(routes: Route[], random: () => number): Route[] {
  const left = [...routes]
  const result: Route[] = []
  while (left.length > 0) {
    let at = random() * left.reduce((sum, { weight = 1 }) => sum + weight, 0)
    const index = left.findIndex(({ weight = 1 }) => {
      at -= weight
      return at < 0
    })
    result.push(...left.splice(Math.max(0, index), 1))
  }
  return result
}

/** What a film costs: by the model's table, or by what the vendor charges. Invariant: an unknown cost never prices a film at nothing. */
import { dearestCreditUsd } from '../payment/plans.ts'
import { type Amounts, amountFor, type Unit, unitsOf, wordsOf } from './amounts.ts'
import { type Chosen, narrowed, withDefaults } from './constraints.ts'
import { type Film, filmSize } from './film-size.ts'
import { type CatalogueSettings, listOf, type Model, routesFor } from './model.ts'

/** Whole credits, rounded up, at least one; null when the table has no amount, or the cost of a route is not known. */
export function priceOf(model: Model, chosen: Chosen, settings: CatalogueSettings): number | null {
  const credits = exactPrice(model, chosen, settings)
  // The remainder of a multiplication of binary fractions is not a credit more.
  return credits === null ? null : Math.max(1, Math.ceil(credits - 1e-9))
}

function exactPrice(model: Model, chosen: Chosen, settings: CatalogueSettings): number | null {
  const { price } = model
  if (!price) return null
  if (!('fromCost' in price)) return totalOf(price.per, price.credits, chosen)
  // The dearest route: which one makes the film is known only when it is made.
  const costs = routesFor(model, chosen, settings).map(({ cost }) => cost && totalOf(cost.per, cost.usd, chosen))
  const known = costs.filter((usd) => typeof usd === 'number')
  if (known.length < costs.length || known.length === 0) return null
  const creditUsd = settings.creditUsd ?? dearestCreditUsd()
  return creditUsd === null ? null : (Math.max(...known) * price.fromCost.markup) / creditUsd
}

/** The amount for a film; null when the table has none. */
export function totalOf(per: Unit, amounts: Amounts, chosen: Chosen): number | null {
  const amount = amountFor(amounts, wordsOf(chosen))
  return amount === null ? null : amount * unitsOf[per](filmOf(chosen))
}

function filmOf({ duration, aspectRatio, quality }: Chosen): Film {
  return { seconds: Number(duration), ...filmSize(String(aspectRatio ?? '16:9'), String(quality)) }
}

/** Prices by resolution, for clients that know no others: of the first mode that has it, with the defaults of all options. */
export type Pricing = { per: (typeof PRICE_UNITS)[number]; credits: Record<string, number> }
export const PRICE_UNITS = ['second', 'clip'] as const

export function pricingOf(model: Model, settings: CatalogueSettings): Pricing | null {
  const { price } = model
  if (!price) return null
  const units = 'fromCost' in price ? model.routes.map(({ cost }) => cost?.per) : [price.per]
  const per = units.every((unit) => unit === 'clip') ? 'clip' : 'second'
  const credits = model.summary.resolutions.flatMap((quality) => {
    const film = cheapestFilm(model, quality, settings)
    if (!film) return []
    const amount = per === 'clip' ? film.credits : Math.round((100 * film.credits) / film.seconds) / 100
    return [[quality, amount]]
  })
  return { per, credits: Object.fromEntries(credits) }
}

/** The shortest film of a quality that has a price. */
function cheapestFilm(model: Model, quality: string, settings: CatalogueSettings) {
  for (const [mode, constraints] of model.constraints) {
    const duration = constraints.get('duration')
    const ratios = listOf(constraints.get('aspectRatio')?.values ?? null)
    if (!duration || !listOf(constraints.get('quality')?.values ?? null)?.includes(quality)) continue
    const given = withDefaults(model, constraints, model.defaults, { mode, quality, aspectRatio: ratios?.[0] })
    for (const seconds of listOf(narrowed(model, given, 'duration', duration).values) ?? []) {
      const credits = exactPrice(model, { ...given, duration: seconds }, settings)
      if (credits !== null) return { credits, seconds: Number(seconds) }
    }
  }
  return null
}

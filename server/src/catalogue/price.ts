/** A film's cost: by the model's table or the vendor's charge. Invariant: an unknown cost is never nothing. */
import type { AccountEntry } from '../config/config.ts'
import { creditUsdRange } from '../payment/plans.ts'
import { type Amounts, amountFor, type Unit, unitsOf } from './amounts.ts'
import { type Chosen, lengthOf, narrowed, shapeOf, withDefaults } from './constraints.ts'
import { type Film, filmSize } from './film-size.ts'
import { REFERENCES } from './inputs.ts'
import { type CatalogueSettings, equalsFor, listOf, type Model, routesFor } from './model.ts'
import type { Route } from './model-file.ts'
import { asLongAsMade, fieldsOf, sampleRequests } from './samples.ts'

/** Whole credits, rounded up, at least one; null when the table has no amount, or the cost of a route is not known. */
export function priceOf(model: Model, chosen: Chosen, settings: CatalogueSettings): number | null {
  const credits = exactPrice(model, chosen, settings)
  // The remainder of a multiplication of binary fractions is not a credit more.
  return credits === null ? null : Math.max(1, Math.ceil(credits - 1e-9))
}

/**
 * Credits for a second of film, exact, where the price follows what is made; null: it is that of the order. The price
 * is the most then: of the longest film.
 * @param isMade whether the vendor, or a sound, decides how long a film of the mode is
 */
export function secondRateOf(
  model: Model,
  chosen: Chosen,
  settings: CatalogueSettings,
  isMade: boolean,
): number | null {
  const { price, routes } = model
  const units = price && 'per' in price ? [price.per] : routes.map(({ cost }) => cost?.per)
  if (!isMade || !units.every((unit) => unit === 'second' || unit === 'megapixel')) return null
  // What goes in costs as much for a shorter film.
  if (isCostOfFilms(model, chosen) && chosen.filmSeconds !== undefined) return null
  const credits = exactPrice(model, chosen, settings)
  return credits === null ? null : credits / Number(chosen.duration)
}

function exactPrice(model: Model, chosen: Chosen, settings: CatalogueSettings): number | null {
  const { price } = model
  if (!price) return null
  if (!('fromCost' in price)) return totalOf(price.per, price.credits, chosen)
  // Of the route that is tried first; among equals the dearest, as each of them may be the first.
  const costs = (equalsFor(model, chosen)[0] ?? []).map(({ cost }) => cost && costOf(cost, chosen))
  const known = costs.filter((usd) => typeof usd === 'number')
  if (known.length < costs.length || known.length === 0) return null
  const creditUsd = creditUsdOf(settings)
  return creditUsd === null ? null : (Math.max(...known) * price.fromCost.markup) / creditUsd
}

/** What a film costs by a route, in USD; null when its table has no amount. */
export function costOf({ per, usd, inputUsd }: NonNullable<Route['cost']>, chosen: Chosen): number | null {
  const [made, given] = [totalOf(per, usd, chosen), inputUsd === undefined ? 0 : costOfFilms(inputUsd, chosen)]
  return made === null || given === null ? null : Math.round((made + given) * 1e6) / 1e6
}

/** Of the films that go in; null where the length of one is not known. */
function costOfFilms(inputUsd: Amounts, chosen: Chosen): number | null {
  const { filmSeconds = 0 } = chosen
  const amount = filmSeconds === 0 ? 0 : amountFor(inputUsd, chosen)
  const usd = amount === null ? Number.NaN : amount * Number(filmSeconds)
  return Number.isNaN(usd) ? null : usd
}

/** Whether what a film costs depends on the films that go in too. */
export const isCostOfFilms = (model: Model, chosen: Chosen): boolean =>
  model.price !== null &&
  'fromCost' in model.price &&
  routesFor(model, chosen).some(({ cost }) => cost?.inputUsd !== undefined)

/** What one of each unit in which a vendor states the cost of a film by a route is worth in USD. */
export function unitRatesOf({ per, usd, unitUsd = {} }: NonNullable<Route['cost']>, chosen: Chosen) {
  const amounts = { ...(per === 'second' ? { seconds: usd } : {}), ...unitUsd }
  return Object.fromEntries(
    Object.entries(amounts).flatMap(([unit, each]) => {
      const rate = amountFor(each, chosen)
      return rate === null ? [] : [[unit, rate]]
    }),
  )
}

/** What one of a vendor's unit is worth in USD; null when the account does not say. */
export const unitUsdOf = (account: Pick<AccountEntry, 'unitUsd'> | undefined, unit: string): number | null =>
  unit === 'USD' ? 1 : (account?.unitUsd?.[unit] ?? null)

/**
 * What a credit is worth: by default the cheapest that is sold, so that no film costs more than its credits brought.
 * Null when that is neither set nor follows from the products.
 */
export const creditUsdOf = ({ creditUsd }: Pick<CatalogueSettings, 'creditUsd'>): number | null =>
  creditUsd ?? creditUsdRange()?.cheapest ?? null

/** The amount for a film; null when the table has none. */
function totalOf(per: Unit, amounts: Amounts, chosen: Chosen): number | null {
  const amount = amountFor(amounts, chosen)
  const units = unitsOf[per](filmOf(chosen))
  return amount === null || Number.isNaN(units) ? null : amount * units
}

function filmOf({ duration, aspectRatio, quality, inputSeconds }: Chosen): Film {
  return {
    seconds: Number(duration),
    inputSeconds: Number(inputSeconds),
    ...filmSize(String(aspectRatio ?? '16:9'), String(quality)),
  }
}

export const PRICE_UNITS = ['second', 'clip'] as const
type PriceUnit = (typeof PRICE_UNITS)[number]
/** Credits by resolution, for clients that know no more: of the shortest film, with the defaults of all options. */
export type Pricing = { per: PriceUnit; credits: Record<string, number> }
/**
 * Credits by the values of the fields on which they depend. `lengths`: of the modes whose films are as long as an
 * input, or as the provider makes them.
 */
export type Prices = {
  per: PriceUnit
  dependsOn: string[]
  list: { [field: string]: unknown; credits: number }[]
  lengths: { [mode: string]: Length }
}
export const FOLLOWED = ['film', 'motion', 'sound', 'provider'] as const
type Length = { follows: (typeof FOLLOWED)[number]; from: number; to: number }

export function pricingOf(model: Model, settings: CatalogueSettings): Pricing | null {
  const per = unitOf(model)
  if (!per) return null
  const credits = model.summary.resolutions.flatMap((quality) => {
    const film = shortestFilm(model, quality, settings)
    return film ? [[quality, unitPrice(per, film)]] : []
  })
  return { per, credits: Object.fromEntries(credits) }
}

const PRICES_MAX = 500
const SAMPLED_MAX = 5000

export function pricesOf(model: Model, settings: CatalogueSettings): Prices | null {
  const { price, routes } = model
  const per = unitOf(model)
  if (!price || !per) return null
  const tables = 'fromCost' in price ? routes.map(({ cost }) => cost?.usd ?? 0) : [price.credits]
  // A route that serves some of the modes has `model` or `input` by mode.
  const ofRoutes = 'fromCost' in price ? ['mode', ...routes.flatMap(({ serves = {} }) => Object.keys(serves))] : []
  // The mode is the last that is dropped: without it, a ratio that a film after its image ignores would tell the modes.
  const last = (field: string) => Number(field === 'mode')
  const dependsOn = [...new Set([...tables.flatMap((table) => fieldsOf(model, table)), ...ofRoutes])]
    // Shown without films that may be left out.
    .filter((field) => field !== REFERENCES.film)
    .toSorted((a, b) => last(a) - last(b))
  const found = new Map<string, Prices['list'][number]>()
  for (const request of sampleRequests(model, Object.fromEntries(dependsOn.map((field) => [field, 0])))) {
    const values = Object.fromEntries(dependsOn.map((field) => [field, request[field]]))
    const key = JSON.stringify(values)
    const credits = found.has(key) ? null : exactPrice(model, asLongAsMade(model, request), settings)
    if (credits !== null)
      found.set(key, { ...values, credits: unitPrice(per, { credits, seconds: Number(request.duration) }, EXACT) })
    if (found.size === SAMPLED_MAX) break
  }
  const prices = withoutIdleFields({ per, dependsOn, list: [...found.values()] })
  return { ...prices, list: prices.list.slice(0, PRICES_MAX), lengths: lengthsOf(model) }
}

function lengthsOf(model: Model): Prices['lengths'] {
  const found: Prices['lengths'] = {}
  for (const mode of model.summary.modes) {
    const length = lengthOf(shapeOf(model, mode))
    if (length) found[mode] = { ...length, follows: length.follows === 'vendor' ? 'provider' : length.follows }
  }
  return found
}

/** The prices without the fields on which none depends: a route may differ in values that all cost the same. */
function withoutIdleFields({ per, dependsOn, list }: Omit<Prices, 'lengths'>): Omit<Prices, 'lengths'> {
  for (const field of dependsOn) {
    const others = dependsOn.filter((name) => name !== field)
    const merged = new Map<string, Prices['list'][number]>()
    const isIdle = list.every((listed) => {
      const entry = { ...listed, [field]: undefined }
      const key = JSON.stringify(others.map((name) => entry[name] ?? null))
      const same = merged.get(key)
      if (!same) merged.set(key, entry)
      return !same || same.credits === entry.credits
    })
    if (isIdle) return withoutIdleFields({ per, dependsOn: others, list: [...merged.values()] })
  }
  return { per, dependsOn, list }
}

/** A price per megapixel, or of routes with other units, is shown per second. */
function unitOf({ price, routes }: Model): PriceUnit | null {
  if (!price) return null
  const units = 'fromCost' in price ? routes.map(({ cost }) => cost?.per) : [price.per]
  return units.every((unit) => unit === 'clip') ? 'clip' : 'second'
}

/** Parts of a credit a second that are shown: those of the list make the price of every film. */
const [SHOWN, EXACT] = [100, 1e6]

const unitPrice = (
  per: PriceUnit,
  { credits, seconds }: { credits: number; seconds: number },
  parts = SHOWN,
): number => (per === 'clip' ? Math.max(1, Math.ceil(credits - 1e-9)) : Math.round((parts * credits) / seconds) / parts)

/** The shortest film of a quality that has a price. */
function shortestFilm(model: Model, quality: string, settings: CatalogueSettings) {
  for (const [mode, constraints] of model.constraints) {
    const duration = constraints.get('duration')
    const ratios = listOf(constraints.get('aspectRatio')?.values ?? null)
    if (!duration || !listOf(constraints.get('quality')?.values ?? null)?.includes(quality)) continue
    const given = withDefaults(model, constraints, model.defaults, { mode, quality, aspectRatio: ratios?.[0] })
    for (const seconds of listOf(narrowed(model, given, 'duration', duration).values) ?? []) {
      const credits = exactPrice(model, asLongAsMade(model, { ...given, duration: seconds }), settings)
      if (credits !== null) return { credits, seconds: Number(seconds) }
    }
  }
  return null
}

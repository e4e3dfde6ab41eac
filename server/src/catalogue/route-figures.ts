/** What the shortest film of a route is sold for and costs. */

import type { Mode } from '../film/mode.ts'
import { creditsSold } from '../payment/plans.ts'
import { type Chosen, withDefaults } from './constraints.ts'
import { type CatalogueSettings, canDo, equalsFor, type Model, modesOfRoute } from './model.ts'
import type { Route } from './model-file.ts'
import { costOf, creditUsdOf, priceOf } from './price.ts'
import { isCovered } from './route-sequence.ts'
import { asLongAsMade, sampleRequests, withReferenceFilms } from './samples.ts'

/** `credits`: null without a price; `costUsd`: without a cost. `margin`: below 0 for a loss, null without both. */
export type RouteFigures = {
  film: { mode: Mode; seconds: number; quality: string }
  credits: number | null
  costUsd: number | null
  /** Of what the credits bring by CREDIT_USD. */
  margin: number | null
  /** Of what those of each product bring, the cheapest first. */
  margins: { product: string; name: string; margin: number }[]
}

/** Null: the route can make no film. */
export function figuresOf(model: Model, route: Route, settings: CatalogueSettings): RouteFigures | null {
  const request = sampleOf(model, route)
  return request ? figuresWith(model, route, request, settings) : null
}

function figuresWith(model: Model, route: Route, request: Chosen, settings: CatalogueSettings): RouteFigures {
  const credits = priceOf(model, request, settings)
  const costUsd = route.cost ? costOf(route.cost, request) : null
  const marginAt = (usd: number | null) =>
    usd === null || credits === null || costUsd === null ? null : 1 - costUsd / (credits * usd)
  const film = { mode: request.mode, seconds: Number(request.duration), quality: String(request.quality) }
  const margins = creditsSold().flatMap(({ product, name, creditUsd }) => {
    const margin = marginAt(creditUsd)
    return margin === null ? [] : [{ product, name, margin }]
  })
  return { film, credits, costUsd, margin: marginAt(creditUsdOf(settings)), margins }
}

/** A route that serves films whose credits, sold as the product, bring less than the vendor charges. */
export type Loss = { model: string; account: string; product: string; margin: number }

/** The losses of offers, by their shortest film, and one with films as references, at the cheapest product. */
export const lossesOf = (models: Iterable<Model>, settings: CatalogueSettings): Loss[] =>
  [...models].flatMap((model) =>
    model.routes.flatMap((route): Loss[] => {
      const margins = samplesOf(model, route).flatMap((request) => {
        const isServing = equalsFor(model, request)[0]?.includes(route) || isCovered(model, route, request, settings)
        return isServing ? (figuresWith(model, route, request, settings).margins[0] ?? []) : []
      })
      const [worst] = margins.toSorted((a, b) => a.margin - b.margin)
      const { product, margin = 0 } = worst ?? {}
      return product !== undefined && margin < 0 ? [{ model: model.id, account: route.account, product, margin }] : []
    }),
  )

function samplesOf(model: Model, route: Route): Chosen[] {
  const withFilms = modesOfRoute(route, model).flatMap((mode) => {
    const request = route.cost?.inputUsd === undefined ? undefined : sampleOf(model, route, mode)
    return request ? (withReferenceFilms(model, request) ?? []) : []
  })
  return [sampleOf(model, route) ?? [], withFilms].flat()
}

/** The shortest film that a route makes, with the model's defaults. */
export function sampleOf(
  model: Model,
  route: Route,
  mode: Mode | undefined = modesOfRoute(route, model)[0],
): Chosen | undefined {
  const constraints = mode && model.constraints.get(mode)
  if (!constraints) return undefined
  return sampleRequests(model, { duration: 0 }, route)
    .filter((request) => request.mode === mode)
    .map(({ mode, duration, quality, aspectRatio }) =>
      withDefaults(model, constraints, model.defaults, { mode, duration, quality, aspectRatio }),
    )
    .map((request) => asLongAsMade(model, request))
    .find((request) => canDo(route, request))
}

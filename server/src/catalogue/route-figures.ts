/** What the shortest film of a route is sold for and costs. */

import type { Mode } from '../film/mode.ts'
import { creditUsdRange } from '../payment/plans.ts'
import { type Chosen, withDefaults } from './constraints.ts'
import { type CatalogueSettings, canDo, type Model, modesOfRoute } from './model.ts'
import type { Route } from './model-file.ts'
import { costOf, creditUsdOf, priceOf } from './price.ts'
import { sampleRequests } from './samples.ts'

/** `credits`: null without a price; `costUsd`: without a cost. `margin`: below 0 for a loss, null without both. */
export type RouteFigures = {
  film: { mode: Mode; seconds: number; quality: string }
  credits: number | null
  costUsd: number | null
  /** Of what the dearest credits bring, by CREDIT_USD, and of what the cheapest ones do. */
  margin: number | null
  marginOfCheapest: number | null
}

/** Null: the route can make no film. */
export function figuresOf(model: Model, route: Route, settings: CatalogueSettings): RouteFigures | null {
  const request = sampleOf(model, route)
  if (!request) return null
  const credits = priceOf(model, request, settings)
  const costUsd = route.cost ? costOf(route.cost, request) : null
  const creditUsd = creditUsdOf(settings)
  const marginAt = (usd: number | null) =>
    usd === null || credits === null || costUsd === null ? null : 1 - costUsd / (credits * usd)
  const film = { mode: request.mode, seconds: Number(request.duration), quality: String(request.quality) }
  const margin = marginAt(creditUsd)
  return { film, credits, costUsd, margin, marginOfCheapest: marginAt(creditUsdRange()?.cheapest ?? creditUsd) }
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
    .find((request) => canDo(route, request))
}

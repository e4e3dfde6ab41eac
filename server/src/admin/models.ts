/** Every model of the catalogue with its routes, for administrators: cost, price, margin and state of each. */
import type { App } from '../app.ts'
import { catalogue, everyModel } from '../catalogue/catalogue.ts'
import { type Model, modesOfRoute, servedRoutes } from '../catalogue/model.ts'
import type { Route } from '../catalogue/model-file.ts'
import { type LeftOut, leftOutOf, offerOf } from '../catalogue/offer.ts'
import { figuresOf, type RouteFigures } from '../catalogue/route-figures.ts'
import { isOn, type Subject } from '../catalogue/switches.ts'
import { type RouteHealth, readRoutes } from '../video/route-health.ts'
import { type Off, readOffs } from './switches.ts'

/** `failing`: tried last (video/route-health.ts). `waiting`: its account has no settings. */
export const ROUTE_STATES = ['in-use', 'failing', 'waiting', 'off'] as const
/** `waiting`: no account has settings. `unavailable`: by its file, or without a price. `unlisted`: by its file. */
export const MODEL_STATES = ['offered', 'waiting', 'off', 'unavailable', 'unlisted'] as const

export type RouteView = {
  account: string
  state: (typeof ROUTE_STATES)[number]
  /** Null: it does not fail. */
  failingSince: Date | null
  /** What the vendor said when it did not know the model, which it may have retired; null: it has not. */
  unknownModel: string | null
  off: Off | null
  /** The vendor's name of the model by mode. */
  models: Record<string, string>
  /** Null: the route names no cost. */
  cost: { per: string; asOf: string | null; source: string | null } | null
  /** Of the shortest film. A route that is not in use has the price that the model would have with it. */
  figures: RouteFigures | null
}
export type ModelView = {
  id: string
  name: string
  company: string
  asOf: string | null
  state: (typeof MODEL_STATES)[number]
  off: Off | null
  /** What the file has and no route in use makes; none while none serves. */
  leftOut: LeftOut[]
  routes: RouteView[]
}

/** What the database says of models and routes. */
type Known = {
  offOf: (subject: Subject) => Off | null
  healthOf: (subject: Subject) => RouteHealth | undefined
}

export async function modelsForAdministrators(app: App): Promise<ModelView[]> {
  const known = await readKnown(app)
  return [...everyModel().values()].map((model) => {
    const routes = model.routes.map((route) => routeView(app, model, route, known))
    const { id, name, company, asOf = null } = model
    const offer = catalogue(app.config).get(id)
    const leftOut = offer && offer.routes.length > 0 ? leftOutOf(model, offer) : []
    return { id, name, company, asOf, ...stateOf(model, routes, known), leftOut, routes }
  })
}

async function readKnown(app: App): Promise<Known> {
  const [offOf, health] = await Promise.all([readOffs(app), readRoutes(app)])
  return {
    offOf,
    healthOf: ({ model, account }) => health.find((each) => each.model === model && each.account === account),
  }
}

function stateOf(
  { id, listed, enabled, price }: Model,
  routes: RouteView[],
  { offOf }: Known,
): Pick<ModelView, 'state' | 'off'> {
  const off = offOf({ model: id, account: '' })
  if (!listed) return { state: 'unlisted', off }
  if (off) return { state: 'off', off }
  if (!enabled || price === null) return { state: 'unavailable', off: null }
  if (routes.some(({ state }) => state === 'in-use' || state === 'failing')) return { state: 'offered', off: null }
  // Every route that would serve is off: the first one says why.
  const first = routes.find(({ state }) => state === 'off')
  return first ? { state: 'off', off: first.off } : { state: 'waiting', off: null }
}

function routeView(app: App, model: Model, route: Route, { offOf, healthOf }: Known): RouteView {
  const { account, cost } = route
  const subject = { model: model.id, account }
  const off = offOf(subject)
  const { failingSince = null, unknownModel = null } = healthOf(subject) ?? {}
  const names = modesOfRoute(route, model).map((mode) => {
    const name = typeof route.model === 'object' ? route.model[mode] : route.model
    return [mode, name ?? model.id]
  })
  return {
    account,
    state: !app.config.providers[account] ? 'waiting' : off ? 'off' : failingSince ? 'failing' : 'in-use',
    off,
    failingSince,
    unknownModel,
    models: Object.fromEntries(names),
    cost: cost ? { per: cost.per, asOf: cost.asOf ?? null, source: cost.source ?? null } : null,
    figures: figuresWith(app, model, route),
  }
}

/** The figures of a route with the price that the model has with it, beside the routes that are on. */
function figuresWith({ config }: App, model: Model, route: Route): RouteFigures | null {
  const routes = model.routes.filter((each) => each === route || isOn({ model: model.id, account: each.account }))
  const served = routes.filter((each) => each === route || servedRoutes({ routes: [each] }, config).length > 0)
  const offer = offerOf(model, served)
  return offer && figuresOf(offer, route, config)
}

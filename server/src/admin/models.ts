/** Every model of the catalogue with its routes, for administrators: cost, price, margin and state of each. */
import type { App } from '../app.ts'
import { everyModel } from '../catalogue/catalogue.ts'
import { type Model, modesOfRoute } from '../catalogue/model.ts'
import type { Mode, Route } from '../catalogue/model-file.ts'
import { figuresOf, type RouteFigures } from '../catalogue/route-figures.ts'
import { isOn, type SwitchedOff, switchOf } from '../catalogue/switches.ts'

/** Why a model or a route is switched off, by whom and when. `model`, `account`: what the switch is of; `''`: all. */
export type Off = SwitchedOff & { actorEmail: string | null }

/** `waiting`: its account has no settings. */
export const ROUTE_STATES = ['in-use', 'waiting', 'off'] as const
/** `waiting`: no account of it has settings. `unavailable`: offered by its file as such, or without a price. `unlisted`: by its file. */
export const MODEL_STATES = ['offered', 'waiting', 'off', 'unavailable', 'unlisted'] as const

export type RouteView = {
  account: string
  state: (typeof ROUTE_STATES)[number]
  off: Off | null
  /** The vendor's name of the model by mode. */
  models: Partial<Record<Mode, string>>
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
  routes: RouteView[]
}

export async function modelsForAdministrators(app: App): Promise<ModelView[]> {
  const models = [...everyModel().values()]
  const offs = models.flatMap(({ id, routes }) =>
    ['', ...routes.map(({ account }) => account)].flatMap((account) => switchOf({ model: id, account }) ?? []),
  )
  const emails = await emailsOf(app, [...new Set(offs.map(({ actorId }) => actorId))])
  const named = (off: SwitchedOff | null): Off | null => off && { ...off, actorEmail: emails.get(off.actorId) ?? null }
  return models.map((model) => {
    const routes = model.routes.map((route) => routeView(app, model, route, named))
    const { id, name, company, asOf = null } = model
    return { id, name, company, asOf, ...stateOf(model, routes, named), routes }
  })
}

function stateOf(
  { id, listed, enabled, price }: Model,
  routes: RouteView[],
  named: (off: SwitchedOff | null) => Off | null,
): Pick<ModelView, 'state' | 'off'> {
  const off = named(switchOf({ model: id, account: '' }))
  if (!listed) return { state: 'unlisted', off }
  if (off) return { state: 'off', off }
  if (!enabled || price === null) return { state: 'unavailable', off: null }
  if (routes.some(({ state }) => state === 'in-use')) return { state: 'offered', off: null }
  // Every route that would serve is off: the first one says why.
  const first = routes.find(({ state }) => state === 'off')
  return first ? { state: 'off', off: first.off } : { state: 'waiting', off: null }
}

function routeView(app: App, model: Model, route: Route, named: (off: SwitchedOff | null) => Off | null): RouteView {
  const { account, cost } = route
  const off = named(switchOf({ model: model.id, account }))
  const settings = app.config.providers[account]
  return {
    account,
    state: settings ? (off ? 'off' : 'in-use') : 'waiting',
    off,
    models: Object.fromEntries(
      modesOfRoute(route, model).map((mode) => [
        mode,
        (typeof route.model === 'object' ? route.model[mode] : route.model) ?? model.id,
      ]),
    ),
    cost: cost ? { per: cost.per, asOf: cost.asOf ?? null, source: cost.source ?? null } : null,
    figures: figuresWith(app, model, route),
  }
}

/** The figures of a route with the price that the model has with it, beside the routes that are on. */
function figuresWith({ config }: App, model: Model, route: Route): RouteFigures | null {
  const routes = model.routes.filter((each) => each === route || isOn({ model: model.id, account: each.account }))
  const providers = { [route.account]: NOT_SET, ...config.providers }
  return figuresOf({ ...model, routes }, route, { ...config, providers })
}
const NOT_SET = { adapter: '', url: null, apiKey: '', webhookKey: null, timeoutS: 1 }

async function emailsOf({ sql }: App, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const users = await sql<{ id: string; email: string }[]>`select id, email from public."user" where id = any(${ids})`
  return new Map(users.map(({ id, email }) => [id, email]))
}

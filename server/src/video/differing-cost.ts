/** Warns the operator of a route whose films cost something else than the catalogue says, once a day a process. */
import type { App } from '../app.ts'
import { idsOf, type Step } from './outcome.ts'

/** Of the catalogue's cost. */
export const DIFFERENCE_SHARE = 0.1

/** The routes of which the log warned today, by database: the processes of a test have one each. */
const warned = new WeakMap<App['sql'], { day: string; routes: Set<string> }>()

/** @param foundUsd what the provider says when the row did not have it yet */
export function logDifferingCost(app: App, video: Step['video'], foundUsd?: number): void {
  const { costs, model } = video
  const expected = costs[1] ?? null
  const found = foundUsd ?? costs[0] ?? null
  if (found === null || expected === null) return
  // 0.55 is more than a tenth above 0.5 in binary fractions.
  if (Math.abs(found - expected) <= DIFFERENCE_SHARE * expected + 1e-9) return
  const day = app.now().toISOString().slice(0, 10)
  const known = warned.get(app.sql)
  const today = known?.day === day ? known : { day, routes: new Set<string>() }
  warned.set(app.sql, today)
  const account = video.providers[video.providerIndex - 1]
  const route = `${account} ${model}`
  if (today.routes.has(route)) return
  today.routes.add(route)
  app.log.warn(
    { ...idsOf(app, video), model, account, expectedUsd: expected, foundUsd: found },
    "the provider's cost of a film is not the catalogue's: compare the route's cost with the vendor's page",
  )
}

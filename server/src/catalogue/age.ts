/** What of the offered models has not been compared with the vendors' pages for long, and which routes end. */
import type { CatalogueSettings, Model } from './model.ts'
import { servedRoutes } from './model.ts'

const DAY_MS = 86_400_000
const OLD_DAYS = 90
const ENDING_DAYS = 30

/** `asOf`: the oldest of the file and of the costs of its routes in use. */
export type Old = { model: string; asOf: string }
/** `until`: the last day, which may be past. */
export type Ending = { model: string; account: string; until: string }

/** @param models with all of their routes */
export function agesOf(
  models: Iterable<Model>,
  settings: Pick<CatalogueSettings, 'providers'>,
  now: Date,
): { old: Old[]; ending: Ending[]; oldest: string | null } {
  const served = [...models].flatMap((model) => {
    const routes = model.listed ? servedRoutes(model, settings) : []
    return routes.length > 0 ? [{ model, routes }] : []
  })
  const dated = served.flatMap(({ model, routes }): Old[] => {
    const [asOf] = [model.asOf, ...routes.map(({ cost }) => cost?.asOf)].filter((day) => day !== undefined).toSorted()
    return asOf === undefined ? [] : [{ model: model.id, asOf }]
  })
  const dayAfter = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)
  return {
    old: dated.filter(({ asOf }) => asOf < dayAfter(-OLD_DAYS)),
    ending: served.flatMap(({ model, routes }) =>
      routes.flatMap(({ account, until }): Ending[] =>
        until !== undefined && until <= dayAfter(ENDING_DAYS) ? [{ model: model.id, account, until }] : [],
      ),
    ),
    oldest: dated.map(({ asOf }) => asOf).toSorted()[0] ?? null,
  }
}

/** A sentence for each kind. */
export function sentencesOf({ old, ending }: Pick<ReturnType<typeof agesOf>, 'old' | 'ending'>): string[] {
  const names = (list: string[]) =>
    list.length > 5 ? `${list.slice(0, 5).join(', ')} and ${list.length - 5} more` : list.join(', ')
  return [
    ...(old.length > 0
      ? [`older than ${OLD_DAYS} days: ${names(old.map(({ model, asOf }) => `${model} (${asOf})`))}`]
      : []),
    ...(ending.length > 0
      ? [`the vendor ends: ${names(ending.map(({ model, account, until }) => `${model} at ${account} (${until})`))}`]
      : []),
  ]
}

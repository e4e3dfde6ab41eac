/**
 * What the lists of vendors name: the models for which the catalogue has a route there, by name alone, until
 * `PUT /simulator/models/<provider>` puts other ones in their place.
 */
import { readdirSync, readFileSync } from 'node:fs'

/** `createdAt`: seconds since 1970. Empty lists: values that the list does not tell. */
export type Published = {
  name: string
  seconds: number[]
  qualities: string[]
  ratios: string[]
  usdPerSecond: number | null
  createdAt: number
}

const folder = new URL('../../catalogue/models/', import.meta.url)
const chosen = new Map<string, Published[]>()

/** @param models null: the catalogue's again */
export function publish(provider: string, models: ({ name: string } & Partial<Published>)[] | null): void {
  if (models) chosen.set(provider, models.map(published))
  else chosen.delete(provider)
}

export const publishedBy = (provider: string): Published[] => chosen.get(provider) ?? namesAt(provider).map(published)

const published = (model: { name: string } & Partial<Published>): Published => ({
  ...{ seconds: [], qualities: [], ratios: [], usdPerSecond: null, createdAt: 0 },
  ...model,
})

type Entry = { id: string; routes?: { account: string; model?: string | Record<string, string> }[] }

function namesAt(provider: string): { name: string }[] {
  const files = readdirSync(folder).filter((file) => /(?<!\.workflow)\.json$/.test(file))
  const entries = files.map((file): Entry => JSON.parse(readFileSync(new URL(file, folder), 'utf8')))
  const names = entries.flatMap(({ id, routes = [] }) =>
    routes
      .filter(({ account }) => account === provider)
      .flatMap(({ model = id }) => (typeof model === 'string' ? model : Object.values(model))),
  )
  return [...new Set(names)].map((name) => ({ name }))
}

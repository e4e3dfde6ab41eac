/**
 * The team for which this page works; null: the user. early.js reads the choice before the first request, and has the
 * rule which requests are for the team. Invariant: the choice stays until the page loads again or the session ends, so
 * that nothing cached of one owner is shown as another's.
 */
import type { Schemas } from '@kinora/client'
import { browserStorage } from './browser-storage.ts'

/** `role` as it was at the last visit, so that the page has its shape before the API has answered; null: not known. */
type ChosenTeam = { id: string; name: string; role: Schemas['TeamRole'] | null }

declare global {
  var kinoraTeam:
    | { chosen: ChosenTeam | null; headersOf: (method: string, url: string) => Record<string, string> }
    | undefined
}

const STORAGE_KEY = 'kinora.team'
const COOKIE_MS = 365 * 24 * 3600 * 1000

export const chosenTeam = (): ChosenTeam | null => globalThis.kinoraTeam?.chosen ?? null

/** Names the team of a request for one. */
export function addTeam({ method, url, headers }: Request): void {
  for (const [name, value] of Object.entries(globalThis.kinoraTeam?.headersOf(method, url) ?? {}))
    headers.set(name, value)
}

/** The address of a file of the API, for a link, which names the team itself: it has no headers. */
export function downloadHref(path: string, query: [string, string][] = []): string {
  const team = chosenTeam()
  const params = new URLSearchParams([...query, ...(team ? [['team', team.id]] : [])])
  return params.size > 0 ? `${path}?${params}` : path
}

/** What this browser keeps of a user's work for one owner. */
export const ownerKey = (userId: string): string => [userId, ...(chosenTeam() ? [chosenTeam()?.id] : [])].join('.')

/**
 * Keeps the choice for the next load of a page, and in a cookie for the service, which makes the first reads of the
 * page. A browser without a Cookie Store, or an address without TLS, has no such cookie: then the page reads by itself.
 */
export async function storeTeam(team: ChosenTeam | null): Promise<void> {
  browserStorage.write(STORAGE_KEY, team && { id: team.id, name: team.name, role: team.role })
  if (!('cookieStore' in globalThis)) return
  const cookie = { name: STORAGE_KEY, value: team?.id ?? '', expires: team ? Date.now() + COOKIE_MS : 0 }
  // The user may have disabled cookies for this site.
  await cookieStore.set(cookie).catch(() => undefined)
}

/** Loads the studio of the team, or with null of the user. */
export async function chooseTeam(team: ChosenTeam | null): Promise<void> {
  await storeTeam(team)
  location.assign('/')
}

/** Once there is no session, which loads no page. */
export function forgetTeam(): void {
  void storeTeam(null)
  if (globalThis.kinoraTeam) globalThis.kinoraTeam.chosen = null
}

/** API keys of a team. better-auth has the keys; the owner of each is the team. */
import type { App } from '../../app.ts'
import { AppError } from '../../errors.ts'
import type { Auth } from '../auth.ts'
import { type Budget, limitKey } from '../key/api-key.ts'
import { API_KEYS_MAX } from '../key/api-key-limit.ts'
import type { Scope } from '../key/scope.ts'

export type NewTeamKey = { name: string; expiresIn: number | null; scopes: readonly Scope[]; budget: Budget | null }

/** @returns the key as better-auth shows it, with its text, which nothing can show again. @throws AppError CONFLICT for API_KEYS_MAX keys */
export async function createTeamKey(app: App, auth: Auth, teamId: string, key: NewTeamKey) {
  const { name, expiresIn, scopes, budget } = key
  const [{ keys }] = await app.sql<[{ keys: number }]>`
    select count(*) as keys from public.apikey where "referenceId" = ${teamId}
  `
  if (keys >= API_KEYS_MAX) throw new AppError('CONFLICT', `The team has ${API_KEYS_MAX} API keys, which is the most.`)
  // Not by a request, of which better-auth would take the user of the session.
  const made = await auth.api.createApiKey({ body: { userId: teamId, name, expiresIn } })
  await limitKey(app, { userId: teamId, id: made.id, scopes, budget })
  return made
}

/** The newest first. */
export const listTeamKeys = ({ sql }: App, teamId: string) => sql<{ id: string; referenceId: string }[]>`
  select id, "referenceId", name, start, enabled, "lastRequest", "expiresAt", "createdAt"
  from public.apikey
  where "referenceId" = ${teamId}
  order by id desc
`

/** @throws AppError NOT_FOUND */
export async function deleteTeamKey({ sql }: App, teamId: string, id: string): Promise<void> {
  const { count } = await sql`delete from public.apikey where id = ${id} and "referenceId" = ${teamId}`
  if (count === 0) throw new AppError('NOT_FOUND', 'The team has no such API key.')
}

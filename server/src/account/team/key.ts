/** API keys of a team. better-auth has the keys; the owner of each is the team. */

import type { App } from '../../app.ts'
import { part } from '../../db/call.ts'
import { AppError } from '../../errors.ts'
import { type Auth, TEST_KEY_PREFIX } from '../auth.ts'
import { type Budget, limitKey } from '../key/api-key.ts'
import { API_KEYS_MAX, isTooManyKeys } from '../key/api-key-limit.ts'
import type { Scope } from '../key/scope.ts'
import { settleGiven, withMakers } from './authority.ts'

export type NewTeamKey = {
  teamId: string
  madeBy: string
  name: string
  expiresIn: number | null
  scopes: readonly Scope[]
  budget: Budget | null
  isTest: boolean
}

/**
 * @returns the key as better-auth shows it, with its text, which nothing can show again
 * @throws AppError CONFLICT for API_KEYS_MAX keys, FORBIDDEN for a member who has lost the role
 */
export async function createTeamKey(app: App, auth: Auth, key: NewTeamKey) {
  const { teamId, madeBy, name, expiresIn, scopes, budget, isTest } = key
  const [{ keys }] = await app.sql<[{ keys: number }]>`
    select count(*) as keys from public.apikey where "referenceId" = ${teamId}
  `
  if (keys >= API_KEYS_MAX) throw full()
  // Not by a request, of which better-auth would take the user of the session.
  const made = await auth.api
    .createApiKey({ body: { userId: teamId, name, expiresIn, ...(isTest && { prefix: TEST_KEY_PREFIX }) } })
    .catch((error: unknown) => {
      // Of those that are made at the same time.
      throw isTooManyKeys(error) ? full() : error
    })
  await limitKey(app, { userId: teamId, id: made.id, scopes, budget, isTest, madeBy, name })
  app.crashPoint('team.given')
  await settleGiven(app, { teamId, userId: madeBy, id: made.id })
  const [shown] = await withMakers(app, teamId, [{ ...made, madeBy, suspendedAt: null }])
  return shown as NonNullable<typeof shown>
}

const full = () => new AppError('CONFLICT', `The team has ${API_KEYS_MAX} API keys, which is the most.`)

/** The newest first. */
export async function listTeamKeys(app: App, teamId: string) {
  const keys = await app.sql<{ id: string; referenceId: string; madeBy: string | null; suspendedAt: Date | null }[]>`
    select k.id, k."referenceId", k.name, k.start, k.prefix, k.enabled, k."lastRequest", k."expiresAt", k."createdAt", a.made_by, a.suspended_at
    from public.apikey k
    left join kinora.api_key a on a.user_id = ${teamId} and a.id::text = k.id
    where k."referenceId" = ${teamId}
    order by k.id desc
  `
  return withMakers(app, teamId, keys)
}

/** @throws AppError NOT_FOUND */
export async function deleteTeamKey(
  { sql, now }: App,
  { teamId, actorId, id }: { teamId: string; actorId: string; id: string },
): Promise<void> {
  const logged = part(sql, 'team_log', {
    teamId,
    actorId,
    action: 'team.delete-key',
    subject: sql`id`,
    before: sql`jsonb_build_object('name', name)`,
    now: now(),
  })
  const { count } = await sql`
    with ended as (
      delete from public.apikey where id = ${id} and "referenceId" = ${teamId} returning id, name
    )
    select ${logged}
    from ended
  `
  if (count === 0) throw new AppError('NOT_FOUND', 'The team has no such API key.')
}

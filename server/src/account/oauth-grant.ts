/**
 * What a user grants a program that connects by OAuth: the owner that it acts for, and its budget, which is that of an
 * API key with the id of the consent. Invariant: a consent without an owner does not count (oauth.ts), and it gets one
 * when its budget is stored.
 */

import type { App } from '../app.ts'
import { part } from '../db/call.ts'
import type { Query } from '../db/db.ts'
import { AppError } from '../errors.ts'
import { type Budget, type KeyState, keyStates } from './key/api-key.ts'
import { isScope, SCOPES_OF_ROLE, type Scope } from './key/scope.ts'
import { settleGiven } from './team/authority.ts'
import { type Team, teamsOf } from './team/team.ts'

/** Whom a program may act for, by its scopes: the user, and teams in which the user's role has them. */
export async function ownersFor(app: App, userId: string, scopes: readonly string[]): Promise<Team[]> {
  const teams = await teamsOf(app, userId)
  const isPermitted = ({ role }: Team) => scopes.filter(isScope).every((scope) => SCOPES_OF_ROLE[role].includes(scope))
  return teams.filter((team) => !team.locked && isPermitted(team))
}

type Client = { userId: string; clientId: string }

/** Ends the consent of the user to the client, and its tokens (a trigger). A new consent is another grant. */
export async function endConsent(app: App, { userId, clientId }: Client): Promise<void> {
  await endConsents(app, userId, app.sql`k."clientId" = ${clientId} and k."userId" = ${userId}`)
}

/** The team's log says who has ended a program that acted for it. @returns how many have ended that were finished */
async function endConsents({ sql, now }: App, actorId: string, are: ReturnType<Query>): Promise<number> {
  const logged = part(sql, 'team_log', {
    teamId: sql`owner_id`,
    actorId,
    action: 'team.disconnect-program',
    subject: sql`id`,
    before: sql`jsonb_build_object('name', name)`,
    now: now(),
  })
  const { count } = await sql`
    with ended as (
      delete from public."oauthConsent" k
      using public."oauthClient" c
      where c."clientId" = k."clientId" and ${are}
      returning k.id, k."ownerId" as owner_id, c.name
    )
    select ${logged}
    from ended
    where owner_id is not null
  `
  return count
}

/**
 * Stores for whom a program acts and what it may spend; the consent counts from then on.
 * @returns false when the consent ended meanwhile
 * @throws AppError FORBIDDEN when the user's role in the team did
 */
export async function storeGrant(
  app: App,
  { userId, clientId, ownerId, budget }: Client & { ownerId: string; budget: Budget | null },
): Promise<boolean> {
  const { sql, now } = app
  const at = now()
  const [consent] = await sql<{ id: string; scopes: string[]; name: string | null }[]>`
    select k.id, k.scopes, c.name
    from public."oauthConsent" k
    join public."oauthClient" c on c."clientId" = k."clientId"
    where k."clientId" = ${clientId} and k."userId" = ${userId}
  `
  if (!consent) return false
  const { id, scopes, name } = consent
  const logged = part(sql, 'team_log', {
    teamId: sql`user_id`,
    actorId: sql`connected_by`,
    action: 'team.connect-program',
    subject: sql`id::text`,
    after: sql`jsonb_build_object('name', ${name}::text, 'scopes', scopes, 'budget', budget, 'period', budget_period)`,
    now: at,
  })
  await sql`
    with connected as (
      insert into kinora.api_key (user_id, id, scopes, connected_by, budget, budget_period, created_at)
      values (
        ${ownerId}, ${id}, ${scopes.filter(isScope)}::text[], ${userId}, ${budget?.credits ?? null}, ${budget?.period ?? null}, ${at}
      )
      on conflict (user_id, id) do nothing
      returning *
    )
    select ${logged}
    from connected
  `
  // A form that is sent twice stores it once.
  const stored = await sql`
    update public."oauthConsent" set "ownerId" = ${ownerId} where id = ${id} and coalesce("ownerId", ${ownerId}) = ${ownerId}
  `
  if (ownerId !== userId) await settleGiven(app, { teamId: ownerId, userId, id })
  return stored.count === 1
}

/** `team`: the name of the team that the program acts for; null: it acts for the user. `connectedBy`: the user. */
export type ConnectedApp = {
  id: string
  name: string
  scopes: Scope[]
  createdAt: Date
  team: string | null
  connectedBy: { id: string; name: string }
  budget: KeyState['budget']
  used: KeyState['used']
}

/** The programs that a user has connected, or that act for a team, newest first. */
export async function connectedApps(app: App, of: { userId: string } | { teamId: string }): Promise<ConnectedApp[]> {
  const { sql } = app
  const rows = await sql<(Omit<ConnectedApp, 'budget' | 'used'> & { ownerId: string })[]>`
    select k.id, coalesce(c.name, '') as name, k.scopes, k."createdAt" as created_at, k."ownerId" as owner_id, o.name as team,
           jsonb_build_object('id', u.id, 'name', u.name) as connected_by
    from public."oauthConsent" k
    join public."oauthClient" c on c."clientId" = k."clientId"
    join public."user" u on u.id = k."userId"
    left join kinora.team o on o.id = k."ownerId"
    where k."ownerId" is not null and ${'teamId' in of ? sql`k."ownerId" = ${of.teamId}` : sql`k."userId" = ${of.userId}`}
    order by k."createdAt" desc, k.id
  `
  return Promise.all(
    rows.map(async ({ ownerId, ...row }) => {
      const { budget = null, used = { day: 0, week: 0, month: 0 } } =
        (await keyStates(app, ownerId, [row.id])).get(row.id) ?? {}
      // `offline_access` permits nothing by itself.
      return { ...row, scopes: row.scopes.filter(isScope), budget, used }
    }),
  )
}

/** Withdraws a consent with its tokens. */
export async function disconnectApp(app: App, userId: string, id: string): Promise<void> {
  await endConsents(app, userId, app.sql`k.id = ${id} and k."userId" = ${userId}`)
}

/** The same by an owner of the team that it acts for; its member may connect it again. @throws AppError NOT_FOUND */
export async function disconnectFromTeam(
  app: App,
  { teamId, actorId, id }: { teamId: string; actorId: string; id: string },
): Promise<void> {
  if (await endConsents(app, actorId, app.sql`k.id = ${id} and k."ownerId" = ${teamId}`)) return
  throw new AppError('NOT_FOUND', 'No such program acts for the team: it may have ended.')
}

/** Changes what a program may spend, from its next film on; null: as much as its owner has. */
export async function setAppBudget({ sql }: App, userId: string, id: string, budget: Budget | null): Promise<void> {
  const [row] = await sql<{ ownerId: string }[]>`
    select "ownerId" as owner_id from public."oauthConsent" where id = ${id} and "userId" = ${userId} and "ownerId" is not null
  `
  if (!row) return
  await sql`
    update kinora.api_key set budget = ${budget?.credits ?? null}, budget_period = ${budget?.period ?? null}
    where user_id = ${row.ownerId} and id = ${id}
  `
}

/**
 * What a user grants a program that connects by OAuth: the owner that it acts for, and its budget, which is that of an API key with the id of the
 * consent. Invariant: a consent without an owner does not count (oauth.ts), and it gets one when its budget is stored.
 */
import type { App } from '../app.ts'
import { type Budget, type KeyState, keyStates } from './key/api-key.ts'
import { isScope, SCOPES_OF_ROLE } from './key/scope.ts'
import { settleGiven } from './team/authority.ts'
import { type Team, teamsOf } from './team/team.ts'

/** Whom a program may act for, by the scopes that it asks for: the user, and teams in which the user's role has them. */
export async function ownersFor(app: App, userId: string, scopes: readonly string[]): Promise<Team[]> {
  const teams = await teamsOf(app, userId)
  const isPermitted = ({ role }: Team) => scopes.filter(isScope).every((scope) => SCOPES_OF_ROLE[role].includes(scope))
  return teams.filter((team) => !team.locked && isPermitted(team))
}

type Client = { userId: string; clientId: string }

/** Ends the consent of the user to the client, and its tokens (a trigger). A new consent is another grant. */
export async function endConsent({ sql }: App, { userId, clientId }: Client): Promise<void> {
  await sql`delete from public."oauthConsent" where "clientId" = ${clientId} and "userId" = ${userId}`
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
  const [consent] = await sql<{ id: string; scopes: string[] }[]>`
    select id, scopes from public."oauthConsent" where "clientId" = ${clientId} and "userId" = ${userId}
  `
  if (!consent) return false
  const { id, scopes } = consent
  await sql`
    insert into kinora.api_key (user_id, id, scopes, connected_by, budget, budget_period, created_at)
    values (
      ${ownerId}, ${id}, ${scopes.filter(isScope)}::text[], ${userId}, ${budget?.credits ?? null}, ${budget?.period ?? null}, ${now()}
    )
    on conflict (user_id, id) do nothing
  `
  // A form that is sent twice stores it once.
  const stored = await sql`
    update public."oauthConsent" set "ownerId" = ${ownerId} where id = ${id} and coalesce("ownerId", ${ownerId}) = ${ownerId}
  `
  if (ownerId !== userId) await settleGiven(app, { teamId: ownerId, userId, id })
  return stored.count === 1
}

/** `team`: the name of the team that the program acts for; null: it acts for the user. */
export type ConnectedApp = {
  id: string
  name: string
  scopes: string[]
  createdAt: Date
  team: string | null
  budget: KeyState['budget']
  used: KeyState['used']
}

/** The programs that the user has connected, newest first. */
export async function connectedApps(app: App, userId: string): Promise<ConnectedApp[]> {
  const rows = await app.sql<(Omit<ConnectedApp, 'budget' | 'used'> & { ownerId: string })[]>`
    select k.id, coalesce(c.name, '') as name, k.scopes, k."createdAt" as created_at, k."ownerId" as owner_id, o.name as team
    from public."oauthConsent" k
    join public."oauthClient" c on c."clientId" = k."clientId"
    left join kinora.team o on o.id = k."ownerId"
    where k."userId" = ${userId} and k."ownerId" is not null
    order by k."createdAt" desc, k.id
  `
  return Promise.all(
    rows.map(async ({ ownerId, ...row }) => {
      const { budget = null, used = { day: 0, week: 0, month: 0 } } =
        (await keyStates(app, ownerId, [row.id])).get(row.id) ?? {}
      return { ...row, budget, used }
    }),
  )
}

/** Withdraws a consent with its tokens. */
export async function disconnectApp({ sql }: App, userId: string, id: string): Promise<void> {
  await sql`delete from public."oauthConsent" where id = ${id} and "userId" = ${userId}`
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

/**
 * Teams: several people, one balance. Invariants: a team has an owner; a member is added or removed under the lock of
 * the team (server/sql/team.sql). The budget of a member is that of an API key with the member's id (kinora.api_key).
 */

import type { App } from '../../app.ts'
import { call, part } from '../../db/call.ts'
import { once, type RequestKey } from '../../db/idempotency.ts'
import { hasSecondFactor } from '../../db/set-calls.ts'
import { AppError } from '../../errors.ts'
import { isUuid, keyOwnerOf, newTeamId } from '../../id.ts'
import { type Budget, keyStates } from '../key/api-key.ts'
import { factorMissing } from './membership.ts'
import type { Role } from './role.ts'

export const TEAM_NAME_MAX = 100
export const TEAMS_MAX = 20
export const MEMBERS_MAX = 1000

export type Team = { id: string; name: string; role: Role; members: number; createdAt: Date } & TeamState
/** `secondFactorRequired`: a member acts for it with a second factor only. */
type TeamState = { locked: boolean; secondFactorRequired: boolean }

/** The teams of which the user is a member, the oldest first. */
export const teamsOf = ({ sql }: Pick<App, 'sql'>, userId: string): Promise<Team[]> => sql<Team[]>`
  select t.id, t.name, m.role, ${teamState(sql)}, t.created_at,
         (select count(*) from kinora.team_member o where o.team_id = t.id) as members
  from kinora.team_member m
  join kinora.team t on t.id = m.team_id
  where m.user_id = ${userId}
  order by t.id
`

/** @throws AppError CONFLICT for an owner of TEAMS_MAX teams, UNAUTHENTICATED for a user who was deleted meanwhile */
export async function createTeam(
  { sql, now }: App,
  userId: string,
  name: string,
  key: RequestKey | null = null,
): Promise<Team> {
  const at = now()
  const id = newTeamId(at)
  const created = part(sql, 'team_create', { id, userId, name, max: TEAMS_MAX, now: at })
  const deed = { id, done: 'created' as const, now: at, isOfNoUser: true as const }
  const outcome = await once<'created' | 'too_many' | 'not_found'>(sql, key, created, deed)
  switch (outcome) {
    case 'created':
      return { id, name, role: 'owner', members: 1, locked: false, secondFactorRequired: false, createdAt: at }
    case 'too_many':
      throw new AppError('CONFLICT', `You own ${TEAMS_MAX} teams, which is the most.`)
    case 'not_found':
      throw new AppError('UNAUTHENTICATED', 'This account was deleted.')
  }
}

/** @returns the team and how many members it has. @throws AppError NOT_FOUND */
export async function readTeam({ sql }: Pick<App, 'sql'>, teamId: string): Promise<Omit<Team, 'role'>> {
  const [team] = await sql<Omit<Team, 'role'>[]>`
    select t.id, t.name, ${teamState(sql)}, t.created_at, (select count(*) from kinora.team_member m where m.team_id = t.id) as members
    from kinora.team t
    where t.id = ${teamId}
  `
  if (!team) throw noSuchTeam()
  return team
}

const teamState = (sql: App['sql']) => sql`
  t.locked_at is not null as locked, t.requires_factor as second_factor_required
`

type TeamChange = { name?: string | undefined; secondFactorRequired?: boolean | undefined }

/**
 * What is left out stays. `actorId`: a member, or an API key of the team. `hasFactor`: the member's.
 * @throws AppError NOT_FOUND, FORBIDDEN when another than an owner, or one without a second factor, requires one
 */
export async function changeTeam(
  { sql, now }: App,
  { teamId, actorId, hasFactor }: { teamId: string; actorId: string; hasFactor: boolean },
  { name, secondFactorRequired }: TeamChange,
): Promise<void> {
  const outcome = await call(sql, 'team_change', {
    teamId,
    name: name ?? null,
    requiresFactor: secondFactorRequired ?? null,
    hasFactor,
    actorId,
    now: now(),
  })
  switch (outcome) {
    case 'changed':
      return
    case 'not_found':
      throw noSuchTeam()
    case 'forbidden':
      throw onlyOwners()
    case 'factor_missing':
      throw factorMissing('Only an owner who has a second factor may require one of the members')
  }
}

export type TeamMember = {
  userId: string
  name: string
  email: string
  role: Role
  budget: (Budget & { used: number; resetAt: Date }) | null
  used: { day: number; week: number; month: number }
  hasSecondFactor: boolean
  createdAt: Date
}

/** The members, in the order in which their accounts were made. */
export async function listMembers(app: App, teamId: string): Promise<TeamMember[]> {
  const members = await app.sql<Omit<TeamMember, 'budget' | 'used'>[]>`
    select m.user_id, u.name, u.email, m.role, ${hasSecondFactor(app.sql)} as has_second_factor, m.created_at
    from kinora.team_member m
    join public."user" u on u.id = m.user_id::text
    where m.team_id = ${teamId}
    order by m.user_id
  `
  const ids = members.map(({ userId }) => userId)
  const states = await keyStates(app, teamId, ids)
  return members.map((member) => {
    const { budget = null, used = { day: 0, week: 0, month: 0 } } = states.get(member.userId) ?? {}
    return { ...member, budget, used }
  })
}

type Change = { teamId: string; userId: string; actorId: string }

/**
 * Gives a member another role, or removes the member (`role` null). `takeOver`: ids of the member's keys and endpoints
 * that the actor, an owner, takes over; the others end when the role may not give them.
 * @throws AppError NOT_FOUND, FORBIDDEN, CONFLICT for the last owner and for a `takeOver` that the member has not made
 */
export async function changeMember(
  { sql, now }: Pick<App, 'sql' | 'now'>,
  change: Change & { role: Role | null; takeOver?: readonly string[] },
): Promise<void> {
  const { teamId, userId, actorId, role, takeOver = [] } = change
  if (!isUuid(userId)) throw noSuchMember()
  const outcome = await call(sql, 'team_member_change', { teamId, userId, role, takeOver, actorId, now: now() })
  switch (outcome) {
    case 'changed':
      return
    case 'not_found':
      throw noSuchMember()
    case 'forbidden':
      throw onlyOwners()
    case 'last_owner':
      throw new AppError('CONFLICT', 'This is the last owner of the team: make another member an owner first.')
    case 'not_given':
      throw new AppError(
        'CONFLICT',
        'What you want to take over has changed meanwhile: read what the member has made again.',
      )
  }
}

/** An admin sets the budgets of other members; one could lift an own one. @throws AppError FORBIDDEN */
export function refuseOwnBudget({ userId, actorId, role }: Change & { role: Role }): void {
  if (role !== 'owner' && userId === actorId) throw onlyOwners()
}

/**
 * Sets what a member may spend in a period; null: as much as the team has. The budget of an owner is an owner's affair.
 * @throws AppError NOT_FOUND, FORBIDDEN
 */
export async function setMemberBudget(
  app: Pick<App, 'sql' | 'now'>,
  change: Change & { role: Role; budget: Budget | null },
): Promise<void> {
  const { teamId, userId, actorId, role, budget } = change
  const [member] = isUuid(userId)
    ? await app.sql<{ role: Role }[]>`
        select role from kinora.team_member where team_id = ${teamId} and user_id = ${userId}
      `
    : []
  if (!member) throw noSuchMember()
  if (member.role === 'owner' && role !== 'owner') throw onlyOwners()
  const now = app.now()
  const logged = part(app.sql, 'team_log', {
    teamId,
    actorId,
    action: 'team.set-budget',
    subject: userId,
    before: app.sql`jsonb_build_object('budget', f.budget, 'period', f.budget_period)`,
    after: app.sql`jsonb_build_object('budget', c.budget, 'period', c.budget_period)`,
    now,
  })
  await app.sql`
    with former as (
      select budget, budget_period from kinora.api_key where user_id = ${teamId} and id = ${userId}
    ), changed as (
      insert into kinora.api_key (user_id, id, scopes, budget, budget_period, created_at)
      values (${teamId}, ${userId}, '{}', ${budget?.credits ?? null}, ${budget?.period ?? null}, ${now})
      on conflict (user_id, id) do update
      set budget = excluded.budget, budget_period = excluded.budget_period
      returning budget, budget_period
    )
    select ${logged}
    from changed c
    left join former f on true
    where (f.budget, f.budget_period) is distinct from (c.budget, c.budget_period)
  `
}

export const noSuchTeam = () => new AppError('NOT_FOUND', 'There is no such team.')
export const noSuchMember = () => new AppError('NOT_FOUND', 'The team has no such member.')
const onlyOwners = () => new AppError('FORBIDDEN', 'Only an owner of the team may do this.')

/** `name` null: a former member, an API key that was deleted, or a program that was disconnected (OAuth). */
export type Maker = { id: string; name: string | null; kind: 'member' | 'key' | 'program' }

/** Those who made films of an owner: members, API keys, and connected programs. */
export async function makersOf({ sql }: Pick<App, 'sql'>, ownerId: string, ids: (string | null)[]): Promise<Maker[]> {
  const makers = [...new Set(ids)].filter((id) => id !== null)
  if (makers.length === 0) return []
  const keyOwner = keyOwnerOf(ownerId)
  return sql<Maker[]>`
    select i.id,
           coalesce(case when m.user_id is not null then u.name end, nullif(k.name, ''), k.start, nullif(p.name, ''), c."clientId") as name,
           case
             when u.id is not null or exists (select from kinora.deleted_account d where d.user_id = i.id::uuid) then 'member'
             -- The limits of a deleted key and of a disconnected program are kept.
             when a.id is not null and a.connected_by is null then 'key'
             else 'program'
           end as kind
    from unnest(${makers}::text[]) i (id)
    left join public."user" u on u.id = i.id
    left join kinora.team_member m on m.team_id = ${keyOwner} and m.user_id = i.id::uuid
    left join public.apikey k on k.id = i.id and k."referenceId" = ${keyOwner}
    left join kinora.api_key a on a.user_id = ${keyOwner} and a.id = i.id::uuid
    left join public."oauthConsent" c on c.id = i.id and c."ownerId" = ${ownerId}
    left join public."oauthClient" p on p."clientId" = c."clientId"
    order by i.id
  `
}

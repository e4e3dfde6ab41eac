/**
 * Teams with their balances and members, for administrators, who may lock one, and make a member an owner. What is
 * granted and taken is an owner's (credit/ledger.ts).
 */

import { Type } from 'typebox'
import { listMembers, noSuchMember, noSuchTeam, type TeamMember } from '../account/team/team.ts'
import type { App } from '../app.ts'
import { call, part } from '../db/call.ts'
import { filter, matches, type QueryOf } from '../db/filter.ts'
import { by, type Clauses, type PageQuery, readCountedPage } from '../db/page.ts'
import { likePattern } from '../db/video-filters.ts'
import { isUuid } from '../id.ts'
import { type User, type UserDetail, whoOwe, withAccounts } from './users.ts'

export type ListedTeam = {
  id: string
  /** Empty when the team was deleted. */
  name: string
  /** How many it has. */
  members: number
  createdAt: Date
  /** When the team was deleted: its books remain under the id. */
  deletedAt: Date | null
  locked: boolean
  credits: User['credits']
}
export type TeamDetail = ListedTeam &
  Pick<UserDetail, 'inProgress' | 'apiKeys'> & { lockReason: string | null; lockedAt: Date | null }

/** Members whose teams a search by a part of their address or name finds. */
const USERS_MAX = 100

/** `members`: whose teams a search finds; `owing`: the teams that owe credits. */
type Context = { members: string[]; owing: string[] }
export const teamFilters = {
  q: filter(
    Type.String({
      maxLength: 200,
      description:
        'A part of its name, or of the e-mail address or name of a member, which finds 100 users at most, or a whole id',
    }),
    (sql, q, { members }: Context) => {
      const text = textOf(q)
      if (text === '') return sql`true`
      if (isUuid(text)) return sql`t.id = ${text}`
      return sql`(
        lower(t.name) like ${likePattern(text)}
        or t.id in (select m.team_id from kinora.team_member m where m.user_id = any(${members}::uuid[]))
      )`
    },
  ),
  owes: filter(Type.Boolean({ description: 'true: only teams that owe credits' }), (sql, owes, { owing }: Context) =>
    owes ? sql`t.id = any(${owing}::uuid[])` : sql`true`,
  ),
  tag: filter(
    Type.String({ minLength: 1, maxLength: 40, description: 'Only teams with this tag' }),
    (sql, tag, _: Context) => sql`t.id in (select user_id from kinora.owner_tag where tag = ${tag})`,
  ),
}
const textOf = (q = '') => q.trim().toLowerCase()

/**
 * Newest first, deleted ones included. `total` counts all that match.
 * @throws AppError INVALID_REQUEST for an invalid cursor
 */
export async function listTeams(app: App, query: QueryOf<typeof teamFilters> & PageQuery) {
  const { sql } = app
  const text = textOf(query.q)
  const context: Context = {
    members: isUuid(text) || text === '' ? [] : await usersWith(app, text),
    owing: query.owes ? (await whoOwe(app)).teams : [],
  }
  const { rows, ...page } = await readCountedPage(sql, query, {
    sequence: by('t.id', 'id'),
    where: () => matches(sql, teamFilters, query, context),
    rows: (_, clauses) => readTeams(app, clauses),
    count: (_, where) => sql<{ total: number }[]>`select count(*) as total from ${everyTeam(app)} t where ${where}`,
  })
  const teams = rows.map(({ lockReason: _r, lockedAt: _l, apiKeys: _k, inProgress: _p, ...team }) => team)
  return { teams, ...page }
}

/** @throws AppError NOT_FOUND */
export async function getTeam(app: App, id: string): Promise<TeamDetail> {
  const { sql } = app
  const [team] = isUuid(id) ? await readTeams(app, { where: sql`t.id = ${id}`, order: sql`t.id`, limit: 1 }) : []
  if (!team) throw noSuchTeam()
  return team
}

/** The members of a team, none of a deleted one. @throws AppError NOT_FOUND */
export async function membersOfTeam(app: App, id: string): Promise<TeamMember[]> {
  return await listMembers(app, (await getTeam(app, id)).id)
}

/** Locks the team, or unlocks it; idempotent. @throws AppError NOT_FOUND */
export async function lockTeam(
  { sql, now }: App,
  id: string,
  { isLocked, ...by }: { isLocked: boolean; reason: string; actorId: string; requestId: string },
): Promise<void> {
  if (!isUuid(id)) throw noSuchTeam()
  const outcome = await call(sql, 'team_lock', {
    teamId: id,
    isLocked,
    reason: by.reason,
    actorId: by.actorId,
    requestId: by.requestId,
    now: now(),
  })
  if (outcome === 'not_found') throw noSuchTeam()
}

/** Makes a member an owner; idempotent. @throws AppError NOT_FOUND */
export async function makeOwner(
  { sql, now }: App,
  { teamId, userId, ...by }: { teamId: string; userId: string; reason: string; actorId: string; requestId: string },
): Promise<void> {
  if (!isUuid(teamId) || !isUuid(userId)) throw noSuchMember()
  const outcome = await call(sql, 'team_make_owner', {
    teamId,
    userId,
    reason: by.reason,
    actorId: by.actorId,
    requestId: by.requestId,
    now: now(),
  })
  if (outcome === 'not_found') throw noSuchMember()
}

const everyTeam = ({ sql }: App) => sql`
  (
    select id, name, created_at, null::timestamptz as deleted_at, locked_at, lock_reason, requires_factor from kinora.team
    union all
    select user_id, '', created_at, deleted_at, null, null, false from kinora.deleted_account where is_team
  )
`

async function usersWith({ sql }: App, text: string): Promise<string[]> {
  const users = await sql<{ id: string }[]>`
    select id from ${part(sql, 'user_search', { pattern: likePattern(text), before: null, limit: USERS_MAX })} id
  `
  return users.map(({ id }) => id).filter(isUuid)
}

async function readTeams(app: App, { where, order, limit }: Clauses): Promise<TeamDetail[]> {
  const { sql } = app
  const rows = await sql<Omit<TeamDetail, 'credits' | 'inProgress'>[]>`
    select t.id, t.name, t.created_at, t.deleted_at, t.locked_at, t.lock_reason, t.locked_at is not null as locked,
           t.requires_factor as second_factor_required,
           (select count(*) from kinora.team_member m where m.team_id = t.id) as members,
           (select count(*) from public.apikey k where k."referenceId" = t.id::text) as api_keys
    from ${everyTeam(app)} t
    where ${where}
    order by ${order}
    limit ${limit}
  `
  return await withAccounts(app, rows)
}

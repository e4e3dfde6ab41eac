/** What members have given to a team: invitations, API keys, programs, endpoints (server/sql/authority.sql). */

import type { App } from '../../app.ts'
import { call, part } from '../../db/call.ts'
import { AppError } from '../../errors.ts'
import { isTestOwner, isUuid } from '../../id.ts'
import type { Caller } from '../credential/credential.ts'
import type { Role } from './role.ts'
import { type Maker, makersOf, noSuchMember } from './team.ts'

export type Given = { kind: 'invitation' | 'key' | 'endpoint' | 'program'; id: string; name: string }

/** Of a team's key or endpoint. `madeBy` null: it is a user's. `endsAt`: of the suspension, without a take-over. */
export type Authority = { madeBy: Pick<Maker, 'id' | 'name'> | null; suspendedAt: Date | null; endsAt: Date | null }

/** The member who answers for what a team's request makes, of a key its maker; null: a user's request. */
export async function giverOf({ sql }: App, { userId, actorId, team, key }: Caller): Promise<string | null> {
  // No member can take over what a test key makes: it ends with the account beside the team's.
  if (!team || isTestOwner(userId)) return null
  if (actorId !== userId) return actorId
  const [row] = await sql<{ madeBy: string }[]>`
    select made_by from kinora.api_key where user_id = ${userId} and id = ${key?.id ?? null}
  `
  return row?.madeBy ?? null
}

/**
 * Settles what a member has just given: the member may have lost the role since the request was admitted.
 * @throws AppError FORBIDDEN when it has ended at once
 */
export async function settleGiven(
  { sql, now }: App,
  { teamId, userId, id }: { teamId: string; userId: string; id: string },
): Promise<void> {
  const ended = await call(sql, 'authority_settle', { teamId, userId, isOperator: false, now: now() })
  if (ended.includes(id))
    throw new AppError('FORBIDDEN', 'Your role in the team has changed: you may not do this any more.')
}

/** Ends what no owner has taken over in time. */
export async function sweepAuthority({ sql, now }: App): Promise<void> {
  await call(sql, 'authority_sweep', { now: now() })
}

/** What a member has given that ends with another role; `role` null: with the membership. @throws AppError NOT_FOUND */
export async function givenThatEnds(
  { sql }: App,
  { teamId, userId, role }: { teamId: string; userId: string; role: Role | null },
): Promise<Given[]> {
  const [member] = isUuid(userId)
    ? await sql`select from kinora.team_member where team_id = ${teamId} and user_id = ${userId}`
    : []
  if (!member) throw noSuchMember()
  return sql<Given[]>`
    select kind, id, name
    from ${part(sql, 'authority_ends', { teamId, userId, role })}
    order by kind, id
  `
}

/** Makes an owner the maker of keys and endpoints. @throws AppError FORBIDDEN for another member, NOT_FOUND */
export async function takeOver(
  { sql, now }: App,
  { teamId, actorId, ids }: { teamId: string; actorId: string; ids: readonly string[] },
): Promise<void> {
  const outcome = await call(sql, 'authority_take_over', { teamId, ids, userId: null, actorId, now: now() })
  switch (outcome) {
    case 'taken':
      return
    case 'not_found':
      throw new AppError('NOT_FOUND', 'The team has no such API key or webhook endpoint: it may have ended.')
    case 'forbidden':
      throw new AppError('FORBIDDEN', 'Only an owner of the team may do this.')
  }
}

type Stored = { madeBy: string | null; suspendedAt: Date | null }

/** Names the makers of keys or endpoints of an owner. */
export async function withMakers<T extends Stored>(
  app: App,
  ownerId: string,
  rows: readonly T[],
): Promise<(Omit<T, keyof Stored> & Authority)[]> {
  const makers = await makersOf(
    app,
    ownerId,
    rows.map(({ madeBy }) => madeBy),
  )
  const names = new Map(makers.map(({ id, name }) => [id, name]))
  return rows.map(({ madeBy, suspendedAt, ...row }) => ({
    ...row,
    madeBy: madeBy === null ? null : { id: madeBy, name: names.get(madeBy) ?? null },
    suspendedAt,
    endsAt: suspendedAt && new Date(suspendedAt.getTime() + SUSPENSION_MS),
  }))
}

/** kinora.authority_suspension. */
const SUSPENSION_MS = 7 * 86_400_000

/** Who is a member of a team. Invariant: a member's role is read with the query that says that the user is one. */
import type { App } from '../../app.ts'
import { AppError } from '../../errors.ts'
import type { Role } from './role.ts'

/**
 * `hasBudget`: whether the user's own API key of the request has one. `isLocked`: whether an administrator has locked
 * the team. `requiresFactor`: whether it refuses members without a second factor. `maxRequests`: in a minute, of each
 * member, where an administrator has limited the team.
 */
export type Membership = {
  role: Role
  hasBudget: boolean
  isLocked: boolean
  requiresFactor: boolean
  maxRequests: number | null
}

/** @returns null: there is no such team, or the user is no member of it */
export async function findMembership(
  { sql }: Pick<App, 'sql'>,
  { teamId, userId, keyId }: { teamId: string; userId: string; keyId: string | null },
): Promise<Membership | null> {
  const [row] = await sql<Membership[]>`
    select m.role, a.budget is not null as has_budget, t.locked_at is not null as is_locked, t.requires_factor,
           (select k.max_requests from kinora.api_key k where k.user_id = t.id and k.id = t.id) as max_requests
    from kinora.team_member m
    join kinora.team t on t.id = m.team_id
    left join kinora.api_key a on a.user_id = m.user_id and a.id = ${keyId}::uuid
    where m.team_id = ${teamId} and m.user_id = ${userId}
  `
  return row ?? null
}

/** The error for a person without a second factor. `rule`: what asks for one */
export const factorMissing = (rule: string) =>
  new AppError(
    'FORBIDDEN',
    `${rule}: set up an app with codes in Account, or add a passkey there and sign in with it.`,
    { details: { reason: 'second_factor_missing' } },
  )

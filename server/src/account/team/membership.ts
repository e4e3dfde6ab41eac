/** Who is a member of a team. Invariant: a member's role is read with the query that says that the user is one. */
import type { App } from '../../app.ts'
import type { Role } from './role.ts'

/** `hasBudget`: whether the user's own API key of the request has one. `isLocked`: whether an administrator has locked the team. */
export type Membership = { role: Role; hasBudget: boolean; isLocked: boolean }

/** @returns null: there is no such team, or the user is no member of it */
export async function findMembership(
  { sql }: Pick<App, 'sql'>,
  { teamId, userId, keyId }: { teamId: string; userId: string; keyId: string | null },
): Promise<Membership | null> {
  const [row] = await sql<Membership[]>`
    select m.role, a.budget is not null as has_budget, t.locked_at is not null as is_locked
    from kinora.team_member m
    join kinora.team t on t.id = m.team_id
    left join kinora.api_key a on a.user_id = m.user_id and a.id = ${keyId}::uuid
    where m.team_id = ${teamId} and m.user_id = ${userId}
  `
  return row ?? null
}

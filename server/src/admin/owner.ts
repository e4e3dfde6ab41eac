/** Owners of films and credits, users and teams alike, as administrators name them: a user by the e-mail address, a team by its name. */
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { isUuid } from '../id.ts'

export type Owner = {
  /** Null for a team, and when the account was deleted. */
  email: string | null
  /** The name of the team, empty when it was deleted; null for a user. */
  team: string | null
}

/**
 * Adds the owner to each row. Read apart from the rows, because their part of the database need not have it.
 */
export async function withOwners<T extends { userId: string | null }>(
  { sql }: App,
  rows: readonly T[],
): Promise<(T & Owner)[]> {
  const ids = [...new Set(rows.map(({ userId }) => userId))].filter((id) => id !== null)
  const owners = await sql<(Owner & { id: string })[]>`
    select id, email, null as team from public."user" where id = any(${ids})
    union all
    select id::text, null, name from kinora.team where id = any(${ids}::uuid[])
    union all
    select user_id::text, null, '' from kinora.deleted_account where is_team and user_id = any(${ids}::uuid[])
  `
  const byId = new Map(owners.map(({ id, ...owner }) => [id, owner]))
  return rows.map((row) => ({ ...row, ...(byId.get(row.userId ?? '') ?? { email: null, team: null }) }))
}

/** @returns the id as it is stored, of a deleted owner too. @throws AppError NOT_FOUND */
export async function requireOwner({ sql }: App, id: string): Promise<string> {
  const userId = id.toLowerCase()
  const [owner] = isUuid(userId)
    ? await sql`
        select from public."user" where id = ${userId}
        union all
        select from kinora.team where id = ${userId}
        union all
        select from kinora.deleted_account where user_id = ${userId}
      `
    : []
  if (!owner) throw new AppError('NOT_FOUND', 'There is no user or team with this id.')
  return userId
}

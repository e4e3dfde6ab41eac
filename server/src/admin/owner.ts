/** Owners of films and credits as administrators name them: a user by e-mail address, a team by name. */
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { isUuid } from '../id.ts'

export type Owner = {
  /** Null for a team, and when the account was deleted. */
  email: string | null
  /** The name of the team, empty when it was deleted; null for a user. */
  team: string | null
}

/** Adds the owner to each row. */
export async function withOwners<T extends { userId: string | null }>(
  app: App,
  rows: readonly T[],
): Promise<(T & Owner)[]> {
  const ownerOf = await ownersOf(
    app,
    rows.map(({ userId }) => userId),
  )
  return rows.map((row) => ({ ...row, ...ownerOf(row.userId) }))
}

/** Read apart from the rows, because another part of the database may have the owners. @returns the owner of an id */
export async function ownersOf({ sql }: App, ids: (string | null)[]): Promise<(id: string | null) => Owner> {
  const known = [...new Set(ids)].filter((id) => id !== null)
  if (known.length === 0) return () => ({ email: null, team: null })
  const owners = await sql<(Owner & { id: string })[]>`
    select id, email, null as team from public."user" where id = any(${known})
    union all
    select id::text, null, name from kinora.team where id = any(${known}::uuid[])
    union all
    select user_id::text, null, '' from kinora.deleted_account where is_team and user_id = any(${known}::uuid[])
  `
  const byId = new Map(owners.map(({ id, email, team }) => [id, { email, team }]))
  return (id) => byId.get(id ?? '') ?? { email: null, team: null }
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

/** What other modules ask of a user of better-auth. */
import type { App } from '../app.ts'
import { type Language, languageOf } from '../text/language.ts'

/** Whether better-auth's list of roles has the administrator's. */
export const isAdministrator = (user: object): boolean =>
  `${('role' in user && user.role) || ''}`.split(',').includes('admin')

/** A user's e-mail address; empty when there is no such user. */
export async function emailOf({ sql }: Pick<App, 'sql'>, userId: string): Promise<string> {
  const [row] = await sql<{ email: string }[]>`select email from public."user" where id = ${userId}`
  return row?.email ?? ''
}

/** The language in which this service writes to the user; null: not known. */
export async function languageOfUser({ sql }: Pick<App, 'sql'>, userId: string): Promise<Language | null> {
  const [row] = await sql<{ language: string | null }[]>`select "language" from public."user" where id = ${userId}`
  return row?.language ? languageOf(row.language) : null
}

/** Whether there is such a user or team; checked before an administrator's grant. */
export async function userExists({ sql }: Pick<App, 'sql'>, userId: string): Promise<boolean> {
  const [row] = await sql`
    select from public."user" where id = ${userId.toLowerCase()}
    union all
    select from kinora.team where id = ${userId}
  `
  return row !== undefined
}

/** The name of a user or team. */
export async function nameOfOwner(
  { sql }: Pick<App, 'sql'>,
  userId: string,
): Promise<{ name: string; isTeam: boolean }> {
  const [row] = await sql<{ name: string; isTeam: boolean }[]>`
    select name, false as is_team from public."user" where id = ${userId}
    union all
    select name, true from kinora.team where id = ${userId}
  `
  return row ?? { name: '', isTeam: false }
}

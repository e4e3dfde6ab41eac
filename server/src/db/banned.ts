/** Whether a user is banned or may act as an administrator, for every query that asks: those of credentials, shares and administrators. */
import type { Query } from './db.ts'

/**
 * SQL expression: whether the row `u` of public."user" is banned at a time. better-auth clears neither column when a ban ends by time.
 * server/sql has the same condition in account.sql, for the last administrator, and as kinora.is_banned.
 */
export const isBanned = (sql: Query, at: Date) => sql`
  coalesce(u.banned and coalesce(u."banExpires" > ${at}, true), false)
`

/** SQL query: a row when the user is an administrator who is not banned. What an administrator made for a user counts while there is one. */
export const administratorOf = (sql: Query, userId: ReturnType<Query>, at: Date) => sql`
  select from public."user" u
  where u.id = (${userId})::text and 'admin' = any(string_to_array(u.role, ',')) and not ${isBanned(sql, at)}
`

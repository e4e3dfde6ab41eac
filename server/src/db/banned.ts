/** Whether a user is banned, for every query that asks: those of credentials, shares and administrators. */
import type { Query } from './db.ts'

/**
 * SQL expression: whether the row `u` of public."user" is banned at a time. better-auth clears neither column when a
 * ban ends by time. server/sql has the same condition in account.sql, for the last administrator, and as
 * kinora.is_banned.
 */
export const isBanned = (sql: Query, at: Date) => sql`
  coalesce(u.banned and coalesce(u."banExpires" > ${at}, true), false)
`

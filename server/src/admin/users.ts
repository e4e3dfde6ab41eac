/**
 * Users with their balances, for administrators. Reading writes nothing: expired credits that are not written off yet are
 * subtracted instead, so that the sums equal those of `credit/balance`.
 */
import type { App } from '../app.ts'
import { AppError, unknownCursor } from '../errors.ts'
import { isUuid } from '../id.ts'

export type User = {
  id: string
  email: string
  name: string
  role: string
  createdAt: Date
  /** When the account was deleted: its books remain under the id. */
  deletedAt: Date | null
  /** Whether the account is banned now. */
  banned: boolean
  /** `owed`: used or frozen credits that refund claims ask for and could not take. */
  credits: { available: number; frozen: number; used: number; total: number; owed: number }
}

export type UserDetail = User & {
  banReason: string | null
  banExpires: Date | null
  /** Videos in progress. */
  inProgress: number
}

type Row = Omit<UserDetail, 'credits'> & User['credits']

const DELETED_USER = 'deleted user'

const columns = ({ sql, now }: App) => sql`
  u.id, u.email, u.name, coalesce(u.role, 'user') as role, u."createdAt" as created_at, u."deletedAt" as deleted_at,
  coalesce(u.banned and coalesce(u."banExpires" > ${now()}, true), false) as banned, u."banReason" as ban_reason,
  u."banExpires" as ban_expires, coalesce(a.frozen, 0) as frozen, coalesce(a.used, 0) as used,
  coalesce(a.total, 0) as total, coalesce(a.open_holds, 0) as in_progress,
  coalesce(a.available, 0) - case
    when a.next_expiry_at <= ${now()} then (
      select coalesce(sum(p.remaining), 0)::bigint
      from kinora.credit_package p
      where p.user_id = a.user_id and p.expires_at <= ${now()}
    )
    else 0
  end as available,
  case when a.user_id is null then 0 else kinora.credit_owed(a.user_id) end as owed
`
/** All users, deleted ones included. */
const users = ({ sql }: App) => sql`(
  select id, email, name, role, "createdAt", banned, "banReason", "banExpires", null::timestamptz as "deletedAt"
  from public."user"
  union all
  select user_id::text, '', ${DELETED_USER}, 'user', created_at, false, null, null, deleted_at
  from kinora.deleted_account
)`
/** Ids are UUIDs; the check tolerates a manually inserted row with another id. */
const account = ({ sql }: App) => sql`
  left join kinora.credit_account a
    on a.user_id = case when u.id ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then u.id::uuid end
`

export type UserQuery = { q?: string; cursor?: string; pageSize: number }

/**
 * Newest first. `q`: part of the e-mail address or name (case-insensitive), or a whole user id. `cursor`: the previous page's
 * `nextCursor` (keyset pagination). `total` counts all matching users.
 * @throws AppError INVALID_REQUEST for an invalid cursor
 */
export async function listUsers(
  app: App,
  { q = '', cursor, pageSize }: UserQuery,
): Promise<{ users: User[]; total: number; nextCursor: string | null }> {
  const { sql } = app
  if (cursor !== undefined && !isUuid(cursor)) throw unknownCursor()
  const text = q.trim().toLowerCase()
  const matching = isUuid(text)
    ? sql`u.id = ${text}`
    : text
      ? sql`(strpos(lower(u.email), ${text}) > 0 or strpos(lower(u.name), ${text}) > 0)`
      : sql`true`
  const [rows, [count]] = await Promise.all([
    sql<Row[]>`
      select ${columns(app)}
      from (
        select * from ${users(app)} u
        where ${matching} ${cursor === undefined ? sql`` : sql`and u.id < ${cursor.toLowerCase()}`}
        order by u.id desc
        limit ${pageSize + 1}
      ) u
      ${account(app)}
      order by u.id desc
    `,
    sql<[{ total: number }]>`select count(*) as total from ${users(app)} u where ${matching}`,
  ])
  const shown = rows.slice(0, pageSize)
  return {
    users: shown.map(({ banReason: _r, banExpires: _e, inProgress: _p, ...row }) => withCredits(row)),
    total: count.total,
    nextCursor: rows.length > pageSize ? (shown.at(-1)?.id ?? null) : null,
  }
}

/** @throws AppError NOT_FOUND */
export async function getUser(app: App, userId: string): Promise<UserDetail> {
  const { sql } = app
  const [row] = await sql<Row[]>`
    select ${columns(app)} from ${users(app)} u ${account(app)} where u.id = ${userId.toLowerCase()}
  `
  if (!row) throw new AppError('NOT_FOUND', 'There is no user with this id.')
  return withCredits(row)
}

function withCredits<T extends User['credits']>({ available, frozen, used, total, owed, ...user }: T) {
  return { ...user, credits: { available, frozen, used, total, owed } }
}

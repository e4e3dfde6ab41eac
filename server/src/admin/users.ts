/**
 * Users with their balances, for administrators. Reading writes nothing: expired credits that are not written off yet
 * are subtracted instead, so that the sums equal those of `credit/balance`. An administrator may have the message sent
 * again that verifies a user's address.
 */

import { Type } from 'typebox'
import type { Auth } from '../account/auth.ts'
import type { App } from '../app.ts'
import type { GiftRefusal } from '../credit/gift.ts'
import type { Balance } from '../credit/ledger.ts'
import { isBanned } from '../db/banned.ts'
import { call } from '../db/call.ts'
import type { Fragment, Query } from '../db/db.ts'
import { filter, matches, type QueryOf } from '../db/filter.ts'
import { SEARCH_NEWEST, SEARCH_TOTAL_MAX } from '../db/filtered-pages.ts'
import { by, type Keyset, keysetOf, type PageQuery } from '../db/page.ts'
import { fromEach } from '../db/parts.ts'
import { likePattern } from '../db/video-filters.ts'
import { AppError } from '../errors.ts'
import { firstIdOf, isUuid } from '../id.ts'
import { withOwners } from './owner.ts'
import { type Period, periodOf } from './period.ts'

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
  credits: Omit<Balance, 'expiringSoon'>
}

export type UserDetail = User & {
  banReason: string | null
  banExpires: Date | null
  /** Videos in progress. */
  inProgress: number
  emailVerified: boolean
  twoFactorEnabled: boolean
  /** `credential`: the password; else a provider's id. */
  signInMethods: string[]
  passkeys: number
  apiKeys: number
  /** Sessions that have not expired. */
  sessions: number
  /** Why the user had no new-user gift. */
  giftRefusal: GiftRefusal | null
}

type Access = Pick<
  UserDetail,
  'emailVerified' | 'twoFactorEnabled' | 'signInMethods' | 'passkeys' | 'apiKeys' | 'sessions' | 'giftRefusal'
>

type Account = User['credits'] & Pick<UserDetail, 'inProgress'>
type Row = Omit<UserDetail, keyof Access>
type UserRow = Omit<Row, 'credits' | 'inProgress'>

const DELETED_USER = 'deleted user'

const columns = ({ sql, now }: App) => sql`
  u.id, u.email, u.name, coalesce(u.role, 'user') as role, u."createdAt" as created_at, u."deletedAt" as deleted_at,
  ${isBanned(sql, now())} as banned, u."banReason" as ban_reason,
  u."banExpires" as ban_expires
`
/** Expired credits that no movement has written off yet count as expired. */
const creditsOf = ({ sql, now }: App) => sql`
  a.available - due.credits as available, a.frozen, a.used, a.total, a.expired + due.credits as expired, a.clawed_back,
  kinora.credit_owed(a.user_id) as owed, a.open_holds as in_progress
  from kinora.credit_account a
  cross join lateral (
    select coalesce(sum(p.remaining), 0)::bigint as credits
    from kinora.credit_package p
    where a.next_expiry_at <= ${now()} and p.user_id = a.user_id and p.expires_at <= ${now()}
  ) due
`

/** Where the ids of users are: the sign-in library has texts, the books have uuids. */
type Ids = { column: Fragment; type: Fragment }
/** `found`: the users that a search, or what they owe, has found; null: all. */
type Context = { period: Period; found: string[] | null; ids: Ids }
const isFound = (sql: Query, { found, ids: { column, type } }: Context) =>
  found === null ? sql`true` : sql`${column} = any(${found.filter(isUuid)}::${type}[])`
const signedUp = (sql: Query, { period: [since, until], ids: { column, type } }: Context) =>
  sql`${column} >= ${firstIdOf(since)}::${type} and ${column} < ${firstIdOf(until)}::${type}`

export const userFilters = {
  q: filter(
    Type.String({
      maxLength: 200,
      description:
        'A part of the e-mail address or the name, or a whole user id. Of more than 2,000 users, total counts 200 at most.',
    }),
    (sql, _, context: Context) => isFound(sql, context),
  ),
  owes: filter(
    Type.Boolean({ description: 'true: only users who owe credits; not with q or a period' }),
    (sql, _, context: Context) => isFound(sql, context),
  ),
  tag: filter(
    Type.String({ minLength: 1, maxLength: 40, description: 'Only users with this tag; not with q, owes or a period' }),
    (sql, _, context: Context) => isFound(sql, context),
  ),
  from: filter(
    Type.String({ format: 'date', description: 'Those who signed up from this day on, in UTC; not with q' }),
    (sql, _, context: Context) => signedUp(sql, context),
  ),
  to: filter(
    Type.String({ format: 'date', description: 'Last day; default: today. At most 366 days' }),
    (sql, _, context: Context) => signedUp(sql, context),
  ),
}
type UserQuery = QueryOf<typeof userFilters>

/**
 * Newest first, narrowed by `q`, by `owes`, or by a period. `total` counts all matching users; of a search among more
 * than SEARCH_NEWEST users at most SEARCH_TOTAL_MAX.
 * @throws AppError INVALID_REQUEST for an invalid cursor or period, and for two of these at once
 */
export async function listUsers(app: App, query: UserQuery & PageQuery) {
  const keyset = keysetOf(by('u.id', 'id'), query)
  const found = await findUsers(app, query, keyset)
  const read = await readUsers(app, { query, found: found.ids, last: keyset.last, limit: keyset.limit })
  const { rows, ...page } = keyset.pageOf(read)
  return {
    users: rows.map(({ banReason: _r, banExpires: _e, inProgress: _p, ...row }) => row),
    total: found.total ?? read.length,
    ...page,
  }
}

/** @returns `ids`: null for all; `total`: null for as many as are read */
async function findUsers(
  app: App,
  { q = '', owes = false, tag, ...period }: UserQuery,
  { last, limit }: Pick<Keyset<'id'>, 'last' | 'limit'>,
): Promise<{ ids: string[] | null; total: number | null }> {
  const text = q.trim().toLowerCase()
  const hasPeriod = period.from !== undefined || period.to !== undefined
  if ([text !== '', owes, tag !== undefined, hasPeriod].filter(Boolean).length > 1)
    throw new AppError('INVALID_REQUEST', 'Users are searched, or filtered by a period, by a tag, or by what they owe.')
  if (hasPeriod)
    return { ids: null, total: await countSignUps(app, periodOf(period, app.now(), app.config.site.timeZone)) }
  if (owes) {
    const { users } = await whoOwe(app)
    return { ids: users, total: users.length }
  }
  if (tag !== undefined) {
    const tagged = await app.sql<{ userId: string }[]>`
      select t.user_id from kinora.owner_tag t where t.tag = ${tag} and not exists (select from kinora.team m where m.id = t.user_id)
    `
    return { ids: tagged.map(({ userId }) => userId), total: tagged.length }
  }
  if (isUuid(text)) return { ids: [text], total: null }
  const [users] = await app.sql<[{ total: number }]>`
    select coalesce(sum(users), 0)::bigint as total from kinora.user_count
  `
  if (text === '') return { ids: null, total: users.total }
  return await searchUsers(app, { text, before: last === null ? null : String(last[0]), limit, users: users.total })
}

/** An id begins with its time, so the primary key counts; accounts that were deleted since are counted too. */
export async function countSignUps({ sql }: App, [since, until]: Period): Promise<number> {
  const [first, end] = [firstIdOf(since), firstIdOf(until)]
  const [row] = await sql<[{ users: number }]>`
    select (select count(*) from public."user" where id >= ${first} and id < ${end})
         + (select count(*) from kinora.deleted_account where user_id >= ${first}::uuid and user_id < ${end}::uuid and not is_team) as users
  `
  return row.users
}

/** Few packages have claims, and a partial index has their owners. @returns the ids of those who owe credits */
export async function whoOwe(app: App): Promise<{ users: string[]; teams: string[] }> {
  const rows = await fromEach(
    app,
    app.database.parts(),
    (sql) => sql<{ userId: string }[]>`
      select user_id
      from (select distinct user_id from kinora.credit_package where refund_claimed > 0) claimed
      where kinora.credit_owed(user_id) > 0
    `,
  )
  const owners = await withOwners(app, rows)
  const { users = [], teams = [] } = Object.groupBy(owners, ({ team }) => (team === null ? 'users' : 'teams'))
  return { users: users.map(({ userId }) => userId), teams: teams.map(({ userId }) => userId) }
}

/** The newest users, deleted ones included. */
async function readUsers(
  app: App,
  { query, found, last, limit }: { query: UserQuery; found: string[] | null } & Pick<Keyset<'id'>, 'last' | 'limit'>,
): Promise<Row[]> {
  const { sql } = app
  const period = periodOf(query, app.now(), app.config.site.timeZone)
  const matching = (column: Fragment, type: Fragment) => sql`
    ${matches(sql, userFilters, query, { period, found, ids: { column, type } })}
    and ${last === null ? sql`true` : sql`${column} < ${String(last[0])}::${type}`}
  `
  const rows = await sql<UserRow[]>`
    select ${columns(app)}
    from (
      select * from (
        (
          select id, email, name, role, "createdAt", banned, "banReason", "banExpires", null::timestamptz as "deletedAt"
          from public."user"
          where ${matching(sql`id`, sql`text`)}
          order by id desc
          limit ${limit}
        )
        union all
        (
          select user_id::text, '', ${DELETED_USER}, 'user', created_at, false, null, null, deleted_at
          from kinora.deleted_account
          where not is_team and ${matching(sql`user_id`, sql`uuid`)}
          order by user_id desc
          limit ${limit}
        )
      ) u
      order by u.id desc
      limit ${limit}
    ) u
    order by u.id desc
  `
  return await withAccounts(app, rows)
}

/** Reads the accounts apart from the users: they are in the parts of the database. */
export async function withAccounts<T extends { id: string }>(
  app: App,
  rows: readonly T[],
): Promise<(T & Pick<UserDetail, 'credits' | 'inProgress'>)[]> {
  // A manually inserted row may have another id.
  const ids = rows.map(({ id }) => id).filter(isUuid)
  const accounts = await fromEach(
    app,
    app.database.parts(),
    (sql) => sql<(Account & { userId: string })[]>`
      select a.user_id, ${creditsOf(app)} where a.user_id = any(${ids}::uuid[])
    `,
  )
  const none = { available: 0, frozen: 0, used: 0, total: 0, expired: 0, clawedBack: 0, owed: 0, inProgress: 0 }
  return rows.map((row) => {
    const {
      userId: _u,
      inProgress,
      ...credits
    } = accounts.find(({ userId }) => userId === row.id) ?? { userId: row.id, ...none }
    return { ...row, inProgress, credits }
  })
}

/** The newest users with the text in their address or name. Deleted ones all have the same name. */
async function searchUsers(
  { sql }: App,
  { text, before, limit, users }: { text: string; before: string | null; limit: number; users: number },
): Promise<{ ids: string[]; total: number }> {
  const pattern = likePattern(text)
  const matches = sql`(lower(email) like ${pattern} or lower(name) like ${pattern})`
  const isWhole = users <= SEARCH_NEWEST
  const isBefore = before === null ? sql`` : sql`where id < ${before}`
  const [found] = await sql<[{ ids: string[]; total: number }]>`
    select array(
             select id
             from (select id, email, name from public."user" ${isBefore} order by id desc limit ${SEARCH_NEWEST}) u
             where ${matches}
             order by id desc
             limit ${limit}
           ) as ids,
           (
             select count(*) from (
               select from (select id, email, name from public."user" order by id desc limit ${SEARCH_NEWEST}) u
               where ${matches}
               limit ${isWhole ? null : SEARCH_TOTAL_MAX}::bigint
             ) counted
           ) as total
  `
  if (!isWhole && found.ids.length < limit) {
    found.ids = await call(sql, 'user_search', { pattern, before, limit })
  }
  if (!isWhole && found.total < SEARCH_TOTAL_MAX) {
    found.total = await call(sql, 'user_search_count', { pattern, max: SEARCH_TOTAL_MAX })
  }
  if (!DELETED_USER.includes(text)) return found
  const deleted = await sql<{ id: string; total: number }[]>`
    select user_id::text as id
    from kinora.deleted_account
    where not is_team ${before === null ? sql`` : sql`and user_id < ${before}::uuid`}
    order by user_id desc
    limit ${limit}
  `
  const [all] = await sql<[{ total: number }]>`
    select count(*) as total
    from (select from kinora.deleted_account where not is_team limit ${isWhole ? null : SEARCH_TOTAL_MAX}::bigint) counted
  `
  return {
    ids: [...found.ids, ...deleted.map(({ id }) => id)],
    total: isWhole ? found.total + all.total : Math.min(SEARCH_TOTAL_MAX, found.total + all.total),
  }
}

/** @throws AppError NOT_FOUND */
export async function getUser(app: App, userId: string): Promise<UserDetail> {
  const [row] = await readUsers(app, { query: { q: userId }, found: [userId.toLowerCase()], last: null, limit: 1 })
  if (!row) throw new AppError('NOT_FOUND', 'There is no user with this id.')
  return { ...row, ...(await accessOf(app, row.id)) }
}

async function accessOf({ sql, now }: App, userId: string): Promise<Access> {
  const account = sql<Pick<Access, 'giftRefusal'>[]>`
    select gift_refusal from kinora.credit_account where user_id = ${isUuid(userId) ? userId : null}::uuid
  `
  const [access] = await sql<[Omit<Access, 'giftRefusal'>]>`
    select coalesce(u."emailVerified", false) as email_verified, coalesce(u."twoFactorEnabled", false) as two_factor_enabled,
           array(select "providerId" from public.account where "userId" = ${userId} order by "providerId") as sign_in_methods,
           (select count(*) from public.passkey where "userId" = ${userId}) as passkeys,
           (select count(*) from public.apikey where "referenceId" = ${userId}) as api_keys,
           (select count(*) from public.session where "userId" = ${userId} and "expiresAt" > ${now()}) as sessions
    from (values (1)) one (row)
    left join public."user" u on u.id = ${userId}
  `
  const [gift] = await account
  return { ...access, giftRefusal: gift?.giftRefusal ?? null }
}

/**
 * Sends the message again that verifies the user's e-mail address, with an audit entry.
 * @throws AppError NOT_FOUND; CONFLICT when the address is verified, or the account deleted
 */
export async function resendVerification(
  app: App,
  auth: Auth,
  { userId, actorId, requestId }: { userId: string; actorId: string; requestId: string },
): Promise<void> {
  const { id, email, emailVerified, deletedAt } = await getUser(app, userId)
  if (deletedAt) throw new AppError('CONFLICT', 'The account is deleted.')
  if (emailVerified) throw new AppError('CONFLICT', 'The e-mail address is verified already.')
  await auth.api.sendVerificationEmail({ body: { email } })
  await call(app.sql, 'audit_add', {
    actorId,
    action: 'user.resend-verification',
    userId: id,
    requestId,
    now: app.now(),
  })
}

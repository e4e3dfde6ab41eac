/**
 * The set-based calls of a process, each behind its combiner: see server/sql/video_generate.sql and video_apply.sql.
 * The typed functions in front of them are in video/transitions.ts.
 */

import type { Row } from '../film/fields.ts'
import { isBanned } from './banned.ts'
import type { Steps } from './bindings.ts'
import { call } from './call.ts'
import { videoColumns } from './columns.ts'
import { type Combiner, openCombiner } from './combiner.ts'
import type { Query } from './db.ts'
import { type HistoryRow, type ListRow, readHistory, readLists } from './pages.ts'
import type { Database } from './parts.ts'

/** A row of video_generate_all. */
export type GenerateRow = {
  outcome:
    | 'created'
    | 'replayed'
    | 'insufficient'
    | 'over_budget'
    | 'too_many'
    | 'key_reused'
    | 'image_link_expired'
    | 'image_gone'
  available: number | null
  id: string | null
  model: string | null
  credits: number | null
  createdAt: Date | null
  ids: string[] | null
}
/** Status and progress of a video; all null: the user has no such video. */
export type TaskRow = { [K in keyof Row<'task'>]: Row<'task'>[K] | null }
/**
 * The user of a credential, or the team of an API key; `userId` null: none has it. `isStale`: its time of last use is
 * to be updated. `keyId`: of an API key; its `scopes` are null until its limits are stored.
 */
export type CredentialRow = {
  userId: string | null
  isTeam: boolean
  keyId: string | null
  scopes: string[] | null
  /** Of a team's key: authority.sql. */
  isSuspended: boolean
  /** Of an API key: what its text begins with. */
  keyPrefix: string | null
  role: string | null
  expiresAt: Date | null
  isStale: boolean | null
  impersonatedBy: string | null
  impersonationReason: string | null
  hasSecondFactor: boolean | null
  /** In a minute, where an administrator has limited the user or team. */
  maxRequests: number | null
}
/** A row of credit_balance_all. */
export type BalanceRow = {
  available: number
  frozen: number
  used: number
  total: number
  expiringSoon: number
  expired: number
  clawedBack: number
  owed: number
  isDue: boolean
}
export type StepOutcome = Steps[keyof Steps]['outcome']
export type SetCalls = {
  generate: Combiner<GenerateRow>
  apply: Combiner<StepOutcome>
  task: Combiner<TaskRow>
  credential: Combiner<CredentialRow>
  balance: Combiner<BalanceRow>
  history: Combiner<HistoryRow>
  list: Combiner<ListRow>
}

/** An id as this service makes them; better-auth's are text. */
const UUID = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
/** Pages of a call: a hundred rows each are two megabytes. */
const PAGES_MAX = 16
/** Full sets of writes at a time, of each kind. */
const FULL_SETS_MAX = 4

export const openSetCalls = ({ sql, partOf }: Pick<Database, 'sql' | 'partOf'>): SetCalls => ({
  generate: openCombiner({
    name: 'generate requests',
    call: (requests, now) => generateAll(sql, requests, now),
    callsOfFullSets: FULL_SETS_MAX,
    partOf,
  }),
  apply: openCombiner({
    name: 'steps of videos',
    call: (steps, now) => applyAll(sql, steps, now),
    callsOfFullSets: FULL_SETS_MAX,
    partOf,
  }),
  task: openCombiner({
    name: 'polls',
    call: (requests, now) => readTasks(sql, requests, now),
    isRead: true,
    partOf,
  }),
  balance: openCombiner({
    name: 'balances',
    call: (requests, now) => readBalances(sql, requests, now),
    isRead: true,
    partOf,
  }),
  history: openCombiner({
    name: 'pages',
    call: (requests, now) => readHistory(sql, requests, now),
    isRead: true,
    batchMax: PAGES_MAX,
    partOf,
  }),
  list: openCombiner({
    name: 'pages',
    call: (requests, now) => readLists(sql, requests, now),
    isRead: true,
    batchMax: PAGES_MAX,
    partOf,
  }),
  credential: openCombiner({
    name: 'sign-ins',
    call: (requests, now) => readCredentials(sql, requests, now),
    isRead: true,
  }),
})

/** @param requests a JSON array of kinora.generate_request */
export async function generateAll(sql: Query, requests: string, now: Date): Promise<GenerateRow[]> {
  return (await call(sql, 'video_generate_all', { requests: sql`${requests}::text::jsonb`, now })) as GenerateRow[]
}

/** @param steps a JSON array of kinora.video_step */
export async function applyAll(sql: Query, steps: string, now: Date): Promise<StepOutcome[]> {
  return (await call(sql, 'video_apply', { steps: sql`${steps}::text::jsonb`, now })) as StepOutcome[]
}

/** @param requests a JSON array of {user_id, id} */
async function readTasks(sql: Query, requests: string, now: Date): Promise<TaskRow[]> {
  return await sql<TaskRow[]>`
    select v.*
    from rows from (json_to_recordset(${requests}::text::json) as (user_id uuid, id uuid)) with ordinality r
    left join lateral (
      select ${videoColumns(sql, 'task', now)}
      from kinora.video v
      where v.user_id = r.user_id and v.id = r.id and v.deleted_at is null
      offset 0
    ) v on true
    order by r.ordinality
  `
}

/**
 * @param requests a JSON array of {token} (of a session, as it is stored) or {key_hash}; `stale_before`: an older time
 * of last use
 *   makes the credential stale; `used_since`: a session that was last used earlier has ended
 */
async function readCredentials(sql: Query, requests: string, now: Date): Promise<CredentialRow[]> {
  return await sql<CredentialRow[]>`
    select u.id as user_id, coalesce(u.is_team, false) as is_team, u.key_id, a.scopes, a.suspended_at is not null as is_suspended, u.role,
           u.key_prefix, u.expires_at, u.is_stale, u.impersonated_by, u.impersonation_reason, u.has_second_factor,
           (select l.max_requests from kinora.api_key l where l.user_id = o.id and l.id = o.id) as max_requests
    from rows from (json_to_recordset(${requests}::text::json) as (
      token text, key_hash text, stale_before timestamptz, used_since timestamptz
    )) with ordinality r
    left join lateral (
      select u.id, false as is_team, null as key_id, null as key_prefix, u.role, s."expiresAt" as expires_at,
             s."updatedAt" < r.stale_before as is_stale, s."impersonatedBy" as impersonated_by,
             s."impersonationReason" as impersonation_reason,
             ${hasSecondFactor(sql)} and (coalesce(u."twoFactorEnabled", false) or s."withPasskey") as has_second_factor
      from public.session s
      join public."user" u on u.id = s."userId"
      where s.token = r.token and s."expiresAt" > ${now}
        and coalesce(s."updatedAt" >= r.used_since, true)
        and not ${isBanned(sql, now)}
      union all
      select k."referenceId", u.id is null, k.id, k.prefix, u.role, k."expiresAt",
             coalesce(k."lastRequest" < r.stale_before, true), null, null, ${hasSecondFactor(sql)}
      from public.apikey k
      left join public."user" u on u.id = k."referenceId"
      where k.key = r.key_hash and k.enabled and coalesce(k."expiresAt" > ${now}, true)
        and case when u.id is null then ${isOpenTeam(sql, sql`k."referenceId"`)} else not ${isBanned(sql, now)} end
      limit 1
    ) u on true
    left join lateral (select case when u.id ~ ${UUID} then u.id::uuid end as id) o on true
    left join kinora.api_key a
      on a.user_id = o.id
      and a.id = case when u.key_id ~ ${UUID} then u.key_id::uuid end
    order by r.ordinality
  `
}

/**
 * SQL condition: the user of the row `u` has a second factor: the codes of an app, or a passkey. Of a session a passkey
 * counts only when it began the session; the codes, which its sign-in had to have, always.
 */
export const hasSecondFactor = (sql: Query) => sql`
  (coalesce(u."twoFactorEnabled", false) or exists (select from public.passkey p where p."userId" = u.id))
`

/** SQL condition: an owner, named by a text as in better-auth's rows, is a team that is not locked. */
export const isOpenTeam = (sql: Query, ownerId: ReturnType<Query>) => sql`
  exists (
    select from kinora.team t
    where t.id = case when ${ownerId} ~ ${UUID} then (${ownerId})::uuid end and t.locked_at is null
  )
`

/** @param requests a JSON array of {user_id} */
async function readBalances(sql: Query, requests: string, now: Date): Promise<BalanceRow[]> {
  return await call(sql, 'credit_balance_all', { requests: sql`${requests}::text::jsonb`, now })
}

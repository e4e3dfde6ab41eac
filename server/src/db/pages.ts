/**
 * Pages of lists as JSON, written by PostgreSQL: twenty rows through the driver's columns took the API three times as
 * long as the text of the page (decisions/0050). Pages of several requests are one call (combiner.ts).
 */
import type { JsonRow } from '../film/fields.ts'
import { videoColumns } from './columns.ts'
import type { Query } from './db.ts'

type Fragment = ReturnType<Query>

/** A page of the history. `rows`: JSON objects, separated by commas, null: none. All null: the user has no account. */
export type HistoryRow = { total: number | null; isDue: boolean | null; last: number | null; rows: string | null }
/** A page of videos. `rows` null: none; `isFollowed`: by another page. */
export type ListRow = { total: number; rows: JsonRow<'list'>[] | null; isFollowed: boolean }

/** SQL expression: a timestamp as JSON, in the format of `Date.toISOString`; `null` for null. */
const isoJson = (sql: Query, timestamp: Fragment) => sql`
  coalesce(to_char(${timestamp} at time zone 'UTC', '\\"YYYY-MM-DD"T"HH24:MI:SS.MS"Z"\\"'), 'null')
`

/** SQL: the JSON text of a row of the history, from kinora.credit_transaction `t`, its hold `h` and its film `v`. */
export const transactionJson = (sql: Query) => sql`
  concat(
    '{"n":', t.n, ',"id":"', t.id, '","transNo":"', t.trans_no, '","transType":"', t.trans_type,
    '","credits":', t.credits, ',"balanceAfter":', t.balance_after, ',"videoUuid":', coalesce('"' || t.video_id || '"', 'null'),
    ',"orderNo":', coalesce(to_json(t.order_no)::text, 'null'), ',"remark":', coalesce(to_json(t.remark)::text, 'null'),
    ',"state":', coalesce('"' || h.state || '"', 'null'), ',"madeBy":', coalesce('"' || h.key_id || '"', 'null'), ',"packageId":', coalesce('"' || t.package_id || '"', 'null'),
    ',"source":', coalesce(to_json(t.source)::text, 'null'), ',"expiresAt":', ${isoJson(sql, sql`t.expires_at`)},
    ',"graces":', case when t.graces is null then 'null' else (
      select json_agg(json_build_object(
        'packageId', g->>0, 'credits', (g->>1)::bigint,
        'expiresAt', (${isoJson(sql, sql`to_timestamp((g->>2)::numeric / 1000)`)})::json
      ))::text
      from jsonb_array_elements(t.graces) g
    ) end,
    ',"actorId":', coalesce(to_json(t.actor_id)::text, 'null'), ',"hash":"', encode(t.hash, 'hex'),
    '","createdAt":', ${isoJson(sql, sql`t.created_at`)}, ',"prompt":', coalesce(to_json(v.prompt)::text, 'null'), '}'
  )
`

/** SQL join: `v.prompt`, 200 characters of the prompt of a row's film; null without one, and unless `isWanted`. */
export const filmOfTransaction = (sql: Query, isWanted: ReturnType<Query>) => sql`
  left join lateral (
    select nullif(left(prompt, 200), '') as prompt from kinora.video
    where ${isWanted} and user_id = t.user_id and id = t.video_id and deleted_at is null
    offset 0
  ) v on true
`

/**
 * A user's rows are numbered without gaps and the account has their number, so every page, however deep, is a range
 * scan of the primary key. `isDue`: credits have to be written off first. `last`: the number of the page's newest row.
 * @param requests a JSON array of {user_id, before, skip, page_size, prompts}
 */
export async function readHistory(sql: Query, requests: string, now: Date): Promise<HistoryRow[]> {
  return await sql<HistoryRow[]>`
    select a.total, a.is_due, a.last, t.rows
    from rows from (json_to_recordset(${requests}::text::json) as (
      user_id uuid, before bigint, skip bigint, page_size bigint, prompts boolean
    )) with ordinality r
    left join lateral (
      select transactions as total, next_expiry_at <= ${now} as is_due,
             case when r.before is null then transactions - r.skip else least(transactions, r.before - 1) end as last
      from kinora.credit_account
      where user_id = r.user_id
      offset 0
    ) a on true
    left join lateral (
      select string_agg(${transactionJson(sql)}, ',' order by t.n desc) as rows
      from kinora.credit_transaction t
      left join lateral (
        select state, key_id from kinora.credit_hold where user_id = t.user_id and id = t.video_id offset 0
      ) h on true
      ${filmOfTransaction(sql, sql`r.prompts`)}
      where t.user_id = r.user_id and t.n <= a.last and t.n > a.last - r.page_size
    ) t on true
    order by r.ordinality
  `
}

/** Rows of a user before a page that are read without an index of their own. */
export const SKIP_MAX = 200

/**
 * Films without a filter, the newest first, at most SKIP_MAX rows from the newest one or from the cursor. `total`
 * counts the user's films: counters for those that are final, an index for the few in progress.
 * @param requests a JSON array of {user_id, before, skip, page_size}
 */
export async function readLists(sql: Query, requests: string, now: Date): Promise<ListRow[]> {
  return await sql<ListRow[]>`
    select final.total + unfinished.total as total, page.rows, page.count > r.page_size as is_followed
    from rows from (json_to_recordset(${requests}::text::json) as (
      user_id uuid, before uuid, skip bigint, page_size integer
    )) with ordinality r
    cross join lateral (
      select coalesce(sum(videos), 0)::bigint as total from kinora.video_count
      where user_id = r.user_id and model <> 'cut'
      offset 0
    ) final
    cross join lateral (
      select count(*) as total
      from kinora.video
      where user_id = r.user_id and due_at is not null and deleted_at is null and model <> 'cut'
      offset 0
    ) unfinished
    cross join lateral (
      select json_agg(item order by v.id desc) filter (where v.n <= r.skip + r.page_size) as rows,
             count(*) as count
      from (
        select v.*, row_number() over (order by v.id desc) as n
        from kinora.video v
        where v.user_id = r.user_id and v.deleted_at is null and v.model <> 'cut'
          and v.id < coalesce(r.before, 'ffffffff-ffff-ffff-ffff-ffffffffffff')
        order by v.id desc
        limit r.page_size + 1 offset r.skip
      ) v
      cross join lateral (select ${videoColumns(sql, 'list', now)}) item
    ) page
    order by r.ordinality
  `
}

/**
 * Pages of videos by a filter, by a search in prompts, or deep in the list, each through an index and with a total that is not
 * counted row by row: the cost depends on neither the number of a user's videos nor that of all.
 */
import type postgres from 'postgres'
import { videoColumns } from './columns.ts'
import type { Query } from './db.ts'
import type { ListRow } from './pages.ts'

/** A filter that is null matches every video. `before`: the page follows this video. */
export type ListFilter = {
  userId: string
  status: string | null
  model: string | null
  before: string | null
  skip: number
  pageSize: number
  /** The time of the call. */
  now: Date
}

/**
 * A search of prompts or users reads this many of the newest rows before it uses the index, which finds all matches but not the newest
 * ones first: a text that many rows have is found sooner among the newest. Measured in decisions/0032.
 */
export const SEARCH_NEWEST = 2000
/** The highest total of a search among more than SEARCH_NEWEST rows. */
export const SEARCH_TOTAL_MAX = 200

/** Makes the pattern of LIKE for texts that contain `text`. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Newest first. `total` counts all matching videos. */
export async function readFilteredList(sql: Query, filter: ListFilter): Promise<ListRow> {
  const { userId, status, model, before, skip, pageSize } = filter
  const page: Fragment = sql`
    select id from kinora.video_page(
      p_user_id => ${userId}, p_status => ${status}, p_model => ${model}, p_before => ${before}, p_skip => ${skip}::bigint,
      p_limit => ${pageSize + 1}::bigint
    ) id
  `
  return readPage(sql, filter, page, totalOf(sql, filter))
}

/**
 * Reads like readFilteredList the videos with `q` in their prompt, case-insensitive. `total` is at most SEARCH_TOTAL_MAX for a user with more than
 * SEARCH_NEWEST videos.
 */
export async function searchList(sql: Query, filter: ListFilter, q: string): Promise<ListRow> {
  const { userId, status, model, before, skip, pageSize } = filter
  const pattern = likePattern(q)
  const matches = sql`lower(prompt) like lower(${pattern}) ${ofStatus(sql, filter)} ${ofModel(sql, filter)}`
  const recent = await searchNewest(sql, filter, matches)
  const isWhole = recent.videos <= SEARCH_NEWEST
  const page: Fragment =
    isWhole || recent.ids.length > pageSize
      ? sql`select unnest(${`{${recent.ids.join()}}`}::uuid[]) as id`
      : sql`
          select id from (
            select id from kinora.video_search(
              p_user_id => ${userId}, p_pattern => lower(${pattern}), p_status => ${status}, p_model => ${model},
              p_before => ${before}, p_limit => ${skip + pageSize + 1}::bigint
            ) id
            union all
            select id from kinora.video
            where ${unfinished(sql, filter)} and ${matches} ${before === null ? sql`` : sql`and id < ${before}`}
          ) v
          order by id desc
          limit ${pageSize + 1} offset ${skip}
        `
  const total: Fragment =
    isWhole || recent.total === SEARCH_TOTAL_MAX
      ? sql`${recent.total}::bigint`
      : sql`least(
          ${SEARCH_TOTAL_MAX},
          kinora.video_search_count(
            p_user_id => ${userId}, p_pattern => lower(${pattern}), p_status => ${status}, p_model => ${model},
            p_max => ${SEARCH_TOTAL_MAX}::bigint
          ) + (select count(*) from kinora.video where ${unfinished(sql, filter)} and ${matches})
        )`
  return readPage(sql, filter, page, total)
}

/** @returns `videos`: of the user, in all; `ids` of the page and of one more, and `total`: among the newest */
async function searchNewest(
  sql: Query,
  { userId, before, skip, pageSize }: ListFilter,
  matches: Fragment,
): Promise<{ videos: number; ids: string[]; total: number }> {
  const newest = (isBefore = sql``) => sql`
    select id, prompt, status, model from kinora.video
    where user_id = ${userId} and deleted_at is null ${isBefore}
    order by id desc
    limit ${SEARCH_NEWEST}
  `
  const [recent] = await sql<[{ videos: number; ids: string[]; total: number }]>`
    with own as materialized (select ${totalOf(sql, { userId, status: null, model: null })} as videos),
    page as materialized (
      select array(
        select id from (${newest(before === null ? sql`` : sql`and id < ${before}`)}) v
        where ${matches}
        order by id desc
        limit ${pageSize + 1} offset ${skip}
      ) as ids
    )
    select videos, ids,
           case
             -- The first page has all.
             when ${before === null && skip === 0} and cardinality(ids) <= ${pageSize} then cardinality(ids)
             else (
               select count(*) from (
                 select from (${newest()}) v
                 where ${matches}
                 limit case when videos > ${SEARCH_NEWEST} then ${SEARCH_TOTAL_MAX}::bigint end
               ) counted
             )
           end as total
    from own, page
  `
  return recent
}

type Fragment = postgres.PendingQuery<postgres.Row[]>

/** @param page a query of the ids of the page and of one more */
async function readPage(
  sql: Query,
  { userId, pageSize, now }: ListFilter,
  page: Fragment,
  total: Fragment,
): Promise<ListRow> {
  const [row] = await sql<[ListRow]>`
    with found as materialized (${page})
    select ${total} as total,
           (
             select json_agg(item order by v.id desc)
             from (select id from found order by id desc limit ${pageSize}) f
             cross join lateral (select * from kinora.video where user_id = ${userId} and id = f.id offset 0) v
             cross join lateral (select ${videoColumns(sql, 'list', now)}) item
           ) as rows,
           case when (select count(*) from found) > ${pageSize} then (
             select id from found order by id desc limit 1 offset ${pageSize - 1}
           ) end as next_cursor
  `
  return row
}

/** SQL expression: the number of videos, from the counters of final ones and the index of those in progress. */
const totalOf = (sql: Query, filter: Pick<ListFilter, 'userId' | 'status' | 'model'>) => sql`(
  (
    select coalesce(sum(videos), 0)::bigint
    from kinora.video_count
    where user_id = ${filter.userId} ${ofStatus(sql, filter)} ${ofModel(sql, filter)}
  ) + (select count(*) from kinora.video where ${unfinished(sql, filter)})
)`

const unfinished = (sql: Query, filter: Pick<ListFilter, 'userId' | 'status' | 'model'>) => sql`
  user_id = ${filter.userId} and due_at is not null and deleted_at is null ${ofStatus(sql, filter)} ${ofModel(sql, filter)}
`
const ofStatus = (sql: Query, { status }: Pick<ListFilter, 'status'>) =>
  status === null ? sql`` : sql`and status = ${status}`
const ofModel = (sql: Query, { model }: Pick<ListFilter, 'model'>) =>
  model === null ? sql`` : sql`and model = ${model}`

/**
 * Pages of videos by a filter, by a search in prompts, or deep in the list, each through an index and with a total that
 * is not counted row by row: the cost depends on neither the number of a user's videos nor that of all.
 */

import { NIL_UUID } from '../id.ts'
import type { VideoFilter } from './bindings.ts'
import { part } from './call.ts'
import { videoColumns } from './columns.ts'
import type { Fragment, Query } from './db.ts'
import type { ListRow } from './pages.ts'

/** Videos by what they are and where they are; null: by none of it. `isUnfiled`: those in no folder. */
export type { VideoFilter }
/** `after`, `before`: ids between which the page is, which begin with their time. */
export type ListFilter = {
  userId: string
  filter: VideoFilter
  after: string
  before: string
  /** A cursor, which only narrows the page, and not the total. */
  cursor: string | null
  isOldestFirst: boolean
  skip: number
  pageSize: number
  /** The time of the call. */
  now: Date
}

/** Follows every id, as NIL_UUID precedes it. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** The highest total of what no counter has: favourites, a folder, a mode, a period. */
export const FILTERED_TOTAL_MAX = 2000

/**
 * A search of prompts or users reads this many of the newest rows before it uses the index, which finds all matches but
 * not the newest ones first: a text that many rows have is found sooner among the newest. Measured in decisions/0032.
 */
export const SEARCH_NEWEST = 2000
/** The highest total of a search among more than SEARCH_NEWEST rows. */
export const SEARCH_TOTAL_MAX = 200

/** Makes the pattern of LIKE for texts that contain `text`. */
export const likePattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** `total` counts all matching videos; what has no counter, up to FILTERED_TOTAL_MAX. */
export async function readFilteredList(sql: Query, list: ListFilter): Promise<ListRow> {
  const { skip, pageSize } = list
  const page = pageOf(sql, list, pageBounds(list), skip, pageSize + 1)
  const total = isCounted(list)
    ? totalOf(sql, list)
    : sql`(select count(*) from (${pageOf(sql, list, list, 0, FILTERED_TOTAL_MAX)}) counted)`
  return readPage(sql, list, page, total)
}

/**
 * Reads like readFilteredList the videos with `q` in their prompt, case-insensitive. `total` is at most
 * SEARCH_TOTAL_MAX for a user with more than SEARCH_NEWEST videos.
 */
export async function searchList(sql: Query, list: ListFilter, q: string): Promise<ListRow> {
  const { userId, skip, pageSize } = list
  const pattern = likePattern(q)
  const recent = await searchNewest(sql, list, pattern)
  const isWhole = recent.videos <= SEARCH_NEWEST
  const bounds = pageBounds(list)
  const unfinishedMatches = (range: Bounds) => sql`
    from kinora.video v
    where ${unfinished(sql, list)} and lower(v.prompt) like lower(${pattern}) and ${isBetween(sql, range)}
  `
  const found = part(sql, 'video_search', {
    userId,
    pattern: sql`lower(${pattern})`,
    filter: list.filter,
    ...bounds,
    isOldestFirst: list.isOldestFirst,
    limit: skip + pageSize + 1,
  })
  const page: Fragment =
    isWhole || recent.ids.length > pageSize
      ? sql`select unnest(${`{${recent.ids.join()}}`}::uuid[]) as id`
      : sql`
          select id from (
            select id from ${found} id
            union all
            select v.id ${unfinishedMatches(bounds)}
          ) v
          order by id ${direction(sql, list)}
          limit ${pageSize + 1} offset ${skip}
        `
  const matches = part(sql, 'video_search_count', {
    userId,
    pattern: sql`lower(${pattern})`,
    filter: list.filter,
    after: list.after,
    before: list.before,
    max: SEARCH_TOTAL_MAX,
  })
  const total: Fragment =
    isWhole || recent.total === SEARCH_TOTAL_MAX
      ? sql`${recent.total}::bigint`
      : sql`least(
          ${SEARCH_TOTAL_MAX},
          ${matches} + (select count(*) ${unfinishedMatches(list)})
        )`
  return readPage(sql, list, page, total)
}

/** @returns `videos`: the user's number; `ids` of the page and one more, `total`: among the first of the list */
async function searchNewest(
  sql: Query,
  list: ListFilter,
  pattern: string,
): Promise<{ videos: number; ids: string[]; total: number }> {
  const { userId, cursor, skip, pageSize } = list
  const matches = sql`lower(v.prompt) like lower(${pattern}) and v.is_match`
  const first = (bounds: Bounds) => sql`
    select v.id, v.prompt, ${part(sql, 'video_matches', { video: sql`v`, filter: list.filter })} as is_match
    from kinora.video v
    where v.user_id = ${userId} and v.deleted_at is null and ${isBetween(sql, bounds)}
    order by v.id ${direction(sql, list)}
    limit ${SEARCH_NEWEST}
  `
  const [recent] = await sql<[{ videos: number; ids: string[]; total: number }]>`
    with own as materialized (select ${totalOf(sql, { userId, filter: NO_FILTER })} as videos),
    page as materialized (
      select array(
        select v.id from (${first(pageBounds(list))}) v
        where ${matches}
        order by v.id ${direction(sql, list)}
        limit ${pageSize + 1} offset ${skip}
      ) as ids
    )
    select videos, ids,
           case
             -- The first page has all.
             when ${cursor === null && skip === 0} and cardinality(ids) <= ${pageSize} then cardinality(ids)
             else (
               select count(*) from (
                 select from (${first(list)}) v
                 where ${matches}
                 limit case when videos > ${SEARCH_NEWEST} then ${SEARCH_TOTAL_MAX}::bigint end
               ) counted
             )
           end as total
    from own, page
  `
  return recent
}

type Bounds = Pick<ListFilter, 'after' | 'before'>

const NO_FILTER: VideoFilter = {
  status: null,
  model: null,
  mode: null,
  favourite: null,
  folderId: null,
  isUnfiled: null,
  madeBy: null,
  subject: null,
  metadata: null,
}

/** What is left behind the cursor. */
const pageBounds = ({ after, before, cursor, isOldestFirst }: ListFilter): Bounds => {
  if (cursor === null) return { after, before }
  return isOldestFirst
    ? { after: cursor > after ? cursor : after, before }
    : { after, before: cursor < before ? cursor : before }
}

/** Query: the ids of a page. */
function pageOf(sql: Query, list: ListFilter, { after, before }: Bounds, skip: number, limit: number): Fragment {
  const { userId, filter, isOldestFirst } = list
  const page = part(sql, 'video_page', { userId, filter, after, before, isOldestFirst, skip, limit })
  return sql`select id from ${page} id`
}

/** @param page a query of the ids of the page and of one more */
async function readPage(sql: Query, list: ListFilter, page: Fragment, total: Fragment): Promise<ListRow> {
  const { userId, pageSize, now } = list
  const sequence = direction(sql, list)
  const [row] = await sql<[ListRow]>`
    with found as materialized (${page})
    select ${total} as total,
           (
             select json_agg(item order by v.id ${sequence})
             from (select id from found order by id ${sequence} limit ${pageSize}) f
             cross join lateral (select * from kinora.video where user_id = ${userId} and id = f.id offset 0) v
             cross join lateral (select ${videoColumns(sql, 'list', now)}) item
           ) as rows,
           case when (select count(*) from found) > ${pageSize} then (
             select id from found order by id ${sequence} limit 1 offset ${pageSize - 1}
           ) end as next_cursor
  `
  return row
}

/** Whether the counters have the total. */
const isCounted = ({ filter, after, before }: ListFilter): boolean => {
  const { status: _, model: __, ...uncounted } = filter
  return after === NIL_UUID && before === LAST_ID && Object.values(uncounted).every((value) => value === null)
}

/** SQL expression: the number of videos of a status and model, from counters and the index of those in progress. */
const totalOf = (sql: Query, list: Pick<ListFilter, 'userId' | 'filter'>) => sql`(
  (
    select coalesce(sum(videos), 0)::bigint
    from kinora.video_count
    where user_id = ${list.userId} ${list.filter.status === null ? sql`` : sql`and status = ${list.filter.status}`}
      ${list.filter.model === null ? sql`` : sql`and model = ${list.filter.model}`}
  ) + (select count(*) from kinora.video v where ${unfinished(sql, list)})
)`

/** SQL condition for `v` of kinora.video. */
const unfinished = (sql: Query, list: Pick<ListFilter, 'userId' | 'filter'>) => sql`
  v.user_id = ${list.userId} and v.due_at is not null and v.deleted_at is null
    and ${part(sql, 'video_matches', { video: sql`v`, filter: list.filter })}
`
const isBetween = (sql: Query, { after, before }: Bounds) => sql`v.id > ${after} and v.id < ${before}`
const direction = (sql: Query, { isOldestFirst }: ListFilter) => (isOldestFirst ? sql`asc` : sql`desc`)

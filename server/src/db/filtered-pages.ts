/**
 * Pages of videos by a filter, by a search in prompts, or deep in the list, each through an index and with a total that
 * is not counted row by row: the cost depends on neither the number of a user's videos nor that of all.
 */

import { part } from './call.ts'
import { videoColumns } from './columns.ts'
import type { Fragment, Query } from './db.ts'
import { isPlain, matches } from './filter.ts'
import type { Keyset } from './page.ts'
import type { ListRow } from './pages.ts'
import {
  countedFilters,
  filterOf,
  isCounted,
  periodFilters,
  searchFilters,
  type VideoQuery,
  videoFilters,
} from './video-filters.ts'

/** `keyset`: of the rows `v` by their ids. `now`: the time of the call. */
export type ListFilter = {
  userId: string
  query: VideoQuery
  keyset: Keyset<'uuid'>
  isOldestFirst: boolean
  now: Date
}

/** The highest total of what no counter has: favourites, a folder, a mode, a period. */
export const FILTERED_TOTAL_MAX = 2000

/**
 * A search of prompts or users reads this many of the newest rows before it uses the index, which finds all matches but
 * not the newest ones first: a text that many rows have is found sooner among the newest. Measured in decisions/0032.
 */
export const SEARCH_NEWEST = 2000
/** The highest total of a search among more than SEARCH_NEWEST rows. */
export const SEARCH_TOTAL_MAX = 200

/**
 * `total` counts all matching videos; what has no counter, up to FILTERED_TOTAL_MAX, and what no index has in this
 * sequence, as searchList does.
 */
export async function readFilteredList(sql: Query, list: ListFilter): Promise<ListRow> {
  if (!isPlain(searchFilters, list.query)) return await searchList(sql, list)
  const total = isCounted(list.query)
    ? totalOf(sql, list.userId, list.query)
    : sql`(select count(*) from ${pageOf(sql, list, { last: null, skip: 0, limit: FILTERED_TOTAL_MAX })})`
  return await readPage(sql, list, sql`select id from ${pageOf(sql, list, list.keyset)} id`, total)
}

/** SQL expression: the ids of a page. */
function pageOf(
  sql: Query,
  { userId, query, isOldestFirst }: ListFilter,
  { last, skip, limit }: Pick<Keyset<'uuid'>, 'last' | 'skip' | 'limit'>,
): Fragment {
  return part(sql, 'video_page', {
    userId,
    filter: filterOf(query),
    isOldestFirst,
    skip,
    limit,
    cursor: cursorOf(last),
  })
}
const cursorOf = (last: Keyset<'uuid'>['last']) => (last === null ? null : String(last[0]))

/** `total` is at most SEARCH_TOTAL_MAX for a user with more than SEARCH_NEWEST videos. */
async function searchList(sql: Query, list: ListFilter): Promise<ListRow> {
  const { userId, query, keyset, isOldestFirst } = list
  const { last, skip, limit } = keyset
  const filter = filterOf(query)
  const recent = await searchNewest(sql, list)
  const isWhole = recent.videos <= SEARCH_NEWEST
  const isEnough = isWhole || (recent.ids.length === limit && recent.total === SEARCH_TOTAL_MAX)
  if (!isEnough && query.metadata === undefined && !hasTrigram(query.q ?? '')) return await searchInSequence(sql, list)
  const unfinished = sql`from kinora.video v where ${isUnfinished(sql, userId, query)}`
  const found = part(sql, 'video_search', {
    ...{ userId, filter, isOldestFirst, limit: skip + limit },
    cursor: cursorOf(last),
  })
  const page: Fragment =
    isWhole || recent.ids.length === limit
      ? sql`select unnest(${`{${recent.ids.join()}}`}::uuid[]) as id`
      : sql`
          select id from (
            select id from ${found} id
            union all
            select v.id ${unfinished} and ${keyset.isBehind(sql)}
          ) v
          order by ${keyset.order(sql)}
          limit ${limit} offset ${skip}
        `
  const matching = part(sql, 'video_search_count', { userId, filter, max: SEARCH_TOTAL_MAX })
  const total: Fragment =
    isWhole || recent.total === SEARCH_TOTAL_MAX
      ? sql`${recent.total}::bigint`
      : sql`least(${SEARCH_TOTAL_MAX}, ${matching} + (select count(*) ${unfinished}))`
  return await readPage(sql, list, page, total)
}

/**
 * Whether the index of trigrams has something for a part of a text; that of words has two spaces before and one behind.
 */
const hasTrigram = (text: string): boolean =>
  /[\p{L}\p{N}]{3}|[^\p{L}\p{N}][\p{L}\p{N}]|[\p{L}\p{N}]{2}[^\p{L}\p{N}]/u.test(text)

/**
 * Searches for what the index of trigrams has nothing for: it would return all prompts of the user, once for the page
 * and once for the total. These are read once, in the sequence of the list, until the total has its maximum.
 */
async function searchInSequence(sql: Query, list: ListFilter): Promise<ListRow> {
  const { last, skip, limit } = list.keyset
  const [row] = await sql<[{ ids: string[] }]>`
    select array(select id from ${pageOf(sql, list, { last: null, skip: 0, limit: SEARCH_TOTAL_MAX })} id) as ids
  `
  const { ids } = row
  const isAmongFirst = last === null && (ids.length < SEARCH_TOTAL_MAX || skip + limit <= SEARCH_TOTAL_MAX)
  const page = isAmongFirst
    ? sql`select unnest(${`{${ids.slice(skip, skip + limit).join()}}`}::uuid[]) as id`
    : sql`select id from ${pageOf(sql, list, list.keyset)} id`
  return await readPage(sql, list, page, sql`${ids.length}::bigint`)
}

/**
 * @returns `videos`: of the user, in all; `ids` of the page and of one more, and `total`: among the first in the
 * sequence of the list
 */
async function searchNewest(
  sql: Query,
  { userId, query, keyset }: ListFilter,
): Promise<{ videos: number; ids: string[]; total: number }> {
  const { last, skip, limit } = keyset
  const matching = matches(sql, videoFilters, query)
  const first = (isInRange: Fragment) => sql`
    select v.*
    from kinora.video v
    where v.user_id = ${userId} and v.deleted_at is null and ${matches(sql, periodFilters, query)} and ${isInRange}
    order by ${keyset.order(sql)}
    limit ${SEARCH_NEWEST}
  `
  const [recent] = await sql<[{ videos: number; ids: string[]; total: number }]>`
    with own as materialized (select ${totalOf(sql, userId, {})} as videos),
    page as materialized (
      select array(
        select v.id from (${first(keyset.isBehind(sql))}) v
        where ${matching}
        order by ${keyset.order(sql)}
        limit ${limit} offset ${skip}
      ) as ids
    )
    select videos, ids,
           case
             -- The first page has all.
             when ${last === null && skip === 0} and cardinality(ids) < ${limit} then cardinality(ids)
             else (
               select count(*) from (
                 select from (${first(sql`true`)}) v
                 where ${matching}
                 limit case when videos > ${SEARCH_NEWEST} then ${SEARCH_TOTAL_MAX}::bigint end
               ) counted
             )
           end as total
    from own, page
  `
  return recent
}

/** @param page a query of the ids of the page and of one more */
async function readPage(
  sql: Query,
  { userId, keyset, now }: ListFilter,
  page: Fragment,
  total: Fragment,
): Promise<ListRow> {
  const pageSize = keyset.limit - 1
  const order = keyset.order(sql)
  const [row] = await sql<[ListRow]>`
    with found as materialized (${page})
    select ${total} as total,
           (
             select json_agg(item order by ${order})
             from (select v.id from found v order by ${order} limit ${pageSize}) f
             cross join lateral (select * from kinora.video where user_id = ${userId} and id = f.id offset 0) v
             cross join lateral (select ${videoColumns(sql, 'list', now)}) item
           ) as rows,
           (select count(*) from found) > ${pageSize} as is_followed
  `
  return row
}

/**
 * SQL expression: the number of videos of a status and model, from the counters of final ones and the index of those in
 * progress.
 */
const totalOf = (sql: Query, userId: string, query: VideoQuery) => sql`(
  (
    select coalesce(sum(v.videos), 0)::bigint
    from kinora.video_count v
    where v.user_id = ${userId} and ${matches(sql, countedFilters, query)}
  ) + (select count(*) from kinora.video v where ${isUnfinished(sql, userId, query)})
)`

/** SQL condition for `v` of kinora.video. */
const isUnfinished = (sql: Query, userId: string, query: VideoQuery) => sql`
  v.user_id = ${userId} and v.due_at is not null and v.deleted_at is null and ${matches(sql, videoFilters, query)}
`

/**
 * The library's video list: its infinite query by filters, in the API's order, and the filters the user viewed last, because
 * the player steps through that same list.
 */
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { dataOf, kinora, type ListedVideo, queryClient, type VideoPage } from '../api.ts'
import { type Status, statusLabels } from '../ui/format.ts'

export type Filters = { status?: Status; model?: string; q?: string }

/** The filters of the search params. Drops an unknown status, which the API would refuse with 400, and truncates `q`. */
export function filtersOf({ status, model, q }: { status?: string; model?: string; q?: string }): Filters {
  return {
    ...(status !== undefined && isStatus(status) ? { status } : {}),
    ...(model === undefined ? {} : { model }),
    ...(q === undefined ? {} : { q: q.slice(0, SEARCH_CHARACTERS_MAX) }),
  }
}
const isStatus = (text: string): text is Status => Object.hasOwn(statusLabels(), text)

/** The API's limit. */
export const SEARCH_CHARACTERS_MAX = 100
const PAGE_SIZE = 48
/** Longer than a visit to the player lasts, so that the user returns to the same scroll position of a long list. */
const LIST_CACHE_MS = 60 * 60_000

export const videosQuery = (filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['videos', 'library', filters],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, pageSize: PAGE_SIZE, ...(pageParam ? { cursor: pageParam } : {}) }
      return dataOf(kinora.GET('/api/v1/video/list', { params: { query }, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    gcTime: LIST_CACHE_MS,
    // While the user types a search, the previous results stay visible until the next ones arrive.
    placeholderData: keepPreviousData,
  })

/** The videos of all loaded pages. Keyset pagination returns each of them once. */
export const videosOf = ({ pages }: { pages: VideoPage[] }): ListedVideo[] => pages.flatMap(({ videos }) => videos)

let viewedFilters: Filters = {}
export const lastViewedFilters = (): Filters => viewedFilters
export function rememberFilters(filters: Filters): void {
  viewedFilters = filters
}

/** The loaded videos of the list that the user viewed last. */
export function lastViewedVideos(): ListedVideo[] {
  const data = queryClient.getQueryData(videosQuery(viewedFilters).queryKey)
  return data ? videosOf(data) : []
}

/**
 * What the library and the player ask the service, and the list as both know it. The rule: one list by its filters, in
 * the order of the service; the player goes through the list that led to it.
 */
import type { DataOf } from '@kinora/client'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { dataOf, kinora, queryClient } from '../api.ts'
import { type Status, statusLabels } from '../ui/format.ts'

type Page = DataOf<'get', '/api/v1/video/list'>
/** A film as the list has it: its prompt cut short, and without the facts of the detail. */
export type ListedVideo = Page['videos'][number]

export type Filters = { status?: Status; model?: string; q?: string }

/** What stands in the address, as far as it can be asked for: a status that is none would only be refused. */
export function filtersOf({ status, model, q }: { status?: string; model?: string; q?: string }): Filters {
  return {
    ...(status !== undefined && isStatus(status) ? { status } : {}),
    ...(model === undefined ? {} : { model }),
    ...(q === undefined ? {} : { q: q.slice(0, SEARCH_CHARACTERS_MAX) }),
  }
}
const isStatus = (text: string): text is Status => Object.hasOwn(statusLabels, text)

/** As much as the service takes. */
export const SEARCH_CHARACTERS_MAX = 100
const PAGE_SIZE = 48
/** As long as somebody may watch before coming back to the same place in a long list. */
const LIST_KEPT_MS = 60 * 60_000

export const videosQuery = (filters: Filters) =>
  infiniteQueryOptions({
    queryKey: ['videos', 'library', filters],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filters, pageSize: PAGE_SIZE, ...(pageParam ? { cursor: pageParam } : {}) }
      return dataOf(kinora.GET('/api/v1/video/list', { params: { query }, signal }))
    },
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor,
    gcTime: LIST_KEPT_MS,
    // What was found before stays until the answer to a further letter is there.
    placeholderData: keepPreviousData,
  })

/** The films of all pages that are there, each once: one made meanwhile moves the others on to the next page. */
export function videosOf({ pages }: { pages: Page[] }): ListedVideo[] {
  return [...new Map(pages.flatMap(({ videos }) => videos).map((film) => [film.uuid, film])).values()]
}

/** 16:9 → 1.78 */
export function ratioOf(aspectRatio: string): number {
  const [width = 16, height = 9] = aspectRatio.split(':').map(Number)
  return width > 0 && height > 0 ? width / height : 16 / 9
}

/** The list that the reader last looked at. */
let shown: Filters = {}
export const lastViewedFilters = (): Filters => shown
export function rememberFilters(filters: Filters): void {
  shown = filters
}

/** The films of that list, as far as they are loaded. */
export function lastViewedVideos(): ListedVideo[] {
  const data = queryClient.getQueryData(videosQuery(shown).queryKey)
  return data ? videosOf(data) : []
}

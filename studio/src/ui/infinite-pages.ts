/**
 * A list with keyset pagination, of which the browser keeps PAGES_KEPT pages: those around what is in view. The outline
 * knows of the others where each begins and how many rows it has, so that the list stays as high as it is, and a page
 * is read again when its rows come into view.
 */
import type { KinoraError, Result } from '@kinora/client'
import {
  type InfiniteData,
  infiniteQueryOptions,
  keepPreviousData,
  type Query,
  type QueryClient,
  type UseInfiniteQueryOptions,
  useInfiniteQuery,
} from '@tanstack/react-query'
import type { VirtualItem } from '@tanstack/react-virtual'
import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { dataOf, queryClient, refreshQueries } from '../api.ts'

/** Above what the largest screen shows of small cards, 300 of 48 a page. A refetch reads all of them. */
const PAGES_KEPT = 10
/** A range that stays as long is where the user has stopped; pages that are passed on the way are not read. */
const JUMP_AFTER_MS = 100

/** Where a list is on its page, and what CSS says of its lines: of a grid, or of a wrapping box of cards. */
export type Place = { margin: number; width: number; columns: number; gap: number; rowGap: number; row: number }

export type Outline = {
  /** Of each page; one more than pages were read, where there is a next one. */
  cursors: (string | null)[]
  /** Of each page that was read: what the place of each of its rows depends on, such as its aspect ratio. */
  shapes: number[][]
  /** Where the list was, and how high its lines, for the return to its page. */
  place?: Place
  measured?: VirtualItem[]
}

/** An outline ends with its query. */
const outlines = new WeakMap<object, Outline>()

function outlineOf(queryKey: readonly unknown[], client: QueryClient = queryClient): Outline {
  const query: Query | object = client.getQueryCache().find({ queryKey, exact: true }) ?? {}
  const outline = outlines.get(query) ?? { cursors: [null], shapes: [] }
  outlines.set(query, outline)
  return outline
}

type PageRequest = { pageSize: number; cursor?: string }
type Options = {
  pageSize?: number
  /** The rows of the filter before stay, dimmed, until those of the new one are there. */
  keepsPrevious?: boolean
}

/**
 * The query of a list: each page names the cursor of the next one.
 * @param read sends the request of one page, with the filter that is in the key
 */
export const pagedQuery = <Page extends { nextCursor: string | null }>(
  queryKey: readonly unknown[],
  read: (page: PageRequest, signal: AbortSignal) => Promise<Result<Page>>,
  { pageSize = 25, keepsPrevious = false }: Options = {},
) =>
  infiniteQueryOptions({
    queryKey,
    initialPageParam: 0,
    maxPages: PAGES_KEPT,
    queryFn: async ({ pageParam: at, client, direction, signal }) => {
      const { cursors } = outlineOf(queryKey, client)
      const cursor = cursors[at]
      const page = await dataOf(read({ pageSize, ...(cursor ? { cursor } : {}) }, signal))
      const next = cursors[at + 1] ?? null
      if (next === page.nextCursor) return page
      // Rows came or went: the pages behind this one begin elsewhere.
      cursors.splice(at + 1, cursors.length, ...(page.nextCursor ? [page.nextCursor] : []))
      if (direction === 'backward') void refreshQueries(queryKey, { exact: true })
      return page
    },
    getNextPageParam: ({ nextCursor }, _, at) => (nextCursor ? at + 1 : null),
    getPreviousPageParam: (_first, _all, at) => (at > 0 ? at - 1 : null),
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
  })

type Data<Page> = InfiniteData<Page>
type PagesQuery<Page> = UseInfiniteQueryOptions<Page, KinoraError, Data<Page>, readonly unknown[], number>
export type Pages<Page> = ReturnType<typeof usePages<Page>>

/** The kept pages of a list, and its outline. */
export function usePages<Page>(query: PagesQuery<Page>) {
  const list = useInfiniteQuery(query)
  const { queryKey } = query
  const outline = outlineOf(queryKey)
  /** What is shown, until the pages of a new filter, or of another place, are there. */
  const shown = useRef<{ outline: Outline; data: Data<Page> | undefined }>({ outline, data: undefined })
  if (list.data?.pages.length !== 0 && !list.isPlaceholderData) shown.current = { outline, data: list.data }
  return {
    ...list,
    data: list.isPlaceholderData ? list.data : shown.current.data,
    outline: shown.current.outline,
    /** Forgets what is kept, and reads a page elsewhere. */
    jump: (at: number) => {
      queryClient.setQueryData<Data<Page>>(queryKey, { pages: [], pageParams: [at] })
      void list.refetch()
    },
  }
}

/** `shapes`: of all rows that were read; `before`: so many precede the kept ones; `isAtEnd`: none follows them. */
export type Extent = { shapes: number[]; before: number; isAtEnd: boolean }

export function extentOf<Page, Row>(
  { data, outline: { cursors, shapes } }: Pick<Pages<Page>, 'data' | 'outline'>,
  pages: Row[][],
  shapeOf: (row: Row) => number,
): Extent {
  const [start, last] = keptOf(data)
  const end = last + 1
  for (const [index, rows] of pages.entries()) shapes[start + index] = rows.map(shapeOf)
  // Those behind a page whose next one begins elsewhere by now are unknown.
  shapes.length = Math.max(end, Math.min(shapes.length, cursors.length))
  const before = shapes.slice(0, start).reduce((sum, page) => sum + page.length, 0)
  return { shapes: shapes.flat(), before, isAtEnd: end === shapes.length }
}

/** The first and the last kept page. */
const keptOf = (data: Data<unknown> | undefined): [number, number] => [
  Number(data?.pageParams[0] ?? 0),
  Number(data?.pageParams.at(-1) ?? -1),
]

/** Has the pages read whose rows are in view. @returns tells which rows are, by their index in the whole list */
export function useRowsInView<Page>(list: Pages<Page>): (first: number, last: number) => void {
  const inView = useRef({ first: 0, last: 0 })
  const jumping = useRef<ReturnType<typeof setTimeout>>(undefined)
  const { isFetching, error } = list
  const read = useEffectEvent(() => {
    clearTimeout(jumping.current)
    const { data, outline, isPlaceholderData, fetchNextPage, fetchPreviousPage, jump } = list
    if (!data || isFetching || isPlaceholderData) return
    const pageOf = (index: number) => {
      let end = 0
      return outline.shapes.findIndex(({ length }) => {
        end += length
        return index < end
      })
    }
    const [first, last] = [pageOf(inView.current.first), pageOf(inView.current.last)]
    const [keptFirst, keptLast] = keptOf(data)
    if (first < 0 || last < 0) return
    if (last < keptFirst - 1 || first > keptLast + 1) jumping.current = setTimeout(() => jump(first), JUMP_AFTER_MS)
    else if (first < keptFirst) void fetchPreviousPage()
    else if (last > keptLast) void fetchNextPage()
  })
  useEffect(() => {
    // After a failure the next scroll tries again.
    if (!isFetching && !error) read()
    return () => clearTimeout(jumping.current)
  }, [isFetching, error])
  return useCallback((first, last) => {
    inView.current = { first, last }
    read()
  }, [])
}

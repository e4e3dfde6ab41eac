/** A list with keyset pagination: its query, its states, and its footer with the count and "Show more". */
import type { KinoraError, Result } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { dataOf } from '../api.ts'
import { Button } from './button.tsx'
import { formatNumber } from './format.ts'
import './infinite-list.css'
import { EmptyState, ErrorState, LoadingState, SkeletonBlock } from './states.tsx'

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
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => dataOf(read({ pageSize, ...(pageParam ? { cursor: pageParam } : {}) }, signal)),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
  })

/** The part of TanStack Query's useInfiniteQuery result that the footer needs. */
type InfiniteList = {
  data: { pages: unknown[] } | undefined
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  isPlaceholderData: boolean
  error: KinoraError | null
  fetchNextPage: (options: { cancelRefetch: boolean }) => Promise<InfiniteList>
}

type PagedListProps<Page, Row> = {
  list: InfiniteList & { data: { pages: Page[] } | undefined; isPending: boolean; refetch: () => unknown }
  rowsOf: (page: Page) => Row[]
  /** What screen readers hear while the first page is on its way. */
  loading: string
  /** What stands for no rows: a text, or an EmptyState. */
  empty: ReactNode
  /** The count of all rows, where the API has it and the page shows it. */
  total?: number | undefined
  children: (rows: Row[]) => ReactNode
}

/** The states of a list, its rows, and what follows them. */
export function PagedList<Page, Row>({ list, rowsOf, loading, empty, total, children }: PagedListProps<Page, Row>) {
  const rows = list.data?.pages.flatMap(rowsOf)
  return (
    <>
      {list.error && !rows ? <ErrorState error={list.error} retry={list.refetch} /> : null}
      {list.isPending ? <TableSkeleton label={loading} /> : null}
      {rows?.length === 0 ? typeof empty === 'string' ? <EmptyState>{empty}</EmptyState> : empty : null}
      {rows?.length ? (
        <div className="results" aria-busy={list.isPlaceholderData}>
          {children(rows)}
        </div>
      ) : null}
      {list.hasNextPage || (rows?.length && total !== undefined) ? (
        <ShowMore list={list} {...(total === undefined ? {} : { shown: rows?.length ?? 0, total })} />
      ) : null}
    </>
  )
}

type Props = {
  list: InfiniteList
  /** The count of rows, where the API has it. */
  shown?: number
  total?: number
  /** Loads the next page when the footer comes near the viewport; the button remains for keyboard users. */
  autoLoad?: boolean
}

export function ShowMore({ list, shown, total, autoLoad = false }: Props) {
  const footer = useRef<HTMLDivElement>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error } = list
  const showMore = async () => {
    // The request would, without `cancelRefetch: false`, cancel a running refetch and lose the rows that it brings.
    // With it, the request only joins the refetch: repeat it until the page has come. `isRefetching` may be older than
    // the refetch.
    const pageCount = list.data?.pages.length
    let latest: InfiniteList
    do latest = await list.fetchNextPage({ cancelRefetch: false })
    while (footer.current && latest.data?.pages.length === pageCount && isNextPageDue(latest))
  }
  const onNearViewport = useEffectEvent(showMore)
  // Wait for a click after a failure, or the effect would retry without end.
  const observes = autoLoad && isNextPageDue(list) && !isFetchingNextPage
  useEffect(() => {
    if (!observes || !footer.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && onNearViewport(),
      { rootMargin: '1200px' },
    )
    observer.observe(footer.current)
    return () => observer.disconnect()
  }, [observes])
  if (autoLoad && !hasNextPage) return null
  return (
    <>
      <div className={autoLoad ? 'auto-load' : 'page-head'} ref={footer}>
        {shown === undefined || total === undefined ? null : (
          <p className="quiet small" role="status">
            {t`${formatNumber(shown)} of ${formatNumber(Math.max(shown, total))} shown`}
          </p>
        )}
        {hasNextPage ? (
          <Button busy={isFetchingNextPage} onClick={showMore}>
            {t`Show more`}
          </Button>
        ) : null}
      </div>
      {isFetchNextPageError && error ? <ErrorState error={error} retry={showMore} /> : null}
    </>
  )
}

const isNextPageDue = ({ hasNextPage, isFetchNextPageError, isPlaceholderData }: InfiniteList): boolean =>
  hasNextPage && !isFetchNextPageError && !isPlaceholderData

export const TableSkeleton = ({ label }: { label: string }) => (
  <LoadingState label={label}>
    <TableSkeletonRows />
  </LoadingState>
)

export const TableSkeletonRows = () => (
  <div className="table-skeleton">
    {[1, 2, 3, 4, 5, 6].map((row) => (
      <SkeletonBlock key={row} />
    ))}
  </div>
)

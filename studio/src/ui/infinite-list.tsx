/** A list with keyset pagination: its skeleton while it loads, and its footer with the count and "Show more". */
import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from './button.tsx'
import { formatNumber } from './format.ts'
import './infinite-list.css'
import { ErrorState, LoadingState, SkeletonBlock } from './states.tsx'

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
    // The request would, without `cancelRefetch: false`, cancel a running refetch and lose the rows that it brings. With it, the
    // request only joins the refetch: repeat it until the page has come. `isRefetching` may be older than the refetch.
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
    <div className="table-skeleton">
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <SkeletonBlock key={row} />
      ))}
    </div>
  </LoadingState>
)

/** A list read page by page: the place it takes while it loads, and its foot, which says how much is shown and shows more. */
import type { KinoraError } from '@kinora/client'
import { useCallback } from 'react'
import { Button } from './button.tsx'
import { formatNumber } from './format.ts'
import { ErrorState, LoadingState, SkeletonBlock } from './states.tsx'

export type InfiniteList = {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: KinoraError | null
  isRefetching: boolean
  refetch: (options: { cancelRefetch: boolean }) => Promise<unknown>
  fetchNextPage: () => unknown
}

/** Shows the next page. A list that is just being read anew is read to its end first, or what is new in it would be lost. */
export function useGoOn({ isRefetching, refetch, fetchNextPage }: InfiniteList): () => Promise<void> {
  return useCallback(async () => {
    if (isRefetching) await refetch({ cancelRefetch: false })
    fetchNextPage()
  }, [isRefetching, refetch, fetchNextPage])
}

export function ShowMore({ list, shown, total }: { list: InfiniteList; shown: number; total: number }) {
  const goOn = useGoOn(list)
  return (
    <>
      <div className="page-head">
        <p className="quiet small" role="status">
          {formatNumber(shown)} of {formatNumber(Math.max(shown, total))} shown
        </p>
        {list.hasNextPage ? (
          <Button busy={list.isFetchingNextPage} onClick={goOn}>
            Show more
          </Button>
        ) : null}
      </div>
      {list.isFetchNextPageError && list.error ? <ErrorState error={list.error} retry={goOn} /> : null}
    </>
  )
}

export const TableSkeleton = ({ label }: { label: string }) => (
  <LoadingState label={label}>
    <div className="table-skeleton">
      {[1, 2, 3, 4, 5, 6].map((line) => (
        <SkeletonBlock key={line} />
      ))}
    </div>
  </LoadingState>
)

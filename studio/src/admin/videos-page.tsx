/**
 * Videos in progress and overdue, oldest first, with why they wait. It reloads itself while it is open, and stands still
 * while somebody is at a row.
 */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { formatNumber } from '../ui/format.ts'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import frame from './admin.module.css'
import { letGo, useStill } from './pause-refetch.ts'
import { type Unfinished, unfinished, type VideoFilter } from './queries.ts'
import { VideoFilters } from './video-filters.tsx'
import { VideoTable } from './video-table.tsx'
import look from './videos-page.module.css'

const EVERY_MS = 5_000

export function Videos() {
  const filter = useFilter()
  const place = useRef<HTMLDivElement>(null)
  const still = useStill(place)
  const list = useInfiniteQuery({
    ...unfinished(filter),
    refetchInterval: still ? false : EVERY_MS,
    refetchOnWindowFocus: !still,
  })
  const rows = list.data?.pages.flatMap(({ videos }) => videos)
  const first = list.data?.pages[0]
  // Rows of the filter before, shown until those of this one are there, have no time of their own.
  const nowMs = list.dataUpdatedAt || Date.now()
  return (
    <div className="page">
      <title>Videos · Administration · Kinora</title>
      <h1>Videos</h1>
      <div className={look.filters}>
        <VideoFilters filter={filter} counts={first?.counts} />
        <p className="quiet small">
          {still ? (
            <>
              Paused while you are at a row.{' '}
              <Button kind="quiet" onClick={letGo}>
                Go on
              </Button>
            </>
          ) : (
            `Read again every ${EVERY_MS / 1000} seconds.`
          )}
        </p>
      </div>
      {list.error ? <ErrorState error={list.error} retry={list.refetch} /> : null}
      {list.isPending ? <TableSkeleton label="Loading the videos" /> : null}
      {rows ? (
        <div ref={place} className={frame.list} aria-busy={list.isPlaceholderData}>
          {rows.length > 0 ? (
            <VideoTable rows={unique(rows)} nowMs={nowMs} />
          ) : (
            <Nothing filter={filter} inProgress={first?.counts.inProgress ?? 0} />
          )}
        </div>
      ) : null}
      {rows?.length ? <ShowMore list={list} shown={rows.length} total={first?.total ?? 0} /> : null}
    </div>
  )
}

function useFilter(): VideoFilter {
  const { state, userId, provider } = useSearch({ from: '/signed-in/admin/videos' })
  return {
    state: state === 'overdue' ? 'overdue' : 'in-progress',
    ...(userId ? { userId } : {}),
    ...(provider ? { provider } : {}),
  }
}

/** Pages that are read one after the other may both have a video that moved between them. */
const unique = (rows: Unfinished[]): Unfinished[] => [...new Map(rows.map((row) => [row.uuid, row])).values()]

function Nothing({ filter: { state, userId, provider }, inProgress }: { filter: VideoFilter; inProgress: number }) {
  if (userId || provider)
    return (
      <EmptyState
        action={
          <Link to="/admin/videos" search={state === 'overdue' ? { state } : {}} className="button">
            Show those of everybody
          </Link>
        }
      >
        {state === 'overdue' ? 'None of these videos is overdue.' : 'None of these videos is in progress.'}
      </EmptyState>
    )
  if (state === 'overdue')
    return (
      <EmptyState>
        No video is overdue. One is when it has been due for more than a minute and no worker has taken it up
        {inProgress > 0 ? `; ${formatNumber(inProgress)} ${inProgress === 1 ? 'is' : 'are'} in progress.` : '.'}
      </EmptyState>
    )
  return (
    <EmptyState>
      No video is in progress. Whatever is being made will be listed here, with what it waits for.
    </EmptyState>
  )
}

/**
 * Videos page: unfinished videos, oldest first, with the reason why each waits, or ended ones. The unfinished are refetched every
 * 5 seconds, except while the user has the focus or a text selection in a row.
 */
import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { optionalParams } from '../search-params.ts'
import { Button } from '../ui/button.tsx'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { daysParam } from '../ui/period-select.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import adminStyles from './admin.module.css'
import { EndedFilters, EndedVideos } from './ended-videos.tsx'
import { resumeRefetch, usePauseRefetch } from './pause-refetch.ts'
import { VideoFilters } from './video-filters.tsx'
import {
  type Outcome,
  outcomeLabels,
  type UnfinishedFilter,
  type UnfinishedVideo,
  unfinishedVideosQuery,
} from './video-queries.ts'
import { VideoSearch } from './video-search.tsx'
import { VideoTable } from './video-table.tsx'
import styles from './videos-page.module.css'

const REFETCH_MS = 5_000

export function VideosPage() {
  const { state, q, model, outcome, days, ...kept } = useSearch({ from: '/signed-in/admin/videos' })
  const ended = optionalParams({
    ...kept,
    q,
    model,
    outcome: isOutcome(outcome) ? outcome : undefined,
    days: daysParam(days),
  })
  return (
    <div className="page">
      <PageTitle of={[t`Films`, t`Administration`]} />
      <h1>{t`Films`}</h1>
      <VideoSearch q={q ?? ''} />
      {state === 'ended' ? (
        <>
          <div className={`${adminStyles.filters} ${styles.filters}`}>
            <VideoFilters filter={kept} counts={undefined}>
              <EndedFilters filter={ended} />
            </VideoFilters>
          </div>
          <EndedVideos filter={ended} />
        </>
      ) : (
        <UnfinishedVideos filter={{ ...kept, state: state === 'overdue' ? 'overdue' : 'in-progress' }} />
      )}
    </div>
  )
}

const isOutcome = (text: string | undefined): text is Outcome => text !== undefined && text in outcomeLabels

function UnfinishedVideos({ filter }: { filter: UnfinishedFilter }) {
  const tableRef = useRef<HTMLDivElement>(null)
  const isPaused = usePauseRefetch(tableRef)
  const list = useInfiniteQuery({
    ...unfinishedVideosQuery(filter),
    refetchInterval: isPaused ? false : REFETCH_MS,
    refetchOnWindowFocus: !isPaused,
  })
  const videos = list.data?.pages.flatMap((page) => page.videos)
  const firstPage = list.data?.pages[0]
  // Placeholder data of the previous filter has no dataUpdatedAt.
  const nowMs = list.dataUpdatedAt || Date.now()
  return (
    <>
      <div className={`${adminStyles.filters} ${styles.filters}`}>
        <VideoFilters filter={filter} counts={firstPage?.counts} />
        <p className="quiet small">
          {isPaused ? (
            <Trans>
              Paused while you are at a row.{' '}
              <Button kind="quiet" onClick={resumeRefetch}>
                Go on
              </Button>
            </Trans>
          ) : (
            t`Read again every ${REFETCH_MS / 1000} seconds.`
          )}
        </p>
      </div>
      {list.error ? <ErrorState error={list.error} retry={list.refetch} /> : null}
      {list.isPending ? <TableSkeleton label={t`Loading the films`} /> : null}
      {videos ? (
        <div ref={tableRef} className={adminStyles.results} aria-busy={list.isPlaceholderData}>
          {videos.length > 0 ? (
            <VideoTable videos={withoutDuplicates(videos)} nowMs={nowMs} />
          ) : (
            <NoVideos filter={filter} inProgress={firstPage?.counts.inProgress ?? 0} />
          )}
        </div>
      ) : null}
      {videos?.length ? <ShowMore list={list} shown={videos.length} total={firstPage?.total ?? 0} /> : null}
    </>
  )
}

/** A video that moves between the reads of two pages is in both. */
const withoutDuplicates = (videos: UnfinishedVideo[]): UnfinishedVideo[] => [
  ...new Map(videos.map((video) => [video.uuid, video])).values(),
]

function NoVideos({
  filter: { state, userId, provider },
  inProgress,
}: {
  filter: UnfinishedFilter
  inProgress: number
}) {
  if (userId || provider)
    return (
      <EmptyState
        action={
          <Link to="/admin/videos" search={state === 'overdue' ? { state } : {}} className="button">
            {t`Show those of every user`}
          </Link>
        }
      >
        {state === 'overdue' ? t`None of these films is overdue.` : t`None of these films is in progress.`}
      </EmptyState>
    )
  if (state === 'overdue')
    return (
      <EmptyState>
        {inProgress > 0
          ? t`No film is overdue. One is when it has been due for more than a minute and no worker has taken it up; ${plural(inProgress, { one: '# is in progress.', other: '# are in progress.' })}`
          : t`No film is overdue. One is when it has been due for more than a minute and no worker has taken it up.`}
      </EmptyState>
    )
  return (
    <EmptyState>
      {t`No film is in progress. Each film in progress will be listed here, with what it waits for.`}
    </EmptyState>
  )
}

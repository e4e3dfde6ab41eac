/**
 * Videos page: unfinished videos, oldest first, with the reason why each waits, or ended ones. The unfinished are
 * refetched every 5 seconds, except while the user has the focus or a text selection in a row.
 */

import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useRef } from 'react'
import { optionalParams, uuidParam } from '../search-params.ts'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { formatNumber, formatRelativeTime, formatUtcTime, statusLabels } from '../ui/format.ts'
import { PagedRows, TableSkeleton } from '../ui/infinite-list.tsx'
import { Mark } from '../ui/mark.tsx'
import { daysParam } from '../ui/period-select.tsx'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { Select } from '../ui/select.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import adminStyles from './admin.module.css'
import { EndedFilters, EndedVideos } from './ended-videos.tsx'
import { AdminPage, tableClass } from './kit.tsx'
import { OwnerLink, OwnerOfId } from './owner-link.tsx'
import { resumeRefetch, usePauseRefetch } from './pause-refetch.ts'
import { providersQuery } from './queries.ts'
import {
  type Outcome,
  outcomeLabels,
  type UnfinishedFilter,
  type UnfinishedVideo,
  unfinishedVideosQuery,
} from './video-queries.ts'
import styles from './videos-page.module.css'
import '../ui/segmented-control.css'
import { usePages } from '../ui/infinite-pages.ts'

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
    <AdminPage title={t`Films`}>
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
    </AdminPage>
  )
}

const isOutcome = (text: string | undefined): text is Outcome => text !== undefined && text in outcomeLabels

function UnfinishedVideos({ filter }: { filter: UnfinishedFilter }) {
  const tableRef = useRef<HTMLDivElement>(null)
  const isPaused = usePauseRefetch(tableRef)
  const list = usePages({
    ...unfinishedVideosQuery(filter),
    refetchInterval: isPaused ? false : REFETCH_MS,
    refetchOnWindowFocus: !isPaused,
  })
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
      <div ref={tableRef} className="results" aria-busy={list.isPlaceholderData}>
        <PagedRows list={list} rowsOf={videosOf} total={firstPage?.total}>
          {(videos) => <VideoTable videos={videos} nowMs={nowMs} />}
        </PagedRows>
        {firstPage?.videos.length === 0 ? <NoVideos filter={filter} inProgress={firstPage.counts.inProgress} /> : null}
      </div>
    </>
  )
}

const videosOf = ({ videos }: { videos: UnfinishedVideo[] }) => videos

type NoVideosProps = { filter: UnfinishedFilter; inProgress: number }

function NoVideos({ filter: { state, userId, provider }, inProgress }: NoVideosProps) {
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

/** The search field of the videos' pages: a uuid opens its video, any other text finds ended videos by their error. */
function VideoSearch({ q }: { q: string }) {
  const navigate = useNavigate({ from: '/admin/videos' })
  return (
    <search>
      <SearchField
        label={t`Search films`}
        placeholder={t`Uuid, text or code of the error, provider’s task id`}
        charactersMax={200}
        text={q}
        onSearch={(text, { replace }) => {
          const uuid = uuidParam(text)
          if (uuid) return navigate({ to: '/admin/videos/$uuid', params: { uuid } })
          return navigate({
            search: (previous) =>
              optionalParams({ ...previous, ...(text ? { state: 'ended', q: text } : { q: undefined }) }),
            replace,
            resetScroll: false,
          })
        }}
      />
    </search>
  )
}

type Props = {
  filter: { userId?: string; provider?: string }
  counts: { inProgress: number; overdue: number } | undefined
  /** Filters of one state. */
  children?: ReactNode
}

const keepScroll = { resetScroll: false } as const

/** Filters of the video lists, kept in the URL: in progress, overdue or ended, provider, user. */
function VideoFilters({ filter: { userId, provider }, counts, children }: Props) {
  const kept = optionalParams({ userId, provider })
  return (
    <>
      <nav className="segmented-control" aria-label={t`Which films`}>
        <Link to="/admin/videos" search={kept} activeOptions={{ exact: true }} {...keepScroll}>
          <Trans>
            In progress <Count value={counts?.inProgress} />
          </Trans>
        </Link>
        <Link to="/admin/videos" search={{ ...kept, state: 'overdue' }} activeOptions={{ exact: true }} {...keepScroll}>
          <Trans>
            Overdue <Count value={counts?.overdue} />
          </Trans>
        </Link>
        <Link to="/admin/videos" search={{ ...kept, state: 'ended' }} {...keepScroll}>
          {t`Ended`}
        </Link>
      </nav>
      {children}
      <ProviderFilter selected={provider} />
      {userId ? <UserFilter userId={userId} /> : null}
    </>
  )
}

const Count = ({ value }: { value: number | undefined }) => (value === undefined ? null : <b>{formatNumber(value)}</b>)

function ProviderFilter({ selected }: { selected: string | undefined }) {
  const navigate = useNavigate({ from: '/admin/videos' })
  const { data } = useQuery({ ...providersQuery, refetchInterval: false })
  const ids = new Set([...(data?.providers.map(({ id }) => id) ?? []), ...(selected ? [selected] : [])])
  return (
    <Select
      className={styles.filter}
      aria-label={t`Provider`}
      value={selected}
      none={t`Every provider`}
      options={[...ids].map((id) => [id, id])}
      onSelect={(provider) =>
        navigate({ search: (previous) => optionalParams({ ...previous, provider }), replace: true, ...keepScroll })
      }
    />
  )
}

function UserFilter({ userId }: { userId: string }) {
  return (
    <span className="row">
      <span>
        <Trans>
          Of <OwnerOfId id={userId} />
        </Trans>
      </span>
      <Link
        from="/admin/videos"
        to="/admin/videos"
        search={(previous) => optionalParams({ ...previous, userId: undefined })}
        className="button quiet"
        {...keepScroll}
      >
        {t`Show every user’s`}
      </Link>
    </span>
  )
}

/** Unfinished videos, each with the reason why it waits in the first column and the times that the reason names. */
const VideoTable = ({ videos, nowMs }: { videos: UnfinishedVideo[]; nowMs: number }) => (
  <DataTable
    className={`${tableClass('topAligned')} ${styles.table}`}
    label={t`Films`}
    rows={videos}
    keyOf={({ uuid }) => uuid}
    columns={[
      { head: t`Why it waits`, isRowHead: true, className: styles.reason, cell: (video) => <Why video={video} /> },
      { head: t`What happened last`, cell: (video) => <LastLogEntry video={video} nowMs={nowMs} /> },
      {
        head: t`Due, and deadline`,
        cell: ({ dueAt, deadlineAt }) => (
          <>
            <Time at={dueAt} nowMs={nowMs} />
            <span className={styles.deadline}>
              <Time at={deadlineAt} nowMs={nowMs} />
            </span>
          </>
        ),
      },
      { head: t`User`, cell: (video) => <OwnerLink of={video} /> },
      { head: t`Film`, cell: (video) => <Film video={video} nowMs={nowMs} /> },
    ]}
  />
)

const Why = ({ video: { uuid, why, isOverdue, status, progress } }: { video: UnfinishedVideo }) => (
  <>
    <Mark kind={isOverdue ? 'failed' : 'running'} label={isOverdue ? t`Overdue` : statusLabels()[status]} />
    <span className={styles.reasonText} lang="en">
      {why}
    </span>
    <ProgressStrip status={status} progress={progress} label={t`Progress of ${uuid}`} thin />
  </>
)

const Film = ({ video, nowMs }: { video: UnfinishedVideo; nowMs: number }) => (
  <>
    {t`${video.model} at ${video.provider}`}
    <Link to="/admin/videos/$uuid" params={{ uuid: video.uuid }} className={styles.detail}>
      <code>{video.uuid}</code>
    </Link>
    {video.providerTaskId ? <code className={styles.detail}>{video.providerTaskId}</code> : null}
    <span className={styles.detail}>
      {t`Asked for ${formatRelativeTime(video.createdAt, nowMs)}`}
      {attempts(video)}
    </span>
  </>
)

/** While the provider generates, `attempt` counts status polls; in the other statuses it counts failed attempts. */
function attempts({ status, attempt }: UnfinishedVideo): string {
  if (attempt < 2) return ''
  return status === 'GENERATING' ? t`, looked at ${attempt} times` : t`, tried ${attempt} times`
}

function LastLogEntry({ video: { lastEvent, providerTaskId }, nowMs }: { video: UnfinishedVideo; nowMs: number }) {
  if (!lastEvent) return <span className="quiet">{t`Nothing noted`}</span>
  const { event, detail, at } = lastEvent
  // The video column shows the provider's task id already.
  const isShown = providerTaskId !== null && detail?.endsWith(providerTaskId)
  return (
    <>
      <span lang="en">{event}</span>
      <span className="secondary">{formatRelativeTime(at, nowMs)}</span>
      {detail && !isShown ? (
        <span className={styles.detail} lang="en">
          {detail}
        </span>
      ) : null}
    </>
  )
}

const Time = ({ at, nowMs }: { at: string; nowMs: number }) => (
  <>
    {formatRelativeTime(at, nowMs)}
    <time className={`secondary ${styles.moment}`} dateTime={at}>
      {formatUtcTime(at, nowMs)}
    </time>
  </>
)

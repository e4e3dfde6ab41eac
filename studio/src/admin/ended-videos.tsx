/** Films of all users that have ended, the latest first: filtered by outcome, model, provider, user and period, and searched by their error. */
import { t } from '@lingui/core/macro'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { optionalParams } from '../search-params.ts'
import { formatClock, formatNumber, formatUtcTime } from '../ui/format.ts'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { PeriodSelect } from '../ui/period-select.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import adminStyles from './admin.module.css'
import { OwnerLink } from './owner-link.tsx'
import { modelsQuery } from './queries.ts'
import { type EndedFilter, type EndedVideo, endedVideosQuery, type Outcome, outcomeLabels } from './video-queries.ts'
import styles from './videos-page.module.css'

export function EndedVideos({ filter }: { filter: EndedFilter }) {
  const list = useInfiniteQuery(endedVideosQuery(filter))
  const videos = list.data?.pages.flatMap((page) => page.videos)
  return (
    <>
      {list.error && !videos ? <ErrorState error={list.error} retry={list.refetch} /> : null}
      {list.isPending ? <TableSkeleton label={t`Loading the films`} /> : null}
      {videos?.length === 0 ? <EmptyState>{t`No film like this ended in this time.`}</EmptyState> : null}
      {videos?.length ? (
        <div className={adminStyles.results} aria-busy={list.isPlaceholderData}>
          <EndedTable videos={videos} />
        </div>
      ) : null}
      {list.hasNextPage ? <ShowMore list={list} /> : null}
    </>
  )
}

/** The filters that only films that have ended have. */
export function EndedFilters({ filter }: { filter: EndedFilter }) {
  const navigate = useNavigate({ from: '/admin/videos' })
  const { data } = useQuery({ ...modelsQuery, refetchInterval: false })
  // Also those that are off by now, and none that has no account.
  const served = data?.models.filter(({ state }) => state !== 'waiting').map(({ id }) => id) ?? []
  const models = new Set([...served, ...(filter.model ? [filter.model] : [])])
  const select = (change: { outcome?: string | undefined; model?: string | undefined; days?: string | undefined }) =>
    navigate({ search: (previous) => optionalParams({ ...previous, ...change }), replace: true, resetScroll: false })
  return (
    <>
      <select
        className={`input ${styles.filter}`}
        aria-label={t`Outcome`}
        value={filter.outcome ?? ''}
        onChange={({ target }) => select({ outcome: target.value || undefined })}
      >
        <option value="">{t`Every outcome`}</option>
        {Object.entries(outcomeLabels).map(([outcome, { label }]) => (
          <option key={outcome} value={outcome}>
            {label}
          </option>
        ))}
      </select>
      <select
        className={`input ${styles.filter}`}
        aria-label={t`Model`}
        value={filter.model ?? ''}
        onChange={({ target }) => select({ model: target.value || undefined })}
      >
        <option value="">{t`Every model`}</option>
        {[...models].map((id) => (
          <option key={id} value={id}>
            {id}
          </option>
        ))}
      </select>
      <PeriodSelect
        className={styles.filter}
        days={filter.days}
        allTime={filter.userId !== undefined}
        onChange={(days) => select({ days: days === undefined ? undefined : String(days) })}
      />
    </>
  )
}

export const EndedTable = ({ videos, isOfOneUser = false }: { videos: EndedVideo[]; isOfOneUser?: boolean }) => (
  <div className={`${adminStyles.table} ${adminStyles.topAligned} ${styles.table}`}>
    <TableFrame label={t`Films`}>
      <thead>
        <tr>
          <th scope="col">{t`Outcome`}</th>
          <th scope="col">{t`Ended, after`}</th>
          {isOfOneUser ? null : <th scope="col">{t`User`}</th>}
          <th scope="col">{t`Film`}</th>
          <th scope="col" className="number">
            {t`Credits`}
          </th>
        </tr>
      </thead>
      <tbody>
        {videos.map((video) => (
          <EndedRow key={video.uuid} video={video} isOfOneUser={isOfOneUser} />
        ))}
      </tbody>
    </TableFrame>
  </div>
)

function EndedRow({ video, isOfOneUser }: { video: EndedVideo; isOfOneUser: boolean }) {
  const { uuid, outcome, error, errorCode, model, account, vendorModel, createdAt, completedAt } = video
  return (
    <tr>
      <th scope="row" className={error === null ? styles.outcome : styles.reason}>
        <OutcomeMark outcome={outcome} />
        {outcome === 'failed' ? (
          <span className={styles.reasonText} lang="en">
            {error} <code>{errorCode}</code>
          </span>
        ) : null}
      </th>
      <td>
        <time className={styles.moment} dateTime={completedAt}>
          {formatUtcTime(completedAt)}
        </time>
        <span className={adminStyles.secondary}>{formatClock(secondsBetween(createdAt, completedAt))}</span>
      </td>
      {isOfOneUser ? null : (
        <td>
          <OwnerLink of={video} />
        </td>
      )}
      <td>
        {t`${model} at ${account}`}
        {vendorModel === null ? null : <span className={styles.detail}>{vendorModel}</span>}
        <Link to="/admin/videos/$uuid" params={{ uuid }} className={styles.detail}>
          <code>{uuid}</code>
        </Link>
      </td>
      <td className="number">{formatNumber(video.credits)}</td>
    </tr>
  )
}

export const OutcomeMark = ({ outcome }: { outcome: Outcome }) => (
  <span className="mark" data-kind={outcomeLabels[outcome].kind}>
    {outcomeLabels[outcome].label}
  </span>
)

const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000

/** All users' ended films, the latest first: by outcome, model, provider, user, period and error. */

import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { optionalParams } from '../search-params.ts'
import { DataTable } from '../ui/data-table.tsx'
import { formatClock, formatNumber, formatUtcTime } from '../ui/format.ts'
import { PagedList } from '../ui/infinite-list.tsx'
import { usePages } from '../ui/infinite-pages.ts'
import { Mark } from '../ui/mark.tsx'
import { PeriodSelect } from '../ui/period-select.tsx'
import { Select } from '../ui/select.tsx'
import { tableClass } from './kit.tsx'
import { OwnerLink } from './owner-link.tsx'
import { modelsQuery } from './queries.ts'
import { type EndedFilter, type EndedVideo, endedVideosQuery, outcomeLabels } from './video-queries.ts'
import styles from './videos-page.module.css'

export function EndedVideos({ filter }: { filter: EndedFilter }) {
  return (
    <PagedList
      list={usePages(endedVideosQuery(filter))}
      rowsOf={(page) => page.videos}
      loading={t`Loading the films`}
      empty={t`No film like this ended in this time.`}
    >
      {(videos) => <EndedTable videos={videos} />}
    </PagedList>
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
      <Select
        className={styles.filter}
        aria-label={t`Outcome`}
        value={filter.outcome}
        none={t`Every outcome`}
        options={Object.entries(outcomeLabels).map(([outcome, { label }]) => [outcome, label])}
        onSelect={(outcome) => select({ outcome })}
      />
      <Select
        className={styles.filter}
        aria-label={t`Model`}
        value={filter.model}
        none={t`Every model`}
        options={[...models].map((id) => [id, id])}
        onSelect={(model) => select({ model })}
      />
      <PeriodSelect
        className={styles.filter}
        days={filter.days}
        allTime={filter.userId !== undefined}
        onChange={(days) => select({ days })}
      />
    </>
  )
}

export const EndedTable = ({ videos, isOfOneUser = false }: { videos: EndedVideo[]; isOfOneUser?: boolean }) => (
  <DataTable
    className={`${tableClass('topAligned')} ${styles.table}`}
    label={t`Films`}
    rows={videos}
    keyOf={({ uuid }) => uuid}
    columns={[
      {
        head: t`Outcome`,
        isRowHead: true,
        className: ({ error }) => (error === null ? styles.outcome : styles.reason),
        cell: (video) => <Outcome video={video} />,
      },
      {
        head: t`Ended, after`,
        cell: ({ completedAt }) => (
          <time className={styles.moment} dateTime={completedAt}>
            {formatUtcTime(completedAt)}
          </time>
        ),
        below: ({ createdAt, completedAt }) => formatClock(secondsBetween(createdAt, completedAt)),
      },
      isOfOneUser ? null : { head: t`User`, cell: (video) => <OwnerLink of={video} /> },
      { head: t`Film`, cell: (video) => <Film video={video} /> },
      { head: t`Credits`, isNumber: true, cell: ({ credits }) => formatNumber(credits) },
    ]}
  />
)

const Outcome = ({ video: { outcome, error, errorCode } }: { video: EndedVideo }) => (
  <>
    <Mark {...outcomeLabels[outcome]} />
    {outcome === 'failed' ? (
      <span className={styles.reasonText} lang="en">
        {error} <code>{errorCode}</code>
      </span>
    ) : null}
  </>
)

const Film = ({ video: { uuid, model, account, vendorModel } }: { video: EndedVideo }) => (
  <>
    {t`${model} at ${account}`}
    {vendorModel === null ? null : <span className={styles.detail}>{vendorModel}</span>}
    <Link to="/admin/videos/$uuid" params={{ uuid }} className={styles.detail}>
      <code>{uuid}</code>
    </Link>
  </>
)

const secondsBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000

/** Video page for administrators: a film's user, route, costs, credits, failure, times and log. */

import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { transactionStates } from '../credits/transaction-types.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Fact } from '../ui/fact.tsx'
import {
  formatBytes,
  formatClock,
  formatCredits,
  formatList,
  formatNumber,
  formatUtcTime,
  statusLabels,
} from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { EmptyState, QueryState, SkeletonBlock } from '../ui/states.tsx'
import { formatUsd } from './cost-queries.ts'
import { AdminPage, tableClass } from './kit.tsx'
import { OwnerLink } from './owner-link.tsx'
import userStyles from './owner-page.module.css'
import { outcomeLabels, type VideoDetail, videoQuery } from './video-queries.ts'
import styles from './videos-page.module.css'

export function AdminVideoPage() {
  const { uuid } = useParams({ from: '/signed-in/admin/videos/$uuid' })
  const query = useQuery(videoQuery(uuid))
  return (
    <AdminPage title={t`Film`} aside={query.data ? <Status video={query.data} /> : null}>
      <QueryState
        query={query}
        loading={t`Loading the film`}
        skeleton={
          <div className={userStyles.twoColumns}>
            <SkeletonBlock height="480px" />
            <SkeletonBlock height="480px" />
          </div>
        }
      >
        {(video) => (
          <>
            {video.error === null ? null : (
              <p lang="en">
                {video.error} <code>{video.errorCode}</code>
              </p>
            )}
            <div className={userStyles.twoColumns}>
              <Route video={video} />
              <div className="stack">
                <Money video={video} />
                <Times video={video} />
              </div>
            </div>
            <Log log={video.log} />
          </>
        )}
      </QueryState>
    </AdminPage>
  )
}

function Status({ video: { status, errorCode } }: { video: VideoDetail }) {
  if (status === 'COMPLETED') return <Mark {...outcomeLabels.completed} />
  if (status === 'FAILED') return <Mark {...outcomeLabels[errorCode === 'CANCELLED' ? 'cancelled' : 'failed']} />
  return <Mark kind="running" label={statusLabels()[status]} />
}

const Route = ({ video }: { video: VideoDetail }) => (
  <section className="panel" aria-labelledby="video-route">
    <h2 id="video-route">{t`Order and route`}</h2>
    <dl className="facts">
      <Fact name={t`User`}>
        <OwnerLink of={video} isInText />
      </Fact>
      <Fact name={t`Model`}>
        <Link to="/admin/videos" search={{ state: 'ended', model: video.model }}>
          {video.model}
        </Link>
      </Fact>
      <Fact name={t`Ordered`}>{t`${video.durationS} s, ${video.quality}, ${video.aspectRatio}`}</Fact>
      <Fact name={t`Film`}>{video.film && filmText(video.film)}</Fact>
      <Fact name={t`Account`}>
        <Link to="/admin/videos" search={{ state: 'ended', provider: video.account }}>
          {video.account}
        </Link>
      </Fact>
      <Fact name={t`Provider`}>{video.provider}</Fact>
      <Fact name={t`Model at the provider`}>{video.vendorModel ?? t`Not sent`}</Fact>
      <Fact name={t`Accounts in order`}>{formatList(video.accounts)}</Fact>
      <Fact name={t`Provider’s task id`}>{video.providerTaskId && <code>{video.providerTaskId}</code>}</Fact>
      <Fact name={t`Uuid`}>
        <code>{video.uuid}</code>
      </Fact>
    </dl>
    <div className="row">
      <CopyButton text={video.uuid} label={t`Copy the uuid`} />
      {video.status === 'COMPLETED' ? (
        <Link className="button" to="/admin/takedowns" search={{ link: video.uuid }}>{t`Take it down`}</Link>
      ) : null}
    </div>
  </section>
)

const filmText = ({ durationS, width, height, sizeBytes }: NonNullable<VideoDetail['film']>): string =>
  t`${Math.round(durationS * 10) / 10} s, ${width} × ${height}, ${formatBytes(sizeBytes)}`

const Money = ({ video }: { video: VideoDetail }) => (
  <section className="panel" aria-labelledby="video-money">
    <h2 id="video-money">{t`Credits and cost`}</h2>
    <dl className="facts">
      <Fact name={t`Credits`}>
        {formatCredits(video.credits)}, {transactionStates[video.creditState]?.label}
      </Fact>
      <Fact name={t`Reserved by the provider`}>{costText(video.reservedCost)}</Fact>
      <Fact name={t`Stated by the provider`}>{costText(video.finalCost)}</Fact>
      <Fact name={t`By the catalogue`}>{formatUsd(video.catalogueUsd)}</Fact>
    </dl>
  </section>
)

function costText(cost: VideoDetail['finalCost']): string | null {
  if (!cost) return null
  if (cost.unit === 'USD') return formatUsd(cost.amount)
  const amount = `${formatNumber(cost.amount)} ${cost.unit}`
  return cost.usd === null ? t`${amount}, value unknown` : t`${amount}, ${formatUsd(cost.usd)}`
}

const Times = ({ video }: { video: VideoDetail }) => (
  <section className="panel" aria-labelledby="video-times">
    <h2 id="video-times">{t`Times`}</h2>
    <dl className="facts">
      <Time name={t`Requested`} at={video.createdAt} />
      <Time name={t`Sent`} at={video.submittedAt} />
      <Time name={t`Accepted`} at={video.acceptedAt} />
      <Time name={t`Result`} at={video.resultAt} />
      <Time name={t`Ended`} at={video.completedAt} />
      {video.acceptedAt && video.resultAt ? (
        <Fact name={t`Generation time`}>
          {formatClock((Date.parse(video.resultAt) - Date.parse(video.acceptedAt)) / 1000)}
        </Fact>
      ) : null}
      {video.dueAt ? <Time name={t`Next step`} at={video.dueAt} /> : null}
      {video.dueAt ? <Time name={t`Given up at`} at={video.deadlineAt} /> : null}
      {video.deletedAt ? <Time name={t`Deleted by its user`} at={video.deletedAt} /> : null}
      {video.filesRemovedAt ? <Time name={t`Files removed`} at={video.filesRemovedAt} /> : null}
    </dl>
  </section>
)

const Time = ({ name, at }: { name: string; at: string | null }) => (
  <Fact name={name}>{at && <time dateTime={at}>{formatUtcTime(at)}</time>}</Fact>
)

const Log = ({ log }: { log: VideoDetail['log'] }) => (
  <div className="stack">
    <h2>{t`Log`}</h2>
    {log.length === 0 ? (
      <EmptyState>{t`Its log is empty: entries are removed after a while.`}</EmptyState>
    ) : (
      <DataTable
        className={tableClass('topAligned')}
        label={t`Log`}
        rows={log}
        columns={[
          { head: t`When`, cell: ({ at }) => <time dateTime={at}>{formatUtcTime(at)}</time> },
          { head: t`What happened`, lang: 'en', cell: ({ event }) => event },
          { head: t`Details`, className: styles.logDetail, lang: 'en', cell: ({ detail }) => detail },
        ]}
      />
    )}
  </div>
)

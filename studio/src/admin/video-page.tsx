/** Video page for administrators: a film's user, route, costs, credits, failure, times and log. */

import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { isTransactionType, transactionStates, transactionTypeLabels } from '../credits/transaction-types.ts'
import { Button } from '../ui/button.tsx'
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
import { ReasonDialog } from './reason-form.tsx'
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
            <PaidBy video={video} />
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
    {video.deletedAt && !video.filesRemovedAt ? <Restore uuid={video.uuid} /> : null}
  </section>
)

function Restore({ uuid }: { uuid: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="row">
      <Button onClick={() => setOpen(true)}>{t`Restore…`}</Button>
      {isOpen ? (
        <ReasonDialog
          title={t`Restore the film?`}
          submitLabel={t`Restore`}
          send={(reason) =>
            dataOf(kinora.POST('/api/v1/admin/videos/{uuid}/restore', { params: { path: { uuid } }, body: { reason } }))
          }
          refresh={() => refreshQueries(['admin'])}
          done={t`The film is in the library again.`}
          onClose={() => setOpen(false)}
        >
          <p>{t`It is in its folder again, and a link to share it works again. A project does not get its take back.`}</p>
        </ReasonDialog>
      ) : null}
    </div>
  )
}

const Time = ({ name, at }: { name: string; at: string | null }) => (
  <Fact name={name}>{at && <time dateTime={at}>{formatUtcTime(at)}</time>}</Fact>
)

/** Where the credits of the charge came from: a payment, a gift, a grant. */
const PaidBy = ({ video: { paidBy } }: { video: VideoDetail }) => (
  <div className="stack">
    <h2>{t`Where its credits came from`}</h2>
    {paidBy.length === 0 ? (
      <EmptyState>{t`It cost nothing.`}</EmptyState>
    ) : (
      <DataTable
        className={tableClass()}
        label={t`Where its credits came from`}
        rows={paidBy}
        keyOf={({ packageId }) => packageId}
        columns={[
          {
            head: t`What`,
            isRowHead: true,
            cell: ({ transType, remark }) =>
              remark ?? (isTransactionType(transType) ? transactionTypeLabels[transType] : transType),
            below: ({ packageId }) => <code>{packageId}</code>,
          },
          { head: t`Credits`, isNumber: true, cell: ({ credits }) => formatNumber(credits) },
          {
            head: t`Order or invoice`,
            cell: ({ orderNo, processor }) =>
              orderNo && processor ? (
                <Link to="/admin/payments/made" search={{ q: orderNo }}>
                  {orderNo}
                </Link>
              ) : (
                (orderNo ?? t`None`)
              ),
            below: ({ processor }) => processor,
          },
          { head: t`Since`, cell: ({ grantedAt }) => <time dateTime={grantedAt}>{formatUtcTime(grantedAt)}</time> },
        ]}
      />
    )}
  </div>
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

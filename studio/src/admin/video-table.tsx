/** Unfinished videos, each with the reason why it waits in the first column and the times that the reason names. */
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { formatRelativeTime, formatUtcTime, statusLabels } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import adminStyles from './admin.module.css'
import { OwnerLink } from './owner-link.tsx'
import type { UnfinishedVideo } from './video-queries.ts'
import styles from './videos-page.module.css'

export function VideoTable({ videos, nowMs }: { videos: UnfinishedVideo[]; nowMs: number }) {
  return (
    <div className={`${adminStyles.table} ${adminStyles.topAligned} ${styles.table}`}>
      <TableFrame label={t`Films`}>
        <thead>
          <tr>
            <th scope="col">{t`Why it waits`}</th>
            <th scope="col">{t`What happened last`}</th>
            <th scope="col">{t`Due, and deadline`}</th>
            <th scope="col">{t`User`}</th>
            <th scope="col">{t`Film`}</th>
          </tr>
        </thead>
        <tbody>
          {videos.map((video) => (
            <VideoRow key={video.uuid} video={video} nowMs={nowMs} />
          ))}
        </tbody>
      </TableFrame>
    </div>
  )
}

function VideoRow({ video, nowMs }: { video: UnfinishedVideo; nowMs: number }) {
  const { uuid, why, isOverdue, status, progress } = video
  return (
    <tr>
      <th scope="row" className={styles.reason}>
        <span className="mark" data-kind={isOverdue ? 'failed' : 'running'}>
          {isOverdue ? t`Overdue` : statusLabels()[status]}
        </span>
        <span className={styles.reasonText} lang="en">
          {why}
        </span>
        <ProgressStrip status={status} progress={progress} label={t`Progress of ${uuid}`} thin />
      </th>
      <td>
        <LastLogEntry video={video} nowMs={nowMs} />
      </td>
      <td>
        <Time at={video.dueAt} nowMs={nowMs} />
        <span className={styles.deadline}>
          <Time at={video.deadlineAt} nowMs={nowMs} />
        </span>
      </td>
      <td>
        <OwnerLink of={video} />
      </td>
      <td>
        {t`${video.model} at ${video.provider}`}
        <Link to="/admin/videos/$uuid" params={{ uuid }} className={styles.detail}>
          <code>{uuid}</code>
        </Link>
        {video.providerTaskId ? <code className={styles.detail}>{video.providerTaskId}</code> : null}
        <span className={styles.detail}>
          {t`Asked for ${formatRelativeTime(video.createdAt, nowMs)}`}
          {attempts(video)}
        </span>
      </td>
    </tr>
  )
}

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
      <span className={adminStyles.secondary}>{formatRelativeTime(at, nowMs)}</span>
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
    <time className={`${adminStyles.secondary} ${styles.moment}`} dateTime={at}>
      {formatUtcTime(at, nowMs)}
    </time>
  </>
)

/** Unfinished videos, each with the reason why it waits in the first column and the times that the reason names. */
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { formatRelativeTime, formatUtcTime, statusLabels } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { AdminTable } from './kit.tsx'
import { OwnerLink } from './owner-link.tsx'
import type { UnfinishedVideo } from './video-queries.ts'
import styles from './videos-page.module.css'

export const VideoTable = ({ videos, nowMs }: { videos: UnfinishedVideo[]; nowMs: number }) => (
  <AdminTable
    isTopAligned
    className={styles.table}
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

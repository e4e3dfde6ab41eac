/** What the player shows while there is no video file: the progress, or the reason of the failure. */
import type { Video } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ListedVideo, taskQuery } from '../api.ts'
import { failureText } from '../i18n/service-text.ts'
import { formatPercent, statusLabels } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { Elapsed } from '../video/elapsed.tsx'
import { RefundNote } from '../video/refund-note.tsx'
import { StatusBadge } from '../video/status-badge.tsx'
import styles from './player.module.css'

export function GeneratingStatus({ video }: { video: ListedVideo }) {
  const { data } = useQuery(taskQuery(video.uuid))
  const { status, progress } = data ?? { status: video.status, progress: 0 }
  return (
    <div className={styles.overlay}>
      <div className={styles.statusLine}>
        <p className={styles.status} role="status">
          {statusLabels()[status]}
        </p>
        <p className="quiet">
          {progress > 0 ? `${formatPercent(progress / 100)} · ` : ''}
          <Elapsed since={video.createdAt} until={null} />
        </p>
      </div>
      <ProgressStrip status={status} progress={progress} label={t`Progress of this film`} />
      <p className="quiet small">{t`You can leave this page; the film is made all the same.`}</p>
    </div>
  )
}

export function FailedStatus({ uuid, detail }: { uuid: string; detail: Video | undefined }) {
  return (
    <div className={styles.overlay}>
      {detail ? (
        <p>
          <StatusBadge status="FAILED" failure={detail.failure} />
        </p>
      ) : null}
      <p className={styles.reason}>{detail?.error ? failureText(detail.error) : null}</p>
      <RefundNote uuid={uuid} />
    </div>
  )
}

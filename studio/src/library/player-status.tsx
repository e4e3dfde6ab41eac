/** What the player shows while there is no video file: the progress, or the reason of the failure. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { type ListedVideo, taskQuery } from '../api.ts'
import { failureText } from '../i18n/service-text.ts'
import { statusLabels } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { Elapsed } from '../video/elapsed.tsx'
import { RefundNote } from '../video/refund-note.tsx'
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
          {progress > 0 ? `${progress} % · ` : ''}
          <Elapsed since={video.createdAt} until={null} />
        </p>
      </div>
      <ProgressStrip status={status} progress={progress} label={t`Progress of this film`} />
      <p className="quiet small">{t`You can leave this page; the film is made all the same.`}</p>
    </div>
  )
}

export function FailedStatus({ uuid, error }: { uuid: string; error: string | null | undefined }) {
  return (
    <div className={styles.overlay}>
      <p className="mark" data-kind="failed">
        {t`Failed`}
      </p>
      <p className={styles.reason}>{error ? failureText(error) : null}</p>
      <RefundNote uuid={uuid} />
    </div>
  )
}

/** The face of a card while its video is in progress: status and progress strip, updated by the event stream. */
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { type ListedVideo, taskQuery } from '../api.ts'
import { formatPercent, statusLabels } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { useInView } from './in-view.ts'
import styles from './library.module.css'

export function CardProgress({ video }: { video: ListedVideo }) {
  const root = useRef<HTMLSpanElement>(null)
  const { data } = useQuery({ ...taskQuery(video.uuid), enabled: useInView(root) })
  const { status, progress } = data ?? { status: video.status, progress: 0 }
  return (
    <span className={styles.overlay} ref={root}>
      <span className={styles.status}>
        <span>{statusLabels()[status]}</span>
        {progress > 0 ? <span className="quiet">{formatPercent(progress / 100)}</span> : null}
      </span>
      <ProgressStrip thin status={status} progress={progress} label={video.prompt} />
    </span>
  )
}

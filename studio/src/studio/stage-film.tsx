/** The film on the stage: it plays, or says how far it is or why it failed; its facts, and what one does with it. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type ListedVideo, videoQuery } from '../api.ts'
import { useFilmNames } from '../film-name.ts'
import { failureText } from '../i18n/service-text.ts'
import { VideoPlayer } from '../library/video-player.tsx'
import { useModelNames } from '../model-name.ts'
import { factsLine } from '../ui/facts-line.ts'
import { formatCredits, formatPercent, isFinal } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { aspectRatioStyle } from '../video/aspect-ratio.ts'
import { Elapsed } from '../video/elapsed.tsx'
import { RemovedFilm } from '../video/poster.tsx'
import { RefundNote } from '../video/refund-note.tsx'
import { StatusBadge } from '../video/status-badge.tsx'
import { FilmActions } from './film-actions.tsx'
import { usualTime } from './model-row.tsx'
import { useTask } from './recent-query.ts'
import styles from './stage.module.css'
import { WaitingFrame } from './waiting-picture.tsx'

type Props = Pick<Parameters<typeof FilmActions>[0], 'video' | 'onDraft' | 'onCreated' | 'keep'> & {
  versions: ReactNode
}

export const StageFilm = ({ video, versions, ...actions }: Props) => (
  <Film video={video} versions={versions}>
    {(latest) => <FilmActions video={latest} {...actions} />}
  </Film>
)

type FilmProps = {
  video: ListedVideo
  versions?: ReactNode
  /** What follows a failure: the form with its settings is elsewhere. */
  again?: ReactNode
  /** Muted and from the beginning again. */
  isLooping?: boolean
  /** What one does with a finished film. */
  children: (latest: ListedVideo) => ReactNode
}

export function Film({ video, versions, again, isLooping = true, children }: FilmProps) {
  const task = useTask(video)
  const { status } = task
  // What the list has may be older.
  const latest = { ...video, status, failure: task.failure ?? video.failure }
  const name = useFilmNames()(video)
  const { uuid, videoUrl, thumbnailUrl } = video
  if (status === 'FAILED')
    return (
      <div className={styles.failed} data-status={status}>
        <StatusBadge status={status} failure={task.failure} />
        <p className={styles.reason}>{task.error ? failureText(task.error) : t`The film could not be made.`}</p>
        <RefundNote uuid={uuid} />
        <Prompt video={video} />
        {versions}
        {again === undefined ? children(latest) : again}
      </div>
    )
  return (
    <div className={styles.film} data-status={status}>
      <div className={styles.area}>
        <div className={styles.frame} style={aspectRatioStyle(video.aspectRatio)}>
          {status !== 'COMPLETED' ? <WaitingFrame video={video} /> : null}
          {status === 'COMPLETED' && videoUrl ? (
            <VideoPlayer uuid={uuid} src={videoUrl} poster={thumbnailUrl} isLooping={isLooping} />
          ) : null}
          {status === 'COMPLETED' && !videoUrl ? <RemovedFilm /> : null}
        </div>
      </div>
      <div className={styles.line}>
        {isFinal(status) ? null : (
          <ProgressStrip status={status} progress={task.progress} label={t`Progress of ${name}`} thin />
        )}
      </div>
      <Prompt video={video} />
      <Facts video={video} task={task} />
      {versions}
      <div className={styles.actions}>{children(latest)}</div>
    </div>
  )
}

function Prompt({ video }: { video: ListedVideo }) {
  const name = useFilmNames()(video)
  return (
    <p className={styles.prompt} dir="auto">
      <Link to="/library/$uuid" params={{ uuid: video.uuid }} className={styles.link}>
        {name}
      </Link>
    </p>
  )
}

function Facts({ video, task }: { video: ListedVideo; task: ReturnType<typeof useTask> }) {
  const nameOf = useModelNames()
  const { status, progress, estimatedSeconds, queuePosition } = task
  // The list has no resolution.
  const { data: detail } = useQuery(videoQuery(video.uuid))
  const { createdAt, completedAt } = video
  const waiting = [
    status === 'GENERATING' && progress > 0 ? formatPercent(progress / 100) : null,
    estimatedSeconds === null ? null : t`${usualTime(estimatedSeconds)} left`,
    queuePosition ? t`${queuePosition} before it in the queue` : null,
  ]
  return (
    <div className={`quiet small ${styles.facts}`}>
      <p className={styles.row}>
        <StatusBadge status={status} />
        {isFinal(status) && !completedAt ? null : (
          <span>
            <Elapsed since={createdAt} until={completedAt} />
          </span>
        )}
        {waiting.map((text) => (text === null ? null : <span key={text}>{text}</span>))}
      </p>
      <p>
        {factsLine(
          nameOf(video.model),
          t`${Math.round(video.duration)} s`,
          formatCredits(video.creditsUsed),
          detail?.resolution,
        )}
      </p>
    </div>
  )
}

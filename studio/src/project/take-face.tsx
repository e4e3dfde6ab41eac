/** The frame of a shot: its chosen take, the one that is being made, why there is none. */
import { t } from '@lingui/core/macro'
import type { ListedVideo } from '../api.ts'
import { failureText } from '../i18n/service-text.ts'
import stripStyles from '../studio/film-strip.module.css'
import { useTask } from '../studio/recent-query.ts'
import { WaitingPicture } from '../studio/waiting-picture.tsx'
import { formatPercent, isFinal, statusLabels } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import overlayStyles from '../video/film-overlay.module.css'
import { Poster, RemovedFilm } from '../video/poster.tsx'
import { RefundNote } from '../video/refund-note.tsx'
import { StatusBadge } from '../video/status-badge.tsx'
import { chosenTake } from './cut.ts'
import styles from './project.module.css'
import type { Shot } from './queries.ts'

/** The take that stands for a shot: the chosen one, else the newest. */
export const faceOf = (shot: Shot, deleted: ReadonlySet<string>): ListedVideo | undefined =>
  chosenTake(shot, deleted) ?? shot.takes.find(({ uuid }) => !deleted.has(uuid))

type Props = { shot: Shot; take: ListedVideo | undefined; name: string; isPreviewing: boolean }

export function ShotFace({ shot, take, name, isPreviewing }: Props) {
  if (take) return <TakeFace take={take} name={name} isPreviewing={isPreviewing} />
  return (
    <span className={styles.noTake}>
      {shot.takeId === null ? t`No take yet` : t`Its take was deleted. The settings are kept.`}
    </span>
  )
}

type TakeProps = { take: ListedVideo; name: string; isPreviewing: boolean; isSmall?: boolean }

/** @param props `isSmall`: a frame of a strip, whose button says the state */
export function TakeFace({ take, name, isPreviewing, isSmall = false }: TakeProps) {
  const { uuid, model, videoUrl, thumbnailUrl } = take
  const { status, progress, error, failure } = useTask(take, false)
  if (status === 'COMPLETED')
    return videoUrl ? <Poster {...{ videoUrl, thumbnailUrl, isPreviewing }} /> : <RemovedFilm />
  if (status === 'FAILED')
    return isSmall ? (
      <span className={stripStyles.failed} aria-hidden="true">
        {t`Failed`}
      </span>
    ) : (
      <span className={overlayStyles.overlay}>
        <span className="small">
          <StatusBadge status={status} failure={failure} />
        </span>
        <span className={`small ${overlayStyles.reason}`}>{error ? failureText(error) : null}</span>
        <RefundNote uuid={uuid} />
      </span>
    )
  return (
    <>
      <WaitingPicture model={model} />
      <span
        className={isSmall ? stripStyles.progress : overlayStyles.overlay}
        {...(isSmall && { 'aria-hidden': true })}
      >
        {isSmall ? null : (
          <span className={overlayStyles.status}>
            <span>{take.waiting && status === 'PENDING' ? t`Waiting for its turn` : statusLabels()[status]}</span>
            {progress > 0 && !isFinal(status) ? <span className="quiet">{formatPercent(progress / 100)}</span> : null}
          </span>
        )}
        <ProgressStrip thin status={status} progress={progress} label={t`Progress of ${name}`} />
      </span>
    </>
  )
}

/** The last films as a strip of frames, the newest first, to choose what is on the stage. */

import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import type { ListedVideo } from '../api.ts'
import { useFilmNames } from '../film-name.ts'
import { isFinal, statusLabels } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { SkeletonBlock } from '../ui/states.tsx'
import { aspectRatioStyle, DEFAULT_ASPECT_RATIO } from '../video/aspect-ratio.ts'
import { EarlyPoster, Poster } from '../video/poster.tsx'
import styles from './film-strip.module.css'
import { useTask } from './recent-query.ts'
import { StripFrame } from './strip-frame.tsx'
import { WaitingPicture } from './waiting-picture.tsx'

type Props = {
  videos: ListedVideo[]
  /** The uuids of the films on the stage. */
  shown: string[]
  hint: string | null
  /** Ends the choice that the hint asks for. */
  onCancel: () => void
  onChoose: (uuid: string) => void
}

export function FilmStrip({ videos, shown, hint, onCancel, onChoose }: Props) {
  return (
    <div className={styles.strip}>
      <div className={styles.head}>
        <h2 className={styles.title}>{hint ?? t`Your latest films`}</h2>
        {hint === null ? (
          <Link to="/library">{t`All films`}</Link>
        ) : (
          <button type="button" className={styles.cancel} onClick={onCancel}>
            {t`Cancel`}
          </button>
        )}
      </div>
      <ul className={styles.films} aria-label={t`Your latest films`}>
        {videos.map((video) => (
          <Frame
            key={video.uuid}
            video={video}
            isShown={shown.includes(video.uuid)}
            onChoose={() => onChoose(video.uuid)}
          />
        ))}
      </ul>
    </div>
  )
}

export const FilmStripSkeleton = () => (
  <div className={styles.strip}>
    <SkeletonBlock width="120px" />
    <ul className={styles.films}>
      {[0, 1, 2, 3, 4, 5, 6, 7].map((at) => (
        <li key={at}>
          <span className={styles.frame} style={aspectRatioStyle(DEFAULT_ASPECT_RATIO)}>
            <EarlyPoster at={at} />
          </span>
        </li>
      ))}
    </ul>
  </div>
)

function Frame({ video, isShown, onChoose }: { video: ListedVideo; isShown: boolean; onChoose: () => void }) {
  const { status, progress } = useTask(video)
  const name = useFilmNames()(video)
  const label = `${name} · ${statusLabels()[status]}`
  return (
    <StripFrame name={label} aspectRatio={video.aspectRatio} isShown={isShown} status={status} onChoose={onChoose}>
      {(isPreviewing) => (
        <>
          {status === 'COMPLETED' ? <Poster {...video} isPreviewing={isPreviewing} /> : null}
          {isFinal(status) ? null : <WaitingPicture model={video.model} />}
          {isFinal(status) ? null : (
            <span className={styles.progress} aria-hidden="true">
              <ProgressStrip status={status} progress={progress} label={name} thin />
            </span>
          )}
          {status === 'FAILED' ? (
            <span className={styles.failed} aria-hidden="true">
              {t`Failed`}
            </span>
          ) : null}
        </>
      )}
    </StripFrame>
  )
}

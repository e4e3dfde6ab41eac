/** Plays the whole film of a project as it is cut now, with its sound track, before it is rendered. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { refreshQueries } from '../api.ts'
import { assetQuery } from '../studio/asset-file.ts'
import { Button } from '../ui/button.tsx'
import { formatClock } from '../ui/format.ts'
import { aspectRatioStyle } from '../video/aspect-ratio.ts'
import type { Segment } from './cut.ts'
import styles from './cut-player.module.css'
import { type Project, projectQuery } from './queries.ts'
import { useCut } from './use-cut.ts'

type Props = { project: Project; segments: Segment[]; shown: string | null; onShow: (id: string) => void }

export function CutPlayer({ project, segments, shown, onShow }: Props) {
  const { aspectRatio, fit, sound } = project
  const cut = useCut({ segments, sound, shown, onShow })
  const { deck, front, isPlaying, positionS, lengthS } = cut
  const [hasFailed, setFailed] = useState(false)
  const onError = (video: HTMLVideoElement, isFront: boolean) => {
    // Its link may have expired: the next start has a new one.
    delete video.dataset.take
    if (!isFront) return
    cut.stop(positionS)
    setFailed(true)
    void refreshQueries(projectQuery(project.id).queryKey)
  }
  const toggle = () => {
    setFailed(false)
    if (isPlaying) cut.stop()
    else cut.start()
  }
  const track = useQuery({ ...assetQuery(sound?.asset ?? ''), enabled: sound !== null })
  return (
    <div className={styles.player}>
      <div className={styles.frame} style={aspectRatioStyle(aspectRatio)} data-fit={fit}>
        {([0, 1] as const).map((which) => (
          <video
            key={which}
            ref={(video) => {
              deck.current.elements[which] = video
            }}
            className={styles.video}
            data-front={which === front}
            aria-hidden={which !== front}
            preload="auto"
            playsInline
            disablePictureInPicture
            tabIndex={-1}
            // In a tab in the background no frame is drawn.
            onTimeUpdate={cut.follow}
            onEnded={cut.follow}
            onError={(event) => onError(event.currentTarget, which === front)}
          >
            <track kind="captions" />
          </video>
        ))}
      </div>
      {track.data ? (
        <audio ref={cut.audio} src={track.data.url} preload="auto">
          <track kind="captions" />
        </audio>
      ) : null}
      {hasFailed ? <p role="alert">{t`This film could not be played. Check the connection and try again.`}</p> : null}
      <div className={styles.controls}>
        <Button onClick={toggle}>{isPlaying ? t`Pause` : t`Play`}</Button>
        <input
          type="range"
          className={styles.position}
          aria-label={t`Position`}
          aria-valuetext={t`${formatClock(positionS)} of ${formatClock(lengthS)}`}
          min={0}
          max={lengthS}
          step="any"
          value={positionS}
          onChange={(event) => cut.seek(event.currentTarget.valueAsNumber)}
        />
        <span className={`quiet ${styles.clock}`}>{`${formatClock(positionS)} / ${formatClock(lengthS)}`}</span>
      </div>
    </div>
  )
}

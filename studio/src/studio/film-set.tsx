/** Several films side by side, in step: one button and one slider play all of them. */

import { plural, t } from '@lingui/core/macro'
import { type CSSProperties, useRef, useState } from 'react'
import type { ListedVideo } from '../api.ts'
import { useFilmNames } from '../film-name.ts'
import { failureText } from '../i18n/service-text.ts'
import { FilmMenu } from '../library/film-menu.tsx'
import { useModelNames } from '../model-name.ts'
import { useMayChange } from '../team.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { factsLine } from '../ui/facts-line.ts'
import { formatCredits, isFinal } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { aspectRatio, aspectRatioStyle } from '../video/aspect-ratio.ts'
import { RemovedFilm } from '../video/poster.tsx'
import { isMotionReduced } from '../video/reduced-motion.ts'
import { StatusBadge } from '../video/status-badge.tsx'
import { TryAgainLink } from '../video/try-again-link.tsx'
import { CancelButton } from './cancel-button.tsx'
import styles from './film-set.module.css'
import type { Draft } from './form-values.ts'
import { useTask } from './recent-query.ts'
import { WaitingFrame } from './waiting-picture.tsx'

/** Films further apart than this are brought together; a seek more often than needed would stutter. */
const DRIFT_MAX_S = 0.15

type Props = { films: ListedVideo[]; onChoose: (uuid: string) => void; onDraft: (draft: Draft) => void }

export function FilmSet({ films, onChoose, onDraft }: Props) {
  const videos = useRef(new Map<string, HTMLVideoElement>())
  const [isPlaying, setPlaying] = useState(false)
  const [positionS, setPosition] = useState(0)
  /** A film that arrives later plays with the others, unless the user has stopped them. */
  const isStopped = useRef(false)
  const [first] = films
  const durationS = Math.max(...films.map(({ duration }) => duration))
  const all = () => [...videos.current.values()]
  /** The longest film leads. */
  const leader = () => all().toSorted((a, b) => (b.duration || 0) - (a.duration || 0))[0]
  const seek = (seconds: number) => {
    for (const video of all()) video.currentTime = Math.min(seconds, video.duration || seconds)
    setPosition(seconds)
  }
  const play = () => {
    for (const video of all()) video.play().catch(() => undefined)
    isStopped.current = false
    setPlaying(true)
  }
  const pause = () => {
    for (const video of all()) video.pause()
    isStopped.current = true
    setPlaying(false)
  }
  const onTime = (video: HTMLVideoElement) => {
    if (video !== leader()) return
    setPosition(video.currentTime)
    for (const other of all()) {
      const wanted = Math.min(video.currentTime, other.duration || 0)
      if (other !== video && Math.abs(other.currentTime - wanted) > DRIFT_MAX_S) other.currentTime = wanted
    }
  }
  return (
    <div className={styles.set}>
      <div className={styles.films} style={{ '--columns': columnsOf(films) } as CSSProperties}>
        {films.map((film) => (
          <SetFilm
            key={film.uuid}
            film={film}
            onChoose={() => onChoose(film.uuid)}
            onDraft={onDraft}
            onVideo={(video) => {
              if (video) videos.current.set(film.uuid, video)
              else videos.current.delete(film.uuid)
            }}
            onReady={() => {
              if (!isStopped.current && !isMotionReduced()) play()
            }}
            onTime={onTime}
            onEnded={(video) => {
              if (video !== leader()) return
              seek(0)
              play()
            }}
          />
        ))}
      </div>
      <div className={styles.controls}>
        <Button onClick={isPlaying ? pause : play}>{isPlaying ? t`Pause` : t`Play`}</Button>
        <input
          type="range"
          className={styles.position}
          aria-label={t`Position`}
          aria-valuetext={plural(Math.round(positionS), { one: '# second', other: '# seconds' })}
          min={0}
          max={durationS}
          step="any"
          value={positionS}
          onChange={(event) => seek(event.currentTarget.valueAsNumber)}
        />
        <Button kind="quiet" onClick={() => first && onChoose(first.uuid)}>
          {t`One film`}
        </Button>
      </div>
    </div>
  )
}

/** As many as make the frames large: films that are as wide as the stage take several rows. */
const columnsOf = (films: ListedVideo[]): number =>
  films.some((film) => aspectRatio(film.aspectRatio) > 1)
    ? Math.ceil(Math.sqrt(films.length))
    : Math.min(films.length, 4)

type SetFilmProps = {
  film: ListedVideo
  onChoose: () => void
  onDraft: (draft: Draft) => void
  onVideo: (video: HTMLVideoElement | null) => void
  onReady: () => void
  onTime: (video: HTMLVideoElement) => void
  onEnded: (video: HTMLVideoElement) => void
}

function SetFilm({ film, onChoose, onDraft, onVideo, onReady, onTime, onEnded }: SetFilmProps) {
  const { status, progress, error } = useTask(film)
  const nameOf = useModelNames()
  const mayChange = useMayChange()(film)
  const name = useFilmNames()(film)
  const { videoUrl, thumbnailUrl } = film
  return (
    <figure className={styles.film}>
      <div className={styles.area}>
        <div className={styles.frame} style={aspectRatioStyle(film.aspectRatio)}>
          {status === 'COMPLETED' && videoUrl ? (
            <video
              ref={onVideo}
              className={styles.video}
              src={videoUrl}
              poster={thumbnailUrl ?? undefined}
              preload="auto"
              muted
              playsInline
              onLoadedData={onReady}
              onTimeUpdate={(event) => onTime(event.currentTarget)}
              onEnded={(event) => onEnded(event.currentTarget)}
            />
          ) : null}
          {isFinal(status) ? null : <WaitingFrame video={film} />}
          {status === 'COMPLETED' && !videoUrl ? <RemovedFilm /> : null}
          {status === 'FAILED' ? <p className={styles.reason}>{error ? failureText(error) : null}</p> : null}
        </div>
      </div>
      {isFinal(status) ? null : (
        <ProgressStrip status={status} progress={progress} label={t`Progress of ${name}`} thin />
      )}
      <figcaption className={styles.caption}>
        <Button kind="quiet" className={styles.choose} title={name} onClick={onChoose}>
          {nameOf(film.model) ?? name}
        </Button>
        <span className="quiet small">
          {factsLine(t`${Math.round(film.duration)} s`, formatCredits(film.creditsUsed))}
        </span>
        {status === 'COMPLETED' ? null : (
          <span className="small">
            <StatusBadge status={status} failure={film.failure} />
          </span>
        )}
        <span className={styles.actions}>
          {mayChange && !isFinal(status) ? <CancelButton uuid={film.uuid} status={status} /> : null}
          {status === 'FAILED' ? <TryAgainLink video={film} className={buttonClass()} /> : null}
          <FilmMenu video={{ ...film, status }} onDraft={onDraft} />
        </span>
      </figcaption>
    </figure>
  )
}

/**
 * The stage: the current film as large as the page allows, or a set of films side by side; below it the strip of the
 * last films to choose from. Every element has its space from the start, so nothing shifts when a film arrives.
 */

import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { type ListedVideo, videoQuery } from '../api.ts'
import { useFilmNames } from '../film-name.ts'
import { failureText } from '../i18n/service-text.ts'
import { VideoPlayer } from '../library/video-player.tsx'
import { useModelNames } from '../model-name.ts'
import { Button } from '../ui/button.tsx'
import { factsLine } from '../ui/facts-line.ts'
import { formatCredits, formatPercent, isFinal } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { EmptyState, ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { aspectRatioStyle, DEFAULT_ASPECT_RATIO } from '../video/aspect-ratio.ts'
import { Elapsed } from '../video/elapsed.tsx'
import { EarlyPoster, RemovedFilm } from '../video/poster.tsx'
import { RefundNote } from '../video/refund-note.tsx'
import { StatusBadge } from '../video/status-badge.tsx'
import { FilmActions } from './film-actions.tsx'
import { FilmStrip, FilmStripSkeleton } from './film-strip.tsx'
import type { Draft } from './form-values.ts'
import { usualTime } from './model-row.tsx'
import { useRecentVideos, useTask } from './recent-query.ts'
import styles from './stage.module.css'
import { WaitingFrame } from './waiting-picture.tsx'

/** Loaded on demand: the first film of most users is a single one. */
const FilmSet = lazy(() => import('./film-set.tsx').then((module) => ({ default: module.FilmSet })))

const Versions = lazy(() => import('../video/versions.tsx').then(({ Versions }) => ({ default: Versions })))

type Props = {
  /** The uuids of the films on the stage; the newest film when it is empty or they are no more. */
  shown: string[]
  onShow: (uuids: string[]) => void
  onDraft: (draft: Draft) => void
}

export function Stage({ shown, onShow, onDraft }: Props) {
  const { videos, error, refetch } = useRecentVideos()
  /** A film from the library that is older than those of the strip. */
  const olderUuid = videos && shown.find((uuid) => !videos.some((video) => video.uuid === uuid))
  const older = useQuery({ ...videoQuery(olderUuid ?? ''), enabled: olderUuid !== undefined, retry: false })
  /** The film to which another one is compared that the user is about to choose. */
  const [compared, setCompared] = useState<string | null>(null)
  /** The latest of the versions among which the user goes back and forth. */
  const [latest, setLatest] = useState<string | null>(null)
  if (!videos || older.isLoading) {
    return (
      <>
        <EmptyStage isEarly />
        <section className={styles.stage} aria-label={t`Stage`}>
          {error ? (
            <ErrorState error={error} retry={() => refetch()} />
          ) : (
            <LoadingState label={t`Loading your films`}>
              <StageSkeleton />
            </LoadingState>
          )}
        </section>
      </>
    )
  }
  const [newest] = videos
  // Of a film that was deleted since it was read, the query has the data beside the error.
  const known = older.data && older.error?.code !== 'NOT_FOUND' ? [...videos, older.data] : videos
  const found = shown.flatMap((uuid) => known.find((video) => video.uuid === uuid) ?? [])
  const films = found.length > 0 || !newest ? found : setOf(newest, videos)
  const choose = (uuid: string) => {
    onShow(compared !== null && compared !== uuid ? [compared, uuid] : [uuid])
    setCompared(null)
  }
  const [film] = films
  if (!film) return <EmptyStage />
  return (
    <section className={styles.stage} aria-label={t`Stage`}>
      {films.length > 1 ? (
        <Suspense fallback={<div className={styles.film} />}>
          <FilmSet films={films} onChoose={choose} onDraft={onDraft} />
        </Suspense>
      ) : (
        <Film
          key={film.uuid}
          video={film}
          versions={
            latest === null && !isMadeOfFilm(film) ? null : (
              <div className={styles.versions}>
                <Suspense>
                  <Versions
                    uuid={film.uuid}
                    latest={latest}
                    onChoose={(uuid, last) => {
                      setLatest(last)
                      onShow([uuid])
                    }}
                  />
                </Suspense>
              </div>
            )
          }
        >
          {(shown) => (
            <FilmActions
              video={shown}
              onDraft={onDraft}
              onCreated={onShow}
              keep={
                <>
                  {film.batchId ? (
                    <Button
                      onClick={() => onShow(setOf(film, videos).map(({ uuid }) => uuid))}
                    >{t`Show the set`}</Button>
                  ) : null}
                  {known.length > 1 ? <Button onClick={() => setCompared(film.uuid)}>{t`Compare…`}</Button> : null}
                </>
              }
            />
          )}
        </Film>
      )}
      <FilmStrip
        videos={videos}
        shown={films.map(({ uuid }) => uuid)}
        hint={compared === null ? null : t`Choose the film to compare it with.`}
        onCancel={() => setCompared(null)}
        onChoose={choose}
      />
    </section>
  )
}

/** @param props `isEarly`: hidden; early.js shows it, not the skeleton, when the document has no film */
const EmptyStage = ({ isEarly = false }) => (
  <section
    className={`${styles.stage} ${styles.emptyStage}`}
    aria-label={t`Stage`}
    {...(isEarly && { hidden: true, 'data-if-empty': true })}
  >
    <EmptyState>{t`Your films will be here, from the moment you press Generate.`}</EmptyState>
  </section>
)

const StageSkeleton = () => (
  <>
    <div className={styles.film}>
      <div className={styles.area}>
        <div className={styles.frame} style={aspectRatioStyle(DEFAULT_ASPECT_RATIO)}>
          <EarlyPoster at={0} />
        </div>
      </div>
      <div className={styles.line} />
      <SkeletonBlock width="40%" />
      <SkeletonBlock width="30%" height="16px" />
      <div className={styles.actions} />
    </div>
    <FilmStripSkeleton />
  </>
)

/** Modes in which no film goes in; of one that the studio does not know, the film says what it was made from. */
const WITHOUT_FILM = ['text-to-video', 'image-to-video', 'first-last', 'reference', 'keyframes', 'avatar']
const isMadeOfFilm = ({ mode }: ListedVideo): boolean => !WITHOUT_FILM.includes(mode)

/** The films that were made by the same request, in its sequence. */
const setOf = (film: ListedVideo, videos: ListedVideo[]): ListedVideo[] =>
  film.batchId ? videos.filter(({ batchId }) => batchId === film.batchId).toReversed() : [film]

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

/**
 * The stage: the current film as large as the page allows, or a set of films side by side; below it the strip of the
 * last films to choose from. Every element has its space from the start, so nothing shifts when a film arrives.
 */

import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type ListedVideo, videoQuery } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { EmptyState, ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { aspectRatioStyle, DEFAULT_ASPECT_RATIO } from '../video/aspect-ratio.ts'
import { EarlyPoster } from '../video/poster.tsx'
import { FilmStrip, FilmStripSkeleton } from './film-strip.tsx'
import type { Draft } from './form-values.ts'
import { useRecentVideos } from './recent-query.ts'
import styles from './stage.module.css'

/** Loaded on demand: the first film of most users is a single one. */
const FilmSet = lazy(() => import('./film-set.tsx').then((module) => ({ default: module.FilmSet })))

/** Loaded with the first film: a new user has none. */
const StageFilm = lazy(() => import('./stage-film.tsx').then((module) => ({ default: module.StageFilm })))

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
        <Suspense fallback={<FilmSkeleton />}>
          <StageFilm
            key={film.uuid}
            video={film}
            onDraft={onDraft}
            onCreated={onShow}
            keep={
              <>
                {film.batchId ? (
                  <Button onClick={() => onShow(setOf(film, videos).map(({ uuid }) => uuid))}>{t`Show the set`}</Button>
                ) : null}
                {known.length > 1 ? <Button onClick={() => setCompared(film.uuid)}>{t`Compare…`}</Button> : null}
              </>
            }
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
          />
        </Suspense>
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

const FilmSkeleton = () => (
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
)

const StageSkeleton = () => (
  <>
    <FilmSkeleton />
    <FilmStripSkeleton />
  </>
)

/** Modes in which no film goes in; of one that the studio does not know, the film says what it was made from. */
const WITHOUT_FILM = ['text-to-video', 'image-to-video', 'first-last', 'reference', 'keyframes', 'avatar']
const isMadeOfFilm = ({ mode }: ListedVideo): boolean => !WITHOUT_FILM.includes(mode)

/** The films that were made by the same request, in its sequence. */
const setOf = (film: ListedVideo, videos: ListedVideo[]): ListedVideo[] =>
  film.batchId ? videos.filter(({ batchId }) => batchId === film.batchId).toReversed() : [film]

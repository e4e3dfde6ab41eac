/** The page of a shared film, without an account: the film, its shown prompt, and the way to one like it. */

import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { Brand } from '../shell/brand.tsx'
import { site } from '../site.ts'
import { buttonClass } from '../ui/button.tsx'
import { truncate } from '../ui/format.ts'
import { PageTitle } from '../ui/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../ui/states.tsx'
import { AiMark } from '../video/ai-mark.tsx'
import { aspectRatioStyle, DEFAULT_ASPECT_RATIO } from '../video/aspect-ratio.ts'
import stageStyles from '../video/film-stage.module.css'
import { FilmVideo } from '../video/film-video.tsx'
import { EarlyPoster } from '../video/poster.tsx'
import { isMotionReduced } from '../video/reduced-motion.ts'
import { hasNoPicture, isReachable, UnplayableFilm } from '../video/unplayable-film.tsx'
import styles from './shared-film-page.module.css'
import { sharedFilmQuery } from './shared-film-query.ts'

const route = getRouteApi('/share/$token')

export function SharedFilmPage() {
  const { token } = route.useParams()
  const { data, error, refetch } = useQuery(sharedFilmQuery(token))
  // The share may be revoked while the page is open.
  const isShared = error?.code !== 'NOT_FOUND'
  return (
    <>
      <header className={`top ${styles.top}`}>
        <Link to="/" className="brand" preload={false}>
          <Brand />
        </Link>
      </header>
      <main className={styles.page}>
        {data && isShared ? <SharedFilm film={data} onBroken={() => refetch()} /> : null}
        {isShared ? null : <NotShared />}
        {error && isShared && !data ? <ErrorState error={error} retry={() => refetch()} /> : null}
        {data || error ? null : (
          <LoadingState label={t`Loading the film`}>
            <div className={stageStyles.stage} style={aspectRatioStyle(DEFAULT_ASPECT_RATIO)}>
              <EarlyPoster at={0} />
            </div>
          </LoadingState>
        )}
      </main>
    </>
  )
}

type Film = Schemas['SharedVideo']

/** @param props `onBroken`: the file could not be played; the share may have been revoked meanwhile */
function SharedFilm({ film, onBroken }: { film: Film; onBroken: () => void }) {
  const { model, duration, aspectRatio, completedAt, videoUrl, thumbnailUrl, allowsDownload } = film
  // One of a film that was made without any is none.
  const prompt = film.prompt || null
  const [attempt, setAttempt] = useState(0)
  const [problem, setProblem] = useState<'connection' | 'film' | null>(null)
  /** Whether the film has played since the last error, so that another attempt may help. */
  const mayRetry = useRef(true)
  const title = prompt ?? t`A film made with ${site.name}`
  return (
    <>
      <PageTitle of={[truncate(title, 80)]} />
      <h1 className="hidden-text">{t`Film`}</h1>
      <div className={stageStyles.stage} style={aspectRatioStyle(aspectRatio)}>
        {problem === 'film' ? <UnplayableFilm src={videoUrl} className={styles.broken} /> : null}
        {problem === 'connection' ? (
          <p className={styles.broken} role="alert">
            {t`This film could not be played. Check the connection and load the page again.`}
          </p>
        ) : null}
        {problem ? null : (
          <FilmVideo
            key={attempt}
            src={videoUrl}
            poster={thumbnailUrl}
            preload="auto"
            muted
            loop
            autoPlay={!isMotionReduced()}
            onLoadedMetadata={({ currentTarget }) => hasNoPicture(currentTarget) && setProblem('film')}
            onPlaying={() => {
              mayRetry.current = true
            }}
            // The link is followed again: the address of the storage that it led to works for some minutes only.
            onError={() => {
              onBroken()
              if (mayRetry.current) setAttempt(attempt + 1)
              else isReachable(videoUrl).then((isThere) => setProblem(isThere ? 'film' : 'connection'))
              mayRetry.current = false
            }}
          />
        )}
      </div>
      <div className={styles.caption}>
        {prompt === null ? null : (
          <p className={styles.prompt} dir="auto">
            {prompt}
          </p>
        )}
        <p className="quiet">
          <AiMark model={model} madeAt={completedAt} />
        </p>
        <p className="quiet">
          {`${t`Made with ${site.name} · ${Math.round(duration)} s`} · `}
          <Link to="/verify" search={{ link: globalThis.location.href }} preload={false}>
            {t`Check this film`}
          </Link>
        </p>
        <div className={styles.actions}>
          <Link
            to="/"
            search={{ model, ...(prompt === null ? {} : { prompt }) }}
            className={buttonClass('primary')}
            preload={false}
          >
            {prompt === null ? t`Make a film with this model` : t`Make a film like it`}
          </Link>
          {allowsDownload ? (
            <a className={buttonClass()} href={`${videoUrl}?download`} download>
              {t`Download`}
            </a>
          ) : null}
        </div>
      </div>
    </>
  )
}

const NotShared = () => (
  <>
    <PageTitle of={[t`No such film`]} />
    <h1>{t`Film`}</h1>
    <EmptyState
      action={
        <Link to="/" className={buttonClass('primary')} preload={false}>
          {t`Make a film`}
        </Link>
      }
    >
      {t`This film is not shared any more.`}
    </EmptyState>
  </>
)

/**
 * Published films, newest first, for everyone: posters that play under the pointer, with prompts. While there is none,
 * the samples of the models.
 */

import type { Schemas } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { modelsQuery, sessionQuery } from '../api.ts'
import { useFilmNames } from '../film-name.ts'
import wall from '../library/library.module.css'
import { GridSkeleton } from '../library/video-grid.tsx'
import { ratioOf } from '../library/video-list.ts'
import { useModelNames } from '../model-name.ts'
import { signUpRefusal } from '../site.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatDateTime } from '../ui/format.ts'
import { InfiniteCards } from '../ui/infinite-cards.tsx'
import { PagedRows } from '../ui/infinite-list.tsx'
import { usePages } from '../ui/infinite-pages.ts'
import { Page } from '../ui/page.tsx'
import { Select } from '../ui/select.tsx'
import { EmptyState, ErrorState, LoadingState } from '../ui/states.tsx'
import { AiMark } from '../video/ai-mark.tsx'
import { aspectRatioStyle } from '../video/aspect-ratio.ts'
import { DrawnNote } from '../video/drawn-note.tsx'
import stageStyles from '../video/film-stage.module.css'
import { FilmVideo } from '../video/film-video.tsx'
import { sampleOf } from '../video/model-sample.tsx'
import posterStyles from '../video/poster.module.css'
import { Poster, usePreview } from '../video/poster.tsx'
import { isMotionReduced } from '../video/reduced-motion.ts'
import styles from './film-dialog.module.css'
import { filtersOf, isPeriod, type PublishedFilm, publishedFilmQuery, publishedQuery } from './queries.ts'
import { RemoveForm } from './remove-form.tsx'
import { ReportForm } from './report-form.tsx'

const route = getRouteApi('/signed-in/explore')

export function ExplorePage() {
  const { film, period: named, makerOf } = route.useSearch()
  const period = isPeriod(named) ? named : undefined
  const navigate = route.useNavigate()
  const list = usePages(publishedQuery(filtersOf(period, makerOf)))
  // A name has another width than the id in its place, so that a caption may have another number of lines.
  const { isPending: areNamesPending } = useQuery(modelsQuery)
  const isPending = list.isPending || areNamesPending
  const films = useMemo(
    () => (areNamesPending ? undefined : list.data?.pages.flatMap((page) => page.films)),
    [list.data, areNamesPending],
  )
  return (
    <Page
      title={t`Explore`}
      aside={
        <>
          <p className="quiet">{t`Films that their makers have published, each with its prompt.`}</p>
          <Select
            className={wall.sort}
            aria-label={t`Published`}
            value={period}
            none={t`Newest`}
            options={{ week: t`This week`, month: t`This month` }}
            onSelect={(next) =>
              navigate({ search: ({ period: _, ...search }) => (next ? { ...search, period: next } : search) })
            }
          />
        </>
      }
      className={wall.page}
    >
      {isPending ? (
        <LoadingState label={t`Loading the films`}>
          <GridSkeleton />
        </LoadingState>
      ) : null}
      {list.error && !films ? <ErrorState error={list.error} retry={() => list.refetch()} /> : null}
      {makerOf === undefined ? null : (
        <p className="row">
          {nameOfMaker(films, makerOf)} <Link to="/explore" search={{}}>{t`All films`}</Link>
        </p>
      )}
      {films?.length === 0 && !list.hasNextPage ? (
        <NoFilms isFiltered={period !== undefined || makerOf !== undefined} />
      ) : null}
      {films?.length === 0 && !list.hasNextPage && period === undefined && makerOf === undefined ? <Samples /> : null}
      {areNamesPending ? null : (
        <PagedRows list={list} rowsOf={filmsOf} shapeOf={ratioOf} autoLoad>
          {(shown) => (
            <InfiniteCards
              className={wall.grid}
              cardClass={wall.cell}
              label={t`Films`}
              rows={shown}
              keyOf={({ id }) => id}
              placeholder={<span className={wall.frame} />}
            >
              {(each) => <FilmCard film={each} />}
            </InfiniteCards>
          )}
        </PagedRows>
      )}
      {film && !areNamesPending ? (
        <FilmDialog
          key={film}
          id={film}
          listed={films?.find(({ id }) => id === film)}
          onClose={() => navigate({ search: ({ film: _, ...search }) => search, resetScroll: false })}
        />
      ) : null}
    </Page>
  )
}

const filmsOf = ({ films }: { films: PublishedFilm[] }) => films

/** Whose films are shown, as each of them says. */
function nameOfMaker(films: PublishedFilm[] | undefined, makerOf: string): string {
  const name = (films?.find(({ id }) => id === makerOf) ?? films?.[0])?.maker
  return name ? t`Films by ${name}.` : ''
}

/** What leads on from a wall without films: a visitor has no library. */
function NoFilms({ isFiltered }: { isFiltered: boolean }) {
  const { data: session } = useQuery({ ...sessionQuery, enabled: false })
  if (isFiltered)
    return (
      <EmptyState action={<Link to="/explore" search={{}} className={buttonClass()}>{t`All films`}</Link>}>
        {t`No film was published here in this time.`}
      </EmptyState>
    )
  if (!session)
    return (
      <EmptyState
        action={
          signUpRefusal() ? null : (
            <Link to="/sign-up" className={buttonClass('primary')}>
              {t`Create account`}
            </Link>
          )
        }
      >
        {t`No film is published yet. Films that users make here and publish will be on this page.`}
      </EmptyState>
    )
  return (
    <EmptyState
      action={
        <Link to="/library" className={buttonClass('primary')}>
          {t`Open your library`}
        </Link>
      }
    >
      {t`No film is published yet. You can publish one of yours: open it in your library.`}
    </EmptyState>
  )
}

const SAMPLES_MAX = 8

/** What the models make, on the empty page. */
function Samples() {
  const { data } = useQuery({ ...modelsQuery, enabled: false })
  const models = data?.models.filter((model) => model.enabled && sampleOf(model)).slice(0, SAMPLES_MAX) ?? []
  if (models.length === 0) return null
  return (
    <section className="stack" aria-labelledby="samples">
      <h2 id="samples">{t`Samples of the models`}</h2>
      <DrawnNote models={models} />
      <ul className={wall.grid}>
        {models.map((model) => (
          <SampleCard key={model.id} model={model} />
        ))}
      </ul>
    </section>
  )
}

function SampleCard({ model }: { model: Schemas['Model'] }) {
  const { isPreviewing, pointerHandlers, focusHandlers } = usePreview()
  const sample = sampleOf(model)
  if (!sample) return null
  return (
    <li className={wall.cell} style={aspectRatioStyle('16:9')}>
      <Link
        to="/"
        search={{ model: model.id }}
        preload={false}
        className={wall.card}
        {...pointerHandlers}
        {...focusHandlers}
      >
        <span className={wall.frame}>
          <Poster {...sample} isPreviewing={isPreviewing} />
          {model.isSampleDrawn && !isPreviewing && !isMotionReduced() ? <PlayedOnce src={sample.videoUrl} /> : null}
        </span>
        <span className={wall.caption}>
          <span className={wall.prompt}>{model.name}</span>
          <span className="quiet small">{model.provider}</span>
          <span className="hidden-text">{t`Make a film with this model`}</span>
        </span>
      </Link>
    </li>
  )
}

/** A drawn film is small. What moves for more than 5 s would need a button that stops it. */
const PlayedOnce = ({ src }: { src: string | null }) =>
  src && (
    <video className={posterStyles.preview} src={src} autoPlay muted playsInline aria-hidden="true" tabIndex={-1} />
  )

function FilmCard({ film }: { film: PublishedFilm }) {
  const filmName = useFilmNames()
  const { id, prompt, model, duration, maker, completedAt, videoUrl, thumbnailUrl } = film
  const { isPreviewing, pointerHandlers, focusHandlers } = usePreview()
  const more = [t`${Math.round(duration)} s`, ...(maker ? [t`by ${maker}`] : [])]
  return (
    <>
      <Link
        to="/explore"
        search={(search) => ({ ...search, film: id })}
        resetScroll={false}
        preload={false}
        className={wall.card}
        {...pointerHandlers}
        {...focusHandlers}
      >
        <span className={wall.frame}>
          <Poster {...{ videoUrl, thumbnailUrl, isPreviewing }} />
        </span>
        <span className={wall.caption}>
          <span className={wall.prompt} dir="auto">
            {filmName(film)}
          </span>
          <span className={`quiet small ${wall.marked}`}>
            <AiMark model={model} madeAt={completedAt} more={more} />
          </span>
        </span>
      </Link>
      {prompt ? (
        <Link to="/" search={{ model, prompt }} className={`small ${wall.again}`} preload={false}>
          {t`Use this prompt`}
        </Link>
      ) : (
        <span className={wall.again} />
      )}
    </>
  )
}

type Props = { id: string; listed: PublishedFilm | undefined; onClose: () => void }

/** A published film, large: it plays, with its prompt, its settings and its maker, and what one may do with it. */
function FilmDialog({ id, listed, onClose }: Props) {
  const { data, error, refetch } = useQuery({ ...publishedFilmQuery(id), ...(listed && { initialData: listed }) })
  const [step, setStep] = useState<'film' | 'report' | 'remove'>('film')
  const titles = { film: t`Film`, report: t`Report this film`, remove: t`Remove this film?` }
  // It may be taken back while the dialog is open.
  const film = error?.code === 'NOT_FOUND' ? undefined : data
  // A link leads to the film: the dialog opens with it, as high as it stays.
  if (!film && !error) return null
  return (
    <Dialog open onClose={onClose} title={titles[step]}>
      {film && step === 'film' ? <Film film={film} onStep={setStep} /> : null}
      {film && step === 'report' ? <ReportForm id={id} onDone={() => setStep('film')} /> : null}
      {film && step === 'remove' ? <RemoveForm id={id} onCancel={() => setStep('film')} onDone={onClose} /> : null}
      {error && !film ? <Gone error={error} retry={() => refetch()} /> : null}
    </Dialog>
  )
}

type GoneProps = { error: Parameters<typeof ErrorState>[0]['error']; retry: () => void }

const Gone = ({ error, retry }: GoneProps) =>
  error.code === 'NOT_FOUND' ? (
    <p>{t`This film is not published any more.`}</p>
  ) : (
    <ErrorState error={error} retry={retry} />
  )

const filmLink = (id: string): string => `${globalThis.location.origin}/explore?film=${id}`

type FilmProps = { film: PublishedFilm; onStep: (step: 'report' | 'remove') => void }

function Film({ film, onStep }: FilmProps) {
  const filmName = useFilmNames()
  const { prompt, model, aspectRatio, videoUrl, thumbnailUrl } = film
  const { data: session } = useQuery({ ...sessionQuery, enabled: false })
  return (
    <>
      <div className={`${stageStyles.stage} ${styles.stage}`} style={aspectRatioStyle(aspectRatio)}>
        <FilmVideo src={videoUrl} poster={thumbnailUrl} muted loop autoPlay={!isMotionReduced()} />
      </div>
      <p className="row quiet">
        <AiMark model={model} madeAt={film.completedAt} />
        <Link to="/verify" search={{ link: filmLink(film.id) }} preload={false}>
          {t`Check this film`}
        </Link>
      </p>
      <p className={styles.prompt} dir="auto">
        {filmName(film)}
      </p>
      <div className="dialog-actions">
        {session?.user.role === 'admin' ? (
          <Button kind="danger" onClick={() => onStep('remove')}>
            {t`Remove`}
          </Button>
        ) : null}
        {session ? (
          <Button onClick={() => onStep('report')}>{t`Report`}</Button>
        ) : (
          <Link to="/sign-in" search={{ next: `/explore?film=${film.id}` }} className={buttonClass()}>
            {t`Sign in to report it`}
          </Link>
        )}
        {prompt ? (
          <Link to="/" search={{ model, prompt }} className={buttonClass('primary')} preload={false}>
            {t`Use this prompt`}
          </Link>
        ) : null}
      </div>
      <Settings film={film} />
    </>
  )
}

function Settings({ film }: { film: PublishedFilm }) {
  const { id, model, duration, aspectRatio, resolution, seed, negativePrompt, maker, publishedAt } = film
  const nameOf = useModelNames()
  return (
    <dl className="facts">
      {maker ? (
        <Fact name={t`Made by`}>
          {maker}{' '}
          <Link to="/explore" search={{ makerOf: id }}>
            {t`More by this maker`}
          </Link>
        </Fact>
      ) : null}
      <Fact name={t`Model`}>{nameOf(model) ?? '\u00a0'}</Fact>
      <Fact name={t`Duration`}>{t`${duration} s`}</Fact>
      <Fact name={t`Aspect ratio`}>{aspectRatio}</Fact>
      <Fact name={t`Quality`}>{resolution}</Fact>
      {seed === null ? null : <Fact name={t`Seed`}>{seed}</Fact>}
      {negativePrompt ? <Fact name={t`Negative prompt`}>{negativePrompt}</Fact> : null}
      <Fact name={t`Published`}>{formatDateTime(publishedAt)}</Fact>
    </dl>
  )
}

/** Films that their makers published, newest first, for everyone: a wall of posters that play under the pointer, each with its prompt. */
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import wall from '../library/library.module.css'
import { GridSkeleton } from '../library/video-grid.tsx'
import { buttonClass } from '../ui/button.tsx'
import { ShowMore } from '../ui/infinite-list.tsx'
import { PageTitle } from '../ui/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../ui/states.tsx'
import { AiMark } from '../video/ai-mark.tsx'
import { aspectRatioStyle } from '../video/aspect-ratio.ts'
import { Poster, usePreview } from '../video/poster.tsx'
import { FilmDialog } from './film-dialog.tsx'
import { type PublishedFilm, publishedQuery } from './queries.ts'

const route = getRouteApi('/signed-in/explore')

export function ExplorePage() {
  const { film } = route.useSearch()
  const navigate = route.useNavigate()
  const list = useInfiniteQuery(publishedQuery)
  const films = useMemo(() => list.data?.pages.flatMap((page) => page.films), [list.data])
  return (
    <div className={`page ${wall.page}`}>
      <PageTitle of={[t`Explore`]} />
      <div className="page-head">
        <h1>{t`Explore`}</h1>
        <p className="quiet">{t`Films that their makers have published, each with its prompt.`}</p>
      </div>
      {list.isPending ? (
        <LoadingState label={t`Loading the films`}>
          <GridSkeleton />
        </LoadingState>
      ) : null}
      {list.error && !films ? <ErrorState error={list.error} retry={() => list.refetch()} /> : null}
      {films?.length === 0 && !list.hasNextPage ? <NoFilms /> : null}
      {films?.length ? (
        <ul className={wall.grid} aria-label={t`Films`}>
          {films.map((each) => (
            <FilmCard key={each.id} film={each} />
          ))}
        </ul>
      ) : null}
      {list.data ? <ShowMore autoLoad list={list} /> : null}
      {film ? (
        <FilmDialog
          key={film}
          id={film}
          listed={films?.find(({ id }) => id === film)}
          onClose={() => navigate({ search: {}, resetScroll: false })}
        />
      ) : null}
    </div>
  )
}

const NoFilms = () => (
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

function FilmCard({ film }: { film: PublishedFilm }) {
  const { id, prompt, model, duration, aspectRatio, maker, completedAt, videoUrl, thumbnailUrl } = film
  const { isPreviewing, pointerHandlers, focusHandlers } = usePreview()
  const more = [t`${Math.round(duration)} s`, ...(maker ? [t`by ${maker}`] : [])]
  return (
    <li className={wall.cell} style={aspectRatioStyle(aspectRatio)}>
      <Link
        to="/explore"
        search={{ film: id }}
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
            {prompt}
          </span>
          <span className={`quiet small ${wall.marked}`}>
            <AiMark model={model} madeAt={completedAt} more={more} />
          </span>
        </span>
      </Link>
      <Link to="/" search={{ model, prompt }} className={`small ${wall.again}`} preload={false}>
        {t`Use this prompt`}
      </Link>
    </li>
  )
}

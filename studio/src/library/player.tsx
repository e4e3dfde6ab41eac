/**
 * One film, large, and everything that is known about it. What the list knows of it is shown at once; the rest arrives.
 * Unknown, of somebody else and deleted look alike, as they do at the service.
 */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { CSSProperties, ReactNode } from 'react'
import { video } from '../api.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { isFinal } from '../ui/format.ts'
import { Empty, Problem, Waiting } from '../ui/states.tsx'
import { Actions } from './actions.tsx'
import { useDeleted } from './deletion.ts'
import { Facts } from './facts.tsx'
import { filmsShown, ratioOf } from './films.ts'
import { FailedFilm, MakingFilm } from './no-film.tsx'
import css from './player.module.css'
import { useArrowKeys, useBack, useNeighbours } from './player-navigation.ts'
import { Screen } from './screen.tsx'

const route = getRouteApi('/signed-in/library/$uuid')

export function Player() {
  const { uuid } = route.useParams()
  const { data, error, refetch } = useQuery(video(uuid))
  const isDeleted = useDeleted().has(uuid)
  const film = data ?? filmsShown().find((each) => each.uuid === uuid)
  const neighbours = useNeighbours(uuid)
  useArrowKeys(neighbours)
  if (isDeleted || error?.code === 'NOT_FOUND') return <Gone />
  return (
    <div className={`page ${css.page}`}>
      <title>{film ? `${film.prompt.slice(0, 60)} · Kinora` : 'Film · Kinora'}</title>
      <h1 className="hidden-text">Film</h1>
      <Way {...neighbours} />
      {error && !film ? <Problem error={error} retry={() => refetch()} /> : null}
      {film ? (
        <div className={`columns ${css.columns}`} key={uuid}>
          <div className="stack">
            <Stage ratio={ratioOf(film.aspectRatio)} uuid={uuid}>
              {film.status === 'FAILED' ? <FailedFilm uuid={uuid} error={data?.error} /> : null}
              {isFinal(film.status) ? null : <MakingFilm film={film} />}
              {film.videoUrl ? <Screen uuid={uuid} src={film.videoUrl} poster={film.thumbnailUrl} /> : null}
            </Stage>
            <Actions film={film} />
          </div>
          <Facts film={film} detail={data} />
        </div>
      ) : null}
      {film || error ? null : (
        <Waiting label="Loading the film">
          <div className={`columns ${css.columns}`}>
            <Stage ratio={16 / 9} />
            <div className="panel" />
          </div>
        </Waiting>
      )}
    </div>
  )
}

/** The place of the film, in its own ratio and never higher than the window; it has the name under which it moves here. */
function Stage({ ratio, uuid, children }: { ratio: number; uuid?: string; children?: ReactNode }) {
  const style = { '--ratio': ratio, ...(uuid ? { viewTransitionName: `film-${uuid}` } : {}) } as CSSProperties
  return (
    <div className={css.stage} style={style}>
      {children}
    </div>
  )
}

function Way({ before, after }: { before: string | undefined; after: string | undefined }) {
  const back = useBack()
  return (
    <nav className={css.way} aria-label="Films">
      <Button kind="quiet" onClick={back}>
        ← Library
      </Button>
      <span className={css.neighbours}>
        <Neighbour uuid={before}>Previous</Neighbour>
        <Neighbour uuid={after}>Next</Neighbour>
      </span>
    </nav>
  )
}

function Neighbour({ uuid, children }: { uuid: string | undefined; children: ReactNode }) {
  if (!uuid) return null
  return (
    <Link
      to="/library/$uuid"
      params={{ uuid }}
      replace
      state={(now) => now}
      resetScroll={false}
      className={buttonClass('quiet')}
    >
      {children}
    </Link>
  )
}

function Gone() {
  const back = useBack()
  return (
    <div className="page">
      <title>No such film · Kinora</title>
      <h1>Film</h1>
      <Empty
        step={
          <Button kind="primary" onClick={back}>
            Back to the library
          </Button>
        }
      >
        This film does not exist or was deleted.
      </Empty>
    </div>
  )
}

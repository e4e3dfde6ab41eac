/**
 * One film, large, and everything that is known about it. What the list knows of it is shown at once; the rest arrives.
 * Unknown, of somebody else and deleted look alike, as they do at the service.
 */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { CSSProperties, ReactNode } from 'react'
import { videoQuery } from '../api.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { isFinal } from '../ui/format.ts'
import { EmptyState, ErrorState, LoadingState } from '../ui/states.tsx'
import { useDeletedUuids } from './deletion.ts'
import css from './player.module.css'
import { useAdjacentVideos, useArrowKeys, useBackToLibrary } from './player-navigation.ts'
import { FailedStatus, GeneratingStatus } from './player-status.tsx'
import { VideoActions } from './video-actions.tsx'
import { VideoDetails } from './video-details.tsx'
import { lastViewedVideos, ratioOf } from './video-list.ts'
import { VideoPlayer } from './video-player.tsx'

const route = getRouteApi('/signed-in/library/$uuid')

export function PlayerPage() {
  const { uuid } = route.useParams()
  const { data, error, refetch } = useQuery(videoQuery(uuid))
  const isDeleted = useDeletedUuids().has(uuid)
  const film = data ?? lastViewedVideos().find((each) => each.uuid === uuid)
  const neighbours = useAdjacentVideos(uuid)
  useArrowKeys(neighbours)
  if (isDeleted || error?.code === 'NOT_FOUND') return <Gone />
  return (
    <div className={`page ${css.page}`}>
      <title>{film ? `${film.prompt.slice(0, 60)} · Kinora` : 'Film · Kinora'}</title>
      <h1 className="hidden-text">Film</h1>
      <Way {...neighbours} />
      {error && !film ? <ErrorState error={error} retry={() => refetch()} /> : null}
      {film ? (
        <div className={`columns ${css.columns}`} key={uuid}>
          <div className="stack">
            <Stage ratio={ratioOf(film.aspectRatio)} uuid={uuid}>
              {film.status === 'FAILED' ? <FailedStatus uuid={uuid} error={data?.error} /> : null}
              {isFinal(film.status) ? null : <GeneratingStatus film={film} />}
              {film.videoUrl ? <VideoPlayer uuid={uuid} src={film.videoUrl} poster={film.thumbnailUrl} /> : null}
            </Stage>
            <VideoActions film={film} />
          </div>
          <VideoDetails film={film} detail={data} />
        </div>
      ) : null}
      {film || error ? null : (
        <LoadingState label="Loading the film">
          <div className={`columns ${css.columns}`}>
            <Stage ratio={16 / 9} />
            <div className="panel" />
          </div>
        </LoadingState>
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
  const back = useBackToLibrary()
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
  const back = useBackToLibrary()
  return (
    <div className="page">
      <title>No such film · Kinora</title>
      <h1>Film</h1>
      <EmptyState
        step={
          <Button kind="primary" onClick={back}>
            Back to the library
          </Button>
        }
      >
        This film does not exist or was deleted.
      </EmptyState>
    </div>
  )
}

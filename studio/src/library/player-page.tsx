/**
 * One video with its details. Renders the cached list row at once and adds the details when they load. An unknown, a deleted
 * and another user's video look the same, as in the API, which returns 404 for all three.
 */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { videoQuery } from '../api.ts'
import { WaitingPicture } from '../studio/waiting-picture.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { isFinal, truncate } from '../ui/format.ts'
import { PageTitle } from '../ui/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../ui/states.tsx'
import { AiMark } from '../video/ai-mark.tsx'
import { aspectRatioStyle, DEFAULT_ASPECT_RATIO } from '../video/aspect-ratio.ts'
import stageStyles from '../video/film-stage.module.css'
import { EarlyPoster } from '../video/poster.tsx'
import { useDeletedUuids } from './deletion.ts'
import styles from './player.module.css'
import { type AdjacentVideos, useAdjacentVideos, useArrowKeys, useBackToLibrary } from './player-navigation.ts'
import { FailedStatus, GeneratingStatus } from './player-status.tsx'
import { VideoActions } from './video-actions.tsx'
import { VideoDetails } from './video-details.tsx'
import { lastViewedVideos } from './video-list.ts'
import { VideoPlayer } from './video-player.tsx'

const route = getRouteApi('/signed-in/library/$uuid')

export function PlayerPage() {
  const { uuid } = route.useParams()
  const { data, error, refetch, isFetching } = useQuery(videoQuery(uuid))
  const isDeleted = useDeletedUuids().has(uuid)
  const shown = data ?? lastViewedVideos().find((each) => each.uuid === uuid)
  const adjacent = useAdjacentVideos(uuid)
  useArrowKeys(adjacent)
  // While the query runs, the link of a film that was completed a moment ago may still be on its way.
  const isFilmRemoved = data?.status === 'COMPLETED' && !data.videoUrl && !isFetching
  if (isDeleted || error?.code === 'NOT_FOUND') return <NotFound />
  return (
    <div className={`page ${styles.page}`}>
      <PageTitle of={[shown ? truncate(shown.prompt, 60) : t`Film`]} />
      <h1 className="hidden-text">{t`Film`}</h1>
      <PlayerNav {...adjacent} />
      {error && !shown ? <ErrorState error={error} retry={() => refetch()} /> : null}
      {shown ? (
        <div className={`columns ${styles.columns}`} key={uuid}>
          <div className="stack">
            {shown.status === 'FAILED' ? (
              <FailedStatus uuid={uuid} detail={data} />
            ) : isFilmRemoved ? (
              <p className={styles.overlay}>{t`This film is no longer kept.`}</p>
            ) : (
              <Stage aspectRatio={shown.aspectRatio} uuid={uuid}>
                {isFinal(shown.status) ? null : (
                  <>
                    <WaitingPicture model={shown.model} startImageUrl={data?.startImageUrl ?? null} />
                    <GeneratingStatus video={shown} />
                  </>
                )}
                {shown.videoUrl ? <VideoPlayer uuid={uuid} src={shown.videoUrl} poster={shown.thumbnailUrl} /> : null}
              </Stage>
            )}
            {shown.videoUrl ? (
              <p className="quiet">
                <AiMark model={shown.model} madeAt={shown.completedAt} />
              </p>
            ) : null}
            <VideoActions video={shown} />
          </div>
          <VideoDetails video={shown} detail={data} />
        </div>
      ) : null}
      {shown || error ? null : (
        <LoadingState label={t`Loading the film`}>
          <div className={`columns ${styles.columns}`}>
            <Stage aspectRatio={DEFAULT_ASPECT_RATIO}>
              <EarlyPoster at={0} />
            </Stage>
            <div className="panel" />
          </div>
        </LoadingState>
      )}
    </div>
  )
}

/** The frame of the video: its aspect ratio, at most the viewport's height, and the name of the view transition. */
function Stage({ aspectRatio, uuid, children }: { aspectRatio: string; uuid?: string; children?: ReactNode }) {
  const style = { ...aspectRatioStyle(aspectRatio), ...(uuid ? { viewTransitionName: `video-${uuid}` } : {}) }
  return (
    <div className={stageStyles.stage} style={style}>
      {children}
    </div>
  )
}

function PlayerNav({ previous, next }: AdjacentVideos) {
  const backToLibrary = useBackToLibrary()
  return (
    <nav className={styles.nav} aria-label={t`Films`}>
      <Button kind="quiet" onClick={backToLibrary}>
        {t`← Library`}
      </Button>
      <span className={styles.adjacent}>
        <AdjacentLink uuid={previous}>{t`Previous`}</AdjacentLink>
        <AdjacentLink uuid={next}>{t`Next`}</AdjacentLink>
      </span>
    </nav>
  )
}

function AdjacentLink({ uuid, children }: { uuid: string | undefined; children: ReactNode }) {
  if (!uuid) return null
  return (
    <Link
      to="/library/$uuid"
      params={{ uuid }}
      replace
      state={(state) => state}
      resetScroll={false}
      className={buttonClass('quiet')}
    >
      {children}
    </Link>
  )
}

function NotFound() {
  const backToLibrary = useBackToLibrary()
  return (
    <div className="page">
      <PageTitle of={[t`No such film`]} />
      <h1>{t`Film`}</h1>
      <EmptyState
        action={
          <Button kind="primary" onClick={backToLibrary}>
            {t`Back to the library`}
          </Button>
        }
      >
        {t`This film does not exist or was deleted.`}
      </EmptyState>
    </div>
  )
}

/** One video in the library grid: its poster with the preview on hover, its progress, or why it failed. */
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import { type ListedVideo, queryClient, videoQuery } from '../api.ts'
import { useModelNames } from '../model-name.ts'
import { WaitingPicture } from '../studio/waiting-picture.tsx'
import { isFinal } from '../ui/format.ts'
import { Poster, RemovedFilm, usePreview } from '../video/poster.tsx'
import { CardFailure } from './card-failure.tsx'
import { CardProgress } from './card-progress.tsx'
import styles from './library.module.css'

type Props = {
  video: ListedVideo
  maker: string | undefined
  isTransitioning: boolean
  onOpen: (uuid: string) => void
  /** Takes a click in the place of the player. */
  onSelect: ((uuid: string) => void) | undefined
}

export const VideoCard = memo(function VideoCard({ video, maker, isTransitioning, onOpen, onSelect }: Props) {
  const { uuid, prompt, model, duration, status, videoUrl, thumbnailUrl } = video
  const nameOf = useModelNames()
  const facts = t`${nameOf(model)} · ${Math.round(duration)} s`
  // Prefetch the player's query: a hover often precedes a click.
  const { isPreviewing, pointerHandlers, focusHandlers } = usePreview(() => queryClient.prefetchQuery(videoQuery(uuid)))
  return (
    <Link
      to="/library/$uuid"
      params={{ uuid }}
      state={{ fromLibrary: true }}
      preload={false}
      className={styles.card}
      onClick={(event) => {
        if (onSelect) {
          event.preventDefault()
          onSelect(uuid)
        } else if (!event.metaKey && !event.ctrlKey && !event.shiftKey) onOpen(uuid)
      }}
      {...pointerHandlers}
      {...focusHandlers}
    >
      <span className={styles.frame} style={isTransitioning ? { viewTransitionName: `video-${uuid}` } : undefined}>
        <Poster {...{ videoUrl, thumbnailUrl, isPreviewing }} />
        {status === 'COMPLETED' && !videoUrl ? <RemovedFilm /> : null}
        {isFinal(status) ? null : (
          <>
            <WaitingPicture model={model} />
            <CardProgress video={video} />
          </>
        )}
        {status === 'FAILED' ? <CardFailure uuid={uuid} /> : null}
      </span>
      <span className={styles.caption}>
        <span className={styles.prompt} dir="auto">
          {prompt}
        </span>
        <span className={`quiet small ${styles.facts}`}>{maker === undefined ? facts : `${facts} · ${maker}`}</span>
      </span>
    </Link>
  )
})

/** Videos in lines of equal height, each in its own aspect ratio. */

import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { memo, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type ListedVideo, queryClient, taskQuery, videoQuery } from '../api.ts'
import { useFilmNames } from '../film-name.ts'
import { failureText } from '../i18n/service-text.ts'
import { useModelNames } from '../model-name.ts'
import { WaitingPicture } from '../studio/waiting-picture.tsx'
import { useMayChange } from '../team.ts'
import { factsLine } from '../ui/facts-line.ts'
import { formatPercent, isFinal, statusLabels } from '../ui/format.ts'
import { InfiniteCards } from '../ui/infinite-cards.tsx'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { aspectRatioStyle } from '../video/aspect-ratio.ts'
import overlayStyles from '../video/film-overlay.module.css'
import { EarlyPoster, Poster, RemovedFilm, usePreview } from '../video/poster.tsx'
import { RefundNote } from '../video/refund-note.tsx'
import { StatusBadge } from '../video/status-badge.tsx'
import { TryAgainLink } from '../video/try-again-link.tsx'
import { FavouriteButton } from './favourite-button.tsx'
import { FilmMenu } from './film-menu.tsx'
import styles from './library.module.css'

/**
 * The video of the last view transition into the player, which is also the one to transition back. Only this card has a
 * view-transition-name, or every card would animate.
 */
let lastOpened: string | null = null

type Props = {
  videos: ListedVideo[]
  /** The maker's name, for the films of a team. */
  makerOf: (video: ListedVideo) => string | undefined
  isDense: boolean
  /** By uuid. null: a click opens a film; else it selects the film, or not any more. */
  selected: ReadonlyMap<string, ListedVideo> | null
  onSelect: OnSelect
}

/** `isRange`: all from the one that was selected last. */
type OnSelect = (video: ListedVideo, isRange: boolean) => void

export function VideoGrid({ videos, makerOf, isDense, selected, onSelect }: Props) {
  const [transitioning, setTransitioning] = useState(lastOpened)
  const mayChange = useMayChange()
  const filmName = useFilmNames()
  const onOpen = useCallback((uuid: string) => {
    lastOpened = uuid
    // The browser takes the snapshot of the old page before React would render asynchronously.
    flushSync(() => setTransitioning(uuid))
  }, [])
  return (
    <InfiniteCards
      className={styles.grid}
      cardClass={styles.cell}
      isDense={isDense}
      label={t`Films`}
      rows={videos}
      keyOf={({ uuid }) => uuid}
      placeholder={<span className={styles.frame} />}
    >
      {(video) => (
        <>
          <VideoCard
            video={video}
            maker={makerOf(video)}
            isTransitioning={video.uuid === transitioning}
            onOpen={onOpen}
            onSelect={selected ? onSelect : undefined}
          />
          {selected ? (
            <>
              <input
                type="checkbox"
                className={styles.check}
                aria-label={filmName(video)}
                checked={selected.has(video.uuid)}
                onClick={({ shiftKey }) => onSelect(video, shiftKey)}
              />
              <span className={styles.again} />
            </>
          ) : (
            <>
              {mayChange(video) ? <FavouriteButton isSmall video={video} className={styles.favourite} /> : null}
              <span className={styles.again} data-failed={video.failure ? true : undefined}>
                <TryAgainLink video={video} className="small" />
                <FilmMenu video={video} className={styles.menu} />
              </span>
            </>
          )}
        </>
      )}
    </InfiniteCards>
  )
}

const Cell = ({ aspectRatio, children }: { aspectRatio: string; children: ReactNode }) => (
  <li className={styles.cell} style={aspectRatioStyle(aspectRatio)}>
    {children}
  </li>
)

const skeletonCells = ['16:9', '9:16', '16:9', '1:1', '16:9', '21:9', '9:16', '16:9', '1:1', '16:9'].map(
  (aspectRatio, index) => ({ index, aspectRatio }),
)

export const GridSkeleton = () => (
  <ul className={styles.grid}>
    {skeletonCells.map(({ index, aspectRatio }) => (
      <Cell key={index} aspectRatio={aspectRatio}>
        <span className={styles.frame}>
          <EarlyPoster at={index} />
        </span>
        <span className={styles.caption} />
        <span className={styles.again} />
      </Cell>
    ))}
  </ul>
)

type CardProps = {
  video: ListedVideo
  maker: string | undefined
  isTransitioning: boolean
  onOpen: (uuid: string) => void
  /** Takes a click in the place of the player. */
  onSelect: OnSelect | undefined
}

/** One video in the library grid: its poster with the preview on hover, its progress, or why it failed. */
const VideoCard = memo(function VideoCard({ video, maker, isTransitioning, onOpen, onSelect }: CardProps) {
  const { uuid, model, duration, status, videoUrl, thumbnailUrl, isPublished } = video
  const nameOf = useModelNames()
  const filmName = useFilmNames()
  const facts = factsLine(nameOf(model), t`${Math.round(duration)} s`, maker, isPublished && t`published`)
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
          onSelect(video, event.shiftKey)
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
          {filmName(video)}
        </span>
        <span className={`quiet small ${styles.facts}`}>{facts}</span>
      </span>
    </Link>
  )
})

/** The face of the card of a failed or cancelled video: the reason, and that its credits were refunded. */
function CardFailure({ uuid }: { uuid: string }) {
  const root = useRef<HTMLSpanElement>(null)
  const { data } = useQuery({ ...taskQuery(uuid), enabled: useInView(root) })
  return (
    <span className={overlayStyles.overlay} ref={root}>
      {data ? (
        <span className="small">
          <StatusBadge status="FAILED" failure={data.failure} />
        </span>
      ) : null}
      <span className={`small ${overlayStyles.reason}`}>{data?.error ? failureText(data.error) : null}</span>
      <RefundNote uuid={uuid} />
    </span>
  )
}

/** The face of a card while its video is in progress: status and progress strip, updated by the event stream. */
function CardProgress({ video }: { video: ListedVideo }) {
  const root = useRef<HTMLSpanElement>(null)
  const { data } = useQuery({ ...taskQuery(video.uuid), enabled: useInView(root) })
  const filmName = useFilmNames()
  const { status, progress } = data ?? { status: video.status, progress: 0 }
  return (
    <span className={overlayStyles.overlay} ref={root}>
      <span className={overlayStyles.status}>
        <span>{statusLabels()[status]}</span>
        {progress > 0 ? <span className="quiet">{formatPercent(progress / 100)}</span> : null}
      </span>
      <ProgressStrip thin status={status} progress={progress} label={filmName(video)} />
    </span>
  )
}

function useInView(element: RefObject<Element | null>): boolean {
  const [isInView, setInView] = useState(false)
  useEffect(() => {
    if (isInView || !element.current) return
    const observer = new IntersectionObserver((entries) => setInView(entries.some((entry) => entry.isIntersecting)), {
      rootMargin: '200px',
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [isInView, element])
  return isInView
}

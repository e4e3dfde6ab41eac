/**
 * Videos in rows of equal height, each in its own aspect ratio. CSS alone lays out the grid: the ratios are known before any
 * image loads, so nothing is measured and the layout does not shift. Every width grows in proportion to its ratio, which
 * keeps the heights within a row equal.
 */
import { t } from '@lingui/core/macro'
import { type ReactNode, useCallback, useState } from 'react'
import { flushSync } from 'react-dom'
import type { ListedVideo } from '../api.ts'
import { useMayChange } from '../team.ts'
import { aspectRatioStyle } from '../video/aspect-ratio.ts'
import { EarlyPoster } from '../video/poster.tsx'
import { TryAgainLink } from '../video/try-again-link.tsx'
import { FavouriteButton } from './favourite-button.tsx'
import styles from './library.module.css'
import { VideoCard } from './video-card.tsx'

/**
 * The video of the last view transition into the player, which is also the one to transition back. Only this card has a
 * view-transition-name, or every card would animate.
 */
let lastOpened: string | null = null

type Props = {
  videos: ListedVideo[]
  /** The maker's name, for the films of a team. */
  makerOf: (video: ListedVideo) => string | undefined
  isStale: boolean
  isDense: boolean
  /** null: a click opens a film; else it selects the film, or not any more. */
  selected: ReadonlySet<string> | null
  onSelect: (uuid: string) => void
}

export function VideoGrid({ videos, makerOf, isStale, isDense, selected, onSelect }: Props) {
  const [transitioning, setTransitioning] = useState(lastOpened)
  const mayChange = useMayChange()
  const onOpen = useCallback((uuid: string) => {
    lastOpened = uuid
    // The browser takes the snapshot of the old page before React would render asynchronously.
    flushSync(() => setTransitioning(uuid))
  }, [])
  return (
    <ul
      className={styles.grid}
      data-stale={isStale || undefined}
      data-dense={isDense || undefined}
      aria-label={t`Films`}
    >
      {videos.map((video) => (
        <Cell key={video.uuid} aspectRatio={video.aspectRatio}>
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
                aria-label={video.prompt}
                checked={selected.has(video.uuid)}
                onChange={() => onSelect(video.uuid)}
              />
              <span className={styles.again} />
            </>
          ) : (
            <>
              {mayChange(video) ? <FavouriteButton isSmall video={video} className={styles.favourite} /> : null}
              <TryAgainLink video={video} className={`small ${styles.again}`} />
            </>
          )}
        </Cell>
      ))}
    </ul>
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

/**
 * Films in rows of equal height, each in its own ratio. The rule: the browser alone lays them out, from ratios known
 * before any picture is, so nothing is measured and nothing jumps: every width grows in proportion to its ratio, and so
 * the heights in a row stay the same.
 */
import { type CSSProperties, type ReactNode, useCallback, useState } from 'react'
import { flushSync } from 'react-dom'
import css from './library.module.css'
import { VideoCard } from './video-card.tsx'
import { type ListedVideo, ratioOf } from './video-list.ts'

/** The film that last moved into the player: the one that moves back. Others must not have a name, or all would move. */
let lastMoved: string | null = null

export function VideoGrid({ films, isStale }: { films: ListedVideo[]; isStale: boolean }) {
  const [moving, setMoving] = useState(lastMoved)
  const onOpen = useCallback((uuid: string) => {
    lastMoved = uuid
    // The browser takes its picture of this page before React would have got to it.
    flushSync(() => setMoving(uuid))
  }, [])
  return (
    <ul className={css.grid} data-stale={isStale || undefined} aria-label="Films">
      {films.map((film) => (
        <Cell key={film.uuid} ratio={ratioOf(film.aspectRatio)}>
          <VideoCard film={film} isMoving={film.uuid === moving} onOpen={onOpen} />
        </Cell>
      ))}
    </ul>
  )
}

const Cell = ({ ratio, children }: { ratio: number; children: ReactNode }) => (
  <li className={css.cell} style={{ '--ratio': ratio } as CSSProperties}>
    {children}
  </li>
)

const blanks = ['16:9', '9:16', '16:9', '1:1', '16:9', '21:9', '9:16', '16:9', '1:1', '16:9'].map(
  (aspectRatio, index) => ({ index, ratio: ratioOf(aspectRatio) }),
)

/** The same rows with nothing in them yet. */
export const GridSkeleton = () => (
  <ul className={css.grid}>
    {blanks.map(({ index, ratio }) => (
      <Cell key={index} ratio={ratio}>
        <span className={css.frame} />
        <span className={css.caption} />
      </Cell>
    ))}
  </ul>
)

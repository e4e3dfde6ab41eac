/** One film in the grid: its poster, which plays while it is pointed at, or how far it has come, or why there is none. */
import { Link } from '@tanstack/react-router'
import { type FocusEvent, memo, type PointerEvent, useState } from 'react'
import { queryClient, videoQuery } from '../api.ts'
import { useModelNames } from '../model-name.ts'
import { isFinal } from '../ui/format.ts'
import { CardFailure } from './card-failure.tsx'
import { CardProgress } from './card-progress.tsx'
import css from './library.module.css'
import { Preview } from './preview.tsx'
import type { ListedVideo } from './video-list.ts'

type Props = { film: ListedVideo; isMoving: boolean; onOpen: (uuid: string) => void }

export const VideoCard = memo(function Card({ film, isMoving, onOpen }: Props) {
  const { uuid, prompt, model, duration, status } = film
  const nameOf = useModelNames()
  const [isLookedAt, setLookedAt] = useState(false)
  const look = () => {
    // What the player will ask; whoever points at a film often opens it.
    queryClient.prefetchQuery(videoQuery(uuid))
    setLookedAt(!matchMedia('(prefers-reduced-motion: reduce)').matches)
  }
  return (
    <Link
      to="/library/$uuid"
      params={{ uuid }}
      state={{ fromLibrary: true }}
      preload={false}
      className={css.card}
      onClick={(event) => {
        if (!event.metaKey && !event.ctrlKey && !event.shiftKey) onOpen(uuid)
      }}
      onPointerEnter={({ pointerType }: PointerEvent) => pointerType === 'mouse' && look()}
      onPointerLeave={() => setLookedAt(false)}
      onFocus={({ currentTarget }: FocusEvent) => currentTarget.matches(':focus-visible') && look()}
      onBlur={() => setLookedAt(false)}
    >
      <span className={css.frame} style={isMoving ? { viewTransitionName: `film-${uuid}` } : undefined}>
        {film.thumbnailUrl ? <img className={css.poster} src={film.thumbnailUrl} alt="" loading="lazy" /> : null}
        {film.videoUrl && isLookedAt ? <Preview src={film.videoUrl} /> : null}
        {isFinal(status) ? null : <CardProgress film={film} />}
        {status === 'FAILED' ? <CardFailure uuid={uuid} /> : null}
      </span>
      <span className={css.caption}>
        <span className={css.prompt}>{prompt}</span>
        <span className={`quiet small ${css.facts}`}>
          {nameOf(model)} · {Math.round(duration)} s
        </span>
      </span>
    </Link>
  )
})

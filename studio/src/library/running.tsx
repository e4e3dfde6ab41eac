/** A film that is still being made: its stage and the thin strip. When it is done, the list is asked again. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { queries, videosChanged } from '../api.ts'
import { Strip } from '../look/strip.tsx'
import { isFinal, type Status, stage } from '../look/words.ts'
import { type Film, task } from './films.ts'
import css from './library.module.css'
import { useSeen } from './seen.ts'

/** Status and progress as they are now; before the first answer what the list knew. */
export function useTask({ uuid, status }: { uuid: string; status: Status }, isSeen = true) {
  const { data } = useQuery({ ...task(uuid), enabled: isSeen && !isFinal(status) })
  const now = data ?? { status, progress: 0 }
  const isOver = !isFinal(status) && isFinal(now.status)
  useEffect(() => {
    if (!isOver) return
    queries.invalidateQueries({ queryKey: ['video', uuid], exact: true })
    videosChanged()
  }, [isOver, uuid])
  return now
}

export function Running({ film }: { film: Film }) {
  const place = useRef<HTMLSpanElement>(null)
  const { status, progress } = useTask(film, useSeen(place))
  return (
    <span className={css.state} ref={place}>
      <span className={css.stage}>
        {stage[status]}
        {progress > 0 ? <span className="quiet"> {progress} %</span> : null}
      </span>
      <Strip thin status={status} progress={progress} label={film.prompt} />
    </span>
  )
}

/** A film that is still being made: its stage and the thin strip, kept current by the event stream. */
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { task } from '../api.ts'
import { stage } from '../ui/format.ts'
import { Strip } from '../ui/strip.tsx'
import type { Film } from './films.ts'
import css from './library.module.css'
import { useSeen } from './seen.ts'

export function Running({ film }: { film: Film }) {
  const place = useRef<HTMLSpanElement>(null)
  const { data } = useQuery({ ...task(film.uuid), enabled: useSeen(place) })
  const { status, progress } = data ?? { status: film.status, progress: 0 }
  return (
    <span className={css.state} ref={place}>
      <span className={css.stage}>
        <span>{stage[status]}</span>
        {progress > 0 ? <span className="quiet">{progress} %</span> : null}
      </span>
      <Strip thin status={status} progress={progress} label={film.prompt} />
    </span>
  )
}

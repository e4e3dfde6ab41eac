/** A film that is still being made: its stage and the thin strip, kept current by the event stream. */
import { useQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { taskQuery } from '../api.ts'
import { statusLabels } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { useInView } from './in-view.ts'
import css from './library.module.css'
import type { ListedVideo } from './video-list.ts'

export function CardProgress({ film }: { film: ListedVideo }) {
  const place = useRef<HTMLSpanElement>(null)
  const { data } = useQuery({ ...taskQuery(film.uuid), enabled: useInView(place) })
  const { status, progress } = data ?? { status: film.status, progress: 0 }
  return (
    <span className={css.state} ref={place}>
      <span className={css.stage}>
        <span>{statusLabels[status]}</span>
        {progress > 0 ? <span className="quiet">{progress} %</span> : null}
      </span>
      <ProgressStrip thin status={status} progress={progress} label={film.prompt} />
    </span>
  )
}

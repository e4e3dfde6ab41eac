/** What stands in the place of a film that is not there: how far it has come, or why there will be none. */
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { taskQuery } from '../api.ts'
import { clock, statusLabels } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { Returned } from './card-failure.tsx'
import css from './player.module.css'
import type { ListedVideo } from './video-list.ts'

export function GeneratingStatus({ film }: { film: ListedVideo }) {
  const { data } = useQuery(taskQuery(film.uuid))
  const { status, progress } = data ?? { status: film.status, progress: 0 }
  return (
    <div className={css.state}>
      <div className={css.making}>
        <p className={css.stageName} role="status">
          {statusLabels[status]}
        </p>
        <p className="quiet">
          {progress > 0 ? `${progress} % · ` : ''}
          <Elapsed since={film.createdAt} />
        </p>
      </div>
      <ProgressStrip status={status} progress={progress} label="Progress of this film" />
      <p className="quiet small">You can leave this page; the film is made all the same.</p>
    </div>
  )
}

/** Minutes and seconds since, counting on. */
function Elapsed({ since }: { since: string }) {
  const [nowMs, setNowMs] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  return <span>{clock((nowMs - new Date(since).getTime()) / 1000)}</span>
}

export function FailedStatus({ uuid, error }: { uuid: string; error: string | null | undefined }) {
  return (
    <div className={css.state}>
      <p className="mark" data-kind="failed">
        Failed
      </p>
      <p className={css.reason}>{error}</p>
      <Returned uuid={uuid} />
    </div>
  )
}

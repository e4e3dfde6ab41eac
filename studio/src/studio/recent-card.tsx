/** One video from the press to the film. The rule: nothing on it moves when something arrives; every place is taken from the start. */
import type { Task } from '@kinora/client'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { dataOf, kinora, queryClient, refreshVideos, refundsQuery, taskQuery } from '../api.ts'
import { useModelNames } from '../model-name.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { clock, formatCredits, isFinal, statusLabels } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { toast } from '../ui/toasts.tsx'
import { ratioStyle } from '../video/aspect-ratio.ts'
import { Poster } from '../video/poster.tsx'
import css from './recent-card.module.css'
import { type ListedVideo, useTask } from './recent-query.ts'
import { cardId } from './scroll-to-card.ts'

export function RecentCard({ video }: { video: ListedVideo }) {
  const now = useTask(video)
  const { status, progress } = now
  const [active, setActive] = useState(false)
  const kind = status === 'COMPLETED' ? 'done' : status === 'FAILED' ? 'failed' : 'running'
  const attention = { onMouseEnter: () => setActive(true), onMouseLeave: () => setActive(false) }
  return (
    <li
      className={css.card}
      id={cardId(video.uuid)}
      data-status={status}
      style={ratioStyle(video.aspectRatio)}
      {...attention}
    >
      <div className={css.frame}>{status === 'COMPLETED' ? <Poster video={video} playing={active} /> : null}</div>
      <ProgressStrip status={status} progress={progress} label={`Progress of ${video.prompt}`} thin />
      <div className={css.line}>
        <span className="mark" data-kind={kind}>
          {statusLabels[status]}
        </span>
        <Elapsed video={video} status={status} />
      </div>
      <p className={css.prompt}>
        <Link
          to="/library/$uuid"
          params={{ uuid: video.uuid }}
          className={css.link}
          onFocus={() => setActive(true)}
          onBlur={() => setActive(false)}
        >
          {video.prompt}
        </Link>
      </p>
      {status === 'FAILED' ? <Failure now={now} /> : <Facts video={video} status={status} />}
    </li>
  )
}

function Facts({ video, status }: { video: ListedVideo; status: Task['status'] }) {
  const nameOf = useModelNames()
  return (
    <div className={css.foot}>
      <p className="quiet small">
        {nameOf(video.model)} · {Math.round(video.duration)} s · {formatCredits(video.creditsUsed)}
      </p>
      {status === 'PENDING' ? <Cancel uuid={video.uuid} /> : null}
    </div>
  )
}

function Failure({ now }: { now: Task }) {
  const returned = useQuery(refundsQuery).data?.[now.uuid]
  return (
    <div className={css.failure}>
      <p>{now.error ?? 'The film could not be made.'}</p>
      <p className="quiet">{returned ? `${formatCredits(returned)} returned` : 'Credits returned'}</p>
    </div>
  )
}

function Cancel({ uuid }: { uuid: string }) {
  const cancel = useSingleFlight({
    mutationFn: () => dataOf(kinora.POST('/api/v1/video/{uuid}/cancel', { params: { path: { uuid } } })),
    onSuccess: (ended) => {
      queryClient.setQueryData(taskQuery(uuid).queryKey, ended)
      // The button goes; whoever pressed it by keyboard goes on from its film and not from the top of the page.
      document.getElementById(cardId(uuid))?.querySelector('a')?.focus({ preventScroll: true })
    },
    // Most often: it has begun in the meantime. The service says so in its own words.
    onError: (error) => toast({ text: error.message }),
    onSettled: () => refreshVideos(),
  })
  return (
    <Button kind="quiet" className={css.cancel} busy={cancel.isPending} onClick={() => cancel.mutate()}>
      Cancel
    </Button>
  )
}

/** How long it has been in the making, second by second; of a finished one how long it took. */
function Elapsed({ video, status }: { video: ListedVideo; status: Task['status'] }) {
  const [nowMs, setNowMs] = useState(Date.now)
  const ticking = !isFinal(status)
  useEffect(() => {
    if (!ticking) return
    const timer = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [ticking])
  const endMs = video.completedAt ? Date.parse(video.completedAt) : ticking ? nowMs : null
  if (endMs === null) return null
  return <span className="quiet small">{clock((endMs - Date.parse(video.createdAt)) / 1000)}</span>
}

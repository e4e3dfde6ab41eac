/** The card of a recent video, from submission to the finished video. Every element has its space from the start, so nothing shifts. */
import type { Task } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { dataOf, kinora, type ListedVideo, queryClient, refreshVideos, taskQuery } from '../api.ts'
import { failureText } from '../i18n/service-text.ts'
import { useModelNames } from '../model-name.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { formatCredits, isFinal } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { toast } from '../ui/toasts.tsx'
import { aspectRatioStyle } from '../video/aspect-ratio.ts'
import { Elapsed } from '../video/elapsed.tsx'
import { Poster, RemovedFilm, usePreview } from '../video/poster.tsx'
import { RefundNote } from '../video/refund-note.tsx'
import { StatusBadge } from '../video/status-badge.tsx'
import { TryAgainLink } from '../video/try-again-link.tsx'
import styles from './recent-card.module.css'
import { useTask } from './recent-query.ts'
import { cardId, useAwaitedScroll } from './scroll-to-card.ts'

export function RecentCard({ video }: { video: ListedVideo }) {
  const task = useTask(video)
  useAwaitedScroll(video.uuid)
  const { status, progress } = task
  const { isPreviewing, pointerHandlers, focusHandlers } = usePreview()
  const { videoUrl, thumbnailUrl, createdAt, completedAt } = video
  return (
    <li
      className={styles.card}
      id={cardId(video.uuid)}
      data-status={status}
      style={aspectRatioStyle(video.aspectRatio)}
      {...pointerHandlers}
    >
      <div className={styles.frame}>
        {status === 'COMPLETED' ? <Poster {...{ videoUrl, thumbnailUrl, isPreviewing }} /> : null}
        {status === 'COMPLETED' && !videoUrl ? <RemovedFilm /> : null}
      </div>
      <ProgressStrip status={status} progress={progress} label={t`Progress of ${video.prompt}`} thin />
      <div className={styles.statusLine}>
        <StatusBadge status={status} />
        {isFinal(status) && !completedAt ? null : (
          <span className="quiet small">
            <Elapsed since={createdAt} until={completedAt} />
          </span>
        )}
      </div>
      <p className={styles.prompt} dir="auto">
        <Link to="/library/$uuid" params={{ uuid: video.uuid }} className={styles.link} {...focusHandlers}>
          {video.prompt}
        </Link>
      </p>
      {status === 'FAILED' ? <Failure task={task} video={video} /> : <Details video={video} status={status} />}
    </li>
  )
}

const againClass = `${buttonClass('quiet')} ${styles.control}`

function Details({ video, status }: { video: ListedVideo; status: Task['status'] }) {
  const nameOf = useModelNames()
  return (
    <div className={styles.footer}>
      <p className="quiet small">
        {t`${nameOf(video.model)} · ${Math.round(video.duration)} s · ${formatCredits(video.creditsUsed)}`}
      </p>
      {status === 'PENDING' || status === 'GENERATING' ? (
        <CancelButton uuid={video.uuid} />
      ) : (
        <TryAgainLink video={video} className={againClass} />
      )}
    </div>
  )
}

const Failure = ({ task, video }: { task: Task; video: ListedVideo }) => (
  <div className={styles.failure}>
    <p>{task.error ? failureText(task.error) : t`The film could not be made.`}</p>
    <RefundNote uuid={task.uuid} />
    <TryAgainLink video={video} className={againClass} />
  </div>
)

function CancelButton({ uuid }: { uuid: string }) {
  const cancel = useSingleFlight({
    mutationFn: () => dataOf(kinora.POST('/api/v1/video/{uuid}/cancel', { params: { path: { uuid } } })),
    onSuccess: ({ message, ...task }) => {
      queryClient.setQueryData(taskQuery(uuid).queryKey, task)
      if (!isFinal(task.status)) return toast({ text: failureText(message) })
      // The button unmounts: move the focus to the card's link, or a keyboard user would restart at the top of the page.
      document.getElementById(cardId(uuid))?.querySelector('a')?.focus({ preventScroll: true })
    },
    // The usual refusals: the provider has finished, or cannot stop a film. The API's message is written for users.
    onError: (error) => toast({ text: error.message }),
    onSettled: () => refreshVideos(),
  })
  return (
    <Button
      kind="quiet"
      className={styles.control}
      busy={cancel.isPending}
      disabled={cancel.isSuccess}
      onClick={() => cancel.mutate()}
    >
      {cancel.isSuccess ? t`Stopping…` : t`Cancel`}
    </Button>
  )
}

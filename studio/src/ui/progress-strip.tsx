/**
 * Progress as a strip of 24 small frames that expose one after another. To a screen reader it is a progress bar; while a
 * stage has no number of its own, the frame being worked on breathes (and stands still under reduced motion).
 */
import { isFinal, type Status, statusLabels } from './format.ts'
import './progress-strip.css'

const FRAMES = 24

type Props = {
  status: Status
  /** 0 to 100 */
  progress: number
  /** What is being made, for a screen reader. */
  label: string
  /** One line high, for lists. */
  thin?: boolean
}

export function ProgressStrip({ status, progress, label, thin = false }: Props) {
  const exposed = Math.floor((progress / 100) * FRAMES)
  const now = isFinal(status) ? -1 : Math.min(exposed, FRAMES - 1)
  return (
    <div
      className={thin ? 'strip thin' : 'strip'}
      data-status={status}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={progress}
      aria-valuetext={status === 'GENERATING' ? `${statusLabels[status]}, ${progress} %` : statusLabels[status]}
    >
      {frames.map((frame) => (
        <span key={frame} data-frame={frame < exposed ? 'exposed' : frame === now ? 'now' : 'dark'} />
      ))}
    </div>
  )
}

const frames = Array.from({ length: FRAMES }, (_, index) => index)

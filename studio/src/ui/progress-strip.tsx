/**
 * A progress bar drawn as a film strip of 24 frames. The current frame pulses, because not every status reports a
 * percentage; under prefers-reduced-motion it does not.
 */
import { formatPercent, isFinal, type Status, statusLabels } from './format.ts'
import './progress-strip.css'

const FRAMES = 24

type Props = {
  status: Status
  /** 0 to 100 */
  progress: number
  /** The accessible name. */
  label: string
  /** What it says of itself, where that is not the status of a film. */
  text?: string
  /** 6 px instead of 16 px high, for lists. */
  thin?: boolean
}

export function ProgressStrip({ status, progress, label, text, thin = false }: Props) {
  const exposed = Math.floor((progress / 100) * FRAMES)
  const current = isFinal(status) ? -1 : Math.min(exposed, FRAMES - 1)
  return (
    <div
      className={thin ? 'strip thin' : 'strip'}
      data-status={status}
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={progress}
      aria-valuetext={text ?? textOf(status, progress)}
    >
      {frames.map((frame) => (
        <span key={frame} data-frame={frame < exposed ? 'exposed' : frame === current ? 'current' : 'dark'} />
      ))}
    </div>
  )
}

const textOf = (status: Status, progress: number): string =>
  status === 'GENERATING' ? `${statusLabels()[status]}, ${formatPercent(progress / 100)}` : statusLabels()[status]

const frames = Array.from({ length: FRAMES }, (_, index) => index)

/** What has happened to a film, line by line, for the formats whose requests have logs. */
import type { VideoView } from './video-view.ts'

type Line = { at: Date; level: 'INFO' | 'ERROR'; message: string }

export function logOf(video: VideoView): Line[] {
  const { model, durationS, aspectRatio, quality, status, progress, createdAt, acceptedAt } = video
  const { completedAt, failedAt, failure } = video
  const lines: [at: Date | null, message: string | false | undefined, level?: 'ERROR'][] = [
    [createdAt, `Requested: ${model}, ${durationS} s, ${aspectRatio}, ${quality}.`],
    [acceptedAt, 'A provider has accepted the task.'],
    // In the form from which Replicate's package reads the progress.
    [acceptedAt, status === 'GENERATING' && `${progress}%|${'█'.repeat(progress / 10)} | ${progress}/100`],
    [acceptedAt, status === 'UPLOADING' && 'The film is made, and is being checked and stored.'],
    [completedAt, 'The film is ready.'],
    [failedAt, failure?.message, 'ERROR'],
  ]
  return lines.flatMap(([at, message, level]): Line[] =>
    at && message ? [{ at, level: level ?? 'INFO', message }] : [],
  )
}

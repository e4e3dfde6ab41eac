/** All facts of a film; what is not known yet is a dash, so that nothing moves when it comes. */
import type { Video } from '@kinora/client'
import { useModelNames } from '../model-name.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Fact } from '../ui/fact.tsx'
import { clock, formatBytes, formatDateTime, formatNumber, type Status, statusLabels } from '../ui/format.ts'
import css from './player.module.css'
import type { ListedVideo } from './video-list.ts'

const kinds = { COMPLETED: 'done', FAILED: 'failed', PENDING: 'running', GENERATING: 'running', UPLOADING: 'running' }

export function VideoDetails({ film, detail }: { film: ListedVideo; detail: Video | undefined }) {
  const { status, uuid } = film
  const nameOf = useModelNames()
  const prompt = detail?.prompt ?? film.prompt
  return (
    <section className="panel" aria-label="Facts">
      <div className={css.promptBox}>
        <div className={css.promptHead}>
          <h2>Prompt</h2>
          <CopyButton kind="quiet" text={prompt} label="Copy prompt" />
        </div>
        <p className={css.prompt}>{prompt}</p>
      </div>
      <dl className="facts">
        <Fact name="Status">
          <span className="mark" data-kind={kinds[status satisfies Status]}>
            {statusLabels[status]}
          </span>
        </Fact>
        <Fact name="Model">{nameOf(film.model)}</Fact>
        <Fact name="Length">{status === 'COMPLETED' ? `${film.duration} s` : `${film.duration} s asked for`}</Fact>
        <Fact name="Shape">{film.aspectRatio}</Fact>
        <Fact name="Quality">{detail?.resolution}</Fact>
        <Fact name="Size">{detail?.fileSize == null ? null : formatBytes(detail.fileSize)}</Fact>
        <Fact name="Made in">{detail?.generationTime == null ? null : clock(detail.generationTime)}</Fact>
        <Fact name="Provider">{detail?.provider}</Fact>
        {detail?.startImageUrl ? <Fact name="Start image">{detail.startImageUrl}</Fact> : null}
        <Fact name="Created">{formatDateTime(film.createdAt)}</Fact>
        <Fact name="Credits">{formatNumber(film.creditsUsed)}</Fact>
      </dl>
      <div className={css.uuid}>
        <code>{uuid}</code>
        <CopyButton kind="quiet" text={uuid} label="Copy uuid" />
      </div>
    </section>
  )
}

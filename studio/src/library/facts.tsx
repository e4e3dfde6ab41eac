/** All facts of a film; what is not known yet is a dash, so that nothing moves when it comes. */
import type { Video } from '@kinora/client'
import { useModelNames } from '../model-name.ts'
import { Copy } from '../ui/copy.tsx'
import { Fact } from '../ui/fact.tsx'
import { atMinute, bytes, clock, number, type Status, stage } from '../ui/format.ts'
import type { Film } from './films.ts'
import css from './player.module.css'

const kinds = { COMPLETED: 'done', FAILED: 'failed', PENDING: 'running', GENERATING: 'running', UPLOADING: 'running' }

export function Facts({ film, detail }: { film: Film; detail: Video | undefined }) {
  const { status, uuid } = film
  const nameOf = useModelNames()
  const prompt = detail?.prompt ?? film.prompt
  return (
    <section className="panel" aria-label="Facts">
      <div className={css.promptBox}>
        <div className={css.promptHead}>
          <h2>Prompt</h2>
          <Copy kind="quiet" text={prompt} label="Copy prompt" />
        </div>
        <p className={css.prompt}>{prompt}</p>
      </div>
      <dl className="facts">
        <Fact name="Status">
          <span className="mark" data-kind={kinds[status satisfies Status]}>
            {stage[status]}
          </span>
        </Fact>
        <Fact name="Model">{nameOf(film.model)}</Fact>
        <Fact name="Length">{status === 'COMPLETED' ? `${film.duration} s` : `${film.duration} s asked for`}</Fact>
        <Fact name="Shape">{film.aspectRatio}</Fact>
        <Fact name="Quality">{detail?.resolution}</Fact>
        <Fact name="Size">{detail?.fileSize == null ? null : bytes(detail.fileSize)}</Fact>
        <Fact name="Made in">{detail?.generationTime == null ? null : clock(detail.generationTime)}</Fact>
        <Fact name="Provider">{detail?.provider}</Fact>
        {detail?.startImageUrl ? <Fact name="Start image">{detail.startImageUrl}</Fact> : null}
        <Fact name="Created">{atMinute(film.createdAt)}</Fact>
        <Fact name="Credits">{number(film.creditsUsed)}</Fact>
      </dl>
      <div className={css.uuid}>
        <code>{uuid}</code>
        <Copy kind="quiet" text={uuid} label="Copy uuid" />
      </div>
    </section>
  )
}

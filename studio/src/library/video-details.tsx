/** All details of a video. A value that is not loaded yet is a dash, so the layout does not shift. */
import type { Video } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ListedVideo, taskQuery } from '../api.ts'
import { useModelNames } from '../model-name.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Fact } from '../ui/fact.tsx'
import { formatBytes, formatClock, formatDateTime, formatNumber, isFinal } from '../ui/format.ts'
import { StatusBadge } from '../video/status-badge.tsx'
import styles from './player.module.css'

export function VideoDetails({ video, detail }: { video: ListedVideo; detail: Video | undefined }) {
  const { uuid } = video
  // The stage shows the task: both read the same, so that the page does not say two things at once.
  const task = useQuery({ ...taskQuery(uuid), enabled: !isFinal(video.status) }).data
  const status = isFinal(video.status) ? video.status : (task?.status ?? video.status)
  const nameOf = useModelNames()
  const prompt = detail?.prompt ?? video.prompt
  const source = detail?.upscaledFrom ?? detail?.extendedFrom
  return (
    <section className="panel" aria-label={t`Facts`}>
      <div className={styles.promptBox}>
        <div className={styles.promptHead}>
          <h2>{t`Prompt`}</h2>
          <CopyButton kind="quiet" text={prompt} label={t`Copy prompt`} />
        </div>
        <p className={styles.prompt} dir="auto">
          {prompt}
        </p>
      </div>
      <dl className="facts">
        <Fact name={t`Status`}>
          <StatusBadge status={status} failure={detail?.failure ?? task?.failure} />
        </Fact>
        <Fact name={t`Model`}>{nameOf(video.model)}</Fact>
        <Fact name={t`Duration`}>
          {status === 'COMPLETED' ? t`${video.duration} s` : t`${video.duration} s asked for`}
        </Fact>
        <Fact name={t`Aspect ratio`}>{video.aspectRatio}</Fact>
        <Fact name={t`Quality`}>{detail?.resolution}</Fact>
        <Fact name={t`Size`}>{detail?.fileSize == null ? null : formatBytes(detail.fileSize)}</Fact>
        <Fact name={t`Generation time`}>
          {detail?.generationTime == null ? null : formatClock(detail.generationTime)}
        </Fact>
        <Fact name={t`Provider`}>{detail?.provider}</Fact>
        {video.seed === null ? null : <Fact name={t`Seed`}>{video.seed}</Fact>}
        {detail?.startImageUrl ? (
          <Fact name={t`Start image`}>
            <a href={detail.startImageUrl} target="_blank" rel="noreferrer">
              {t`Open the image`}
            </a>
          </Fact>
        ) : null}
        {source ? (
          <Fact name={detail?.upscaledFrom ? t`Upscaled from` : t`Extended from`}>
            <Link to="/library/$uuid" params={{ uuid: source }}>
              {t`Open the film`}
            </Link>
          </Fact>
        ) : null}
        {detail?.provenance ? (
          <Fact name={t`Content credentials`}>
            {detail.provenance.signed ? t`Signed by ${detail.provenance.signer ?? '–'}` : t`Not signed`}
          </Fact>
        ) : null}
        <Fact name={t`Created`}>{formatDateTime(video.createdAt)}</Fact>
        <Fact name={t`Credits`}>{formatNumber(video.creditsUsed)}</Fact>
        {video.subject === null ? null : (
          <Fact name={t`Visitor`}>
            <Link to="/library" search={{ subject: video.subject }} title={t`All films of this visitor`}>
              {video.subject}
            </Link>
          </Fact>
        )}
      </dl>
      {video.metadata === null ? null : (
        <>
          <h3>{t`Metadata`}</h3>
          <dl className={styles.metadata}>
            {Object.entries(video.metadata).map(([name, value]) => (
              <div key={name}>
                <dt dir="auto">{name}</dt>
                <dd dir="auto">{value}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <div className={styles.uuid}>
        <code>{uuid}</code>
        <CopyButton kind="quiet" text={uuid} label={t`Copy uuid`} />
      </div>
    </section>
  )
}

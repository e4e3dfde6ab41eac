/**
 * One video with its details. Renders the cached list row at once and adds the details when they load. An unknown, a
 * deleted and another user's video look the same, as in the API, which returns 404 for all three.
 */

import type { Video } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type ListedVideo, modelsQuery, taskQuery, videoQuery } from '../api.ts'
import { isCut } from '../cuts.ts'
import { useFilmNames } from '../film-name.ts'
import { failureText } from '../i18n/service-text.ts'
import { useModelNames } from '../model-name.ts'
import { pictureIn, WaitingPicture } from '../studio/waiting-picture.tsx'
import { Button, buttonClass } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Fact } from '../ui/fact.tsx'
import {
  formatBytes,
  formatClock,
  formatDateTime,
  formatNumber,
  formatPercent,
  isFinal,
  statusLabels,
  truncate,
} from '../ui/format.ts'
import { PageTitle } from '../ui/page.tsx'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { EmptyState, ErrorState, LoadingState } from '../ui/states.tsx'
import { AiMark } from '../video/ai-mark.tsx'
import { aspectRatioStyle, DEFAULT_ASPECT_RATIO } from '../video/aspect-ratio.ts'
import { Elapsed } from '../video/elapsed.tsx'
import stageStyles from '../video/film-stage.module.css'
import { EarlyPoster } from '../video/poster.tsx'
import { RefundNote } from '../video/refund-note.tsx'
import { StatusBadge } from '../video/status-badge.tsx'
import { useDeletedUuids } from './deletion.ts'
import { MadeFrom } from './made-from.tsx'
import styles from './player.module.css'
import { type AdjacentVideos, useAdjacentVideos, useArrowKeys, useBackToLibrary } from './player-navigation.ts'
import { RemovedFilm } from './removed-film.tsx'
import { VideoActions } from './video-actions.tsx'
import { lastViewedVideos } from './video-list.ts'
import { VideoPlayer } from './video-player.tsx'

const route = getRouteApi('/signed-in/library/$uuid')

export function PlayerPage() {
  const { uuid } = route.useParams()
  const { data, error, refetch, isFetching } = useQuery(videoQuery(uuid))
  const isDeleted = useDeletedUuids().has(uuid)
  // What one does with a film follows from the models: both are shown at once, so that nothing moves.
  const { isPending: areModelsPending } = useQuery(modelsQuery)
  const known = data ?? lastViewedVideos().find((each) => each.uuid === uuid)
  const shown = areModelsPending ? undefined : known
  const filmName = useFilmNames()
  const adjacent = useAdjacentVideos(uuid)
  const backToLibrary = useBackToLibrary({ replace: true })
  useArrowKeys(adjacent)
  // While the query runs, the link of a film that was completed a moment ago may still be on its way.
  const isFilmRemoved = data?.status === 'COMPLETED' && !data.videoUrl && !isFetching
  if (isDeleted || error?.code === 'NOT_FOUND') return <NotFound />
  return (
    <div className={`page ${styles.page}`}>
      <PageTitle of={[shown ? truncate(filmName(shown), 60) : t`Film`]} />
      <h1 className="hidden-text">{t`Film`}</h1>
      <PlayerNav {...adjacent} />
      {error && !shown ? <ErrorState error={error} retry={() => refetch()} /> : null}
      {shown ? (
        <div className={`columns ${styles.columns}`} key={uuid}>
          <div className="stack">
            {shown.status === 'FAILED' ? (
              <FailedStatus uuid={uuid} detail={data} />
            ) : isFilmRemoved ? (
              <RemovedFilm uuid={uuid} className={styles.overlay} />
            ) : (
              <Stage aspectRatio={shown.aspectRatio} uuid={uuid}>
                {isFinal(shown.status) ? null : (
                  <>
                    <WaitingPicture model={shown.model} picture={pictureIn(data?.inputs)} />
                    <GeneratingStatus video={shown} />
                  </>
                )}
                {shown.videoUrl ? <VideoPlayer uuid={uuid} src={shown.videoUrl} poster={shown.thumbnailUrl} /> : null}
              </Stage>
            )}
            {shown.videoUrl ? (
              <p className="quiet">
                <AiMark model={shown.model} madeAt={shown.completedAt} />
              </p>
            ) : null}
            <VideoActions video={shown} onLeave={backToLibrary} />
          </div>
          <VideoDetails video={shown} detail={data} />
        </div>
      ) : null}
      {shown || error ? null : (
        <LoadingState label={t`Loading the film`}>
          <div className={`columns ${styles.columns}`}>
            <Stage aspectRatio={DEFAULT_ASPECT_RATIO}>
              <EarlyPoster at={0} />
            </Stage>
            <div className="panel" />
          </div>
        </LoadingState>
      )}
    </div>
  )
}

/** The frame of the video: its aspect ratio, at most the viewport's height, and the name of the view transition. */
function Stage({ aspectRatio, uuid, children }: { aspectRatio: string; uuid?: string; children?: ReactNode }) {
  const style = { ...aspectRatioStyle(aspectRatio), ...(uuid ? { viewTransitionName: `video-${uuid}` } : {}) }
  return (
    <div className={stageStyles.stage} style={style}>
      {children}
    </div>
  )
}

function PlayerNav({ previous, next }: AdjacentVideos) {
  const backToLibrary = useBackToLibrary()
  return (
    <nav className={styles.nav} aria-label={t`Films`}>
      <Button kind="quiet" onClick={backToLibrary}>
        {t`← Library`}
      </Button>
      <span className={styles.adjacent}>
        <AdjacentLink uuid={previous}>{t`Previous`}</AdjacentLink>
        <AdjacentLink uuid={next}>{t`Next`}</AdjacentLink>
      </span>
    </nav>
  )
}

function AdjacentLink({ uuid, children }: { uuid: string | undefined; children: ReactNode }) {
  if (!uuid) return null
  return (
    <Link
      to="/library/$uuid"
      params={{ uuid }}
      replace
      state={(state) => state}
      resetScroll={false}
      className={buttonClass('quiet')}
    >
      {children}
    </Link>
  )
}

function NotFound() {
  const backToLibrary = useBackToLibrary()
  return (
    <div className="page">
      <PageTitle of={[t`No such film`]} />
      <h1>{t`Film`}</h1>
      <EmptyState
        action={
          <Button kind="primary" onClick={backToLibrary}>
            {t`Back to the library`}
          </Button>
        }
      >
        {t`This film does not exist or was deleted.`}
      </EmptyState>
    </div>
  )
}

/** What the player shows while there is no video file: the progress, or the reason of the failure. */
function GeneratingStatus({ video }: { video: ListedVideo }) {
  const { data } = useQuery(taskQuery(video.uuid))
  const { status, progress } = data ?? { status: video.status, progress: 0 }
  return (
    <div className={styles.overlay}>
      <div className={styles.statusLine}>
        <p className={styles.status} role="status">
          {statusLabels()[status]}
        </p>
        <p className="quiet">
          {progress > 0 ? `${formatPercent(progress / 100)} · ` : ''}
          <Elapsed since={video.createdAt} until={null} />
        </p>
      </div>
      <ProgressStrip status={status} progress={progress} label={t`Progress of this film`} />
      <p className="quiet small">{t`You can leave this page; the film is made all the same.`}</p>
    </div>
  )
}

function FailedStatus({ uuid, detail }: { uuid: string; detail: Video | undefined }) {
  return (
    <div className={styles.overlay}>
      {detail ? (
        <p>
          <StatusBadge status="FAILED" failure={detail.failure} />
        </p>
      ) : null}
      <p className={styles.reason}>{detail?.error ? failureText(detail.error) : null}</p>
      <RefundNote uuid={uuid} />
    </div>
  )
}

/** All details of a video. A value that is not loaded yet is a dash, so the layout does not shift. */
function VideoDetails({ video, detail }: { video: ListedVideo; detail: Video | undefined }) {
  const { uuid } = video
  // The stage shows the task: both read the same, so that the page does not say two things at once.
  const task = useQuery({ ...taskQuery(uuid), enabled: !isFinal(video.status) }).data
  const status = isFinal(video.status) ? video.status : (task?.status ?? video.status)
  const nameOf = useModelNames()
  const prompt = detail?.prompt ?? video.prompt
  return (
    <section className="panel" aria-label={t`Facts`}>
      {prompt ? (
        <div className={styles.promptBox}>
          <div className={styles.promptHead}>
            <h2>{t`Prompt`}</h2>
            <CopyButton kind="quiet" text={prompt} label={t`Copy prompt`} />
          </div>
          <p className={styles.prompt} dir="auto">
            {prompt}
          </p>
        </div>
      ) : null}
      <dl className="facts">
        <Fact name={t`Status`}>
          <StatusBadge status={status} failure={detail?.failure ?? task?.failure} />
        </Fact>
        <Fact name={t`Model`}>{nameOf(video.model) ?? '\u00a0'}</Fact>
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
        {detail?.inputs ? (
          <Fact name={t`Made from`}>
            <MadeFrom uuid={uuid} inputs={detail.inputs} isCut={isCut(video)} />
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

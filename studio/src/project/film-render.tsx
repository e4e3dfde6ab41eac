/** The whole film as one file: rendered by the service, with its progress, and what came of it. */
import type { Schemas, Video } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { hashKey, queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { dataOf, kinora, refreshQueries, videoQuery } from '../api.ts'
import { failureText } from '../i18n/service-text.ts'
import { useIdempotencyKeys } from '../idempotency-key.ts'
import { VideoPlayer } from '../library/video-player.tsx'
import { useSingleFlight } from '../single-flight.ts'
import { CancelButton } from '../studio/cancel-button.tsx'
import { isOutcomeUnknown } from '../studio/form-values.ts'
import { useTask } from '../studio/recent-query.ts'
import { isAtLeast, useTeam } from '../team.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { formatCredits, formatPercent, formatRelativeTime, isFinal } from '../ui/format.ts'
import { ProgressStrip } from '../ui/progress-strip.tsx'
import { ErrorState } from '../ui/states.tsx'
import { aspectRatioStyle } from '../video/aspect-ratio.ts'
import { StatusBadge } from '../video/status-badge.tsx'
import { downloadUrl } from '../video/unplayable-film.tsx'
import { messageOf } from './film-price.ts'
import styles from './project.module.css'
import { type Project, projectQuery } from './queries.ts'

/** Of the project's queries, so that it is read again with them. */
const cutQuery = (projectId: string, cutId: string) =>
  queryOptions({ ...videoQuery(cutId), queryKey: [...projectQuery(projectId).queryKey, 'cut', cutId] })

const ATTEMPTS_MAX = 4

function useRender(project: Project) {
  const { keyOf, settle } = useIdempotencyKeys()
  const { id, aspectRatio, fit, sound, shots } = project
  // Rendered again once something has changed.
  const fingerprint = hashKey([aspectRatio, fit, sound, shots.map(({ takeId, inMs, outMs }) => [takeId, inMs, outMs])])
  return useSingleFlight({
    mutationFn: () =>
      dataOf(
        kinora.POST('/api/v1/project/{id}/render', {
          params: { path: { id }, header: { 'idempotency-key': keyOf(fingerprint) } },
        }),
      ),
    retry: (failureCount, error) =>
      error.code !== 'CONFLICT' && isOutcomeUnknown(error) && failureCount < ATTEMPTS_MAX - 1,
    // Exponential backoff: 0.5 s, 1 s, 2 s.
    retryDelay: (failureCount) => 500 * 2 ** failureCount,
    onSuccess: async () => {
      settle(fingerprint)
      await refreshQueries(projectQuery(id).queryKey)
    },
    onError: (error) => {
      if (!isOutcomeUnknown(error)) settle(fingerprint)
    },
  })
}

type Props = { project: Project; quoted: Schemas['QuotedRender'] | undefined }

/** @param props `quoted`: what rendering costs, or why it is refused; undefined: not known yet */
export function FilmRender({ project, quoted }: Props) {
  const { id, cutId } = project
  const cut = useQuery({ ...cutQuery(id, cutId ?? ''), enabled: cutId !== null })
  const isMaker = isAtLeast(useTeam(), 'maker')
  const render = useRender(project)
  const isRendering = cut.data ? !isFinal(cut.data.status) : cut.isLoading
  const isReady = quoted?.refusal === null
  const name = cut.data ? t`Render again` : t`Render the film`
  return (
    <section className={styles.render} aria-label={t`One file`}>
      {cut.data ? <Cut cut={cut.data} project={project} /> : null}
      {render.error ? <ErrorState error={render.error} /> : null}
      {isMaker && !isRendering ? (
        <>
          <Button
            kind={isReady && (cut.data?.status !== 'COMPLETED' || isOlder(cut.data, project)) ? 'primary' : 'plain'}
            busy={render.isPending}
            disabled={!isReady}
            onClick={() => render.mutate()}
          >
            {quoted?.credits ? `${name} · ${formatCredits(quoted.credits)}` : name}
          </Button>
          {quoted?.refusal ? <p className="quiet small">{refusalText(quoted.refusal)}</p> : null}
        </>
      ) : null}
    </section>
  )
}

/** Shots without a take are the common case, of which the list of shots says more. */
const refusalText = ({ code, message }: { code: string; message: string }): string =>
  code === 'CONFLICT' ? t`Once each shot has a finished take.` : messageOf({ code, message })

function Cut({ cut, project }: { cut: Video; project: Project }) {
  const { uuid, videoUrl, thumbnailUrl, createdAt } = cut
  const { status, progress, error, failure } = useTask(cut)
  if (status === 'FAILED')
    return (
      <div className="stack">
        <StatusBadge status={status} failure={failure} />
        {error ? <p className={styles.reason}>{failureText(error)}</p> : null}
      </div>
    )
  if (status !== 'COMPLETED' || !videoUrl)
    return (
      <div className={styles.rendering}>
        <p role="status">
          {t`Rendering`} {progress > 0 ? <span className="quiet">{formatPercent(progress / 100)}</span> : null}
        </p>
        <ProgressStrip status={status} progress={progress} label={t`Rendering of ${project.name}`} />
        <CancelButton uuid={uuid} status={status} />
      </div>
    )
  return (
    <div className={styles.rendering}>
      <div className={styles.result} style={aspectRatioStyle(cut.aspectRatio)}>
        <VideoPlayer key={uuid} uuid={uuid} src={videoUrl} poster={thumbnailUrl} />
      </div>
      <p className="quiet small">
        {isOlder(cut, project)
          ? t`The project has changed since this was rendered.`
          : t`Rendered ${formatRelativeTime(createdAt)}`}
      </p>
      <div className="row">
        <a className={buttonClass()} href={downloadUrl(videoUrl, project.name)} download>
          {t`Download`}
        </a>
        <Link to="/library/$uuid" params={{ uuid }} className={buttonClass()}>
          {t`Share or publish…`}
        </Link>
      </div>
    </div>
  )
}

/** Whether something of the project was changed after the cut was begun. */
const isOlder = ({ createdAt }: Video, { updatedAt, shots }: Project): boolean =>
  [updatedAt, ...shots.map(({ changedAt }) => changedAt)].some((time) => Date.parse(time) > Date.parse(createdAt))

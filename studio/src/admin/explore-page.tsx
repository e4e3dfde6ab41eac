/** Reported films of Explore, the longest waiting first: an administrator removes a film, or leaves it and closes its reports. */
import type { Schemas } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { RemoveForm } from '../explore/remove-form.tsx'
import { reasonLabels } from '../explore/report-form.tsx'
import { useModelNames } from '../model-name.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { formatDateTime, formatRelativeTime } from '../ui/format.ts'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { aspectRatioStyle } from '../video/aspect-ratio.ts'
import stageStyles from '../video/film-stage.module.css'
import styles from './explore-page.module.css'
import { OwnerLink } from './owner-link.tsx'
import { ReasonForm } from './reason-form.tsx'

type ReportedFilm = Schemas['ReportedFilm']

const reportedQuery = infiniteQueryOptions({
  queryKey: ['admin', 'explore'],
  queryFn: ({ pageParam, signal }) => {
    const query = { pageSize: 10, ...(pageParam ? { cursor: pageParam } : {}) }
    return dataOf(kinora.GET('/api/v1/admin/explore/reports', { params: { query }, signal }))
  },
  initialPageParam: '',
  getNextPageParam: ({ nextCursor }) => nextCursor,
})

export function AdminExplorePage() {
  const list = useInfiniteQuery(reportedQuery)
  const films = list.data?.pages.flatMap((page) => page.films)
  const [decided, setDecided] = useState<{ id: string; removes: boolean } | null>(null)
  const close = () => setDecided(null)
  return (
    <div className="page">
      <PageTitle of={[t`Explore`, t`Administration`]} />
      <h1>{t`Reported films`}</h1>
      {list.error && !films ? <ErrorState error={list.error} retry={() => list.refetch()} /> : null}
      {list.isPending ? <TableSkeleton label={t`Loading the films`} /> : null}
      {films?.length === 0 && !list.hasNextPage ? (
        <EmptyState>{t`No report waits. Films that users report will be listed here.`}</EmptyState>
      ) : null}
      {films?.length ? (
        <ul className="stack" aria-label={t`Reported films`}>
          {films.map((film) => (
            <Reported key={film.id} film={film} onDecide={(removes) => setDecided({ id: film.id, removes })} />
          ))}
        </ul>
      ) : null}
      {list.hasNextPage ? <ShowMore list={list} /> : null}
      {decided ? (
        <Dialog open onClose={close} title={decided.removes ? t`Remove this film?` : t`Leave this film?`}>
          {decided.removes ? (
            <RemoveForm id={decided.id} onCancel={close} onDone={close} />
          ) : (
            <KeepForm id={decided.id} onClose={close} />
          )}
        </Dialog>
      ) : null}
    </div>
  )
}

function Reported({ film, onDecide }: { film: ReportedFilm; onDecide: (removes: boolean) => void }) {
  const { uuid, prompt, model, aspectRatio, videoUrl, thumbnailUrl, openReports, reports } = film
  const nameOf = useModelNames()
  return (
    <li className={`panel ${styles.film}`}>
      <div className={stageStyles.stage} style={aspectRatioStyle(aspectRatio)}>
        <video
          className={stageStyles.video}
          src={videoUrl}
          poster={thumbnailUrl}
          preload="none"
          muted
          loop
          controls
          playsInline
        >
          {/* Generated videos have no captions. Accessibility linting requires a track; an empty one shows no button. */}
          <track kind="captions" />
        </video>
      </div>
      <div className="stack">
        <h2>{plural(openReports, { one: '# report', other: '# reports' })}</h2>
        <ul className={styles.reports}>
          {reports.map(({ userId: reporter, reason, note, createdAt }) => (
            <li key={reporter}>
              <span>{reasonLabels[reason]}</span>
              {note ? <q className={styles.note}>{note}</q> : null}
              <span className="quiet small" title={formatDateTime(createdAt)}>
                {formatRelativeTime(createdAt)}
              </span>
            </li>
          ))}
        </ul>
        <p className={styles.prompt} dir="auto">
          {prompt}
        </p>
        <p className="quiet small">
          {nameOf(model)}
          {' · '}
          <OwnerLink of={film} isInText />
          {' · '}
          <Link to="/admin/videos/$uuid" params={{ uuid }}>
            {t`The film`}
          </Link>
          {film.isPublished ? null : ` · ${t`Taken back by its maker`}`}
        </p>
        <div className="row">
          <Button kind="danger" onClick={() => onDecide(true)}>{t`Remove`}</Button>
          <Button onClick={() => onDecide(false)}>{t`Leave it`}</Button>
        </div>
      </div>
    </li>
  )
}

function KeepForm({ id, onClose }: { id: string; onClose: () => void }) {
  const keep = useSingleFlight({
    mutationKey: ['explore', 'decide', id],
    mutationFn: (reason: string) =>
      dataOf(
        kinora.POST('/api/v1/admin/explore/{id}/decide', {
          params: { path: { id } },
          body: { removes: false, reason },
        }),
      ),
    onSuccess: async () => {
      onClose()
      toast({ text: t`The film stays on Explore.` })
      await refreshQueries(['admin', 'explore'])
    },
  })
  return (
    <ReasonForm change={keep} submitLabel={t`Leave it`} onCancel={onClose}>
      <p>{t`Its reports are closed. Users who have not reported it may do so.`}</p>
    </ReasonForm>
  )
}

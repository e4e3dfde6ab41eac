/** Reported films of Explore, the longest waiting first: an administrator removes a film or closes its reports. */

import type { Schemas } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { RemoveForm } from '../explore/remove-form.tsx'
import { reasonLabels } from '../explore/report-form.tsx'
import { useModelNames } from '../model-name.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { formatDateTime, formatRelativeTime } from '../ui/format.ts'
import { InfiniteCards } from '../ui/infinite-cards.tsx'
import { PagedList } from '../ui/infinite-list.tsx'
import { pagedQuery, usePages } from '../ui/infinite-pages.ts'
import { aspectRatioStyle } from '../video/aspect-ratio.ts'
import stageStyles from '../video/film-stage.module.css'
import { FilmVideo } from '../video/film-video.tsx'
import styles from './explore-page.module.css'
import { AdminPage } from './kit.tsx'
import { OwnerLink } from './owner-link.tsx'
import { ReasonDialog } from './reason-form.tsx'

type ReportedFilm = Schemas['ReportedFilm']

const reportedQuery = pagedQuery(
  ['admin', 'explore'],
  (query, signal) => kinora.GET('/api/v1/admin/explore/reports', { params: { query }, signal }),
  { pageSize: 10 },
)

export function AdminExplorePage() {
  const list = usePages(reportedQuery)
  const [decided, setDecided] = useState<{ id: string; removes: boolean } | null>(null)
  const close = () => setDecided(null)
  return (
    <AdminPage title={t`Explore`} heading={<h1>{t`Reported films`}</h1>}>
      <PagedList
        list={list}
        rowsOf={(page) => page.films}
        loading={t`Loading the films`}
        empty={list.hasNextPage ? null : t`No report waits. Films that users report will be listed here.`}
      >
        {(films) => (
          <InfiniteCards
            className="stack"
            cardClass={`panel ${styles.film}`}
            label={t`Reported films`}
            rows={films}
            keyOf={({ id }) => id}
          >
            {(film) => <Reported film={film} onDecide={(removes) => setDecided({ id: film.id, removes })} />}
          </InfiniteCards>
        )}
      </PagedList>
      {decided?.removes ? (
        <Dialog open onClose={close} title={t`Remove this film?`}>
          <RemoveForm id={decided.id} onCancel={close} onDone={close} />
        </Dialog>
      ) : null}
      {decided?.removes === false ? <KeepDialog id={decided.id} onClose={close} /> : null}
    </AdminPage>
  )
}

function Reported({ film, onDecide }: { film: ReportedFilm; onDecide: (removes: boolean) => void }) {
  const { uuid, prompt, model, aspectRatio, videoUrl, thumbnailUrl, openReports, reports } = film
  const nameOf = useModelNames()
  return (
    <>
      <div className={stageStyles.stage} style={aspectRatioStyle(aspectRatio)}>
        <FilmVideo src={videoUrl} poster={thumbnailUrl} preload="none" muted loop />
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
          {nameOf(model) ?? '\u00a0'}
          {' · '}
          <OwnerLink of={film} isInText />
          {' · '}
          <Link to="/admin/videos/$uuid" params={{ uuid }}>
            {t`The film`}
          </Link>
          {' · '}
          <Link to="/admin/takedowns" search={{ link: uuid }}>
            {t`Take it down`}
          </Link>
          {film.isPublished ? null : ` · ${t`Taken back by its maker`}`}
        </p>
        <div className="row">
          <Button kind="danger" onClick={() => onDecide(true)}>{t`Remove`}</Button>
          <Button onClick={() => onDecide(false)}>{t`Leave it`}</Button>
        </div>
      </div>
    </>
  )
}

const KeepDialog = ({ id, onClose }: { id: string; onClose: () => void }) => (
  <ReasonDialog
    title={t`Leave this film?`}
    submitLabel={t`Leave it`}
    mutationKey={['explore', 'decide', id]}
    send={(reason) => {
      const request = { params: { path: { id } }, body: { removes: false, reason } }
      return dataOf(kinora.POST('/api/v1/admin/explore/{id}/decide', request))
    }}
    refresh={() => refreshQueries(['admin', 'explore'])}
    done={t`The film stays on Explore.`}
    onClose={onClose}
  >
    <p>{t`Its reports are closed. Users who have not reported it may do so.`}</p>
  </ReasonDialog>
)

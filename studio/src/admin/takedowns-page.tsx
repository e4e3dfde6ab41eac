/** Takedowns page: finds a film by a link, hides or removes it with a statement of reasons, and answers objections. */

import type { Schemas } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { groundLabels, restrictionLabels, sourceLabels } from '../takedown/labels.ts'
import { ActionDialog, ActionForm, useAction } from '../ui/action-form.tsx'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { Check, Field, LabelledControl, useFields } from '../ui/field.tsx'
import { formatList, formatUtcTime } from '../ui/format.ts'
import { PagedList } from '../ui/infinite-list.tsx'
import { pagedQuery, usePages } from '../ui/infinite-pages.ts'
import { Mark } from '../ui/mark.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { Select } from '../ui/select.tsx'
import { QueryState, SkeletonBlock } from '../ui/states.tsx'
import { aspectRatioStyle } from '../video/aspect-ratio.ts'
import stageStyles from '../video/film-stage.module.css'
import { FilmVideo } from '../video/film-video.tsx'
import exploreStyles from './explore-page.module.css'
import { AdminPage, tableClass } from './kit.tsx'
import { OwnerLink } from './owner-link.tsx'
import { ReasonDialog, ReasonField } from './reason-form.tsx'

type Film = Schemas['FilmToTakeDown']
type Takedown = Schemas['Takedown']

const takedownsQuery = pagedQuery(['admin', 'takedowns', 'list'], (query, signal) =>
  kinora.GET('/api/v1/admin/takedowns', { params: { query }, signal }),
)
const filmQuery = (link: string) =>
  queryOptions({
    queryKey: ['admin', 'takedowns', 'film', link],
    queryFn: ({ signal }) =>
      dataOf(kinora.GET('/api/v1/admin/takedowns/film', { params: { query: { link } }, signal })),
    enabled: link !== '',
    retry: false,
  })
const refresh = () => refreshQueries(['admin', 'takedowns'])

export function TakedownsPage() {
  const { link = '' } = useSearch({ from: '/signed-in/admin/takedowns' })
  const navigate = useNavigate()
  const film = useQuery(filmQuery(link))
  const list = usePages(takedownsQuery)
  const [answering, setAnswering] = useState<{ takedown: Takedown; lifts: boolean } | null>(null)
  return (
    <AdminPage title={t`Takedowns`}>
      <SearchField
        label={t`Link or uuid of a film`}
        placeholder={t`Paste a link of a share, of Explore, of a file, or a uuid`}
        text={link}
        charactersMax={2000}
        onSearch={(next, { replace }) =>
          void navigate({ to: '/admin/takedowns', search: next ? { link: next } : {}, replace })
        }
      />
      {link ? (
        <QueryState query={film} loading={t`Looking for the film`} skeleton={<SkeletonBlock height="320px" />}>
          {(found) => <FoundFilm key={found.uuid} film={found} />}
        </QueryState>
      ) : null}
      <h2>{t`Decisions`}</h2>
      <PagedList
        list={list}
        rowsOf={(page) => page.takedowns}
        loading={t`Loading the decisions`}
        empty={t`No film was taken down. Each decision will be listed here with its reasons.`}
      >
        {(takedowns) => (
          <TakedownTable takedowns={takedowns} onAnswer={(takedown, lifts) => setAnswering({ takedown, lifts })} />
        )}
      </PagedList>
      <p>
        <a className="button" href="/api/v1/admin/takedowns.csv" download>
          {t`All statements of reasons as CSV`}
        </a>
      </p>
      {answering ? <AnswerDialog {...answering} onClose={() => setAnswering(null)} /> : null}
    </AdminPage>
  )
}

function FoundFilm({ film }: { film: Film }) {
  const { uuid, aspectRatio, videoUrl, thumbnailUrl, takedown, others } = film
  const cuts = others.filter(({ isCut }) => isCut).length
  const [isReading, setReading] = useState(false)
  const [prompt, setPrompt] = useState<string | null>(null)
  const isFinal = takedown?.state === 'removed'
  return (
    <section className={`panel ${exploreStyles.film}`} aria-label={t`The film`}>
      <div className={stageStyles.stage} style={aspectRatioStyle(aspectRatio)}>
        {videoUrl ? (
          <FilmVideo src={videoUrl} poster={thumbnailUrl ?? ''} preload="none" muted loop />
        ) : (
          <p className="quiet">{t`Its files are gone.`}</p>
        )}
      </div>
      <div className="stack">
        <p>
          <OwnerLink of={film} isInText />
          {' · '}
          <Link to="/admin/videos/$uuid" params={{ uuid }}>{t`The film`}</Link>
          {film.isOwnerLocked ? ` · ${t`The account is locked`}` : null}
        </p>
        <p>{placesOf(film)}</p>
        {cuts > 0 ? <p>{plural(cuts, { one: '# cut contains it', other: '# cuts contain it' })}</p> : null}
        {prompt === null ? (
          <div>
            <Button onClick={() => setReading(true)}>{t`Read the prompt`}</Button>
          </div>
        ) : (
          <q className={exploreStyles.prompt} dir="auto">
            {prompt}
          </q>
        )}
        {takedown && takedown.state !== 'lifted' ? (
          <p role="status">
            {restrictionLabels[takedown.state]}: {takedown.rule}
          </p>
        ) : null}
        {isFinal ? null : <DecisionForm film={film} />}
      </div>
      {isReading ? <PromptDialog uuid={uuid} onRead={setPrompt} onClose={() => setReading(false)} /> : null}
    </section>
  )
}

function placesOf({ isShared, isPublished, isSample }: Film): string {
  const places = [
    isShared ? t`by a public link` : null,
    isPublished ? t`on Explore` : null,
    isSample ? t`as the sample of a model` : null,
  ].filter((place) => place !== null)
  return places.length > 0 ? t`Shown ${formatList(places)}.` : t`Only its maker sees it.`
}

const PromptDialog = ({
  uuid,
  onRead,
  onClose,
}: {
  uuid: string
  onRead: (prompt: string) => void
  onClose: () => void
}) => (
  <ReasonDialog
    title={t`Read the prompt?`}
    submitLabel={t`Read the prompt`}
    send={async (reason) => {
      const request = { params: { path: { uuid } }, body: { reason } }
      const { prompt, negativePrompt } = await dataOf(kinora.PUT('/api/v1/admin/videos/{uuid}/prompt', request))
      onRead([prompt, negativePrompt].filter(Boolean).join('\n'))
    }}
    onClose={onClose}
  >
    <p>{t`The audit keeps that you read it.`}</p>
  </ReasonDialog>
)

function DecisionForm({ film: { uuid, takedown } }: { film: Film }) {
  const isHidden = takedown?.state === 'hidden'
  const { values, text, check } = useFields({ rule: '', reason: '', isAutomated: false, removes: isHidden })
  const [ground, setGround] = useState<Takedown['ground']>('terms')
  const [source, setSource] = useState<Takedown['source']>('notice')
  const [isAsking, setAsking] = useState(false)
  const { isAutomated, removes } = values
  const body = { ground, source, isAutomated, removes, rule: values.rule.trim(), reason: values.reason.trim() }
  const asking = useAction({ send: async () => setAsking(true) })
  return (
    <>
      <ActionForm
        action={asking}
        kind="danger"
        submitLabel={removes ? t`Remove the film` : t`Hide the film`}
        isReady={body.rule !== '' && body.reason !== ''}
        onSubmit={() => setAsking(true)}
      >
        <LabelledControl
          label={t`Ground`}
          control={(props) => (
            <Select {...props} value={ground} options={groundLabels} onSelect={(next) => next && setGround(next)} />
          )}
        />
        <Field
          label={t`Rule`}
          hint={t`Which law, or which part of your terms.`}
          maxLength={500}
          required
          autoComplete="off"
          {...text('rule')}
        />
        <LabelledControl
          label={t`How it was found`}
          control={(props) => (
            <Select {...props} value={source} options={sourceLabels} onSelect={(next) => next && setSource(next)} />
          )}
        />
        <Check label={t`A program found it`} {...check('isAutomated')} />
        <ReasonField {...text('reason')} hint={t`The facts. The maker reads them, and the audit keeps them.`} />
        {isHidden ? null : <Check label={t`Delete its files too`} {...check('removes')} />}
      </ActionForm>
      {isAsking ? (
        <ActionDialog
          title={removes ? t`Remove this film everywhere?` : t`Hide this film everywhere?`}
          submitLabel={removes ? t`Remove` : t`Hide`}
          kind="danger"
          send={() => dataOf(kinora.PUT('/api/v1/admin/videos/{uuid}/takedown', { params: { path: { uuid } }, body }))}
          refresh={refresh}
          done={t`The film is taken down. Its maker gets the reasons.`}
          onClose={() => setAsking(false)}
        >
          <p>
            {t`It is gone at once from its link, Explore, samples, the library and the cuts that contain it, and its file is refused as an upload.`}
          </p>
          <p>
            {removes
              ? t`Its files are deleted. This cannot be undone.`
              : t`Its files are kept for 210 days, so that you can bring it back.`}
          </p>
        </ActionDialog>
      ) : null}
    </>
  )
}

type TableProps = { takedowns: Takedown[]; onAnswer: (takedown: Takedown, lifts: boolean) => void }

const TakedownTable = ({ takedowns, onAnswer }: TableProps) => (
  <DataTable
    className={tableClass('topAligned')}
    label={t`Decisions`}
    rows={takedowns}
    columns={[
      {
        head: t`Film`,
        isRowHead: true,
        cell: ({ uuid, decidedAt }) => (
          <Link to="/admin/takedowns" search={{ link: uuid }}>
            <time dateTime={decidedAt}>{formatUtcTime(decidedAt)}</time>
          </Link>
        ),
        below: (takedown) => <OwnerLink of={takedown} />,
      },
      {
        head: t`State`,
        cell: ({ state }) => <Mark label={restrictionLabels[state]} kind={state === 'lifted' ? 'none' : 'failed'} />,
      },
      { head: t`Why`, cell: ({ rule }) => rule, below: ({ reason }) => reason },
      {
        head: t`Objection`,
        cell: ({ objection }) => objection,
        below: ({ answer }) => answer && t`Answer: ${answer}`,
      },
      {
        head: t`Answer`,
        isAction: true,
        cell: (takedown) =>
          takedown.state === 'lifted' ? null : (
            <span className="row">
              <Button kind="quiet" onClick={() => onAnswer(takedown, true)}>{t`Lift`}</Button>
              {takedown.objectedAt && !takedown.answeredAt ? (
                <Button kind="quiet" onClick={() => onAnswer(takedown, false)}>{t`Let it stand`}</Button>
              ) : null}
            </span>
          ),
      },
    ]}
  />
)

const AnswerDialog = ({ takedown, lifts, onClose }: { takedown: Takedown; lifts: boolean; onClose: () => void }) => (
  <ReasonDialog
    title={lifts ? t`Lift this takedown?` : t`Let this takedown stand?`}
    submitLabel={lifts ? t`Lift` : t`Let it stand`}
    send={(reason) => {
      const request = { params: { path: { id: takedown.id } }, body: { lifts, reason } }
      return dataOf(kinora.PUT('/api/v1/admin/takedowns/{id}/answer', request))
    }}
    refresh={refresh}
    done={t`The maker gets your answer.`}
    onClose={onClose}
  >
    {takedown.objection ? <q dir="auto">{takedown.objection}</q> : null}
    <p>
      {lifts
        ? takedown.state === 'removed'
          ? t`Its files are deleted, so the film does not come back; its file may be uploaded again.`
          : t`The film is where it was before.`
        : t`The film stays taken down.`}
    </p>
  </ReasonDialog>
)

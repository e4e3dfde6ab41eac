/** Models page: every model of the catalogue with its routes, what they cost and earn, and the switches of both. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { formatCredits, formatRelativeTime } from '../ui/format.ts'
import { TableSkeleton } from '../ui/infinite-list.tsx'
import { pageTitle } from '../ui/page-title.ts'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { StatusFilter } from '../ui/status-filter.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import '../ui/field.css'
import adminStyles from './admin.module.css'
import { formatUsd } from './cost-queries.ts'
import styles from './models-page.module.css'
import { type AdminModel, modelsQuery } from './queries.ts'
import { OffReason, type Switch, SwitchDialog } from './switch-dialog.tsx'

type ModelState = AdminModel['state']
type Route = AdminModel['routes'][number]
type Mark = { label: string; kind: 'done' | 'failed' | 'running' | 'none' }

const modelStates: Record<ModelState, Mark> = {
  offered: { label: t`Offered`, kind: 'done' },
  off: { label: t({ message: 'Off', context: 'state of a model' }), kind: 'failed' },
  unavailable: { label: t`Unavailable`, kind: 'none' },
  waiting: { label: t`Waits for an account`, kind: 'none' },
  unlisted: { label: t`Not listed`, kind: 'none' },
}
const routeStates: Record<Route['state'], Mark> = {
  'in-use': { label: t`In use`, kind: 'done' },
  failing: { label: t`Failing, tried last`, kind: 'running' },
  off: { label: t({ message: 'Off', context: 'state of a model' }), kind: 'failed' },
  waiting: { label: t`No settings`, kind: 'none' },
}
const isState = (text: string | undefined): text is ModelState => text !== undefined && text in modelStates

export function ModelsPage() {
  const search = useSearch({ from: '/signed-in/admin/models' })
  const navigate = useNavigate({ from: '/admin/models' })
  const state = isState(search.state) ? search.state : undefined
  const { data, error, refetch } = useQuery(modelsQuery)
  const [shown, setShown] = useState<Switch | null>(null)
  const models = data?.models.filter((model) => state === undefined || model.state === state)
  return (
    <div className="page">
      <title>{pageTitle(t`Models`, t`Administration`)}</title>
      <div className="page-head">
        <h1>{t`Models`}</h1>
        <StatusFilter
          labels={modelStates}
          status={state}
          onChange={(next) => navigate({ search: next ? { state: next } : {}, replace: true })}
        />
      </div>
      {error ? <ErrorState error={error} retry={refetch} /> : null}
      {data?.catalogue.problems.length ? <Problems problems={data.catalogue.problems} /> : null}
      {models?.length === 0 ? <EmptyState>{t`No model is like this.`}</EmptyState> : null}
      {models?.length ? <ModelTable models={models} onSwitch={setShown} /> : null}
      {data || error ? null : <TableSkeleton label={t`Loading the models`} />}
      {shown ? <SwitchDialog change={shown} onClose={() => setShown(null)} /> : null}
    </div>
  )
}

const Problems = ({ problems }: { problems: string[] }) => (
  <section className="panel" aria-labelledby="catalogue-problems">
    <h2 id="catalogue-problems">{t`Mistakes in the catalogue`}</h2>
    <p className="quiet">{t`The changed files are not taken until these are repaired; the models of before stay in force.`}</p>
    <ul className={styles.problems} lang="en">
      {problems.map((problem) => (
        <li key={problem}>{problem}</li>
      ))}
    </ul>
  </section>
)

type Rows = { onSwitch: (change: Switch) => void }

const ModelTable = ({ models, onSwitch }: { models: AdminModel[] } & Rows) => (
  <div className={`${adminStyles.table} ${adminStyles.topAligned}`}>
    <TableFrame label={t`Models and their routes`}>
      <thead>
        <tr>
          <th scope="col">{t`Model or route`}</th>
          <th scope="col">{t`State`}</th>
          <th scope="col">{t`Price`}</th>
          <th scope="col">{t`Cost`}</th>
          <th scope="col">{t`Margin`}</th>
          <th scope="col">
            <span className="hidden-text">{t`Switch off or on`}</span>
          </th>
        </tr>
      </thead>
      {models.map((model) => (
        <tbody key={model.id} className={styles.model}>
          <ModelRow model={model} onSwitch={onSwitch} />
          {model.routes.map((route) => (
            <RouteRow
              key={JSON.stringify([route.account, route.models])}
              model={model}
              route={route}
              onSwitch={onSwitch}
            />
          ))}
        </tbody>
      ))}
    </TableFrame>
  </div>
)

function ModelRow({ model, onSwitch }: { model: AdminModel } & Rows) {
  const { id, name, company, state, off } = model
  const isOff = off?.account === ''
  return (
    <tr>
      <th scope="rowgroup" lang="en">
        {name}
        <span className={adminStyles.secondary}>
          {id} · {company}
        </span>
      </th>
      <td colSpan={4}>
        <StateMark {...modelStates[state]} />
        {isOff ? <OffReason off={off} /> : null}
      </td>
      <td>
        <SwitchButton isOff={isOff} name={name} onClick={() => onSwitch({ model: id, name, on: isOff })} />
      </td>
    </tr>
  )
}

function RouteRow({ model, route, onSwitch }: { model: AdminModel; route: Route } & Rows) {
  const { account, state, off, failingSince, models, cost, figures } = route
  const isOff = off !== null && off.model !== '' && off.account !== ''
  const name = `${model.name}, ${account}`
  const film = figures ? t`${figures.film.seconds} s in ${figures.film.quality}` : null
  return (
    <tr>
      <td className={styles.route} lang="en">
        {account}
        <span className={adminStyles.secondary}>{[...new Set(Object.values(models))].join(', ')}</span>
      </td>
      <td>
        <StateMark {...routeStates[state]} />
        {off && off.account !== '' ? <OffReason off={off} /> : null}
        {failingSince && !off ? (
          <span className={adminStyles.secondary}>{t`Since ${formatRelativeTime(failingSince)}`}</span>
        ) : null}
      </td>
      <td>
        {figures?.credits == null ? '–' : formatCredits(figures.credits)}
        {film ? <span className={adminStyles.secondary}>{film}</span> : null}
      </td>
      <td>
        {formatUsd(figures?.costUsd ?? null)}
        {cost?.source ? (
          <a className={adminStyles.secondary} href={sourceOf(cost.source)} target="_blank" rel="noreferrer">
            {cost.asOf ?? t`Source`}
          </a>
        ) : null}
      </td>
      <td>
        {figures?.margin == null ? '–' : percent(figures.margin)}
        {figures?.marginOfCheapest == null ? null : (
          <span
            className={adminStyles.secondary}
          >{t`${percent(figures.marginOfCheapest)} for the cheapest credits`}</span>
        )}
      </td>
      <td>
        <SwitchButton
          isOff={isOff}
          name={name}
          onClick={() => onSwitch({ model: model.id, account, name, on: isOff })}
        />
      </td>
    </tr>
  )
}

const StateMark = ({ label, kind }: Mark) => (
  <span className="mark" data-kind={kind}>
    {label}
  </span>
)

const SwitchButton = ({ isOff, name, onClick }: { isOff: boolean; name: string; onClick: () => void }) => (
  <Button onClick={onClick} aria-label={isOff ? t`Switch on ${name}` : t`Switch off ${name}`}>
    {isOff ? t`Switch on` : t`Switch off`}
  </Button>
)

const percent = (share: number): string => `${Math.round(100 * share)} %`
/** The catalogue names most pages without their scheme. */
const sourceOf = (page: string): string => (/^https?:\/\//.test(page) ? page : `https://${page}`)

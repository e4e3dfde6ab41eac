/** Models page: the catalogue's models, searched and filtered; a row opens to its routes with cost and switch. */
import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { optionalParams } from '../search-params.ts'
import { Button } from '../ui/button.tsx'
import { formatCredits, formatList, formatNumber, formatPercent, formatRelativeTime } from '../ui/format.ts'
import { TableSkeleton } from '../ui/infinite-list.tsx'
import { Mark, type StateLabel } from '../ui/mark.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { Select } from '../ui/select.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { StatusFilter } from '../ui/status-filter.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import adminStyles from './admin.module.css'
import { CatalogueFindings } from './catalogue-findings.tsx'
import { formatUsd } from './cost-queries.ts'
import { AdminPage } from './kit.tsx'
import styles from './models-page.module.css'
import { type AdminModel, modelsQuery } from './queries.ts'
import { OffReason, type Switch, SwitchDialog } from './switch-dialog.tsx'

type ModelState = AdminModel['state']
type Route = AdminModel['routes'][number]

const modelStates: Record<ModelState, StateLabel> = {
  offered: { label: t`Offered`, kind: 'done' },
  off: { label: t({ message: 'Off', context: 'state of a model' }), kind: 'failed' },
  unavailable: { label: t`Unavailable`, kind: 'none' },
  waiting: { label: t`Waits for an account`, kind: 'none' },
  unlisted: { label: t`Not listed`, kind: 'none' },
}
const routeStates: Record<Route['state'], StateLabel> = {
  'in-use': { label: t`In use`, kind: 'done' },
  failing: { label: t`Failing, tried last`, kind: 'running' },
  off: { label: t({ message: 'Off', context: 'state of a model' }), kind: 'failed' },
  waiting: { label: t`No settings`, kind: 'none' },
}
/** Of a failing route whose vendor does not know the model. */
const retired: StateLabel = { label: t`Retired?`, kind: 'failed' }
const isState = (text: string | undefined): text is ModelState => text !== undefined && text in modelStates

/** What the operator can offer comes first. */
const stateSequence = Object.keys(modelStates)
const SHOWN = 25

export function ModelsPage() {
  const search = useSearch({ from: '/signed-in/admin/models' })
  const { data, error, refetch } = useQuery(modelsQuery)
  const [change, setChange] = useState<Switch | null>(null)
  const [shown, setShown] = useState(SHOWN)
  const models = data?.models
    .filter(isLike(search))
    .toSorted((a, b) => stateSequence.indexOf(a.state) - stateSequence.indexOf(b.state))
  return (
    <AdminPage title={t`Models`}>
      <ModelFilters models={data?.models ?? []} />
      {error ? <ErrorState error={error} retry={refetch} /> : null}
      {data?.catalogue.problems.length ? <Problems problems={data.catalogue.problems} /> : null}
      <CatalogueFindings />
      {models?.length === 0 ? <EmptyState>{t`No model is like this.`}</EmptyState> : null}
      {models?.length ? (
        <>
          <ModelTable models={models.slice(0, shown)} onSwitch={setChange} />
          <div className="page-head">
            <p className="quiet small" role="status">
              {t`${formatNumber(Math.min(shown, models.length))} of ${formatNumber(models.length)} shown`}
            </p>
            {models.length > shown ? <Button onClick={() => setShown(shown + SHOWN)}>{t`Show more`}</Button> : null}
          </div>
        </>
      ) : null}
      {data || error ? null : <TableSkeleton label={t`Loading the models`} />}
      {change ? <SwitchDialog change={change} onClose={() => setChange(null)} /> : null}
    </AdminPage>
  )
}

type Search = { q?: string; state?: string; account?: string }

const isLike = ({ q = '', state, account }: Search) => {
  const text = q.toLowerCase()
  return ({ id, name, company, routes, ...model }: AdminModel): boolean =>
    (!isState(state) || model.state === state) &&
    (account === undefined || routes.some((route) => route.account === account)) &&
    [id, name, company, ...routes.flatMap((route) => [route.account, ...Object.values(route.models)])].some((each) =>
      each.toLowerCase().includes(text),
    )
}

function ModelFilters({ models }: { models: AdminModel[] }) {
  const { q = '', state, account } = useSearch({ from: '/signed-in/admin/models' })
  const navigate = useNavigate({ from: '/admin/models' })
  const select = (change: { [name in keyof Search]: string | undefined }, replace = true) =>
    navigate({ search: (previous) => optionalParams({ ...previous, ...change }), replace, resetScroll: false })
  const accounts = new Set(models.flatMap(({ routes }) => routes.map((route) => route.account)))
  return (
    <search className={adminStyles.filters}>
      <SearchField
        className={styles.search}
        label={t`Search models`}
        placeholder={t`Name, company, account, or the vendor’s name of it`}
        charactersMax={100}
        text={q}
        onSearch={(text, { replace }) => select({ q: text || undefined }, replace)}
      />
      <StatusFilter
        className={styles.filter}
        labels={modelStates}
        status={isState(state) ? state : undefined}
        onChange={(next) => select({ state: next })}
      />
      <Select
        className={styles.filter}
        aria-label={t`Account`}
        value={account}
        none={t`Every account`}
        options={[...accounts].toSorted().map((id) => [id, id])}
        onSelect={(next) => select({ account: next })}
      />
    </search>
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
        <ModelRows key={model.id} model={model} onSwitch={onSwitch} />
      ))}
    </TableFrame>
  </div>
)

function ModelRows({ model, onSwitch }: { model: AdminModel } & Rows) {
  const [isOpen, setOpen] = useState(false)
  return (
    <tbody className={styles.model}>
      <ModelRow model={model} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} onSwitch={onSwitch} />
      {isOpen
        ? model.routes.map((route) => (
            <RouteRow
              key={JSON.stringify([route.account, route.models])}
              model={model}
              route={route}
              onSwitch={onSwitch}
            />
          ))
        : null}
      {isOpen && model.leftOut.length > 0 ? <LeftOutRow model={model} /> : null}
      {isOpen ? <FileRow id={model.id} /> : null}
    </tbody>
  )
}

const FileRow = ({ id }: { id: string }) => (
  <tr>
    <td className={styles.route} colSpan={6}>
      <Link to="/admin/configuration/file" search={{ file: `models/${id}.json` }}>
        {t`Edit its file`}
      </Link>
    </td>
  </tr>
)

const LeftOutRow = ({ model: { leftOut } }: { model: AdminModel }) => (
  <tr>
    <td className={styles.route} colSpan={6}>
      <span className="secondary">
        {t`Not offered, because no account with settings makes it:`}{' '}
        <span lang="en">{leftOut.map(({ field, values }) => [field, ...values].join(' ')).join('; ')}</span>
      </span>
    </td>
  </tr>
)

type Toggle = { isOpen: boolean; onToggle: () => void }

/** Its figures are those of the route that is taken first. */
function ModelRow({ model, isOpen, onToggle, onSwitch }: { model: AdminModel } & Toggle & Rows) {
  const { id, name, company, state, off, routes } = model
  const isOff = off?.account === ''
  const count = (of: Route['state']) => routes.filter((route) => route.state === of).length
  const first = routes.find((route) => route.state === 'in-use') ?? routes[0]
  return (
    <tr>
      <th scope="rowgroup" lang="en">
        <button type="button" className={styles.toggle} aria-expanded={isOpen} onClick={onToggle}>
          {name}
        </button>
        <span className={`secondary ${styles.indented}`}>
          {id} · {company}
        </span>
      </th>
      <td>
        <Mark {...modelStates[state]} />
        {isOff ? <OffReason off={off} /> : null}
        <span className="secondary">
          {formatList([
            plural(routes.length, { one: '# route', other: '# routes' }),
            ...(count('in-use') > 0 ? [t`${formatNumber(count('in-use'))} in use`] : []),
            ...(count('failing') > 0 ? [t`${formatNumber(count('failing'))} failing`] : []),
            ...(count('off') > 0 ? [t`${formatNumber(count('off'))} off`] : []),
          ])}
        </span>
      </td>
      <Figures figures={first?.figures ?? null} />
      <td>
        <SwitchButton isOff={isOff} name={name} onClick={() => onSwitch({ model: id, name, on: isOff })} />
      </td>
    </tr>
  )
}

type Shown = Pick<Route, 'figures'> & Partial<Pick<Route, 'cost'>> & { isOpen?: boolean }

type MarginsProps = { margins: NonNullable<Route['figures']>['margins']; isOpen: boolean }

/** Of the dearest product; of a route each product's can be opened. */
function Margins({ margins, isOpen }: MarginsProps) {
  const textOf = ({ name, margin }: MarginsProps['margins'][number]) => t`${name} ${formatPercent(margin)}`
  const dearest = margins.slice(-1).map(textOf)
  if (!isOpen) return <span className="secondary">{dearest}</span>
  return (
    <details className="secondary">
      <summary>{dearest}</summary>
      {margins.slice(0, -1).map((each) => (
        <span key={each.product} className="secondary">
          {textOf(each)}
        </span>
      ))}
    </details>
  )
}

/** The cells of price, cost and margin. `isOpen`: with the margin of each product. */
const Figures = ({ figures, cost, isOpen = false }: Shown) => (
  <>
    <td>
      {figures?.credits == null ? '–' : formatCredits(figures.credits)}
      {figures ? <span className="secondary">{t`${figures.film.seconds} s in ${figures.film.quality}`}</span> : null}
    </td>
    <td>
      {formatUsd(figures?.costUsd ?? null)}
      {cost?.source ? (
        <a className="secondary" href={sourceOf(cost.source)} target="_blank" rel="noreferrer">
          {cost.asOf ?? t`Source`}
        </a>
      ) : null}
    </td>
    <td className={styles.margin}>
      {figures?.margin == null ? '–' : formatPercent(figures.margin)}
      {figures?.margins.length ? <Margins margins={figures.margins} isOpen={isOpen} /> : null}
    </td>
  </>
)

function RouteRow({ model, route, onSwitch }: { model: AdminModel; route: Route } & Rows) {
  const { account, state, off, failingSince, unknownModel, models, cost, figures } = route
  const isOff = off !== null && off.model !== '' && off.account !== ''
  const name = `${model.name}, ${account}`
  return (
    <tr>
      <td className={styles.route} lang="en">
        <Link to="/admin/providers/$id" params={{ id: account }}>
          {account}
        </Link>
        <span className="secondary">{[...new Set(Object.values(models))].join(', ')}</span>
      </td>
      <td>
        <Mark {...(state === 'failing' && unknownModel !== null ? retired : routeStates[state])} />
        {off && off.account !== '' ? <OffReason off={off} /> : null}
        {failingSince && !off ? (
          <span className="secondary">{t`Since ${formatRelativeTime(failingSince)}`}</span>
        ) : null}
        {unknownModel !== null ? (
          <span className="secondary" lang="en">
            {unknownModel}
          </span>
        ) : null}
      </td>
      <Figures figures={figures} cost={cost} isOpen />
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

const SwitchButton = ({ isOff, name, onClick }: { isOff: boolean; name: string; onClick: () => void }) => (
  <Button onClick={onClick} aria-label={isOff ? t`Switch on ${name}` : t`Switch off ${name}`}>
    {isOff ? t`Switch on` : t`Switch off`}
  </Button>
)

/** The catalogue names most pages without their scheme. */
const sourceOf = (page: string): string => (/^https?:\/\//.test(page) ? page : `https://${page}`)

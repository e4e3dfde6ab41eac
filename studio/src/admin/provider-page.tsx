/** Provider page: an account at an AI provider: health, films, failures and costs by day and model, and its switch. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { FilmChart } from '../ui/day-chart.tsx'
import { formatNumber } from '../ui/format.ts'
import { TableSkeleton } from '../ui/infinite-list.tsx'
import { type Days, DEFAULT_DAYS, daysParam, PeriodSelect } from '../ui/period-select.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { type Costs, costsQuery } from './cost-queries.ts'
import { CostTable } from './cost-table.tsx'
import costStyles from './costs-page.module.css'
import { CostTotal } from './costs-page.tsx'
import { AdminPage } from './kit.tsx'
import { providerHealth } from './provider-health.ts'
import { HealthLabel, ProviderFacts } from './providers-page.tsx'
import { providersQuery } from './queries.ts'
import { type Switch, SwitchDialog } from './switch-dialog.tsx'

export function ProviderPage() {
  const { id } = useParams({ from: '/signed-in/admin/providers/$id' })
  const days = daysParam(useSearch({ from: '/signed-in/admin/providers/$id' }).days) ?? DEFAULT_DAYS
  const navigate = useNavigate({ from: '/admin/providers/$id' })
  const health = useQuery(providersQuery)
  const provider = health.data?.providers.find((each) => each.id === id)
  const [change, setChange] = useState<Switch | null>(null)
  return (
    <AdminPage title={id} aside={provider ? <HealthLabel health={providerHealth(provider)} /> : null}>
      {health.error ? <ErrorState error={health.error} retry={health.refetch} /> : null}
      {health.data && !provider ? (
        <EmptyState>{t`The service has no account of this name now. Its films are below.`}</EmptyState>
      ) : null}
      {provider ? (
        <section className="panel" aria-labelledby="provider-now">
          <h2 id="provider-now">{t`Now`}</h2>
          <ProviderFacts provider={provider} nowMs={health.dataUpdatedAt} onSwitch={setChange} />
        </section>
      ) : null}
      {health.isPending ? (
        // The history stands below what comes then.
        <TableSkeleton label={t`Loading the account`} />
      ) : (
        <>
          <div className="page-head">
            <h2>{t`History`}</h2>
            <PeriodSelect
              className={costStyles.filter}
              days={days}
              onChange={(next) =>
                navigate({
                  search: next === undefined ? {} : { days: next },
                  replace: true,
                  resetScroll: false,
                })
              }
            />
          </div>
          <History id={id} days={days} />
        </>
      )}
      {change ? <SwitchDialog change={change} onClose={() => setChange(null)} /> : null}
    </AdminPage>
  )
}

function History({ id, days }: { id: string; days: Days }) {
  const byDay = useQuery(costsQuery(days, 'day', id))
  const byRoute = useQuery(costsQuery(days, 'route', id))
  const error = byDay.error ?? byRoute.error
  if (error) return <ErrorState error={error} retry={() => Promise.all([byDay.refetch(), byRoute.refetch()])} />
  if (!byDay.data || !byRoute.data) return <TableSkeleton label={t`Loading the costs`} />
  const { total, from, to, rows } = byDay.data
  if (total.films + total.failed + total.cancelled === 0)
    return <EmptyState>{t`No film of this account ended in this time.`}</EmptyState>
  return (
    <div className="stack results" aria-busy={byDay.isPlaceholderData}>
      <Lists id={id} days={days} total={total} />
      <CostTotal total={total} />
      <FilmChart from={from} to={to} days={rows} />
      <CostTable rows={rows} group="day" days={days} />
      <CostTable rows={byRoute.data.rows} group="route" days={days} />
    </div>
  )
}

/** The way to the films that the figures count. */
const Lists = ({ id, days, total }: { id: string; days: Days; total: Costs }) => (
  <div className="row">
    {(
      [
        ['completed', t`Films: ${formatNumber(total.films)}`],
        ['failed', t`Failed: ${formatNumber(total.failed)}`],
      ] as const
    ).map(([outcome, text]) => (
      <Link
        key={outcome}
        to="/admin/videos"
        search={{ state: 'ended', provider: id, outcome, days }}
        className="button"
      >
        {text}
      </Link>
    ))}
  </div>
)

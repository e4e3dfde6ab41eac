/** What a period's films cost: a chart by day, by model, by maker; and as CSV. The choice is in the URL. */

import type { Schemas } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { dataOf, kinora } from '../api.ts'
import { chosenTeam, downloadHref } from '../chosen-team.ts'
import { type Maker, makerName } from '../maker-name.ts'
import { useModelNames } from '../model-name.ts'
import { optionalParams } from '../search-params.ts'
import { buttonClass } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { DayChart } from '../ui/day-chart.tsx'
import { formatCredits, formatNumber } from '../ui/format.ts'
import { type Days, DEFAULT_DAYS, daysParam, PeriodSelect, rangeOf } from '../ui/period-select.tsx'
import { Select } from '../ui/select.tsx'
import { EmptyState, ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import styles from './usage-panel.module.css'

const groupings = ['day', 'model', 'maker'] as const
type Grouping = (typeof groupings)[number]
type Row = Schemas['CreditUsage']

const groupingNames = (): Record<Grouping, string> => ({
  day: t`By day`,
  model: t`By model`,
  maker: chosenTeam() ? t`By member and API key` : t`By API key`,
})

const usageQuery = (by: Grouping, days: Days) =>
  queryOptions({
    queryKey: ['credit', 'usage', by, days],
    queryFn: ({ signal }) =>
      dataOf(kinora.GET('/api/v1/credit/usage', { params: { query: { by, ...rangeOf(days) } }, signal })),
    placeholderData: keepPreviousData,
  })

export function UsagePanel() {
  const navigate = useNavigate({ from: '/credits' })
  const search = useSearch({ from: '/signed-in/credits' })
  const days = daysParam(search.days) ?? DEFAULT_DAYS
  const by = groupings.find((each) => each === search.by) ?? 'day'
  const { data, error, refetch, isPlaceholderData } = useQuery(usageQuery(by, days))
  const select = (chosen: { by?: string | undefined; days?: string | undefined }) =>
    navigate({ search: (before) => optionalParams({ ...before, ...chosen }), replace: true, resetScroll: false })
  return (
    <section className="panel" aria-labelledby="usage">
      <div className="page-head">
        <h2 id="usage">{t`Spent on films`}</h2>
        <div className={styles.controls}>
          <Select
            aria-label={t`Grouped`}
            value={by}
            options={groupingNames()}
            onSelect={(chosen) => select({ by: chosen === 'day' ? undefined : chosen })}
          />
          <PeriodSelect
            days={days}
            onChange={(chosen) => select({ days: chosen === DEFAULT_DAYS ? undefined : chosen })}
          />
          <a
            className={buttonClass()}
            href={downloadHref('/api/v1/credit/usage.csv', [['by', by], ...Object.entries(rangeOf(days))])}
            download
          >
            {t`Export as CSV`}
          </a>
        </div>
      </div>
      {error && !data ? <ErrorState error={error} retry={refetch} /> : null}
      <div className={styles.body} aria-busy={isPlaceholderData}>
        {data && !isPlaceholderData ? (
          <Usage rows={data.rows} makers={data.makers} by={by} from={data.from} to={data.to} />
        ) : error ? null : (
          <LoadingState label={t`Loading what was spent`}>
            <SkeletonBlock height="328px" />
          </LoadingState>
        )}
      </div>
    </section>
  )
}

type UsageProps = { rows: Row[]; makers: Maker[]; by: Grouping; from: string; to: string }

function Usage({ rows, makers, by, from, to }: UsageProps) {
  if (rows.length === 0) return <EmptyState>{t`No film was made in this time.`}</EmptyState>
  if (by !== 'day') return <UsageTable rows={rows} makers={makers} by={by} />
  const byDay = new Map(rows.map((row) => [row.key, row]))
  return (
    <DayChart
      from={from}
      to={to}
      first={t`Credits`}
      format={(credits) => formatNumber(credits ?? 0)}
      dayOf={(day) => {
        const row = byDay.get(day)
        if (!row) return undefined
        const films = plural(row.videos, { one: '# film', other: '# films' })
        return { first: row.credits, second: null, title: t`${day}: ${formatCredits(row.credits)}, ${films}` }
      }}
    />
  )
}

function UsageTable({ rows, makers, by }: { rows: Row[]; makers: Maker[]; by: 'model' | 'maker' }) {
  const modelName = useModelNames()
  const max = Math.max(...rows.map(({ credits }) => credits))
  const names = new Map(makers.map((maker) => [maker.id, makerName(maker)]))
  const nameOf = ({ key }: Row) =>
    key === null ? t`Your own sessions` : by === 'model' ? (modelName(key) ?? '') : (names.get(key) ?? key)
  return (
    <DataTable
      label={groupingNames()[by]}
      rows={rows}
      keyOf={({ key }) => key ?? ''}
      columns={[
        {
          head: by === 'model' ? t`Model` : chosenTeam() ? t`Member or API key` : t`API key`,
          isRowHead: true,
          cell: (row) => (
            <>
              {nameOf(row)}
              <span className={styles.share} style={{ width: `${(100 * row.credits) / max}%` }} />
            </>
          ),
        },
        { head: t`Credits`, isNumber: true, cell: ({ credits }) => formatNumber(credits) },
        { head: t`Films`, isNumber: true, cell: ({ videos }) => formatNumber(videos) },
      ]}
    />
  )
}

/** What films have cost and earned, a row for each route, model, account, user or day. */

import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { DataTable } from '../ui/data-table.tsx'
import { formatClock, formatNumber } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import type { Days } from '../ui/period-select.tsx'
import { type CostGroup, type Costs, formatUsd, groupLabels } from './cost-queries.ts'
import styles from './costs-page.module.css'
import { tableClass } from './kit.tsx'
import { OwnerLink } from './owner-link.tsx'

type Props = { rows: Costs[]; group: CostGroup; days: Days }

export const CostTable = ({ rows, group, days }: Props) => (
  <DataTable
    className={tableClass('topAligned', 'numbers')}
    label={`${t`Costs`}, ${groupLabels[group]}`}
    rows={rows}
    keyOf={({ day, model, account, vendorModel, userId }) => JSON.stringify([day, model, account, vendorModel, userId])}
    columns={[
      {
        head: headings[group],
        isRowHead: true,
        cell: (row) => (
          <>
            <Name row={row} days={days} />
            {row.differing > 0 ? <Difference row={row} /> : null}
          </>
        ),
      },
      { head: t`Films`, isNumber: true, cell: ({ films }) => formatNumber(films) },
      { head: t`Failed`, isNumber: true, cell: ({ failed }) => formatNumber(failed) },
      { head: t`Credits earned`, isNumber: true, cell: ({ creditsEarned }) => formatNumber(creditsEarned) },
      { head: t`Credits returned`, isNumber: true, cell: ({ creditsReturned }) => formatNumber(creditsReturned) },
      { head: t`Earned`, isNumber: true, cell: ({ earnedUsd }) => formatUsd(earnedUsd) },
      { head: t`Cost`, isNumber: true, cell: (row) => <Cost row={row} /> },
      { head: t`Margin`, isNumber: true, cell: ({ marginUsd }) => formatUsd(marginUsd) },
      {
        head: t`p50, p95`,
        isNumber: true,
        cell: ({ p50Seconds, p95Seconds }) =>
          p50Seconds === null || p95Seconds === null ? '–' : `${formatClock(p50Seconds)}, ${formatClock(p95Seconds)}`,
      },
    ]}
  />
)

const headings: Record<CostGroup, string> = {
  route: t`Route`,
  model: t`Model`,
  account: t`Account`,
  user: t`User`,
  day: t`Day (UTC)`,
}

const Difference = ({ row }: { row: Costs }) => (
  <span className={`secondary ${styles.difference}`}>
    <Mark kind="failed" label={t`Other cost than expected`} />{' '}
    {t`${formatNumber(row.differing)} of these films: ${formatUsd(row.differingExpectedUsd)} expected, ${formatUsd(row.differingFoundUsd)} found`}
  </span>
)

const Cost = ({ row: { costUsd, unknownCosts, unpriced } }: { row: Costs }) => (
  <>
    {formatUsd(costUsd)}
    {unknownCosts > 0 && costUsd !== null ? (
      <span className="secondary">{t`${formatNumber(unknownCosts)} unknown`}</span>
    ) : null}
    {unpriced.map(({ unit, amount }) => (
      <span key={unit} className="secondary">
        {formatNumber(amount)} {unit}
      </span>
    ))}
  </>
)

function Name({ row: { day, model, account, vendorModel, userId, email, team }, days }: { row: Costs; days: Days }) {
  if (userId !== null) return <OwnerLink of={{ userId, email, team }} />
  if (model !== null && account !== null)
    return (
      <>
        <Link
          to="/admin/videos"
          search={{ state: 'ended', model, provider: account, days }}
        >{t`${model} at ${account}`}</Link>
        <span className="secondary">{vendorModel ?? t`Not sent`}</span>
      </>
    )
  if (account !== null)
    return (
      <Link to="/admin/providers/$id" params={{ id: account }} search={{ days }}>
        {account}
      </Link>
    )
  if (model !== null)
    return (
      <Link to="/admin/videos" search={{ state: 'ended', model, days }}>
        {model}
      </Link>
    )
  return day
}

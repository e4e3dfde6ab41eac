/** What films have cost and earned, a row for each route, model, account, user or day. */
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { formatClock, formatNumber } from '../ui/format.ts'
import type { Days } from '../ui/period-select.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import adminStyles from './admin.module.css'
import { type CostGroup, type Costs, formatUsd, groupLabels } from './cost-queries.ts'
import styles from './costs-page.module.css'
import { OwnerLink } from './owner-link.tsx'

export function CostTable({ rows, group, days }: { rows: Costs[]; group: CostGroup; days: Days }) {
  const numbers = [t`Films`, t`Failed`, t`Credits earned`, t`Credits returned`, t`Cost`, t`Margin`, t`p50, p95`]
  return (
    <div className={`${adminStyles.table} ${adminStyles.numbers} ${adminStyles.topAligned}`}>
      <TableFrame label={`${t`Costs`}, ${groupLabels[group]}`}>
        <thead>
          <tr>
            <th scope="col">{headings[group]}</th>
            {numbers.map((name) => (
              <th key={name} scope="col" className="number">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <CostRow
              key={JSON.stringify([row.day, row.model, row.account, row.vendorModel, row.userId])}
              row={row}
              days={days}
            />
          ))}
        </tbody>
      </TableFrame>
    </div>
  )
}

const headings: Record<CostGroup, string> = {
  route: t`Route`,
  model: t`Model`,
  account: t`Account`,
  user: t`User`,
  day: t`Day (UTC)`,
}

function CostRow({ row, days }: { row: Costs; days: Days }) {
  const { differing, unknownCosts, costUsd, p50Seconds, p95Seconds } = row
  return (
    <tr>
      <th scope="row">
        <Name row={row} days={days} />
        {differing > 0 ? (
          <span className={`${adminStyles.secondary} ${styles.difference}`}>
            <span className="mark" data-kind="failed">
              {t`Other cost than expected`}
            </span>{' '}
            {t`${formatNumber(differing)} of these films: ${formatUsd(row.differingExpectedUsd)} expected, ${formatUsd(row.differingFoundUsd)} found`}
          </span>
        ) : null}
      </th>
      <td className="number">{formatNumber(row.films)}</td>
      <td className="number">{formatNumber(row.failed)}</td>
      <td className="number">{formatNumber(row.creditsEarned)}</td>
      <td className="number">{formatNumber(row.creditsReturned)}</td>
      <td className="number">
        {formatUsd(costUsd)}
        {unknownCosts > 0 && costUsd !== null ? (
          <span className={adminStyles.secondary}>{t`${formatNumber(unknownCosts)} unknown`}</span>
        ) : null}
        {row.unpriced.map(({ unit, amount }) => (
          <span key={unit} className={adminStyles.secondary}>
            {formatNumber(amount)} {unit}
          </span>
        ))}
      </td>
      <td className="number">{formatUsd(row.marginUsd)}</td>
      <td className="number">
        {p50Seconds === null || p95Seconds === null ? '–' : `${formatClock(p50Seconds)}, ${formatClock(p95Seconds)}`}
      </td>
    </tr>
  )
}

function Name({ row: { day, model, account, vendorModel, userId, email, team }, days }: { row: Costs; days: Days }) {
  if (userId !== null) return <OwnerLink of={{ userId, email, team }} />
  if (model !== null && account !== null)
    return (
      <>
        <Link
          to="/admin/videos"
          search={{ state: 'ended', model, provider: account, days: String(days) }}
        >{t`${model} at ${account}`}</Link>
        <span className={adminStyles.secondary}>{vendorModel ?? t`Not sent`}</span>
      </>
    )
  if (account !== null)
    return (
      <Link to="/admin/providers/$id" params={{ id: account }} search={{ days: String(days) }}>
        {account}
      </Link>
    )
  if (model !== null)
    return (
      <Link to="/admin/videos" search={{ state: 'ended', model, days: String(days) }}>
        {model}
      </Link>
    )
  return day
}

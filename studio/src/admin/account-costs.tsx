/** Accounts on the costs page: how the cost of their films becomes known, and what their balances show of it. */
import { t } from '@lingui/core/macro'
import { Link } from '@tanstack/react-router'
import { DataTable } from '../ui/data-table.tsx'
import { formatNumber } from '../ui/format.ts'
import { Mark } from '../ui/mark.tsx'
import { type AccountCosts, formatUsd } from './cost-queries.ts'
import styles from './costs-page.module.css'
import { tableClass } from './kit.tsx'
import { BalanceLeft } from './provider-balance.tsx'

export const AccountTable = ({ accounts }: { accounts: AccountCosts[] }) => (
  <div className="stack">
    <h2>{t`Accounts`}</h2>
    <p className={`quiet ${styles.notes}`}>
      {t`The balance of an account is read once an hour. By how much it fell on a day is compared with what the films of that day have cost, so that a charge is seen which no film tells.`}
    </p>
    <DataTable
      className={tableClass('topAligned', 'numbers')}
      label={t`Accounts`}
      rows={accounts}
      keyOf={({ account }) => account}
      columns={[
        {
          head: t`Account`,
          isRowHead: true,
          cell: ({ account, differing }) => (
            <>
              <Link to="/admin/providers/$id" params={{ id: account }}>
                {account}
              </Link>
              {differing.length > 0 ? <Differing days={differing} /> : null}
            </>
          ),
        },
        {
          head: t`Left`,
          isNumber: true,
          cell: ({ balance }) => (balance ? <BalanceLeft balance={balance} /> : t`Not told`),
        },
        { head: t`Days compared`, isNumber: true, cell: ({ days }) => formatNumber(days) },
        { head: t`Balance fell by`, isNumber: true, cell: ({ fellUsd }) => dashOr(fellUsd) },
        { head: t`Films cost`, isNumber: true, cell: ({ costUsd }) => dashOr(costUsd) },
        { head: t`How costs are known`, className: styles.source, cell: (row) => sourceOf(row) },
      ]}
    />
  </div>
)

const dashOr = (usd: number | null): string => (usd === null ? '–' : formatUsd(usd))

function sourceOf({ says, balance }: AccountCosts): string {
  const isRead = balance !== null && balance.amount !== null
  if (says !== null && isRead) return t`The vendor says it of each film; its balance is compared.`
  if (says !== null) return t`The vendor says it of each film.`
  if (isRead) return t`The vendor reports no cost: the catalogue’s counts, and the balance is compared.`
  return t`Unknown: the vendor reports no cost and no balance. The catalogue’s counts, where it has one.`
}

const Differing = ({ days }: { days: AccountCosts['differing'] }) => (
  <span className={`secondary ${styles.difference}`}>
    <Mark kind="failed" label={t`Other fall than cost`} />{' '}
    {days
      .slice(0, 3)
      .map(({ day, fellUsd, costUsd }) => t`${day}: fell by ${formatUsd(fellUsd)}, films cost ${formatUsd(costUsd)}`)
      .join('; ')}
  </span>
)

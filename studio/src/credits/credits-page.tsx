/** Credits page: balance, also over time, expiring packages, films' costs, ledger check and history. */

import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { balanceQuery } from '../api.ts'
import { MoveCredits } from '../team/move-credits.tsx'
import { isAtLeast, useTeam } from '../team.ts'
import { buttonClass } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { BalanceChart } from './balance-chart.tsx'
import { BalanceSummary } from './balance-summary.tsx'
import { ExpiringPackages } from './expiring-packages.tsx'
import { LedgerCheckPanel } from './ledger-check-panel.tsx'
import { SpendingAlertForm } from './spending-alert-form.tsx'
import styles from './transaction-history.module.css'
import { TransactionHistory } from './transaction-history.tsx'
import { UsagePanel } from './usage-panel.tsx'

export function CreditsPage() {
  const { data } = useQuery(balanceQuery)
  const team = useTeam()
  return (
    <Page
      title={t`Credits`}
      aside={
        <div className={styles.actions}>
          {team ? <MoveCredits team={team.name} /> : null}
          <Link to="/plans" className={buttonClass(data?.available === 0 ? 'primary' : 'plain')}>
            {t`Get credits`}
          </Link>
        </div>
      }
    >
      <BalanceSummary />
      <div className="columns">
        <BalanceChart />
        <ExpiringPackages />
      </div>
      <UsagePanel />
      {isAtLeast(team, 'admin') ? <SpendingAlertForm /> : null}
      <LedgerCheckPanel />
      <TransactionHistory />
    </Page>
  )
}

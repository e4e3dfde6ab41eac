/** What is left on an account at an AI provider, and for how long. */
import { plural, t } from '@lingui/core/macro'
import { formatRelativeTime } from '../ui/format.ts'
import { formatAmount, formatUsd } from './cost-queries.ts'
import styles from './providers-page.module.css'
import type { Provider } from './queries.ts'

type Balance = NonNullable<Provider['balance']>
const LOW_S = 3 * 86_400

export const BalanceLeft = ({ balance }: { balance: Balance }) => {
  const { amount, unit, usd, secondsLeft, problem, toldAt } = balance
  return (
    <>
      {amount === null
        ? problem === null
          ? t`Not read yet`
          : t`Unknown`
        : unit === 'USD'
          ? formatUsd(amount)
          : `${formatAmount(amount)} ${unit}`}
      {amount !== null && unit !== 'USD' && usd !== null ? <span className="secondary">{formatUsd(usd)}</span> : null}
      {secondsLeft === null ? null : (
        <span className={`secondary ${secondsLeft < LOW_S ? styles.low : ''}`}>{lasts(secondsLeft)}</span>
      )}
      {problem === null ? null : (
        <span className={styles.failureReason}>
          {toldAt ? t`As of ${formatRelativeTime(toldAt)}. ` : ''}
          <span lang="en">{problem}</span>
        </span>
      )}
    </>
  )
}

function lasts(seconds: number): string {
  const hours = Math.floor(seconds / 3600)
  if (seconds <= 0) return t`Empty`
  return hours < 48
    ? plural(hours, { one: 'Lasts # hour', other: 'Lasts # hours' })
    : plural(Math.floor(hours / 24), { one: 'Lasts # day', other: 'Lasts # days' })
}

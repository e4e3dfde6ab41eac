/**
 * The quantities of the balance, each with its meaning: their parts add up to Total. What is owed is shown where there
 * is any.
 */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { balanceQuery } from '../api.ts'
import { formatCredits, formatNumber } from '../ui/format.ts'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import styles from './balance-summary.module.css'

const quantities = [
  { key: 'available', name: t`Available`, meaning: t`Ready to use.` },
  { key: 'frozen', name: t`Frozen`, meaning: t`Set aside for films in progress; a film that fails gives them back.` },
  { key: 'used', name: t`Used`, meaning: t`Paid for finished films, over all time.` },
  { key: 'expired', name: t`Expired`, meaning: t`Not used before their date.` },
  { key: 'clawedBack', name: t`Claimed back`, meaning: t`Taken back with a refund, or by an administrator.` },
  {
    key: 'total',
    name: t`Total`,
    meaning: t`Every credit that was received and not passed on: the sum of the others.`,
  },
] as const

export function BalanceSummary() {
  const { data, error, refetch } = useQuery(balanceQuery)
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  return (
    <dl className={styles.quantities}>
      {quantities.map(({ key, name, meaning }) => (
        <div key={key} className={styles.quantity}>
          <dt>{name}</dt>
          <dd className={styles.amount}>
            {data ? (
              formatNumber(data[key])
            ) : (
              <LoadingState label={t`Loading the balance`}>
                <SkeletonBlock width="104px" height="1lh" />
              </LoadingState>
            )}
          </dd>
          <dd className={styles.meaning}>{meaning}</dd>
          {key === 'available' && data && data.expiringSoon > 0 ? (
            <dd className={styles.soon}>{t`${formatCredits(data.expiringSoon)} of it expire within 7 days.`}</dd>
          ) : null}
          {key === 'used' && data && data.owed > 0 ? (
            <dd className={styles.soon}>
              {t`You owe ${formatCredits(data.owed)}: they were used or frozen when their payment was returned.`}
            </dd>
          ) : null}
        </div>
      ))}
    </dl>
  )
}

/** The four quantities, each with the one sentence that says what it is, and what expires within a week. */
import { useQuery } from '@tanstack/react-query'
import { balanceQuery } from '../api.ts'
import { formatCredits, formatNumber } from '../ui/format.ts'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import look from './balance-summary.module.css'

const quantities = [
  { key: 'available', name: 'Available', meaning: 'Yours to use now.' },
  { key: 'frozen', name: 'Frozen', meaning: 'Set aside for films in progress; a film that fails gives them back.' },
  { key: 'used', name: 'Used', meaning: 'Paid for finished films, over all time.' },
  { key: 'total', name: 'Total', meaning: 'Every credit you ever received.' },
] as const

export function Quantities() {
  const { data, error, refetch } = useQuery(balanceQuery)
  if (error && !data) return <ErrorState error={error} retry={refetch} />
  return (
    <dl className={look.quantities}>
      {quantities.map(({ key, name, meaning }) => (
        <div key={key} className={look.quantity}>
          <dt>{name}</dt>
          <dd className={look.amount} data-quantity={key}>
            {data ? (
              formatNumber(data[key])
            ) : (
              <LoadingState label="Loading the balance">
                <SkeletonBlock width="104px" height="1lh" />
              </LoadingState>
            )}
          </dd>
          <dd className={look.meaning}>{meaning}</dd>
          {key === 'available' && data && data.expiringSoon > 0 ? (
            <dd className={look.soon}>{formatCredits(data.expiringSoon)} of it expire within 7 days.</dd>
          ) : null}
        </div>
      ))}
    </dl>
  )
}

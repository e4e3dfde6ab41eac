/** What is left and until when, in the order in which it is used: first to expire first. */
import { useQuery } from '@tanstack/react-query'
import { dataOf, kinora } from '../api.ts'
import { formatCredits, formatDate, formatNumber, formatRelativeTime } from '../ui/format.ts'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import look from './expiring-packages.module.css'
import type { Package } from './ledger-check.ts'
import { isMovement, movements } from './transaction-types.ts'

/** A list one can take in; the rest is one line. */
const SHOWN = 6
const WEEK_MS = 7 * 86_400_000

export function Expiring() {
  const { data, error, refetch } = useQuery({
    queryKey: ['credit', 'packages'],
    queryFn: () => dataOf(kinora.GET('/api/v1/credit/packages')),
  })
  return (
    <section className="panel" aria-labelledby="expiring">
      <div>
        <h2 id="expiring">What expires when</h2>
        <p className="quiet small">Used in this order.</p>
      </div>
      {error && !data ? <ErrorState error={error} retry={refetch} /> : null}
      {data ? <List packages={data.packages} /> : error ? null : <Skeleton />}
    </section>
  )
}

function List({ packages }: { packages: Package[] }) {
  if (packages.length === 0) return <p className="quiet">Nothing is left, so nothing expires.</p>
  const rest = packages.slice(SHOWN)
  return (
    <>
      <ol className={look.packages}>
        {packages.slice(0, SHOWN).map((each) => (
          <Line key={each.id} {...each} />
        ))}
      </ol>
      {rest.length > 0 ? (
        <p className="quiet small">
          {formatNumber(rest.length)} more, with{' '}
          {formatCredits(rest.reduce((sum, { remaining }) => sum + remaining, 0))}.
        </p>
      ) : null}
    </>
  )
}

function Line({ remaining, frozen, expiresAt, transType }: Package) {
  const inMs = Date.parse(expiresAt) - Date.now()
  return (
    <li className={look.package}>
      <span className={look.left}>{formatCredits(remaining)}</span>
      <span className={inMs < WEEK_MS ? look.soon : undefined}>
        {inMs > 0 ? formatRelativeTime(expiresAt) : 'expired'}
      </span>
      <span className="quiet small">
        {isMovement(transType) ? movements[transType] : transType}
        {frozen > 0 ? `, ${formatNumber(frozen)} frozen` : ''}
      </span>
      <time className="quiet small" dateTime={expiresAt}>
        {formatDate(expiresAt)}
      </time>
    </li>
  )
}

const Skeleton = () => (
  <LoadingState label="Loading what expires">
    <div className={look.packages}>
      <SkeletonBlock height="48px" />
      <SkeletonBlock height="48px" />
    </div>
  </LoadingState>
)

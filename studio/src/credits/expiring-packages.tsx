/** Credit packages with what remains of each, in the order in which credits are spent: first to expire first. */
import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { balanceQuery, dataOf, kinora } from '../api.ts'
import { formatCredits, formatDate, formatNumber, formatRelativeTime } from '../ui/format.ts'
import { ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import styles from './expiring-packages.module.css'
import type { Package } from './ledger-check.ts'
import { isTransactionType, transactionLabel } from './transaction-types.ts'

/** Packages listed singly; one line sums up the rest. */
const MAX_LISTED = 6
const WEEK_MS = 7 * 86_400_000

export function ExpiringPackages() {
  const { data, error, refetch } = useQuery({
    queryKey: ['credit', 'packages'],
    queryFn: () => dataOf(kinora.GET('/api/v1/credit/packages', { params: { query: { pageSize: MAX_LISTED } } })),
  })
  const { data: balance } = useQuery(balanceQuery)
  return (
    <section className="panel" aria-labelledby="expiring">
      <div>
        <h2 id="expiring">{t`What expires when`}</h2>
        <p className="quiet small">{t`Used in this order.`}</p>
      </div>
      {error && !data ? <ErrorState error={error} retry={refetch} /> : null}
      {data ? <PackageList {...data} available={balance?.available ?? null} /> : error ? null : <Skeleton />}
    </section>
  )
}

/** @param available all that is left, which says what the packages have that are not listed */
function PackageList({ packages, total, available }: { packages: Package[]; total: number; available: number | null }) {
  if (packages.length === 0) return <p className="quiet">{t`Nothing is left, so nothing expires.`}</p>
  const listed = packages.reduce((sum, { remaining }) => sum + remaining, 0)
  return (
    <>
      <ol className={styles.packages}>
        {packages.map((item) => (
          <PackageItem key={item.id} {...item} />
        ))}
      </ol>
      {total > packages.length && available !== null ? (
        <p className="quiet small">
          {t`${formatNumber(total - packages.length)} more, with ${formatCredits(available - listed)}.`}
        </p>
      ) : null}
    </>
  )
}

function PackageItem({ initial, remaining, frozen, expiresAt, transType, source: grantedFor }: Package) {
  const remainingMs = Date.parse(expiresAt) - Date.now()
  const source = isTransactionType(transType)
    ? transactionLabel({ transType, credits: initial, source: grantedFor })
    : transType
  return (
    <li className={styles.package}>
      <span className={styles.remaining}>{formatCredits(remaining)}</span>
      <span className={remainingMs < WEEK_MS ? styles.soon : undefined}>
        {remainingMs > 0 ? formatRelativeTime(expiresAt) : t`expired`}
      </span>
      <span className="quiet small">{frozen > 0 ? t`${source}, ${formatNumber(frozen)} frozen` : source}</span>
      <time className="quiet small" dateTime={expiresAt}>
        {formatDate(expiresAt)}
      </time>
    </li>
  )
}

const Skeleton = () => (
  <LoadingState label={t`Loading what expires`}>
    <div className={styles.packages}>
      <SkeletonBlock height="48px" />
      <SkeletonBlock height="48px" />
    </div>
  </LoadingState>
)

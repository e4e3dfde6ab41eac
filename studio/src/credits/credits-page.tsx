import type { Schemas } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { balanceQuery, dataOf, kinora } from '../api.ts'
import { chosenTeam, downloadHref } from '../chosen-team.ts'
import { type Maker, makerName } from '../maker-name.ts'
import { useModelNames } from '../model-name.ts'
import { optionalParams } from '../search-params.ts'
import { useSingleFlight } from '../single-flight.ts'
import { MoveCredits } from '../team/move-credits.tsx'
import { useTeam } from '../team.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { DayChart } from '../ui/day-chart.tsx'
import { formatCredits, formatDate, formatDateTime, formatNumber, formatRelativeTime } from '../ui/format.ts'
import { Page } from '../ui/page.tsx'
import { DEFAULT_DAYS, daysParam, firstDay, PeriodSelect } from '../ui/period-select.tsx'
import { Select } from '../ui/select.tsx'
import { EmptyState, ErrorState, LoadingState, SkeletonBlock } from '../ui/states.tsx'
import { BalanceChart } from './balance-chart.tsx'
import { type Check, checkLedger, type Difference, type Package } from './ledger-check.ts'
import styles from './ledger-check-panel.module.css'
import { TransactionHistory } from './transaction-history.tsx'
import { readLedgerSnapshot } from './transaction-reader.ts'
import { isTransactionType, transactionTypeLabels } from './transaction-types.ts'

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
      <LedgerCheckPanel />
      <TransactionHistory />
    </Page>
  )
}

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

/**
 * * The quantities of the balance, each with its meaning: their parts add up to Total. What is owed is shown where
 * there is any.
 */
function BalanceSummary() {
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

/** Packages listed singly; one line sums up the rest. */
const MAX_LISTED = 6
const WEEK_MS = 7 * 86_400_000

/** Credit packages with what remains of each, in the sequence in which credits are spent: first to expire first. */
function ExpiringPackages() {
  const { data, error, refetch } = useQuery({
    queryKey: ['credit', 'packages'],
    queryFn: () => dataOf(kinora.GET('/api/v1/credit/packages')),
  })
  return (
    <section className="panel" aria-labelledby="expiring">
      <div>
        <h2 id="expiring">{t`What expires when`}</h2>
        <p className="quiet small">{t`Used in this order.`}</p>
      </div>
      {error && !data ? <ErrorState error={error} retry={refetch} /> : null}
      {data ? <PackageList packages={data.packages} /> : error ? null : <Skeleton />}
    </section>
  )
}

function PackageList({ packages }: { packages: Package[] }) {
  if (packages.length === 0) return <p className="quiet">{t`Nothing is left, so nothing expires.`}</p>
  const rest = packages.slice(MAX_LISTED)
  return (
    <>
      <ol className={styles.packages}>
        {packages.slice(0, MAX_LISTED).map((item) => (
          <PackageItem key={item.id} {...item} />
        ))}
      </ol>
      {rest.length > 0 ? (
        <p className="quiet small">
          {t`${formatNumber(rest.length)} more, with ${formatCredits(rest.reduce((sum, { remaining }) => sum + remaining, 0))}.`}
        </p>
      ) : null}
    </>
  )
}

function PackageItem({ remaining, frozen, expiresAt, transType }: Package) {
  const remainingMs = Date.parse(expiresAt) - Date.now()
  const source = isTransactionType(transType) ? transactionTypeLabels[transType] : transType
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

const groupings = ['day', 'model', 'maker'] as const
type Grouping = (typeof groupings)[number]
type Row = Schemas['CreditUsage']

const groupingNames = (): Record<Grouping, string> => ({
  day: t`By day`,
  model: t`By model`,
  maker: chosenTeam() ? t`By member and API key` : t`By API key`,
})

const usageQuery = (by: Grouping, days: number) =>
  queryOptions({
    queryKey: ['credit', 'usage', by, days],
    queryFn: ({ signal }) =>
      dataOf(kinora.GET('/api/v1/credit/usage', { params: { query: { by, from: firstDay(days) } }, signal })),
    placeholderData: keepPreviousData,
  })

/**
 * What films of a period have cost, by day as a chart, by model, and by who made them; and the same as CSV. The choice
 * is in the URL.
 */
function UsagePanel() {
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
            onChange={(chosen) => select({ days: chosen === DEFAULT_DAYS ? undefined : String(chosen) })}
          />
          <a
            className={buttonClass()}
            href={downloadHref('/api/v1/credit/usage.csv', [
              ['by', by],
              ['from', firstDay(days)],
            ])}
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
    key === null ? t`Your own sessions` : by === 'model' ? modelName(key) : (names.get(key) ?? key)
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

/** Limit of the differences that are listed for each check. */
const MAX_DIFFERENCES = 50

/**
 * "Verify the balance": reads all transactions and recomputes the ledger in the browser; shows each check with its
 * amounts.
 */
function LedgerCheckPanel() {
  const abortController = useRef<AbortController>(null)
  const [progress, setProgress] = useState({ read: 0, total: 0 })
  useEffect(() => () => abortController.current?.abort(), [])
  const check = useSingleFlight({
    mutationFn: async () => {
      const controller = new AbortController()
      abortController.current = controller
      setProgress({ read: 0, total: 0 })
      try {
        const snapshot = await readLedgerSnapshot(kinora, controller.signal, (read, total) =>
          setProgress({ read, total }),
        )
        return snapshot
          ? { checks: checkLedger(snapshot), rowCount: snapshot.transactions.length }
          : ('inconsistent' as const)
      } catch (error) {
        if (controller.signal.aborted) return 'aborted' as const
        throw error
      }
    },
  })
  return (
    <section className="panel" aria-labelledby="ledger-check">
      <div className={styles.head}>
        <div>
          <h2 id="ledger-check">{t`Verify the balance`}</h2>
          <p className="quiet">{t`Reads every row of the history and adds it all up again, here in your browser.`}</p>
        </div>
        {check.isPending ? (
          <Button onClick={() => abortController.current?.abort()}>{t`Stop`}</Button>
        ) : (
          <Button onClick={() => check.mutate()}>{check.data ? t`Verify again` : t`Verify`}</Button>
        )}
      </div>
      <div role="status" className={styles.status}>
        {check.isPending ? (
          <p>
            {progress.total > 0
              ? t`${formatNumber(progress.read)} of ${formatNumber(progress.total)} rows read`
              : t`Reading`}
          </p>
        ) : (
          <Result result={check.data} />
        )}
      </div>
      {check.error ? <ErrorState error={check.error} retry={check.mutate} /> : null}
    </section>
  )
}

type CheckResult = { checks: Check[]; rowCount: number } | 'inconsistent' | 'aborted' | undefined

function Result({ result }: { result: CheckResult }) {
  if (result === undefined) return null
  if (result === 'aborted') return <p>{t`Stopped before the end. Nothing was found out.`}</p>
  if (result === 'inconsistent')
    return <p>{t`Your credits kept moving while they were read. Check again when fewer films are in progress.`}</p>
  const failed = result.checks.filter(({ differences }) => differences.length > 0).length
  return (
    <div className="stack">
      <p className={styles.summary}>
        {failed === 0
          ? t`The books are right. ${plural(result.rowCount, { one: '# row', other: '# rows' })}, ${result.checks.length} checks, no difference.`
          : t`${failed} of ${result.checks.length} checks found a difference. Show this to the operator of this service.`}
      </p>
      <ul className={styles.checks}>
        {result.checks.map((check) => (
          <li key={check.rule} className={styles.check}>
            <span className="mark" data-kind={check.differences.length > 0 ? 'failed' : 'done'}>
              {check.differences.length > 0 ? t`Differs` : t`Right`}
            </span>
            <span>{check.rule}</span>
            <span className={styles.compared}>{check.compared}</span>
            {check.differences.length > 0 ? <DifferenceList differences={check.differences} /> : null}
          </li>
        ))}
      </ul>
    </div>
  )
}

function DifferenceList({ differences }: { differences: Difference[] }) {
  return (
    <ul className={styles.differences}>
      {differences.slice(0, MAX_DIFFERENCES).map(({ transaction, expected, found }) => (
        <li key={`${transaction?.id}${expected}`}>
          {transaction ? (
            <>
              <code>{transaction.transNo}</code>, {formatDateTime(transaction.createdAt)}:{' '}
            </>
          ) : null}
          {t`expected ${expected}, found ${found}.`}
        </li>
      ))}
      {differences.length > MAX_DIFFERENCES ? (
        <li>{t`and ${formatNumber(differences.length - MAX_DIFFERENCES)} more rows.`}</li>
      ) : null}
    </ul>
  )
}

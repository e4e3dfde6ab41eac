/** Ledger page: starts the ledger check over all users, and shows its progress and the last result. */

import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { DataTable } from '../ui/data-table.tsx'
import { formatNumber, formatUtcTime } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import adminStyles from './admin.module.css'
import { AdminPage, tableClass } from './kit.tsx'
import { type LedgerCheckRun, ledgerChecksQuery } from './queries.ts'

export function LedgerPage() {
  const checks = useQuery(ledgerChecksQuery)
  const start = useSingleFlight({
    mutationKey: ['admin', 'ledger'],
    mutationFn: () => dataOf(kinora.POST('/api/v1/admin/ledger/check')),
    // A first fetch that is still in flight may have been answered before the run began.
    onSettled: () => refreshQueries(ledgerChecksQuery.queryKey),
  })
  const { running = null, last = null } = checks.data ?? {}
  const isRunning = start.isPending || running !== null
  return (
    <AdminPage title={t`Ledger`}>
      <div className="panel">
        <p>
          {t`Recomputes every balance from the packages, holds and history of every user, and compares. The service goes on meanwhile, and nothing is changed. You can leave this page while it runs.`}
        </p>
        <div className="row">
          <Button kind="primary" busy={isRunning} onClick={() => start.mutate()}>
            {isRunning ? t`Checking` : t`Check the books`}
          </Button>
          {running ? <Progress run={running} /> : null}
        </div>
      </div>
      {/* CONFLICT: another run began meanwhile; the page shows its progress. */}
      {start.error && start.error.code !== 'CONFLICT' ? <ErrorState error={start.error} /> : null}
      {checks.error ? <ErrorState error={checks.error} retry={() => checks.refetch()} /> : null}
      {running && running.total > 0 ? <Differences run={running} /> : null}
      {last ? <Result run={last} /> : null}
      {checks.data && !running && !last ? <p className="quiet">{t`The books have not been checked yet.`}</p> : null}
    </AdminPage>
  )
}

function Progress({ run: { users, usersTotal, total } }: { run: LedgerCheckRun }) {
  return (
    <span className="quiet" role="status">
      {total > 0
        ? t`${formatNumber(users)} of ${formatNumber(usersTotal)} users checked, ${plural(total, { 1: 'one difference', other: '# differences' })} so far`
        : t`${formatNumber(users)} of ${formatNumber(usersTotal)} users checked`}
    </span>
  )
}

const endings = {
  running: '',
  finished: '',
  stopped: t`It was stopped before the end.`,
  failed: t`It failed before the end.`,
  abandoned: t`Its process ended before it did.`,
}

function Result({ run }: { run: LedgerCheckRun }) {
  const { state, users, total, startedAt, finishedAt, error } = run
  const scope = plural(users, { one: 'the books of # user', other: 'the books of # users' })
  const isRight = total === 0 && state === 'finished'
  const durationMs = finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : 0
  return (
    <section className="stack" aria-label={t`Result`}>
      <div role="status">
        <p className="mark" data-kind={isRight ? 'done' : 'failed'}>
          {total > 0
            ? t`${plural(total, { 1: 'One difference', other: '# differences' })} in ${scope}.`
            : isRight
              ? t`Right: ${scope} add up.`
              : t`Not finished: no difference in ${scope}.`}
        </p>
        <p className="quiet">
          {t`Checked ${formatUtcTime(startedAt)}, in ${formatDuration(durationMs)}.`} {endings[state]} {error}
        </p>
      </div>
      {total > 0 ? <Differences run={run} /> : null}
    </section>
  )
}

function Differences({ run: { differences, total } }: { run: LedgerCheckRun }) {
  const rulesByAdvice = Map.groupBy(differences, ({ advice }) => advice)
  return (
    <>
      <p>
        {t`Leave the rows as they are: credits are put right by giving them, and rows that differ are evidence. Keep this list, and find out what wrote to the database.`}
      </p>
      <DifferenceTable differences={differences} />
      {total > differences.length ? (
        <p className="quiet">
          {t`The first ${formatNumber(differences.length)} are listed. The command “kinora verify” lists all of them.`}
        </p>
      ) : null}
      <h2>{t`What to do`}</h2>
      <dl className={adminStyles.advice} lang="en">
        {[...rulesByAdvice].map(([advice, of]) => (
          <div key={advice}>
            {[...new Set(of.map(({ rule }) => rule))].map((rule) => (
              <dt key={rule}>{rule}</dt>
            ))}
            <dd>{advice}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

const formatDuration = (ms: number): string =>
  ms < 1000 ? `${ms} ms` : t`${formatNumber(Math.round(ms / 100) / 10)} s`

/** 2507 → "2,507"; a text that is no number stays. */
const grouped = (text: string): string => (/^-?\d{1,15}$/.test(text) ? formatNumber(Number(text)) : text)

const DifferenceTable = ({ differences }: { differences: LedgerCheckRun['differences'] }) => (
  <DataTable
    className={tableClass()}
    label={t`Differences`}
    rows={differences}
    keyOf={({ userId, subject, rule }) => `${userId} ${subject} ${rule}`}
    columns={[
      { head: t`What ought to be so`, className: 'wrap', cell: ({ rule }) => rule },
      { head: t`Where`, cell: ({ subject }) => subject },
      { head: t`Expected`, isNumber: true, cell: ({ expected }) => grouped(expected) },
      { head: t`Found`, isNumber: true, cell: ({ found }) => grouped(found) },
      {
        head: t`User`,
        cell: ({ userId }) => (
          <Link to="/admin/users/$id" params={{ id: userId }}>
            <code>{userId}</code>
          </Link>
        ),
      },
    ]}
  />
)

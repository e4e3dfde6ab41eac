/** Ledger page: starts the service's ledger check over all users, and shows its progress and the result of the last one. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { dataOf, kinora, refreshQueries } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { formatNumber, formatUtcTime } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import adminStyles from './admin.module.css'
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
    <div className="page">
      <title>Ledger · Administration · Kinora</title>
      <h1>Ledger</h1>
      <div className="panel">
        <p>
          Recomputes every balance from the packages, holds and history of every user, and compares. The service goes on
          meanwhile, and nothing is changed. You can leave this page while it runs.
        </p>
        <div className="row">
          <Button kind="primary" busy={isRunning} onClick={() => start.mutate()}>
            {isRunning ? 'Checking' : 'Check the books'}
          </Button>
          {running ? <Progress run={running} /> : null}
        </div>
      </div>
      {start.error ? <ErrorState error={start.error} /> : null}
      {checks.error ? <ErrorState error={checks.error} retry={() => checks.refetch()} /> : null}
      {running && running.total > 0 ? <Differences run={running} /> : null}
      {last ? <Result run={last} /> : null}
      {checks.data && !running && !last ? <p className="quiet">The books have not been checked yet.</p> : null}
    </div>
  )
}

function Progress({ run: { users, usersTotal, total } }: { run: LedgerCheckRun }) {
  return (
    <span className="quiet" role="status">
      {formatNumber(users)} of {formatNumber(usersTotal)} users checked
      {total > 0 ? `, ${countDifferences(total).toLowerCase()} so far` : ''}
    </span>
  )
}

const endings = {
  running: '',
  finished: '',
  stopped: 'It was stopped before the end.',
  failed: 'It failed before the end.',
  abandoned: 'Its process ended before it did.',
}

function Result({ run }: { run: LedgerCheckRun }) {
  const { state, users, total, startedAt, finishedAt, error } = run
  const scope = `the books of ${formatNumber(users)} ${users === 1 ? 'user' : 'users'}`
  const isRight = total === 0 && state === 'finished'
  const durationMs = finishedAt ? Date.parse(finishedAt) - Date.parse(startedAt) : 0
  return (
    <section className="stack" aria-label="Result">
      <div role="status">
        <p className="mark" data-kind={isRight ? 'done' : 'failed'}>
          {total > 0
            ? `${countDifferences(total)} in ${scope}.`
            : isRight
              ? `Right: ${scope} add up.`
              : `Not finished: no difference in ${scope}.`}
        </p>
        <p className="quiet">
          Checked {formatUtcTime(startedAt)}, in {formatDuration(durationMs)}. {endings[state]} {error}
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
        Leave the rows as they are: credits are put right by giving them, and rows that differ are evidence. Keep this
        list, and find out what wrote to the database.
      </p>
      <DifferenceTable differences={differences} />
      {total > differences.length ? (
        <p className="quiet">
          The first {formatNumber(differences.length)} are listed. The command “kinora verify” lists all of them.
        </p>
      ) : null}
      <h2>What to do</h2>
      <dl className={adminStyles.advice}>
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

const countDifferences = (total: number): string =>
  total === 1 ? 'One difference' : `${formatNumber(total)} differences`

const formatDuration = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)

const DifferenceTable = ({ differences }: { differences: LedgerCheckRun['differences'] }) => (
  <div className={adminStyles.table}>
    <TableFrame label="Differences">
      <thead>
        <tr>
          <th scope="col">What ought to be so</th>
          <th scope="col">Where</th>
          <th scope="col" className="number">
            Expected
          </th>
          <th scope="col" className="number">
            Found
          </th>
          <th scope="col">Whose</th>
        </tr>
      </thead>
      <tbody>
        {differences.map(({ userId, subject, rule, expected, found }) => (
          <tr key={`${userId} ${subject} ${rule}`}>
            <td className="wrap">{rule}</td>
            <td>{subject}</td>
            <td className="number">{expected}</td>
            <td className="number">{found}</td>
            <td>
              <Link to="/admin/users/$id" params={{ id: userId }}>
                <code>{userId}</code>
              </Link>
            </td>
          </tr>
        ))}
      </tbody>
    </TableFrame>
  </div>
)

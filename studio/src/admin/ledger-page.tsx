/** Ledger page: runs the service's ledger check over all users and lists the differences that it found. */
import { Link } from '@tanstack/react-router'
import { dataOf, kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { formatNumber, formatUtcTime } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { TableFrame } from '../ui/table-frame.tsx'
import adminStyles from './admin.module.css'
import type { LedgerCheck } from './queries.ts'

export function LedgerPage() {
  const check = useSingleFlight({
    mutationKey: ['admin', 'ledger'],
    mutationFn: () => dataOf(kinora.POST('/api/v1/admin/ledger/check')),
  })
  return (
    <div className="page">
      <title>Ledger · Administration · Kinora</title>
      <h1>Ledger</h1>
      <div className="panel">
        <p>
          Recomputes every balance from the packages, holds and history of every user, and compares. It reads one moment
          of the books; the service goes on meanwhile, and nothing is changed.
        </p>
        <div className="row">
          <Button kind="primary" busy={check.isPending} onClick={() => check.mutate()}>
            {check.isPending ? 'Checking' : 'Check the books'}
          </Button>
          {check.isPending ? <span className="quiet">This takes up to 50 seconds.</span> : null}
        </div>
      </div>
      {check.error ? <ErrorState error={check.error} /> : null}
      {check.data ? <Result check={check.data} /> : null}
    </div>
  )
}

function Result({ check: { users, differences, total, checkedAt, durationMs } }: { check: LedgerCheck }) {
  const scope = `the books of ${formatNumber(users)} ${users === 1 ? 'user' : 'users'}`
  return (
    <section className="stack" aria-label="Result">
      <div role="status">
        <p className="mark" data-kind={total === 0 ? 'done' : 'failed'}>
          {total === 0 ? `Right: ${scope} add up.` : `${countDifferences(total)} in ${scope}.`}
        </p>
        <p className="quiet">
          Checked {formatUtcTime(checkedAt)}, in {formatDuration(durationMs)}.
        </p>
      </div>
      {total > 0 ? (
        <>
          <p>
            Leave the rows as they are: credits are put right by giving them, and rows that differ are evidence. Keep
            this list, and find out what wrote to the database.
          </p>
          <DifferenceTable differences={differences} />
          {total > differences.length ? (
            <p className="quiet">
              The first {formatNumber(differences.length)} are listed. The command “kinora verify” lists all of them.
            </p>
          ) : null}
        </>
      ) : null}
    </section>
  )
}

const countDifferences = (total: number): string =>
  total === 1 ? 'One difference' : `${formatNumber(total)} differences`

const formatDuration = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`)

const DifferenceTable = ({ differences }: { differences: LedgerCheck['differences'] }) => (
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

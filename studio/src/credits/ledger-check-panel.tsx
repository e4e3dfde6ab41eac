/** "Check my books": every row is read and recomputed here in the browser, and what was compared is told with its numbers. */
import { useEffect, useRef, useState } from 'react'
import { kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { formatDateTime, formatNumber } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { type Check, checkBooks, type Difference } from './ledger-check.ts'
import look from './ledger-check-panel.module.css'
import { readBooks } from './transaction-reader.ts'

/** More differences than these of one check would say nothing new. */
const SHOWN = 50

export function BooksCheck() {
  const running = useRef<AbortController>(null)
  const [progress, setProgress] = useState({ read: 0, of: 0 })
  useEffect(() => () => running.current?.abort(), [])
  const check = useSingleFlight({
    mutationFn: async () => {
      const work = new AbortController()
      running.current = work
      setProgress({ read: 0, of: 0 })
      try {
        const books = await readBooks(kinora, work.signal, (read, of) => setProgress({ read, of }))
        return books ? { checks: checkBooks(books), rows: books.rows.length } : ('moving' as const)
      } catch (error) {
        if (work.signal.aborted) return 'stopped' as const
        throw error
      }
    },
  })
  return (
    <section className="panel" aria-labelledby="books">
      <div className={look.head}>
        <div>
          <h2 id="books">Check my books</h2>
          <p className="quiet">Reads every row of your history and adds it all up again, here in your browser.</p>
        </div>
        {check.isPending ? (
          <Button onClick={() => running.current?.abort()}>Stop</Button>
        ) : (
          <Button onClick={() => check.mutate()}>{check.data ? 'Check again' : 'Check'}</Button>
        )}
      </div>
      <div role="status" className={look.status}>
        {check.isPending ? (
          <p>
            {progress.of > 0 ? `${formatNumber(progress.read)} of ${formatNumber(progress.of)} rows read` : 'Reading'}
          </p>
        ) : (
          <Outcome outcome={check.data} />
        )}
      </div>
      {check.error ? <ErrorState error={check.error} retry={check.mutate} /> : null}
    </section>
  )
}

type Result = { checks: Check[]; rows: number } | 'moving' | 'stopped' | undefined

function Outcome({ outcome }: { outcome: Result }) {
  if (outcome === undefined) return null
  if (outcome === 'stopped') return <p>Stopped before the end. Nothing was found out.</p>
  if (outcome === 'moving')
    return <p>Your credits kept moving while they were read. Check again when fewer films are in progress.</p>
  const wrong = outcome.checks.filter(({ differences }) => differences.length > 0).length
  return (
    <div className="stack">
      <p className={look.verdict}>
        {wrong === 0
          ? `The books are right. ${outcome.rows === 1 ? '1 row' : `${formatNumber(outcome.rows)} rows`}, ${outcome.checks.length} checks, no difference.`
          : `${wrong} of ${outcome.checks.length} checks found a difference. Show this to whoever runs this service.`}
      </p>
      <ul className={look.checks}>
        {outcome.checks.map((check) => (
          <li key={check.rule} className={look.check}>
            <span className="mark" data-kind={check.differences.length > 0 ? 'failed' : 'done'}>
              {check.differences.length > 0 ? 'Differs' : 'Right'}
            </span>
            <span>{check.rule}</span>
            <span className={look.seen}>{check.seen}</span>
            {check.differences.length > 0 ? <Differences found={check.differences} /> : null}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Differences({ found }: { found: Difference[] }) {
  return (
    <ul className={look.differences}>
      {found.slice(0, SHOWN).map(({ row, expected, found: instead }) => (
        <li key={`${row?.id}${expected}`}>
          {row ? (
            <>
              <code>{row.transNo}</code>, {formatDateTime(row.createdAt)}:{' '}
            </>
          ) : null}
          expected {expected}, found {instead}.
        </li>
      ))}
      {found.length > SHOWN ? <li>and {formatNumber(found.length - SHOWN)} more rows.</li> : null}
    </ul>
  )
}

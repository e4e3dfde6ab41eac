/** "Verify the balance": recomputes the ledger in the browser from all transactions; shows each check's amounts. */
import { plural, t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { kinora } from '../api.ts'
import { useSingleFlight } from '../single-flight.ts'
import { Button } from '../ui/button.tsx'
import { formatDateTime, formatNumber } from '../ui/format.ts'
import { ErrorState } from '../ui/states.tsx'
import { type Check, checkLedger, type Difference } from './ledger-check.ts'
import styles from './ledger-check-panel.module.css'
import { readLedgerSnapshot } from './transaction-reader.ts'

/** Limit of the differences that are listed for each check. */
const MAX_LISTED = 50

export function LedgerCheckPanel() {
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
      {differences.slice(0, MAX_LISTED).map(({ transaction, expected, found }) => (
        <li key={`${transaction?.id}${expected}`}>
          {transaction ? (
            <>
              <code>{transaction.transNo}</code>, {formatDateTime(transaction.createdAt)}:{' '}
            </>
          ) : null}
          {t`expected ${expected}, found ${found}.`}
        </li>
      ))}
      {differences.length > MAX_LISTED ? (
        <li>{t`and ${formatNumber(differences.length - MAX_LISTED)} more rows.`}</li>
      ) : null}
    </ul>
  )
}

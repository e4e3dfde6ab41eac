/** A user's credit transactions, newest first, loaded page by page. An expiry can be reversed from its row. */
import { t } from '@lingui/core/macro'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TransactionTable } from '../credits/transaction-table.tsx'
import { Button } from '../ui/button.tsx'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { type Owner, userHistoryQuery } from './queries.ts'
import { ReverseExpiry, reversiblePackage } from './reverse-expiry.tsx'

export function UserHistory({ user }: { user: Owner }) {
  const history = useInfiniteQuery(userHistoryQuery(user.id))
  const [reversing, setReversing] = useState<string | null>(null)
  const transactions = history.data?.pages.flatMap((page) => page.transactions)
  return (
    <section className="stack" aria-labelledby="history">
      <h2 id="history">{t`History`}</h2>
      {history.error && !transactions ? <ErrorState error={history.error} retry={history.refetch} /> : null}
      {history.isPending ? <TableSkeleton label={t`Loading the history`} /> : null}
      {transactions?.length === 0 ? (
        <EmptyState>{t`Every credit that comes or goes will be listed here.`}</EmptyState>
      ) : null}
      {transactions?.length ? (
        <>
          <TransactionTable
            transactions={transactions}
            makers={history.data?.pages.flatMap(({ makers }) => makers) ?? []}
            isOwn={false}
            action={(transaction) => {
              const packageId = reversiblePackage(transaction)
              return packageId && !user.deletedAt ? (
                <Button onClick={() => setReversing(packageId)}>{t`Reverse`}</Button>
              ) : null
            }}
          />
          <ShowMore list={history} shown={transactions.length} total={history.data?.pages[0]?.total ?? 0} />
        </>
      ) : null}
      {reversing ? <ReverseExpiry user={user} packageId={reversing} onClose={() => setReversing(null)} /> : null}
    </section>
  )
}

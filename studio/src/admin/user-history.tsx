/** A user's credit transactions, newest first, loaded page by page. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { TransactionTable } from '../credits/transaction-table.tsx'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { userHistoryQuery } from './queries.ts'

export function UserHistory({ id }: { id: string }) {
  const history = useInfiniteQuery(userHistoryQuery(id))
  const transactions = history.data?.pages.flatMap((page) => page.transactions)
  return (
    <section className="stack" aria-labelledby="history">
      <h2 id="history">History</h2>
      {history.error && !transactions ? <ErrorState error={history.error} retry={history.refetch} /> : null}
      {history.isPending ? <TableSkeleton label="Loading the history" /> : null}
      {transactions?.length === 0 ? (
        <EmptyState>Every credit that comes or goes will be listed here.</EmptyState>
      ) : null}
      {transactions?.length ? (
        <>
          <TransactionTable transactions={transactions} isOwn={false} />
          <ShowMore list={history} shown={transactions.length} total={history.data?.pages[0]?.total ?? 0} />
        </>
      ) : null}
    </section>
  )
}

/** A user's credit transactions, newest first, loaded page by page. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { TransactionTable } from '../credits/transaction-table.tsx'
import { ShowMore, TableWaiting } from '../ui/long-list.tsx'
import { Empty, Problem } from '../ui/states.tsx'
import { userHistoryQuery } from './queries.ts'

export function UserHistory({ id }: { id: string }) {
  const history = useInfiniteQuery(userHistoryQuery(id))
  const transactions = history.data?.pages.flatMap((page) => page.transactions)
  return (
    <section className="stack" aria-labelledby="history">
      <h2 id="history">History</h2>
      {history.error && !transactions ? <Problem error={history.error} retry={history.refetch} /> : null}
      {history.isPending ? <TableWaiting label="Loading the history" /> : null}
      {transactions?.length === 0 ? <Empty>Every credit that comes or goes will be listed here.</Empty> : null}
      {transactions?.length ? (
        <>
          <TransactionTable transactions={transactions} isOwn={false} />
          <ShowMore list={history} shown={transactions.length} total={history.data?.pages[0]?.total ?? 0} />
        </>
      ) : null}
    </section>
  )
}

/** Every movement of a user's Available, newest first, a page at a time. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { MovementTable } from '../credits/transaction-table.tsx'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { userHistory } from './queries.ts'

export function UserHistory({ id }: { id: string }) {
  const history = useInfiniteQuery(userHistory(id))
  const rows = history.data?.pages.flatMap(({ transactions }) => transactions)
  return (
    <section className="stack" aria-labelledby="history">
      <h2 id="history">History</h2>
      {history.error && !rows ? <ErrorState error={history.error} retry={history.refetch} /> : null}
      {history.isPending ? <TableSkeleton label="Loading the history" /> : null}
      {rows?.length === 0 ? <EmptyState>Every credit that comes or goes will be listed here.</EmptyState> : null}
      {rows?.length ? (
        <>
          <MovementTable rows={rows} isOwn={false} />
          <ShowMore list={history} shown={rows.length} total={history.data?.pages[0]?.total ?? 0} />
        </>
      ) : null}
    </section>
  )
}

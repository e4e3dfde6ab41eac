/** Every movement of Available, newest first: filtered in the address, a page at a time, and the whole as a file. */
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { dataOf, kinora } from '../api.ts'
import { buttonClass } from '../ui/button.tsx'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { Export } from './csv-export.tsx'
import type { Row } from './ledger-check.ts'
import '../ui/field.css'
import look from './transaction-history.module.css'
import { MovementTable } from './transaction-table.tsx'
import { isMovement, movements } from './transaction-types.ts'

const PAGE_SIZE = 25
type TransType = Row['transType']

const historyOf = (transType: TransType | undefined) =>
  infiniteQueryOptions({
    queryKey: ['credit', 'history', transType ?? 'all'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const query = {
        pageSize: PAGE_SIZE,
        ...(transType ? { transType } : {}),
        ...(pageParam ? { cursor: pageParam } : {}),
      }
      return dataOf(kinora.GET('/api/v1/credit/history', { params: { query }, signal }))
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export function History() {
  const { type } = useSearch({ from: '/signed-in/credits' })
  const transType = isMovement(type) ? type : undefined
  const history = useInfiniteQuery(historyOf(transType))
  const rows = history.data?.pages.flatMap(({ transactions }) => transactions)
  return (
    <section className="stack" aria-labelledby="history">
      <div className="page-head">
        <h2 id="history">History</h2>
        <div className={look.actions}>
          <TypeChoice chosen={transType} />
          <Export />
        </div>
      </div>
      {history.error && !rows ? <ErrorState error={history.error} retry={history.refetch} /> : null}
      {rows ? (
        <Rows rows={rows} transType={transType} />
      ) : history.error ? null : (
        <TableSkeleton label="Loading the history" />
      )}
      {rows?.length ? <ShowMore list={history} shown={rows.length} total={history.data?.pages[0]?.total ?? 0} /> : null}
    </section>
  )
}

function TypeChoice({ chosen }: { chosen: TransType | undefined }) {
  const navigate = useNavigate({ from: '/credits' })
  const choose = (type: string) =>
    navigate({
      search: ({ type: _, ...rest }) => (type ? { ...rest, type } : rest),
      replace: true,
      resetScroll: false,
    })
  return (
    <label className={look.filter}>
      <span className="hidden-text">Kind of movement</span>
      <select className="input" value={chosen ?? ''} onChange={(event) => choose(event.target.value)} data-search>
        <option value="">All movements</option>
        {Object.entries(movements).map(([type, name]) => (
          <option key={type} value={type}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

function Rows({ rows, transType }: { rows: Row[]; transType: TransType | undefined }) {
  if (rows.length === 0 && transType)
    return (
      <EmptyState
        action={
          <Link
            to="/credits"
            search={({ type: _, ...rest }) => rest}
            replace
            resetScroll={false}
            className={buttonClass()}
          >
            Show all movements
          </Link>
        }
      >
        There is no movement of this kind: {movements[transType]}.
      </EmptyState>
    )
  if (rows.length === 0)
    return (
      <EmptyState
        action={
          <Link to="/plans" className={buttonClass('primary')}>
            See packs and plans
          </Link>
        }
      >
        Every credit that comes or goes will be listed here.
      </EmptyState>
    )
  return <MovementTable rows={rows} />
}

/** The user's credit transactions, newest first: filtered by type (kept in the URL), loaded page by page, exported as CSV. */
import { t } from '@lingui/core/macro'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { dataOf, kinora } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import type { Maker } from '../maker-name.ts'
import { buttonClass } from '../ui/button.tsx'
import { ShowMore, TableSkeleton } from '../ui/infinite-list.tsx'
import { EmptyState, ErrorState } from '../ui/states.tsx'
import { CsvExport } from './csv-export.tsx'

import '../ui/field.css'
import styles from './transaction-history.module.css'
import { TransactionTable } from './transaction-table.tsx'
import { type CreditTransaction, filterLabels, isTransactionType, type TransactionType } from './transaction-types.ts'

const PAGE_SIZE = 25

const historyQuery = (transType: TransactionType | undefined) =>
  infiniteQueryOptions({
    queryKey: ['credit', 'history', transType ?? 'all'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => {
      const query = {
        pageSize: PAGE_SIZE,
        prompts: true,
        ...(transType ? { transType } : {}),
        ...(pageParam ? { cursor: pageParam } : {}),
      }
      return dataOf(kinora.GET('/api/v1/credit/history', { params: { query }, signal }))
    },
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })

export function TransactionHistory() {
  const { type } = useSearch({ from: '/signed-in/credits' })
  const transType = isTransactionType(type) ? type : undefined
  const history = useInfiniteQuery(historyQuery(transType))
  const transactions = history.data?.pages.flatMap((page) => page.transactions)
  return (
    <section className="stack" aria-labelledby="history">
      <div className="page-head">
        <h2 id="history">{t`History`}</h2>
        <div className={styles.actions}>
          <TypeFilter selected={transType} />
          <CsvExport />
        </div>
      </div>
      {history.error && !transactions ? <ErrorState error={history.error} retry={history.refetch} /> : null}
      {transactions ? (
        <Transactions
          transactions={transactions}
          // Who spent own credits is no question.
          makers={chosenTeam() ? (history.data?.pages.flatMap(({ makers }) => makers) ?? []) : []}
          transType={transType}
        />
      ) : history.error ? null : (
        <TableSkeleton label={t`Loading the history`} />
      )}
      {transactions?.length ? (
        <ShowMore list={history} shown={transactions.length} total={history.data?.pages[0]?.total ?? 0} />
      ) : null}
    </section>
  )
}

function TypeFilter({ selected }: { selected: TransactionType | undefined }) {
  const navigate = useNavigate({ from: '/credits' })
  const select = (type: string) =>
    navigate({
      search: ({ type: _, ...rest }) => (type ? { ...rest, type } : rest),
      replace: true,
      resetScroll: false,
    })
  return (
    <label className={styles.filter}>
      <span className="hidden-text">{t`Kind of movement`}</span>
      <select className="input" value={selected ?? ''} onChange={(event) => select(event.target.value)} data-search>
        <option value="">{t`All movements`}</option>
        {Object.entries(filterLabels).map(([type, label]) => (
          <option key={type} value={type}>
            {label}
          </option>
        ))}
      </select>
    </label>
  )
}

type TransactionsProps = {
  transactions: CreditTransaction[]
  makers: Maker[]
  transType: TransactionType | undefined
}

function Transactions({ transactions, makers, transType }: TransactionsProps) {
  if (transactions.length === 0 && transType)
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
            {t`Show all movements`}
          </Link>
        }
      >
        {t`There is no movement of this kind: ${filterLabels[transType]}.`}
      </EmptyState>
    )
  if (transactions.length === 0)
    return (
      <EmptyState
        action={
          <Link to="/plans" className={buttonClass('primary')}>
            {t`See packs and plans`}
          </Link>
        }
      >
        {t`Every credit that comes or goes will be listed here.`}
      </EmptyState>
    )
  return <TransactionTable transactions={transactions} makers={makers} />
}

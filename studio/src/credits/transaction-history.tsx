/** The user's credit transactions, newest first: filtered by type (in the URL), page by page, also as CSV. */

import { creditCsvHeader, creditCsvRow } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { kinora } from '../api.ts'
import { chosenTeam } from '../chosen-team.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { formatNumber } from '../ui/format.ts'
import { PagedList } from '../ui/infinite-list.tsx'
import { Select } from '../ui/select.tsx'
import { EmptyState } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import styles from './transaction-history.module.css'
import { transactionPages } from './transaction-reader.ts'
import { TransactionTable } from './transaction-table.tsx'
import { filterLabels, isTransactionType, type TransactionType } from './transaction-types.ts'
import '../ui/field.css'
import { pagedQuery, usePages } from '../ui/infinite-pages.ts'

const historyQuery = (transType: TransactionType | undefined) =>
  pagedQuery(['credit', 'history', transType ?? 'all'], (page, signal) => {
    const query = { ...page, prompts: true, ...(transType ? { transType } : {}) }
    return kinora.GET('/api/v1/credit/history', { params: { query }, signal })
  })

export function TransactionHistory() {
  const { type } = useSearch({ from: '/signed-in/credits' })
  const transType = isTransactionType(type) ? type : undefined
  const history = usePages(historyQuery(transType))
  return (
    <section className="stack" aria-labelledby="history">
      <div className="page-head">
        <h2 id="history">{t`History`}</h2>
        <div className={styles.actions}>
          <TypeFilter selected={transType} />
          <CsvExport />
        </div>
      </div>
      <PagedList
        list={history}
        rowsOf={(page) => page.transactions}
        total={history.data?.pages[0]?.total}
        loading={t`Loading the history`}
        empty={<NoTransactions transType={transType} />}
      >
        {(transactions) => (
          <TransactionTable
            transactions={transactions}
            // Who spent own credits is no question.
            makers={chosenTeam() ? (history.data?.pages.flatMap(({ makers }) => makers) ?? []) : []}
          />
        )}
      </PagedList>
    </section>
  )
}

function TypeFilter({ selected }: { selected: TransactionType | undefined }) {
  const navigate = useNavigate({ from: '/credits' })
  const select = (type: TransactionType | undefined) =>
    navigate({
      search: ({ type: _, ...rest }) => (type ? { ...rest, type } : rest),
      replace: true,
      resetScroll: false,
    })
  return (
    <Select
      className={styles.filter}
      aria-label={t`Kind of movement`}
      data-search
      value={selected}
      none={t`All movements`}
      options={filterLabels}
      onSelect={select}
    />
  )
}

function NoTransactions({ transType }: { transType: TransactionType | undefined }) {
  if (transType)
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
}

/** Exports the whole history as a CSV file, built page by page in the browser, with progress and a Stop button. */
function CsvExport() {
  const [progress, setProgress] = useState<{ read: number; total: number } | null>(null)
  const abortController = useRef<AbortController>(null)
  useEffect(() => () => abortController.current?.abort(), [])

  const start = async () => {
    const controller = new AbortController()
    abortController.current = controller
    setProgress({ read: 0, total: 0 })
    try {
      const parts = [creditCsvHeader]
      let read = 0
      for await (const { transactions, total } of transactionPages(kinora, controller.signal)) {
        parts.push(transactions.map(creditCsvRow).join(''))
        read += transactions.length
        setProgress({ read, total: Math.max(total, read) })
      }
      const file = new Blob(parts, { type: 'text/csv;charset=utf-8' })
      saveFile(file, `kinora-credits-${new Date().toISOString().slice(0, 10)}.csv`)
      toast({ text: plural(read, { one: 'The file has # row.', other: 'The file has # rows.' }) })
    } catch (error) {
      if (!controller.signal.aborted) toast({ text: t`The file was not made. ${messageOf(error)}` })
    } finally {
      if (abortController.current === controller) setProgress(null)
    }
  }

  // The same button element in both states keeps the focus.
  return (
    <>
      {progress ? (
        <span className="quiet" role="status">
          {progress.total > 0 ? t`${formatNumber(progress.read)} of ${formatNumber(progress.total)} rows` : t`Reading`}
        </span>
      ) : null}
      <Button onClick={progress ? () => abortController.current?.abort() : start}>
        {progress ? t`Stop` : t`Export all as CSV`}
      </Button>
    </>
  )
}

const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : t`Try again.`

function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  // The download starts asynchronously after click(): revoking the URL now would cancel it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** Exports the whole history as a CSV file, built page by page in the browser, with progress and a Stop button. */
import { creditCsvHeader, creditCsvRow } from '@kinora/client'
import { plural, t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { kinora } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { formatNumber } from '../ui/format.ts'
import { saveFile } from '../ui/save-file.ts'
import { toast } from '../ui/toasts.tsx'
import { transactionPages } from './transaction-reader.ts'

export function CsvExport() {
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

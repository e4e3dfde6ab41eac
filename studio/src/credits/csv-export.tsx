/** All rows as a CSV file, read page by page here in the browser; it says how far it is and can be stopped. */
import { useEffect, useRef, useState } from 'react'
import { kinora } from '../api.ts'
import { Button } from '../ui/button.tsx'
import { formatNumber } from '../ui/format.ts'
import { toast } from '../ui/toasts.tsx'
import { csvHead, csvLine } from './csv.ts'
import { pagesOf } from './transaction-reader.ts'

export function Export() {
  const [progress, setProgress] = useState<{ read: number; of: number } | null>(null)
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])

  const start = async () => {
    const work = new AbortController()
    running.current = work
    setProgress({ read: 0, of: 0 })
    try {
      const parts = [csvHead]
      let read = 0
      for await (const { transactions, total } of pagesOf(kinora, work.signal)) {
        parts.push(transactions.map(csvLine).join(''))
        read += transactions.length
        setProgress({ read, of: Math.max(total, read) })
      }
      save(new Blob(parts, { type: 'text/csv;charset=utf-8' }))
      toast({ text: `The file has ${read === 1 ? '1 row' : `${formatNumber(read)} rows`}.` })
    } catch (error) {
      if (!work.signal.aborted) toast({ text: `The file was not made. ${messageOf(error)}` })
    } finally {
      if (running.current === work) setProgress(null)
    }
  }

  // One button in both states, so that the focus stays on it.
  return (
    <>
      {progress ? (
        <span className="quiet" role="status">
          {progress.of > 0 ? `${formatNumber(progress.read)} of ${formatNumber(progress.of)} rows` : 'Reading'}
        </span>
      ) : null}
      <Button onClick={progress ? () => running.current?.abort() : start}>
        {progress ? 'Stop' : 'Export all as CSV'}
      </Button>
    </>
  )
}

const messageOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : 'Try again.'

function save(file: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = `kinora-credits-${new Date().toISOString().slice(0, 10)}.csv`
  link.click()
  // Not at once: the download begins after this turn.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

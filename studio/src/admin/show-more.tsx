/** The foot of a long list: how much of it is shown, the next piece of it, and the place a list takes while it loads. */
import type { KinoraError } from '@kinora/client'
import { Button } from '../look/button.tsx'
import { Blank, Problem, Waiting } from '../look/states.tsx'
import { number } from '../look/words.ts'
import look from './admin.module.css'

type List = {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  error: KinoraError | null
  fetchNextPage: () => unknown
}

export function ShowMore({ list, shown, total }: { list: List; shown: number; total: number }) {
  return (
    <>
      <div className="page-head">
        <p className="quiet small" role="status">
          {number(shown)} of {number(Math.max(shown, total))} shown
        </p>
        {list.hasNextPage ? (
          <Button busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            Show more
          </Button>
        ) : null}
      </div>
      {list.isFetchNextPageError && list.error ? (
        <Problem error={list.error} retry={() => list.fetchNextPage()} />
      ) : null}
    </>
  )
}

export const TableWaiting = ({ label }: { label: string }) => (
  <Waiting label={label}>
    <div className={look.skeleton}>
      {[1, 2, 3, 4, 5, 6].map((line) => (
        <Blank key={line} />
      ))}
    </div>
  </Waiting>
)

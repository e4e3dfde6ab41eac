/** A list read page by page: the place it takes while it loads, and its foot, which says how much is shown and shows more. */
import type { KinoraError } from '@kinora/client'
import { Button } from './button.tsx'
import { Blank, Problem, Waiting } from './states.tsx'
import { number } from './words.ts'

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
    <div className="table-waiting">
      {[1, 2, 3, 4, 5, 6].map((line) => (
        <Blank key={line} />
      ))}
    </div>
  </Waiting>
)

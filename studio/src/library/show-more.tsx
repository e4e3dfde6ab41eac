/** The end of a list that has more: it goes on by itself when it comes near, and there is a button for those who press. */
import { useEffect, useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { formatNumber } from '../ui/format.ts'
import { type InfiniteList, useGoOn } from '../ui/infinite-list.tsx'
import { ErrorState } from '../ui/states.tsx'
import css from './library.module.css'

export function ShowMore({
  list,
  shown,
  total,
}: {
  list: InfiniteList & { isPlaceholderData: boolean }
  shown: number
  total: number
}) {
  const end = useRef<HTMLDivElement>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, isPlaceholderData } = list
  const goOn = useGoOn(list)
  // After a failure it waits for a press instead of asking for ever.
  const goesOn = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && !isPlaceholderData
  useEffect(() => {
    if (!goesOn || !end.current) return
    const observer = new IntersectionObserver((entries) => entries.some((each) => each.isIntersecting) && goOn(), {
      rootMargin: '1200px',
    })
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [goesOn, goOn])
  if (!hasNextPage) return null
  return (
    <div className={css.more} ref={end}>
      {isFetchNextPageError && list.error ? <ErrorState error={list.error} retry={goOn} /> : null}
      {isFetchNextPageError ? null : (
        <Button busy={isFetchingNextPage} onClick={goOn}>
          Show more
        </Button>
      )}
      <p className="quiet small">
        {formatNumber(shown)} of {formatNumber(total)}
      </p>
    </div>
  )
}

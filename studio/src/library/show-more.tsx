/** The end of a list that has more: it goes on by itself when it comes near, and there is a button for those who press. */
import type { KinoraError } from '@kinora/client'
import { useEffect, useRef } from 'react'
import { Button } from '../look/button.tsx'
import { Problem } from '../look/states.tsx'
import { number } from '../look/words.ts'
import css from './library.module.css'

type List = {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  isPlaceholderData: boolean
  error: KinoraError | null
  fetchNextPage: () => unknown
}

export function ShowMore({ list, shown, total }: { list: List; shown: number; total: number }) {
  const end = useRef<HTMLDivElement>(null)
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, isPlaceholderData, fetchNextPage } = list
  // After a failure it waits for a press instead of asking for ever.
  const goesOn = hasNextPage && !isFetchingNextPage && !isFetchNextPageError && !isPlaceholderData
  useEffect(() => {
    if (!goesOn || !end.current) return
    const observer = new IntersectionObserver(
      (entries) => entries.some((each) => each.isIntersecting) && fetchNextPage(),
      {
        rootMargin: '1200px',
      },
    )
    observer.observe(end.current)
    return () => observer.disconnect()
  }, [goesOn, fetchNextPage])
  if (!hasNextPage) return null
  return (
    <div className={css.more} ref={end}>
      {isFetchNextPageError && list.error ? <Problem error={list.error} retry={() => fetchNextPage()} /> : null}
      {isFetchNextPageError ? null : (
        <Button busy={isFetchingNextPage} onClick={() => fetchNextPage()}>
          Show more
        </Button>
      )}
      <p className="quiet small">
        {number(shown)} of {number(total)}
      </p>
    </div>
  )
}

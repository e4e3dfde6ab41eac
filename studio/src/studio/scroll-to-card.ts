/** Scrolls the card of a new video into view, as the visible response to a submission. */
import { useEffect } from 'react'

/** The uuid of a new video whose card is not rendered yet. */
let awaited: string | null = null

/** Scrolls at once, or when the card is rendered: the query's data reaches React in a later task. */
export function scrollToCard(uuid: string): void {
  awaited = scrollIntoView(uuid) ? null : uuid
}

/** Scrolls to the card when it is the one that `scrollToCard` waits for. */
export function useAwaitedScroll(uuid: string): void {
  useEffect(() => {
    if (awaited !== uuid) return
    awaited = null
    scrollIntoView(uuid)
  }, [uuid])
}

function scrollIntoView(uuid: string): boolean {
  const card = document.getElementById(cardId(uuid))
  const isMotionReduced = matchMedia('(prefers-reduced-motion: reduce)').matches
  card?.scrollIntoView({ block: 'nearest', behavior: isMotionReduced ? 'auto' : 'smooth' })
  return card !== null
}

export const cardId = (uuid: string): string => `video-${uuid}`

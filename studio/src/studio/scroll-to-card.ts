/** Scrolls the card of a new video into view, as the visible response to a submission. */
export function scrollToCard(uuid: string): void {
  // The card is rendered by the next frame.
  requestAnimationFrame(() => {
    const isMotionReduced = matchMedia('(prefers-reduced-motion: reduce)').matches
    document
      .getElementById(cardId(uuid))
      ?.scrollIntoView({ block: 'nearest', behavior: isMotionReduced ? 'auto' : 'smooth' })
  })
}

export const cardId = (uuid: string): string => `video-${uuid}`

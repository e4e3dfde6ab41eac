/** Brings the card of a video into sight once it is there, so that a press is never without an answer. */
export function scrollToCard(uuid: string): void {
  requestAnimationFrame(() => {
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches
    document.getElementById(cardId(uuid))?.scrollIntoView({ block: 'nearest', behavior: still ? 'auto' : 'smooth' })
  })
}

export const cardId = (uuid: string): string => `video-${uuid}`

/** When a list that reloads itself has to stand still: while somebody is at one of its rows. */
import { type RefObject, useEffect, useState } from 'react'

/** @returns whether the focus or a selection of text is within the element */
export function useStill(place: RefObject<HTMLElement | null>): boolean {
  const [still, setStill] = useState(false)
  useEffect(() => {
    const look = () => {
      const element = place.current
      const selection = document.getSelection()
      const isSelected = !!selection && !selection.isCollapsed && !!element && selection.containsNode(element, true)
      setStill(isSelected || !!element?.contains(document.activeElement))
    }
    // When the focus moves, nothing has it for a moment: only where it arrives counts.
    const later = () => queueMicrotask(look)
    document.addEventListener('selectionchange', look)
    document.addEventListener('focusin', look)
    document.addEventListener('focusout', later)
    return () => {
      document.removeEventListener('selectionchange', look)
      document.removeEventListener('focusin', look)
      document.removeEventListener('focusout', later)
    }
  }, [place])
  return still
}

/** Lets go of the row: nothing has the focus, and no text is selected. */
export function letGo(): void {
  document.getSelection()?.removeAllRanges()
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

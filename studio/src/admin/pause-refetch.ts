/** Pauses a table's periodic refetch while a user works in one of its rows, so that the row does not move away. */
import { type RefObject, useEffect, useState } from 'react'

/** @returns true while the focus or a text selection is inside the container */
export function usePauseRefetch(container: RefObject<HTMLElement | null>): boolean {
  const [isPaused, setPaused] = useState(false)
  useEffect(() => {
    const update = () => {
      const element = container.current
      const selection = document.getSelection()
      const isSelected = !!selection && !selection.isCollapsed && !!element && selection.containsNode(element, true)
      setPaused(isSelected || !!element?.contains(document.activeElement))
    }
    // No element has the focus between focusout and the next focusin; the microtask runs after the focus has moved.
    const updateAfterFocusMove = () => queueMicrotask(update)
    document.addEventListener('selectionchange', update)
    document.addEventListener('focusin', update)
    document.addEventListener('focusout', updateAfterFocusMove)
    return () => {
      document.removeEventListener('selectionchange', update)
      document.removeEventListener('focusin', update)
      document.removeEventListener('focusout', updateAfterFocusMove)
    }
  }, [container])
  return isPaused
}

/** Resumes the refetch: clears the text selection and blurs the focused element. */
export function resumeRefetch(): void {
  document.getSelection()?.removeAllRanges()
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
}

/**
 * Keyboard shortcuts on the whole page. A shortcut does nothing while a dialog or a menu is open over the page, or an
 * input method composes a text.
 */
import { useEffect, useEffectEvent } from 'react'
import { isComposing } from '../ui/composition.ts'

/** Calls the handler, always the one of the latest render, on every keydown event of the window. */
export function useShortcut(handler: (event: KeyboardEvent) => void): void {
  const onKeydown = useEffectEvent((event: KeyboardEvent) => {
    if (!isComposing(event) && !isOverlayOpen()) handler(event)
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeydown(event)
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}

/** Reads the DOM instead of the focus, which moves into an overlay a moment after it opens. */
const isOverlayOpen = (): boolean => document.querySelector('.dialog[open], :popover-open') !== null

/** The keyboard shortcuts: `g` and a letter opens a page, `/` focuses the page's search, `?` opens their list. */
import { useNavigate } from '@tanstack/react-router'
import { useRef } from 'react'
import type { NavItem } from './navigation.ts'
import { useShortcut } from './use-shortcut.ts'

/** How long the second key of a chord may take. */
const CHORD_MS = 1500

export function useKeyboardShortcuts(items: NavItem[], onHelp: () => void): void {
  const navigate = useNavigate()
  /** When a pending `g` expires. A ref and not state: a navigation between the two keys renders the shell again. */
  const chordEndsAtMs = useRef(0)
  useShortcut((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTextInput(event.target)) return
    const isChord = event.timeStamp < chordEndsAtMs.current
    chordEndsAtMs.current = 0
    const item = isChord ? items.find(({ key }) => key === event.key) : undefined
    if (item) navigate({ to: item.to })
    else if (event.key === 'g') chordEndsAtMs.current = event.timeStamp + CHORD_MS
    else if (event.key === '?') onHelp()
    else if (event.key === '/') document.querySelector<HTMLElement>('[data-search]')?.focus()
    else return
    event.preventDefault()
  })
}

const isTextInput = (target: EventTarget | null): boolean => {
  // These take no letters: a shortcut works after a click on one.
  if (target instanceof HTMLInputElement) return !/^(radio|checkbox|range)$/.test(target.type)
  return target instanceof HTMLElement && (target.isContentEditable || /^(textarea|select)$/i.test(target.tagName))
}

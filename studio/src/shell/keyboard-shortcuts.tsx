/** The keyboard: `g` and a letter goes to a page, `/` to the search of this page, `?` lists the keys. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { Fact } from '../ui/fact.tsx'
import type { NavItem } from './navigation.ts'
import { isOverlayOpen } from './overlay.ts'

/** How long the letter after `g` is waited for. */
const CHORD_MS = 1500

export function useKeyboardShortcuts(pages: NavItem[], onList: () => void): void {
  const navigate = useNavigate()
  /** Kept beside the frame's own state: a page that arrives between the two keys draws the frame anew. */
  const waitsUntilMs = useRef(0)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isOverlayOpen()) return
    const chord = event.timeStamp < waitsUntilMs.current
    waitsUntilMs.current = 0
    const page = chord ? pages.find(({ key }) => key === event.key) : undefined
    if (page) navigate({ to: page.to })
    else if (event.key === 'g') waitsUntilMs.current = event.timeStamp + CHORD_MS
    else if (event.key === '?') onList()
    else if (event.key === '/') document.querySelector<HTMLElement>('[data-search]')?.focus()
    else return
    event.preventDefault()
  })
  useEffect(() => {
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))

export function ShortcutsDialog({ open, onClose, pages }: { open: boolean; onClose: () => void; pages: NavItem[] }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard">
      <dl className="facts">
        {pages.map(({ to, name, key }) => (
          <Fact key={to} name={name}>
            <kbd>g</kbd> <kbd>{key}</kbd>
          </Fact>
        ))}
        <Fact name="Search this page">
          <kbd>/</kbd>
        </Fact>
        <Fact name="Film before, film after">
          <kbd>←</kbd> <kbd>→</kbd>
        </Fact>
        <Fact name="Generate">
          <kbd>Ctrl</kbd> <kbd>Enter</kbd>
        </Fact>
        <Fact name="This list">
          <kbd>?</kbd>
        </Fact>
      </dl>
    </Dialog>
  )
}

/** The keyboard: `g` and a letter goes to a page, `/` to the search of this page, `?` lists the keys. */
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef } from 'react'
import { Dialog } from '../look/dialog.tsx'
import { isCovered } from './on-top.ts'
import type { Page } from './pages.ts'

/** How long the letter after `g` is waited for. */
const CHORD_MS = 1500

export function useKeys(pages: Page[], onList: () => void): void {
  const navigate = useNavigate()
  /** Kept beside the frame's own state: a page that arrives between the two keys draws the frame anew. */
  const waitsUntilMs = useRef(0)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || isCovered()) return
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

export function KeyList({ open, onClose, pages }: { open: boolean; onClose: () => void; pages: Page[] }) {
  return (
    <Dialog open={open} onClose={onClose} title="Keyboard">
      <dl className="facts">
        {pages.map(({ to, name, key }) => (
          <div className="key-line" key={to}>
            <dt>{name}</dt>
            <dd>
              <kbd>g</kbd> <kbd>{key}</kbd>
            </dd>
          </div>
        ))}
        <div className="key-line">
          <dt>Search this page</dt>
          <dd>
            <kbd>/</kbd>
          </dd>
        </div>
        <div className="key-line">
          <dt>Film before, film after</dt>
          <dd>
            <kbd>←</kbd> <kbd>→</kbd>
          </dd>
        </div>
        <div className="key-line">
          <dt>Generate</dt>
          <dd>
            <kbd>Ctrl</kbd> <kbd>Enter</kbd>
          </dd>
        </div>
        <div className="key-line">
          <dt>This list</dt>
          <dd>
            <kbd>?</kbd>
          </dd>
        </div>
      </dl>
    </Dialog>
  )
}

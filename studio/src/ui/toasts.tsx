/**
 * Toasts: short messages at the bottom of the page, each with at most one action. F6 moves the focus to them, and while
 * the pointer or the focus is on one, or the tab is hidden, none disappears.
 */
import { t } from '@lingui/core/macro'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Button } from './button.tsx'
import './toasts.css'

type ToastOptions = {
  text: ReactNode
  action?: { label: string; onClick: () => void }
  /** Called once when the toast times out or is closed; not called after its action. */
  onClose?: () => void
  timeoutMs?: number
  /** Screen readers hear of it from another live region. */
  isSilent?: boolean
}
type Toast = ToastOptions & { id: number }

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** @returns a function that closes the toast */
export function toast(options: ToastOptions): () => void {
  lastId += 1
  const added = { ...options, id: lastId }
  show([...toasts, added])
  return () => close(added)
}

function close(closed: Toast): void {
  if (!toasts.includes(closed)) return
  show(toasts.filter((each) => each !== closed))
  closed.onClose?.()
}

function show(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

const current = () => toasts

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, current, current)
  const region = useRef<HTMLElement>(null)
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    const onKeydown = ({ key }: KeyboardEvent) => {
      if (key === 'F6') region.current?.focus()
    }
    window.addEventListener('keydown', onKeydown)
    return () => window.removeEventListener('keydown', onKeydown)
  }, [])
  return (
    <section
      ref={region}
      tabIndex={-1}
      className="toasts"
      aria-label={t`Notifications`}
      aria-live="polite"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {shown.map((each) => (
        <ToastItem key={each.id} toast={each} isHeld={isHeld} />
      ))}
    </section>
  )
}

function ToastItem({ toast: shown, isHeld }: { toast: Toast; isHeld: boolean }) {
  const { text, action, timeoutMs = 6000, isSilent = false } = shown
  const element = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isHeld) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const restart = () => {
      clearTimeout(timer)
      timer = document.visibilityState === 'hidden' ? undefined : setTimeout(close, timeoutMs, shown)
    }
    document.addEventListener('visibilitychange', restart)
    restart()
    return () => {
      document.removeEventListener('visibilitychange', restart)
      clearTimeout(timer)
    }
  }, [shown, timeoutMs, isHeld])
  useLayoutEffect(() => {
    const toastElement = element.current
    // The browser would leave the focus of a removed toast on <body>.
    return () => {
      if (toastElement?.contains(document.activeElement))
        document.getElementById('main')?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <div className="toast" ref={element} aria-live={isSilent ? 'off' : undefined}>
      <p className="toast-text">{text}</p>
      {action ? (
        <Button
          kind="quiet"
          onClick={() => {
            show(toasts.filter((each) => each !== shown))
            action.onClick()
          }}
        >
          {action.label}
        </Button>
      ) : null}
      <Button
        kind="quiet"
        aria-label={t({ message: 'Dismiss', context: 'close a message' })}
        onClick={() => close(shown)}
      >
        ×
      </Button>
    </div>
  )
}

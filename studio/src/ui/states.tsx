/** The three states of everything that is read: still loading, failed, and nothing there yet. */
import type { KinoraError } from '@kinora/client'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import './states.css'

/** Says what went wrong in the service's own words and offers to try again. */
export function ErrorState({ error, retry }: { error: KinoraError; retry?: () => void }) {
  return (
    <div className="error-state" role="alert">
      <p>{error.message}</p>
      {error.requestId ? (
        <p className="quiet small">
          Request <code>{error.requestId}</code>
        </p>
      ) : null}
      {retry ? <Button onClick={retry}>Try again</Button> : null}
    </div>
  )
}

/** What will be here, and the one step that leads to it. */
export function EmptyState({ children, step: action }: { children: ReactNode; step?: ReactNode }) {
  return (
    <div className="empty-state">
      <p>{children}</p>
      {action}
    </div>
  )
}

/** What comes sooner must not flicker. */
export const SKELETON_AFTER_MS = 200

/** Shows its skeleton only after a moment; the place is taken from the start. */
export function LoadingState({ children, label = 'Loading' }: { children: ReactNode; label?: string }) {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SKELETON_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="loading-state" data-late={late} role="status">
      <span className="hidden-text">{label}</span>
      <div aria-hidden="true">{children}</div>
    </div>
  )
}

/** A grey place of the size that will be filled; sizes in CSS units. */
export function SkeletonBlock({ width = '100%', height = '24px' }: { width?: string; height?: string }) {
  return <span className="skeleton-block" style={{ width, height }} />
}

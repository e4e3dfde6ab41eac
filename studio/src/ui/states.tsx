/** The three states of a query without data to show: loading, failed, and empty. */
import type { KinoraError } from '@kinora/client'
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { Button } from './button.tsx'
import './states.css'

/** Shows the API's message and request id, the way to a missing second factor, and with `retry` a button. */
export function ErrorState({ error, retry }: { error: KinoraError; retry?: () => void }) {
  return (
    <div className="error-state" role="alert">
      <p>{error.message}</p>
      {error.requestId ? (
        <p className="quiet small">
          <Trans>
            Request <code>{error.requestId}</code>
          </Trans>
        </p>
      ) : null}
      {isFactorMissing(error) ? <Link to="/account" hash="second-factor">{t`Set up a second factor`}</Link> : null}
      {retry ? <Button onClick={retry}>{t`Try again`}</Button> : null}
    </div>
  )
}

const isFactorMissing = ({ details }: KinoraError): boolean =>
  typeof details === 'object' && details !== null && 'reason' in details && details.reason === 'second_factor_missing'

/** @param props `children`: what will be listed here; `action`: the button or link that leads to it */
export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty-state">
      <p>{children}</p>
      {action}
    </div>
  )
}

/** A skeleton that appears for a faster response would only flicker. */
export const SKELETON_AFTER_MS = 200

/** Reserves the skeleton's space from the start and makes it visible after SKELETON_AFTER_MS. */
export function LoadingState({ children, label = t`Loading` }: { children: ReactNode; label?: string }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SKELETON_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="loading-state" data-late={isLate} role="status">
      <span className="hidden-text">{label}</span>
      <div aria-hidden="true">{children}</div>
    </div>
  )
}

/** One grey block of a skeleton; sizes in CSS units */
export function SkeletonBlock({ width = '100%', height = '24px' }: { width?: string; height?: string }) {
  return <span className="skeleton-block" style={{ width, height }} />
}

type QueryStateProps<Data> = {
  query: { data: Data | undefined; error: KinoraError | null; refetch: () => unknown }
  /** What stands for the data until they are there, or the height of one grey block. */
  skeleton?: ReactNode
  skeletonHeight?: string
  loading?: string
  children: (data: Data) => ReactNode
}

/** The data of a query, or how far it is. What does not exist is not asked for again. */
export function QueryState<Data>({ query, skeleton, skeletonHeight, loading, children }: QueryStateProps<Data>) {
  const { data, error, refetch } = query
  if (data !== undefined) return children(data)
  if (error) return <ErrorState error={error} {...(error.code === 'NOT_FOUND' ? {} : { retry: refetch })} />
  return (
    <LoadingState {...(loading === undefined ? {} : { label: loading })}>
      {skeleton ?? <SkeletonBlock {...(skeletonHeight === undefined ? {} : { height: skeletonHeight })} />}
    </LoadingState>
  )
}

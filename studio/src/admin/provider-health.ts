/** Derives a provider's health label from its success and failure counts of the window; no other data decides it. */
import { formatNumber } from '../ui/format.ts'
import type { Provider } from './queries.ts'

export type Health = 'healthy' | 'degraded' | 'failing' | 'idle' | 'unconfigured'

/** Failure shares from which a provider is degraded (above) and failing (from). */
const DEGRADED_SHARE = 0.05
const FAILING_SHARE = 0.5
/** With fewer failures than this the sample is too small to call a provider failing. */
const MIN_FAILURES_FOR_FAILING = 3

type Counts = Pick<Provider, 'configured' | 'failed' | 'failureShare'>

export function providerHealth({ configured, failed, failureShare }: Counts): Health {
  if (!configured) return 'unconfigured'
  if (failureShare === null) return 'idle'
  if (failureShare >= FAILING_SHARE && failed >= MIN_FAILURES_FOR_FAILING) return 'failing'
  return failureShare > DEGRADED_SHARE ? 'degraded' : 'healthy'
}

export const healthLabels: Record<Health, string> = {
  healthy: 'Well',
  degraded: 'Unsteady',
  failing: 'Failing',
  idle: 'Quiet',
  unconfigured: 'Not set up',
}

/** The legend: the criterion of each label, for a window of this many minutes. */
export const healthCriteria = (windowMinutes: number): { health: Health; criterion: string }[] => {
  const window =
    windowMinutes === 1
      ? 'the last minute'
      : windowMinutes === 60
        ? 'the last hour'
        : `the last ${formatNumber(windowMinutes)} minutes`
  return [
    { health: 'healthy', criterion: `At most 1 in 20 of what ended in ${window} failed.` },
    { health: 'degraded', criterion: 'More than that failed.' },
    { health: 'failing', criterion: `Half or more failed, and at least ${MIN_FAILURES_FOR_FAILING} did.` },
    { health: 'idle', criterion: `Nothing ended in ${window}, so nothing is known.` },
    { health: 'unconfigured', criterion: 'The service has no settings for it.' },
  ]
}

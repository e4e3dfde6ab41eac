/** Derives a provider's health label from its success and failure counts of the window; no other data decides it. */
import { t } from '@lingui/core/macro'
import { formatNumber } from '../ui/format.ts'
import type { Provider } from './queries.ts'

export type Health = 'healthy' | 'degraded' | 'failing' | 'idle' | 'unconfigured'

/** Failure shares from which a provider is degraded (above) and failing (from). */
const DEGRADED_SHARE = 0.05
const FAILING_SHARE = 0.5
/** Fewer failures are too small a sample to call a provider failing. */
const MIN_FAILURES_FOR_FAILING = 3

type Counts = Pick<Provider, 'configured' | 'failed' | 'failureShare'>

export function providerHealth({ configured, failed, failureShare }: Counts): Health {
  if (!configured) return 'unconfigured'
  if (failureShare === null) return 'idle'
  if (failureShare >= FAILING_SHARE && failed >= MIN_FAILURES_FOR_FAILING) return 'failing'
  return failureShare > DEGRADED_SHARE ? 'degraded' : 'healthy'
}

export const healthLabels: Record<Health, string> = {
  healthy: t`Healthy`,
  degraded: t`Degraded`,
  failing: t`Failing`,
  idle: t`Idle`,
  unconfigured: t`Not set up`,
}

/** The legend: the criterion of each label, for a window of this many minutes. */
export const healthCriteria = (windowMinutes: number): { health: Health; criterion: string }[] => {
  const window =
    windowMinutes === 1
      ? t`the last minute`
      : windowMinutes === 60
        ? t`the last hour`
        : t`the last ${formatNumber(windowMinutes)} minutes`
  return [
    { health: 'healthy', criterion: t`At most 1 in 20 of what ended in ${window} failed.` },
    { health: 'degraded', criterion: t`More than that failed.` },
    { health: 'failing', criterion: t`Half or more failed, and at least ${MIN_FAILURES_FOR_FAILING} did.` },
    { health: 'idle', criterion: t`Nothing ended in ${window}, so nothing is known.` },
    { health: 'unconfigured', criterion: t`The service has no settings for it.` },
  ]
}

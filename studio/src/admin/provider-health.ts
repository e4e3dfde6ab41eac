/**
 * A provider's health in a word. The rule: it is decided by what ended within the window and by nothing else, and the page
 * says how in the words that stand here.
 */
import { formatNumber } from '../ui/format.ts'
import type { Provider } from './queries.ts'

export type Health = 'well' | 'unsteady' | 'failing' | 'quiet' | 'unset'

/** From here on a provider is unsteady, and failing. */
const UNSTEADY_SHARE = 0.05
const FAILING_SHARE = 0.5
/** Fewer failures than this are no pattern. */
const FAILURES_FOR_FAILING = 3

type Numbers = Pick<Provider, 'configured' | 'failed' | 'failureShare'>

export function healthOf({ configured, failed, failureShare }: Numbers): Health {
  if (!configured) return 'unset'
  if (failureShare === null) return 'quiet'
  if (failureShare >= FAILING_SHARE && failed >= FAILURES_FOR_FAILING) return 'failing'
  return failureShare > UNSTEADY_SHARE ? 'unsteady' : 'well'
}

export const healthWords: Record<Health, string> = {
  well: 'Well',
  unsteady: 'Unsteady',
  failing: 'Failing',
  quiet: 'Quiet',
  unset: 'Not set up',
}

/** How the words are decided, for a window of so many minutes. */
export const healthRules = (minutes: number): { health: Health; rule: string }[] => {
  const window =
    minutes === 1 ? 'the last minute' : minutes === 60 ? 'the last hour' : `the last ${formatNumber(minutes)} minutes`
  return [
    { health: 'well', rule: `At most 1 in 20 of what ended in ${window} failed.` },
    { health: 'unsteady', rule: 'More than that failed.' },
    { health: 'failing', rule: `Half or more failed, and at least ${FAILURES_FOR_FAILING} did.` },
    { health: 'quiet', rule: `Nothing ended in ${window}, so nothing is known.` },
    { health: 'unset', rule: 'The service has no settings for it.' },
  ]
}

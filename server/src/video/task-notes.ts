/** What an account's report says of a task beside its state: place in the queue, expected end, cost. */
import type { App } from '../app.ts'
import { unitUsdOf } from '../catalogue/price.ts'
import type { Report } from '../provider/provider.ts'
import type { TaskNotes } from './transitions.ts'

export function notesOf({ config }: App, account: string, report: Partial<Report>, now: Date): TaskNotes {
  const { queuePosition = null, remainingS = null } = report.kind === 'running' ? report : {}
  const { cost } = report
  return {
    queuePosition: isCount(queuePosition) ? Math.ceil(queuePosition) : null,
    expectedAt: isCount(remainingS) ? new Date(now.getTime() + remainingS * 1000) : null,
    cost: cost && { ...cost, unitUsd: unitUsdOf(config.providers[account], cost.unit) },
  }
}

/** A number that a row takes: a set of steps fails by one that is larger. */
const isCount = (number: number | null): number is number => number !== null && number >= 0 && number < 2 ** 31

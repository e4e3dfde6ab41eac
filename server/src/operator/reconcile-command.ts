/** `kinora reconcile [--days N] [--dry-run]`: its arguments, and its report as lines for the operator. */
import type { App } from '../app.ts'
import { type Difference, type ReconcileReport, reconcile } from '../payment/reconcile.ts'
import { readArguments, readWholeNumber } from '../process/command-arguments.ts'
import { counted } from '../text/counted.ts'

export type ReconcileArgs = { days: number | undefined; dryRun: boolean }

/** @throws UsageError */
export function readReconcileArgs(args: string[]): ReconcileArgs {
  const options = { days: { type: 'string' }, 'dry-run': { type: 'boolean' } } as const
  const { values } = readArguments('reconcile', { args, options })
  const days = values.days === undefined ? undefined : readWholeNumber('reconcile', '--days', values.days, 1, 365)
  return { days, dryRun: values['dry-run'] === true }
}

export async function reconcileCommand(
  app: App,
  { days = app.config.reconcile.days, dryRun }: ReconcileArgs,
): Promise<{ lines: string[]; isComplete: boolean }> {
  const reports = await reconcile(app, { days, dryRun })
  const lines = reports.flatMap((report) => linesOf(report, days, dryRun))
  if (reports.length === 0) lines.push('No payment processor is set up.')
  return { lines, isComplete: reports.every(({ error }) => error === null) }
}

const outcomes: Record<Difference['state'], string> = {
  found: 'not applied, because this is a dry run',
  applied: 'applied now',
  known: 'applied meanwhile',
  ignored: 'has no effect',
  unmatched: 'waits for its user: see the payment events of administrators',
  waiting: 'lacks facts, which the worker reads from the processor',
  failed: 'failed: see the payment events of administrators',
  dismissed: 'is dismissed by an administrator',
}

function linesOf({ processor, checked, differences, waiting, error }: ReconcileReport, days: number, dryRun: boolean) {
  if (error !== null) return [`${processor}: nothing was changed. ${error}`]
  const lines = differences.map(
    ({ kind, objectId, state }) => `${processor}: ${kind} ${objectId} had not arrived; ${outcomes[state]}.`,
  )
  const found = differences.length === 0 ? 'nothing is missing' : `${differences.length} had not arrived`
  const open = waiting > 0 ? ` ${waiting} of them wait for an operator: see the payment events of administrators.` : ''
  const range = `the last ${counted(days, 'day')}`
  return [
    ...lines,
    `${processor}: ${counted(checked, 'object')} of ${range} compared, ${found}${dryRun ? ' (dry run)' : ''}.${open}`,
  ]
}

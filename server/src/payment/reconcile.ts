/**
 * Reconciliation: asks each processor what was paid, refunded and disputed in the last days, and applies what no
 * webhook brought, by the same path as a webhook. A processor is read to its end before anything is applied, so that an
 * outage leaves nothing half done. No network call lies inside a statement.
 */

import { randomUUID } from 'node:crypto'
import type { App } from '../app.ts'
import { type Processor, processorNames } from '../config/processors.ts'
import { call, part } from '../db/call.ts'
import { at } from '../text/json-reader.ts'
import { openAccount } from './account-client.ts'
import { AccountError, DAY_MS, type DifferenceKind, type Found, type Taken, withBackoff } from './account-reader.ts'
import { type Effect, effectsJson, type PaymentEvent } from './effect.ts'
import { applyWhole, type EventState, translateWhole } from './events.ts'
import { processors } from './processors.ts'

/** A lease is renewed before every call of a processor, which takes 15 s at most, and every pause. */
const LEASE_MS = 120_000
const PAUSE_MS = 1_000
const TIMEOUT_S = 15
type Read = (path: string) => Promise<unknown>

export type Difference = {
  kind: DifferenceKind
  /** The processor's object. */
  objectId: string
  /** What became of it; `found` in a dry run. */
  state: EventState | 'known' | 'found'
}

export type ReconcileReport = {
  processor: Processor
  /** The objects that were compared. */
  checked: number
  differences: Difference[]
  /** Objects whose event waits for a user or failed before: an operator has to act. */
  waiting: number
  /** Why the processor could not be asked. Then nothing of it was applied. */
  error: string | null
}

export type ReconcileOptions = {
  days?: number | undefined
  /** Reports the differences and applies nothing. */
  dryRun?: boolean | undefined
  /** Only processors that are due, for the timer; otherwise all. */
  due?: boolean | undefined
  signal?: AbortSignal | undefined
  /** The first pause before a call is repeated. */
  pauseMs?: number | undefined
}

/** Reconciles every configured processor. Without the lease, which another process has, a report has an error. */
export async function reconcile(app: App, options: ReconcileOptions = {}): Promise<ReconcileReport[]> {
  const reports: ReconcileReport[] = []
  for (const processor of processorNames) {
    if (options.signal?.aborted) break
    const account = openAccount(app, processor, TIMEOUT_S)
    if (!account) continue
    try {
      const report = options.dryRun
        ? await run(app, processor, account.read, options, async () => {})
        : await runLeased(app, processor, account.read, options)
      if (report) reports.push(report)
    } finally {
      await account.close()
    }
  }
  return reports
}

/** The differences found so far by kind, and whether the last run succeeded. For metrics. */
export async function reconcileCounts({ sql }: Pick<App, 'sql'>) {
  const [found, runs] = await Promise.all([
    sql<{ processor: Processor; kind: DifferenceKind; found: number }[]>`
      select processor, kind, found from kinora.reconcile_count
    `,
    sql<{ processor: Processor; lastSuccessAt: Date | null; lastError: string | null }[]>`
      select processor, last_success_at, last_error from kinora.reconcile_state
    `,
  ])
  return { found, runs }
}

/** Reconciles under a lease, so that one process at a time reconciles a processor. Null when it is not due. */
async function runLeased(app: App, processor: Processor, read: Read, options: ReconcileOptions) {
  const lease = randomUUID()
  const claim = async (isNow: boolean) => {
    const now = app.now()
    return await call(app.sql, 'reconcile_claim', {
      processor,
      lease,
      until: new Date(now.getTime() + LEASE_MS),
      interval: `${app.config.reconcile.intervalS ?? 0} seconds`,
      isNow,
      now,
    })
  }
  const renew = async () => {
    if (!(await claim(true))) throw new AccountError('Another process has taken over.')
  }
  if (!(await claim(options.due !== true))) {
    if (options.due) return null
    const error = 'Another process reconciles it now; try again in some minutes.'
    return { processor, checked: 0, differences: [], waiting: 0, error }
  }
  let report: ReconcileReport | null = null
  try {
    report = await run(app, processor, read, options, renew)
    return report
  } finally {
    const found: Partial<Record<DifferenceKind, number>> = {}
    for (const { kind } of report?.differences ?? []) found[kind] = (found[kind] ?? 0) + 1
    await call(app.sql, 'reconcile_finish', {
      processor,
      lease,
      error: report ? report.error : 'It broke off; the log says why.',
      found,
      now: app.now(),
    })
  }
}

async function run(
  app: App,
  processor: Processor,
  read: Read,
  { days = app.config.reconcile.days, dryRun = false, signal, pauseMs = PAUSE_MS }: ReconcileOptions,
  renew: () => Promise<void>,
): Promise<ReconcileReport> {
  const report: ReconcileReport = { processor, checked: 0, differences: [], waiting: 0, error: null }
  const missing: Found[] = []
  const context = {
    app,
    since: new Date(app.now().getTime() - days * DAY_MS),
    get: (path: string) => {
      const leased = async () => {
        signal?.throwIfAborted()
        await renew()
        return await read(path)
      }
      return withBackoff(leased, pauseMs, signal)
    },
    areMissing: (ids: string[]) => {
      const links = ids.map((id): Effect[] => [{ do: 'link', ids: [id], source: `${processor}:${id}` }])
      return areMissing(app, processor, links)
    },
    takenOf: (ids: string[]) => app.sql<Taken[]>`
      select r.key, r.charge, r.kind, max(a.value::numeric)::bigint as cents
      from kinora.payment_object o
      join kinora.payment_return r on r.processor = o.processor and r.source = o.source
      cross join jsonb_each_text(r.amounts) a
      where o.processor = ${processor} and o.external_id = any(${ids}) and r.state = 'taken'
      group by r.key, r.charge, r.kind, r.sort_key
      order by r.sort_key desc, r.key
    `,
    laggingRecords: async () => {
      const rows = await app.sql<{ id: string }[]>`
        select id from ${part(app.sql, 'payment_lagging_records', { processor, now: app.now() })} id
      `
      return rows.map(({ id }) => id)
    },
  }
  try {
    for await (const page of processors[processor].readAccount(context)) {
      report.checked += page.length
      report.waiting += await compare(app, processor, page, missing)
    }
  } catch (error) {
    if (!(error instanceof AccountError)) throw error
    app.log.warn({ processor, reason: error.message }, 'the payments of a processor could not be reconciled')
    return { ...report, error: error.message }
  }
  // Oldest first, payments before refunds: no event has to wait for another.
  missing.sort((a, b) => Number(isReturn(a)) - Number(isReturn(b)) || timeOf(a) - timeOf(b))
  // Several refunds of one charge are one event, which shows what was refunded in all.
  const events = Map.groupBy(missing, ({ event }) => at(event, 'id'))
  for (const { kind, objectId, event } of [...events.values()].flatMap(([first]) => first ?? [])) {
    if (signal?.aborted) break
    const state = dryRun ? 'found' : ((await applyWhole(app, processor, JSON.stringify(event))) ?? 'failed')
    report.differences.push({ kind, objectId, state })
    app.log.warn({ processor, kind, object: objectId, state }, 'reconciliation found what no webhook has brought')
  }
  return report
}

/**
 * Adds to `missing` those of a page that are not all applied. An object whose event waits, failed or is dismissed is
 * not found again; a payment whose refund waits for it (problem unknown_payment) is.
 * @returns the number of those that wait
 */
async function compare(app: App, processor: Processor, page: Found[], missing: Found[]): Promise<number> {
  const translated = []
  for (const found of page) {
    const event = await translateWhole(app, processor, JSON.stringify(found.event))
    if (event && (event.effects.length > 0 || isOpen(event))) translated.push({ found, event })
  }
  const effects = translated.map(({ event }) => event.effects)
  const flags = await areMissing(app, processor, effects)
  const candidates = translated.filter(({ event }, index) => isOpen(event) || flags[index])
  if (candidates.length === 0) return 0

  const stored = await app.sql<{ id: string; state: EventState }[]>`
    select external_id as id, state
    from kinora.payment_event
    where processor = ${processor} and external_id = any(${candidates.map(({ event }) => event.externalId)})
  `
  const objectIds = candidates.map(({ found }) => found.objectId)
  const open = await app.sql<{ refs: string[]; state: EventState }[]>`
    select refs, state
    from kinora.payment_event
    where processor = ${processor} and state = 'unmatched' and problem is null and refs && ${objectIds}
    union all
    select refs, state
    from kinora.payment_event
    where processor = ${processor} and state in ('waiting', 'failed', 'dismissed') and refs && ${objectIds}
  `
  const states = new Map(stored.map(({ id, state }) => [id, state]))
  const idsOf = (isDismissed: boolean) =>
    new Set(open.filter(({ state }) => (state === 'dismissed') === isDismissed).flatMap(({ refs }) => refs))
  const [openIds, dismissedIds] = [idsOf(false), idsOf(true)]
  let waiting = 0
  for (const { found, event } of candidates) {
    const state = states.get(event.externalId)
    if (state === 'applied' || state === 'ignored' || state === 'dismissed') continue
    if (state !== undefined || openIds.has(found.objectId)) waiting++
    else if (!dismissedIds.has(found.objectId)) missing.push(found)
  }
  return waiting
}

async function areMissing(app: App, processor: Processor, effects: Effect[][]): Promise<boolean[]> {
  if (effects.length === 0) return []
  const rows = await app.sql<{ n: number }[]>`
    select n
    from ${part(app.sql, 'payment_missing', { processor, effects: effects.map((each) => effectsJson(each)) })} n
  `
  const missing = new Set(rows.map(({ n }) => n))
  return effects.map((_, index) => missing.has(index + 1))
}

const isOpen = ({ notApplied }: PaymentEvent): boolean => notApplied !== null && notApplied.state !== 'ignored'
const isReturn = ({ kind }: Found): boolean => kind === 'refund' || kind === 'dispute' || kind === 'credit note'
const timeOf = ({ event }: Found): number => Number(at(event, 'created') ?? at(event, 'created_at') ?? 0)

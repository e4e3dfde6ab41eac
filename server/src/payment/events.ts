/**
 * Receives payment events whose signature is verified: each is translated by its processor's folder, stored permanently
 * and applied exactly once, in one statement. The webhook may respond 200 as soon as `receive` returns.
 */

import { Type } from 'typebox'
import type { App } from '../app.ts'
import type { Processor } from '../config/processors.ts'
import { call } from '../db/call.ts'
import { filter, matches, type QueryOf } from '../db/filter.ts'
import { by, type PageQuery, readCountedPage } from '../db/page.ts'
import { OTHER_PART } from '../db/parts.ts'
import { AppError } from '../errors.ts'
import { isUuid, newId } from '../id.ts'
import { type Dispatcher, dispatchOnce } from '../process/dispatch-loop.ts'
import { at, parseJson } from '../text/json-reader.ts'
import { readLacking } from './account-client.ts'
import { effectsJson, type PaymentEvent, type Problem } from './effect.ts'
import { grantSentence, summarise } from './effect-summary.ts'
import { isAbout, noticesOf } from './notice.ts'
import { plansInForce } from './prices.ts'
import { processors } from './processors.ts'

const EVENT_STATES = ['applied', 'ignored', 'unmatched', 'waiting', 'failed', 'dismissed'] as const
export type EventState = (typeof EVENT_STATES)[number]
/** The administrator who applies it by hand, to `userId` when it names no user. */
export type AppliedBy = { userId: string | null; actorId: string; requestId: string }

export type StoredEvent = {
  id: string
  processor: Processor
  externalId: string
  type: string
  state: EventState
  reason: string | null
  userId: string | null
  receivedAt: Date
  appliedAt: Date | null
  /** When the worker tries it again. */
  retryAt: Date | null
  /** When an administrator dismissed it. */
  dismissedAt: Date | null
  dismissedReason: string | null
}

/**
 * Stores and applies one event. `body` is the text whose signature was verified.
 * @returns `known` for an event that was received before
 * @throws AppError INVALID_REQUEST when the text is not an event
 */
export async function receive(app: App, processor: Processor, body: string): Promise<EventState | 'known'> {
  const json = parseJson(body)
  const event = await translateOurs(app, processor, json)
  if (!event) throw new AppError('INVALID_REQUEST', 'This body is no event; send it again as documented.')
  const state = await storeAndApplyWaiting(app, processor, event, () => storeAsIs(app, processor, event, body))
  const context = { processor, event: event.externalId, type: event.type }
  const { reason, problem } = event.notApplied ?? {}
  if (event.lacks) app.wake()
  else if (state === 'failed' && problem === undefined)
    app.log.error({ ...context, reason }, 'a payment event failed and needs an operator')
  else if (state !== 'known' && state !== 'dismissed' && problem !== undefined)
    app.log.warn({ ...context, reason, problem }, 'a payment event needs attention')
  if (state === 'unmatched')
    app.log.warn(context, 'a payment event waits until its user, or the payment that it returns, is known')
  return state
}

type Retry = { id: string; processor: Processor; body: string }

/** Completes events that lack something from the processor's API, and tries unmatched ones again. For the worker. */
export const retries = (app: App): Dispatcher<Retry> => ({
  name: 'payment events',
  max: 20,
  claim: async (limit) => (await call(app.sql, 'payment_claim_retries', { now: app.now(), limit })) as Retry[],
  describe: ({ id }) => ({ event: id }),
  serve: async ({ processor, body }) => void (await applyWhole(app, processor, body)),
})

/** Tries events again whose time has come, once. Returns their number. For tests and tools. */
export const retryEvents = (app: App): Promise<number> => dispatchOnce(retries(app), 20)

/** Applies an event, with what it lacks as far as the processor's API shows it now. Null when the body is no event. */
export async function applyWhole(app: App, processor: Processor, body: string, by?: AppliedBy) {
  const event = await translateWhole(app, processor, body)
  const storeWhole = async (whole: PaymentEvent) =>
    await store(app, processor, whole, body, by).catch(async (error: unknown) => {
      if (!isTied(error)) throw error
      return await store(app, processor, await untied(app, processor, whole, body), body, by)
    })
  return event && (await storeAndApplyWaiting(app, processor, event, () => storeWhole(event)))
}

/**
 * Applies a stored event again with the current catalogue, to `userId` when it is unmatched. An applied event is
 * unchanged. `actorId`: the administrator that the audit log records.
 * @throws AppError NOT_FOUND; CONFLICT, with the reason, when the event still has no effect
 */
export async function applyAgain(app: App, id: string, by: AppliedBy): Promise<StoredEvent> {
  const stored = await readEvent(app, id)
  if (!(await applyWhole(app, stored.processor, stored.body, by)))
    throw new AppError('CONFLICT', 'This event cannot be read.')
  const { body: _, ...after } = await readEvent(app, id)
  if (after.state !== 'applied') throw new AppError('CONFLICT', `This event could not be applied: ${after.reason}`)
  return after
}

/**
 * Dismisses an event that is unmatched or failed: no credits are owed for it. Only an administrator can still apply it.
 * A dismissed event is unchanged.
 * @throws AppError NOT_FOUND; CONFLICT for an event that is applied, ignored or waiting
 */
export async function dismiss(
  app: App,
  id: string,
  { reason, actorId, requestId }: { reason: string; actorId: string; requestId: string },
): Promise<StoredEvent> {
  const stored = await readEvent(app, id)
  const outcome = await call(app.sql, 'payment_dismiss', { id: stored.id, reason, actorId, requestId, now: app.now() })
  if (outcome !== 'dismissed')
    throw new AppError('CONFLICT', `This event is ${outcome}; only unmatched and failed events can be dismissed.`)
  const { body: _, ...after } = await readEvent(app, id)
  return after
}

export const eventState = Type.Enum([...EVENT_STATES], {
  description:
    'applied; ignored: it changes nothing; unmatched: its user, or the payment that it returns, is not known; waiting: the worker reads what it lacks from the processor, ' +
    'within minutes; failed: it cannot be applied before a fault is fixed; ' +
    'dismissed: an administrator decided that no credits are owed for it',
})
export const eventFilters = {
  state: filter(eventState, (sql, state) => sql`state = ${state}`),
  about: filter(
    Type.Enum(['dispute', 'failure'], {
      description: 'dispute: the events that open one, each with its state of now; failure: payments that failed',
    }),
    isAbout,
  ),
}

/**
 * Received events, newest first. `total` counts all matching events.
 * @throws AppError INVALID_REQUEST for an invalid cursor
 */
export async function listEvents(app: App, query: QueryOf<typeof eventFilters> & PageQuery) {
  const { sql, now } = app
  const { rows: events, ...page } = await readCountedPage(sql, query, {
    sequence: by('id', 'id'),
    where: () => matches(sql, eventFilters, query),
    rows: (_, { where, order, limit }) => sql<(StoredEvent & { body: string })[]>`
      select ${columns(sql)}
      from kinora.payment_event
      where ${where}
      order by ${order}
      limit ${limit}
    `,
    count: (_, where) => sql<{ total: number }[]>`select count(*) as total from kinora.payment_event where ${where}`,
  })
  const plans = await plansInForce(app)
  const listed = (await noticesOf(app, events)).map((event) => {
    // The time of applying, or now, replaces a time that the event lacks.
    const { effects = [], lacks } =
      processors[event.processor].translate(parseJson(event.body), plans, event.appliedAt ?? now()) ?? {}
    return { ...event, effects: summarise(effects), lacks }
  })
  const granted = await grantedBy(
    sql,
    listed.filter((event) => event.lacks && event.state === 'applied').map(({ id }) => id),
  )
  return {
    events: listed.map(({ lacks: _, ...event }) => ({
      ...event,
      effects: granted.get(event.id) ?? event.effects,
    })),
    ...page,
  }
}

/** What applied events granted whose lines were read from the processor, because the stored event does not show it. */
async function grantedBy(sql: App['sql'], ids: string[]): Promise<Map<string, string[]>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<{ id: string; credits: number; expiresAt: Date }[]>`
    select e.id, p.initial as credits, p.expires_at
    from kinora.payment_event e
    cross join unnest(e.sources) s (source)
    join kinora.credit_package p on p.user_id = e.user_id and p.source = s.source
    where e.id = any(${ids})
  `
  return new Map(rows.map(({ id, credits, expiresAt }) => [id, [grantSentence(credits, expiresAt)]]))
}

/**
 * The number of events that need attention, by processor and problem; events that wait for a user are `unmatched`. One
 * that waits for the processor's API is none, unless no worker has tried it for five minutes.
 */
export async function countProblems({ sql, now }: Pick<App, 'sql' | 'now'>) {
  const untriedSince = new Date(now().getTime() - 5 * 60_000)
  return await sql<{ processor: Processor; problem: Problem | 'unmatched' | 'failed'; events: number }[]>`
    select processor, coalesce(problem, state) as problem, count(*) as events
    from (
      select processor, state, problem from kinora.payment_event where problem is not null
      union all
      select processor, state, problem from kinora.payment_event where state in ('failed', 'unmatched') and problem is null
      union all
      select processor, state, 'lines_missing' from kinora.payment_event where state = 'waiting' and retry_at < ${untriedSince}
    ) e
    group by 1, 2
  `
}

async function translate(app: App, processor: Processor, json: unknown): Promise<PaymentEvent | null> {
  return processors[processor].translate(json, await plansInForce(app, json), app.now())
}

/** Translates an event, unless its mode is not that of our API key. */
async function translateOurs(app: App, processor: Processor, json: unknown): Promise<PaymentEvent | null> {
  const event = await translate(app, processor, json)
  const settings = app.config.payments[processor]
  const ours = settings && processors[processor].modeOf(settings)
  if (!event || event.mode === null || ours === null || event.mode === ours) return event
  const reason = `It is an event of ${event.mode} mode, and the API key is of ${ours} mode.`
  const { lacks: _, ...rest } = event
  return { ...rest, effects: [], notApplied: { state: 'ignored', reason, problem: 'other_mode' } }
}

/** Translates an event with what it lacks, which is read from the processor's API. */
export async function translateWhole(app: App, processor: Processor, body: string): Promise<PaymentEvent | null> {
  const json = parseJson(body)
  const event = await translateOurs(app, processor, json)
  if (!event?.lacks) return event
  const read = await readLacking(app, processor, event.lacks.path)
  if (read) {
    const whole = withObject(json, event.lacks.into === null ? read : { [event.lacks.into]: read })
    return translate(app, processor, whole)
  }
  return event.effects.length > 0 ? event : waiting(event)
}

/** The event with these fields of its object. */
function withObject(json: unknown, fields: object): unknown {
  const data = at(json, 'data')
  const object = { ...(at(data ?? json, 'object') as object), ...fields }
  return { ...(json as object), ...(data ? { data: { object } } : { object }) }
}

/** An event whose payment waits until the worker has read what it lacks. */
const waiting = (event: PaymentEvent): PaymentEvent => {
  const reason = 'It lacks facts, which could not be read from the processor yet.'
  const effects = event.effects.filter((effect) => effect.do !== 'payment' && effect.do !== 'price')
  return { ...event, effects, notApplied: { state: 'waiting', reason } }
}

/** Stores an event as far as it can be applied without the processor's API, which would keep the webhook waiting. */
const storeAsIs = (app: App, processor: Processor, event: PaymentEvent, body: string) =>
  store(app, processor, event.lacks ? waiting(event) : event, body).catch((error: unknown) => {
    if (!isTied(error)) throw error
    return store(app, processor, waiting({ ...event, effects: [] }), body)
  })

/** Stores an event with its effects, then the waiting events that its links match to a user. */
async function storeAndApplyWaiting(
  app: App,
  processor: Processor,
  event: PaymentEvent,
  storeIt: () => ReturnType<typeof store>,
) {
  let state = await storeIt()
  // Race: a concurrent process may link the user just before this event becomes visible as waiting. Each process checks
  // after its own store, so one of the two sees the other's row.
  if (state === 'unmatched') state = await storeIt()
  // Known events are applied too: the process that stored it may have died before it applied the waiting ones.
  if (state === 'applied' || state === 'known') await applyWaiting(app, processor, event)
  return state
}

/**
 * One statement, hence one transaction. An event that the database rejects is stored as failed; a retry would fail too.
 * @param body of the webhook, as received
 * @returns the state in which the event is stored; 'known': it was applied before
 * @throws the database's error, unless it rejects the data; then nothing is stored
 */
export async function store(app: App, processor: Processor, event: PaymentEvent, body: string, by?: AppliedBy) {
  try {
    return await storeRouted(app, processor, event, body, by)
  } catch (error) {
    if (!isRejectedData(error)) throw error
    app.log.error(
      { err: error, processor, event: event.externalId },
      'the database rejected the effects of a payment event',
    )
    const notApplied = { state: 'failed' as const, reason: 'What it asks for cannot be stored; the log says why.' }
    return await storeRouted(app, processor, { ...event, effects: [], notApplied }, body, by)
  }
}

/** The user may become known between the search and the call; then the event is routed again. */
const storeRouted = (...args: Parameters<typeof storeOnce>): ReturnType<typeof storeOnce> =>
  storeOnce(...args).catch((error: { code?: string }) => {
    if (error.code !== OTHER_PART) throw error
    return storeOnce(...args)
  })

async function storeOnce(app: App, processor: Processor, event: PaymentEvent, body: string, by?: AppliedBy) {
  const now = app.now()
  const userId = by?.userId ?? (app.database.partOf && (await findUser(app, processor, event)))
  const outcome = await call(app.sql, 'payment_receive', {
    userId,
    id: newId(now),
    processor,
    externalId: event.externalId,
    type: event.type,
    named: event.userIdInMetadata,
    refs: event.refs,
    effects: effectsJson(event.effects, app.config.owed === 'collect'),
    state: event.notApplied?.state ?? 'ignored',
    reason: event.notApplied?.reason ?? null,
    body,
    now,
    problem: event.notApplied?.problem ?? null,
    actorId: by?.actorId ?? null,
    requestId: by?.requestId ?? null,
  })
  return outcome as EventState | 'known'
}

/** The part that has the event's user applies it; the part with rows of no user stores others. */
async function findUser({ sql }: App, processor: Processor, event: PaymentEvent): Promise<string | null> {
  if (event.effects.length === 0) return null
  return await call(sql, 'payment_find_user', { processor, named: event.userIdInMetadata, refs: event.refs })
}

/** SQLSTATE classes 22 (invalid data), 23 (constraint violation) and 54 (limit exceeded). */
const isRejectedData = (error: unknown): boolean => /^(22|23|54)/.test(String((error as { code?: unknown }).code))

/** Two events of a subscription have one time (subscription.sql). */
const isTied = (error: unknown): boolean => (error as { code?: unknown }).code === 'KN002'

/** The event with its subscription as it is now; where that cannot be read, what it says that was so before decides. */
async function untied(app: App, processor: Processor, event: PaymentEvent, body: string): Promise<PaymentEvent> {
  const tied = event.effects.find((effect) => effect.do === 'subscription')
  const id = encodeURIComponent(tied?.do === 'subscription' ? tied.externalId : '')
  const current = await readLacking(app, processor, `${processors[processor].paths.subscription}${id}`)
  const now = current ? await translate(app, processor, withObject(parseJson(body), current)) : event
  const tie = current ? ('current' as const) : ('previous' as const)
  const effects = (now ?? event).effects.map((effect) =>
    effect.do === 'subscription' && effect.plan !== undefined ? { ...effect, tie } : effect,
  )
  return { ...event, effects }
}

/**
 * Applies events that waited for a user: this event's links identify it. Their own links may match further waiting
 * events: an invoice leads to its payment, and the payment to its refund.
 */
async function applyWaiting(app: App, processor: Processor, event: PaymentEvent): Promise<void> {
  const linkedIds = linkedBy(event)
  const seen: string[] = []
  while (linkedIds.length > 0) {
    const waiting = await call(app.sql, 'payment_find_unmatched', { processor, ids: linkedIds, seen })
    if (waiting.length === 0) return
    for (const { id, body } of waiting) {
      seen.push(id)
      const earlier = await translateOurs(app, processor, parseJson(body))
      if (earlier && (await storeAsIs(app, processor, earlier, body)) === 'applied')
        linkedIds.push(...linkedBy(earlier))
    }
  }
}

const linkedBy = ({ effects }: PaymentEvent): string[] =>
  effects.flatMap((effect) => (effect.do === 'link' ? effect.ids : []))

const columns = (sql: App['sql']) => sql`
  id, processor, external_id, type, state, reason, user_id, received_at, applied_at, retry_at, dismissed_at, dismissed_reason, body
`

async function readEvent({ sql }: App, id: string): Promise<StoredEvent & { body: string }> {
  const [row] = isUuid(id)
    ? await sql<(StoredEvent & { body: string })[]>`
        select ${columns(sql)}
        from kinora.payment_event
        where id = ${id}
      `
    : []
  if (!row) throw new AppError('NOT_FOUND', 'There is no such payment event.')
  return row
}

/**
 * Receives payment events whose signature is verified: each is translated (payment-a.ts, payment-b.ts), stored permanently
 * and applied exactly once, in one statement. The webhook may respond 200 as soon as `receive` returns.
 */
import type { App } from '../app.ts'
import { AppError, unknownCursor } from '../errors.ts'
import { isUuid, newId } from '../id.ts'
import { parseJson } from '../json-reader.ts'
import type { PaymentEvent } from './effect.ts'
import { summarise } from './effect-summary.ts'
import { translateA } from './payment-a.ts'
import { translateB } from './payment-b.ts'
import { type Processor, plans } from './plans.ts'

export type EventState = 'applied' | 'ignored' | 'unmatched' | 'failed'

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
}

const translators = { 'payment-a': translateA, 'payment-b': translateB }

/**
 * Stores and applies one event. `body` is the text whose signature was verified.
 * @returns `known` for an event that was received before
 * @throws AppError INVALID_REQUEST when the text is not an event
 */
export async function receive(app: App, processor: Processor, body: string): Promise<EventState | 'known'> {
  const event = translate(processor, body, app.now())
  if (!event) throw new AppError('INVALID_REQUEST', 'This body is no event; send it again as documented.')
  const state = await storeAndApplyWaiting(app, processor, event, body, null)
  const context = { processor, event: event.externalId }
  if (state === 'failed')
    app.log.error({ ...context, reason: event.without?.reason }, 'a payment event failed and needs an operator')
  if (state === 'unmatched') app.log.warn(context, 'a payment event names no known user')
  return state
}

/**
 * Applies a stored event again with the current catalogue, to the given user when it is unmatched. An applied event is
 * unchanged.
 * @throws AppError NOT_FOUND; CONFLICT, with the reason, when the event still has no effect
 */
export async function applyAgain(app: App, id: string, userId: string | null): Promise<StoredEvent> {
  const stored = await readEvent(app, id)
  const event = translate(stored.processor, stored.body, app.now())
  if (!event) throw new AppError('CONFLICT', 'This event cannot be read.')
  await storeAndApplyWaiting(app, stored.processor, event, stored.body, userId)
  const { body: _, ...after } = await readEvent(app, id)
  if (after.state !== 'applied') throw new AppError('CONFLICT', `This event could not be applied: ${after.reason}`)
  return after
}

export type ListedEvent = StoredEvent & {
  body: string
  /** Its effects by the current catalogue, as sentences; empty when it has none or an operator has to act first. */
  effects: string[]
}

/**
 * Received events, newest first, of one state or of all. `cursor`: the previous page's `nextCursor` (keyset pagination).
 * `total` counts all matching events.
 * @throws AppError INVALID_REQUEST for an invalid cursor
 */
export async function listEvents(
  { sql, now }: App,
  { state, cursor, pageSize }: { state?: EventState; cursor?: string; pageSize: number },
): Promise<{ events: ListedEvent[]; total: number; nextCursor: string | null }> {
  if (cursor !== undefined && !isUuid(cursor)) throw unknownCursor()
  const matching = state === undefined ? sql`true` : sql`state = ${state}`
  const [rows, [count]] = await Promise.all([
    sql<(StoredEvent & { body: string })[]>`
      select id, processor, external_id, type, state, reason, user_id, received_at, applied_at, body
      from kinora.payment_event
      where ${matching} ${cursor === undefined ? sql`` : sql`and id < ${cursor}`}
      order by id desc
      limit ${pageSize + 1}
    `,
    sql<[{ total: number }]>`select count(*) as total from kinora.payment_event where ${matching}`,
  ])
  const events = rows.slice(0, pageSize)
  const listed = events.map((event) => {
    // The time of applying, or now, replaces a time that the event lacks.
    const { effects = [] } = translate(event.processor, event.body, event.appliedAt ?? now()) ?? {}
    return { ...event, effects: summarise(effects) }
  })
  return {
    events: listed,
    total: count.total,
    nextCursor: rows.length > pageSize ? (events.at(-1)?.id ?? null) : null,
  }
}

function translate(processor: Processor, body: string, now: Date): PaymentEvent | null {
  return translators[processor](parseJson(body), plans(), now)
}

/** Stores an event with its effects, then the waiting events that its links match to a user. */
async function storeAndApplyWaiting(
  app: App,
  processor: Processor,
  event: PaymentEvent,
  body: string,
  userId: string | null,
) {
  let state = await store(app, processor, event, body, userId)
  // Race: a concurrent process may link the user just before this event becomes visible as waiting. Each process checks
  // after its own store, so one of the two sees the other's row.
  if (state === 'unmatched') state = await store(app, processor, event, body, userId)
  // For known events too: the process that stored it may have died before it applied the waiting ones.
  if (state === 'applied' || state === 'known') await applyWaiting(app, processor, event)
  return state
}

/** One statement, hence one transaction. An event that the database rejects is stored as failed; a retry would fail too. */
async function store(app: App, processor: Processor, event: PaymentEvent, body: string, userId: string | null) {
  try {
    return await storeOnce(app, processor, event, body, userId)
  } catch (error) {
    if (!isRejectedData(error)) throw error
    app.log.error(
      { err: error, processor, event: event.externalId },
      'the database rejected the effects of a payment event',
    )
    const without = { state: 'failed' as const, reason: 'What it asks for cannot be stored; the log says why.' }
    return await storeOnce(app, processor, { ...event, effects: [], without }, body, userId)
  }
}

async function storeOnce(app: App, processor: Processor, event: PaymentEvent, body: string, userId: string | null) {
  const now = app.now()
  const [row] = await app.sql<[{ outcome: EventState | 'known' }]>`
    select kinora.payment_receive(
      p_user_id => ${userId},
      p_id => ${newId(now)},
      p_processor => ${processor},
      p_external_id => ${event.externalId},
      p_type => ${event.type},
      p_named => ${event.named},
      p_refs => ${event.refs},
      p_effects => ${JSON.stringify(event.effects)}::text::jsonb,
      p_state => ${event.without?.state ?? 'ignored'},
      p_reason => ${event.without?.reason ?? null},
      p_body => ${body},
      p_now => ${now}
    ) as outcome
  `
  return row.outcome
}

/** SQLSTATE classes 22 (invalid data), 23 (constraint violation) and 54 (limit exceeded). */
const isRejectedData = (error: unknown): boolean => /^(22|23|54)/.test(String((error as { code?: unknown }).code))

/**
 * Applies events that waited for a user: this event's links identify it. Their own links may match further waiting events: an
 * invoice leads to its payment, and the payment to its refund.
 */
async function applyWaiting(app: App, processor: Processor, event: PaymentEvent): Promise<void> {
  const linkedIds = linkedBy(event)
  const seen: string[] = []
  while (linkedIds.length > 0) {
    const waiting = await app.sql<{ id: string; body: string }[]>`
      select id, body
      from kinora.payment_find_unmatched(p_processor => ${processor}, p_ids => ${linkedIds}, p_seen => ${seen})
    `
    if (waiting.length === 0) return
    for (const { id, body } of waiting) {
      seen.push(id)
      const earlier = translate(processor, body, app.now())
      if (earlier && (await store(app, processor, earlier, body, null)) === 'applied')
        linkedIds.push(...linkedBy(earlier))
    }
  }
}

const linkedBy = ({ effects }: PaymentEvent): string[] =>
  effects.flatMap((effect) => (effect.do === 'link' ? effect.ids : []))

async function readEvent({ sql }: App, id: string): Promise<StoredEvent & { body: string }> {
  const [row] = isUuid(id)
    ? await sql<(StoredEvent & { body: string })[]>`
        select id, processor, external_id, type, state, reason, user_id, received_at, applied_at, body
        from kinora.payment_event
        where id = ${id}
      `
    : []
  if (!row) throw new AppError('NOT_FOUND', 'There is no such payment event.')
  return row
}

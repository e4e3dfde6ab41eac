/**
 * Receiving payment events: stored for ever and applied in one statement, once. Verified and translated before
 * (payment-a.ts, payment-b.ts); whoever calls may answer 200 as soon as `receive` returns.
 */
import type { App } from '../app.ts'
import { AppError, unknownCursor } from '../errors.ts'
import { isUuid, newId } from '../id.ts'
import type { PaymentEvent } from './effect.ts'
import { inWords } from './effect-summary.ts'
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
 * Takes in one event; `body` is its verified text.
 * @throws AppError INVALID_REQUEST when the text is no event
 */
export async function receive(app: App, processor: Processor, body: string): Promise<EventState | 'known'> {
  const event = translate(processor, body, app.now())
  if (!event) throw new AppError('INVALID_REQUEST', 'This body is no event; send it again as documented.')
  const state = await take(app, processor, event, body, null)
  const told = { processor, event: event.externalId }
  if (state === 'failed') app.log.error({ ...told, reason: event.without?.reason }, 'a payment event needs mending')
  if (state === 'unmatched') app.log.warn(told, 'a payment event names no user we know')
  return state
}

/**
 * Applies a stored event, with today's catalogue; to the given user when it is unmatched. An applied one stays as it is.
 * @throws AppError NOT_FOUND, CONFLICT when it is still without effect (with the reason)
 */
export async function applyAgain(app: App, id: string, userId: string | null): Promise<StoredEvent> {
  const stored = await readEvent(app, id)
  const event = translate(stored.processor, stored.body, app.now())
  if (!event) throw new AppError('CONFLICT', 'This event cannot be read.')
  await take(app, stored.processor, event, stored.body, userId)
  const { body: _, ...after } = await readEvent(app, id)
  if (after.state !== 'applied') throw new AppError('CONFLICT', `This event could not be applied: ${after.reason}`)
  return after
}

export type ListedEvent = StoredEvent & {
  body: string
  /** What it asks for by today's catalogue, in sentences; none when nothing follows or something has to be mended first. */
  effects: string[]
}

/**
 * What was received, newest first; all states when none is given. `cursor`: the `nextCursor` of the page before. `total`
 * counts all of these states.
 * @throws AppError INVALID_REQUEST for a cursor that we never gave out
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
    // As it was or would now be applied: that moment stands in for a time that the event does not tell.
    const { effects = [] } = translate(event.processor, event.body, event.appliedAt ?? now()) ?? {}
    return { ...event, effects: inWords(effects) }
  })
  return {
    events: listed,
    total: count.total,
    nextCursor: rows.length > pageSize ? (events.at(-1)?.id ?? null) : null,
  }
}

function translate(processor: Processor, body: string, now: Date): PaymentEvent | null {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return null
  }
  return translators[processor](value, plans(), now)
}

/** Stores an event with its effect, and whatever has waited for what it tells. */
async function take(app: App, processor: Processor, event: PaymentEvent, body: string, userId: string | null) {
  let state = await store(app, processor, event, body, userId)
  // Whose it is may have been learnt while it was being stored, by a process that looked for waiting events before this
  // one was there to be seen. Each of the two looks after it has stored, so one of them sees the other.
  if (state === 'unmatched') state = await store(app, processor, event, body, userId)
  // Known ones too: the process that stored it may have died before it got to those that wait.
  if (state === 'applied' || state === 'known') await applyWaiting(app, processor, event)
  return state
}

/** One statement, and so one transaction. What the database refuses is kept as failed: sent again, it would be refused again. */
async function store(app: App, processor: Processor, event: PaymentEvent, body: string, userId: string | null) {
  try {
    return await storeOnce(app, processor, event, body, userId)
  } catch (error) {
    if (!isRefusal(error)) throw error
    app.log.error({ err: error, processor, event: event.externalId }, 'the effect of a payment event was refused')
    const without = { state: 'failed' as const, reason: 'What it asks for cannot be stored; the log says why.' }
    return await storeOnce(app, processor, { ...event, effects: [], without }, body, userId)
  }
}

async function storeOnce(app: App, processor: Processor, event: PaymentEvent, body: string, userId: string | null) {
  const { externalId, type, named, refs, effects, without } = event
  const at = app.now()
  const [row] = await app.sql<[{ state: EventState | 'known' }]>`
    select kinora.payment_receive(
      ${userId}, ${newId(at)}, ${processor}, ${externalId}, ${type}, ${named}, ${refs}, ${JSON.stringify(effects)}::text::jsonb,
      ${without?.state ?? 'ignored'}, ${without?.reason ?? null}, ${body}, ${at}
    ) as state
  `
  return row.state
}

/** Data that cannot be stored as they are (SQLSTATE class 22), that break a rule of a table (23), or that are too long (54). */
const isRefusal = (error: unknown): boolean => /^(22|23|54)/.test(String((error as { code?: unknown }).code))

/**
 * Events that came before anybody knew whose their objects are: now that they are known, their turn has come. They may tell
 * whose others are in turn: an invoice leads to its payment, and the payment to its refund.
 */
async function applyWaiting(app: App, processor: Processor, event: PaymentEvent): Promise<void> {
  const learnt = idsIn(event)
  const seen: string[] = []
  while (learnt.length > 0) {
    const waiting = await app.sql<{ id: string; body: string }[]>`
      select id, body from kinora.payment_find_unmatched(${processor}, ${learnt}, ${seen})
    `
    if (waiting.length === 0) return
    for (const { id, body } of waiting) {
      seen.push(id)
      const earlier = translate(processor, body, app.now())
      if (earlier && (await store(app, processor, earlier, body, null)) === 'applied') learnt.push(...idsIn(earlier))
    }
  }
}

const idsIn = ({ effects }: PaymentEvent): string[] =>
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

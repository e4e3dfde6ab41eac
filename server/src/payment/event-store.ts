/** Stores a payment event and applies its effects: one call of `payment_receive`, in the part of the database that has its user. */
import type { App } from '../app.ts'
import { OTHER_PART } from '../db/parts.ts'
import { newId } from '../id.ts'
import { effectsJson, type PaymentEvent } from './effect.ts'
import type { Processor } from './plans.ts'

export type EventState = 'applied' | 'ignored' | 'unmatched' | 'failed' | 'dismissed'
/** The administrator who applies it by hand, to `userId` when it names no user. */
export type AppliedBy = { userId: string | null; actorId: string; requestId: string }

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
async function storeRouted(...args: Parameters<typeof storeOnce>): Promise<EventState | 'known'> {
  for (let isRepeated = false; ; isRepeated = true) {
    try {
      return await storeOnce(...args)
    } catch (error) {
      if (isRepeated || (error as { code?: string }).code !== OTHER_PART) throw error
    }
  }
}

async function storeOnce(app: App, processor: Processor, event: PaymentEvent, body: string, by?: AppliedBy) {
  const now = app.now()
  const userId = by?.userId ?? (app.database.partOf && (await findUser(app, processor, event)))
  const [row] = await app.sql<[{ outcome: EventState | 'known' }]>`
    select kinora.payment_receive(
      p_user_id => ${userId},
      p_id => ${newId(now)},
      p_processor => ${processor},
      p_external_id => ${event.externalId},
      p_type => ${event.type},
      p_named => ${event.userIdInMetadata},
      p_refs => ${event.refs},
      p_effects => ${JSON.stringify(effectsJson(event.effects, app.config.owed === 'collect'))}::text::jsonb,
      p_state => ${event.notApplied?.state ?? 'ignored'},
      p_reason => ${event.notApplied?.reason ?? null},
      p_body => ${body},
      p_now => ${now},
      p_problem => ${event.notApplied?.problem ?? null},
      p_retry => ${event.notApplied?.retry ?? false},
      p_actor_id => ${by?.actorId ?? null},
      p_request_id => ${by?.requestId ?? null}
    ) as outcome
  `
  return row.outcome
}

/** The part that has the event's user applies it; an event without a user is stored by the part with the rows of no user. */
async function findUser({ sql }: App, processor: Processor, event: PaymentEvent): Promise<string | null> {
  if (event.effects.length === 0) return null
  const [row] = await sql<[{ userId: string | null }]>`
    select kinora.payment_find_user(
      p_processor => ${processor}, p_named => ${event.userIdInMetadata}, p_refs => ${event.refs}
    ) as user_id
  `
  return row.userId
}

/** SQLSTATE classes 22 (invalid data), 23 (constraint violation) and 54 (limit exceeded). */
const isRejectedData = (error: unknown): boolean => /^(22|23|54)/.test(String((error as { code?: unknown }).code))

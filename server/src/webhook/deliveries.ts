/** The deliveries of an endpoint: list, read with request and response, redeliver one, recover those that failed. */

import { Type } from 'typebox'
import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import type { Query } from '../db/db.ts'
import { filter, matches, type QueryOf } from '../db/filter.ts'
import { by, type Codec, type PageQuery, readPage } from '../db/page.ts'
import { AppError } from '../errors.ts'
import { isUuid } from '../id.ts'
import { deliveryIdOf, headersOf, messageId } from './attempt.ts'
import { assertWritten, endpointNotFound, getEndpoint } from './endpoints.ts'
import { WEBHOOK_EVENTS, type WebhookEvent } from './events.ts'

export const DELIVERY_STATES = ['pending', 'delivered', 'failed'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

export type DeliveryItem = {
  id: string
  type: string
  status: DeliveryState
  attempts: number
  responseStatus: number | null
  error: string | null
  createdAt: Date
  attemptedAt: Date | null
  nextAttemptAt: Date | null
}

export type DeliveryDetail = DeliveryItem & {
  request: { url: string; headers: Record<string, string>; body: string }
  response: { status: number; body: string; durationMs: number } | null
}

export const deliveryFilters = {
  status: filter(Type.Enum([...DELIVERY_STATES]), (sql, status) => sql`state = ${status}`),
  type: filter(Type.Enum([...WEBHOOK_EVENTS, 'webhook.test']), (sql, type) => sql`type = ${type}`),
  subject: filter(
    Type.String({
      maxLength: 64,
      description: 'Only events of videos and assets that browser tokens of this subject made',
    }),
    (sql, subject, { userId }: { userId: string }) => sql`
      (
        subject_id in (select v.id from kinora.video v where v.user_id = ${userId} and v.subject = ${subject})
        or type in ('asset.created', 'asset.deleted') and body::jsonb -> 'data' ->> 'subject' = ${subject}
      )
    `,
  ),
}
const messageIds: Codec = { write: messageId, read: (written) => deliveryIdOf(String(written)) ?? undefined }

/** Deliveries that one call recovers or replays. */
export const RECOVER_MAX = 10_000

/** Newest first. @throws AppError NOT_FOUND, INVALID_REQUEST (cursor) */
export async function listDeliveries(
  app: App,
  userId: string,
  endpointId: string,
  query: QueryOf<typeof deliveryFilters> & PageQuery,
) {
  await getEndpoint(app, userId, endpointId)
  const { rows, ...page } = await readPage(app.sql, query, {
    sequence: by('id', 'id', messageIds),
    where: (sql) => matches(sql, deliveryFilters, query, { userId }),
    rows: (sql, { where, order, limit }) => sql<DeliveryItem[]>`
      select ${columns(sql)}
      from kinora.webhook_delivery
      where user_id = ${userId} and endpoint_id = ${endpointId} and ${where}
      order by ${order}
      limit ${limit}
    `,
  })
  return { deliveries: rows.map(withMessageId), ...page }
}

/** @throws AppError NOT_FOUND */
export async function getDelivery(app: App, userId: string, endpointId: string, id: string): Promise<DeliveryDetail> {
  const { sql } = app
  const endpoint = await getEndpoint(app, userId, endpointId)
  const deliveryId = deliveryIdOf(id)
  type Row = DeliveryItem & { url: string | null; body: string; responseBody: string | null; durationMs: number | null }
  const [row] = deliveryId
    ? await sql<Row[]>`
        select ${columns(sql)}, url, body, response_body, duration_ms
        from kinora.webhook_delivery
        where user_id = ${userId} and endpoint_id = ${endpointId} and id = ${deliveryId}
      `
    : []
  if (!row) throw deliveryNotFound()
  const { url, body, responseBody, durationMs, ...item } = row
  return {
    ...withMessageId(item),
    request: { url: url ?? endpoint.url, headers: headersOf(row.id, row.attemptedAt ?? row.createdAt), body },
    response:
      item.responseStatus === null
        ? null
        : { status: item.responseStatus, body: responseBody ?? '', durationMs: durationMs ?? 0 },
  }
}

/** Sends a delivery again, in any state. @throws AppError NOT_FOUND, CONFLICT (the endpoint is disabled) */
export async function redeliver(app: App, userId: string, endpointId: string, id: string): Promise<DeliveryDetail> {
  const deliveryId = deliveryIdOf(id)
  if (!deliveryId) throw deliveryNotFound()
  await getEndpoint(app, userId, endpointId)
  await resend(app, userId, endpointId, { id: deliveryId })
  return getDelivery(app, userId, endpointId, id)
}

/**
 * Sends again what has failed since a time, the oldest 10,000.
 * @returns their number. @throws AppError NOT_FOUND, CONFLICT (the endpoint is disabled)
 */
export async function recover(app: App, userId: string, endpointId: string, since: Date): Promise<number> {
  return (await resend(app, userId, endpointId, { since })).deliveries
}

/** `nextFrom`: where the next call goes on; null: nothing is left of the period. */
export type Replay = { deliveries: number; nextFrom: Date | null }

/**
 * Sends what was written in a period again, whether it was delivered, has failed or waits for its next attempt, the
 * oldest 10,000.
 * @throws AppError NOT_FOUND, CONFLICT (the endpoint is disabled), INVALID_REQUEST for a period that ends before it
 *   begins
 */
export async function replay(
  app: App,
  userId: string,
  endpointId: string,
  { from, to, types }: { from: Date; to: Date; types: WebhookEvent[] },
): Promise<Replay> {
  if (to <= from) {
    const message = 'must be after from'
    throw new AppError('INVALID_REQUEST', `The end of the period ${message}.`, { details: [{ path: 'to', message }] })
  }
  const states = ['delivered', 'failed', 'pending']
  return resend(app, userId, endpointId, {
    ...{ since: from, until: to, states, types: types.length > 0 ? types : [...WEBHOOK_EVENTS] },
  })
}

async function resend(
  app: App,
  userId: string,
  endpointId: string,
  wanted: { id?: string; since?: Date; until?: Date; states?: string[]; types?: string[] | null },
): Promise<Replay> {
  if (!isUuid(endpointId)) throw endpointNotFound()
  const { id = null, since = null, until = null, states = ['failed'], types = null } = wanted
  const { outcome, count, nextAt } = await call(app.sql, 'webhook_redeliver', {
    ...{ userId, endpointId, id, since, until, states, types },
    limit: RECOVER_MAX,
    now: app.now(),
  })
  assertWritten(outcome, id === null ? endpointNotFound : deliveryNotFound)
  return { deliveries: count ?? 0, nextFrom: nextAt }
}

const columns = (sql: Query) => sql`
  id, type, state as status, attempt as attempts, response_status, error, created_at, attempted_at, due_at as next_attempt_at
`

const withMessageId = <T extends { id: string }>(row: T): T => ({ ...row, id: messageId(row.id) })

const deliveryNotFound = () => new AppError('NOT_FOUND', 'There is no such delivery.')

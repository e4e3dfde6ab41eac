/** A user's webhook endpoints: create, list, read, update, delete, rotate the secret, test. */

import { actingId, type Caller } from '../account/credential/credential.ts'
import { type Authority, settleGiven, withMakers } from '../account/team/authority.ts'
import type { App } from '../app.ts'
import { call, part } from '../db/call.ts'
import { once, type RequestKey } from '../db/idempotency.ts'
import { AppError } from '../errors.ts'
import type { Metadata } from '../film/limits.ts'
import { isUuid, newId } from '../id.ts'
import { messageId } from './attempt.ts'
import type { WebhookEvent } from './events.ts'
import { newSecret, sealSecret, secretText, unsealSecret } from './secret.ts'
import { checkWebhookUrl } from './url.ts'

export const ENDPOINTS_MAX = 20
/** Both secrets sign for this long after a rotation. */
const ROTATION_HOURS = 24

export type Endpoint = {
  id: string
  url: string
  description: string | null
  events: WebhookEvent[]
  subject: string | null
  metadata: Metadata
  enabled: boolean
  disabledReason: 'owner' | 'gone' | 'failing' | null
  disabledAt: Date | null
  failingSince: Date | null
  createdAt: Date
  updatedAt: Date
} & Authority

export type EndpointChange = {
  url?: string | undefined
  description?: string | undefined
  events?: WebhookEvent[] | undefined
  metadata?: Metadata | undefined
  enabled?: boolean | undefined
}

type By = Pick<Caller, 'userId' | 'actorId' | 'key'>

/** @param madeBy the team's member who answers for it. @throws AppError INVALID_REQUEST (url), CONFLICT (too many) */
export async function createEndpoint(
  app: App,
  userId: string,
  { url, description, events = [], subject, metadata = {} }: EndpointChange & { url: string; subject?: string },
  madeBy: string | null = null,
  key: RequestKey | null = null,
): Promise<Endpoint & { secret: string }> {
  await checkWebhookUrl(app, 'url', url)
  const now = app.now()
  const id = newId(now)
  const secret = newSecret()
  const created = part(app.sql, 'webhook_create', {
    userId,
    id,
    url,
    description: description ?? null,
    events: [...new Set(events)],
    secret: sealSecret(app.config, { userId, endpointId: id }, secret),
    accountSecret: sealSecret(app.config, { userId, endpointId: null }, newSecret()),
    max: ENDPOINTS_MAX,
    madeBy,
    now,
    subject: subject ?? null,
    metadata,
  })
  const logged = part(app.sql, 'team_log', {
    teamId: userId,
    actorId: madeBy,
    action: 'team.create-endpoint',
    subject: id,
    after: app.sql`kinora.audit_origin(${url})`,
    now,
  })
  const deed = { id, done: 'created' as const, now, beside: logged }
  const outcome = await once<'created' | 'too_many'>(app.sql, key, created, deed)
  if (outcome === 'too_many') {
    throw new AppError('CONFLICT', `You have ${ENDPOINTS_MAX} endpoints, which is the most; delete one first.`)
  }
  if (madeBy !== null) {
    app.crashPoint('team.given')
    await settleGiven(app, { teamId: userId, userId: madeBy, id })
  }
  return { ...(await getEndpoint(app, userId, id)), secret: secretText(secret) }
}

/** What createEndpoint has returned. @throws AppError NOT_FOUND */
export async function createdEndpoint(app: App, userId: string, id: string): Promise<Endpoint & { secret: string }> {
  const endpoint = await getEndpoint(app, userId, id)
  const [row] = await app.sql<{ secret: Buffer | null }[]>`
    select secret from kinora.webhook_endpoint where user_id = ${userId} and id = ${id}
  `
  const secret = row?.secret ? unsealSecret(app.config, { userId, endpointId: id }, row.secret) : null
  if (!secret) throw endpointNotFound()
  return { ...endpoint, secret: secretText(secret) }
}

export async function listEndpoints(app: App, userId: string): Promise<Endpoint[]> {
  const { sql } = app
  const rows = await sql<Row[]>`
    select ${columns(sql)} from kinora.webhook_endpoint where user_id = ${userId} and is_registered order by id
  `
  return withMakers(app, userId, rows)
}

type Row = Omit<Endpoint, keyof Authority> & { madeBy: string | null; suspendedAt: Date | null }

/** @throws AppError NOT_FOUND */
export async function getEndpoint(app: App, userId: string, id: string): Promise<Endpoint> {
  const { sql } = app
  const rows = isUuid(id)
    ? await sql<Row[]>`
        select ${columns(sql)} from kinora.webhook_endpoint where user_id = ${userId} and id = ${id} and is_registered
      `
    : []
  const [endpoint] = await withMakers(app, userId, rows)
  if (!endpoint) throw endpointNotFound()
  return endpoint
}

/** @param madeBy the member of a team who sends the change. @throws AppError INVALID_REQUEST (url), NOT_FOUND */
export async function updateEndpoint(
  app: App,
  userId: string,
  id: string,
  change: EndpointChange,
  madeBy: string | null = null,
): Promise<Endpoint> {
  const { url, description, events, metadata, enabled } = change
  if (url !== undefined) {
    await getEndpoint(app, userId, id)
    await checkWebhookUrl(app, 'url', url)
  }
  const isFound = isUuid(id)
    ? await call(app.sql, 'webhook_update', {
        userId,
        id,
        url: url ?? null,
        description: description ?? null,
        events: events ? [...new Set(events)] : null,
        metadata: metadata ?? null,
        isEnabled: enabled ?? null,
        madeBy,
        now: app.now(),
      })
    : false
  if (!isFound) throw endpointNotFound()
  if (madeBy !== null) await settleGiven(app, { teamId: userId, userId: madeBy, id })
  return getEndpoint(app, userId, id)
}

/** Its deliveries go with the next sweep, and cannot be read any more. @throws AppError NOT_FOUND */
export async function deleteEndpoint({ sql, now }: App, by: By, id: string): Promise<void> {
  const { userId } = by
  const at = now()
  const logged = part(sql, 'team_log', {
    teamId: userId,
    actorId: actingId(by),
    action: 'team.delete-endpoint',
    subject: id,
    before: sql`kinora.audit_origin(url)`,
    now: at,
  })
  const [row] = isUuid(id)
    ? await sql<{ isFound: boolean }[]>`
        with former as materialized (
          select url from kinora.webhook_endpoint where user_id = ${userId} and id = ${id} and is_registered
        ), ended as materialized (
          select url, ${part(sql, 'webhook_delete', { userId, id, now: at })} as is_found from former
        )
        select is_found, case
                 when is_found then ${logged}
               end
        from ended
      `
    : []
  if (!row?.isFound) throw endpointNotFound()
}

export type NewSecret = { secret: string; previousUntil: Date }

/**
 * Gives an endpoint a new secret, or, with `id` null, the user's webhookUrls; the present one signs for 24 h more. Safe
 * to repeat after a lost response: secrets from before the present one sign to the end of their own 24 h.
 * @throws AppError NOT_FOUND
 */
export async function rotateSecret(app: App, userId: string, id: string | null): Promise<NewSecret> {
  if (id !== null && !isUuid(id)) throw endpointNotFound()
  const now = app.now()
  const secret = newSecret()
  const previousUntil = new Date(now.getTime() + ROTATION_HOURS * 3600_000)
  const isFound = await call(app.sql, 'webhook_rotate', {
    userId,
    id,
    secret: sealSecret(app.config, { userId, endpointId: id }, secret),
    previousUntil,
    now,
  })
  if (!isFound) throw endpointNotFound()
  return { secret: secretText(secret), previousUntil }
}

/** Opens the user's webhooks, so that events of videos with a webhookUrl are written. */
export async function openWebhookAccount(app: App, userId: string): Promise<void> {
  const { sql, config } = app
  const [known] = await sql`select from kinora.webhook_account where user_id = ${userId}`
  if (known) return
  await call(sql, 'webhook_open_account', {
    userId,
    secret: sealSecret(config, { userId, endpointId: null }, newSecret()),
    now: app.now(),
  })
}

/**
 * Sends an endpoint a webhook.test, or an example of another type.
 * @returns the delivery's id. @throws AppError NOT_FOUND, CONFLICT (disabled)
 */
export async function testEndpoint(
  app: App,
  userId: string,
  id: string,
  example: { type: WebhookEvent; data: object } | null,
  key: RequestKey | null = null,
): Promise<string> {
  if (!isUuid(id)) throw endpointNotFound()
  const now = app.now()
  const deliveryId = newId(now)
  const test = { userId, id, deliveryId, now, type: example?.type ?? null, data: example?.data ?? null }
  const sent = part(app.sql, 'webhook_test', test)
  assertWritten(await once<SendOutcome>(app.sql, key, sent, { id: deliveryId, done: 'written', now }))
  return messageId(deliveryId)
}

export type SendOutcome = 'written' | 'disabled' | 'suspended' | 'not_found'

/** @throws AppError CONFLICT for an endpoint that is disabled or suspended, NOT_FOUND */
export function assertWritten(outcome: SendOutcome, notFound = endpointNotFound): void {
  switch (outcome) {
    case 'written':
      return
    case 'disabled':
      throw new AppError('CONFLICT', 'This endpoint is disabled; enable it first, then send again.')
    case 'suspended':
      throw new AppError('CONFLICT', 'This endpoint is suspended; an owner of the team can take it over.')
    case 'not_found':
      throw notFound()
  }
}

const columns = (sql: App['sql']) => sql`
  id, url, description, events, subject, metadata, disabled_reason is null as enabled, disabled_reason, disabled_at, failing_since, made_by,
  suspended_at, created_at, updated_at
`

export const endpointNotFound = () => new AppError('NOT_FOUND', 'There is no such webhook endpoint.')

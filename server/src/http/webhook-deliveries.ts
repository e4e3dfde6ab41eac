/** `/api/v1/webhook/endpoints/{id}/deliveries`: what was sent to an endpoint of the caller; redeliver and recover. */
import { Type } from 'typebox'
import {
  DELIVERY_STATES,
  deliveryFilters,
  getDelivery,
  listDeliveries,
  RECOVER_MAX,
  recover,
  redeliver,
  replay,
} from '../webhook/deliveries.ts'
import { WEBHOOK_EVENTS } from '../webhook/events.ts'
import { ok, TextOrNull, Timestamp, TimestampOrNull } from './request/envelope.ts'
import { listQuery, uncountedPage } from './request/paging.ts'
import { userOf } from './request/request.ts'
import { routesOf, together } from './request/routes.ts'

export const ENDPOINTS_PATH = '/api/v1/webhook/endpoints'
export const EndpointId = Type.Object({
  id: Type.String({ title: 'EndpointId', description: 'The id of the endpoint' }),
})
export const MessageId = Type.String({
  description: 'The header webhook-id, the same at every attempt',
  pattern: '^msg_[0-9a-f]{32}$',
  examples: ['msg_01939b1e5d6a7c3e9f0a4b1c2d3e4f50'],
})
const delivery = {
  id: MessageId,
  type: Type.String({ description: 'The type of the event, or webhook.test' }),
  status: Type.Enum([...DELIVERY_STATES], { description: 'failed: no attempt is left; redeliver starts again' }),
  attempts: Type.Integer(),
  responseStatus: Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status of the latest attempt' }),
  error: TextOrNull('Why the latest attempt failed'),
  createdAt: Timestamp('When the event happened'),
  attemptedAt: TimestampOrNull('When it was last sent'),
  nextAttemptAt: TimestampOrNull('When it is sent next; null when its status is final'),
}
const deliveryExample = {
  id: 'msg_01939b1e5d6a7c3e9f0a4b1c2d3e4f50',
  type: 'video.completed',
  status: 'delivered' as const,
  attempts: 1,
  responseStatus: 200,
  error: null,
  createdAt: '2026-01-15T09:30:00.000Z',
  attemptedAt: '2026-01-15T09:30:00.000Z',
  nextAttemptAt: null,
}
const exchangeExample = {
  request: {
    url: 'https://example.com/kinora',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Kinora-Webhooks/1',
      'webhook-id': deliveryExample.id,
      'webhook-timestamp': '1768469400',
    },
    body:
      '{"data": {"uuid": "01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50", "status": "COMPLETED"}, "type": "video.completed", ' +
      '"timestamp": "2026-01-15T09:30:00.000Z"}',
  },
  response: { status: 200, body: 'ok', durationMs: 38 },
}
const ListedDelivery = Type.Object(delivery, { title: 'ListedDelivery', examples: [deliveryExample] })
const Delivery = Type.Object(
  {
    ...delivery,
    request: Type.Object({
      url: Type.String(),
      headers: Type.Record(Type.String(), Type.String(), {
        description: 'Of the latest attempt, without its signature',
      }),
      body: Type.String({ description: 'The JSON that is signed, byte for byte' }),
    }),
    response: Type.Union(
      [
        Type.Object({
          status: Type.Integer(),
          body: Type.String({ description: 'Its first 4096 bytes' }),
          durationMs: Type.Integer(),
        }),
        Type.Null(),
      ],
      { description: 'Of the latest attempt; null without a response' },
    ),
  },
  { title: 'Delivery', 'x-base': ListedDelivery, examples: [{ ...deliveryExample, ...exchangeExample }] },
)

const DeliveryId = Type.Object({
  ...EndpointId.properties,
  deliveryId: Type.String({ title: 'DeliveryId', description: 'The id of the delivery, msg_…' }),
})

const route = routesOf({ tag: 'webhook', access: 'user', test: true })

const recoverWebhookEndpointRoute = route('POST', `${ENDPOINTS_PATH}/:id/recover`, {
  operationId: 'recoverWebhookEndpoint',
  summary: 'Send again everything that has failed since a time',
  config: { team: 'admin' },
  description: 'The oldest 10,000 of them; call it again for more. 409: the endpoint is disabled.',
  params: EndpointId,
  body: Type.Object(
    { since: Type.String({ format: 'date-time', description: 'Events from this time on' }) },
    { additionalProperties: false, examples: [{ since: '2026-01-15T09:30:00.000Z' }] },
  ),
  errors: ['CONFLICT'],
  data: Type.Object({ deliveries: Type.Integer({ description: 'How many are sent again' }) }),
  example: {
    deliveries: 3,
  },
  handler: async (app, request) => {
    const { id } = request.params
    return ok({ deliveries: await recover(app, userOf(request).userId, id, new Date(request.body.since)) })
  },
})

const replayWebhookEndpointRoute = route('POST', `${ENDPOINTS_PATH}/:id/replay`, {
  operationId: 'replayWebhookEndpoint',
  summary: 'Send everything of a period again',
  config: { team: 'admin' },
  description:
    `What was delivered too, each with its webhook-id, the oldest ${RECOVER_MAX} first; call it again from nextFrom for more. What waits for its next attempt is ` +
    'sent at once. What was not recorded, as of a time when the endpoint was disabled, is not sent. ' +
    '409: the endpoint is disabled.',
  params: EndpointId,
  body: Type.Object(
    {
      from: Type.String({ format: 'date-time', description: 'Events from this time on' }),
      to: Type.String({ format: 'date-time', description: 'Events before this time' }),
      types: Type.Optional(
        Type.Array(Type.Enum([...WEBHOOK_EVENTS], { title: 'WebhookEventType' }), {
          maxItems: 100,
          description: 'Types of event; empty or left out: all but tests',
        }),
      ),
    },
    {
      additionalProperties: false,
      examples: [{ from: '2026-01-15T00:00:00.000Z', to: '2026-01-16T00:00:00.000Z', types: ['video.completed'] }],
    },
  ),
  errors: ['CONFLICT'],
  data: Type.Object({
    deliveries: Type.Integer({ description: 'How many are sent again' }),
    nextFrom: TimestampOrNull('The `from` of the next call; null: nothing is left of the period'),
  }),
  example: { deliveries: 31, nextFrom: null },
  handler: async (app, request) => {
    const { from, to, types = [] } = request.body
    const period = { from: new Date(from), to: new Date(to), types }
    return ok(await replay(app, userOf(request).userId, request.params.id, period))
  },
})

const listWebhookDeliveriesRoute = route('GET', `${ENDPOINTS_PATH}/:id/deliveries`, {
  operationId: 'listWebhookDeliveries',
  summary: 'Deliveries to an endpoint, newest first',
  config: { team: 'admin' },
  params: EndpointId,
  querystring: listQuery(deliveryFilters),
  data: Type.Object({ deliveries: Type.Array(ListedDelivery), ...uncountedPage }),
  handler: async (app, request) =>
    ok(await listDeliveries(app, userOf(request).userId, request.params.id, request.query)),
})

const getWebhookDeliveryRoute = route('GET', `${ENDPOINTS_PATH}/:id/deliveries/:deliveryId`, {
  operationId: 'getWebhookDelivery',
  summary: 'One delivery with its request and the response',
  config: { team: 'admin' },
  params: DeliveryId,
  data: Delivery,
  handler: async (app, request) => {
    const { id, deliveryId } = request.params
    return ok(await getDelivery(app, userOf(request).userId, id, deliveryId))
  },
})

const redeliverWebhookRoute = route('POST', `${ENDPOINTS_PATH}/:id/deliveries/:deliveryId/redeliver`, {
  operationId: 'redeliverWebhook',
  summary: 'Send a delivery again',
  config: { team: 'admin' },
  description: 'With the same webhook-id, also when it was delivered. 409: the endpoint is disabled.',
  params: DeliveryId,
  errors: ['CONFLICT'],
  data: Delivery,
  example: {
    ...deliveryExample,
    ...exchangeExample,
    status: 'pending',
    attempts: 0,
    nextAttemptAt: '2026-01-15T09:30:00.000Z',
  },
  handler: async (app, request) => {
    const { id, deliveryId } = request.params
    return ok(await redeliver(app, userOf(request).userId, id, deliveryId))
  },
})

export const registerWebhookDeliveries = together(
  recoverWebhookEndpointRoute,
  replayWebhookEndpointRoute,
  listWebhookDeliveriesRoute,
  getWebhookDeliveryRoute,
  redeliverWebhookRoute,
)

/** `/api/v1/webhook`: the caller's webhook endpoints, and the secret of webhookUrls. */
import { Type } from 'typebox'
import { giverOf } from '../account/team/authority.ts'
import { type Metadata, metadataSchema } from '../film/limits.ts'
import { messageId } from '../webhook/attempt.ts'
import {
  createdEndpoint,
  createEndpoint,
  deleteEndpoint,
  ENDPOINTS_MAX,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  testEndpoint,
  updateEndpoint,
} from '../webhook/endpoints.ts'
import { WEBHOOK_EVENTS } from '../webhook/events.ts'
import { URL_CHARACTERS_MAX } from '../webhook/url.ts'
import { authorityExample, authorityFields } from './makers.ts'
import { exampleEvent } from './openapi/webhooks.ts'
import { Deleted, ok, TextOrNull, Timestamp, TimestampOrNull } from './request/envelope.ts'
import { userOf } from './request/request.ts'
import { routesOf, together } from './request/routes.ts'
import { ENDPOINTS_PATH, EndpointId, MessageId } from './webhook-deliveries.ts'

const EventType = Type.Enum([...WEBHOOK_EVENTS], { title: 'WebhookEventType' })
const Events = Type.Array(EventType, {
  title: 'WebhookEventTypes',
  maxItems: 100,
  description: 'Types of event that it gets; empty: all',
})
const Url = Type.String({
  description: `An https URL on the public Internet, of at most ${URL_CHARACTERS_MAX} characters`,
  examples: ['https://example.com/kinora'],
})
const Description = Type.String({ maxLength: 200, description: 'For you' })

const EventMetadata = Type.Unsafe<Metadata>({
  ...metadataSchema,
  description: 'It gets events of videos that have all of this metadata alone; empty: all events',
})

const endpoint = {
  id: Type.String({ format: 'uuid' }),
  url: Type.String(),
  description: TextOrNull('As sent'),
  events: Events,
  subject: TextOrNull(
    'The subject of browser tokens of whose videos and assets alone it gets events; null: all events',
  ),
  metadata: EventMetadata,
  enabled: Type.Boolean(),
  disabledReason: Type.Union([Type.Enum(['owner', 'gone', 'failing']), Type.Null()], {
    description: 'owner: by you; gone: it responded with 410; failing: for five days; null while it is enabled',
  }),
  disabledAt: TimestampOrNull('When it was disabled'),
  failingSince: TimestampOrNull('The first failure since the last success; null when the latest attempt succeeded'),
  createdAt: Timestamp('When it was created'),
  ...authorityFields,
  updatedAt: Timestamp('When it was last changed by you'),
}
const endpointExample = {
  id: '01939b1e-9999-7000-8000-000000000001',
  url: 'https://example.com/kinora',
  description: 'Nightly trailers',
  events: ['video.completed' as const, 'video.failed' as const],
  subject: null,
  metadata: { shop: 'north' },
  enabled: true,
  disabledReason: null,
  disabledAt: null,
  failingSince: null,
  ...authorityExample,
  madeBy: null,
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:00.000Z',
}
const Endpoint = Type.Object(endpoint, { title: 'WebhookEndpoint', examples: [endpointExample] })
const secretExample = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDazfsRYZLQUc='
const Secret = Type.String({ description: 'Signs the deliveries: whsec_ and base64. Shown this once' })
const CreatedEndpoint = Type.Object(
  { ...endpoint, secret: Secret },
  { title: 'CreatedWebhookEndpoint', 'x-base': Endpoint, examples: [{ ...endpointExample, secret: secretExample }] },
)
const Rotated = Type.Object(
  {
    secret: Secret,
    previousUntil: Timestamp('Until when deliveries carry the signature of the previous secret too'),
  },
  {
    title: 'WebhookSecret',
    examples: [{ secret: secretExample, previousUntil: '2026-01-16T09:30:00.000Z' }],
  },
)

const route = routesOf({ tag: 'webhook', access: 'user', test: true })

const createWebhookEndpointRoute = route('POST', ENDPOINTS_PATH, {
  operationId: 'createWebhookEndpoint',
  summary: 'Create a webhook endpoint',
  config: { team: 'admin' },
  description:
    'Events are sent to it by Standard Webhooks, signed with the secret that this response shows once. That of a team ends when its maker ' +
    'leaves or loses the role, unless an owner takes it over. 409: you have ' +
    `${ENDPOINTS_MAX} endpoints, which is the most.`,
  body: Type.Object(
    {
      url: Url,
      description: Type.Optional(Description),
      events: Type.Optional(Events),
      subject: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'Only events of videos and assets that browser tokens of this subject make; it does not change',
        }),
      ),
      metadata: Type.Optional(EventMetadata),
    },
    {
      additionalProperties: false,
      examples: [
        {
          url: endpointExample.url,
          description: endpointExample.description,
          events: endpointExample.events,
          metadata: endpointExample.metadata,
        },
      ],
    },
  ),
  errors: ['CONFLICT'],
  data: CreatedEndpoint,
  handler: async (app, request) => {
    const caller = userOf(request)
    const madeBy = await giverOf(app, caller)
    return ok(await createEndpoint(app, caller.userId, request.body, madeBy, request.onceKey))
  },
  replay: async (app, request, id) => ok(await createdEndpoint(app, userOf(request).userId, id)),
})

const listWebhookEndpointsRoute = route('GET', ENDPOINTS_PATH, {
  operationId: 'listWebhookEndpoints',
  summary: 'Your webhook endpoints, oldest first',
  config: { team: 'admin' },
  data: Type.Object({ endpoints: Type.Array(Endpoint) }),
  handler: async (app, request) => ok({ endpoints: await listEndpoints(app, userOf(request).userId) }),
})

const getWebhookEndpointRoute = route('GET', `${ENDPOINTS_PATH}/:id`, {
  operationId: 'getWebhookEndpoint',
  summary: 'One webhook endpoint',
  config: { team: 'admin' },
  params: EndpointId,
  data: Endpoint,
  handler: async (app, request) => ok(await getEndpoint(app, userOf(request).userId, request.params.id)),
})

const updateWebhookEndpointRoute = route('PATCH', `${ENDPOINTS_PATH}/:id`, {
  operationId: 'updateWebhookEndpoint',
  summary: 'Change, enable or disable a webhook endpoint',
  config: { team: 'admin' },
  description:
    'What waits for an endpoint is sent when it is enabled again; events while it is disabled are not. Events wait for one that is suspended. ' +
    'The member of a team who changes the URL answers for the endpoint from then on.',
  params: EndpointId,
  body: Type.Object(
    {
      url: Type.Optional(Url),
      description: Type.Optional(Description),
      events: Type.Optional(Events),
      metadata: Type.Optional(EventMetadata),
      enabled: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false, examples: [{ enabled: false }] },
  ),
  data: Endpoint,
  example: {
    ...endpointExample,
    enabled: false,
    disabledReason: 'owner',
    disabledAt: '2026-01-15T09:30:00.000Z',
  },
  handler: async (app, request) => {
    const caller = userOf(request)
    return ok(await updateEndpoint(app, caller.userId, request.params.id, request.body, await giverOf(app, caller)))
  },
})

const deleteWebhookEndpointRoute = route('DELETE', `${ENDPOINTS_PATH}/:id`, {
  operationId: 'deleteWebhookEndpoint',
  summary: 'Delete a webhook endpoint',
  config: { team: 'admin' },
  description: 'Its deliveries are not sent any more and cannot be read.',
  params: EndpointId,
  data: Deleted,
  example: {
    id: endpointExample.id,
    deleted: true,
  },
  handler: async (app, request) => {
    await deleteEndpoint(app, userOf(request), request.params.id)
    return ok({ id: request.params.id.toLowerCase(), deleted: true as const })
  },
})

const rotateWebhookSecretRoute = route('POST', `${ENDPOINTS_PATH}/:id/rotate`, {
  operationId: 'rotateWebhookSecret',
  summary: 'Give a webhook endpoint a new secret',
  config: { team: 'admin' },
  description:
    'Deliveries carry the signatures of the secrets of the last 24 hours too, so repeat it when the response was lost.',
  params: EndpointId,
  data: Rotated,
  handler: async (app, request) => ok(await rotateSecret(app, userOf(request).userId, request.params.id)),
})

const rotateWebhookUrlSecretRoute = route('POST', '/api/v1/webhook/secret', {
  operationId: 'rotateWebhookUrlSecret',
  summary: 'Make or renew the secret of webhookUrls',
  config: { team: 'admin' },
  description:
    'It signs what is sent to the webhookUrl of generate. A secret that was used before signs for 24 hours more.',
  data: Rotated,
  handler: async (app, request) => ok(await rotateSecret(app, userOf(request).userId, null)),
})

const testWebhookEndpointRoute = route('POST', `${ENDPOINTS_PATH}/:id/test`, {
  operationId: 'testWebhookEndpoint',
  summary: 'Send a webhook.test, or an example of another type, to an endpoint',
  config: { team: 'admin' },
  description:
    'Also when its events and metadata leave the type out; read the delivery for the response. The body of an example has `"test": true`. 409: the endpoint is disabled or suspended.',
  params: EndpointId,
  querystring: Type.Object({
    type: Type.Optional(
      Type.Enum([...WEBHOOK_EVENTS, 'webhook.test'], { description: 'The type of the event; left out: webhook.test' }),
    ),
  }),
  errors: ['CONFLICT'],
  data: Type.Object({ deliveryId: MessageId }),
  handler: async (app, request) => {
    const { type = 'webhook.test' } = request.query
    const example = type === 'webhook.test' ? null : exampleEvent(type)
    const deliveryId = await testEndpoint(app, userOf(request).userId, request.params.id, example, request.onceKey)
    return ok({ deliveryId })
  },
  replay: async (_app, _request, id) => ok({ deliveryId: messageId(id) }),
})

export const registerWebhookEndpoints = together(
  createWebhookEndpointRoute,
  listWebhookEndpointsRoute,
  getWebhookEndpointRoute,
  updateWebhookEndpointRoute,
  deleteWebhookEndpointRoute,
  rotateWebhookSecretRoute,
  rotateWebhookUrlSecretRoute,
  testWebhookEndpointRoute,
)

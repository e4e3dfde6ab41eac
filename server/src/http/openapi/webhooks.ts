/** The events that Kinora sends to endpoints, as the `webhooks` of the OpenAPI document. server/sql writes the data. */
import { type TObject, type TProperties, Type } from 'typebox'
import { exampleOf, schemasOf } from '../../film/fields.ts'
import type { WebhookEvent } from '../../webhook/events.ts'
import { AssetView, assetExample } from '../assets.ts'
import { TextOrNull, Timestamp, TimestampOrNull } from '../request/envelope.ts'

type EventType = WebhookEvent | 'webhook.test'
type Event = { when: string; data: TObject }

const data = (title: string, fields: TProperties, example: object): TObject =>
  Type.Object(fields, { title, examples: [example] })

const TIME = '2026-01-15T09:30:48.000Z'
const LATER = '2026-02-15T09:30:00.000Z'
const ID = '01939b1e-7777-7000-8000-000000000001'

const EventTime = Type.String({
  title: 'EventTime',
  format: 'date-time',
  description: 'When it happened',
  examples: [TIME],
})

const { url: _, urlExpiresAt: __, ...assetEventExample } = assetExample
const assetData = data('AssetEvent', Type.Omit(AssetView, ['url', 'urlExpiresAt']).properties, assetEventExample)
const projectData = data(
  'ProjectEvent',
  {
    id: Type.String({ format: 'uuid' }),
    name: Type.String(),
    aspectRatio: Type.String({ examples: ['16:9'] }),
    fit: Type.String({ description: 'How a take of another shape fills the frame: fit or crop' }),
    createdAt: Timestamp('When it was made'),
  },
  { id: ID, name: 'Harbour at dawn', aspectRatio: '16:9', fit: 'fit', createdAt: TIME },
)

const IsTest = Type.Optional(
  Type.Literal(true, { description: 'It has not happened: the test of an endpoint asked for an example' }),
)

/** The data of an event that has not happened. */
export const exampleEvent = (type: WebhookEvent) => ({
  type,
  data: (webhookEvents[type].data as TObject & { examples: object[] }).examples[0] ?? {},
})

const Video = data(
  'VideoEvent',
  {
    ...schemasOf('event'),
    quality: Type.String({ description: 'As requested; of the film itself once it is COMPLETED' }),
  },
  { ...exampleOf('event'), quality: '720p' },
)

export const webhookEvents: Record<EventType, Event> = {
  'video.completed': { when: 'The film is stored, and the credits are settled', data: Video },
  'video.failed': { when: 'A video failed, and its credits are back', data: Video },
  'video.cancelled': { when: 'A video was cancelled, and its credits are back', data: Video },
  'video.deleted': { when: 'A video was deleted; its last event', data: Video },
  'project.created': { when: 'A project was made', data: projectData },
  'project.rendered': { when: 'The cut of a project is stored, and what it costs is settled', data: Video },
  'project.deleted': { when: 'A project was deleted; its films stay', data: projectData },
  'asset.created': { when: 'A picture, film or sound is kept, to make films from', data: assetData },
  'asset.deleted': { when: 'Its user deleted an asset; not: nothing has used it for a week', data: assetData },
  'credit.added': {
    when: 'Credits were bought, given or granted',
    data: data(
      'CreditAdded',
      {
        packageId: Type.String({ format: 'uuid' }),
        transType: Type.String({ description: 'As in GET /api/v1/credit/history' }),
        credits: Type.Integer(),
        orderNo: TextOrNull('The number of the purchase'),
        expiresAt: Timestamp('When they expire'),
      },
      { packageId: ID, transType: 'ORDER_PAY', credits: 280, orderNo: null, expiresAt: LATER },
    ),
  },
  'credit.low': {
    when: 'The available credits fell below the threshold of PUT /api/v1/credit/alert',
    data: data(
      'CreditLow',
      { available: Type.Integer(), threshold: Type.Integer() },
      { available: 44, threshold: 100 },
    ),
  },
  'credit.expiring': {
    when: 'Credits expire within seven days; once a package',
    data: data(
      'CreditExpiring',
      {
        packageId: Type.String({ format: 'uuid' }),
        credits: Type.Integer(),
        expiresAt: Timestamp('When they expire'),
      },
      { packageId: ID, credits: 44, expiresAt: LATER },
    ),
  },
  'subscription.updated': {
    when: 'A subscription began, renewed, or changed its plan or its status',
    data: data(
      'SubscriptionEvent',
      {
        id: Type.String({ format: 'uuid' }),
        plan: TextOrNull('An id of GET /api/v1/config/plans'),
        status: Type.String({ description: 'As in GET /api/v1/billing/subscription' }),
        currentPeriodStart: TimestampOrNull('Start of the period that is paid for'),
        currentPeriodEnd: TimestampOrNull('End of that period'),
        cancelAtPeriodEnd: Type.Boolean(),
        cancelledAt: TimestampOrNull('When it was cancelled'),
      },
      {
        id: ID,
        plan: 'pro-monthly',
        status: 'active',
        currentPeriodStart: TIME,
        currentPeriodEnd: LATER,
        cancelAtPeriodEnd: false,
        cancelledAt: null,
      },
    ),
  },
  'webhook.test': {
    when: 'A test was asked for, also when the events of the endpoint leave it out',
    data: data('WebhookTest', { endpointId: Type.String({ format: 'uuid' }) }, { endpointId: ID }),
  },
}

const header = (description: string) => ({ in: 'header', required: true, description, schema: { type: 'string' } })

/** The headers of each delivery. */
export const webhookHeaders = {
  'webhook-id': header('The same for each attempt of a delivery'),
  'webhook-timestamp': header('The time of the attempt, in seconds since 1970'),
  'webhook-signature': header('Signatures, separated by spaces: v1 and the base64 of an HMAC-SHA256'),
}

const camelCase = (type: string) => type.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase())

const bodyOf = (type: string, data: TObject) => {
  const name = camelCase(type)
  const title = `${name[0]?.toUpperCase()}${name.slice(1)}Event`
  return Type.Object({ type: Type.Literal(type), timestamp: EventTime, data, test: IsTest }, { title })
}

/** The body of any event. No operation has it: it is for receivers, which get all of them at one address. */
export const AnyEvent = {
  ...Type.Union(Object.entries(webhookEvents).map(([type, { data }]) => bodyOf(type, data))),
  title: 'WebhookEvent',
  'x-discriminator': 'type',
}

/** The path items of the section `webhooks`. */
export const webhookItems = () =>
  Object.fromEntries(
    Object.entries(webhookEvents).map(([type, { when, data }]) => {
      const schema = bodyOf(type, data)
      return [
        type,
        {
          post: {
            operationId: camelCase(type),
            summary: when,
            description: `${when}. Signed by Standard Webhooks: verify the raw body with the secret of the endpoint.`,
            tags: ['webhook'],
            security: [],
            parameters: Object.keys(webhookHeaders).map((name) => ({ $ref: `#/components/parameters/${name}` })),
            requestBody: { required: true, content: { 'application/json': { schema } } },
            responses: { '2XX': { description: 'Received' } },
          },
        },
      ]
    }),
  )

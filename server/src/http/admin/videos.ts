/** `/api/v1/admin/videos` and `/api/v1/admin/providers`: all users' videos and the providers' health. */
import { Type } from 'typebox'
import { providerHealth } from '../../admin/provider-health.ts'
import { unfinished, unfinishedFilters } from '../../admin/unfinished.ts'
import { endedFilters, endedVideos, getVideo, OUTCOMES } from '../../admin/videos.ts'
import { catalogueState } from '../../catalogue/reload.ts'
import { NumberOrNull, ok, TextOrNull, Timestamp, TimestampOrNull } from '../request/envelope.ts'
import { listQuery, periodQuery, Total, uncountedPage } from '../request/paging.ts'
import { routesOf, together } from '../request/routes.ts'
import { Balance } from './costs.ts'
import { CatalogueState, Off } from './models.ts'
import { owner, ownerExample } from './users.ts'

const Video = Type.Object(
  {
    uuid: Type.String({ format: 'uuid' }),
    userId: Type.String({ format: 'uuid' }),
    ...owner,
    model: Type.String(),
    status: Type.Enum(['PENDING', 'GENERATING', 'UPLOADING']),
    provider: Type.String({ description: 'The AI provider of the current or next attempt' }),
    providerTaskId: TextOrNull('The provider’s id of the task; quote it to the provider’s support'),
    attempt: Type.Integer({ description: 'Attempts at the current step so far' }),
    progress: Type.Integer({ description: '0 to 99' }),
    createdAt: Timestamp('When it was requested'),
    submittedAt: TimestampOrNull('When it was sent to the provider'),
    acceptedAt: TimestampOrNull('When the provider accepted it'),
    dueAt: Timestamp('When the next step is due'),
    leaseUntil: TimestampOrNull('When the lease of a worker ends; null: no worker has claimed it'),
    deadlineAt: Timestamp('Deadline of the provider; the task is given up then'),
    isOverdue: Type.Boolean({ description: 'Due for more than a minute, and no worker has claimed it' }),
    why: Type.String({ description: 'What the video waits for, and until when, in a sentence' }),
    lastEvent: Type.Union(
      [Type.Object({ event: Type.String(), detail: TextOrNull('Details'), at: Timestamp('When') }), Type.Null()],
      { description: 'The latest entry of its log' },
    ),
  },
  {
    title: 'UnfinishedVideo',
    examples: [
      {
        uuid: '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50',
        userId: '01939b1e-1111-7aaa-8bbb-000000000001',
        ...ownerExample,
        model: 'delta-1-5',
        status: 'GENERATING',
        provider: 'provider-b',
        providerTaskId: 'task_01',
        attempt: 4,
        progress: 42,
        createdAt: '2026-01-15T09:30:00.000Z',
        submittedAt: '2026-01-15T09:30:00.000Z',
        acceptedAt: '2026-01-15T09:30:00.000Z',
        dueAt: '2026-01-15T09:30:31.000Z',
        leaseUntil: null,
        deadlineAt: '2026-01-15T09:45:00.000Z',
        isOverdue: false,
        why: 'Waiting for provider-b (42 %); asked again at 09:30:31 UTC, given up at 09:45:00 UTC.',
        lastEvent: { event: 'accepted', detail: 'provider-b task_01', at: '2026-01-15T09:30:00.000Z' },
      },
    ],
  },
)
const Provider = Type.Object(
  {
    id: Type.String(),
    configured: Type.Boolean({ description: 'Whether its settings are there' }),
    off: Off,
    models: Type.Array(Type.String(), { description: 'Models that are made there' }),
    failingModels: Type.Array(Type.String(), {
      description:
        'Models whose route there fails: half of its last tasks failed, and it is tried last until one succeeds',
    }),
    inProgress: Type.Integer({ description: 'Tasks in progress' }),
    waiting: Type.Integer({ description: 'Videos waiting to be submitted to it' }),
    succeeded: Type.Integer({ description: 'Films that were stored, within the window' }),
    failed: Type.Integer({
      description:
        'Films that it failed, did not finish in time or made unusable, and those that no provider or another one took, within the window',
    }),
    refused: Type.Integer({ description: 'Tasks that it refused for their content, within the window' }),
    failureShare: Type.Union([Type.Number(), Type.Null()], {
      description: '0 to 1: failed / (failed + succeeded); null when both are 0',
    }),
    medianSeconds: Type.Union([Type.Number(), Type.Null()], { description: 'From acceptance to result' }),
    lastSuccessAt: TimestampOrNull(
      'Within the last 24 hours; within the window when the last hour has 5,000 outcomes or more',
    ),
    lastFailureAt: TimestampOrNull('As lastSuccessAt; also of a submit that was repeated with success'),
    lastFailureReason: TextOrNull('The reason of that failure'),
    balance: Balance,
  },
  {
    title: 'ProviderHealth',
    examples: [
      {
        id: 'provider-b',
        configured: true,
        off: null,
        models: ['delta-1-5'],
        failingModels: [],
        inProgress: 3,
        waiting: 0,
        succeeded: 117,
        failed: 2,
        refused: 1,
        failureShare: 0.017,
        medianSeconds: 41.3,
        lastSuccessAt: '2026-01-15T09:30:00.000Z',
        lastFailureAt: '2026-01-15T08:58:11.000Z',
        lastFailureReason: 'no connection',
        balance: null,
      },
    ],
  },
)

const ended = {
  uuid: Type.String({ format: 'uuid' }),
  userId: Type.String({ format: 'uuid' }),
  ...owner,
  model: Type.String(),
  account: Type.String({ description: 'The account at the AI provider by which it was sent last, or would have been' }),
  vendorModel: TextOrNull('The provider’s name of the model; null: it was never sent'),
  credits: Type.Integer({ description: 'Its price' }),
  errorCode: TextOrNull('Why it failed, for programs'),
  error: TextOrNull('Why it failed'),
}
const endedExample = {
  uuid: '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50',
  userId: '01939b1e-1111-7aaa-8bbb-000000000001',
  ...ownerExample,
  model: 'delta-1-5',
  account: 'provider-b',
  vendorModel: 'delta-1.5',
  credits: 16,
  errorCode: 'PROVIDER_ERROR',
  error: 'The provider ran out of luck.',
}
const EndedVideo = Type.Object(
  {
    ...ended,
    outcome: Type.Enum([...OUTCOMES]),
    createdAt: Timestamp('When it was requested'),
    completedAt: Timestamp('When it was completed or failed'),
  },
  {
    title: 'EndedVideo',
    examples: [
      {
        ...endedExample,
        outcome: 'failed',
        createdAt: '2026-01-15T09:30:00.000Z',
        completedAt: '2026-01-15T09:31:12.000Z',
      },
    ],
  },
)
const Cost = (description: string) =>
  Type.Union(
    [Type.Object({ amount: Type.Number(), unit: Type.String(), usd: NumberOrNull('Its value') }), Type.Null()],
    {
      description,
    },
  )
const VideoDetail = Type.Object(
  {
    ...ended,
    status: Type.Enum(['PENDING', 'GENERATING', 'UPLOADING', 'COMPLETED', 'FAILED']),
    durationS: Type.Integer({ description: 'Ordered seconds' }),
    quality: Type.String(),
    aspectRatio: Type.String(),
    accounts: Type.Array(Type.String(), { description: 'Accounts of its routes, in order of preference' }),
    provider: TextOrNull('The adapter of the account; null when the account has no settings now'),
    providerTaskId: TextOrNull('The provider’s id of the task; quote it to the provider’s support'),
    creditState: Type.Enum(['frozen', 'settled', 'released'], { description: 'What became of the credits' }),
    reservedCost: Cost('What the provider has reserved, in its unit'),
    finalCost: Cost('What the provider says that the film has cost'),
    catalogueUsd: NumberOrNull('Cost in USD by the catalogue, as it was when the task was sent'),
    attempt: Type.Integer({ description: 'Attempts at the current step so far' }),
    film: Type.Union(
      [
        Type.Object({
          durationS: Type.Number(),
          width: Type.Integer(),
          height: Type.Integer(),
          sizeBytes: Type.Integer(),
        }),
        Type.Null(),
      ],
      { description: 'Measured when the film was stored' },
    ),
    createdAt: Timestamp('When it was requested'),
    submittedAt: TimestampOrNull('When it was sent to the provider'),
    acceptedAt: TimestampOrNull('When the provider accepted it'),
    resultAt: TimestampOrNull('When the provider was first known to have finished'),
    completedAt: TimestampOrNull('When it was completed or failed'),
    deletedAt: TimestampOrNull('When its user deleted it'),
    filesRemovedAt: TimestampOrNull('When retention removed the film'),
    deadlineAt: Timestamp('Deadline of the provider'),
    dueAt: TimestampOrNull('When the next step is due; null: it has ended'),
    paidBy: Type.Array(
      Type.Object(
        {
          packageId: Type.String({ format: 'uuid' }),
          credits: Type.Integer({ description: 'Of the price' }),
          transType: Type.String({
            description: 'ORDER_PAY, SUBSCRIPTION, NEW_USER, SYSTEM_ADJUST: as in the history',
          }),
          orderNo: TextOrNull('Of the payment that bought them; null: a gift, a grant or a code'),
          remark: TextOrNull('What was bought'),
          processor: TextOrNull('Where it was paid'),
          fromUserId: TextOrNull('Of a team: the member who moved them there'),
          grantedAt: Timestamp('When the account got them'),
        },
        { title: 'CreditOrigin' },
      ),
      { description: 'Where its credits came from, in the order in which they are used' },
    ),
    log: Type.Array(
      Type.Object({
        id: Type.String({ format: 'uuid' }),
        event: Type.String(),
        detail: TextOrNull('Details'),
        at: Timestamp('When'),
      }),
      { description: 'The newest 200 entries of its log, oldest first; retention removes them after a while' },
    ),
  },
  {
    title: 'VideoForAdministrators',
    examples: [
      {
        ...endedExample,
        status: 'FAILED',
        durationS: 4,
        quality: '720p',
        aspectRatio: '16:9',
        accounts: ['provider-b', 'provider-a'],
        provider: 'provider-b',
        providerTaskId: 'task_01',
        creditState: 'released',
        reservedCost: null,
        finalCost: { amount: 12, unit: 'units', usd: 0.06 },
        catalogueUsd: 0.05,
        attempt: 0,
        film: null,
        createdAt: '2026-01-15T09:30:00.000Z',
        submittedAt: '2026-01-15T09:30:00.000Z',
        acceptedAt: '2026-01-15T09:30:01.000Z',
        resultAt: null,
        completedAt: '2026-01-15T09:31:12.000Z',
        deletedAt: null,
        filesRemovedAt: null,
        deadlineAt: '2026-01-15T09:45:00.000Z',
        dueAt: null,
        paidBy: [
          {
            packageId: '01939b1e-2222-7aaa-8bbb-000000000002',
            credits: 16,
            transType: 'ORDER_PAY',
            orderNo: 'cs_01',
            remark: 'Pack of 500',
            processor: 'payment-b',
            fromUserId: null,
            grantedAt: '2026-01-14T09:30:00.000Z',
          },
        ],
        log: [
          {
            id: '01939b1e-6152-7c3e-9f0a-4b1c2d3e4f51',
            event: 'accepted',
            detail: 'provider-b task_01',
            at: '2026-01-15T09:30:01.000Z',
          },
        ],
      },
    ],
  },
)

const route = routesOf({ tag: 'admin', access: 'admin' })

const listUnfinishedVideosRoute = route('GET', '/api/v1/admin/videos', {
  operationId: 'listUnfinishedVideos',
  summary: 'Unfinished videos of all users, oldest first',
  querystring: listQuery(unfinishedFilters),
  data: Type.Object({
    videos: Type.Array(Video),
    total: Total,
    counts: Type.Object(
      { inProgress: Type.Integer(), overdue: Type.Integer() },
      { description: 'Of all users and providers', examples: [{ inProgress: 1, overdue: 0 }] },
    ),
    ...uncountedPage,
  }),
  handler: async (app, request) => ok(await unfinished(app, request.query)),
})

const listEndedVideosRoute = route('GET', '/api/v1/admin/videos/ended', {
  operationId: 'listEndedVideos',
  summary: 'Completed, failed and cancelled videos of all users, the latest end first',
  description:
    'Of the period in which they ended, deleted ones included; with userId and without from, of all time. A page may be slow when ' +
    'few of very many videos match: a shorter period is faster.',
  querystring: Type.Object({ ...listQuery(endedFilters).properties, ...periodQuery }),
  data: Type.Object({ videos: Type.Array(EndedVideo), ...uncountedPage }),
  handler: async (app, request) => ok(await endedVideos(app, request.query)),
})

const getVideoRoute = route('GET', '/api/v1/admin/videos/:uuid', {
  operationId: 'getVideoForAdministrators',
  summary: 'All that is recorded of a video of any user, without its prompt',
  params: Type.Object({ uuid: Type.String() }),
  data: VideoDetail,
  handler: async (app, request) => ok(await getVideo(app, request.params.uuid.toLowerCase())),
})

const listProvidersRoute = route('GET', '/api/v1/admin/providers', {
  operationId: 'listProviders',
  summary: 'Health of the AI providers',
  data: Type.Object({
    providers: Type.Array(Provider),
    windowSeconds: Type.Integer({
      description: '3600; less when a shorter window has enough outcomes',
      examples: [3600],
    }),
    checkedAt: Timestamp('The moment of the check', '2026-01-15T09:30:00.000Z'),
    catalogue: CatalogueState,
  }),
  handler: async (app) => ok({ ...(await providerHealth(app)), catalogue: catalogueState() }),
})

export const registerAdminVideos = together(
  listUnfinishedVideosRoute,
  listEndedVideosRoute,
  getVideoRoute,
  listProvidersRoute,
)

/** `/api/v1/admin/models` and `/api/v1/admin/switches`: models with their routes, switched off and on. */
import { Type } from 'typebox'
import { MODEL_STATES, modelsForAdministrators, ROUTE_STATES } from '../../admin/models.ts'
import { setSwitch } from '../../admin/switches.ts'
import { catalogueState } from '../../catalogue/reload.ts'
import { readSwitches } from '../../catalogue/switches.ts'
import { AppError } from '../../errors.ts'
import { NumberOrNull, ok, Reason, TextOrNull, Timestamp, TimestampOrNull } from '../request/envelope.ts'
import { userOf } from '../request/request.ts'
import { routesOf, together } from '../request/routes.ts'

export const Off = Type.Union(
  [
    Type.Object({
      model: Type.String({ description: 'Empty: every model of the account' }),
      account: Type.String({ description: 'Empty: every account of the model' }),
      reason: Type.String(),
      actorId: Type.String({ description: 'The administrator; the nil UUID for an operator at a terminal' }),
      actorEmail: TextOrNull('null for an operator at a terminal and for a deleted account'),
      createdAt: Timestamp('Since when it is off'),
    }),
    Type.Null(),
  ],
  { description: 'The switch that keeps it off; null: none' },
)
const Figures = Type.Union(
  [
    Type.Object({
      film: Type.Object({ mode: Type.String(), seconds: Type.Number(), quality: Type.String() }),
      credits: NumberOrNull('What it is sold for; null without a price'),
      costUsd: NumberOrNull('What the vendor charges by the catalogue; null: unknown'),
      margin: NumberOrNull('0 to 1 of what its credits bring at CREDIT_USD, below 0 for a loss; null: unknown'),
      margins: Type.Array(Type.Object({ product: Type.String(), name: Type.String(), margin: Type.Number() }), {
        description: 'As margin, of what the credits of each product bring that is sold in USD; the cheapest first',
      }),
    }),
    Type.Null(),
  ],
  { description: 'Of the shortest film; of a route that is not in use, with the price that the model would have' },
)
const Route = Type.Object({
  account: Type.String(),
  state: Type.Enum([...ROUTE_STATES], {
    description:
      'failing: half of its last tasks failed, or its vendor does not know the model, and it is tried last; ' +
      'waiting: its account has no settings',
  }),
  failingSince: TimestampOrNull('null: it does not fail'),
  unknownModel: TextOrNull(
    'What the vendor said when it did not know the model, perhaps a retired one; null: it knows it',
  ),
  off: Off,
  models: Type.Record(Type.String(), Type.String(), { description: 'The vendor’s name of the model, by mode' }),
  cost: Type.Union(
    [
      Type.Object({
        per: Type.String({ description: 'second, clip, megapixel or input second' }),
        asOf: TextOrNull('The day on which it was read'),
        source: TextOrNull('The vendor’s page'),
      }),
      Type.Null(),
    ],
    { description: 'null: the catalogue knows none' },
  ),
  figures: Figures,
})
const off = {
  model: 'delta-1-5',
  account: 'provider-b',
  reason: 'Half of its films are black',
  actorId: '01939b1e-1111-7aaa-8bbb-000000000001',
  actorEmail: 'root@example.com',
  createdAt: '2026-01-15T09:30:00.000Z',
}
const AdminModel = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    company: Type.String(),
    asOf: TextOrNull('The day on which its values were read from the vendors’ pages'),
    state: Type.Enum([...MODEL_STATES], {
      description:
        'offered: users can make films; waiting: none of its accounts has settings; off: by a switch of it or of all its routes; ' +
        'unavailable, unlisted: by its file',
    }),
    off: Off,
    leftOut: Type.Array(
      Type.Object({
        field: Type.String({ description: 'Of a request, or `mode`' }),
        values: Type.Array(Type.Unknown(), { description: 'Empty: the whole field' }),
      }),
      { description: 'What the file has and no account with settings makes, so that it is not offered' },
    ),
    routes: Type.Array(Route, { description: 'In order of preference' }),
  },
  {
    title: 'AdminModel',
    examples: [
      {
        id: 'delta-1-5',
        name: 'Delta 1.5',
        company: 'Delta Motion',
        asOf: null,
        state: 'off',
        off,
        leftOut: [{ field: 'quality', values: ['1080p'] }],
        routes: [
          {
            account: 'provider-b',
            state: 'off',
            failingSince: null,
            unknownModel: null,
            off,
            models: { 'text-to-video': 'delta-1-5' },
            cost: null,
            figures: {
              film: { mode: 'text-to-video', seconds: 4, quality: '720p' },
              credits: 16,
              costUsd: null,
              margin: null,
              margins: [],
            },
          },
        ],
      },
    ],
  },
)

export const CatalogueState = Type.Object({
  readAt: Timestamp('When this process has last read the files of models', '2026-01-15T09:00:00.000Z'),
  problems: Type.Array(Type.String(), {
    examples: [[]],
    description: 'The mistakes of files that were not taken: file, line and what to write; the former models stay',
  }),
})

const route = routesOf({ tag: 'admin', access: 'admin' })

const listModelsRoute = route('GET', '/api/v1/admin/models', {
  operationId: 'listAdminModels',
  summary: 'Every model with its routes, cost, price, margin and state',
  data: Type.Object({
    models: Type.Array(AdminModel, { description: 'Also those that no user sees' }),
    catalogue: CatalogueState,
  }),
  handler: async (app) => ok({ models: await modelsForAdministrators(app), catalogue: catalogueState() }),
})

const setSwitchRoute = route('PUT', '/api/v1/admin/switches', {
  operationId: 'setSwitch',
  summary: 'Switch a model, an account or a route off or on',
  description:
    '`model` alone is a model, `account` alone every route of an account, both are one route. All processes follow within a second. ' +
    'What is off gets no new film; films in progress go on, those that were not sent yet by another route where there is one. ' +
    'Repeating the call changes nothing.',
  body: Type.Object(
    {
      model: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      account: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      on: Type.Boolean(),
      reason: Reason('Why; shown beside what is off, and kept in the audit log'),
    },
    {
      additionalProperties: false,
      examples: [{ model: off.model, account: off.account, on: false, reason: off.reason }],
    },
  ),
  data: Type.Object({ changed: Type.Boolean({ description: 'false: it was so already' }) }),
  example: {
    changed: true,
  },
  handler: async (app, request) => {
    const { model = '', account = '', on: isOn, reason } = request.body
    if (model === '' && account === '') {
      throw new AppError('INVALID_REQUEST', 'Name a model, an account, or both for a route.')
    }
    const by = { actorId: userOf(request).userId, requestId: request.id, now: app.now() }
    const outcome = await setSwitch(app.sql, { model, account, isOn, reason: reason.trim(), ...by })
    // This process follows at once; the others find the change by their polls.
    await readSwitches(app)
    return ok({ changed: outcome === 'switched' })
  },
})

export const registerAdminModels = together(listModelsRoute, setSwitchRoute)

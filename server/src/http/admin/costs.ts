/** `/api/v1/admin/costs`: administrators read what films have cost and earned, as JSON and as CSV. */
import { Type } from 'typebox'
import { accountCosts, COSTS_HEAD, costs, costsCsv, costsLine } from '../../admin/costs.ts'
import { GROUPINGS, type Grouping } from '../../admin/film-sums.ts'
import { periodDays } from '../../admin/period.ts'
import { sendCsv } from '../request/csv.ts'
import { NumberOrNull, ok, TextOrNull, TimestampOrNull } from '../request/envelope.ts'
import { periodQuery } from '../request/paging.ts'
import { routesOf, together } from '../request/routes.ts'
import { registerAdminBooks } from './books.ts'
import { owner } from './users.ts'

export const Balance = Type.Union(
  [
    Type.Object({
      amount: NumberOrNull('What was told last; null: never'),
      unit: TextOrNull('`USD` or the vendor’s own unit'),
      usd: NumberOrNull('What it is worth; null: unknown'),
      toldAt: TimestampOrNull('When that was'),
      problem: TextOrNull('Why the vendor did not tell when it was asked last; null: it did, or was not asked yet'),
      spentLastDay: Type.Number({ description: 'By how much it fell within a day' }),
      secondsLeft: NumberOrNull('How long it lasts at that rate; null while nothing is spent'),
    }),
    Type.Null(),
  ],
  { description: 'What is left on the account, asked once an hour; null: the vendor has no call that tells' },
)

/** The figures of a row of costs. */
export const filmFigures = {
  films: Type.Integer({ description: 'Completed films' }),
  failed: Type.Integer({ description: 'Films that failed' }),
  cancelled: Type.Integer({ description: 'Films that were cancelled' }),
  filmSeconds: Type.Number({ description: 'Seconds of completed films' }),
  creditsEarned: Type.Integer({ description: 'Of completed films' }),
  creditsReturned: Type.Integer({ description: 'Of films that failed or were cancelled' }),
  earnedUsd: NumberOrNull(
    'What the credits of completed films were sold for, without tax and refunds; of gifts nothing; null when none has a value',
  ),
  unvaluedCredits: Type.Integer({
    description: 'Credits that were sold in another currency than USD, or whose payment is apart: they are in no sum',
  }),
  costUsd: NumberOrNull('Of the films whose cost is known; null when none is'),
  marginUsd: NumberOrNull(
    'What the films whose cost is known have earned, less that cost; null also when credits of theirs have no value',
  ),
  statedCosts: Type.Integer({ description: 'Films whose cost the provider has stated' }),
  reservedCosts: Type.Integer({ description: 'Films whose cost the provider has reserved' }),
  catalogueCosts: Type.Integer({ description: 'Films whose cost is the catalogue’s' }),
  unknownCosts: Type.Integer({ description: 'Films whose cost is unknown, and in no sum' }),
  unpriced: Type.Array(Type.Object({ unit: Type.String(), amount: Type.Number() }), {
    description: 'What providers have stated in units whose value in USD is unknown',
  }),
  differing: Type.Integer({ description: 'Films whose stated cost is not the catalogue’s, by more than a tenth' }),
  differingExpectedUsd: Type.Number({ description: 'What these cost by the catalogue' }),
  differingFoundUsd: Type.Number({ description: 'What these have cost' }),
  p50Seconds: NumberOrNull('Generation time that half of the completed films did not exceed'),
  p95Seconds: NumberOrNull('The same of 95 of 100'),
}
export const filmFiguresExample = {
  films: 117,
  failed: 2,
  cancelled: 1,
  filmSeconds: 702,
  creditsEarned: 1989,
  creditsReturned: 51,
  earnedUsd: 105.8432,
  unvaluedCredits: 0,
  costUsd: 70.2,
  marginUsd: 35.6432,
  statedCosts: 0,
  reservedCosts: 0,
  catalogueCosts: 117,
  unknownCosts: 2,
  unpriced: [{ unit: 'units', amount: 702 }],
  differing: 0,
  differingExpectedUsd: 0,
  differingFoundUsd: 0,
  p50Seconds: 41,
  p95Seconds: 88,
}
const example = {
  day: '2026-01-15',
  model: 'veo-3.1-fast',
  account: null,
  vendorModel: null,
  userId: null,
  email: null,
  team: null,
  ...filmFiguresExample,
}
const Costs = Type.Object(
  {
    day: TextOrNull('In the operator’s time zone; null when it is not grouped by, as the next six'),
    model: TextOrNull('The model'),
    account: TextOrNull('The account at the AI provider'),
    vendorModel: TextOrNull('The provider’s name of the model; null also of films that were never sent'),
    userId: TextOrNull('The user or team'),
    ...owner,
    ...filmFigures,
  },
  {
    title: 'Costs',
    examples: [example],
  },
)

const group = `(${GROUPINGS.join('|')})`
const query = {
  ...periodQuery,
  groupBy: Type.String({
    pattern: `^${group}(,${group}){0,4}$`,
    default: 'day',
    description: `One or more of ${GROUPINGS.join(', ')}, with commas between them; a route is a model at an account`,
    examples: ['day,model'],
  }),
  account: Type.Optional(
    Type.String({ maxLength: 100, description: 'Of the films of this account at an AI provider' }),
  ),
}
const groupingsOf = ({ groupBy }: { groupBy: string }) => groupBy.split(',') as Grouping[]

const route = routesOf({ tag: 'admin', access: 'admin' })

const listCostsRoute = route('GET', '/api/v1/admin/costs', {
  operationId: 'listCosts',
  summary: 'What films have cost and earned',
  description:
    'Of films by the day on which they were completed or failed. A cost is what the provider stated, in USD or in a unit whose value ' +
    'the account has; else what it reserved; else the catalogue’s. The newest day first, at most 10,000 rows.',
  querystring: Type.Object(query),
  data: Type.Object({
    from: Type.String({ format: 'date', examples: ['2026-01-01'] }),
    to: Type.String({ format: 'date', examples: ['2026-01-31'] }),
    total: Costs,
    rows: Type.Array(Costs),
    isComplete: Type.Boolean({ description: 'false: there are more rows', examples: [true] }),
  }),
  handler: async (app, request) => ok(await costs(app, { ...request.query, groupBy: groupingsOf(request.query) })),
})

const downloadCostsRoute = route('GET', '/api/v1/admin/costs.csv', {
  operationId: 'downloadCosts',
  summary: 'The same as CSV',
  description: 'All rows; what is unknown is empty. With days in the grouping, the newest first.',
  querystring: Type.Object(query),
  response: {
    200: {
      description: 'CSV',
      content: {
        'text/csv': { schema: Type.String({ examples: [COSTS_HEAD + costsLine(example)] }) },
      },
    },
  },
  handler: async (app, request, reply) => {
    const { from, to } = periodDays(app, request.query)
    return sendCsv(
      reply,
      `kinora-costs-${from}-${to}`,
      costsCsv(app, { ...request.query, groupBy: groupingsOf(request.query) }),
    )
  },
})

const listAccountCostsRoute = route('GET', '/api/v1/admin/costs/accounts', {
  operationId: 'listAccountCosts',
  summary: 'How the costs of each account become known, and its balance by day against the cost of its films',
  querystring: Type.Object(periodQuery),
  data: Type.Object({
    accounts: Type.Array(
      Type.Object({
        account: Type.String(),
        says: TextOrNull('When the vendor says what a film costs: submit or poll; null: never'),
        balance: Balance,
        days: Type.Integer({ description: 'On which the balance was read and the cost of every film is known' }),
        fellUsd: NumberOrNull('By how much the balance fell on these days; null: it is not known in USD'),
        costUsd: NumberOrNull('What the films that ended on these days have cost'),
        differing: Type.Array(Type.Object({ day: Type.String(), fellUsd: Type.Number(), costUsd: Type.Number() }), {
          description: 'Those on which both differ by more than a tenth of the cost, the largest differences first',
        }),
      }),
    ),
  }),
  example: { accounts: [] },
  handler: async (app, request) => ok({ accounts: await accountCosts(app, request.query) }),
})

export const registerAdminCosts = together(
  listCostsRoute,
  downloadCostsRoute,
  listAccountCostsRoute,
  registerAdminBooks,
)

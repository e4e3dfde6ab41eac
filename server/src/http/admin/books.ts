/** `/api/v1/admin/books`: administrators read deferred revenue, breakage and margins, and export movements of money. */
import { Type } from 'typebox'
import { books, movementsCsv } from '../../admin/books.ts'
import { periodDays } from '../../admin/period.ts'
import { sendCsv } from '../request/csv.ts'
import { NumberOrNull, ok, TextOrNull } from '../request/envelope.ts'
import { periodQuery } from '../request/paging.ts'
import { routesOf, together } from '../request/routes.ts'

const Books = Type.Object(
  {
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
    zone: Type.String({ description: 'TIME_ZONE, in which days and months begin' }),
    months: Type.Array(
      Type.Object({
        month: Type.String({ description: 'In which the credits expire' }),
        currency: TextOrNull('ISO 4217; null: credits that were a gift, or whose payment is apart'),
        owedCredits: Type.Integer({ description: 'Not used yet; those of videos in progress too' }),
        owedCents: Type.Number({ description: 'What they were sold for, without tax and refunds: deferred revenue' }),
        expiredCredits: Type.Integer({ description: 'Expired unused, in months of the period' }),
        expiredCents: Type.Number({ description: 'What these were sold for: breakage' }),
      }),
      { description: 'As of now, by month and currency' },
    ),
    plans: Type.Array(
      Type.Object({
        plan: TextOrNull('The plan or pack; null: gifts, and credits whose payment is apart'),
        films: Type.Integer({
          description: 'Completed in the period; one that used credits of several counts for each',
        }),
        credits: Type.Integer({ description: 'That they used' }),
        unvaluedCredits: Type.Integer({ description: 'Of these, sold in another currency than USD' }),
        unknownCredits: Type.Integer({ description: 'Of these, used by films whose cost is unknown' }),
        earnedUsd: Type.Number({ description: 'What they were sold for, without tax and refunds' }),
        costUsd: Type.Number({ description: 'The share of the films’ costs, by credits' }),
        marginUsd: NumberOrNull('Of films whose cost is known; null when credits of it have no value in USD'),
      }),
    ),
  },
  {
    title: 'Books',
    examples: [
      {
        ...{ from: '2026-01-01', to: '2026-01-31', zone: 'Europe/Berlin' },
        months: [
          {
            ...{ month: '2026-02', currency: 'USD', owedCredits: 720, owedCents: 2243 },
            ...{ expiredCredits: 0, expiredCents: 0 },
          },
        ],
        plans: [
          {
            ...{ plan: 'Pro', films: 14, credits: 240, unvaluedCredits: 0, unknownCredits: 0 },
            ...{ earnedUsd: 7.475, costUsd: 8.4, marginUsd: -0.925 },
          },
        ],
      },
    ],
  },
)

const route = routesOf({ tag: 'admin', access: 'admin' })

const getBooksRoute = route('GET', '/api/v1/admin/books', {
  operationId: 'getBooks',
  summary: 'Credits sold and not used yet, credits expired, and the margin of each plan',
  querystring: Type.Object(periodQuery),
  data: Books,
  handler: async (app, { query }) => ok(await books(app, query)),
})

const downloadMovementsRoute = route('GET', '/api/v1/admin/books/movements.csv', {
  operationId: 'downloadMovements',
  summary: 'Payments, refunds and disputes as CSV, one line a movement',
  description:
    'Read from the processors, so that the sums are those of their reports: newest first, of one processor after the other. `fee`, ' +
    '`net` and `payout` are empty where a processor does not tell them. Amounts are in the account’s currency, `charged` in the ' +
    'payer’s; `tax` is a part of `gross`. When a processor stops answering in the middle, the download breaks off.',
  querystring: Type.Object(periodQuery),
  errors: ['UNAVAILABLE'],
  response: {
    200: {
      description: 'CSV',
      content: { 'text/csv': { schema: Type.String({ examples: ['day,time,kind,processor,id\r\n'] }) } },
    },
  },
  handler: async (app, { query }, reply) => {
    const { from, to } = periodDays(app, query)
    return sendCsv(reply, `kinora-movements-${from}-${to}`, movementsCsv(app, query))
  },
})

export const registerAdminBooks = together(getBooksRoute, downloadMovementsRoute)

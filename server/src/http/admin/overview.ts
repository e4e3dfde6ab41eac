/** `/api/v1/admin/overview`: administrators read the figures of a period and what needs them now. */
import { Type } from 'typebox'
import { openOverview } from '../../admin/overview.ts'
import { openNewestBackup } from '../../operator/newest-backup.ts'
import { NumberOrNull, ok, TextOrNull, TimestampOrNull } from '../request/envelope.ts'
import { periodQuery } from '../request/paging.ts'
import { userOf } from '../request/request.ts'
import { type Route, routesOf } from '../request/routes.ts'
import { filmFigures, filmFiguresExample } from './costs.ts'

const Revenue = Type.Object({
  currency: Type.String({ description: 'ISO 4217' }),
  received: Type.Number({ description: 'What payments brought, without tax, in the smallest unit' }),
  returned: Type.Number({ description: 'What of it was refunded or disputed since' }),
})
const Now = Type.Object({
  inProgress: Type.Integer({ description: 'Videos that are not final' }),
  overdue: Type.Integer({ description: 'Videos due for more than a minute that no worker has claimed' }),
  providers: Type.Array(
    Type.Object({
      id: Type.String(),
      configured: Type.Boolean(),
      failed: Type.Integer(),
      failureShare: NumberOrNull('0 to 1; null: nothing ended'),
    }),
    { description: 'As in listProviders' },
  ),
  catalogueProblems: Type.Integer({ description: 'Mistakes in files of models' }),
  paymentEvents: Type.Integer({ description: 'Payment events that need attention' }),
  mails: Type.Object({
    isSetUp: Type.Boolean({ description: 'Whether SMTP_URL is set' }),
    pending: Type.Integer({ description: 'Messages that wait to be sent; 0 without SMTP_URL' }),
    oldestS: Type.Number({ description: 'For how long the oldest has waited, in seconds' }),
  }),
  webhooksFailing: Type.Integer({ description: 'Endpoints of users to which no delivery succeeds' }),
  ledger: Type.Object({
    differences: Type.Integer({ description: 'Of the last recorded check of the books' }),
    checkedAt: TimestampOrNull('When it got to its end; null: never'),
  }),
  backup: Type.Union(
    [
      Type.Object({
        target: Type.String({ description: 'BACKUP_TO' }),
        madeAt: TimestampOrNull('Of the newest backup; null: there is none'),
        error: TextOrNull('Why backups cannot be listed'),
      }),
      Type.Null(),
    ],
    { description: 'Read every five minutes; null: BACKUP_TO is not set' },
  ),
  freeBytes: Type.Integer({ description: 'Of the disk that has DATA_DIR' }),
})
const Overview = Type.Object(
  {
    from: Type.String({ format: 'date' }),
    to: Type.String({ format: 'date' }),
    films: Type.Object(filmFigures, { description: 'Of films that ended in the period, as in listCosts' }),
    signUps: Type.Integer({ description: 'Accounts that were made in the period, deleted ones included' }),
    credits: Type.Object({
      sold: Type.Integer({ description: 'Granted for payments of the period' }),
      used: Type.Integer({ description: 'Of films that were completed' }),
      returned: Type.Integer({ description: 'Of films that failed or were cancelled' }),
      owed: Type.Integer({ description: 'By all users now' }),
    }),
    revenue: Type.Array(Revenue, { description: 'By currency' }),
    readAt: TimestampOrNull('When the figures were read, while the database does not answer; null: now'),
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date', description: 'In the operator’s time zone' }),
        films: Type.Integer({ description: 'Completed' }),
        failed: Type.Integer(),
        revenue: Type.Array(Revenue),
      }),
      { description: 'Days on which a film ended or a payment was made, the oldest first' },
    ),
    now: Now,
  },
  {
    title: 'Overview',
    examples: [
      {
        from: '2026-01-01',
        to: '2026-01-30',
        films: filmFiguresExample,
        signUps: 12,
        credits: { sold: 4800, used: 1989, returned: 51, owed: 0 },
        revenue: [{ currency: 'USD', received: 19950, returned: 3990 }],
        days: [
          { day: '2026-01-15', films: 117, failed: 2, revenue: [{ currency: 'USD', received: 19950, returned: 3990 }] },
        ],
        readAt: null,
        now: {
          inProgress: 1,
          overdue: 0,
          providers: [{ id: 'provider-b', configured: true, failed: 2, failureShare: 0.017 }],
          catalogueProblems: 0,
          paymentEvents: 0,
          mails: { isSetUp: true, pending: 0, oldestS: 0 },
          webhooksFailing: 0,
          ledger: { differences: 0, checkedAt: '2026-01-30T03:00:00.000Z' },
          backup: { target: 's3://backups/kinora', madeAt: '2026-01-30T02:00:00.000Z', error: null },
          freeBytes: 80000000000,
        },
      },
    ],
  },
)

const route = routesOf<ReturnType<typeof openOverview>>({ tag: 'admin', access: 'admin' })

const getOverviewRoute = route('GET', '/api/v1/admin/overview', {
  operationId: 'getOverview',
  summary: 'Films, sign-ups, credits and revenue of a period, and what needs an operator now',
  description: 'While the database does not answer: as this administrator read it last at this process.',
  config: { outage: 'answers' },
  querystring: Type.Object(periodQuery),
  data: Overview,
  handler: async (overview, request) => ok(await overview(userOf(request).actorId, request.query)),
})

export const registerAdminOverview: Route = (server, app) =>
  getOverviewRoute(server, openOverview(app, openNewestBackup(app)))

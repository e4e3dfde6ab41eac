/** `/api/v1/credit`: the caller's balance, packages, history, new-user gift, redemption of codes and usage. */
import type { FastifyReply } from 'fastify'
import { type Static, Type } from 'typebox'
import type { Caller } from '../account/credential/credential.ts'
import { makersOf } from '../account/team/team.ts'
import { daysOf, periodOf } from '../admin/period.ts'
import type { App } from '../app.ts'
import { type Gift, giftOf, markGiftSeen } from '../credit/gift.ts'
import { history, historyFilters, type HistoryQuery as Query } from '../credit/history.ts'
import { balance } from '../credit/ledger.ts'
import { lowCreditsOf, setLowCredits, setSpendingAlert, spendingAlertOf } from '../credit/notices.ts'
import { packages } from '../credit/packages.ts'
import { redeemCode } from '../credit/redemption.ts'
import { USAGE_BY, type Usage, type UsageBy, usage } from '../credit/usage.ts'
import { schemasOfFilters } from '../db/filter.ts'
import { Makers } from './makers.ts'
import { ok, okPage, TextOrNull, Timestamp, TimestampOrNull } from './request/envelope.ts'
import { markReplay } from './request/idempotency.ts'
import { cursorPage, listQuery, numberedPage, pageOrCursorQuery, utcPeriodQuery } from './request/paging.ts'
import { linkedTeam, userOf } from './request/request.ts'
import { routesOf, together } from './request/routes.ts'

export const Balance = Type.Object(
  {
    available: Type.Integer({ description: 'Usable now: not frozen, not expired' }),
    frozen: Type.Integer({ description: 'Reserved for videos in progress' }),
    used: Type.Integer({ description: 'Consumed over all time' }),
    total: Type.Integer({ description: 'Ever received' }),
    expiringSoon: Type.Integer({ description: 'Available credits that expire within 7 days' }),
    expired: Type.Integer({ description: 'Expired unused, over all time' }),
    clawedBack: Type.Integer({ description: 'Taken back for refunds and disputes, and by administrators' }),
    owed: Type.Integer({
      description:
        'Credits of refunded or disputed payments that could not be taken back, because they are used or frozen',
    }),
  },
  {
    title: 'Balance',
    description: 'total = available + frozen + used + expired + clawedBack',
    examples: [{ available: 44, frozen: 0, used: 16, total: 70, expiringSoon: 0, expired: 10, clawedBack: 0, owed: 0 }],
  },
)
export const Package = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    transType: Type.String({
      description: 'Where the credits came from: NEW_USER, ORDER_PAY, SUBSCRIPTION, REFUND or SYSTEM_ADJUST',
    }),
    initial: Type.Integer({ description: 'Credits it was granted with' }),
    remaining: Type.Integer({ description: 'Credits available from it' }),
    frozen: Type.Integer({ description: 'Credits of it reserved for videos in progress' }),
    orderNo: TextOrNull('Order number of a purchase; null otherwise'),
    source: Type.String({ description: 'What it was granted for, as in the history' }),
    expiresAt: Timestamp('When its remaining credits expire'),
    createdAt: Timestamp('When it was granted'),
  },
  {
    title: 'CreditPackage',
    examples: [
      {
        id: '01939b1e-5d6c-7000-8000-000000000001',
        transType: 'NEW_USER',
        initial: 60,
        remaining: 28,
        frozen: 16,
        orderNo: null,
        source: 'new-user',
        expiresAt: '2026-02-14T09:30:00.000Z',
        createdAt: '2026-01-15T09:30:00.000Z',
      },
    ],
  },
)
const Transaction = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    transNo: Type.String({ description: 'Transaction number, short enough to read aloud' }),
    transType: historyFilters.transType.schema,
    credits: Type.Integer({ description: 'Signed: negative when credits left the balance' }),
    balanceAfter: Type.Integer({ description: 'Available credits right after this row: the sum of all rows up to it' }),
    videoUuid: TextOrNull('The video; null on other rows'),
    prompt: TextOrNull('The first 200 characters of the film’s prompt, where prompts was asked for and it has one'),
    orderNo: TextOrNull('Order number of a purchase; null on other rows'),
    remark: TextOrNull('A note'),
    state: TextOrNull('frozen, settled or released; null on rows without a video'),
    madeBy: TextOrNull(
      'The API key, connected program or member of the team that spent them; null: a session of your own, or no video',
    ),
    createdAt: Timestamp('When it happened'),
    n: Type.Integer({ description: 'Number of the row among yours, from 1 without gaps' }),
    packageId: TextOrNull('The package that was added, or that the credits left; null on rows of videos'),
    source: TextOrNull(
      'What an addition was granted for: payment-…, new-user, adjust:…, code:… or invitation:…; transfer:… of a move; return:, the processor and ids of the ' +
        'refunds and disputes, of what these took or gave back; null on other rows',
    ),
    expiresAt: TimestampOrNull('When the credits of an addition expire; null on other rows'),
    graces: Type.Union(
      [
        Type.Array(
          Type.Object({
            packageId: Type.String({ format: 'uuid' }),
            credits: Type.Integer(),
            expiresAt: Timestamp('When they expire'),
          }),
        ),
        Type.Null(),
      ],
      { description: 'Packages in which credits of an expired package came back; null when there are none' },
    ),
    actorId: TextOrNull('The administrator who caused it; null when it was none'),
    hash: Type.String({
      description:
        'SHA-256, in hexadecimal, of the 32 bytes of the hash of row n − 1 (none for the first row) and the row as UTF-8 text: ' +
        'a JSON array of n, id, transNo, transType, credits, balanceAfter, packageId, videoUuid, orderNo, remark, actorId, ' +
        'source, expiresAt, graces as arrays of packageId, credits and expiresAt, and createdAt, its elements separated by a ' +
        'comma and a space, its times in milliseconds since 1970',
    }),
  },
  {
    title: 'CreditTransaction',
    examples: [
      {
        id: '01939b1e-5d6b-7000-8000-000000000001',
        transNo: 'K7Q2-9MFX-4T',
        transType: 'VIDEO_CONSUME',
        credits: -16,
        balanceAfter: 44,
        videoUuid: '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50',
        prompt: null,
        orderNo: null,
        remark: 'delta-1-5, 4 s',
        state: 'settled',
        madeBy: null,
        createdAt: '2026-01-15T09:30:00.000Z',
        n: 2,
        packageId: null,
        source: null,
        expiresAt: null,
        graces: null,
        actorId: null,
        hash: '9f2c6f5d0b1e4a7c8d3e5f60718293a4b5c6d7e8f90123456789abcdef012345',
      },
    ],
  },
)

/** Entries of the caller's own history, and of a user's history that an administrator reads. */
export const HistoryQuery = Type.Object({
  ...pageOrCursorQuery,
  ...schemasOfFilters(historyFilters),
})
export const History = Type.Object(
  {
    transactions: Type.Array(Transaction),
    makers: Makers,
    ...numberedPage,
  },
  { title: 'CreditHistory' },
)

const alertAt = (description: string) =>
  Type.Union([Type.Integer({ minimum: 1, maximum: 1_000_000_000 }), Type.Null()], { description })
const alertExample = { below: 100, day: 500, week: null }
const Alert = Type.Object(
  {
    below: alertAt('credit.low is sent when the available credits fall below this; null: never'),
    day: alertAt('A mail is sent when films of this day in UTC have cost as much; null: never'),
    week: alertAt('A mail is sent when films of this week, from Monday on in UTC, have cost as much; null: never'),
  },
  { title: 'CreditAlert', examples: [alertExample] },
)

const alertOf = async (app: App, userId: string) =>
  ok({ below: await lowCreditsOf(app, userId), ...(await spendingAlertOf(app, userId)) })

const route = routesOf({ tag: 'credit', access: 'user' })

const getBalanceRoute = route('GET', '/api/v1/credit/balance', {
  operationId: 'getBalance',
  summary: 'Your balance',
  config: { scope: 'read' },
  data: Balance,
  handler: async (app, request) => ok(await balance(app, userOf(request).userId)),
})

const listPackagesRoute = route('GET', '/api/v1/credit/packages', {
  operationId: 'listPackages',
  summary: 'Your credit packages, and when they expire',
  config: { scope: 'read' },
  description: 'Packages with remaining or frozen credits, in the order they are consumed: first to expire first.',
  querystring: listQuery({}),
  data: Type.Object({ packages: Type.Array(Package), ...cursorPage }),
  handler: async (app, request) => ok(await packages(app, userOf(request).userId, request.query)),
})

const listTransactionsRoute = route('GET', '/api/v1/credit/history', {
  operationId: 'listTransactions',
  summary: 'Your credit transactions, newest first',
  config: { scope: 'read' },
  querystring: Type.Object({
    ...HistoryQuery.properties,
    prompts: Type.Optional(Type.Boolean({ description: 'Whether rows of films have the prompt' })),
  }),
  data: History,
  handler: async (app, request, reply) => {
    return await sendHistory(app, reply, userOf(request).userId, request.query)
  },
})

/** Sends a page of an owner's history. */
export async function sendHistory<Response>(
  app: App,
  reply: Pick<FastifyReply, 'header'>,
  ownerId: string,
  query: Query,
): Promise<Response> {
  const { transactions, ...found } = await history(app, ownerId, query)
  // The rows are JSON already. Text in them has no quote that is not escaped.
  const ids = [...transactions.matchAll(/"madeBy":"([^"]+)"/g)].map(([, id = '']) => id)
  const makers = await makersOf(app, ownerId, ids)
  return okPage(reply, 'transactions', transactions, { page: 1, ...query, ...found }, { makers })
}

const getCreditAlertRoute = route('GET', '/api/v1/credit/alert', {
  operationId: 'getCreditAlert',
  summary: 'Below which balance, and from which spending on, you are notified',
  config: { team: 'admin' },
  data: Alert,
  handler: async (app, request) => alertOf(app, userOf(request).userId),
})

const setCreditAlertRoute = route('PUT', '/api/v1/credit/alert', {
  operationId: 'setCreditAlert',
  summary: 'Set the balance below which, and the spending from which on, you are notified',
  config: { team: 'admin' },
  description:
    'Below: once each time that the available credits fall below it, to the webhook endpoints that want credit.low, and by ' +
    'mail unless you have switched that notice off. Day and week: once a period, by mail; they stay as they are where the ' +
    'body has none.',
  body: Type.Object(
    {
      below: Alert.properties.below,
      day: Type.Optional(Alert.properties.day),
      week: Type.Optional(Alert.properties.week),
    },
    { additionalProperties: false, examples: [alertExample] },
  ),
  data: Alert,
  handler: async (app, request) => {
    const { userId } = userOf(request)
    const { below, day, week } = request.body
    await setLowCredits(app, userId, below)
    const before = await spendingAlertOf(app, userId)
    const after = { day: day === undefined ? before.day : day, week: week === undefined ? before.week : week }
    if (after.day !== before.day || after.week !== before.week) await setSpendingAlert(app, userId, after)
    return alertOf(app, userId)
  },
})

const States = ['decided', 'waiting', 'address_used', 'domain_denied', 'network_limit'] as const
const GiftState = Type.Object(
  {
    state: Type.Enum([...States], {
      description: 'decided: granted, or this service gives none. waiting: for a verified e-mail address',
    }),
    credits: Type.Integer({ description: 'What a gift is worth' }),
    message: TextOrNull('Why no gift came, for people; null: decided'),
    isSeen: Type.Boolean({ description: 'Whether the user has been notified of this state' }),
  },
  { title: 'Gift', examples: [{ state: 'decided', credits: 60, message: null, isSeen: true }] },
)

const messages: Record<Gift['state'], string | null> = {
  decided: null,
  waiting: 'Your welcome credits come as soon as your e-mail address is verified.',
  address_used: 'Another account with this e-mail address has had the welcome credits, which are given once.',
  domain_denied: 'There are no welcome credits for addresses of this e-mail service. Ask those who run this service.',
  network_limit:
    'Many accounts were made from your network today, so yours came without welcome credits. Ask those who run this service.',
}
const view = (gift: Gift) => ({ ...gift, message: messages[gift.state] })

const getGiftRoute = route('GET', '/api/v1/credit/gift', {
  operationId: 'getGift',
  summary: 'What became of your new-user gift',
  data: GiftState,
  handler: async (app, request) => ok(view(await giftOf(app, userOf(request).userId))),
})

const markGiftSeenRoute = route('POST', '/api/v1/credit/gift/seen', {
  operationId: 'markGiftSeen',
  summary: 'Say that you know what became of your gift',
  description: 'The studio shows the reason once.',
  data: GiftState,
  handler: async (app, request) => {
    const { userId } = userOf(request)
    await markGiftSeen(app, userId)
    return ok(view(await giftOf(app, userId)))
  },
})

export const registerRedeem = route('POST', '/api/v1/credit/redeem', {
  operationId: 'redeemCode',
  summary: 'Redeem a code',
  config: { limit: 'redeem' },
  description:
    'Grants the credits of the code, once for each person: a repetition of the user returns the same (`replayed`). They cannot be moved into a team. ' +
    '404: there is no such code. 409: it has ended (`details.reason` is `code_ended`), was redeemed as often as it may be (`code_used_up`; from this ' +
    'network: `code_network_limit`) or by another account of your e-mail address (`code_person_used`), or is for those who have bought nothing yet ' +
    '(`code_not_new`). Attempts that fail are limited, of a user and of an address.',
  body: Type.Object(
    { code: Type.String({ minLength: 1, maxLength: 100 }) },
    { additionalProperties: false, examples: [{ code: 'SPRING-2026' }] },
  ),
  errors: ['CONFLICT'],
  data: Type.Object({
    credits: Type.Integer(),
    expiryDate: Timestamp('When they expire'),
    replayed: Type.Boolean({ description: 'You had redeemed it before' }),
  }),
  example: { credits: 200, expiryDate: '2027-01-15T09:30:00.000Z', replayed: false },
  handler: async (app, request, reply) => {
    const { id: requestId, ip, body } = request
    const redeemed = { userId: userOf(request).userId, code: body.code, requestId, ip }
    const { isReplay, ...granted } = await redeemCode(app, redeemed)
    markReplay(reply, isReplay)
    return ok({ ...granted, replayed: isReplay })
  },
})

const usageExample = { key: '2026-01-15', credits: 48, videos: 3 }
const UsageRow = Type.Object(
  {
    key: TextOrNull(
      'The day, the model, or the id of the API key, connected program or member of the team; null: sessions of your own',
    ),
    credits: Type.Integer({ description: 'Frozen or spent; what failed films gave back is left out' }),
    videos: Type.Integer(),
  },
  { title: 'CreditUsage', examples: [usageExample] },
)
const usageQuery = Type.Object({
  ...utcPeriodQuery,
  by: Type.Enum([...USAGE_BY], {
    title: 'UsageBy',
    default: 'day',
    description: 'maker: the API keys, or the members of the team',
  }),
  subject: Type.Optional(
    Type.String({
      title: 'FilmsOfSubject',
      maxLength: 64,
      description: 'Only films that browser tokens of this subject made',
    }),
  ),
})

async function readUsage(app: App, { userId }: Pick<Caller, 'userId'>, query: Static<typeof usageQuery>) {
  const period = periodOf(query, app.now(), 'UTC')
  const [since, until] = period
  const rows = await usage(app, userId, { by: query.by, since, until, subject: query.subject })
  return { ...daysOf(period, 'UTC'), rows }
}

const getCreditUsageRoute = route('GET', '/api/v1/credit/usage', {
  operationId: 'getCreditUsage',
  summary: 'What films of a period have cost, by day, model, or API key and member',
  config: { scope: 'read' },
  querystring: usageQuery,
  data: Type.Object({
    from: Type.String({ format: 'date', examples: ['2026-01-01'] }),
    to: Type.String({ format: 'date', examples: ['2026-01-31'] }),
    rows: Type.Array(UsageRow),
    makers: Makers,
  }),
  handler: async (app, request) => {
    const { userId } = userOf(request)
    const { rows, ...days } = await readUsage(app, { userId }, request.query)
    const makers =
      request.query.by === 'maker'
        ? await makersOf(
            app,
            userId,
            rows.map(({ key }) => key),
          )
        : []
    return ok({ ...days, rows, makers })
  },
})

const downloadCreditUsageRoute = route('GET', '/api/v1/credit/usage.csv', {
  operationId: 'downloadCreditUsage',
  summary: 'The same as CSV',
  config: { scope: 'read', isDownload: true, impersonation: 'none' },
  description: 'A row names who made the films by the id alone: a name may be a formula.',
  querystring: Type.Object({ ...usageQuery.properties, ...linkedTeam }),
  response: {
    200: {
      description: 'CSV',
      content: { 'text/csv': { schema: Type.String({ examples: [usageCsv('day', [usageExample])] }) } },
    },
  },
  handler: async (app, request, reply) => {
    const { from, to, rows } = await readUsage(app, userOf(request), request.query)
    reply.type('text/csv; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="kinora-usage-${from}-${to}.csv"`)
    return usageCsv(request.query.by, rows)
  },
})

/** As CSV (RFC 4180). No cell has a character that needs quotation marks: days, ids and numbers. */
function usageCsv(by: UsageBy, rows: readonly Usage[]): string {
  const lines = rows.map(({ key, credits, videos }) => `${key ?? ''},${credits},${videos}`)
  return [`${by},credits,videos`, ...lines].map((line) => `${line}\r\n`).join('')
}

export const registerCredit = together(
  getBalanceRoute,
  listPackagesRoute,
  listTransactionsRoute,
  getCreditAlertRoute,
  setCreditAlertRoute,
)

export const registerGift = together(getGiftRoute, markGiftSeenRoute)

export const registerUsage = together(getCreditUsageRoute, downloadCreditUsageRoute)

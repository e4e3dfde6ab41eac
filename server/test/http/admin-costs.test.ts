/** `GET /api/v1/admin/costs`: what films have cost and earned. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { books } from '../../src/admin/books.ts'
import { costs as costsOf } from '../../src/admin/costs.ts'
import { sumFilms } from '../../src/admin/film-sums.ts'
import { notDistributed } from '../support/citus/database.ts'
import { completedVideo, completeVideo } from '../support/completed-video.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { deliverAll, paymentEnv } from '../support/payment/payment-delivery.ts'
import { checkoutA, eventA, newName, startOfToday, subscriptionA } from '../support/payment/payment-events.ts'
import { openTeams } from '../support/teams.ts'

const kinora = await openKinora({ env: paymentEnv })
const root = await kinora.person({ role: 'admin', credits: 0 })
const { sql } = kinora.app
const DAY_MS = 86_400_000
const onOne = notDistributed('payments are apart from films')
let day = 0
// Each test has days of its own, because the films of all users are counted.
beforeEach(() => {
  day += 2
  kinora.turnClock(day * DAY_MS)
})
const today = (minus = 0) => new Date(kinora.app.now().getTime() - minus * DAY_MS).toISOString().slice(0, 10)

type Costs = Record<string, unknown> & { films: number; costUsd: number | null; marginUsd: number | null }
type Answer = { from: string; to: string; total: Costs; rows: Costs[]; isComplete: boolean }
async function costs(query: string): Promise<Answer> {
  const { status, data, text } = await kinora.call<Answer>(
    'GET',
    `/api/v1/admin/costs?${query.startsWith('from=') ? '' : `from=${today()}&`}${query}`,
    {
      as: root,
    },
  )
  assert.equal(status, 200, text)
  return data
}

/** A completed film of 16 credits and 4 seconds whose row is changed as given. */
async function film(by: Person, change: Record<string, unknown>): Promise<string> {
  const uuid = await completedVideo(kinora, by)
  await sql`update kinora.video set ${sql(change)} where user_id = ${by.userId} and id = ${uuid}`
  return uuid
}
const stated = (amount: number, unit = 'USD', unitUsd: number | null = 1) => ({
  finalCost: amount,
  costUnit: unit,
  unitUsd,
})
/** A film that failed, whose row is changed as given: cancelled before it was sent, for the books. */
async function failedFilm(by: Person, change: Record<string, unknown>): Promise<void> {
  const { uuid } = (await kinora.generate(by)).data
  const cancelled = await kinora.call('POST', `/api/v1/video/${uuid}/cancel`, { as: by })
  assert.equal(cancelled.status, 200, cancelled.text)
  await sql`update kinora.video set ${sql(change)} where user_id = ${by.userId} and id = ${uuid}`
}
const accepted = () => ({ errorCode: 'PROVIDER_ERROR', submittedAt: kinora.app.now(), acceptedAt: kinora.app.now() })
const refused = () => ({ errorCode: 'CONTENT_REFUSED', submittedAt: kinora.app.now() })

/** Someone who has bought the starter pack: 280 credits for 14.90 USD, of which tax is no part. */
async function payer(): Promise<Person> {
  const ann = await kinora.person({ credits: 0 })
  await buy(ann)
  return ann
}
const PACK_USD = 14.9 / 280
const order = (amount: number) => ({ id: newName('ord'), status: 'paid', type: 'onetime', amount, currency: 'USD' })
const buy = (by: Person, bought = order(1490)) =>
  deliverAll(kinora, 'payment-a', eventA('checkout.completed', checkoutA(by.userId, { order: bought })))
const refund = (of: ReturnType<typeof order>, amount: number) =>
  deliverAll(
    kinora,
    'payment-a',
    eventA('refund.created', { id: newName('ref'), refund_amount: amount, order: { id: of.id, amount: of.amount } }),
  )

test(
  '200: film of a gift and of two purchases at different prices → what these credits were sold for, to the cent',
  onOne,
  async () => {
    const ann = await kinora.person({ credits: 0 })
    await kinora.grant(ann, 8, 2)
    const period = { start: startOfToday(), end: startOfToday() + 30 * DAY_MS }
    // 280 credits for 9.90: five of them.
    const part = { ...period, product: 'prod_basic_monthly', cents: 18 }
    await deliverAll(kinora, 'payment-a', eventA('subscription.paid', subscriptionA(newName('sub'), ann.userId, part)))
    await buy(ann)
    await film(ann, { catalogueUsd: 0.25 })
    const { rows } = await costs('groupBy=model')
    const usd = Math.round((0.18 + 3 * PACK_USD) * 1e4) / 1e4
    assert.deepEqual(
      rows.map(({ model, creditsEarned, earnedUsd, marginUsd }) => [model, creditsEarned, earnedUsd, marginUsd]),
      [['delta-1-5', 16, usd, Math.round((usd - 0.25) * 1e4) / 1e4]],
    )
  },
)

test(
  '200: film that cost less than was frozen, because its price follows its length → what it cost was sold for',
  onOne,
  async () => {
    const ann = await payer()
    const { uuid } = (await kinora.generate(ann)).data
    await sql`update kinora.video set second_rate = 2.5 where id = ${uuid}`
    await completeVideo(kinora, ann, uuid)
    const { total } = await costs('groupBy=day')
    assert.deepEqual([total.creditsEarned, total.earnedUsd], [10, Math.round(10 * PACK_USD * 1e4) / 1e4])
  },
)

test(
  '200: credits that came to a team, whose payment was returned in part, or all of it → what is kept of their price',
  onOne,
  async () => {
    const { newTeam, call } = openTeams(kinora)
    const { id, owner } = await newTeam({ credits: 0 })
    const bought = order(1490)
    await buy(owner, bought)
    const moved = await call(owner, id, 'POST', '/api/v1/team/credits', { credits: 280 })
    assert.equal(moved.status, 200, moved.text)
    await completedVideo(kinora, { ...owner, userId: id })
    const earned = async () => (await costs('groupBy=day')).total.earnedUsd
    const cents = (usd: number) => Math.round(usd * 1e4) / 1e4
    assert.equal(await earned(), cents(16 * PACK_USD))
    await refund(bought, 745)
    assert.equal(await earned(), cents(16 * PACK_USD))
    await refund(bought, 745)
    assert.equal(await earned(), 0)
  },
)

test(
  '200: payment that is returned after the day of its film is summed → what is kept of its price',
  onOne,
  async () => {
    const ann = await kinora.person({ credits: 0 })
    const bought = order(1490)
    await buy(ann, bought)
    await film(ann, { catalogueUsd: 0.25 })
    const day = today()
    kinora.turnClock(DAY_MS)
    const isSummed = async () => (await sql`select from kinora.film_sum_state where until > ${day}`).length > 0
    while (!(await isSummed())) await sumFilms(kinora.app)
    const earned = async () => (await costs(`from=${day}&to=${day}&groupBy=day`)).total.earnedUsd
    assert.equal(await earned(), Math.round(16 * PACK_USD * 1e4) / 1e4)
    await refund(bought, 1490)
    assert.equal(await earned(), 0)
    await sumFilms(kinora.app)
    assert.equal(await earned(), 0)
    await sql.begin((tx) => tx`truncate kinora.film_sum, kinora.film_sum_state, kinora.film_sum_stale`)
  },
)

test('200: credits that were sold in another currency → no value, and no margin of the film', onOne, async () => {
  const ann = await payer()
  await sql`update kinora.payment set currency = 'eur' where user_id = ${ann.userId}`
  await film(ann, { catalogueUsd: 0.25 })
  const { total } = await costs('groupBy=day')
  await sql`update kinora.payment set currency = 'USD' where user_id = ${ann.userId}`
  assert.deepEqual([total.earnedUsd, total.unvaluedCredits, total.costUsd, total.marginUsd], [null, 16, 0.25, null])
})

test('200: films with costs that are stated, reserved, the catalogue’s and unknown → sums in USD, other units apart', async () => {
  const ann = await kinora.person({ credits: 1000 })
  await film(ann, { ...stated(100, 'credits', 0.005), catalogueUsd: 0.5 })
  await film(ann, { reservedCost: 0.25, costUnit: 'USD', unitUsd: 1, catalogueUsd: 9 })
  await film(ann, { ...stated(7, 'units', null), catalogueUsd: 0.125 })
  await film(ann, stated(3, 'units', null))
  await failedFilm(ann, accepted())
  const { total, rows } = await costs('groupBy=day')
  assert.equal(rows.length, 1)
  const { p50Seconds: _, p95Seconds: __, filmSeconds, unpriced, ...figures } = rows[0] ?? assert.fail()
  assert.deepEqual(figures, {
    day: today(),
    model: null,
    account: null,
    vendorModel: null,
    userId: null,
    email: null,
    team: null,
    films: 4,
    failed: 1,
    cancelled: 0,
    creditsEarned: 64,
    creditsReturned: 16,
    // The credits are a gift.
    earnedUsd: 0,
    unvaluedCredits: 0,
    costUsd: 0.875,
    marginUsd: -0.875,
    statedCosts: 1,
    reservedCosts: 1,
    catalogueCosts: 1,
    unknownCosts: 2,
    differing: 0,
    differingExpectedUsd: 0,
    differingFoundUsd: 0,
  })
  assert.equal(filmSeconds, 16)
  assert.deepEqual(unpriced, [{ unit: 'units', amount: 10 }])
  assert.deepEqual({ ...total, day: today() }, rows[0])
})

test('200: no cost is known → null, never zero; tasks that no provider took → zero', async () => {
  const ann = await kinora.person({ credits: 1000 })
  await film(ann, { catalogueUsd: null })
  await failedFilm(ann, refused())
  assert.deepEqual(
    (await costs('groupBy=day')).rows.map(({ costUsd, marginUsd, unknownCosts }) => [costUsd, marginUsd, unknownCosts]),
    [[null, null, 1]],
  )
  kinora.turnClock(DAY_MS)
  await failedFilm(ann, refused())
  await failedFilm(ann, { errorCode: 'CANCELLED' })
  const { total } = await costs('groupBy=day')
  assert.deepEqual([total.costUsd, total.unknownCosts, total.failed, total.cancelled], [0, 0, 1, 1])
  // It is unknown whether the provider took it.
  await failedFilm(ann, { ...refused(), errorCode: 'NOT_ACCEPTED' })
  assert.deepEqual((await costs('groupBy=day')).total.unknownCosts, 1)
})

test('200: generation times → p50 and p95 of completed films, exact over days and groups', async () => {
  const ann = await kinora.person({ credits: 1000 })
  for (let seconds = 1; seconds <= 20; seconds++) {
    const uuid = await film(ann, { routeModel: `vendor/${seconds % 2}`, catalogueUsd: 0.1 })
    await sql`
      update kinora.video set accepted_at = result_at - ${seconds} * interval '1 second' where user_id = ${ann.userId} and id = ${uuid}
    `
  }
  const { total, rows } = await costs('groupBy=route')
  assert.deepEqual([total.p50Seconds, total.p95Seconds], [10, 19])
  assert.deepEqual(
    rows
      .map(({ model, account, vendorModel, films, p50Seconds }) => [model, account, vendorModel, films, p50Seconds])
      .sort(),
    [
      ['delta-1-5', 'provider-b', 'vendor/0', 10, 10],
      ['delta-1-5', 'provider-b', 'vendor/1', 10, 9],
    ],
  )
})

test('200: cost that is not the catalogue’s by more than a tenth → route, expected and found', async () => {
  const ann = await kinora.person({ credits: 1000 })
  await film(ann, { ...stated(0.55), catalogueUsd: 0.5, routeModel: 'vendor/film' })
  await film(ann, { ...stated(0.56), catalogueUsd: 0.5, routeModel: 'vendor/film' })
  await film(ann, { ...stated(0.4), catalogueUsd: 0.5, routeModel: 'vendor/film' })
  const { rows } = await costs('groupBy=route')
  assert.deepEqual(
    rows.map(({ vendorModel, differing, differingExpectedUsd, differingFoundUsd }) => [
      vendorModel,
      differing,
      differingExpectedUsd,
      differingFoundUsd,
    ]),
    [['vendor/film', 2, 1, 0.96]],
  )
})

test('200: /metrics → cost, earnings, unknown and differing costs of the last hour by model and provider', async () => {
  const ann = await payer()
  await film(ann, { ...stated(0.56), catalogueUsd: 0.5 })
  await film(ann, { catalogueUsd: null })
  const response = await fetch(`${kinora.url}/metrics`, { headers: { authorization: `Bearer ${root.token}` } })
  const text = await response.text()
  const read = (name: string) =>
    Number(new RegExp(`^kinora_films_${name}{provider="provider-b",model="delta-1-5"} (\\S+)$`, 'm').exec(text)?.[1])
  const names = ['cost_usd', 'earned_usd', 'cost_unknown', 'cost_differing']
  assert.deepEqual(names.map(read), [0.56, Math.round(32 * PACK_USD * 1e4) / 1e4, 1, 1])
})

test('200: days, users and models → rows of each, newest day first; the total is that of the rows', async () => {
  const [ann, bob] = [await kinora.person({ credits: 1000 }), await kinora.person({ credits: 1000 })]
  await film(ann, { catalogueUsd: 0.1 })
  await film(bob, { catalogueUsd: 0.2 })
  await film(bob, { catalogueUsd: 0.2, completedAt: new Date(kinora.app.now().getTime() - DAY_MS) })
  const { data } = await kinora.call<Answer>(
    'GET',
    `/api/v1/admin/costs?from=${today(1)}&to=${today()}&groupBy=day,user`,
    { as: root },
  )
  const rows = data.rows.map(({ day, email, films, costUsd }) => [day, email, films, costUsd])
  assert.deepEqual(
    rows.slice(0, 2).sort(),
    [
      [today(), ann.email, 1, 0.1],
      [today(), bob.email, 1, 0.2],
    ].sort(),
  )
  assert.deepEqual(rows.slice(2), [[today(1), bob.email, 1, 0.2]])
  assert.deepEqual([data.total.films, data.total.costUsd, data.isComplete], [3, 0.5, true])
})

test('200: account → its films only, in the rows and in the total', async () => {
  const ann = await kinora.person({ credits: 1000 })
  await film(ann, { ...stated(1), providers: ['provider-a'], providerIndex: 1 })
  await film(ann, stated(2))
  const { total, rows } = await costs('groupBy=day&account=provider-a')
  assert.deepEqual([total.films, total.costUsd, rows.length], [1, 1, 1])
  assert.equal((await costs('groupBy=day&account=provider-x')).total.films, 0)
})

test('200: CSV → a file with a header; what is unknown is empty, and no cell is a formula', async () => {
  const ann = await kinora.person({ credits: 1000 })
  await film(ann, { ...stated(7, 'units', null), routeModel: '=1+1,"x"' })
  const response = await fetch(`${kinora.url}/api/v1/admin/costs.csv?from=${today()}&groupBy=route`, {
    headers: { authorization: `Bearer ${root.token}` },
  })
  const { status, headers } = response
  const text = await response.text()
  assert.equal(status, 200)
  assert.match(headers.get('content-type') ?? '', /^text\/csv/)
  assert.match(headers.get('content-disposition') ?? '', /attachment; filename="kinora-costs-\d{4}-\d\d-\d\d-/)
  const [head, row, end] = text.split('\r\n')
  assert.match(head ?? '', /^day,model,account,vendorModel,userId,films,/)
  assert.match(row ?? '', /^,delta-1-5,provider-b,"'=1\+1,""x""",,1,0,0,4,16,0,0,0,,,0,0,0,1,7 units,0,0,0,/)
  assert.equal(end, '')
})

test('200, 400: period of 366 days → accepted; of 367, one that ends before it begins, or no day; grouping that is none → INVALID_REQUEST', async () => {
  const longest = await kinora.call('GET', '/api/v1/admin/costs?from=2025-01-01&to=2026-01-01', { as: root })
  assert.equal(longest.status, 200)
  for (const query of [
    'from=2026-02-01&to=2026-01-01',
    'from=2024-12-31&to=2026-01-01',
    'from=2026-02-30',
    'from=0000-01-01&to=0000-02-01',
    'from=9999-12-01&to=9999-12-31',
    'groupBy=price',
    'groupBy=',
  ]) {
    assert.equal((await kinora.call('GET', `/api/v1/admin/costs?${query}`, { as: root })).status, 400, query)
  }
})

test('403: costs, and costs as CSV, for a user → FORBIDDEN', async () => {
  const ann = await kinora.person({ credits: 0 })
  for (const path of ['costs', 'costs.csv']) {
    assert.equal((await kinora.call('GET', `/api/v1/admin/${path}`, { as: ann })).status, 403)
  }
})

test('costs: TIME_ZONE → a film late in the day in UTC is of the next day there, in the rows and in the period', async () => {
  const { app } = kinora
  const zoned = { ...app, config: { ...app.config, site: { ...app.config.site, timeZone: 'Asia/Tokyo' } } }
  const ann = await kinora.person({ credits: 1000 })
  // 05:00 of the next day in Tokyo.
  await film(ann, { ...stated(1), completedAt: new Date(`${today()}T20:00:00Z`) })
  const tomorrow = today(-1)
  const { rows } = await costsOf(zoned, { from: today(), to: tomorrow, groupBy: ['day'] })
  assert.deepEqual(
    rows.map(({ day: of, films }) => [of, films]),
    [[tomorrow, 1]],
  )
  assert.equal((await costsOf(zoned, { from: today(), to: today(), groupBy: ['model'] })).total.films, 0)
  assert.equal((await costsOf(zoned, { from: tomorrow, to: tomorrow, groupBy: ['model'] })).total.films, 1)
})

test(
  'books: a pack of which a film used some, then its expiry → deferred revenue, the plan’s margin, then breakage',
  onOne,
  async () => {
    const { app } = kinora
    const owed = async () => {
      const { months } = await books(app, {})
      const sum = (name: 'owedCents' | 'expiredCents' | 'owedCredits' | 'expiredCredits') =>
        months.filter(({ currency }) => currency === 'USD').reduce((all, each) => all + each[name], 0)
      return { owed: sum('owedCents'), credits: sum('owedCredits'), expired: sum('expiredCents') }
    }
    const before = await owed()
    const ann = await payer()
    await film(ann, stated(0.5))
    const after = await owed()
    assert.equal(after.credits - before.credits, 264)
    assert.ok(Math.abs(after.owed - before.owed - 264 * 100 * PACK_USD) <= 1)
    const { plans } = await books(app, { from: today() })
    const earned = Math.round(16 * PACK_USD * 1e4) / 1e4
    const margin = Math.round((16 * PACK_USD - 0.5) * 1e4) / 1e4
    assert.deepEqual(plans, [
      {
        ...{ plan: 'Starter pack', films: 1, credits: 16, unvaluedCredits: 0, unknownCredits: 0 },
        ...{ earnedUsd: earned, costUsd: 0.5, marginUsd: margin },
      },
    ])
    const [pack] = await sql<[{ expiresAt: Date }]>`
    select expires_at from kinora.credit_package where user_id = ${ann.userId} and trans_type = 'ORDER_PAY'
  `
    kinora.turnClock(pack.expiresAt.getTime() - app.now().getTime() + DAY_MS)
    assert.ok((await owed()).expired >= Math.floor(264 * 100 * PACK_USD))
  },
)

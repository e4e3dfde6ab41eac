/** Reports of summed days: what a caller is told does not depend on what the sweep has summed. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { costs } from '../../src/admin/costs.ts'
import { GROUPINGS, sumFilms } from '../../src/admin/film-sums.ts'
import type { App } from '../../src/app.ts'
import { USAGE_BY, usage } from '../../src/credit/usage.ts'
import { verifyInRanges } from '../../src/credit/verify.ts'
import { openDb } from '../../src/db/db.ts'
import { onePart } from '../../src/db/parts.ts'
import { newId } from '../../src/id.ts'
import { DIFFERENCE_SHARE } from '../../src/video/differing-cost.ts'
import { notDistributed } from '../support/citus/database.ts'
import { createDatabase } from '../support/database.ts'
import { rolledBack } from '../support/ledger/ledger-fixture.ts'
import { randomOf } from '../support/random.ts'

const database = await createDatabase()
const sql = openDb(database.url, { connections: 2, name: 'kinora sums test' })
after(async () => {
  await sql.end({ timeout: 1 })
  await database.drop()
})
const DAY_MS = 86_400_000
const FROM = Date.parse('2026-01-01')
const DAYS = 75
let now = new Date('2026-01-10')
const app = {
  ...{ sql, database: onePart(sql), log: pino({ level: 'silent' }) },
  now: () => now,
  config: { site: { timeZone: 'UTC' } },
} as unknown as App
const onOne = notDistributed('rows are written past the shards')
const { below, of } = randomOf(46)
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Someone with a package that a payment was granted for, or a team to which one has moved such credits. */
type Payer = { userId: string; packageId: string }
async function payer(from: Payer | null = null): Promise<Payer> {
  const [userId, packageId] = [newId(now), newId(now)]
  const source = `payment-a:${userId}`
  const common = { userId, expiresAt: new Date(FROM + 400 * DAY_MS) }
  await sql`
    insert into kinora.credit_package ${sql({
      ...{
        ...common,
        id: packageId,
        transType: from ? 'SYSTEM_ADJUST' : 'ORDER_PAY',
        source,
        createdAt: new Date(FROM),
      },
      ...{
        initial: 280,
        remaining: 0,
        used: 280,
        fromUserId: from?.userId ?? null,
        fromPackageId: from?.packageId ?? null,
      },
    })}
  `
  const amounts = { credits: 280, cap: 280, value: 1490, total: 1490, paid: 1490, covered: 0, rest: 0, low: 1, high: 1 }
  const settled = { money: 1490, worth: 280, granted: 280, packages: 1, at: new Date(FROM), validFrom: new Date(FROM) }
  if (!from)
    await sql`
      insert into kinora.payment ${sql({
        ...{ ...common, ...amounts, ...settled, processor: 'payment-a', source, chain: source, transType: 'ORDER_PAY' },
        ...{ orderNo: source, remark: '', currency: 'usd', sortKey: '' },
      })}
    `
  return { userId, packageId }
}

/**
 * A film with its hold, as the functions write them: it used a package of the user, and ended after it was requested.
 */
async function film(userId: string, packageId: string, at: Date): Promise<void> {
  const id = newId(at)
  const isMade = below(5) > 0
  const ended = new Date(at.getTime() + below(3_600_000))
  const accepted = below(4) > 0 ? new Date(at.getTime() + 1000) : null
  const unit = of(['USD', 'credits', null])
  await sql`
    insert into kinora.video ${sql({
      userId,
      id,
      status: isMade ? 'COMPLETED' : 'FAILED',
      prompt: 'a film',
      model: of(['delta-1-5', 'sigma-2']),
      durationS: 4 + below(6),
      aspectRatio: '16:9',
      quality: '720p',
      credits: 8,
      providers: of([['provider-a'], ['provider-a', 'provider-b']]),
      providerIndex: 1,
      providerTaskId: accepted && id,
      submittedAt: accepted,
      acceptedAt: accepted,
      resultAt: accepted && new Date(accepted.getTime() + below(90) * 1000),
      routeModel: of(['vendor/film', 'vendor/other', null]),
      catalogueUsd: of([0.5, 0.1, null]),
      reservedCost: of([0.25, null]),
      finalCost: of([0.125, 0.56, null]),
      costUnit: unit,
      unitUsd: unit === 'USD' ? 1 : null,
      usualS: 60,
      errorCode: isMade ? null : of(['CANCELLED', 'PROVIDER_ERROR', 'NOT_ACCEPTED']),
      error: isMade ? null : 'no',
      videoKey: isMade ? id : null,
      filmDurationS: isMade ? of([4.04, 5.04, null]) : null,
      createdAt: at,
      completedAt: ended,
      updatedAt: ended,
      deadlineAt: ended,
    })}
  `
  await sql`
    insert into kinora.credit_hold ${sql({
      userId,
      id,
      credits: 8,
      state: isMade ? 'settled' : 'released',
      keyId: of([null, userId]),
      packageIds: [packageId],
      packageCredits: [8],
      rest: isMade ? of([0, 3]) : 0,
      createdAt: at,
      closedAt: ended,
    })}
  `
}

async function writeFilms({ userId, packageId }: Payer): Promise<void> {
  for (let n = 0; n < 120; n++) await film(userId, packageId, new Date(FROM + below(DAYS * 24 * 60) * 60_000))
  // A day with many, which is summed.
  for (let n = 0; n < 15; n++) await film(userId, packageId, new Date(FROM + 9 * DAY_MS + below(20 * 60) * 60_000))
}

type Query = Parameters<typeof costs>[1]
const randomQuery = (): Query => {
  const first = below(DAYS + 20) - 10
  return {
    from: dayOf(FROM + first * DAY_MS),
    to: dayOf(FROM + (first + below(90)) * DAY_MS),
    groupBy: GROUPINGS.filter(() => below(3) === 0),
    ...(below(3) === 0 ? { account: 'provider-a' } : {}),
  }
}
const answered = async (query: Query) => {
  const { rows, ...rest } = await costs(app, query)
  const sorted = rows.map((row) => ({ ...row, unpriced: row.unpriced.toSorted((a, b) => (a.unit < b.unit ? -1 : 1)) }))
  return { ...rest, rows: sorted.map((row) => JSON.stringify(row)).sort() }
}

/** What the reports tell of random periods, users and groups. */
async function reports(queries: readonly Query[], people: readonly Payer[]) {
  const told: unknown[] = []
  for (const query of queries) told.push(await answered(query))
  for (const { from = '', to = '' } of queries)
    for (const { userId } of people)
      for (const by of USAGE_BY)
        told.push(await usage(app, userId, { by, since: new Date(from), until: new Date(Date.parse(to) + DAY_MS) }))
  return told
}

/** A day waits for the transactions that were open at its end, of other databases of the server too. */
async function sumAll(): Promise<void> {
  for (let until = ''; until < dayOf(now.getTime()); ) {
    await sumFilms(app)
    until = (await sql<{ until: string }[]>`select until::text from kinora.film_sum_state`)[0]?.until ?? ''
  }
  while ((await sql`select from kinora.film_sum_stale`).length > 0) await sumFilms(app)
}
const differences = async () => {
  const found: string[] = []
  await verifyInRanges(app.database, {
    onRange: (range) => {
      found.push(...range.differences.flatMap(({ rule, subject }) => (/ summed$|^sums of/.test(rule) ? [subject] : [])))
    },
  })
  return found
}
/** As payment_settle does it: a part of the payment was returned. */
const refund = ({ userId }: Payer, kept: number) => sql`
  with before as (select p from kinora.payment p where p.user_id = ${userId}),
  changed as (update kinora.payment p set kept = ${kept} where p.user_id = ${userId} returning p)
  select kinora.film_sum_mark(p_before => before.p, p_payment => changed.p) from before, changed
`

test(
  'reports: random films and periods, summed or not, and refunds of what is summed → the answer from the films',
  onOne,
  async () => {
    const [ann, bob, eve] = [await payer(), await payer(), await payer()]
    const team = await payer(ann)
    const people = [ann, bob, eve, team]
    for (const each of people) await writeFilms(each)
    const queries = Array.from({ length: 40 }, randomQuery)
    // The oracle: without sums all is read from the films.
    const expected = await reports(queries, people)
    for (const day of [20, 50, 70]) {
      now = new Date(FROM + day * DAY_MS + 3_600_000)
      await sumAll()
      assert.deepEqual(await reports(queries, people), expected, `summed on day ${day}`)
      assert.deepEqual(await differences(), [])
    }
    const [state] = await sql<[{ days: number; months: number; usage: number }]>`
    select until - since as days, (select count(distinct since)::integer from kinora.film_sum where span = 'month') as months,
           (select count(*)::integer from kinora.usage_sum) as usage
    from kinora.film_sum_state
  `
    assert.ok(state.days > 60 && state.months === 3 && state.usage > 0, JSON.stringify(state))

    await refund(ann, 0.5)
    await refund(eve, 0)
    const marked = await reports(queries, people)
    assert.deepEqual(await differences(), [])
    await sumAll()
    const again = await reports(queries, people)
    assert.deepEqual(await differences(), [])
    assert.equal((await sql`select from kinora.film_sum_stale`).length, 0)
    await sql.begin((tx) => tx`truncate kinora.film_sum, kinora.film_sum_state, kinora.usage_sum`)
    const fromFilms = await reports(queries, people)
    assert.notDeepEqual(fromFilms, expected)
    assert.deepEqual(marked, fromFilms)
    assert.deepEqual(again, fromFilms)
  },
)

test('verify: sums that something else has changed, removed or added → each is reported', onOne, async () => {
  await sumAll()
  const damages: [string, RegExp][] = [
    [
      `update kinora.film_sum set films = films + 1 where span = 'day' and grouped_by = 'route'`,
      /^films of day .* route /,
    ],
    [`delete from kinora.film_sum where span = 'month' and grouped_by = ''`, /^films of month /],
    [`update kinora.film_sum set known_usd = known_usd + 0.01 where span = 'day' and grouped_by = 'user'`, / user$/],
    [
      `update kinora.film_sum set seconds = seconds || ',[99,1]' where span = 'month' and seconds is not null`,
      /^films of month /,
    ],
    [`update kinora.usage_sum set credits = credits + 1`, /^usage of /],
  ]
  for (const [text, subject] of damages) {
    const found = await rolledBack(sql, async (tx) => {
      const { count } = await tx.unsafe(text)
      assert.ok(count > 0, text)
      return await tx<{ subject: string }[]>`
        select * from verify_film_sum() union all
        select * from verify_usage_sum('00000000-0000-0000-0000-000000000000', null)
      `
    })
    assert.ok(
      found?.some((each) => subject.test(each.subject)),
      text,
    )
  }
})

test('film_sum: a cost that is not the catalogue’s → differs from the share on at which the server warns', async () => {
  const [row] = await sql<{ share: number }[]>`select kinora.cost_difference_share()::float8 as share`
  assert.equal(row?.share, DIFFERENCE_SHARE)
})

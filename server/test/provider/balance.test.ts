/** What is left on accounts at providers: asked once an hour, shown, measured, and told before it is used up. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, beforeEach, test } from 'node:test'
import { askBalances } from '../../src/admin/balances.ts'
import type { Adapter } from '../../src/provider/provider.ts'
import { completedVideo } from '../support/completed-video.ts'
import { openKinora } from '../support/harness.ts'
import { atScriptedVendor } from '../support/scripted-vendor.ts'

const HOUR_MS = 3600_000
const KEY = 'key_0123456789abcdef'

let questions = 0
let answer: (response: ServerResponse) => unknown = () => {}
const vendor = createServer((_, response) => {
  questions += 1
  answer(response)
}).listen(0, '127.0.0.1')
await once(vendor, 'listening')
after(() => {
  vendor.closeAllConnections()
  vendor.close()
})
const says =
  (body: unknown, status = 200) =>
  (response: ServerResponse) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const left = (creditBalance: number) => says({ creditBalance })

const kinora = await openKinora({
  env: {
    PROVIDER_RUNWAY_URL: `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`,
    PROVIDER_RUNWAY_API_KEY: KEY,
  },
})
const { app } = kinora
const root = await kinora.person({ role: 'admin', credits: 0 })
await app.sql`update public."user" set "emailVerified" = true where id = ${root.userId}`

const never = new AbortController().signal
/** What the vendor says an hour later. */
async function anHourLater(response: typeof answer): Promise<void> {
  answer = response
  kinora.turnClock(HOUR_MS)
  assert.equal(await askBalances(app, never), 1)
}
type Balance = Record<'amount' | 'usd' | 'spentLastDay' | 'secondsLeft', number | null> & { problem: string | null }
async function shown(id = 'runway'): Promise<Balance | null | undefined> {
  const { data } = await kinora.call<{ providers: { id: string; balance: Balance | null }[] }>(
    'GET',
    '/api/v1/admin/providers',
    { as: root },
  )
  return data.providers.find((each) => each.id === id)?.balance
}
const mails = async () =>
  (await app.sql`select data from kinora.mail where kind = 'provider.low' and user_id = ${root.userId}`).length

beforeEach(async () => {
  await app.sql`truncate kinora.provider_balance`
  await app.sql`delete from kinora.mail where kind = 'provider.low'`
  questions = 0
})

test('balance: falls → time left at the rate of the last day, one mail until it is refilled, metrics', async () => {
  await anHourLater(left(1000))
  assert.deepEqual([(await shown())?.amount, (await shown())?.secondsLeft, await mails()], [1000, null, 0])
  await anHourLater(left(900))
  const { amount, usd, spentLastDay, secondsLeft } = (await shown()) ?? assert.fail()
  assert.deepEqual([amount, usd, spentLastDay, secondsLeft], [900, 9, 100, 9 * 86_400])
  assert.equal(await mails(), 0)
  await anHourLater(left(700))
  assert.deepEqual([(await shown())?.secondsLeft, await mails()], [(700 / 300) * 86_400, 1])
  // What a failed task gives back is no refill.
  for (const each of [650, 660, 0]) await anHourLater(left(each))
  assert.deepEqual([(await shown())?.secondsLeft, await mails()], [0, 1])
  const text = await (
    await fetch(`${kinora.url}/metrics`, { headers: { authorization: `Bearer ${root.token}` } })
  ).text()
  assert.match(text, /^kinora_provider_balance{provider="runway",unit="credits"} 0$/m)
  assert.match(text, /^kinora_provider_balance_seconds_left{provider="runway"} 0$/m)
  assert.match(text, /^kinora_provider_balance_untold{provider="runway"} 0$/m)
  await anHourLater(left(100_000))
  assert.equal(await mails(), 1)
  await anHourLater(left(100))
  assert.equal(await mails(), 2)
})

test('balance: vendor that refuses, quotes our key, answers at length, hangs or breaks off → its reason; the last amount stays', async (t) => {
  const lines: string[] = []
  const { warn } = app.log
  app.log.warn = ((fields: unknown) => lines.push(JSON.stringify(fields))) as typeof warn
  t.after(() => {
    app.log.warn = warn
  })
  await anHourLater(left(1000))
  const problems: [typeof answer, RegExp][] = [
    [says({ error: `The key ${KEY} may not do this.` }, 403), /^HTTP 403: The key … may not do this\.$/],
    [says({ creditBalance: 'a lot' }), /^HTTP 200: its answer names no balance$/],
    [says({ creditBalance: 1, more: 'x'.repeat(100_000) }), /too long/],
    [(response) => response.destroy(), /broke off/],
  ]
  for (const [response, problem] of problems) {
    await anHourLater(response)
    const found = (await shown()) ?? assert.fail()
    assert.match(found.problem ?? '', problem)
    assert.equal(found.amount, 1000)
  }
  const stopping = new AbortController()
  answer = () => stopping.abort()
  kinora.turnClock(HOUR_MS)
  await askBalances(app, stopping.signal)
  assert.ok((await shown())?.problem)
  assert.equal(lines.length, 5)
  assert.ok(!lines.join().includes(KEY))
  await anHourLater(left(990))
  assert.deepEqual([(await shown())?.problem, (await shown())?.spentLastDay], [null, 10])
})

test('balance: two workers within an hour → one question; an account without such a call → none', async () => {
  answer = left(1000)
  kinora.turnClock(HOUR_MS)
  const asked = await Promise.all([askBalances(app, never), askBalances(app, never), askBalances(app, never)])
  assert.deepEqual([asked.toSorted(), questions], [[0, 0, 1], 1])
  assert.equal(await shown('provider-b'), null)
})

test('200: /admin/costs/accounts → the days on which a balance fell by something else than the cost of its films', async () => {
  const ann = await kinora.person({ credits: 100 })
  const uuid = await completedVideo(kinora, ann)
  await app.sql`
    update kinora.video set providers = array['runway'], provider_index = 1, catalogue_usd = 0.5, completed_at = ${app.now()}
    where user_id = ${ann.userId} and id = ${uuid}
  `
  const day = app.now().toISOString().slice(0, 10)
  const hour = `${day}T00:00:00Z`
  const fell = async (credits: number) => {
    await app.sql`truncate kinora.provider_balance`
    await app.sql`
      insert into kinora.provider_balance (account, hour, asked_at, amount, unit, spent)
      values ('runway', ${hour}, ${hour}, 1000, 'credits', ${credits})
    `
    const { data } = await kinora.call<{ accounts: { account: string; differing: unknown[] }[] }>(
      'GET',
      `/api/v1/admin/costs/accounts?from=${day}&to=${day}`,
      { as: root },
    )
    return data.accounts.find(({ account }) => account === 'runway') ?? assert.fail()
  }
  assert.deepEqual((await fell(52)).differing, [])
  const { balance: _, ...found } = (await fell(80)) as Record<string, unknown>
  assert.deepEqual(found, {
    ...{ account: 'runway', says: 'submit', days: 1, fellUsd: 0.8, costUsd: 0.5 },
    differing: [{ day, fellUsd: 0.8, costUsd: 0.5 }],
  })
})

const cases: [string, object, number | null, string][] = [
  ['runway', { creditBalance: 12 }, 12, 'credits'],
  ['kie', { code: 200, msg: 'success', data: 12.5 }, 12.5, 'credits'],
  ['evolink', { data: { user: { remaining_credits: 12 }, token: {} } }, 12, 'credits'],
  ['vercel', { balance: '95.50', total_used: '4.50' }, 95.5, 'USD'],
  ['luma', { credit_balance: 1250 }, 12.5, 'USD'],
  [
    'vidu',
    {
      remains: [
        { type: 'test', credit_remain: 5 },
        { type: 'metered', credit_remain: 7 },
      ],
    },
    12,
    'credits',
  ],
  ['pixverse', { ErrCode: 0, Resp: { credit_monthly: 2, credit_package: 10 } }, 12, 'credits'],
  ['openrouter', { data: { total_credits: 100.5, total_usage: 25.5 } }, 75, 'USD'],
  ['fal', { username: 'me', credits: { current_balance: -0.5, currency: 'USD' } }, -0.5, 'USD'],
  ['fal', { username: 'me', credits: { current_balance: 24.5, currency: 'EUR' } }, null, ''],
  ['runway', { creditBalance: 1e300 }, null, ''],
]
test('balance: the answer of each vendor → its amount and unit', async () => {
  for (const [name, body, amount, unit] of cases) {
    const { adapter }: { adapter: Adapter } = await import(`../../src/provider/adapter/${name}.ts`)
    await atScriptedVendor(adapter, [{ body }], async (provider) => {
      const found = await provider.readBalance?.()
      if (amount === null) assert.equal(found?.kind, 'untold', name)
      else assert.deepEqual(found, { kind: 'told', amount, unit }, name)
    })
  }
})

test('balance: OpenRouter, which tells credits to a management key alone → what is left of the key', async () => {
  const { adapter } = await import('../../src/provider/adapter/openrouter.ts')
  const refusal = { status: 403, body: { error: { message: 'Only management keys can fetch credits' } } }
  await atScriptedVendor(adapter, [refusal, { body: { data: { limit_remaining: 99.5 } } }], async (provider) => {
    assert.deepEqual(await provider.readBalance?.(), { kind: 'told', amount: 99.5, unit: 'USD' })
  })
  await atScriptedVendor(adapter, [refusal, { body: { data: { limit_remaining: null } } }], async (provider) => {
    const reason = 'HTTP 403: Only management keys can fetch credits'
    assert.deepEqual(await provider.readBalance?.(), { kind: 'untold', reason })
  })
})

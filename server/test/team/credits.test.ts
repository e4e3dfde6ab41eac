/** A member moves own credits into a team over HTTP: balances, histories, exports, refunds, refusals, races. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creditGrantGift } from '../../src/credit/gift.ts'
import { newId } from '../../src/id.ts'
import { notDistributed } from '../support/citus/database.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { deliverAll, paymentEnv } from '../support/payment/payment-delivery.ts'
import { chargeB, eventB, failedRefundB, sessionB } from '../support/payment/payment-events.ts'
import { addMember, openTeams } from '../support/teams.ts'
import { unzip } from '../support/unzip.ts'

const kinora = await openKinora({ env: paymentEnv, simulator: true })
const { app } = kinora
const { newTeam, call, generate, finish } = openTeams(kinora)
const DAY_MS = 86_400_000
const onOne = notDistributed('no credits move between two shards')

type Transfer = { id: string; teamId: string; credits: number; packages: { credits: number; expiresAt: string }[] }
const move = (person: Person, teamId: string, credits: unknown, headers: Record<string, string> = {}) =>
  call<Transfer>(person, teamId, 'POST', '/api/v1/team/credits', { credits }, headers)
const movable = async (person: Person, teamId: string) =>
  (await call<{ movable: number; owed: number }>(person, teamId, 'GET', '/api/v1/team/credits')).data
type Row = { credits: number; source: string | null; remark: string | null; graces: { credits: number }[] | null }
async function newest(person: Person, teamId?: string): Promise<Row | undefined> {
  const headers: Record<string, string> = teamId === undefined ? {} : { 'x-team': teamId }
  const { data } = await kinora.call<{ transactions: Row[] }>('GET', '/api/v1/credit/history', { as: person, headers })
  return data.transactions[0]
}
const teamBalance = async (person: Person, teamId: string) =>
  (await call<{ available: number; owed: number; clawedBack: number }>(person, teamId, 'GET', '/api/v1/credit/balance'))
    .data

test(
  '200: a viewer moves credits → both balances and histories have it, and the webhook of the team',
  onOne,
  async () => {
    const { id, owner } = await newTeam({ credits: 0 })
    const ben = await addMember(app, id, await kinora.person({ credits: 0 }), 'viewer')
    await kinora.grant(ben, 100, 10)
    const endpoint = { url: 'https://example.com/hook', events: ['credit.added'] }
    assert.equal((await call(owner, id, 'POST', '/api/v1/webhook/endpoints', endpoint)).status, 200)
    assert.deepEqual(await movable(ben, id), { movable: 100, owed: 0 })
    const made = await move(ben, id, 40)
    assert.equal(made.status, 200, made.text)
    const { data: own } = await kinora.call<{ packages: { transType: string; expiresAt: string }[] }>(
      'GET',
      '/api/v1/credit/packages',
      { as: ben },
    )
    const { expiresAt } =
      own.packages.find(({ transType }) => transType === 'SYSTEM_ADJUST') ?? assert.fail('no package')
    assert.deepEqual(made.data, { id: made.data.id, teamId: id, credits: 40, packages: [{ credits: 40, expiresAt }] })
    assert.deepEqual([(await kinora.balance(ben)).available, (await teamBalance(owner, id)).available], [60, 40])
    const [left, came] = [await newest(ben), await newest(owner, id)]
    assert.deepEqual(
      [left?.credits, left?.source, left?.graces?.[0]?.credits],
      [-40, `transfer:${made.data.id}:${id}`, 40],
    )
    assert.deepEqual([came?.credits, came?.source], [40, `transfer:${made.data.id}:${ben.userId}`])
    const [written] = await app.sql<{ body: string }[]>`select body from kinora.webhook_delivery where user_id = ${id}`
    const { data } = JSON.parse(written?.body ?? '{}')
    assert.deepEqual([data.credits, data.transType, data.expiresAt], [40, 'SYSTEM_ADJUST', expiresAt])
  },
)

test(
  '409: more than can be moved → nothing moves, and the response says how many can; the gift stays',
  onOne,
  async () => {
    const { id } = await newTeam({ credits: 0 })
    const ben = await addMember(app, id, await kinora.person({ credits: 0 }))
    const now = app.now()
    await app.sql`update kinora.credit_account set gift_at = null where user_id = ${ben.userId}`
    const expiresAt = new Date(now.getTime() + 30 * DAY_MS)
    await creditGrantGift(app.sql, { userId: ben.userId, packageId: newId(now), credits: 60, expiresAt, now })
    await kinora.grant(ben, 10)
    const refused = await move(ben, id, 11)
    assert.deepEqual([refused.status, refused.error?.code], [409, 'CONFLICT'])
    assert.deepEqual(refused.error?.details, { available: 10 })
    assert.equal((await kinora.balance(ben)).available, 70)
  },
)

test(
  '200: the same Idempotency-Key again, ten times at once → one transfer; 422: with another request',
  onOne,
  async () => {
    const { id } = await newTeam({ credits: 0 })
    const ben = await addMember(app, id, await kinora.person())
    await kinora.grant(ben, 100)
    const key = { 'idempotency-key': 'one' }
    const made = await Promise.all(Array.from({ length: 10 }, () => move(ben, id, 30, key)))
    assert.deepEqual(
      new Set(made.map(({ status, data }) => `${status} ${JSON.stringify(data)}`)).size,
      1,
      made[0]?.text,
    )
    assert.equal(made.filter(({ headers }) => headers.get('idempotent-replayed') === 'true').length, 9)
    assert.equal((await teamBalance(ben, id)).available, 30)
    const other = await move(ben, id, 31, key)
    assert.deepEqual([other.status, other.error?.code], [422, 'IDEMPOTENCY_KEY_REUSED'])
  },
)

test('400: no whole number of credits above 0 → refused', onOne, async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  for (const credits of [0, -1, 1.5, '5', null, 2e9])
    assert.equal((await move(owner, id, credits)).status, 400, `${credits}`)
})

test(
  '403: an API key of the team, one without the scope account, a locked team, no member → refused',
  onOne,
  async () => {
    const { id, owner } = await newTeam({ credits: 0 })
    await kinora.grant(owner, 100)
    const made = await call<{ key: string }>(owner, id, 'POST', '/api/v1/team/keys', { name: 'server' })
    const withKey = async (key: string, headers: Record<string, string> = {}) => {
      const sent = { method: 'POST', body: '{"credits":5}' }
      const to = { 'content-type': 'application/json', 'x-api-key': key, ...headers }
      return (await fetch(`${kinora.url}/api/v1/team/credits`, { ...sent, headers: to })).status
    }
    assert.equal(await withKey(made.data.key), 403)
    const own = await kinora.call('POST', '/api/auth/api-key/create', {
      as: owner,
      body: { name: 'k', scopes: ['read', 'generate'] },
    })
    assert.equal(await withKey(JSON.parse(own.text).key, { 'x-team': id }), 403)
    const full = await kinora.call('POST', '/api/auth/api-key/create', {
      as: owner,
      body: { name: 'k', scopes: ['read', 'generate', 'account'] },
    })
    assert.equal(await withKey(JSON.parse(full.text).key, { 'x-team': id }), 200)
    assert.equal((await move(await kinora.person(), id, 1)).status, 404)
    const root = await kinora.person({ role: 'admin' })
    await kinora.call('POST', `/api/v1/admin/teams/${id}/lock`, { as: root, body: { reason: 'Chargebacks' } })
    assert.equal((await move(owner, id, 1)).status, 403)
  },
)

test(
  '200: a pack is moved, spent in the team and refunded → each side loses its part, the team owes what it has spent',
  onOne,
  async () => {
    const { id, owner } = await newTeam({ credits: 0 })
    const session = sessionB(owner.userId)
    // The pack expires before what the test gave, so it is moved first.
    await deliverAll(kinora, 'payment-b', eventB('checkout.session.completed', session, Date.now() - 60_000))
    assert.equal((await move(owner, id, 100)).status, 200)
    assert.equal((await generate(owner, id)).status, 200)
    const half = chargeB(String(session.payment_intent), 3990, 1995)
    await deliverAll(kinora, 'payment-b', eventB('charge.refunded', half))
    assert.deepEqual(await teamBalance(owner, id).then((b) => [b.available, b.clawedBack, b.owed]), [34, 50, 0])
    assert.deepEqual(await kinora.balance(owner).then((b) => [b.available, b.clawedBack]), [60 + 860 - 430, 430])
    // What the test gave.
    assert.equal((await movable(owner, id)).movable, 60)
    const all = chargeB(String(session.payment_intent), 3990, 3990)
    await deliverAll(kinora, 'payment-b', eventB('charge.refunded', all))
    assert.deepEqual(await teamBalance(owner, id).then((b) => [b.available, b.clawedBack, b.owed]), [0, 84, 16])
    assert.equal((await newest(owner, id))?.remark, 'Payment of moved credits returned')
  },
)

/** A member has bought a pack and moved 300 credits into a team, which made films of 32 and makes one of 16. */
async function spentInTeam() {
  const { id, owner } = await newTeam({ credits: 0 })
  const ben = await addMember(app, id, await kinora.person({ credits: 0 }))
  const session = sessionB(ben.userId)
  await deliverAll(kinora, 'payment-b', eventB('checkout.session.completed', session))
  assert.equal((await move(ben, id, 300)).status, 200)
  for (const _film of [1, 2]) await finish(owner, id, (await generate(owner, id)).data.uuid)
  assert.equal((await generate(owner, id)).status, 200)
  const remove = (body: object) =>
    call<{ owed: number }>(owner, id, 'DELETE', '/api/v1/team', body).then((answer) => ({
      status: answer.status,
      owed: (answer.error?.details as { owed: number } | undefined)?.owed,
    }))
  const refund = () =>
    deliverAll(kinora, 'payment-b', eventB('charge.refunded', chargeB(String(session.payment_intent), 3990, 3990)))
  const owed = async ({ userId }: Person) =>
    (await app.sql<[{ owed: number }]>`select kinora.credit_owed(p_user_id => ${userId}) as owed`)[0].owed
  return { id, owner, ben, session, remove, refund, owed }
}

test(
  '409: a team that owes is deleted → refused with the amount, until the request names it; then its payer owes it, less what a cancelled film gives back',
  onOne,
  async () => {
    const { id, ben, remove, refund, owed } = await spentInTeam()
    await refund()
    assert.deepEqual([await owed({ ...ben, userId: id }), await owed(ben)], [48, 0])
    assert.deepEqual(await remove({}), { status: 409, owed: 48 })
    assert.deepEqual(await remove({ owed: 47 }), { status: 409, owed: 48 })
    assert.equal((await remove({ owed: 48 })).status, 200)
    assert.deepEqual([await owed({ ...ben, userId: id }), await owed(ben)], [0, 32])
    const refused = await kinora.call('DELETE', '/api/v1/account', { as: ben, body: {} })
    assert.equal(refused.status, 409)
    assert.match(refused.error?.message ?? '', /^You owe 32 credits/)
    const root = await kinora.person({ role: 'admin' })
    const path = `/api/v1/admin/users/${ben.userId}`
    assert.equal((await kinora.call('DELETE', path, { as: root, body: { reason: 'asked' } })).status, 409)
    assert.equal((await kinora.call('DELETE', path, { as: root, body: { reason: 'asked', owed: 32 } })).status, 200)
  },
)

test(
  'refund: of a payment whose team was deleted before → the payer owes what the team has used; given back, neither does',
  onOne,
  async () => {
    const { id, ben, session, remove, refund, owed } = await spentInTeam()
    assert.equal((await remove({})).status, 200)
    await refund()
    assert.deepEqual([await owed({ ...ben, userId: id }), await owed(ben)], [0, 32])
    const failed = failedRefundB(String(session.payment_intent), 3990)
    await deliverAll(kinora, 'payment-b', eventB('refund.failed', failed, Date.now() + 1000))
    assert.deepEqual([await owed({ ...ben, userId: id }), await owed(ben)], [0, 0])
    assert.equal((await kinora.balance(ben)).available, 660)
  },
)

test(
  'refund: the payer has credits left of the payment → what the deleted team has used is taken from them',
  onOne,
  async () => {
    const { id, owner } = await newTeam({ credits: 0 })
    const ben = await addMember(app, id, await kinora.person({ credits: 0 }))
    const session = sessionB(ben.userId)
    await deliverAll(kinora, 'payment-b', eventB('checkout.session.completed', session))
    assert.equal((await move(ben, id, 300)).status, 200)
    await finish(owner, id, (await generate(owner, id)).data.uuid)
    const half = chargeB(String(session.payment_intent), 3990, 1995)
    await deliverAll(kinora, 'payment-b', eventB('charge.refunded', half))
    assert.equal((await call(owner, id, 'DELETE', '/api/v1/team', {})).status, 200)
    const all = chargeB(String(session.payment_intent), 3990, 3990)
    await deliverAll(kinora, 'payment-b', eventB('charge.refunded', all))
    const { available, clawedBack, owed } = await kinora.balance(ben)
    assert.deepEqual([available, clawedBack, owed], [0, 660, 16])
  },
)

test(
  '200: the team is deleted, and then its member → a refund still changes the books of both, which add up',
  onOne,
  async () => {
    const { id, owner } = await newTeam({ credits: 0 })
    const ben = await addMember(app, id, await kinora.person({ credits: 0 }))
    const session = sessionB(ben.userId)
    await deliverAll(kinora, 'payment-b', eventB('checkout.session.completed', session))
    assert.equal((await move(ben, id, 300)).status, 200)
    assert.equal((await call(owner, id, 'DELETE', '/api/v1/team', {})).status, 200)
    assert.equal((await newest(ben))?.source?.split(':')[2], id)
    await deliverAll(
      kinora,
      'payment-b',
      eventB('charge.refunded', chargeB(String(session.payment_intent), 3990, 3990)),
    )
    const [team] = await app.sql<[{ available: number; clawedBack: number }]>`
    select available, clawed_back from kinora.credit_account where user_id = ${id}
  `
    assert.deepEqual([team.available, team.clawedBack], [0, 300])
    assert.equal((await kinora.call('DELETE', '/api/v1/account', { as: ben, body: {} })).status, 200)
  },
)

test(
  'any order: transfers beside films, a refund, and the end of the membership, the team or the user → the books add up',
  onOne,
  async () => {
    for (const end of ['leave', 'delete team', 'delete user', 'lock'] as const) {
      const { id, owner } = await newTeam({ credits: 0 })
      const ben = await addMember(app, id, await kinora.person({ credits: 0 }))
      const session = sessionB(ben.userId)
      await deliverAll(kinora, 'payment-b', eventB('checkout.session.completed', session))
      const root = await kinora.person({ role: 'admin' })
      const ending = {
        leave: () => call(ben, id, 'DELETE', `/api/v1/team/members/${ben.userId}`),
        'delete team': () => call(owner, id, 'DELETE', '/api/v1/team', { owed: 1000 }),
        'delete user': () => kinora.call('DELETE', '/api/v1/account', { as: ben, body: { owed: 1000 } }),
        lock: () =>
          kinora.call('POST', `/api/v1/admin/teams/${id}/lock`, { as: root, body: { reason: 'Chargebacks' } }),
      }
      const moves = Array.from({ length: 12 }, () => move(ben, id, 20))
      const films = Array.from({ length: 6 }, () => generate(owner, id))
      const half = chargeB(String(session.payment_intent), 3990, 1995)
      const [moved, , ended] = await Promise.all([
        Promise.all(moves),
        Promise.all(films),
        ending[end](),
        deliverAll(kinora, 'payment-b', eventB('charge.refunded', half)),
      ])
      assert.equal(ended.status, 200, `${end}: ${ended.text}`)
      const known = [200, 401, 403, 404, 409]
      assert.deepEqual(
        moved.map(({ status }) => status).filter((status) => !known.includes(status)),
        [],
        end,
      )
      const [claimed] = await app.sql<[{ credits: number }]>`
      select sum(refund_claimed)::bigint as credits from kinora.credit_package where user_id = ${ben.userId} or from_user_id = ${ben.userId}
    `
      assert.equal(claimed.credits, 480, end)
    }
  },
)

test('200: exports of both → the packages of the transfer, and its rows', onOne, async () => {
  const { id, owner } = await newTeam({ credits: 0 })
  await kinora.grant(owner, 100)
  const { data } = await move(owner, id, 25)
  for (const [headers, path, credits] of [
    [{}, '/api/v1/account/export', '"transferred":25'],
    [{ 'x-team': id }, '/api/v1/team/export', `"fromUserId":"${owner.userId}"`],
  ] as const) {
    const response = await fetch(kinora.url + path, { headers: { authorization: `Bearer ${owner.token}`, ...headers } })
    const files = unzip(Buffer.from(await response.arrayBuffer()))
    const [account = '', history = ''] = ['account', 'history'].map((name) => files.get(`${name}.json`)?.toString())
    assert.ok(account.replaceAll(/\s/g, '').includes(credits), account)
    assert.ok(history.includes(`transfer:${data.id}:`))
  }
})

/** Redemption codes over HTTP: made, ended, redeemed, concurrently, once each; `kinora codes`. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { creditRedeem } from '../../src/credit/redemption.ts'
import { openDb } from '../../src/db/db.ts'
import { notDistributed } from '../support/citus/database.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { runCommand } from '../support/processes.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora()
const { app } = kinora
const { sql } = app
const root = await kinora.person({ role: 'admin', credits: 0 })
const DAY_MS = 86_400_000

type Made = { id: string; code: string; expiresAt: string }
type Redeemed = { credits: number; expiryDate: string; replayed: boolean }
type Reason = { reason: string }
const create = (body: object, as = root) =>
  kinora.call<Made>('POST', '/api/v1/admin/codes', { as, body: { credits: 100, ...body } })
async function made(body: object = {}): Promise<Made> {
  const { status, data, text } = await create(body)
  assert.equal(status, 200, text)
  return data
}
const redeem = (as: Person, code: string) =>
  kinora.call<Redeemed>('POST', '/api/v1/credit/redeem', { as, body: { code } })
const end = (id: string) => kinora.call('DELETE', `/api/v1/admin/codes/${id}`, { as: root })
const user = () => kinora.person({ credits: 0 })
const usesOf = async (id: string) =>
  (await sql<{ uses: number }[]>`select uses from kinora.redemption_code where id = ${id}`)[0]?.uses
const reasonOf = ({ status, error }: { status: number; error: { details?: unknown } | undefined }) => [
  status,
  (error?.details as Reason | undefined)?.reason,
]

test('200: a random code, typed without capitals and hyphens → its credits, in the ledger with the code, in the audit log', async () => {
  const { id, code } = await made({ creditDays: 10, note: ' for friends ' })
  assert.match(code, /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/)
  const ann = await user()
  const { status, data } = await redeem(ann, ` ${code.toLowerCase().replaceAll('-', ' ')} `)
  assert.deepEqual([status, data.credits, data.replayed], [200, 100, false])
  assert.equal(Math.round((Date.parse(data.expiryDate) - Date.now()) / DAY_MS), 10)
  const rows = await sql`
    select trans_type, credits::int, remark, source, actor_id from kinora.credit_transaction where user_id = ${ann.userId}
  `
  const row = { transType: 'SYSTEM_ADJUST', credits: 100, remark: code, source: `code:${id}` }
  assert.deepEqual([...rows], [{ ...row, actorId: root.userId }])
  const entries = await sql`select action, reason from kinora.audit where subject = ${id} and user_id is null`
  assert.deepEqual([...entries], [{ action: 'code.create', reason: 'for friends' }])
  assert.equal((await sql`select from kinora.audit where user_id = ${ann.userId}`).length, 1)
})

test('200: redeemed again, also when it has ended → the same, replayed, and no more credits', async () => {
  const { id, code } = await made({ usesMax: 2 })
  const ann = await user()
  const first = await redeem(ann, code)
  assert.equal((await end(id)).status, 200)
  const second = await redeem(ann, code)
  assert.deepEqual(second.data, { ...first.data, replayed: true })
  assert.equal(second.headers.get('idempotent-replayed'), 'true')
  assert.equal((await kinora.balance(ann)).available, 100)
  assert.equal(await usesOf(id), 1)
})

test('404, 409: an unknown, an ended, an expired and a used-up code → each says why, and takes nothing', async () => {
  const [ended, expired, usedUp] = [await made(), await made({ days: 1 }), await made()]
  const [ann, bob] = [await user(), await user()]
  assert.equal((await redeem(bob, usedUp.code)).status, 200)
  assert.deepEqual([(await end(ended.id)).status, (await end(ended.id)).status], [200, 200])
  assert.deepEqual(reasonOf(await redeem(ann, 'NO-SUCH-CODE')), [404, 'code_unknown'])
  assert.deepEqual(reasonOf(await redeem(ann, '---')), [404, 'code_unknown'])
  assert.deepEqual(reasonOf(await redeem(ann, ended.code)), [409, 'code_ended'])
  assert.deepEqual(reasonOf(await redeem(ann, usedUp.code)), [409, 'code_used_up'])
  kinora.turnClock(DAY_MS)
  assert.deepEqual(reasonOf(await redeem(ann, expired.code)), [409, 'code_ended'])
  assert.deepEqual(await Promise.all([ended, expired, usedUp].map(({ id }) => usesOf(id))), [0, 0, 1])
  assert.equal((await kinora.balance(ann)).available, 0)
})

test('redeem: 50 users at once for 10 uses → 10 have the credits, 40 are told that it is used up', async () => {
  const { id, code } = await made({ usesMax: 10 })
  const users = await Promise.all(Array.from({ length: 50 }, user))
  const at = { code: code.replaceAll('-', ''), limits: null, requestId: null, collectsOwed: false, now: app.now() }
  const outcomes = await Promise.all(users.map(({ userId }) => creditRedeem(sql, { userId, ...at })))
  assert.equal(outcomes.filter(({ outcome }) => outcome === 'redeemed').length, 10)
  assert.equal(outcomes.filter(({ outcome }) => outcome === 'used_up').length, 40)
  assert.equal(await usesOf(id), 10)
})

test('redeem: one user 20 times at once → one use, one package', async () => {
  const { id, code } = await made({ usesMax: 20 })
  const ann = await user()
  const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(ann, code)))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(answers.filter(({ data }) => !data.replayed).length, 1)
  assert.equal((await kinora.balance(ann)).available, 100)
  assert.equal(await usesOf(id), 1)
})

test('redeem: ended while 20 users redeem it → each who has its credits counts, and no user afterwards', async () => {
  const { id, code } = await made({ usesMax: 20 })
  const users = await Promise.all(Array.from({ length: 20 }, user))
  const [answers] = await Promise.all([Promise.all(users.map((each) => redeem(each, code))), end(id)])
  const redeemed = answers.filter(({ status }) => status === 200).length
  assert.equal(await usesOf(id), redeemed)
  assert.deepEqual(reasonOf(await redeem(await user(), code)), [409, 'code_ended'])
})

test(
  'redeem: the connection dies between the use and its credits → neither; repeated → both',
  notDistributed('the tables of a shard have other names'),
  async () => {
    const { id, code } = await made()
    const ann = await user()
    const other = openDb(kinora.databaseUrl, { connections: 1, name: 'kinora redeem' })
    const attempt = {
      userId: ann.userId,
      code: code.replaceAll('-', ''),
      limits: null,
      requestId: null,
      collectsOwed: false,
    }
    const isKilled = await sql.begin(async (tx) => {
      await tx`lock table kinora.credit_package in share mode`
      const killed = creditRedeem(other, { ...attempt, now: app.now() }).then(
        () => false,
        () => true,
      )
      const terminate = () => sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%credit_redeem%' and datname = current_database()
      `
      await waitFor('a wait in the middle of credit_redeem', async () => (await terminate()).length > 0)
      return await killed
    })
    await other.end()
    assert.ok(isKilled)
    assert.equal(await usesOf(id), 0)
    assert.equal((await redeem(ann, code)).data.replayed, false)
    assert.equal((await kinora.balance(ann)).available, 100)
  },
)

test('409, 400: an own text → as it is but for capitals; one like it, too short or with other characters → refused', async () => {
  const text = `Spring-${randomUUID().slice(0, 8)}`
  assert.equal((await made({ code: text })).code, text.toUpperCase())
  assert.equal((await create({ code: text.replace('-', '') })).status, 409)
  for (const length of [8, 40]) {
    const shortest = randomUUID().replaceAll('-', '').slice(0, length).padEnd(length, 'X')
    assert.equal((await create({ code: shortest })).status, 200)
  }
  for (const code of ['SHORT-12', 'with space 12', 'GRÜSSE-2026', 'X'.repeat(41), '--------'])
    assert.equal((await create({ code })).status, 400, code)
  for (const change of [{ credits: 0 }, { usesMax: 0 }, { days: 0 }, { creditDays: 3651 }])
    assert.equal((await create(change)).status, 400)
})

test('200: the list → newest first, with uses and states, by pages; 403, 404: of others, and of no code', async () => {
  const [older, newer] = [await made({ usesMax: 3 }), await made({ note: 'one' })]
  await redeem(await user(), newer.code)
  await end(older.id)
  type Page = {
    codes: { id: string; state: string; uses: number; note: string | null }[]
    nextCursor: string | null
  }
  const read = (query: string) => kinora.call<Page>('GET', `/api/v1/admin/codes?${query}`, { as: root })
  const { data } = await read('pageSize=1')
  assert.partialDeepStrictEqual(data.codes, [{ id: newer.id, state: 'used_up', uses: 1, note: 'one' }])
  const next = await read(`pageSize=1&cursor=${data.nextCursor}`)
  assert.partialDeepStrictEqual(next.data.codes, [{ id: older.id, state: 'ended', uses: 0, note: null }])
  const ann = await user()
  assert.equal((await create({}, ann)).status, 403)
  assert.equal((await kinora.call('GET', '/api/v1/admin/codes', { as: ann })).status, 403)
  assert.equal((await end(randomUUID())).status, 404)
  assert.equal((await end('x')).status, 404)
})

test('429: 21 wrong codes of one user within an hour → refused, also a right one; those that are accepted do not count', async () => {
  await kinora.withSettings({ rateLimits: true }, async (url) => {
    const attempt = async ({ token }: Person, code: string, address: string) => {
      const response = await fetch(`${url}/api/v1/credit/redeem`, {
        method: 'POST',
        headers: {
          ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
          ...{ 'x-forwarded-for': address },
        },
        body: JSON.stringify({ code }),
      })
      await response.arrayBuffer()
      return response.status
    }
    const [ann, { code }] = [await user(), await made({ usesMax: 100 })]
    for (let i = 0; i < 25; i += 1) assert.equal(await attempt(ann, code, '192.0.2.1'), 200)
    for (let i = 0; i < 20; i += 1) assert.equal(await attempt(ann, `WRONG-${1000 + i}`, '192.0.2.1'), 404)
    assert.equal(await attempt(ann, code, '192.0.2.1'), 429)
    // Of the address, too.
    assert.equal(await attempt(await user(), code, '192.0.2.1'), 429)
  })
})

test('redeem: accepted and repeated → each is one of the requests of the user', async () => {
  await kinora.withSettings({ rateLimits: true }, async (url) => {
    const [ann, { code }] = [await user(), await made()]
    const headers = { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' }
    const remaining = async () => {
      const response = await fetch(`${url}/api/v1/credit/balance`, { headers })
      await response.arrayBuffer()
      return Number(response.headers.get('x-ratelimit-remaining'))
    }
    const before = await remaining()
    for (const _again of [1, 2]) {
      const body = JSON.stringify({ code })
      const response = await fetch(`${url}/api/v1/credit/redeem`, { method: 'POST', headers, body })
      await response.arrayBuffer()
      assert.equal(response.status, 200)
    }
    assert.equal(await remaining(), before - 3)
  })
})

test('kinora codes: made, listed, ended → as by the API, with the service as the actor; a mistake → status 2', async () => {
  const { status, output } = await runCommand(kinora, [
    ...['codes', '--credits', '30', '--uses', '5', '--new-customers', '--per-network', '3', '--note', 'fair'],
  ])
  assert.equal(status, 0, output)
  const code = /^(\w{4}-\w{4}-\w{4}-\w{4})$/m.exec(output)?.[1] ?? assert.fail(output)
  assert.equal((await redeem(await user(), code)).data.credits, 30)
  const list = await runCommand(kinora, ['codes'])
  const line = new RegExp(
    `^(\\S+) ${code} open, 30 credits, 1 of 5 uses, until \\S+, new customers, 3 of a network, fair$`,
    'm',
  )
  const [, id = ''] = line.exec(list.output) ?? assert.fail(list.output)
  assert.equal((await runCommand(kinora, ['codes', '--end', id])).status, 0)
  assert.deepEqual(reasonOf(await redeem(await user(), code)), [409, 'code_ended'])
  assert.equal((await runCommand(kinora, ['codes', '--end', randomUUID()])).status, 1)
  assert.equal((await runCommand(kinora, ['codes', '--credits', '0'])).status, 2)
  assert.equal((await runCommand(kinora, ['codes', '--code', 'SPRING-2027'])).status, 2)
  assert.equal((await runCommand(kinora, ['codes', '--credits', '5', '--code', 'SHORT'])).status, 1)
})

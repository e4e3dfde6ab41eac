/**
 * Redemption codes are for a person, not for a row of an account: once for each mailbox, as often as a code allows for
 * each network, for new customers where it says so; and their credits, as those of an invitation, stay with the person.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { creditAdjust } from '../../src/credit/ledger.ts'
import { newId } from '../../src/id.ts'
import { sweepOldRows } from '../../src/worker/retention.ts'
import { openAccounts } from '../support/account-fixture.ts'
import { notDistributed } from '../support/citus/database.ts'
import type { Person } from '../support/harness.ts'
import { deliverAll } from '../support/payment/payment-delivery.ts'
import { eventB, sessionB } from '../support/payment/payment-events.ts'

const { kinora, register, deleteAccount } = await openAccounts({ TRUST_PROXY: 'on' })
const { app } = kinora
const { sql } = app
const root = await kinora.person({ role: 'admin', credits: 0 })

type Made = { id: string; code: string }
const made = async (body: object = {}) =>
  (await kinora.call<Made>('POST', '/api/v1/admin/codes', { as: root, body: { credits: 500, usesMax: 9, ...body } }))
    .data
/** The status, and why it was refused. */
async function redeem(
  as: Person,
  code: string,
  headers: Record<string, string> = {},
): Promise<[number, string | null]> {
  const answer = await kinora.call('POST', '/api/v1/credit/redeem', { as, body: { code }, headers })
  return [answer.status, (answer.error?.details as { reason: string } | undefined)?.reason ?? null]
}
const mailbox = () => `m${randomUUID().replaceAll('-', '').slice(0, 12)}`
const leave = async (person: Person) => assert.equal((await deleteAccount(person)).status, 200)
/** How often the code was redeemed, by its own count and by those of its persons and networks. */
async function usesOf(id: string): Promise<number[]> {
  const rows = await sql<{ uses: number }[]>`
    select uses from kinora.redemption_code where id = ${id}
    union all
    (select uses from kinora.redemption_mark where code_id = ${id} order by uses, hash)
  `
  return rows.map(({ uses }) => uses)
}
const buyPack = ({ userId }: Person) =>
  deliverAll(kinora, 'payment-b', eventB('checkout.session.completed', sessionB(userId)))
const teamOf = async (owner: Person) =>
  (await kinora.call<{ id: string }>('POST', '/api/v1/team', { as: owner, body: { name: 'North' } })).data.id

test('409: the mailbox has redeemed it, with an account that was deleted or a variant of the address → refused, and takes no use', async () => {
  const { id, code } = await made()
  const name = mailbox()
  const ann = await register({ email: `${name}@gmail.com` })
  assert.deepEqual(await redeem(ann, code), [200, null])
  assert.deepEqual(await redeem(await register({ email: `${name}+2@googlemail.com` }), code), [409, 'code_person_used'])
  await leave(ann)
  const again = await register({ email: `${name}@gmail.com` })
  const { available } = await kinora.balance(again)
  assert.deepEqual(await redeem(again, code), [409, 'code_person_used'])
  assert.equal((await kinora.balance(again)).available, available)
  assert.deepEqual(await usesOf(id), [1, 1])
})

test('redeem: 6 accounts of one mailbox at once → one has the credits', async () => {
  const { id, code } = await made()
  const name = mailbox()
  const people = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => register({ email: `${name}+${n}@gmail.com` })))
  const answers = await Promise.all(people.map((each) => redeem(each, code)))
  assert.deepEqual(answers.map(([status]) => status).sort(), [200, 409, 409, 409, 409, 409])
  assert.deepEqual(await usesOf(id), [1, 1])
})

test('409: a code for two users of a network → the third is refused, and another network has its own', async () => {
  const { id, code } = await made({ networkMax: 2 })
  const people = await Promise.all([1, 2, 3].map(() => kinora.person({ credits: 0 })))
  const from = (n: number, ip: string) => redeem(people[n] ?? assert.fail(), code, { 'x-forwarded-for': ip })
  assert.deepEqual(await from(0, '198.51.100.1'), [200, null])
  assert.deepEqual(await from(1, '198.51.100.77'), [200, null])
  assert.deepEqual(await from(2, '198.51.100.3'), [409, 'code_network_limit'])
  assert.deepEqual(await from(2, '203.0.113.1'), [200, null])
  assert.deepEqual(await usesOf(id), [3, 1, 1, 1, 1, 2])
})

test('409: a code for new customers → refused after a payment, also to a new account of the mailbox; before it, it is replayed for ever', async () => {
  const { id, code } = await made({ newCustomers: true })
  const name = mailbox()
  const ann = await register({ email: `${name}@gmail.com` })
  await buyPack(ann)
  assert.deepEqual(await redeem(ann, code), [409, 'code_not_new'])
  await leave(ann)
  assert.deepEqual(await redeem(await register({ email: `${name}+x@gmail.com` }), code), [409, 'code_not_new'])
  const bob = await kinora.person({ credits: 0 })
  assert.deepEqual(await redeem(bob, code), [200, null])
  await buyPack(bob)
  assert.deepEqual(await redeem(bob, code), [200, null])
  assert.deepEqual(await usesOf(id), [1, 1])
})

test(
  '409: credits of a code and of an invitation → cannot be moved into a team; an administrator’s can',
  notDistributed('no credits move between two shards'),
  async () => {
    const ann = await kinora.person({ credits: 0 })
    const team = await teamOf(ann)
    const move = () =>
      kinora.call<{ credits: number }>('POST', '/api/v1/team/credits', {
        as: ann,
        body: { credits: 5 },
        headers: { 'x-team': team },
      })
    assert.deepEqual(await redeem(ann, (await made()).code), [200, null])
    const invitation = newId(app.now())
    const terms = { credits: 40, replacesGift: false, expiresAt: new Date(Date.now() + 86_400_000) }
    await sql`
      select kinora.invitation_create(
        p_id => ${invitation}, p_token_hash => ${Buffer.from(invitation)}, p_email => null, p_credits => ${terms.credits},
        p_replaces_gift => ${terms.replacesGift}, p_expires_at => ${terms.expiresAt}, p_actor_id => ${root.userId},
        p_request_id => null, p_now => ${app.now()}
      )
    `
    await sql`update kinora.invitation set used_at = ${app.now()}, used_by = ${ann.userId} where id = ${invitation}`
    await creditAdjust(sql, {
      ...{ userId: ann.userId, packageId: invitation, credits: 40, expiresAt: terms.expiresAt, now: app.now() },
      ...{ remark: 'Invitation', adminId: root.userId, idempotency: null, source: `invitation:${invitation}` },
    })
    assert.equal((await kinora.balance(ann)).available, 540)
    assert.equal((await move()).status, 409)
    await kinora.grant(ann, 5)
    assert.equal((await move()).status, 200)
    assert.equal((await kinora.balance(ann)).available, 540)
  },
)

test('403: redeemed for a team → refused, because a code is for a person', async () => {
  const ann = await kinora.person({ credits: 0 })
  const { code } = await made()
  assert.equal((await redeem(ann, code, { 'x-team': await teamOf(ann) }))[0], 403)
})

test('retention: a code has ended → what it had of persons and networks is removed; that of an open one stays', async () => {
  const [open, ended] = [await made(), await made()]
  for (const { code } of [open, ended])
    assert.deepEqual(await redeem(await kinora.person({ credits: 0 }), code), [200, null])
  await kinora.call('DELETE', `/api/v1/admin/codes/${ended.id}`, { as: root })
  await sweepOldRows(app)
  assert.deepEqual([await usesOf(open.id), await usesOf(ended.id)], [[1, 1], [1]])
})

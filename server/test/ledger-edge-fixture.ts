/**
 * Fixture: a user's ledger with payments, a subscription's charges, refunds, a dispute that was given back, an administrator's
 * corrections and a video with an idempotency key; each made by the functions that the service calls.
 */
import type { Sql } from '../src/db.ts'
import { videoGenerate } from '../src/video/transitions.ts'
import { idOf } from './ledger-fixture.ts'
import { newVideo } from './video-row.ts'

export const [BOB, ROOT, OTHER] = [idOf(101), idOf(102), idOf(103)]
export const [GIFT, GRANT, EXPIRED, VIDEO, SHORT] = [idOf(111), idOf(112), idOf(113), idOf(121), idOf(114)]
const at = (hours: number) => new Date(Date.UTC(2035, 0, 1, hours))
const YEAR = 8766

export async function writeEdgeFixture(sql: Sql): Promise<void> {
  await sql`select kinora.credit_grant_gift(${BOB}, ${GIFT}, 60, ${at(YEAR)}, ${at(0)})`
  const adjust = (id: string, credits: number, end: Date, key: string | null) => sql`
    select kinora.credit_adjust(${BOB}, ${id}, ${credits}, ${end}, ${at(0)}, 'sorry', ${ROOT}, ${key}, 'hash')
  `
  await adjust(GRANT, 40, at(YEAR), 'key-1')
  await adjust(EXPIRED, 30, at(2), null)
  await adjust(SHORT, 40, at(5), null)
  await sql`select kinora.credit_lock(${BOB}, ${at(3)})`
  await sql`
    select kinora.credit_reverse_expiry(${BOB}, ${EXPIRED}, ${at(YEAR)}, ${at(3)}, 'wrong clock', ${ROOT}, null, 'hash')
  `
  await sql`select kinora.credit_take(${BOB}, 12, ${at(4)}, 'by mistake', ${ROOT}, null, 'hash')`

  const pack = {
    do: 'grant',
    source: 'payment-b:cs_1',
    transType: 'ORDER_PAY',
    credits: 100,
    validFrom: at(4),
    expiresAt: at(YEAR),
    orderNo: 'cs_1',
    remark: 'Starter',
    paid: 1000,
  }
  await receive(sql, 'payment-b', 'evt_1', [pack, { do: 'link', ids: ['pi_1'], source: pack.source }])
  await receive(sql, 'payment-b', 'evt_2', [{ do: 'claw_back', key: 're_1', ids: ['pi_1'], part: 0.25 }])
  const dispute = { do: 'claw_back', key: 'dp_1', ids: ['pi_1'], amount: 500 }
  await receive(sql, 'payment-b', 'evt_3', [dispute])
  await receive(sql, 'payment-b', 'evt_4', [{ ...dispute, state: 'given_back' }])

  const charge = {
    do: 'charge',
    subscription: 'sub_1',
    period: 'payment-a:sub_1:2035-01-01T00:00:00',
    periodStart: at(0),
    expiresAt: at(720),
    remark: 'Plan',
    evidence: 0,
    paid: 900,
  }
  const upgrade = { transaction: 'tran_2', source: 'payment-a:tran_2', credits: 960, chargedAt: at(360), sortKey: '2' }
  const first = { transaction: 'tran_1', source: 'payment-a:tran_1', credits: 280, chargedAt: at(1), sortKey: '1' }
  // The later transaction first: what it got too much is claimed back when the earlier one becomes known.
  await receive(sql, 'payment-a', 'event_2', [{ ...charge, ...upgrade }])
  await receive(sql, 'payment-a', 'event_1', [{ ...charge, ...first }])

  const idempotency = { key: 'key-2', requestHash: Buffer.from('hash') }
  await videoGenerate(sql, newVideo({ userId: BOB, videoId: VIDEO, now: at(4), idempotency }))
  await sql`select kinora.credit_lock(${BOB}, ${at(6)})`
}

async function receive(sql: Sql, processor: string, id: string, effects: object[]): Promise<void> {
  const text = JSON.stringify(effects)
  const [row] = await sql`
    select kinora.payment_receive(
      ${BOB}, kinora.uuid_v7(${at(4)}), ${processor}, ${id}, 'a.type', null, '{}', (${text}::text)::jsonb, 'ignored', null,
      '{}', ${at(4)}
    ) as outcome
  `
  if (row?.outcome !== 'applied') throw new Error(`${id} is ${row?.outcome}`)
}

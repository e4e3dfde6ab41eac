/**
 * Fixture: a user's ledger with payments, a subscription's charges, refunds, a dispute that was given back, an administrator's
 * corrections, what was owed, and a video with an idempotency key; each made by the functions that the service calls.
 */
import { creditReverseExpiry, creditSettleOwed, creditTake } from '../../../src/credit/correction.ts'
import { creditGrantGift } from '../../../src/credit/gift.ts'
import { creditAdjust, creditLock } from '../../../src/credit/ledger.ts'
import type { Sql } from '../../../src/db/db.ts'
import { videoGenerate } from '../../../src/video/transitions.ts'
import { newVideo } from '../video-row.ts'
import { idOf } from './ledger-fixture.ts'

export const [BOB, ROOT, OTHER] = [idOf(101), idOf(102), idOf(103)]
export const [GIFT, GRANT, EXPIRED, VIDEO, SHORT] = [idOf(111), idOf(112), idOf(113), idOf(121), idOf(114)]
export const OWED_VIDEO = idOf(141)
const at = (hours: number) => new Date(Date.UTC(2035, 0, 1, hours))
const YEAR = 8766

export async function writeEdgeFixture(sql: Sql): Promise<void> {
  await creditGrantGift(sql, { userId: BOB, packageId: GIFT, credits: 60, expiresAt: at(YEAR), now: at(0) })
  const requestHash = Buffer.from('hash')
  const adjust = (packageId: string, credits: number, expiresAt: Date, key: string | null) => {
    const idempotency = key === null ? null : { key, requestHash }
    const facts = { userId: BOB, adminId: ROOT, remark: 'sorry', now: at(0), idempotency }
    return creditAdjust(sql, { packageId, credits, expiresAt, ...facts })
  }
  await adjust(GRANT, 40, at(YEAR), 'key-1')
  await adjust(EXPIRED, 30, at(2), null)
  await adjust(SHORT, 40, at(5), null)
  await creditLock(sql, { userId: BOB, now: at(3) })
  const correction = { userId: BOB, adminId: ROOT, requestId: null, isDryRun: false, idempotency: null }
  const expired = { packageId: EXPIRED, expiresAt: at(YEAR), reason: 'wrong clock', now: at(3) }
  await creditReverseExpiry(sql, { ...correction, ...expired })
  await creditTake(sql, { ...correction, credits: 12, reason: 'by mistake', now: at(4) })

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
  // Two packages for one transaction, because a better event names a dearer plan, and a refund of both.
  const other = {
    ...charge,
    subscription: 'sub_2',
    period: 'payment-a:sub_2:2035-01-01T00:00:00',
    chargedAt: at(1),
    sortKey: '3',
  }
  const third = { ...other, transaction: 'tran_3', source: 'payment-a:tran_3' }
  await receive(sql, 'payment-a', 'event_3', [{ ...third, credits: 100, evidence: 1 }])
  await receive(sql, 'payment-a', 'event_4', [{ ...third, credits: 150 }])
  await receive(sql, 'payment-a', 'event_5', [{ do: 'claw_back', key: 'adj_3', ids: ['tran_3'], part: 0.5 }])

  // Refunded while a film has it on hold; a part is paid by the other packages, and a part forgiven.
  const soon = new Date(at(5).getTime() - 1)
  const owing = { ...pack, source: 'payment-b:cs_owed', credits: 16, expiresAt: soon, orderNo: 'cs_owed', paid: 160 }
  await receive(sql, 'payment-b', 'evt_owed', [owing, { do: 'link', ids: ['pi_owed'], source: owing.source }])
  await videoGenerate(sql, newVideo({ userId: BOB, videoId: OWED_VIDEO, now: at(4) }))
  await receive(sql, 'payment-b', 'evt_owed_2', [{ do: 'claw_back', key: 're_owed', ids: ['pi_owed'], part: 1 }])
  const settlement = { ...correction, reason: 'agreed', now: at(4) }
  await creditSettleOwed(sql, { ...settlement, credits: 4, forgives: false })
  await creditSettleOwed(sql, { ...settlement, credits: 2, forgives: true })

  const idempotency = { key: 'key-2', requestHash }
  await videoGenerate(sql, newVideo({ userId: BOB, videoId: VIDEO, now: at(4), idempotency }))
  await creditLock(sql, { userId: BOB, now: at(6) })
}

/** Not by the typed function (payment/event-store.ts): that one finds the user by the row of the account, and BOB has none. */
async function receive(sql: Sql, processor: string, id: string, effects: object[]): Promise<void> {
  const text = JSON.stringify(effects)
  const [row] = await sql`
    select kinora.payment_receive(
      p_user_id => ${BOB}, p_id => kinora.uuid_v7(${at(4)}), p_processor => ${processor}, p_external_id => ${id},
      p_type => 'a.type', p_named => null, p_refs => '{}', p_effects => ${text}::text::jsonb, p_state => 'ignored',
      p_reason => null, p_body => '{}', p_now => ${at(4)}
    ) as outcome
  `
  if (row?.outcome !== 'applied') throw new Error(`${id} is ${row?.outcome}`)
}

/**
 * Fixture: a user's ledger with payments, a plan change, refunds, a dispute that was given back, an administrator's
 * corrections, what was owed, a redeemed code, and a video with an idempotency key; each made by the functions that the
 * service calls.
 */
import { creditReverseExpiry, creditSettleOwed, creditTake } from '../../../src/credit/correction.ts'
import { creditGrantGift } from '../../../src/credit/gift.ts'
import { creditAdjust, creditLock } from '../../../src/credit/ledger.ts'
import { creditRedeem } from '../../../src/credit/redemption.ts'
import { creditTransfer } from '../../../src/credit/transfer.ts'
import type { Sql } from '../../../src/db/db.ts'
import { teamIdOf } from '../../../src/id.ts'
import { videoGenerate } from '../../../src/video/transitions.ts'
import { newVideo } from '../video-row.ts'
import { claimRefund, creditGrant } from './ledger-calls.ts'
import { idOf } from './ledger-fixture.ts'

export const [BOB, ROOT, OTHER] = [idOf(101), idOf(102), idOf(103)]
/** What the team of a corruption has for its id. */
export const TEAM = teamIdOf(idOf(104))
/** Who has paid what a team has used that is deleted. */
export const PAYER = idOf(105)
export const DELETED_TEAM = teamIdOf(idOf(106))
export const [GIFT, GRANT, EXPIRED, VIDEO, SHORT] = [idOf(111), idOf(112), idOf(113), idOf(121), idOf(114)]
export const OWED_VIDEO = idOf(141)
export const CODE = idOf(151)
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

  const payment = (source: string, credits: number, value: number, change: object) => ({
    do: 'payment',
    source,
    part: '',
    chain: source,
    trans_type: source.startsWith('payment-b') ? 'ORDER_PAY' : 'SUBSCRIPTION',
    order_no: source.slice(10),
    remark: 'Starter',
    currency: 'USD',
    credits,
    cap: 1000,
    value,
    total: value,
    paid: value,
    covered: 0,
    seq: '',
    rest: 0,
    low: credits / value,
    high: credits / value,
    at: at(4),
    valid_from: at(4),
    expires_at: at(YEAR),
    sort_key: '2',
    ...change,
  })
  const returned = (key: string, id: string, amount: number, change: object = {}) => ({
    do: 'return',
    key,
    kind: 'refund',
    charge: id,
    ids: [id],
    amounts: { USD: amount },
    share: 1,
    state: 'taken',
    sort_key: '1',
    ...change,
  })
  const link = (id: string, source: string) => ({ do: 'link', ids: [id], source })
  const pack = payment('payment-b:cs_1', 100, 1000, {})
  await receive(sql, 'payment-b', 'evt_1', [link('pi_1', pack.source), pack])
  await receive(sql, 'payment-b', 'evt_2', [returned('re_1', 'pi_1', 250)])
  const price = { do: 'price', sold_as: 'price_starter', cents: 1000, currency: 'USD', credits: 100 }
  await receive(sql, 'payment-b', 'evt_price', [price])
  const dispute = (change: object) => returned('dp_1', 'pi_1', 500, { kind: 'dispute', ...change })
  await receive(sql, 'payment-b', 'evt_3', [dispute({})])
  await receive(sql, 'payment-b', 'evt_4', [dispute({ amounts: { USD: 0 }, state: 'given back', sort_key: '2' })])

  // The change to a plan with fewer credits for the money first: what it got too much is claimed back when the earlier
  // plan is known.
  const change = payment('payment-a:tran_2', 65, 191, { chain: 'sub_1:USD', at: at(5), rest: 799 })
  const first = payment('payment-a:tran_1', 285, 799, { chain: 'sub_1:USD' })
  await receive(sql, 'payment-a', 'event_2', [link('tran_2', change.source), change])
  await receive(sql, 'payment-a', 'event_1', [link('tran_1', first.source), first])
  // Two packages for one payment, because an earlier event names a dearer plan, and a refund of both.
  const third = payment('payment-a:tran_3', 100, 1000, { chain: 'sub_2:USD' })
  await receive(sql, 'payment-a', 'event_3', [link('tran_3', third.source), third])
  await receive(sql, 'payment-a', 'event_4', [{ ...third, credits: 150, high: 0.15, low: 0.15, sort_key: '1' }])
  await receive(sql, 'payment-a', 'event_5', [returned('adj_3', 'tran_3', 500)])

  // Refunded while a film has it on hold; a part is paid by the other packages, and a part forgiven.
  const soon = new Date(at(5).getTime() - 1)
  const owing = payment('payment-b:cs_owed', 16, 160, { valid_from: at(3), at: at(3), expires_at: soon })
  await receive(sql, 'payment-b', 'evt_owed', [link('pi_owed', owing.source), owing])
  await videoGenerate(sql, newVideo({ userId: BOB, videoId: OWED_VIDEO, now: at(4) }))
  await receive(sql, 'payment-b', 'evt_owed_2', [returned('re_owed', 'pi_owed', 160)])
  const settlement = { ...correction, reason: 'agreed', now: at(4) }
  await creditSettleOwed(sql, { ...settlement, credits: 4, forgives: false })
  await creditSettleOwed(sql, { ...settlement, credits: 2, forgives: true })

  await sql`
    select kinora.code_create(
      p_id => ${CODE}, p_code => 'A-CODE-1', p_credits => 20, p_credit_days => 300, p_uses_max => 9, p_new_customers => false,
      p_network_max => null, p_note => null,
      p_expires_at => ${at(YEAR)}, p_actor_id => ${ROOT}, p_request_id => null, p_now => ${at(4)}
    )
  `
  await creditRedeem(sql, {
    userId: BOB,
    code: 'ACODE1',
    limits: null,
    requestId: null,
    collectsOwed: false,
    now: at(4),
  })

  const idempotency = { key: 'key-2', requestHash }
  await videoGenerate(sql, newVideo({ userId: BOB, videoId: VIDEO, now: at(4), idempotency }))
  await creditLock(sql, { userId: BOB, now: at(6) })
}

/** A user moves 20 bought credits into a team, which spends 16; the payment is returned, the team deleted. */
export async function writeDebtFixture(sql: Sql): Promise<void> {
  const team = { id: DELETED_TEAM, name: 'North', createdAt: at(0) }
  await sql`insert into kinora.team ${sql(team)}`
  await sql`insert into kinora.team_member ${sql({ teamId: team.id, userId: PAYER, role: 'owner', createdAt: at(0) })}`
  const order = { source: 'x', transType: 'ORDER_PAY', orderNo: null, remark: null, credits: 20 }
  await creditGrant(sql, { userId: PAYER, packageId: PAYER, ...order, expiresAt: at(YEAR), now: at(0) })
  const transfer = { userId: PAYER, teamId: team.id, transferId: idOf(161), credits: 20, collectsOwed: false }
  await creditTransfer(sql, { ...transfer, idempotency: null, now: at(1) })
  await videoGenerate(sql, newVideo({ userId: team.id, videoId: idOf(162), now: at(2) }))
  // Otherwise the deletion cancels it.
  const submit = JSON.stringify([{ step: 'begin_submit', user_id: team.id, id: idOf(162) }])
  await sql`select kinora.video_apply(p_steps => ${submit}::text::jsonb, p_now => ${at(2)})`
  await claimRefund(sql, { userId: PAYER, source: 'x', key: 're_9', part: 1, now: at(3) })
  await sql`
    select kinora.team_delete(
      p_team_id => ${team.id}, p_actor_id => ${PAYER}, p_email_hash => 'hash', p_request_id => null, p_reason => null, p_owed => 16,
      p_now => ${at(4)}
    )
  `
  await sql`select kinora.account_clear(p_user_id => ${team.id}, p_cancel_error => '', p_grace => '1 day', p_now => ${at(4)})`
  await sql`select kinora.team_pass_on_owed(p_team_id => ${team.id}, p_now => ${at(4)})`
  await sql`update kinora.deleted_account set unfinished = null where user_id = ${team.id}`
}

/** Not by the typed function (payment/events.ts): it finds the user by the row of the account, and BOB has none. */
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

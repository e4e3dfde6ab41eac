/**
 * Forgeries of the sources of credits: SQL that an intruder with the database's password runs, beside SQL that the
 * service runs for the same end. On the rows of ledger-edge-fixture.ts.
 */
import { randomUUID } from 'node:crypto'
import type { Functions } from '../../../src/db/bindings.ts'
import { BOB, CODE, DELETED_TEAM, GIFT, GRANT, OTHER, PAYER, ROOT, TEAM } from './ledger-edge-fixture.ts'

/** `rules`: exactly those that verify() must report. `setUp`: what both begin with, as the service does it. */
export type Forgery = { name: string; setUp?: string; forged: string; honest: string; rules: string[] }

const NOW = '2035-01-01T04:00Z'
const AT = `'${NOW}'`
const YEAR_LATER = '2036-01-01'
/** Returns the statement that calls a function at NOW. */
const calling = <N extends keyof Functions>(
  name: N,
  parameters: { [P in keyof Functions[N]['args']]?: string | number | boolean },
) => {
  const named = Object.entries({ now: NOW, ...parameters }).map(
    ([parameter, value]) =>
      `p_${parameter.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} => ${typeof value === 'string' ? `'${value}'` : value}`,
  )
  return `select ${name}(${named.join(', ')});`
}
const claim = (userId: string, source: string, parts: object) =>
  calling('credit_claim_refund', { userId, source, parts: JSON.stringify(parts) })

const SECOND = `'A-CODE-2', 20, 300`
const makeCode = (usesMax = 9) =>
  calling('code_create', {
    ...{ id: OTHER, code: 'A-CODE-2', credits: 20, creditDays: 300, usesMax, newCustomers: false },
    ...{ expiresAt: YEAR_LATER, actorId: ROOT },
  })
const REDEEM = calling('credit_redeem', { userId: BOB, code: 'ACODE2', packageId: TEAM })
const END = calling('code_end', { id: CODE, actorId: ROOT })
const adjust = (userId: string, packageId: string, credits: number, remark: string, source?: string) =>
  calling('credit_adjust', {
    ...{ userId, packageId, credits, expiresAt: YEAR_LATER, remark, adminId: ROOT },
    ...(source !== undefined && { source }),
  })
const ofCodes: Forgery[] = [
  {
    name: 'a code that no administrator made, and its redemption',
    forged: `insert into redemption_code (id, code, credits, credit_days, uses_max, new_customers, actor_id, created_at, expires_at)
             values ('${OTHER}', ${SECOND}, 9, false, '${ROOT}', ${AT}, '2036-01-01'); ${REDEEM}`,
    honest: `${makeCode()} ${REDEEM}`,
    rules: ['a code is as the audit log says'],
  },
  {
    name: 'a code: more uses than it was made for',
    setUp: makeCode(),
    forged: `update redemption_code set uses_max = 99 where id = '${OTHER}'`,
    honest: REDEEM,
    rules: ['a code is as the audit log says'],
  },
  {
    name: 'a code: more credits, and for a longer time, then as before',
    setUp: makeCode(),
    forged: `update redemption_code set credits = 900, expires_at = '2040-01-01' where id = '${OTHER}'; ${REDEEM}
             update redemption_code set credits = 20, expires_at = '2036-01-01' where id = '${OTHER}'`,
    honest: REDEEM,
    rules: ['a redeemed code has brought its credits'],
  },
  {
    name: 'a code: its end removed',
    setUp: END,
    forged: `update redemption_code set ended_at = null`,
    honest: END,
    rules: ['a code has ended as the audit log says'],
  },
  {
    name: 'a code: the entry of its making deleted',
    forged: `delete from audit where action = 'code.create'`,
    honest: END,
    rules: ['a code is as the audit log says'],
  },
  {
    name: 'a redemption removed, and the uses lowered',
    forged: `delete from redemption; update redemption_code set uses = 0`,
    honest: `delete from redemption_mark`,
    rules: ['a redeemed code has brought its credits'],
  },
  {
    name: 'credits of a code that the user has not redeemed',
    setUp: makeCode(),
    forged: adjust(BOB, TEAM, 20, 'Code A-CODE-2', `code:${OTHER}`),
    honest: REDEEM,
    rules: ['a redeemed code has brought its credits'],
  },
]

const MADE = calling('invitation_create', {
  ...{ id: OTHER, tokenHash: 'hash', credits: 40, replacesGift: false, expiresAt: YEAR_LATER, actorId: ROOT },
})
const invite = `${MADE} update invitation set used_at = ${AT}, used_by = '${BOB}';`
const giveInvited = (credits: number, to = BOB) => adjust(to, OTHER, credits, 'Invitation', `invitation:${OTHER}`)
const INVITED = 'the credits of an invitation are as the audit log says'
const ofInvitations: Forgery[] = [
  {
    name: 'an invitation that no administrator made',
    forged: `insert into invitation (id, token_hash, credits, replaces_gift, actor_id, created_at, expires_at, used_at, used_by)
             values ('${OTHER}', 'hash', 40, false, '${ROOT}', ${AT}, '2036-01-01', ${AT}, '${BOB}'); ${giveInvited(40)}`,
    honest: `${invite} ${giveInvited(40)}`,
    rules: [INVITED],
  },
  {
    name: 'an invitation: more credits than an administrator gave it',
    setUp: invite,
    forged: `update invitation set credits = 400; ${giveInvited(400)}`,
    honest: giveInvited(40),
    rules: [INVITED],
  },
  {
    name: 'an invitation: its credits given to another user',
    setUp: invite,
    forged: giveInvited(40, ROOT),
    honest: giveInvited(40),
    rules: [INVITED],
  },
]

const DISMISSED = `state = 'dismissed', dismissed_at = now(), dismissed_by = '${ROOT}', dismissed_reason = 'x'`
const FORGET = `delete from payment_return where key = 're_1';`
const UNCLAIM = claim(BOB, 'payment-b:cs_1', { re_1: 0 })
/** Without the refund the payment keeps all but what the dispute, which was won, asks for: nothing. */
const KEEP = `update payment set kept = 1 where source = 'payment-b:cs_1';`
const returned = (id: string, key: string, kind: string, state: string, sortKey: number) => {
  const charge = { do: 'return', key, kind, charge: 'pi_1', ids: ['pi_1'], amounts: { USD: 250 }, share: 1 }
  return calling('payment_receive', {
    ...{ userId: BOB, id: randomUUID(), processor: 'payment-b', externalId: id, type: 'a.type', refs: '{}' },
    ...{ effects: JSON.stringify([{ ...charge, state, sort_key: `${sortKey}` }]), state: 'ignored', body: '{}' },
  })
}
const FAILED = returned('evt_failed', 're_1', 'refund', 'failed', 2)
const ofReturns: Forgery[] = [
  ...Object.entries({ 'its event dismissed': DISMISSED, 'its event emptied': `facts = '{}'` }).map(([how, change]) => ({
    name: `an applied refund undone: ${how}, its row deleted, its claim set to 0`,
    forged: `update payment_event set ${change} where external_id = 'evt_2'; ${FORGET} ${UNCLAIM} ${KEEP}`,
    honest: FAILED,
    rules: ['a refund or dispute that took credits is known'],
  })),
  {
    name: 'an applied refund undone: event, row and claim deleted, its credits given back',
    forged: `delete from payment_event where external_id = 'evt_2'; ${FORGET} delete from credit_refund_claim where key = 're_1';
             ${calling('credit_claw_back', { userId: BOB, source: 'payment-b:cs_1' })} ${KEEP}`,
    honest: FAILED,
    rules: ['a refund or dispute that took credits is known'],
  },
  {
    name: 'a credit note whose row is marked as voided',
    setUp: returned('evt_note', 'cn_1', 'credited', 'taken', 1),
    forged: `update payment_return set state = 'given back' where key = 'cn_1';
             ${claim(BOB, 'payment-b:cs_1', { cn_1: 0 })}
             update payment set kept = 0.75 where source = 'payment-b:cs_1'`,
    honest: returned('evt_void', 'cn_1', 'credited', 'given back', 2),
    rules: ['a refund or dispute is as its event brought it'],
  },
  {
    name: 'an applied refund whose row is marked as failed',
    forged: `update payment_return set state = 'failed' where key = 're_1'; ${UNCLAIM} ${KEEP}`,
    honest: FAILED,
    rules: ['a refund or dispute is as its event brought it'],
  },
]

const useToken = `
  insert into key_token (user_id, id, key_id, subject, scopes, budget, created_at, expires_at)
  values ('${BOB}', '${OTHER}', '${ROOT}', 'a visitor', '{generate}', 50, ${AT}, now());
  insert into key_token (user_id, id, key_id, subject, scopes, budget, created_at, expires_at)
  values ('${BOB}', '${TEAM}', '${ROOT}', 'a visitor', '{generate}', 50, ${AT}, now());
  update credit_hold set key_id = '${ROOT}', token_id = '${OTHER}' where id = (select id from credit_hold where state = 'frozen' limit 1);
  select api_key_use(
    array(
      select jsonb_populate_record(
        null::hold_request,
        jsonb_build_object('user_id', user_id, 'hold_id', id, 'credits', credits, 'key_id', key_id, 'token_id', token_id)
      )
      from credit_hold where token_id is not null
    ),
    (select created_at from credit_hold where token_id is not null)
  );`
/** A user with a welcome gift of 10 credits, and a team of the user. */
const GIFTED = `
  ${calling('credit_grant_gift', { userId: OTHER, packageId: OTHER, credits: 10, expiresAt: '2037-01-01' })}
  insert into team (id, name, created_at) values ('${TEAM}', 'North', ${AT});
  insert into team_member (team_id, user_id, role, created_at) values ('${TEAM}', '${OTHER}', 'owner', ${AT});`
const MOVE = calling('credit_transfer', { userId: OTHER, teamId: TEAM, transferId: GIFT, credits: 6 })
const ofUses: Forgery[] = [
  {
    name: 'a browser token: what it has used set back',
    setUp: useToken,
    forged: `update key_token set used = 0 where id = '${OTHER}'`,
    honest: `delete from key_token where id = '${OTHER}'`,
    rules: ['a browser token has used what its holds took'],
  },
  {
    name: 'the gift moved into a team, under another type and source meanwhile',
    setUp: GIFTED,
    forged: `update credit_package set trans_type = 'ORDER_PAY', source = 'x' where id = '${OTHER}'; ${MOVE}
             update credit_package set trans_type = 'NEW_USER' where id = '${OTHER}' or from_package_id = '${OTHER}';
             update credit_package set source = 'new-user' where id = '${OTHER}'`,
    honest: `${adjust(OTHER, GRANT, 6, 'sorry')} ${MOVE}`,
    rules: ['credits for one person stay with the person'],
  },
]

const ofDebts: Forgery[] = [
  {
    name: 'a debt of a deleted team: the payer’s part removed',
    forged: `update credit_package set refund_claimed = 0, assumed = 0 where user_id = '${PAYER}'`,
    honest: claim(PAYER, 'x', { re_9: 0 }),
    rules: ['a payer owes what a deleted team owed', 'refund_claimed is the sum of the refund claims'],
  },
  {
    name: 'a debt of a deleted team: given back to it',
    forged: `update credit_package set refund_claimed = 0, assumed = 0 where user_id = '${PAYER}';
             update credit_package set refund_claimed = 20, passed_on = 0 where user_id = '${DELETED_TEAM}'`,
    honest: claim(PAYER, 'x', { re_9: 0.5 }),
    rules: ['a deleted team owes nothing'],
  },
]

export const forgeries: Forgery[] = [...ofCodes, ...ofInvitations, ...ofReturns, ...ofUses, ...ofDebts]

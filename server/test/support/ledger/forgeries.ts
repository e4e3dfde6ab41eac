/**
 * Forgeries of the sources of credits: SQL that an intruder with the database's password runs, beside SQL that the service runs for the same end.
 * On the rows of ledger-edge-fixture.ts.
 */
import { BOB, CODE, DELETED_TEAM, GIFT, GRANT, OTHER, PAYER, ROOT, TEAM } from './ledger-edge-fixture.ts'

/** `rules`: those that verify() must report of the forgery, and no others. `setUp`: what both begin with, as the service does it. */
export type Forgery = { name: string; setUp?: string; forged: string; honest: string; rules: string[] }

const AT = `'2035-01-01T04:00Z'`
const SECOND = `'A-CODE-2', 20, 300`
const makeCode = (usesMax = 9) =>
  `select code_create('${OTHER}', ${SECOND}, ${usesMax}, false, null, null, '2036-01-01', '${ROOT}', null, ${AT});`
const REDEEM = `select credit_redeem('${BOB}', 'ACODE2', '${TEAM}', ${AT});`
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
    setUp: `select code_end('${CODE}', '${ROOT}', null, ${AT});`,
    forged: `update redemption_code set ended_at = null`,
    honest: `select code_end('${CODE}', '${ROOT}', null, ${AT});`,
    rules: ['a code has ended as the audit log says'],
  },
  {
    name: 'a code: the entry of its making deleted',
    forged: `delete from audit where action = 'code.create'`,
    honest: `select code_end('${CODE}', '${ROOT}', null, ${AT});`,
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
    forged: `select credit_adjust('${BOB}', '${TEAM}', 20, '2036-01-01', ${AT}, 'Code A-CODE-2', '${ROOT}', null, null, p_source => 'code:${OTHER}');`,
    honest: REDEEM,
    rules: ['a redeemed code has brought its credits'],
  },
]

const invite = `select invitation_create('${OTHER}', 'hash', null, 40, false, '2036-01-01', '${ROOT}', null, ${AT});
  update invitation set used_at = ${AT}, used_by = '${BOB}';`
const giveInvited = (credits: number, to = BOB) =>
  `select credit_adjust('${to}', '${OTHER}', ${credits}, '2036-01-01', ${AT}, 'Invitation', '${ROOT}', null, null, p_source => 'invitation:${OTHER}');`
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
const UNCLAIM = `select credit_claim_refund('${BOB}', 'payment-b:cs_1', '{"re_1": 0}', ${AT});`
/** Without the refund the payment keeps all but what the dispute, which was won, asks for: nothing. */
const KEEP = `update payment set kept = 1 where source = 'payment-b:cs_1';`
const returned = (id: string, key: string, kind: string, state: string, sortKey: number) => `
  select payment_receive(
    '${BOB}', uuid_v7(${AT}), 'payment-b', '${id}', 'a.type', null, '{}',
    '[{"do": "return", "key": "${key}", "kind": "${kind}", "charge": "pi_1", "ids": ["pi_1"], "amounts": {"USD": 250}, "share": 1, "state": "${state}", "sort_key": "${sortKey}"}]',
    'ignored', null, '{}', ${AT}
  );`
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
             select credit_claw_back('${BOB}', 'payment-b:cs_1', ${AT}); ${KEEP}`,
    honest: FAILED,
    rules: ['a refund or dispute that took credits is known'],
  },
  {
    name: 'a credit note whose row is marked as voided',
    setUp: returned('evt_note', 'cn_1', 'credited', 'taken', 1),
    forged: `update payment_return set state = 'given back' where key = 'cn_1';
             select credit_claim_refund('${BOB}', 'payment-b:cs_1', '{"cn_1": 0}', ${AT});
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
  select credit_grant_gift('${OTHER}', '${OTHER}', 10, '2037-01-01', ${AT});
  insert into team (id, name, created_at) values ('${TEAM}', 'North', ${AT});
  insert into team_member (team_id, user_id, role, created_at) values ('${TEAM}', '${OTHER}', 'owner', ${AT});`
const MOVE = `select credit_transfer('${OTHER}', '${TEAM}', '${GIFT}', 6, ${AT}, null, null);`
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
    honest: `select credit_adjust('${OTHER}', '${GRANT}', 6, '2036-01-01', ${AT}, 'sorry', '${ROOT}', null, null); ${MOVE}`,
    rules: ['credits for one person stay with the person'],
  },
]

const ofDebts: Forgery[] = [
  {
    name: 'a debt of a deleted team: the payer’s part removed',
    forged: `update credit_package set refund_claimed = 0, assumed = 0 where user_id = '${PAYER}'`,
    honest: `select credit_claim_refund('${PAYER}', 'x', '{"re_9": 0}', '2035-01-05');`,
    rules: ['a payer owes what a deleted team owed', 'refund_claimed is the sum of the refund claims'],
  },
  {
    name: 'a debt of a deleted team: given back to it',
    forged: `update credit_package set refund_claimed = 0, assumed = 0 where user_id = '${PAYER}';
             update credit_package set refund_claimed = 20, passed_on = 0 where user_id = '${DELETED_TEAM}'`,
    honest: `select credit_claim_refund('${PAYER}', 'x', '{"re_9": 0.5}', '2035-01-05');`,
    rules: ['a deleted team owes nothing'],
  },
]

export const forgeries: Forgery[] = [...ofCodes, ...ofInvitations, ...ofReturns, ...ofUses, ...ofDebts]

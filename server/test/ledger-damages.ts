/** Every kind of damage to the books of the example (ledger-example.ts), and what verify() has to say about it. */
import { ANN, DONE, FAILED, GIFT, idOf, LATE, LOST, OPEN, ORDER, SHORT } from './ledger-example.ts'

export type Damage = { name: string; sql: string; found: Record<string, string> }

/** `found`: every rule that must be named, with its subject; no other may be. */
export const damages: Damage[] = [
  {
    name: 'credits out of thin air on the account',
    sql: 'update credit_account set available = available + 1, total = total + 1',
    found: {
      'available is what is left of the packages': 'account',
      'total is what the packages of additions brought': 'account',
      'the history adds up to available': 'account',
    },
  },
  {
    name: 'frozen on the account alone',
    sql: 'alter table credit_account drop constraint total_adds_up; update credit_account set frozen = frozen + 1',
    found: { 'frozen is what the packages hold back': 'account', 'frozen is what the open holds hold': 'account' },
  },
  {
    name: 'used on the account alone',
    sql: 'alter table credit_account drop constraint total_adds_up; update credit_account set used = used - 1',
    found: { 'used is what was used of the packages': 'account', 'used is what was settled': 'account' },
  },
  {
    name: 'expired and clawed back changed places on the account',
    sql: 'update credit_account set expired = expired - 1, clawed_back = clawed_back + 1',
    found: {
      'expired is what expired of the packages': 'account',
      'clawed back is what was taken back of the packages': 'account',
    },
  },
  {
    name: 'an open hold not counted',
    sql: 'update credit_account set open_holds = 0',
    found: { 'open holds are counted': 'account' },
  },
  {
    name: 'the next expiry too late',
    sql: `update credit_account set next_expiry_at = 'infinity'`,
    found: { 'the next expiry is not overlooked': 'account' },
  },
  {
    name: 'a row of history gone from the middle',
    sql: 'delete from credit_transaction where n = 4',
    found: {
      'the history adds up to available': 'account',
      'the history has no gaps': 'account',
      'the history is as long as the account says': 'account',
      'balance after is the sum so far': 'transaction 5',
      'freeze and release are in the history': `video ${LOST}`,
    },
  },
  {
    name: 'the first row under the number 0: as many rows, and the same sum',
    sql: 'update credit_transaction set n = 0 where n = 1',
    found: { 'the history begins with number 1': 'account' },
  },
  {
    name: 'a balance in the history',
    sql: 'update credit_transaction set balance_after = balance_after + 1 where n = 3',
    found: { 'balance after is the sum so far': 'transaction 3' },
  },
  {
    name: 'two wrong rows that add up to right',
    sql: `update credit_transaction set credits = credits + 1, balance_after = balance_after + 1 where n = 4;
          update credit_transaction set credits = credits - 1 where n = 5`,
    found: { 'freeze and release are in the history': `video ${LOST}` },
  },
  {
    name: 'a row that has lost its video',
    sql: `update credit_transaction set video_id = null where trans_type = 'VIDEO_CONSUME' and video_id = '${DONE}'`,
    found: { 'freeze and release are in the history': `video ${DONE}` },
  },
  {
    name: 'both rows of a released hold that have lost their video',
    sql: `update credit_transaction set video_id = null where video_id = '${FAILED}'`,
    found: { 'freeze and release are in the history': `video ${FAILED}` },
  },
  {
    name: 'a row that names a package that never was',
    sql: `update credit_transaction set package_id = '${idOf(99)}' where n = 1`,
    found: { 'addition, expiry and claw-back are in the history': `package ${SHORT}` },
  },
  {
    name: 'one package robbed for another',
    sql: `update credit_package set remaining = remaining - 1, expired = expired + 1 where id = '${ORDER}';
          update credit_package set remaining = remaining + 1, expired = expired - 1 where id = '${LATE}'`,
    found: {
      'addition, expiry and claw-back are in the history': `package ${LATE}`,
      'the next expiry is not overlooked': 'account',
    },
  },
  {
    name: 'a package made larger',
    sql: `update credit_package set initial = initial + 1, remaining = remaining + 1 where id = '${ORDER}'`,
    found: {
      'available is what is left of the packages': 'account',
      'total is what the packages of additions brought': 'account',
      'addition, expiry and claw-back are in the history': `package ${ORDER}`,
    },
  },
  {
    name: 'a package that shows less held and more used',
    sql: `update credit_package set frozen = frozen - 1, used = used + 1 where id = '${GIFT}'`,
    found: {
      'frozen is what the packages hold back': 'account',
      'used is what was used of the packages': 'account',
      'open, settled and moved slices match the package': `package ${GIFT}`,
    },
  },
  {
    name: 'a package gone',
    sql: `delete from credit_package where id = '${ORDER}'`,
    found: {
      'available is what is left of the packages': 'account',
      'total is what the packages of additions brought': 'account',
      'addition, expiry and claw-back are in the history': `package ${ORDER}`,
    },
  },
  {
    name: 'a package of grace that passes for an addition',
    sql: 'update credit_package set parent_id = null where parent_id is not null',
    found: {
      'total is what the packages of additions brought': 'account',
      'open, settled and moved slices match the package': `package ${SHORT}`,
      'addition, expiry and claw-back are in the history': 'package <of grace>',
    },
  },
  {
    name: 'a hold for more than its slices',
    sql: `update credit_hold set credits = credits + 1 where id = '${OPEN}'`,
    found: {
      'frozen is what the open holds hold': 'account',
      'slices add up to the hold': `hold ${OPEN}`,
      'credits follow the status': `video ${OPEN}`,
      'freeze and release are in the history': `video ${OPEN}`,
    },
  },
  {
    name: 'a hold without slices',
    sql: `delete from credit_slice where hold_id = '${FAILED}'`,
    found: { 'slices add up to the hold': `hold ${FAILED}` },
  },
  {
    name: 'slices of a hold that never was',
    sql: `insert into credit_slice values ('${ANN}', '${idOf(99)}', '${GIFT}', 3)`,
    found: { 'slices add up to the hold': `hold ${idOf(99)}` },
  },
  {
    name: 'a slice of a package that never was',
    sql: `update credit_slice set package_id = '${idOf(99)}' where hold_id = '${FAILED}' and credits > 12`,
    found: { 'open, settled and moved slices match the package': `package ${idOf(99)}` },
  },
  {
    name: 'a settled hold that passes for released',
    sql: `update credit_hold set state = 'released' where id = '${DONE}'`,
    found: {
      'used is what was settled': 'account',
      'credits follow the status': `video ${DONE}`,
      'freeze and release are in the history': `video ${DONE}`,
      'open, settled and moved slices match the package': `package ${GIFT}`,
    },
  },
  {
    name: 'a hold gone',
    sql: `delete from credit_slice where hold_id = '${OPEN}'; delete from credit_hold where id = '${OPEN}'`,
    found: {
      'frozen is what the open holds hold': 'account',
      'open holds are counted': 'account',
      'credits follow the status': `video ${OPEN}`,
      'freeze and release are in the history': `video ${OPEN}`,
      'open, settled and moved slices match the package': `package ${GIFT}`,
    },
  },
  {
    name: 'a film that was never paid for',
    sql: `update video set status = 'COMPLETED', video_key = 'k', due_at = null where id = '${OPEN}'`,
    found: { 'credits follow the status': `video ${OPEN}` },
  },
  {
    name: 'a video of another price than was frozen',
    sql: `update video set credits = 15 where id = '${OPEN}'`,
    found: { 'credits follow the status': `video ${OPEN}` },
  },
  {
    name: 'a failed video that is charged',
    sql: `update video set status = 'FAILED', error = 'e', video_key = null where id = '${DONE}'`,
    found: { 'credits follow the status': `video ${DONE}` },
  },
  {
    name: 'a refund that asked for nothing',
    sql: `insert into credit_refund_claim values ('${ANN}', '${ORDER}', 'refund', 0.5, now())`,
    found: { 'what was asked back is what refunds and disputes claim': `package ${ORDER}` },
  },
  {
    name: 'a credit taken back that nobody has asked for, written in the books like any other',
    sql: `update credit_package set remaining = remaining - 1, clawed_back = 1 where id = '${ORDER}';
          with account as (
            update credit_account
            set available = available - 1, clawed_back = clawed_back + 1, transactions = transactions + 1
            returning *
          )
          insert into credit_transaction (
            user_id, n, id, trans_no, trans_type, credits, balance_after, package_id, created_at
          )
          select user_id, transactions, '${idOf(98)}', 'x', 'ORDER_PAY', -1, available, '${ORDER}', now() from account`,
    found: { 'no more is taken back than was asked for': `package ${ORDER}` },
  },
  {
    name: 'an account gone',
    sql: 'delete from credit_account',
    found: {
      'available is what is left of the packages': 'account',
      'frozen is what the packages hold back': 'account',
      'frozen is what the open holds hold': 'account',
      'used is what was used of the packages': 'account',
      'used is what was settled': 'account',
      'expired is what expired of the packages': 'account',
      'clawed back is what was taken back of the packages': 'account',
      'total is what the packages of additions brought': 'account',
      'the history adds up to available': 'account',
      'the history is as long as the account says': 'account',
      'open holds are counted': 'account',
    },
  },
]

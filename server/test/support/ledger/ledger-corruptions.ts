/** Corruptions of the ledger that verify() must report: SQL in a rolled-back transaction, on ledger-fixture.ts. */
import { ANN, DONE, FAILED, GIFT, HOUR_MS, idOf, KEY, LATE, LOST, later, OPEN, ORDER, SHORT } from './ledger-fixture.ts'

/** `found`: the rules that verify() must report, each with its subject, and no others. */
export type Corruption = { name: string; sql: string; found: Record<string, string> }

/** Corruptions of a user's account, of the history and of the counters. */
const accountCorruptions: Corruption[] = [
  {
    name: 'account: available and total one too high',
    sql: 'update credit_account set available = available + 1, total = total + 1',
    found: {
      'available is what is left of the packages': 'account',
      'total is what the packages of additions brought': 'account',
      'the history adds up to available': 'account',
    },
  },
  {
    name: 'account: frozen one too high',
    sql: 'alter table credit_account drop constraint total_adds_up; update credit_account set frozen = frozen + 1',
    found: { 'frozen is what is frozen in the packages': 'account', 'frozen is what the open holds hold': 'account' },
  },
  {
    name: 'account: used one too low',
    sql: 'alter table credit_account drop constraint total_adds_up; update credit_account set used = used - 1',
    found: { 'used is what was used of the packages': 'account', 'used is what was settled': 'account' },
  },
  {
    name: 'account: one credit moved from expired to clawed_back',
    sql: 'update credit_account set expired = expired - 1, clawed_back = clawed_back + 1',
    found: {
      'expired is what expired of the packages': 'account',
      'clawed back is what was clawed back from the packages': 'account',
    },
  },
  {
    name: 'account: a hold more waits',
    sql: 'update credit_account set waiting_holds = 1 where open_holds > 0',
    found: { 'waiting holds are counted': 'account' },
  },
  {
    name: 'account: open_holds is 0',
    sql: 'update credit_account set open_holds = 0',
    found: { 'open holds are counted': 'account' },
  },
  {
    name: 'account: next_expiry_at is too late',
    sql: `update credit_account set next_expiry_at = 'infinity'`,
    found: { 'the next expiry is not overlooked': 'account' },
  },
  {
    name: 'history: a row deleted from the middle',
    sql: 'delete from credit_transaction where n = 4',
    found: {
      'the history adds up to available': 'account',
      'the history has no gaps': 'account',
      'the history is as long as the account says': 'account',
      'balance after is the sum so far': 'transaction 5',
      'a row continues the hash chain': 'transaction 5',
      'freeze and release are in the history': `video ${LOST}`,
    },
  },
  {
    name: 'history: the first row numbered 0',
    sql: 'update credit_transaction set n = 0 where n = 1',
    found: { 'the history begins with number 1': 'account', 'a row continues the hash chain': 'transaction 0' },
  },
  {
    name: 'history: balance_after one too high',
    sql: 'update credit_transaction set balance_after = balance_after + 1 where n = 3',
    found: {
      'balance after is the sum so far': 'transaction 3',
      'a row continues the hash chain': 'transaction 3',
    },
  },
  {
    name: 'history: two rows wrong by opposite amounts',
    sql: `update credit_transaction set credits = credits + 1, balance_after = balance_after + 1 where n = 4;
          update credit_transaction set credits = credits - 1 where n = 5`,
    found: {
      'a row continues the hash chain': 'transaction 4',
      'freeze and release are in the history': `video ${LOST}`,
    },
  },
  {
    name: 'history: a row without its video',
    sql: `update credit_transaction set video_id = null where trans_type = 'VIDEO_CONSUME' and video_id = '${DONE}'`,
    found: {
      'a row continues the hash chain': 'transaction 5',
      'freeze and release are in the history': `video ${DONE}`,
    },
  },
  {
    name: 'history: both rows of a released hold without their video',
    sql: `update credit_transaction set video_id = null where video_id = '${FAILED}'`,
    found: {
      'a row continues the hash chain': 'transaction 6',
      'freeze and release are in the history': `video ${FAILED}`,
    },
  },
  {
    name: 'history: a row that refers to an unknown package',
    sql: `update credit_transaction set package_id = '${idOf(99)}' where n = 1`,
    found: {
      'a row continues the hash chain': 'transaction 1',
      'addition, expiry and claw-back are in the history': `package ${SHORT}`,
    },
  },
  {
    name: 'history: a remark changed',
    sql: `update credit_transaction set remark = 'another' where n = 4`,
    found: { 'a row continues the hash chain': 'transaction 4' },
  },
  {
    name: 'history: the newest row rewritten with a right hash',
    sql: `update credit_transaction set remark = 'another' where n = (select transactions from credit_account);
          with chain as (
            select n, lag(hash) over (order by n) as before from credit_transaction
          )
          update credit_transaction t
          set hash = history_hash(c.before, history_text(t))
          from chain c
          where c.n = t.n and t.n = (select transactions from credit_account)`,
    found: { 'the account has the hash of the newest row': 'account' },
  },
  {
    name: 'history: a hash removed',
    sql: 'update credit_transaction set hash = null where n = 2',
    found: { 'a row continues the hash chain': 'transaction 2' },
  },
  {
    name: 'history: an EXPIRED row before the expiry of its package',
    sql: `update credit_transaction set created_at = '${later(HOUR_MS).toISOString()}' where trans_type = 'EXPIRED'`,
    found: {
      'credits expire when their package does': `package ${LATE}`,
      'a row continues the hash chain': 'transaction',
      'no row is before the row before it': 'transaction',
    },
  },
  {
    name: 'history: written by a clock that was ahead',
    sql: `create or replace function kinora.clock_limit() returns interval language sql stable return interval '2 minutes'`,
    found: {
      'no row is from the future': 'transaction 1',
      'credits expire when their package does': `package ${LATE}`,
    },
  },
  {
    name: 'counter: one video too many',
    sql: `update video_count set videos = videos + 1 where status = 'FAILED'`,
    found: { 'final videos are counted': 'videos delta-1-5 FAILED' },
  },
  {
    name: 'counter: of videos, its row gone',
    sql: `delete from video_count where status = 'COMPLETED'`,
    found: { 'final videos are counted': 'videos delta-1-5 COMPLETED' },
  },
  {
    name: 'counter: one transaction too few',
    sql: `update transaction_count set transactions = transactions - 1 where trans_type = 'ORDER_PAY'`,
    found: { 'transactions are counted': 'transactions ORDER_PAY' },
  },
  {
    name: 'account: deleted',
    sql: 'delete from credit_account',
    found: {
      'available is what is left of the packages': 'account',
      'frozen is what is frozen in the packages': 'account',
      'frozen is what the open holds hold': 'account',
      'used is what was used of the packages': 'account',
      'used is what was settled': 'account',
      'expired is what expired of the packages': 'account',
      'clawed back is what was clawed back from the packages': 'account',
      'total is what the packages of additions brought': 'account',
      'the history adds up to available': 'account',
      'the history is as long as the account says': 'account',
      'open holds are counted': 'account',
    },
  },
]

/** Corruptions of packages and grace packages, of refund claims and of charges. */
const packageCorruptions: Corruption[] = [
  {
    name: 'package: one credit moved from one package to another',
    sql: `update credit_package set remaining = remaining - 1, expired = expired + 1 where id = '${ORDER}';
          update credit_package set remaining = remaining + 1, expired = expired - 1 where id = '${LATE}'`,
    found: {
      'addition, expiry and claw-back are in the history': `package ${LATE}`,
      'the next expiry is not overlooked': 'account',
    },
  },
  {
    name: 'package: initial and remaining one too high',
    sql: `update credit_package set initial = initial + 1, remaining = remaining + 1 where id = '${ORDER}'`,
    found: {
      'available is what is left of the packages': 'account',
      'total is what the packages of additions brought': 'account',
      'addition, expiry and claw-back are in the history': `package ${ORDER}`,
      'a package is as the row of its addition says': `package ${ORDER}`,
    },
  },
  {
    name: 'package: one credit moved from frozen to used',
    sql: `update credit_package set frozen = frozen - 1, used = used + 1 where id = '${GIFT}'`,
    found: {
      'frozen is what is frozen in the packages': 'account',
      'used is what was used of the packages': 'account',
      'open, settled and moved slices match the package': `package ${GIFT}`,
    },
  },
  {
    name: 'package: deleted',
    sql: `delete from credit_package where id = '${ORDER}'`,
    found: {
      'available is what is left of the packages': 'account',
      'total is what the packages of additions brought': 'account',
      'addition, expiry and claw-back are in the history': `package ${ORDER}`,
    },
  },
  {
    name: 'grace package: its parent removed',
    sql: 'update credit_package set parent_id = null where parent_id is not null',
    found: {
      'a grace package is as the row of its release says': 'package <grace>',
      'a grace package has the root and order of its parent': 'package <grace>',
      'the type of a package follows from its source': 'package <grace>',
      'total is what the packages of additions brought': 'account',
      'open, settled and moved slices match the package': `package ${SHORT}`,
      'addition, expiry and claw-back are in the history': 'package <grace>',
    },
  },
  {
    name: 'refund claim: not counted on its package',
    sql: `insert into credit_refund_claim values ('${ANN}', '${ORDER}', 'refund', 0.5, now())`,
    found: { 'refund_claimed is the sum of the refund claims': `package ${ORDER}` },
  },
  {
    name: 'package: a credit clawed back without a refund claim',
    sql: `update credit_package set remaining = remaining - 1, clawed_back = 1 where id = '${ORDER}';
          with account as (
            update credit_account
            set available = available - 1, clawed_back = clawed_back + 1, transactions = transactions + 1
            returning *
          )
          insert into credit_transaction (
            user_id, n, id, trans_no, trans_type, credits, balance_after, package_id, created_at
          )
          select user_id, transactions, '${idOf(98)}', 'x', 'ORDER_PAY', -1, available, '${ORDER}', moved_at from account`,
    found: {
      'a row continues the hash chain': 'transaction',
      'the account has the hash of the newest row': 'account',
      'clawed back is at most refund_claimed': `package ${ORDER}`,
      'the newest row has the number of its account': 'transaction',
      'transactions are counted': 'transactions ORDER_PAY',
    },
  },
  {
    name: 'package: its expiry moved',
    sql: `update credit_package set expires_at = expires_at + interval '1 day' where id = '${ORDER}'`,
    found: { 'a package is as the row of its addition says': `package ${ORDER}` },
  },
  {
    name: 'package: made to be taken before one of the same expiry',
    sql: `update credit_package set created_at = created_at - interval '1 day' where id = '${ORDER}'`,
    found: { 'a package is as the row of its addition says': `package ${ORDER}` },
  },
  {
    name: 'grace package: its source renamed to that of a reversal',
    sql: `update credit_package set source = 'reversal:' || id where parent_id is not null`,
    found: { 'a grace package is as the row of its release says': 'package <grace>' },
  },
  {
    name: 'package: its source renamed',
    sql: `update credit_package set source = 'another' where id = '${ORDER}'`,
    found: { 'a package is as the row of its addition says': `package ${ORDER}` },
  },
  {
    name: 'package: a grant rewritten as a purchase, with its row',
    sql: `update credit_package set trans_type = 'SUBSCRIPTION' where id = '${ORDER}';
          update credit_transaction set trans_type = 'SUBSCRIPTION' where package_id = '${ORDER}'`,
    found: { 'a row continues the hash chain': 'transaction 3', 'transactions are counted': 'transactions' },
  },
  {
    name: 'grace package: its expiry moved',
    sql: `update credit_package set expires_at = expires_at + interval '1 day' where parent_id is not null`,
    found: {
      'a grace package is as the row of its release says': 'package <grace>',
      'credits expire when their package does': 'package <grace>',
    },
  },
  {
    name: 'package: credits clawed back counted as taken by an administrator',
    sql: `update credit_package set remaining = remaining - 1, clawed_back = 1, taken = 1 where id = '${ORDER}';
          update credit_account set available = available - 1, clawed_back = 1`,
    found: {
      'what administrators took is in the history': `package ${ORDER}`,
      'what administrators took is as the audit log says': 'account',
      'the history adds up to available': 'account',
      'addition, expiry and claw-back are in the history': `package ${ORDER}`,
    },
  },
  {
    name: 'refund claim: counted, but nothing taken',
    sql: `insert into credit_refund_claim values ('${ANN}', '${ORDER}', 'refund', 0.5, now());
          update credit_package set refund_claimed = 50 where id = '${ORDER}'`,
    found: { 'nothing is available while refund claims are owed': `package ${ORDER}` },
  },
  {
    name: 'payment: its package is gone',
    sql: `insert into kinora.payment (
            user_id, processor, source, chain, trans_type, order_no, remark, currency, credits, cap, value, total, paid, covered, rest,
            low, high, at, valid_from, expires_at, sort_key, granted, packages
          ) values (
            '${ANN}', 'payment-a', 'payment-a:tran_1', '', 'SUBSCRIPTION', '', '', 'USD', 280, 280, 990, 990, 990, 0, 0, 0, 0, now(), now(),
            now(), '', 280, 1
          )`,
    found: {
      'the packages of a payment bring what was granted for it': 'payment payment-a:tran_1',
      'a payment is as its event brought it': 'payment payment-a:tran_1',
      'a payment is claimed back as far as it was returned': 'payment payment-a:tran_1, plan change',
    },
  },
]

/** Corruptions of holds and their slices, of videos, and of what API keys used. */
const holdCorruptions: Corruption[] = [
  {
    name: 'hold: for more credits than its slices',
    sql: `update credit_hold set credits = credits + 1 where id = '${OPEN}'`,
    found: {
      'a key has used what its holds took': `key ${KEY}`,
      'frozen is what the open holds hold': 'account',
      'slices add up to the hold': `hold ${OPEN}`,
      'credits follow the status': `video ${OPEN}`,
      'freeze and release are in the history': `video ${OPEN}`,
    },
  },
  {
    name: 'hold: frozen a minute earlier',
    sql: `update credit_hold set created_at = created_at - interval '1 minute' where id = '${OPEN}'`,
    found: {
      'a hold begins and ends when its rows were written': `video ${OPEN}`,
      'a key has used what its holds took': `key ${KEY}`,
    },
  },
  {
    name: 'hold: released later than its row says',
    sql: `update credit_hold set closed_at = closed_at + interval '1 minute' where id = '${FAILED}'`,
    found: { 'a hold begins and ends when its rows were written': `video ${FAILED}` },
  },
  {
    name: 'hold: its slices deleted',
    sql: `update credit_hold set package_ids = '{}', package_credits = '{}' where id = '${FAILED}'`,
    found: { 'slices add up to the hold': `hold ${FAILED}` },
  },
  {
    name: 'slice: without its package',
    sql: `update credit_hold set package_ids = '{}' where id = '${FAILED}'`,
    found: { 'slices add up to the hold': `hold ${FAILED}` },
  },
  {
    name: 'slice: of an unknown package',
    sql: `update credit_hold set package_ids[1] = '${idOf(99)}' where id = '${FAILED}'`,
    found: { 'open, settled and moved slices match the package': `package ${idOf(99)}` },
  },
  {
    name: 'hold: a rest that was not released',
    sql: `update credit_hold set rest = 1 where id = '${DONE}'`,
    found: {
      'used is what was settled': 'account',
      'open, settled and moved slices match the package': `package ${GIFT}`,
      'credits follow the status': `video ${DONE}`,
      'freeze and release are in the history': `video ${DONE}`,
    },
  },
  {
    name: 'hold: settled, but marked released',
    sql: `update credit_hold set state = 'released' where id = '${DONE}'`,
    found: {
      'used is what was settled': 'account',
      'credits follow the status': `video ${DONE}`,
      'freeze and release are in the history': `video ${DONE}`,
      'open, settled and moved slices match the package': `package ${GIFT}`,
    },
  },
  {
    name: 'hold: deleted',
    sql: `delete from credit_hold where id = '${OPEN}'`,
    found: {
      'a key has used what its holds took': `key ${KEY}`,
      'frozen is what the open holds hold': 'account',
      'open holds are counted': 'account',
      'credits follow the status': `video ${OPEN}`,
      'freeze and release are in the history': `video ${OPEN}`,
      'open, settled and moved slices match the package': `package ${GIFT}`,
    },
  },
  {
    name: 'video: COMPLETED, its hold still open',
    sql: `update video set status = 'COMPLETED', video_key = 'k', due_at = null where id = '${OPEN}'`,
    found: { 'credits follow the status': `video ${OPEN}`, 'final videos are counted': 'videos delta-1-5 COMPLETED' },
  },
  {
    name: 'video: a price other than its hold',
    sql: `update video set credits = 15 where id = '${OPEN}'`,
    found: { 'credits follow the status': `video ${OPEN}` },
  },
  {
    name: 'video: FAILED, its hold settled',
    sql: `update video set status = 'FAILED', error = 'e', error_code = 'PROVIDER_ERROR', video_key = null where id = '${DONE}'`,
    found: { 'credits follow the status': `video ${DONE}`, 'final videos are counted': 'videos delta-1-5' },
  },
  {
    name: 'video: its row gone',
    sql: `delete from video where id = '${DONE}'`,
    found: { 'credits follow the status': `video ${DONE}`, 'final videos are counted': 'videos delta-1-5 COMPLETED' },
  },
  {
    name: 'API key: used one too low',
    sql: 'update kinora.api_key_usage set credits = credits - 1',
    found: { 'a key has used what its holds took': `key ${KEY}` },
  },
  {
    name: 'API key: usage deleted',
    sql: 'delete from kinora.api_key_usage',
    found: { 'a key has used what its holds took': `key ${KEY}` },
  },
  {
    name: 'API key: a hold of another day',
    sql: `update credit_hold set created_at = created_at + interval '1 day' where key_id is not null`,
    found: {
      'a hold begins and ends when its rows were written': `video ${OPEN}`,
      'a key has used what its holds took': `key ${KEY}`,
    },
  },
]

export const corruptions: Corruption[] = [...accountCorruptions, ...packageCorruptions, ...holdCorruptions]

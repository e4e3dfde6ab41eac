/** Corruptions of a user's account, of the history and of the counters. */
import type { Corruption } from './corruption.ts'
import { DONE, FAILED, HOUR_MS, idOf, LATE, LOST, later, SHORT } from './ledger-fixture.ts'

export const accountCorruptions: Corruption[] = [
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

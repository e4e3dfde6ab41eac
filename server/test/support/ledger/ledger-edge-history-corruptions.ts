/** Corruptions of due times and holds, of expiry and grace, and of the hash chain. */
import type { EdgeCorruption } from './corruption.ts'
import { BOB, EXPIRED, GIFT, GRANT, OTHER, SHORT } from './ledger-edge-fixture.ts'

const CHAIN = 'a row continues the hash chain'
const HEAD = 'the account has the hash of the newest row'
const WHOLE_HISTORY = ['the history adds up to available', 'the history is as long as the account says']

export const edgeHistoryCorruptions: EdgeCorruption[] = [
  // Videos and holds.
  {
    name: 'video: due at infinity',
    sql: `update video set due_at = 'infinity'`,
    rules: ['an unfinished video has a next step'],
  },
  {
    name: 'video: due in ten years',
    sql: `update video set due_at = due_at + interval '10 years'`,
    rules: ['an unfinished video has a next step'],
  },
  {
    name: 'video: leased until infinity',
    sql: `update video set lease_until = 'infinity', lease_id = id`,
    rules: ['an unfinished video has a next step'],
  },
  {
    name: 'video: a deadline at infinity',
    sql: `update video set deadline_at = 'infinity'`,
    rules: ['an unfinished video has a deadline'],
  },
  {
    name: 'video: its row gone',
    sql: `delete from video`,
    rules: ['credits follow the status', 'an idempotency key leads to what it created'],
  },
  {
    name: 'video: without a hold',
    sql: `insert into video select (jsonb_populate_record(v, jsonb_build_object('id', '${OTHER}'))).* from video v`,
    rules: ['credits follow the status'],
  },
  {
    name: 'hold: without a video, its history or its slices',
    sql: `insert into credit_hold (user_id, id, credits, state, created_at, closed_at)
          values ('${BOB}', '${OTHER}', 5, 'released', now(), now())`,
    rules: ['credits follow the status', 'freeze and release are in the history', 'slices add up to the hold'],
  },
  // Expiry, reversal and grace.
  {
    name: 'grace package: another root',
    sql: `update credit_package set root_id = '${GIFT}' where parent_id = '${EXPIRED}'`,
    rules: ['a grace package has the root and order of its parent'],
  },
  {
    name: 'grace package: a package without a parent given a root',
    sql: `update credit_package set root_id = '${GIFT}' where id = '${GRANT}'`,
    rules: ['a grace package has the root and order of its parent'],
  },
  {
    name: 'grace package: lasts longer than the row of its reversal says',
    sql: `update credit_package set expires_at = expires_at + interval '1 year' where parent_id is not null`,
    rules: ['a grace package is as the row of its release says'],
  },
  {
    name: 'grace package: of a reversal, given another source',
    sql: `update credit_package set source = 'release:x' where parent_id = '${EXPIRED}'`,
    rules: ['a grace package is as the row of its release says'],
  },
  {
    name: 'grace package: of another order than its parent',
    sql: `update credit_package set order_no = 'x' where parent_id = '${EXPIRED}'`,
    rules: ['a grace package has the root and order of its parent'],
  },
  {
    name: 'grace package: usable until infinity',
    sql: `update credit_package set expires_at = 'infinity' where parent_id = '${EXPIRED}'`,
    rules: ['a grace package is as the row of its release says'],
  },
  {
    name: 'expiry: credits that expired counted as claimed back',
    sql: `update credit_package set expired = expired - 1, clawed_back = clawed_back + 1, refund_claimed = 1 where id = '${SHORT}';
          insert into credit_refund_claim values ('${BOB}', 'adjust:${SHORT}', 're', 1.0 / 40, now());
          update credit_account set expired = expired - 1, clawed_back = clawed_back + 1`,
    rules: ['addition, expiry and claw-back are in the history'],
  },
  {
    name: 'expiry: written off before the package expired',
    sql: `update credit_package set expires_at = expires_at + interval '1 year' where id = '${SHORT}'`,
    rules: ['a package is as the row of its addition says', 'credits expire when their package does'],
  },
  // The hash chain.
  {
    name: 'history: a remark rewritten',
    sql: `update credit_transaction set remark = 'harmless' where n = 2`,
    rules: [CHAIN],
  },
  {
    name: 'history: another administrator’s name on a row',
    sql: `update credit_transaction set actor_id = '${OTHER}' where package_id = '${GRANT}' and source is not null`,
    rules: [
      CHAIN,
      'what administrators did is in the audit log',
      'what administrators granted is as the audit log says',
    ],
  },
  {
    name: 'history: the time of a row moved',
    sql: `update credit_transaction set created_at = created_at - interval '1 day' where n = 1`,
    rules: [CHAIN, 'a package is as the row of its addition says'],
  },
  {
    name: 'history: the times of a row at infinity',
    sql: `update credit_transaction set created_at = 'infinity', expires_at = 'infinity' where n = 1`,
    rules: [CHAIN, 'no row is from the future', 'a package is as the row of its addition says'],
  },
  {
    name: 'history: graces that are no list',
    sql: `update credit_transaction set graces = '{"x": [1]}' where graces is not null`,
    rules: [CHAIN, 'a grace package is as the row of its release says'],
  },
  {
    name: 'history: the newest row deleted',
    sql: `delete from credit_transaction t using credit_account a where t.user_id = a.user_id and t.n = a.transactions`,
    rules: [...WHOLE_HISTORY, 'addition, expiry and claw-back are in the history', HEAD, 'transactions are counted'],
  },
  {
    name: 'history: a row inserted at the end',
    sql: `insert into credit_transaction (user_id, n, id, trans_no, trans_type, credits, balance_after, created_at)
          select user_id, transactions + 1, '${OTHER}', 'x', 'SYSTEM_ADJUST', 5, available + 5, now() from credit_account`,
    rules: [...WHOLE_HISTORY, CHAIN, 'transactions are counted'],
  },
  {
    name: 'account: its head hash replaced',
    sql: `update credit_account set history_hash = sha256('x')`,
    rules: [HEAD],
  },
  {
    name: 'account: another number',
    sql: `alter table credit_account alter number drop identity; update credit_account set number = number + 7`,
    rules: ['the newest row has the number of its account'],
  },
  {
    name: 'account: the gift not decided on any more',
    sql: `update credit_account set gift_at = null`,
    rules: ['a gift is granted when it was decided on'],
  },
]

/**
 * Corruptions of the edges' fixture (ledger-edge-fixture.ts), and the rules that verify() must report for each, and no others. One
 * file, although it is long: it is data without logic, an entry for each corruption, and is searched by the name of a rule.
 */
import { BOB, EXPIRED, GIFT, GRANT, OTHER, ROOT, SHORT } from './ledger-edge-fixture.ts'

export type EdgeCorruption = { name: string; sql: string; rules: string[] }

/** Hashes the history again, as an intruder would who may call every function. */
const REHASH = `
  update credit_transaction t set hash = c.hash
  from (select h.n, history_chain('\\x', history_text(h)) over (order by h.n) as hash
        from credit_transaction h where h.user_id = '${BOB}') c
  where t.user_id = '${BOB}' and t.n = c.n;
  update credit_account a set history_hash = t.hash
  from credit_transaction t where a.user_id = '${BOB}' and t.user_id = a.user_id and t.n = a.transactions;
`
const CLAIM = `where source = 'payment-b:cs_1' and key = 're_1'`
const CHAIN = 'a row continues the hash chain'
const HEAD = 'the account has the hash of the newest row'
const WHOLE_HISTORY = ['the history adds up to available', 'the history is as long as the account says']

export const edgeCorruptions: EdgeCorruption[] = [
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
    sql: `insert into credit_hold values ('${BOB}', '${OTHER}', 5, 'released', now(), now())`,
    rules: ['credits follow the status', 'freeze and release are in the history', 'slices add up to the hold'],
  },
  // Grants and payments.
  {
    name: 'package: its source renamed, and the payment granted again',
    sql: `update credit_package set source = 'another' where source = 'payment-b:cs_1';
          select credit_grant('${BOB}', '${OTHER}', 'payment-b:cs_1', 'ORDER_PAY', 100, now() + interval '20 years', now(), 'cs_1', 'Starter');`,
    rules: ['a package is as the row of its addition says', 'refund_claimed is the sum of the refund claims'],
  },
  {
    name: 'package: its expiry moved, in the package and in its row, with a new chain',
    sql: `update credit_package set expires_at = expires_at + interval '1 year' where id = '${GRANT}';
          update credit_transaction set expires_at = expires_at + interval '1 year' where package_id = '${GRANT}' and source is not null;
          ${REHASH}`,
    rules: ['what administrators granted is as the audit log says'],
  },
  {
    name: 'package: an administrator’s grant rewritten as a purchase',
    sql: `update credit_package set trans_type = 'ORDER_PAY', source = 'payment-b:cs_9' where id = '${GRANT}'`,
    rules: ['a package is as the row of its addition says', 'a package of a payment processor has its payment'],
  },
  {
    name: 'package: an administrator’s grant rewritten as a purchase, with its row and a new chain',
    sql: `update credit_package set trans_type = 'ORDER_PAY', source = 'payment-b:cs_9' where id = '${GRANT}';
          update credit_transaction set trans_type = 'ORDER_PAY', source = 'payment-b:cs_9', actor_id = null
          where package_id = '${GRANT}' and source is not null;
          ${REHASH}`,
    rules: [
      'a package of a payment processor has its payment',
      'what administrators granted is as the audit log says',
      'transactions are counted',
    ],
  },
  {
    name: 'package: the type alone rewritten, with its row and a new chain',
    sql: `update credit_package set trans_type = 'ORDER_PAY' where id = '${GRANT}';
          update credit_transaction set trans_type = 'ORDER_PAY' where package_id = '${GRANT}' and source is not null;
          ${REHASH}`,
    rules: [
      'the type of a package follows from its source',
      'what administrators granted is as the audit log says',
      'transactions are counted',
    ],
  },
  {
    name: 'package: granted as a purchase that no event reported',
    sql: `select credit_grant('${BOB}', '${OTHER}', 'payment-b:cs_9', 'ORDER_PAY', 5000, now() + interval '20 years', now(), 'cs_9', 'x');`,
    rules: ['a package of a payment processor has its payment'],
  },
  {
    name: 'package: granted as an adjustment that no administrator made',
    sql: `select credit_grant('${BOB}', '${OTHER}', 'adjust:${OTHER}', 'SYSTEM_ADJUST', 5000, now() + interval '20 years', now(), null, 'x', '${ROOT}');`,
    rules: ['what administrators did is in the audit log'],
  },
  {
    name: 'payment: applied, its package never granted',
    sql: `insert into payment_object (processor, external_id, user_id, source) values ('payment-b', 'payment-b:cs_9', '${BOB}', 'payment-b:cs_9')`,
    rules: ['a payment has its package'],
  },
  {
    name: 'payment event: applied without its payment',
    sql: `update payment_event set sources = '{payment-b:cs_9}' where external_id = 'evt_2'`,
    rules: ['an applied payment event has its payments'],
  },
  {
    name: 'payment: its object deleted',
    sql: `delete from payment_object where external_id = 'payment-b:cs_1'`,
    rules: ['a package of a payment processor has its payment', 'an applied payment event has its payments'],
  },
  {
    name: 'payment: its object assigned to another user',
    sql: `update payment_object set user_id = '${OTHER}' where external_id = 'payment-b:cs_1'`,
    rules: [
      'a package of a payment processor has its payment',
      'a payment has its package',
      'a refund claim is as its refund or dispute says',
    ],
  },
  {
    name: 'charge: more granted than its packages bring',
    sql: `update subscription_charge set granted = granted + 1 where transaction = 'tran_1'`,
    rules: ['the packages of a charge bring what was granted for it'],
  },
  {
    name: 'charge: its transaction not linked',
    sql: `delete from payment_object where external_id = 'tran_1'`,
    rules: ['the transaction of a charge is linked to its payment'],
  },
  // Refund claims.
  {
    name: 'refund claim: a greater part',
    sql: `update credit_refund_claim set part = 0.5 ${CLAIM}`,
    rules: ['a refund claim is as its refund or dispute says', 'refund_claimed is the sum of the refund claims'],
  },
  {
    name: 'refund claim: deleted',
    sql: `delete from credit_refund_claim ${CLAIM}`,
    rules: ['a refund claim is as its refund or dispute says', 'refund_claimed is the sum of the refund claims'],
  },
  {
    name: 'refund claim: reversed by hand',
    sql: `select credit_reverse_refund_claim('${BOB}', 'payment-b:cs_1', 're_1', now());`,
    rules: ['a refund claim is as its refund or dispute says'],
  },
  {
    name: 'refund claim: a won dispute’s reversal undone',
    sql: `update credit_refund_claim set reversed_at = null where key = 'dp_1'`,
    rules: ['a refund claim is as its refund or dispute says', 'refund_claimed is the sum of the refund claims'],
  },
  {
    name: 'refund claim: made by hand, without a refund',
    sql: `select credit_claim_refund('${BOB}', 'payment-b:cs_1', 're_9', 0.5, now());`,
    rules: ['a refund claim on a payment has its refund or dispute'],
  },
  {
    name: 'refund: the part of its row changed',
    sql: `update payment_return set claimed_part = 0.1 where key = 're_1'`,
    rules: ['a refund claim is as its refund or dispute says'],
  },
  {
    name: 'refund claim: the one for a charge’s excess deleted',
    sql: `delete from credit_refund_claim where key = 'period:0'`,
    rules: ['refund_claimed is the sum of the refund claims', 'what a charge got too much is claimed back'],
  },
  {
    name: 'package: credits clawed back that no refund claimed',
    sql: `update credit_package set remaining = remaining - 1, clawed_back = clawed_back + 1 where source = 'payment-b:cs_1';
          update credit_account set available = available - 1, clawed_back = clawed_back + 1`,
    rules: [
      'addition, expiry and claw-back are in the history',
      'clawed back is at most refund_claimed',
      'the history adds up to available',
    ],
  },
  // Corrections and the audit log.
  {
    name: 'audit: the entry of a grant deleted',
    sql: `delete from audit where action = 'credits.add' and subject = '${GRANT}'`,
    rules: ['what administrators did is in the audit log'],
  },
  {
    name: 'audit: the amount of a grant changed',
    sql: `update audit set after = after || '{"credits": 41}' where subject = '${GRANT}'`,
    rules: ['what administrators granted is as the audit log says'],
  },
  {
    name: 'audit: a grant assigned to another administrator',
    sql: `update audit set actor_id = '${OTHER}' where subject = '${GRANT}'`,
    rules: ['what administrators did is in the audit log', 'what administrators granted is as the audit log says'],
  },
  {
    name: 'audit: the entry of a taking deleted',
    sql: `delete from audit where action = 'credits.take'`,
    rules: ['what administrators did is in the audit log', 'what administrators took is as the audit log says'],
  },
  {
    name: 'audit: the amount of a taking changed',
    sql: `update audit set after = after || '{"credits": 1}' where action = 'credits.take'`,
    rules: ['what administrators took is as the audit log says'],
  },
  {
    name: 'audit: the amount of a reversed expiry changed',
    sql: `update audit set after = after || '{"credits": 1}' where action = 'credits.reverse-expiry'`,
    rules: ['expiries are reversed as the audit log says'],
  },
  {
    name: 'audit: an account deleted without an entry',
    sql: `insert into deleted_account values ('${BOB}', 'hash', now(), now(), null)`,
    rules: ['the deletion of an account is in the audit log'],
  },
  {
    name: 'audit: the entry of a deletion without a deleted account',
    sql: `select audit_add('${ROOT}', 'account.delete', '${BOB}', null, null, null, null, 'why', now())`,
    rules: ['the deletion of an account is in the audit log'],
  },
  {
    name: 'package: credits taken by an administrator counted as claimed back',
    sql: `update credit_package set taken = 0`,
    rules: ['clawed back is at most refund_claimed', 'what administrators took is as the audit log says'],
  },
  {
    name: 'idempotency key: leads to another package',
    sql: `update idempotency_key set subject_id = '${OTHER}' where key = 'key-1'`,
    rules: ['an idempotency key leads to what it created'],
  },
  // Expiry, reversal and grace.
  {
    name: 'grace package: another root',
    sql: `update credit_package set root_id = '${GIFT}' where parent_id = '${EXPIRED}'`,
    rules: ['a grace package has the root of its parent'],
  },
  {
    name: 'grace package: a package without a parent given a root',
    sql: `update credit_package set root_id = '${GIFT}' where id = '${GRANT}'`,
    rules: ['a grace package has the root of its parent'],
  },
  {
    name: 'grace package: lasts longer than the row of its reversal says',
    sql: `update credit_package set expires_at = expires_at + interval '1 year' where parent_id is not null`,
    rules: ['a grace package is as the row of its release says'],
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
    rules: [CHAIN],
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
    name: 'account: its version set back to hide the chain',
    sql: `update credit_account set ledger_version = 0`,
    rules: ['an account of version 0 has no hashes', 'a grace package is as the row of its release says'],
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

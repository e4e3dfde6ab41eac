/**
 * Corruptions at the edges of the ledger that verify() must report: SQL that a test runs in a transaction, on the rows
 * of ledger-edge-fixture.ts, and rolls back.
 */
import { BOB, EXPIRED, GIFT, GRANT, OTHER, ROOT, SHORT, VIDEO } from './ledger-edge-fixture.ts'

/** `rules`: those that verify() must report, and no others. */
export type EdgeCorruption = { name: string; sql: string; rules: string[] }

export const CHAIN = 'a row continues the hash chain'
const HEAD = 'the account has the hash of the newest row'
const WHOLE_HISTORY = ['the history adds up to available', 'the history is as long as the account says']

const edgeHistoryCorruptions: EdgeCorruption[] = [
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
    sql: `insert into video select (jsonb_populate_record(v, jsonb_build_object('id', '${OTHER}'))).*
          from video v where id = '${VIDEO}'`,
    rules: ['credits follow the status'],
  },
  {
    name: 'hold: without a video, its history or its slices',
    sql: `insert into credit_hold (user_id, id, credits, package_ids, package_credits, state, created_at, closed_at)
          values ('${BOB}', '${OTHER}', 5, '{}', '{}', 'released', now(), now())`,
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
    rules: ['the reason of an audit entry is in the history', CHAIN],
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
    rules: [
      CHAIN,
      'no row is from the future',
      'no row is before the row before it',
      'a package is as the row of its addition says',
    ],
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
          select user_id, transactions + 1, '${OTHER}', 'x', 'SYSTEM_ADJUST', 5, available + 5, moved_at from credit_account`,
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

/** Corruptions of grants, payments and refund claims. */
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

const edgePaymentCorruptions: EdgeCorruption[] = [
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
    rules: [
      'a package is as the row of its addition says',
      'a package was paid for, given or granted by an administrator',
    ],
  },
  {
    name: 'package: an administrator’s grant rewritten as a purchase, with its row and a new chain',
    sql: `update credit_package set trans_type = 'ORDER_PAY', source = 'payment-b:cs_9' where id = '${GRANT}';
          update credit_transaction set trans_type = 'ORDER_PAY', source = 'payment-b:cs_9', actor_id = null
          where package_id = '${GRANT}' and source is not null;
          ${REHASH}`,
    rules: [
      'a package was paid for, given or granted by an administrator',
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
      'a package was paid for, given or granted by an administrator',
      'the type of a package follows from its source',
      'what administrators granted is as the audit log says',
      'transactions are counted',
    ],
  },
  {
    name: 'package: granted as a purchase that no event reported',
    sql: `select credit_grant('${BOB}', '${OTHER}', 'payment-b:cs_9', 'ORDER_PAY', 5000, now() + interval '20 years', now(), 'cs_9', 'x');`,
    rules: ['a package was paid for, given or granted by an administrator'],
  },
  {
    name: 'package: granted as an adjustment that no administrator made',
    sql: `select credit_grant('${BOB}', '${OTHER}', 'adjust:${OTHER}', 'SYSTEM_ADJUST', 5000, now() + interval '20 years', now(), null, 'x', '${ROOT}');`,
    rules: ['a grant by an administrator is in the audit log', 'what administrators did is in the audit log'],
  },
  // Payments, refunds and disputes.
  {
    name: 'package: a bonus that no one gave',
    sql: `select credit_grant('${BOB}', '${OTHER}', 'bonus:1', 'ORDER_PAY', 5000, now() + interval '20 years', now(), null, 'x');`,
    rules: ['a package was paid for, given or granted by an administrator'],
  },
  {
    name: 'package: a second gift',
    sql: `select credit_grant('${BOB}', '${OTHER}', 'new-user:2', 'NEW_USER', 60, now() + interval '20 years', now(), null, 'x');`,
    rules: ['a package was paid for, given or granted by an administrator'],
  },
  {
    name: 'package: an adjustment without an actor and an entry',
    sql: `select credit_grant('${BOB}', '${OTHER}', 'adjust:${OTHER}', 'SYSTEM_ADJUST', 5000, now() + interval '20 years', now(), null, 'x');`,
    rules: ['a grant by an administrator is in the audit log'],
  },
  {
    name: 'payment: applied by hand, without an event',
    sql: `select payment_apply('${BOB}', 'payment-b', (select jsonb_build_array(to_jsonb(p) || '{"do": "payment", "source": "payment-b:cs_9", "chain": "cs_9"}') from payment p where source = 'payment-b:cs_1'), now());`,
    rules: ['a payment is as its event brought it'],
  },
  ...['credits = credits + 1', 'cents = cents - 1', "currency = 'EUR'"].map((change) => ({
    name: `price that was first paid: ${change}`,
    sql: `update payment_price set ${change} where sold_as = 'price_starter'`,
    rules: ['a price is as its event brought it'],
  })),
  {
    name: 'payment: its row deleted',
    sql: `delete from payment where source = 'payment-b:cs_1'`,
    rules: ['a package was paid for, given or granted by an administrator', 'an applied payment event has its effects'],
  },
  {
    name: 'payment: what was paid changed',
    sql: `update payment set paid = paid + 1 where source = 'payment-a:tran_1'`,
    rules: ['a payment is as its event brought it'],
  },
  {
    name: 'payment: more granted than its packages bring',
    sql: `update payment set granted = granted + 1 where source = 'payment-a:tran_1'`,
    rules: [
      'the packages of a payment bring what was granted for it',
      'a payment is claimed back as far as it was returned',
    ],
  },
  {
    name: 'payment: worth more than was granted for it',
    sql: `update payment set worth = worth + 1 where source = 'payment-a:tran_2'`,
    rules: ['a payment is claimed back as far as it was returned'],
  },
  {
    name: 'payment: of fewer packages than it has',
    sql: `update payment set packages = 1 where source = 'payment-a:tran_3'`,
    rules: [
      'the packages of a payment bring what was granted for it',
      'a package was paid for, given or granted by an administrator',
    ],
  },
  {
    name: 'payment: kept whole, although a part was returned',
    sql: `update payment set kept = 1 where source = 'payment-b:cs_1'`,
    rules: ['a payment keeps the share that was not returned'],
  },
  ...Object.entries({
    'credits = credits + 1': ['a redeemed code has brought its credits', 'a code is as the audit log says'],
    'uses = 0': ['a code counts the users who redeemed it'],
  }).map(([change, rules]) => ({ name: `code: ${change}`, sql: `update redemption_code set ${change}`, rules })),
  {
    name: 'payment: its object deleted',
    sql: `delete from payment_object where external_id = 'payment-b:cs_1'`,
    rules: ['an applied payment event has its effects'],
  },
  {
    name: 'payment event: deleted',
    sql: `delete from payment_event where external_id = 'evt_1'`,
    rules: ['a payment is as its event brought it'],
  },
  {
    name: 'payment event: the one of a refund deleted',
    sql: `delete from payment_event where external_id = 'evt_2'`,
    rules: ['a refund or dispute is as its event brought it'],
  },
  {
    name: 'payment event: applied without its payment',
    sql: `update payment_event set facts = '{payment-b:cs_9 0}' where external_id = 'evt_3'`,
    rules: ['an applied payment event has its effects'],
  },
  {
    name: 'refund claim: a greater part',
    sql: `update credit_refund_claim set part = 0.5 ${CLAIM}`,
    rules: ['a payment is claimed back as far as it was returned', 'refund_claimed is the sum of the refund claims'],
  },
  {
    name: 'refund claim: deleted',
    sql: `delete from credit_refund_claim ${CLAIM}`,
    rules: ['a payment is claimed back as far as it was returned', 'refund_claimed is the sum of the refund claims'],
  },
  {
    name: 'refund claim: taken back by hand',
    sql: `select credit_claim_refund('${BOB}', 'payment-b:cs_1', '{"re_1": 0}', now());`,
    rules: ['a payment is claimed back as far as it was returned'],
  },
  {
    name: 'refund claim: made by hand, without a refund',
    sql: `select credit_claim_refund('${BOB}', 'payment-b:cs_1', '{"re_9": 0.5}', now());`,
    rules: ['a payment is claimed back as far as it was returned', 'a refund or dispute that took credits is known'],
  },
  {
    name: 'refund claim: on a further package, without a refund',
    sql: `select credit_claim_refund('${BOB}', 'payment-a:tran_3:2', '{"re_9": 0.2}', now());`,
    rules: ['a payment is claimed back as far as it was returned', 'a refund or dispute that took credits is known'],
  },
  {
    name: 'refund claim: the one of a plan change deleted',
    sql: `delete from credit_refund_claim where key = 'plan change'`,
    rules: ['refund_claimed is the sum of the refund claims', 'a payment is claimed back as far as it was returned'],
  },
  {
    name: 'dispute: won by hand, without an event',
    sql: `select payment_apply('${BOB}', 'payment-a', (select jsonb_build_array(to_jsonb(r) || '{"do": "return", "state": "given back", "sort_key": "9"}') from payment_return r where key = 'adj_3'), now());`,
    rules: ['a refund or dispute is as its event brought it'],
  },
  {
    name: 'refund: its row without its payment',
    sql: `update payment_return set source = null where key = 're_1'`,
    rules: ['a payment is claimed back as far as it was returned', 'a payment keeps the share that was not returned'],
  },
  {
    name: 'refund: recorded, its credits never taken',
    sql: `insert into payment_return (processor, key, kind, charge, ids, source, amounts, share, state, sort_key, created_at)
          values ('payment-b', 're_9', 'refund', 'pi_1', '{pi_1}', 'payment-b:cs_1', '{"USD": 100}', 1, 'taken', '1', now())`,
    rules: [
      'a payment is claimed back as far as it was returned',
      'a payment keeps the share that was not returned',
      'a refund or dispute is as its event brought it',
    ],
  },
  {
    name: 'refund: of a greater amount than is claimed',
    sql: `update payment_return set amounts = '{"USD": 500}' where key = 're_1'`,
    rules: [
      'a payment is claimed back as far as it was returned',
      'a payment keeps the share that was not returned',
      'a refund or dispute is as its event brought it',
    ],
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
]

/** Corruptions of what administrators corrected, and of the audit log. */
const edgeAuditCorruptions: EdgeCorruption[] = [
  {
    name: 'audit: the reason of a grant changed',
    sql: `update audit set reason = 'another' where subject = '${GRANT}'`,
    rules: ['the reason of an audit entry is in the history'],
  },
  {
    name: 'audit: the reason of a taking removed',
    sql: `update audit set reason = null where action = 'credits.take'`,
    rules: ['the reason of an audit entry is in the history'],
  },
  {
    name: 'audit: the balance before a grant changed',
    sql: `update audit set before = before || '{"available": 1000}' where subject = '${GRANT}'`,
    rules: ['an audit entry has the balance before and after'],
  },
  {
    name: 'audit: the entry of a grant deleted',
    sql: `delete from audit where action = 'credits.add' and subject = '${GRANT}'`,
    rules: ['a grant by an administrator is in the audit log', 'what administrators did is in the audit log'],
  },
  {
    name: 'audit: the amount of a grant changed',
    sql: `update audit set after = after || '{"credits": 41}' where subject = '${GRANT}'`,
    rules: ['an audit entry has the balance before and after', 'what administrators granted is as the audit log says'],
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
    name: 'audit: the entry of a collection deleted',
    sql: `delete from audit where action = 'credits.collect'`,
    rules: ['what administrators did is in the audit log', 'what administrators collected is as the audit log says'],
  },
  {
    name: 'audit: the amount of a forgiveness changed',
    sql: `update audit set after = after || '{"credits": 1}' where action = 'credits.forgive'`,
    rules: ['what administrators forgave is as the audit log says'],
  },
  {
    name: 'package: more forgiven than an administrator forgave',
    sql: `update credit_package set forgiven = forgiven + 1 where forgiven > 0`,
    rules: ['what administrators forgave is as the audit log says'],
  },
  {
    name: 'package: what was collected paid for nothing',
    sql: `update credit_package set repaid = 0 where repaid > 0`,
    rules: ['what was collected paid what was owed'],
  },
  {
    name: 'audit: the amount of a reversed expiry changed',
    sql: `update audit set after = after || '{"credits": 1}' where action = 'credits.reverse-expiry'`,
    rules: ['an audit entry has the balance before and after', 'expiries are reversed as the audit log says'],
  },
  {
    name: 'audit: amounts that are no numbers',
    sql: `update audit set after = after || '{"credits": "many", "expiresAt": "never"}' where user_id = '${BOB}'`,
    rules: [
      'an audit entry has the balance before and after',
      'expiries are reversed as the audit log says',
      'what administrators collected is as the audit log says',
      'what administrators forgave is as the audit log says',
      'what administrators granted is as the audit log says',
      'what administrators took is as the audit log says',
    ],
  },
  {
    name: 'audit: an account deleted without an entry',
    sql: `insert into deleted_account values ('${BOB}', 'hash', now(), now(), null)`,
    rules: ['the deletion of an account is in the audit log'],
  },
  {
    name: 'audit: the entry of a deletion without a deleted account',
    sql: `select audit_add(p_actor_id => '${ROOT}', p_action => 'account.delete', p_user_id => '${BOB}', p_reason => 'why', p_now => now())`,
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
  {
    name: 'idempotency key: of a video, assigned to another user',
    sql: `update idempotency_key set user_id = '${OTHER}' where operation = 'video.generate'`,
    rules: ['an idempotency key leads to what it created'],
  },
  {
    name: 'idempotency key: of a taking, assigned to another administrator',
    sql: `insert into idempotency_key (user_id, operation, key, request_hash, subject_user_id, subject_id, created_at)
          select '${OTHER}', action, 'key-9', 'x', user_id, id, created_at from audit where action = 'credits.take'`,
    rules: ['an idempotency key leads to what it created'],
  },
]

export const edgeCorruptions: EdgeCorruption[] = [
  ...edgeHistoryCorruptions,
  ...edgePaymentCorruptions,
  ...edgeAuditCorruptions,
]

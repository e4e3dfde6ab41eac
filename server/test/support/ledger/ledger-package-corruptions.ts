/** Corruptions of packages and grace packages, of refund claims and of charges. */
import type { Corruption } from './corruption.ts'
import { ANN, GIFT, idOf, LATE, ORDER, SHORT } from './ledger-fixture.ts'

export const packageCorruptions: Corruption[] = [
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
          select user_id, transactions, '${idOf(98)}', 'x', 'ORDER_PAY', -1, available, '${ORDER}', now() from account`,
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
    name: 'payment: a charge whose package is gone',
    sql: `insert into kinora.subscription_charge (
            user_id, processor, transaction, subscription, period, period_start, expires_at, credits, remark, charged_at,
            evidence, evidence_sort_key, source, granted, worth, packages
          ) values (
            '${ANN}', 'payment-a', 'tran_1', 'sub_1', 'period', now(), now(), 280, '', now(), 0, '', 'payment-a:tran_1', 280, 280, 1
          )`,
    found: {
      'the packages of a charge bring what was granted for it': 'transaction tran_1',
      'the transaction of a charge is linked to its payment': 'transaction tran_1',
    },
  },
]

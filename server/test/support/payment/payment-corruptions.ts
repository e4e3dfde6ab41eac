/**
 * Corruptions of the edges' fixture (ledger-edge-fixture.ts), each with its repair, in the tables that the rules of payments compare: on a
 * distributed database they are in two places. Each with the rules that verify() must report, and no others.
 */
import type { Sql } from '../../../src/db/db.ts'
import { BOB, OTHER } from '../ledger/ledger-edge-fixture.ts'

export type PaymentCorruption = {
  name: string
  /** Of the coordinator's tables. */
  coordinator?: [change: string, repair: string]
  /** Of the shard's. */
  shard?: [change: (sql: Sql) => PromiseLike<unknown>, repair: (sql: Sql) => PromiseLike<unknown>]
  rules: string[]
}

export const paymentCorruptions: PaymentCorruption[] = [
  {
    name: 'charge: more granted than its packages bring',
    coordinator: [
      `update kinora.subscription_charge set granted = granted + 1 where transaction = 'tran_1'`,
      `update kinora.subscription_charge set granted = granted - 1 where transaction = 'tran_1'`,
    ],
    rules: [
      'a charge grants and claims back what it is worth',
      'the packages of a charge bring what was granted for it',
    ],
  },
  {
    name: 'payment: applied, its package never granted',
    coordinator: [
      `insert into kinora.payment_object (processor, external_id, user_id, source) values ('payment-b', 'payment-b:cs_9', '${BOB}', 'payment-b:cs_9')`,
      `delete from kinora.payment_object where external_id = 'payment-b:cs_9'`,
    ],
    rules: ['a payment has its package'],
  },
  {
    name: 'payment: its object assigned to another user',
    coordinator: [
      `update kinora.payment_object set user_id = '${OTHER}' where external_id = 'payment-b:cs_1'`,
      `update kinora.payment_object set user_id = '${BOB}' where external_id = 'payment-b:cs_1'`,
    ],
    rules: [
      'a package of a payment processor has its payment',
      'a payment has its package',
      'a refund claim is as its refund or dispute says',
    ],
  },
  {
    name: 'charge: of a dearer plan',
    coordinator: [
      `update kinora.subscription_charge set credits = credits + 50 where transaction = 'tran_1'`,
      `update kinora.subscription_charge set credits = credits - 50 where transaction = 'tran_1'`,
    ],
    rules: ['the worth of a charge follows from its period'],
  },
  {
    name: 'charge: its transaction not linked',
    coordinator: [
      `update kinora.payment_object set external_id = 'tran_9' where external_id = 'tran_1'`,
      `update kinora.payment_object set external_id = 'tran_1' where external_id = 'tran_9'`,
    ],
    rules: ['the transaction of a charge is linked to its payment'],
  },
  {
    name: 'refund claim: the one for a charge’s excess reversed',
    shard: [
      (sql) =>
        sql`update kinora.credit_refund_claim set reversed_at = now() where user_id = ${BOB} and key = 'period:0'`,
      (sql) =>
        sql`update kinora.credit_refund_claim set reversed_at = null where user_id = ${BOB} and key = 'period:0'`,
    ],
    rules: ['refund_claimed is the sum of the refund claims', 'what a charge got too much is claimed back'],
  },
  {
    name: 'refund: the part of its row changed',
    coordinator: [
      `update kinora.payment_return set claimed_part = 0.1 where key = 're_1'`,
      `update kinora.payment_return set claimed_part = 0.25 where key = 're_1'`,
    ],
    rules: ['a refund claim is as its refund or dispute says', 'a refund or dispute of a payment is claimed'],
  },
  {
    name: 'refund: another one than the claim is for',
    coordinator: [
      `update kinora.payment_return set key = 're_9' where key = 're_1'`,
      `update kinora.payment_return set key = 're_1' where key = 're_9'`,
    ],
    rules: ['a refund claim is as its refund or dispute says', 'a refund claim on a payment has its refund or dispute'],
  },
  {
    name: 'payment event: applied without its payment',
    coordinator: [
      `update kinora.payment_event set sources = '{payment-b:cs_9}' where external_id = 'evt_2'`,
      `update kinora.payment_event set sources = '{}' where external_id = 'evt_2'`,
    ],
    rules: ['an applied payment event has its payments'],
  },
]

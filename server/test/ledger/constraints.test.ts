/** Constraints, the ledger's last line of defence: each rejects the write that it exists for, from any client. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type postgres from 'postgres'
import { openDb } from '../../src/db/db.ts'
import { notDistributed } from '../support/citus/database.ts'
import { createDatabase } from '../support/database.ts'
import { idOf, rolledBack, writeFixture } from '../support/ledger/ledger-fixture.ts'

const database = await createDatabase()
const sql = openDb(database.url, { connections: 1, name: 'kinora constraints test' })
after(async () => {
  await sql.end()
  await database.drop()
})
// The shards have the same ones.
const ofOnePostgres = notDistributed('constraints have the names of the shards')
if (ofOnePostgres.skip === undefined) await writeFixture(sql)

const holdRow = `(user_id, id, package_ids, package_credits, credits, state, created_at, closed_at) values ('${idOf(2)}', '${idOf(2)}', '{}', '{}'`
const packageRow =
  '(user_id, id, trans_type, source, initial, remaining, frozen, used, expired, clawed_back, moved, expires_at, created_at)' +
  ` values ('${idOf(2)}', '${idOf(2)}'`
const transactionRow =
  '(user_id, n, id, trans_no, trans_type, credits, balance_after, created_at)' +
  ` values ('${idOf(2)}', 1, '${idOf(2)}', 'x'`

/** Statements, by constraint, that violate it and no other. */
const violations: Record<string, string> = {
  available_not_negative: 'update credit_account set available = -1, total = total - available - 1',
  frozen_not_negative: 'update credit_account set frozen = -1, total = total - frozen - 1',
  used_not_negative: 'update credit_account set used = -1, total = total - used - 1',
  expired_not_negative: 'update credit_account set expired = -1, total = total - expired - 1',
  clawed_back_not_negative: 'update credit_account set clawed_back = -1, total = total - clawed_back - 1',
  waiting_holds_are_open: 'update credit_account set waiting_holds = open_holds + 1',
  total_adds_up: 'update credit_account set total = total + 1',
  package_type_known: `insert into credit_package ${packageRow}, 'EXPIRED', 's', 1, 1, 0, 0, 0, 0, 0, now(), now())`,
  package_initial_positive: `insert into credit_package ${packageRow}, 'REFUND', 's', 0, 0, 0, 0, 0, 0, 0, now(), now())`,
  package_parts_not_negative: `update credit_package set remaining = remaining + frozen + 1, frozen = -1`,
  package_adds_up: 'update credit_package set used = used + 1',
  package_from_complete: `update credit_package set from_user_id = user_id`,
  package_taken_in_range: 'update credit_package set taken = clawed_back + 1',
  package_repaid_in_range: 'update credit_package set repaid = initial + 1',
  package_refund_claimed_in_range: 'update credit_package set refund_claimed = initial + 1',
  package_passed_on_in_range: 'update credit_package set assumed = refund_claimed + 1',
  refund_claim_part_in_range: `insert into credit_refund_claim values ('${idOf(2)}', 's', 'k', 1.5, now())`,
  credit_package_one_per_source: `update credit_package set source = 'the same'`,
  hold_credits_positive: `insert into credit_hold ${holdRow}, 0, 'frozen', now(), null)`,
  hold_state_known: `insert into credit_hold ${holdRow}, 1, 'lost', now(), now())`,
  hold_closed_when_not_frozen: `update credit_hold set state = 'settled' where state = 'frozen'`,
  hold_rest_is_a_part: `update credit_hold set rest = credits where state = 'settled'`,
  slice_credits_positive: `update credit_hold set package_credits = '{0}'`,
  transaction_type_known: `insert into credit_transaction ${transactionRow}, 'GIFT', 1, 1, now())`,
  transaction_moves_something: `insert into credit_transaction ${transactionRow}, 'REFUND', 0, 1, now())`,
  balance_after_not_negative: `insert into credit_transaction ${transactionRow}, 'REFUND', 1, -1, now())`,
  credit_transaction_pkey: 'update credit_transaction set n = 1',
  video_status_known: `update video set status = 'LOST' where status = 'PENDING'`,
  video_credits_positive: 'update video set credits = 0',
  video_second_rate_positive: 'update video set second_rate = 0',
  video_waiting_is_not_sent: `update video set is_waiting = true where status = 'COMPLETED'`,
  video_due_unless_final: `update video set due_at = null where status = 'PENDING'`,
  video_completed_has_film: `update video set video_key = null where status = 'COMPLETED'`,
  video_failed_has_reason: `update video set error = null where status = 'FAILED'`,
}

for (const [constraint, statement] of Object.entries(violations)) {
  test(`constraint ${constraint}: violated → rejected`, ofOnePostgres, async () => {
    const attempt = rolledBack(sql, (tx) => tx.unsafe(statement).simple())
    await assert.rejects(attempt, (error: postgres.PostgresError) => {
      assert.equal(error.constraint_name, constraint, error.message)
      return true
    })
  })
}

test('check constraints: on the credit tables → each is tested here', ofOnePostgres, async () => {
  const checks = await sql<{ name: string }[]>`
    select conname as name from pg_constraint where contype = 'c' and conrelid::regclass::text like 'kinora.credit_%'
  `
  assert.deepEqual(
    checks.map((check) => check.name).filter((name) => !(name in violations)),
    [],
  )
})

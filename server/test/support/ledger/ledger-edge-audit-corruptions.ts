/** Corruptions of what administrators corrected, and of the audit log. */
import type { EdgeCorruption } from './corruption.ts'
import { BOB, GRANT, OTHER, ROOT } from './ledger-edge-fixture.ts'

export const edgeAuditCorruptions: EdgeCorruption[] = [
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
    name: 'audit: amounts that are no numbers',
    sql: `update audit set after = after || '{"credits": "many", "expiresAt": "never"}' where user_id = '${BOB}'`,
    rules: [
      'expiries are reversed as the audit log says',
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

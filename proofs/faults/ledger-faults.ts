/**
 * Planted faults of the ledger, at its edges: release, grace, clock, refund claims, grants, corrections, the history. One-line changes of
 * server/sql, each of which a test must find (planted-faults.ts); those of sets are in ledger-set-faults.ts.
 */
import { type Fault, faultsIn } from './fault.ts'

export const ledgerFaults: Fault[] = [
  ...faultsIn('sql/credit_release.sql', [
    [
      'release: claims on the root are overlooked for its grace packages',
      'when (s.r).refund_claimed > 0 then',
      'when (s.p).refund_claimed > 0 then',
    ],
    ['release: the hold stays counted as open', '-hold_credits, 0, 0, 0, -1,', '-hold_credits, 0, 0, 0, 0,'],
    [
      'release: credits past the end of their grace stay available',
      'usable_until <= p_now as is_expired',
      'usable_until < p_now as is_expired',
    ],
  ]),
  ...faultsIn('sql/credit_grace.sql', [
    [
      'grace: each grace package of a chain gets the minimum again',
      "case when (p_package).parent_id is null then interval '10 minutes' end",
      "interval '10 minutes'",
    ],
    ['grace: REFUND_GRACE each time, as before', '(p_package).expires_at - p_frozen_at,', 'p_grace,'],
    [
      'grace: a chain is bounded by the package before it and not by its root',
      'kinora.credit_last_expiry(p_root) + p_grace',
      '(p_package).expires_at + p_grace',
    ],
    [
      'grace: a chain ends after its root although its expiry was reversed',
      'kinora.credit_last_expiry(p_root) + p_grace',
      '(p_root).expires_at + p_grace',
    ],
  ]),
  ...faultsIn('sql/credit.sql', [
    [
      'freeze: no cap without p_max_open',
      'least(nullif(greatest(p_max_open[v_n], 0), 0), 1000000)',
      'nullif(greatest(p_max_open[v_n], 0), 0)',
    ],
  ]),
  ...faultsIn('sql/credit_lock.sql', [
    [
      'clock: credit_lock does not check it',
      'perform kinora.check_clock(p_now);\n  if p_now is null then',
      'if p_now is null then',
    ],
  ]),
  ...faultsIn('sql/clock.sql', [
    [
      'clock: a time in the past is refused, not one ahead',
      'p_now > clock_timestamp() + kinora.clock_limit()',
      'p_now < clock_timestamp() - kinora.clock_limit()',
    ],
  ]),
  ...faultsIn('sql/credit_refund_claim.sql', [
    [
      'claim: a reversed claim still counts',
      'and source = p_source and reversed_at is null;',
      'and source = p_source;',
    ],
    ['claim: matching forgets that a claim was reversed', 'min(c.reversed_at)', 'null::timestamptz'],
    [
      'reversal: the package that expires first gets back first',
      'order by expires_at desc, created_at desc, id desc',
      'order by expires_at, created_at, id',
    ],
    [
      'reversal: gives back what an administrator took',
      'clawed_back - taken as clawed_back',
      'clawed_back as clawed_back',
    ],
    [
      'reversal: at the moment of expiry nothing is written off',
      'if v_package.expires_at <= p_now then',
      'if v_package.expires_at < p_now then',
    ],
    [
      'claim: what an administrator took meets it',
      'max(refund_claimed) - sum(clawed_back - taken)',
      'max(refund_claimed) - sum(clawed_back)',
    ],
    [
      'owed: expired credits are owed',
      'select r.id, least(r.refund_claimed - f.clawed_back, f.used + f.frozen)',
      'select r.id, r.refund_claimed - f.clawed_back',
    ],
  ]),
  ...faultsIn('sql/credit_grant.sql', [
    [
      'grant: claims that came first are overlooked',
      'if exists (select from kinora.credit_refund_claim',
      'if false and exists (select from kinora.credit_refund_claim',
    ],
    [
      'grant: repeated by an administrator, it is audited twice',
      'if v_after.transactions > v_before.transactions then',
      'if true then',
    ],
  ]),
  ...faultsIn('sql/credit_correct.sql', [
    ['take: not counted as taken', ', taken = taken + v_taken', ''],
    ['take: the whole balance is refused', 'if available < p_credits then', 'if available <= p_credits then'],
    [
      'take: from the oldest package first',
      'order by expires_at, created_at, id',
      'order by created_at, expires_at, id',
    ],
    [
      'take: a dry run uses up the idempotency key',
      'case when v_account.available >= p_credits and not p_dry_run then v_audit_id end',
      'case when v_account.available >= p_credits then v_audit_id end',
    ],
    ['reverse expiry: the next expiry is overlooked', 'p_next_expiry_at => expires_at,', ''],
    [
      'reverse expiry: what is owed is not taken',
      'perform kinora.credit_claw_back(p_user_id, v_root.source, p_now);',
      '',
    ],
  ]),
  ...faultsIn('sql/credit_history.sql', [
    [
      'history: the hash leaves out the remark',
      'p_order_no, p_remark, p_actor_id,\n  p_source',
      "p_order_no, ''::text, p_actor_id,\n  p_source",
    ],
    ['history: a row does not continue the row before it', 'v_hash := v_account.history_hash;', "v_hash := '\\x';"],
    ['history: the head stays behind', 'history_hash = m.hash', 'history_hash = a.history_hash'],
    [
      'upgrade: claw-backs are completed as if they were additions',
      'where t.user_id = v_user_id and t.credits > 0',
      'where t.user_id = v_user_id',
    ],
  ]),
]

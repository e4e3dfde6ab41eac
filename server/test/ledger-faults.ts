/**
 * Planted faults: one-line changes of server/sql, at the edges of the ledger and of the kind that set-based code invites, each of
 * which a test must find. One file although it is long: it is a list.
 * `node bin/faults.mjs` plants one at a time (TEST_FAULT, database.ts) and runs the ledger's tests.
 */
import { readFileSync } from 'node:fs'

type Fault = { name: string; file: string; find: string; replace: string }

export const faults: Fault[] = [
  {
    name: 'release: claims on the root are overlooked for its grace packages',
    file: 'credit_release.sql',
    find: 'when (s.r).refund_claimed > 0 then',
    replace: 'when (s.p).refund_claimed > 0 then',
  },
  {
    name: 'release: the hold stays counted as open',
    file: 'credit_release.sql',
    find: '-hold_credits, 0, 0, 0, -1,',
    replace: '-hold_credits, 0, 0, 0, 0,',
  },
  {
    name: 'release: credits past the end of their grace stay available',
    file: 'credit_release.sql',
    find: 'usable_until <= p_now as is_expired',
    replace: 'usable_until < p_now as is_expired',
  },
  {
    name: 'grace: each grace package of a chain gets the minimum again',
    file: 'credit_grace.sql',
    find: "case when (p_package).parent_id is null then interval '10 minutes' end",
    replace: "interval '10 minutes'",
  },
  {
    name: 'grace: REFUND_GRACE each time, as before',
    file: 'credit_grace.sql',
    find: '(p_package).expires_at - p_frozen_at,',
    replace: 'p_grace,',
  },
  {
    name: 'grace: a chain is bounded by the package before it and not by its root',
    file: 'credit_grace.sql',
    find: '(p_root).expires_at + p_grace',
    replace: '(p_package).expires_at + p_grace',
  },
  {
    name: 'freeze: no cap without p_max_open',
    file: 'credit.sql',
    find: 'least(nullif(greatest(p_max_open[v_n], 0), 0), 1000000)',
    replace: 'nullif(greatest(p_max_open[v_n], 0), 0)',
  },
  {
    name: 'clock: credit_lock does not check it',
    file: 'credit_lock.sql',
    find: 'perform kinora.check_clock(p_now);',
    replace: '',
  },
  {
    name: 'clock: a time in the past is refused, not one ahead',
    file: 'clock.sql',
    find: 'p_now > clock_timestamp() + kinora.clock_limit()',
    replace: 'p_now < clock_timestamp() - kinora.clock_limit()',
  },
  {
    name: 'claim: a reversed claim still counts',
    file: 'credit_claim.sql',
    find: 'and source = p_source and reversed_at is null',
    replace: 'and source = p_source',
  },
  {
    name: 'claim: matching forgets that a claim was reversed',
    file: 'credit_claim.sql',
    find: 'min(c.reversed_at)',
    replace: 'null::timestamptz',
  },
  {
    name: 'reversal: the package that expires first gets back first',
    file: 'credit_claim.sql',
    find: 'order by expires_at desc, created_at desc, id desc',
    replace: 'order by expires_at, created_at, id',
  },
  {
    name: 'reversal: gives back what an administrator took',
    file: 'credit_claim.sql',
    find: 'clawed_back - taken as clawed_back',
    replace: 'clawed_back as clawed_back',
  },
  {
    name: 'reversal: at the moment of expiry nothing is written off',
    file: 'credit_claim.sql',
    find: 'if v_package.expires_at <= p_now then',
    replace: 'if v_package.expires_at < p_now then',
  },
  {
    name: 'claim: what an administrator took meets it',
    file: 'credit_claim.sql',
    find: 'max(refund_claimed) - sum(clawed_back - taken)',
    replace: 'max(refund_claimed) - sum(clawed_back)',
  },
  {
    name: 'owed: expired credits are owed',
    file: 'credit_claim.sql',
    find: 'select r.id, least(r.refund_claimed - f.clawed_back, f.used + f.frozen)',
    replace: 'select r.id, r.refund_claimed - f.clawed_back',
  },
  {
    name: 'grant: claims that came first are overlooked',
    file: 'credit_grant.sql',
    find: 'if exists (select from kinora.credit_refund_claim',
    replace: 'if false and exists (select from kinora.credit_refund_claim',
  },
  {
    name: 'grant: repeated by an administrator, it is audited twice',
    file: 'credit_grant.sql',
    find: 'if v_after.transactions > v_before.transactions then',
    replace: 'if true then',
  },
  {
    name: 'take: not counted as taken',
    file: 'credit_correct.sql',
    find: ', taken = taken + v_taken',
    replace: '',
  },
  {
    name: 'take: the whole balance is refused',
    file: 'credit_correct.sql',
    find: 'if available < p_credits then',
    replace: 'if available <= p_credits then',
  },
  {
    name: 'take: from the oldest package first',
    file: 'credit_correct.sql',
    find: 'order by expires_at, created_at, id',
    replace: 'order by created_at, expires_at, id',
  },
  {
    name: 'take: a dry run uses up the idempotency key',
    file: 'credit_correct.sql',
    find: 'case when v_account.available >= p_credits and not p_dry_run then v_audit_id end',
    replace: 'case when v_account.available >= p_credits then v_audit_id end',
  },
  {
    name: 'reverse expiry: the next expiry is overlooked',
    file: 'credit_correct.sql',
    find: 'p_next_expiry_at => expires_at,',
    replace: '',
  },
  {
    name: 'reverse expiry: what is owed is not taken',
    file: 'credit_correct.sql',
    find: 'perform kinora.credit_claw_back(p_user_id, v_root.source, p_now);',
    replace: '',
  },
  {
    name: 'history: the hash leaves out the remark',
    file: 'credit_history.sql',
    find: 'p_order_no, p_remark, p_actor_id,\n  p_source',
    replace: "p_order_no, ''::text, p_actor_id,\n  p_source",
  },
  {
    name: 'history: a row does not continue the row before it',
    file: 'credit_history.sql',
    find: 'kinora.history_chain(\n             history_hash,',
    replace: "kinora.history_chain(\n             '\\x',",
  },
  {
    name: 'history: the head stays behind',
    file: 'credit_history.sql',
    find: 'history_hash = m.hash',
    replace: 'history_hash = a.history_hash',
  },
  {
    name: 'upgrade: claw-backs are completed as if they were additions',
    file: 'credit_history.sql',
    find: 'where t.user_id = v_user_id and t.credits > 0',
    replace: 'where t.user_id = v_user_id',
  },
  {
    name: 'set: credits of an earlier request can be frozen again',
    file: 'credit.sql',
    find: 'v_available := v_available - p_credits[v_n];',
    replace: '',
  },
  {
    name: 'set: a cap crossed in the middle is not noticed',
    file: 'credit.sql',
    find: 'v_open_holds := v_open_holds + 1;',
    replace: '',
  },
  {
    name: 'set: the same hold twice is frozen twice',
    file: 'credit.sql',
    find: 'v_hold_ids := v_hold_ids || p_hold_ids[v_n];',
    replace: '',
  },
  {
    name: 'set: the open holds of the account before are kept',
    file: 'credit.sql',
    find: 'v_open_holds := v_account.open_holds;',
    replace: 'v_open_holds := coalesce(v_open_holds, v_account.open_holds);',
  },
  {
    name: 'set: the last credit of a package is left',
    file: 'credit.sql',
    find: 'if v_remaining[v_package] = 0 then',
    replace: 'if v_remaining[v_package] <= 1 then',
  },
  {
    name: 'set: packages by creation and not by expiry',
    file: 'credit.sql',
    find: 'select array_agg(p.id order by p.expires_at, p.created_at, p.id) as ids,',
    replace: 'select array_agg(p.id order by p.created_at, p.expires_at, p.id) as ids,',
  },
  {
    name: 'set: of several slices of a package one is counted',
    file: 'credit.sql',
    find: 'from (select user_id, package_id, sum(credits) as credits from slice',
    replace: 'from (select user_id, package_id, max(credits) as credits from slice',
  },
  {
    name: 'set: history rows against the sequence of requests',
    file: 'credit.sql',
    find: '    order by n\n  )\n  into v_movements\n  from unnest(v_frozen) n;',
    replace: '    order by n desc\n  )\n  into v_movements\n  from unnest(v_frozen) n;',
  },
  {
    name: 'set: settling takes one slice of a package',
    file: 'credit.sql',
    find: 'select h.user_id, s.package_id, sum(s.credits) as credits',
    replace: 'select h.user_id, s.package_id, max(s.credits) as credits',
  },
  {
    name: 'set: settling counts one hold of an account',
    file: 'credit.sql',
    find: 'open_holds = a.open_holds - s.holds',
    replace: 'open_holds = a.open_holds - 1',
  },
  {
    name: 'set: settling uses the largest hold of an account',
    file: 'credit.sql',
    find: 'select user_id, sum(credits) as credits, count(*) as holds',
    replace: 'select user_id, max(credits) as credits, count(*) as holds',
  },
  {
    name: 'set: the last of two releases of one hold decides',
    file: 'credit_release.sql',
    find: 'order by user_id, hold_id, n\n  ),',
    replace: 'order by user_id, hold_id, n desc\n  ),',
  },
  {
    name: 'set: claims on one package take from another',
    file: 'credit_release.sql',
    find: 'window earlier as (partition by user_id, root_id order by n, k)',
    replace: 'window earlier as (partition by user_id order by n, k)',
  },
  {
    name: 'set: claims take in the sequence of packages',
    file: 'credit_release.sql',
    find: 'window earlier as (partition by user_id, root_id order by n, k)',
    replace: 'window earlier as (partition by user_id, root_id order by k, n)',
  },
  {
    name: 'set: each slice is taken for the whole claim',
    file: 'credit_release.sql',
    find: 'least(sum(credits) over earlier - credits, owed)',
    replace: '0',
  },
  {
    name: 'set: of several graces of a package one is moved',
    file: 'credit_release.sql',
    find: 'coalesce(sum(rest) filter (where grace_id is not null), 0) as moved',
    replace: 'coalesce(max(rest) filter (where grace_id is not null), 0) as moved',
  },
  {
    name: 'set: credits that leave come before the release',
    file: 'credit_release.sql',
    find: 'array_agg(m order by n, k, step)',
    replace: 'array_agg(m order by n, step desc, k)',
  },
  {
    name: 'set: at the moment of expiry nothing is written off',
    file: 'credit_lock.sql',
    find: 'where user_id = any(v_expired_ids) and expires_at <= p_now and remaining > 0',
    replace: 'where user_id = any(v_expired_ids) and expires_at < p_now and remaining > 0',
  },
  {
    name: 'set: expired credits of one account only',
    file: 'credit_lock.sql',
    find: 'v_expired_ids := v_locked.expired;',
    replace: 'v_expired_ids := v_locked.expired[1:1];',
  },
  {
    name: 'set: accounts are locked in the sequence of requests',
    file: 'credit_lock.sql',
    find: 'order by user_id\n    for no key update\n  ) a;',
    replace: 'order by array_position(p_user_ids, user_id)\n    for no key update\n  ) a;',
  },
  {
    name: 'set: each row has the balance before the set',
    file: 'credit_history.sql',
    find: 'a.available + sum(m.credits) over movements as balance_after',
    replace: 'a.available + m.credits as balance_after',
  },
  {
    name: 'set: the chain runs across accounts',
    file: 'credit_history.sql',
    find: 'over (partition by user_id order by n) as hash\n    from entry',
    replace: 'over (order by n) as hash\n    from entry',
  },
  {
    name: 'set: the head is the hash of the first row',
    file: 'credit_history.sql',
    find: '(array_agg(hash order by n desc))[1]',
    replace: '(array_agg(hash order by n))[1]',
  },
  {
    name: 'set: the next expiry is the latest',
    file: 'credit_history.sql',
    find: 'min(next_expiry_at) as next_expiry_at, max(n)',
    replace: 'max(next_expiry_at) as next_expiry_at, max(n)',
  },
  {
    name: 'set: the same key twice creates two videos',
    file: 'video_generate.sql',
    find: 'case when key is not null then row_number() over (partition by user_id, key order by ordinality) end',
    replace: '1',
  },
  {
    name: 'set: the same id twice',
    file: 'video_generate.sql',
    find: 'count(distinct (user_id, id)) < count(*) or',
    replace: '',
  },
  {
    name: 'set: a second step of a video does not see the first',
    file: 'video_apply.sql',
    find: 'if v_is_same is not true then',
    replace: 'if true then',
  },
  {
    name: 'set: of two steps of a video the first one is written',
    file: 'video_apply.sql',
    find: 'order by (video).user_id, (video).id, ordinality desc',
    replace: 'order by (video).user_id, (video).id, ordinality',
  },
]

/** Returns the text of the SQL file with the fault. @throws Error when the file has changed and the fault no longer fits */
export function faultySql(name: string): string {
  const fault = faults.find((each) => each.name === name)
  if (!fault) throw new Error(`there is no fault "${name}"`)
  const text = readFileSync(new URL(`../sql/${fault.file}`, import.meta.url), 'utf8')
  if (text.split(fault.find).length !== 2) throw new Error(`"${fault.find}" must be in ${fault.file} once`)
  return text.replace(fault.find, () => fault.replace)
}

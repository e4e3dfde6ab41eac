/**
 * Planted faults: one-line changes of server/sql at the edges of the ledger, each of which a test must find.
 * `node bin/faults.mjs` plants one at a time (TEST_FAULT, database.ts) and runs the ledger's tests.
 */
import { readFileSync } from 'node:fs'

type Fault = { name: string; file: string; find: string; replace: string }

export const faults: Fault[] = [
  {
    name: 'release: claims on the root are overlooked for its grace packages',
    file: 'credit.sql',
    find: 'if (v_slice.root).refund_claimed > 0 then',
    replace: 'if (v_slice.package).refund_claimed > 0 then',
  },
  {
    name: 'release: a claim is asked for once per hold and not once per slice',
    file: 'credit.sql',
    find: 'kinora.credit_claim_shortfall(p_user_id, (v_slice.root).id)',
    replace: '(v_slice.root).refund_claimed - (v_slice.root).clawed_back',
  },
  {
    name: 'release: the hold stays counted as open',
    file: 'credit.sql',
    find: 'p_open_holds => -1',
    replace: 'p_open_holds => 0',
  },
  {
    name: 'release: credits past the end of their grace stay available',
    file: 'credit.sql',
    find: 'expired = expired + case when v_expires_at <= p_now then v_rest else 0 end',
    replace: 'expired = expired + case when v_expires_at < p_now then v_rest else 0 end',
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
    find: 'least(nullif(greatest(p_max_open, 0), 0), 1000000)',
    replace: 'nullif(greatest(p_max_open, 0), 0)',
  },
  {
    name: 'clock: credit_lock does not check it',
    file: 'credit.sql',
    find: 'perform kinora.check_clock(p_now);\n  select * into v_account',
    replace: 'select * into v_account',
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
    find: '(p_row).remark,',
    replace: "''::text,",
  },
  {
    name: 'history: a row does not continue the row before it',
    file: 'credit_history.sql',
    find: 'kinora.history_hash(p_account.history_hash,',
    replace: "kinora.history_hash('\\x',",
  },
  {
    name: 'history: the head stays behind',
    file: 'credit_history.sql',
    find: 'history_hash = v_row.hash',
    replace: 'history_hash = history_hash',
  },
  {
    name: 'upgrade: claw-backs are completed as if they were additions',
    file: 'credit_history.sql',
    find: 'where t.user_id = v_user_id and t.credits > 0',
    replace: 'where t.user_id = v_user_id',
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

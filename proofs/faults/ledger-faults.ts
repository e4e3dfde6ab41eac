/** Planted faults of the ledger: one-line changes of server/sql, each of which a test must find (planted-faults.ts). */
import { type Fault, faultsIn } from './fault.ts'

export const ledgerFaults: Fault[] = [
  // The edges: release, grace, clock, refund claims, grants, corrections, the history.
  ...faultsIn('sql/credit.sql', [
    [
      'freeze: an account whose first packages are too small is not read again',
      'if v_read.is_short is not true then',
      'if true then',
    ],
  ]),
  ...faultsIn('sql/credit_release.sql', [
    [
      'release: claims on the root are overlooked for its grace packages',
      'when (s.r).refund_claimed > 0 then',
      'when (s.p).refund_claimed > 0 then',
    ],
    ['release: the hold stays counted as open', 'case when is_rest then 0 else -1 end', '0'],
    ['rest of a hold: it is closed twice', 'case when is_rest then 0 else -1 end', '-1'],
    [
      'release: credits past the end of their grace stay available',
      'if v_slice.usable_until <= p_now then',
      'if v_slice.usable_until < p_now then',
    ],
  ]),
  ...faultsIn('sql/credit_settle.sql', [
    [
      'set: settling takes one slice of a package',
      'sum(s.credits - coalesce(s.rest, 0)) as credits',
      'max(s.credits - coalesce(s.rest, 0)) as credits',
    ],
    [
      'set: settling counts one hold of an account',
      'open_holds = a.open_holds - s.holds',
      'open_holds = a.open_holds - 1',
    ],
    [
      'set: settling uses the largest hold of an account',
      'select user_id, sum(credits) as credits, count(*) as holds',
      'select user_id, max(credits) as credits, count(*) as holds',
    ],
    [
      'settle: of several requests for a hold the last one counts',
      'order by user_id, hold_id, ordinality\n',
      'order by user_id, hold_id, ordinality desc\n',
    ],
    ['rest of a hold: it stays frozen', 'if v_settled.with_rest is not null then', 'if false then'],
    [
      'rest of a hold: the packages that are used first give back',
      'in reverse cardinality(p_package_credits) .. 1 loop',
      'in 1 .. cardinality(p_package_credits) loop',
    ],
    [
      'rest of a hold: it ends at another time than its row says',
      'case when d.credits < h.credits then kinora.credit_row_time(h.user_id, p_now) else p_now end',
      'p_now',
    ],
  ]),
  ...faultsIn('sql/api_key.sql', [['rest of a hold: its key has the video back', ' filter (where not is_rest)', '']]),
  ...faultsIn('sql/video_row.sql', [
    [
      'price by length: a second that was begun is free',
      'ceil(p_film_duration_s - 0.1)',
      'floor(p_film_duration_s - 0.1)',
    ],
    ['price by length: more than was frozen', 'least(p_credits, greatest(1, ', 'greatest(p_credits, greatest(1, '],
    ['price by length: the remainder of a fraction is a credit', ' - 1e-9', ''],
  ]),
  ...faultsIn('sql/video_steps.sql', [
    [
      'price by length: what was frozen is settled',
      'kinora.video_cost(p_video.credits, p_video.second_rate, p_step.duration_s)',
      'p_video.credits',
    ],
  ]),
  ...faultsIn('sql/video_apply.sql', [
    ['price by length: the video shows what was frozen', '      credits = d.credits,\n', ''],
  ]),
  ...faultsIn('sql/credit_release.sql', [
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
    ['freeze: no cap without p_max_open', 'v_account.open_holds + v_size > 1000000\n        or ', ''],
  ]),
  ...faultsIn('sql/credit.sql', [
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
      'reversal: the package that expires first gets back first',
      'order by is_collected desc, expires_at desc, created_at desc, id desc',
      'order by is_collected desc, expires_at, created_at, id',
    ],
    [
      'reversal: gives back what an administrator took',
      'else clawed_back - taken - collected end as credits',
      'else clawed_back - collected end as credits',
    ],
    [
      'reversal: at the moment of expiry nothing is written off',
      'expires_at > p_now as is_usable',
      'expires_at >= p_now as is_usable',
    ],
    [
      'reversal: more comes back than was collected for it',
      'case when v_package.is_collected then p_root.repaid - v_repaid end',
      'null',
    ],
    [
      'reversal: claims on a package that gets credits back are overlooked',
      'r.id = v_package.root_id and r.id <> p_root.id and r.refund_claimed > 0;',
      'false;',
    ],
  ]),
  ...faultsIn('sql/credit_owed.sql', [
    [
      'claim: what an administrator took meets it',
      'sum(clawed_back - taken - collected) as missing',
      'sum(clawed_back - collected) as missing',
    ],
    [
      'claim: what other packages paid is taken again',
      'max(refund_claimed) - max(repaid) - sum',
      'max(refund_claimed) - sum',
    ],
    [
      'claim: what was forgiven is taken again',
      'then greatest(0, w.missing - w.forgiven)',
      'then greatest(0, w.missing)',
    ],
    [
      'owed: expired credits are owed',
      ',\n      sum(p.used + p.frozen + p.collected) + r.assumed - r.passed_on\n',
      '\n',
    ],
    ['owed: what paid for another package is not', 'sum(p.used + p.frozen + p.collected)', 'sum(p.used + p.frozen)'],
    ['owed: what a deleted team owed is not', ' + r.assumed', ''],
    ['owed: a deleted team owes what its payer owes since', ' - r.passed_on', ''],
    ['owed: what was forgiven is owed', ')::bigint - r.repaid - r.forgiven as owed', ')::bigint - r.repaid as owed'],
    [
      'collect: from the oldest package first',
      'sum(remaining) over (order by expires_at, created_at, id)',
      'sum(remaining) over (order by created_at, expires_at, id)',
    ],
    ['collect: by an addition, other packages pay too', 'and (p_package_id is null or id = p_package_id)', ''],
    ['collect: a dry run moves credits', 'continue when p_dry_run;', ''],
    ['forgive: more than asked for', 'least(o.until, p_credits) - (o.until - o.owed)', 'o.owed'],
    [
      'settle owed: a dry run uses up the idempotency key',
      "case when outcome = 'settled' and not p_dry_run then v_audit_id end",
      "case when outcome = 'settled' then v_audit_id end",
    ],
  ]),
  ...faultsIn('sql/clock.sql', [
    [
      'clock: a process behind grants from its own time on',
      'then statement_timestamp() else p_now end',
      'then p_now else p_now end',
    ],
  ]),
  ...faultsIn('sql/credit_grant.sql', [
    [
      'clock: a gift of a process behind ends too early',
      '  p_expires_at := p_expires_at + (kinora.time_of_grant(p_now) - p_now);\n  -- The limits of the gift',
      '  -- The limits of the gift',
    ],
    ['grant: what is owed is collected though OWED is keep', 'if p_collects then', 'if true then'],
    ['grant: the setting OWED is not passed on', 'p_admin_id, p_collects', 'p_admin_id'],
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
    [
      'history: a row does not continue the row before it',
      'v_account.available, v_account.history_hash, v_account.at);',
      "v_account.available, '\\x', v_account.at);",
    ],
    ['history: its times run back', 'greatest(p_now, a.moved_at) as at', 'p_now as at'],
    [
      'history: a package is older than its row',
      'return greatest(p_now, (select moved_at',
      'return least(p_now, (select moved_at',
    ],
    ['history: the head stays behind', 'history_hash = m.hash', 'history_hash = a.history_hash'],
  ]),

  // What set-based code invites: one request of a set is taken for another, or one row for several.
  ...faultsIn('sql/credit.sql', [
    [
      'set: credits of an earlier request can be frozen again',
      'v_account.available := v_account.available - v_request.credits;',
      '',
    ],
    ['set: a cap crossed in the middle is not noticed', 'v_account.open_holds := v_account.open_holds + 1;', ''],
    [
      'batch: the credits for its first film are enough',
      'elsif v_account.available < v_credits then',
      'elsif v_account.available < v_request.credits then',
    ],
    [
      'batch: it may pass the cap by all but one',
      'or v_account.open_holds - v_account.waiting_holds + v_size >',
      'or v_account.open_holds - v_account.waiting_holds + 1 >',
    ],
    [
      'batch: the films after one that was refused are made',
      "elsif v_size = 0 and outcomes[v_n - 1] <> 'frozen' then",
      'elsif false then',
    ],
    ['set: the same hold twice is frozen twice', 'v_account.hold_ids := v_account.hold_ids || v_request.hold_id;', ''],
    [
      'set: the package of the account before is taken from',
      '    v_package := 1;\n    v_taken := 0;\n    while',
      '    v_package := coalesce(v_package, 1);\n    v_taken := 0;\n    while',
    ],
    [
      'set: the last credit of a package is left',
      'if v_taken = v_account.package_credits[v_package] then',
      'if v_taken >= v_account.package_credits[v_package] - 1 then',
    ],
    [
      'set: packages by creation and not by expiry',
      'select array_agg(p.id order by p.expires_at, p.created_at, p.id) as ids,',
      'select array_agg(p.id order by p.created_at, p.expires_at, p.id) as ids,',
    ],
    ['set: the rest of the last package is not taken', 'if v_taken > 0 then', 'if v_taken > 1 then'],
    [
      'set: what was taken from a package is taken from the next one too',
      '          v_package := v_package + 1;\n          v_taken := 0;',
      '          v_package := v_package + 1;',
    ],
    [
      'set: of several slices of a package one is counted',
      'v_taken := v_taken + v_credits;',
      'v_taken := greatest(v_taken, v_credits);',
    ],
  ]),
  ...faultsIn('sql/credit_history.sql', [
    [
      'set: history rows against the sequence of requests',
      'array_agg(ordinality::integer order by ordinality) as positions',
      'array_agg(ordinality::integer order by ordinality desc) as positions',
    ],
    [
      'set: each row has the balance before the set',
      'v_row.balance_after := v_row.balance_after + v_m.credits;',
      'v_row.balance_after := v_account.available + v_m.credits;',
    ],
    [
      'set: the chain runs across accounts',
      'v_account.available, v_account.history_hash, v_account.at);',
      'v_account.available, coalesce(v_row.hash, v_account.history_hash), v_account.at);',
    ],
    [
      'set: the head is the hash of the first row',
      'heads := heads || v_row;',
      'heads := heads || row(v_row.n, null, null, null, (numbered[v_account.positions[1]]).hash)::kinora.numbered_row;',
    ],
    [
      'set: the next expiry is the latest',
      'p_next_expiry_at => min(next_expiry_at)',
      'p_next_expiry_at => max(next_expiry_at)',
    ],
  ]),
  ...faultsIn('sql/credit_release.sql', [
    [
      'set: the last of two releases of one hold decides',
      'order by user_id, hold_id, ordinality\n  ),',
      'order by user_id, hold_id, ordinality desc\n  ),',
    ],
    [
      'set: claims on one package take from another',
      'v_root := array_position(v_roots, v_slice.root_id);',
      'v_root := nullif(cardinality(v_roots), 0);',
    ],
    [
      'set: claims take in the order of packages',
      'order by d.ordinality, (s.p).expires_at, (s.p).created_at, (s.p).id\n  )',
      'order by (s.p).expires_at, (s.p).created_at, (s.p).id, d.ordinality\n  )',
    ],
    ['set: each slice is taken for the whole claim', 'v_owed[v_root] := v_owed[v_root] - v_decision.taken;', ''],
    ['set: of several graces of a package one is moved', 'sum(moved) as moved', 'max(moved) as moved'],
    ['set: credits that leave come before the release', 'order by n, step\n', 'order by n, step desc\n'],
  ]),
  ...faultsIn('sql/credit.sql', [
    [
      'set: at the moment of expiry nothing is written off',
      'where user_id = any(p_user_ids) and expires_at <= p_now and remaining > 0',
      'where user_id = any(p_user_ids) and expires_at < p_now and remaining > 0',
    ],
    [
      'set: expired credits of one account only',
      'and next_expiry_at <= p_now order by user_id',
      'and next_expiry_at <= p_now order by user_id limit 1',
    ],
    [
      'set: accounts are locked in the order of requests',
      'order by user_id\n    for no key update\n  ) a;',
      'order by array_position(p_user_ids, user_id)\n    for no key update\n  ) a;',
    ],
  ]),
  ...faultsIn('sql/video_generate.sql', [
    [
      'set: the same key twice creates two videos',
      'case when key is null then 1 else row_number() over (partition by user_id, key order by ordinality) end',
      '1',
    ],
  ]),
  ...faultsIn('sql/video_apply.sql', [
    [
      'set: a second step of a video does not see the first',
      'if (v_row.user_id = v_video.user_id and v_row.id = v_video.id) is not true then',
      'if true then',
    ],
    [
      'set: a last step that changes nothing drops what the steps before it did',
      'v_is_changed := v_is_changed or v_decision.is_changed;',
      'v_is_changed := v_decision.is_changed;',
    ],
  ]),

  // The budget of an API key.
  ...faultsIn('sql/credit.sql', [
    [
      'budget: not lowered by the requests before in the set',
      'p_budgets[v_key] := p_budgets[v_key] - v_request.credits;',
      'p_budgets[v_key] := p_budgets[v_key];',
    ],
    [
      'budget: that of a browser token does not count',
      'least(p_budgets[v_key], p_budgets[v_token], v_account.unspent)',
      'least(p_budgets[v_key], v_account.unspent)',
    ],
    [
      'budget: that of a user or team does not count',
      'least(p_budgets[v_key], p_budgets[v_token], v_account.unspent)',
      'least(p_budgets[v_key], p_budgets[v_token])',
    ],
    [
      'budget: the last credits of it cannot be spent',
      'elsif least(p_budgets[v_key], p_budgets[v_token], v_account.unspent) < v_credits then',
      'elsif least(p_budgets[v_key], p_budgets[v_token], v_account.unspent) <= v_credits then',
    ],
    [
      'budget: of a batch only the first film must be covered',
      'elsif least(p_budgets[v_key], p_budgets[v_token], v_account.unspent) < v_credits then',
      'elsif least(p_budgets[v_key], p_budgets[v_token], v_account.unspent) < v_request.credits then',
    ],
    [
      'budget: a hold that exists already is counted again',
      'perform kinora.api_key_use(v_decided.holds, p_now);',
      'perform kinora.api_key_use(p_requests, p_now);',
    ],
    [
      'budget: the holds of a set do not have their key',
      'select user_id, hold_id, credits, key_id, token_id, package_ids',
      'select user_id, hold_id, credits, (p_holds[1]).key_id, token_id, package_ids',
    ],
  ]),
  ...faultsIn('sql/api_key.sql', [
    ['budget: what was used before the set is forgotten', 'b.budget - u.used', 'b.budget'],
    [
      'budget: found by the key alone, of any user',
      'where k.user_id = r.user_id and k.id = r.key_id and k.budget is not null',
      'where k.id = r.key_id and k.budget is not null',
    ],
    [
      'budget: used anew each day instead of added',
      'set credits = u.credits + excluded.credits,',
      'set credits = excluded.credits,',
    ],
    [
      'budget: a released hold is not given back',
      'set credits = u.credits - d.credits, videos',
      'set credits = u.credits, videos',
    ],
    [
      'budget: a released hold is given back to the day of its release',
      "(frozen_at at time zone 'utc')::date as day",
      "(now() at time zone 'utc')::date as day",
    ],
    [
      'budget: the first day of a period does not count',
      'd.day >= kinora.api_key_period_start',
      'd.day > kinora.api_key_period_start',
    ],
    [
      'budget: later periods count for earlier ones',
      ' and d.day < kinora.api_key_period_end(b.budget_period, a.row_time)',
      '',
    ],
    [
      'budget: checked for the day of the clock, counted for that of the last movement',
      'greatest(p_now, max(c.moved_at)) as row_time',
      'p_now as row_time',
    ],
    [
      'budget: periods by the time zone of the session',
      "date_trunc(p_period, p_time at time zone 'utc')",
      "date_trunc(p_period, p_time at time zone 'Asia/Tokyo')",
    ],
  ]),
  ...faultsIn('sql/video_generate.sql', [
    [
      'set: a later round freezes the holds of the first requests',
      'array(select v_requests[n] from unnest(v_positions) n)',
      'v_requests[1 : cardinality(v_positions)]',
    ],
  ]),
]

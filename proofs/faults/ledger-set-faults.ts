/**
 * Planted faults of the kind that set-based code invites: one request of a set is taken for another, or one row for several. One-line
 * changes of server/sql, each of which a test must find (planted-faults.ts).
 */
import { type Fault, faultsIn } from './fault.ts'

export const ledgerSetFaults: Fault[] = [
  ...faultsIn('sql/credit.sql', [
    ['set: credits of an earlier request can be frozen again', 'v_available := v_available - p_credits[v_n];', ''],
    ['set: a cap crossed in the middle is not noticed', 'v_open_holds := v_open_holds + 1;', ''],
    ['set: the same hold twice is frozen twice', 'v_hold_ids := v_hold_ids || p_hold_ids[v_n];', ''],
    [
      'set: the open holds of the account before are kept',
      'v_open_holds := v_account.open_holds;',
      'v_open_holds := coalesce(v_open_holds, v_account.open_holds);',
    ],
    [
      'set: the last credit of a package is left',
      'if v_remaining[v_package] = 0 then',
      'if v_remaining[v_package] <= 1 then',
    ],
    [
      'set: packages by creation and not by expiry',
      'select array_agg(p.id order by p.expires_at, p.created_at, p.id) as ids,',
      'select array_agg(p.id order by p.created_at, p.expires_at, p.id) as ids,',
    ],
    ['set: the rest of the last package is not taken', 'if v_taken > 0 then', 'if v_taken > 1 then'],
    [
      'set: what was taken from a package is taken from the next one too',
      '            v_package := v_package + 1;\n            v_taken := 0;',
      '            v_package := v_package + 1;',
    ],
    [
      'set: of several slices of a package one is counted',
      'v_taken := v_taken + v_credits;',
      'v_taken := greatest(v_taken, v_credits);',
    ],
    [
      'set: settling takes one slice of a package',
      'select h.user_id, s.package_id, sum(s.credits) as credits',
      'select h.user_id, s.package_id, max(s.credits) as credits',
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
  ]),
  ...faultsIn('sql/credit_history.sql', [
    [
      'set: history rows against the sequence of requests',
      'array_agg(ordinality::integer order by ordinality) as positions',
      'array_agg(ordinality::integer order by ordinality desc) as positions',
    ],
    [
      'set: each row has the balance before the set',
      'v_balance := v_balance + v_m.credits;',
      'v_balance := v_account.available + v_m.credits;',
    ],
    [
      'set: the chain runs across accounts',
      'v_hash := v_account.history_hash;',
      'v_hash := coalesce(v_hash, v_account.history_hash);',
    ],
    [
      'set: the head is the hash of the first row',
      'v_last_hashes := v_last_hashes || v_hash;',
      'v_last_hashes := v_last_hashes || v_hashes[v_account.positions[1]];',
    ],
    ['set: the next expiry is the latest', 'min(next_expiry_at), null,', 'max(next_expiry_at), null,'],
  ]),
  ...faultsIn('sql/credit_release.sql', [
    [
      'set: the last of two releases of one hold decides',
      'order by user_id, hold_id, n\n  ),',
      'order by user_id, hold_id, n desc\n  ),',
    ],
    [
      'set: claims on one package take from another',
      'window earlier as (partition by user_id, root_id order by n, k)',
      'window earlier as (partition by user_id order by n, k)',
    ],
    [
      'set: claims take in the sequence of packages',
      'window earlier as (partition by user_id, root_id order by n, k)',
      'window earlier as (partition by user_id, root_id order by k, n)',
    ],
    ['set: each slice is taken for the whole claim', 'least(sum(credits) over earlier - credits, owed)', '0'],
    [
      'set: of several graces of a package one is moved',
      'coalesce(sum(rest) filter (where grace_id is not null), 0) as moved',
      'coalesce(max(rest) filter (where grace_id is not null), 0) as moved',
    ],
    [
      'set: credits that leave come before the release',
      'array_agg(m order by n, k, step)',
      'array_agg(m order by n, step desc, k)',
    ],
  ]),
  ...faultsIn('sql/credit_lock.sql', [
    [
      'set: at the moment of expiry nothing is written off',
      'where user_id = any(v_expired_ids) and expires_at <= p_now and remaining > 0',
      'where user_id = any(v_expired_ids) and expires_at < p_now and remaining > 0',
    ],
    [
      'set: expired credits of one account only',
      'and next_expiry_at <= p_now order by user_id',
      'and next_expiry_at <= p_now order by user_id limit 1',
    ],
    [
      'set: accounts are locked in the sequence of requests',
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
]

/**
 * Planted faults of the budget of an API key: one-line changes of server/sql, each of which a test must find (planted-faults.ts).
 */
import { type Fault, faultsIn } from './fault.ts'

export const apiKeyBudgetFaults: Fault[] = [
  ...faultsIn('sql/credit.sql', [
    [
      'budget: not lowered by the requests before in the set',
      'v_left[v_key] := v_left[v_key] - p_credits[v_n];',
      'v_left[v_key] := v_left[v_key];',
    ],
    [
      'budget: the last credits of it cannot be spent',
      'elsif v_left[v_key] < p_credits[v_n] then',
      'elsif v_left[v_key] <= p_credits[v_n] then',
    ],
    [
      'budget: what was used before the set is forgotten',
      'b.budget - kinora.api_key_used(r.user_id, r.key_id, b.budget_period, p_now)',
      'b.budget',
    ],
    [
      'budget: found by the key alone, of any user',
      'where k.user_id = r.user_id and k.id = r.key_id and k.budget is not null',
      'where k.id = r.key_id and k.budget is not null',
    ],
    [
      'budget: a hold that exists already is counted again',
      'from unnest(frozen) n\n    where p_key_ids[n] is not null',
      'from generate_subscripts(p_key_ids, 1) n\n    where p_key_ids[n] is not null',
    ],
    [
      'budget: the holds of a set do not have their key',
      'p_credits[n], p_now, p_key_ids[n] from unnest(frozen) n',
      'p_credits[n], p_now, p_key_ids[1] from unnest(frozen) n',
    ],
    [
      'budget: used anew each day instead of added',
      'set credits = u.credits + excluded.credits,',
      'set credits = excluded.credits,',
    ],
  ]),
  ...faultsIn('sql/credit_release.sql', [
    [
      'budget: a released hold is not given back',
      'set credits = u.credits - d.credits, videos',
      'set credits = u.credits, videos',
    ],
    [
      'budget: a released hold is given back to the day of its release',
      "select user_id, key_id, (created_at at time zone 'utc')::date as day",
      "select user_id, key_id, (p_now at time zone 'utc')::date as day",
    ],
  ]),
  ...faultsIn('sql/api_key.sql', [
    [
      'budget: the first day of a period does not count',
      'u.day >= kinora.api_key_period_start',
      'u.day > kinora.api_key_period_start',
    ],
    ['budget: later periods count for earlier ones', ' and u.day < kinora.api_key_period_end(p_period, p_time)', ''],
    [
      'budget: periods by the time zone of the session',
      "date_trunc(p_period, p_time at time zone 'utc')",
      "date_trunc(p_period, p_time at time zone 'Asia/Tokyo')",
    ],
  ]),
  ...faultsIn('sql/video_generate.sql', [
    [
      'budget: a later round takes the keys of the first requests',
      'then array(select v_key_ids[n] from unnest(v_positions) n) end',
      'then v_key_ids end',
    ],
  ]),
]

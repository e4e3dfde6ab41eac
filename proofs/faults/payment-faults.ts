/** Planted faults of payments in server/sql: one-line changes, each of which a test must find (planted-faults.ts). */
import { type Fault, faultsIn } from './fault.ts'

export const paymentFaults: Fault[] = [
  ...faultsIn('sql/subscription.sql', [
    ['record: facts of an older event replace newer ones', 'and facts_sort_key <= v_sort_key', "and '' <= v_sort_key"],
    [
      'record: the status of an older event replaces a newer one',
      'and status_sort_key < v_sort_key',
      "and '' < v_sort_key",
    ],
    ['record: an event of the status alone removes the plan', "if p_facts ? 'plan' then", "if p_facts ? 'status' then"],
    [
      'record: an event of a product that is in no catalogue entry removes the plan',
      "coalesce(p_facts ->> 'plan', plan)",
      "p_facts ->> 'plan'",
    ],
    [
      'record: one is made for a product that is in no catalogue entry',
      "elsif p_facts ? 'onlyKnown' then",
      'elsif false then',
    ],
  ]),
  ...faultsIn('sql/payment.sql', [
    [
      'user: the named user comes before the one who was granted the payment',
      'where o.source is not null\n      order by r.n',
      'where false\n      order by r.n',
    ],
    [
      'grant: a payment may be of two users',
      'returning coalesce(o.user_id = p_user_id and o.source = p_source, false);',
      'returning true;',
    ],
    [
      'grant: refunds that came first are overlooked',
      'perform kinora.payment_recompute_returns(p_user_id, p_processor, v_source, p_now);\n          perform',
      'perform',
    ],
    [
      'link: an event rebinds another user’s customer',
      'where o.user_id = excluded.user_id and o.by_checkout < excluded.by_checkout',
      'where o.by_checkout < excluded.by_checkout',
    ],
    [
      'link: every customer counts as bound by a checkout',
      "coalesce((v_effect ->> 'byCheckout')::boolean, false)",
      'true',
    ],
    [
      'event: a refund whose payment is not known counts as applied',
      "if v_state = 'applied' and not v_is_erased and exists (",
      'if false and exists (',
    ],
    [
      'event: an unmatched event is not tried again',
      "when v_state = 'unmatched' then coalesce(retry_at, case when retries = 0 then v_retry_at end)",
      "when v_state = 'unmatched' then null",
    ],
    [
      'event: a failed event that asks for it is not tried again',
      "when v_state = 'failed' and p_retry then retry_at",
      '',
    ],
    [
      'event: a dismissed one is applied when it is delivered again',
      "if v_before.state = 'dismissed' and p_actor_id is null then",
      'if false then',
    ],
    [
      'event: applied by hand without an audit entry',
      "if v_state = 'applied' and p_actor_id is not null then",
      'if false then',
    ],
  ]),
  ...faultsIn('sql/payment_charge.sql', [
    [
      'charge: the time of the last event counts, not of the first',
      'set charged_at = least(c.charged_at, excluded.charged_at)',
      'set charged_at = excluded.charged_at',
    ],
    [
      'charge: worse evidence replaces better',
      'and (evidence, evidence_sort_key) > (',
      'and (evidence, evidence_sort_key) <> (',
    ],
    [
      'charge: better evidence changes nothing',
      'and (evidence, evidence_sort_key) > (',
      'and (evidence, evidence_sort_key) < (',
    ],
    ['charge: the period that it leaves is not settled', 'if v_before.period <> v_period then', 'if false then'],
    [
      'charge: refunds do not find a transaction by its id',
      'perform kinora.payment_link(p_user_id, p_processor, array[v_transaction], v_source, p_now);',
      '',
    ],
    [
      'period: an event that may repeat an older transaction proves a payment',
      'continue when v_charge.evidence = 3;',
      '',
    ],
    ['period: a plan change grants the full price', 'greatest(0, v_charge.credits - v_level)', 'v_charge.credits'],
    ['period: a plan change grants the difference for the whole period', '* coalesce(v_share, 0)', ''],
    [
      'period: a change down and up again grants again',
      'v_level := greatest(v_level, v_charge.credits);',
      'v_level := v_charge.credits;',
    ],
    ['period: transactions by id and not by time', 'order by charged_at, transaction', 'order by transaction'],
    ['period: every transaction grants the whole plan', 'if v_level is null then', 'if true then'],
    [
      'period: what is missing is granted in full once more',
      "'SUBSCRIPTION', v_worth - v_charge.granted,",
      "'SUBSCRIPTION', v_worth,",
    ],
    [
      'period: what is missing is not granted',
      'if v_worth > v_charge.granted then',
      'if v_worth > v_charge.granted and v_charge.granted = 0 then',
    ],
    [
      'period: what was granted too much is not taken back',
      'packages = v_charge.packages, worth = v_worth',
      'packages = v_charge.packages, worth = greatest(v_worth, v_charge.granted)',
    ],
    [
      'late: credits expire the moment they are granted',
      'p_expires_at <= p_now and p_valid_from < p_expires_at',
      'false',
    ],
    [
      'late: the history does not say so',
      "case when v_is_late then ', valid from when it was applied, because its event came late' else '' end",
      "''",
    ],
  ]),
  ...faultsIn('sql/payment_return.sql', [
    [
      'period: its own id stands for the transaction that was known first',
      'do update set source = excluded.source\n  where o.user_id = excluded.user_id;\n  if not found then',
      'do nothing;\n  if not found then',
    ],
    [
      'period: its refunds stay with the transaction that was known first',
      'r.source = v_before or r.source is null and',
      'r.source is null and',
    ],
    [
      'period: a refund that came before its transactions is not applied',
      'and (r.source = v_before or r.source is null and r.ids && array[p_period])',
      'and r.source = v_before',
    ],
    [
      'period: a refund that moves keeps what it has taken',
      'perform kinora.credit_drop_refund_claim(p_user_id, s.source, v_key, p_now)\n    from unnest(v_sources) s (source);',
      '',
    ],
    [
      'link: a refund that came first is not applied',
      '  if found then\n    perform kinora.payment_recompute_returns',
      '  if false then\n    perform kinora.payment_recompute_returns',
    ],
    [
      'link: another user’s objects become this payment’s',
      'set source = coalesce(o.source, excluded.source)\n  where o.user_id = excluded.user_id;',
      'set source = coalesce(o.source, excluded.source);',
    ],
    [
      'link: a known object moves to another payment',
      'set source = coalesce(o.source, excluded.source)',
      'set source = excluded.source',
    ],
    [
      'return: takes of another user’s payment',
      'where p.processor = p_processor and p.external_id = l.external_id and p.user_id = p_user_id',
      'where p.processor = p_processor and p.external_id = l.external_id',
    ],
    [
      'return: a refund that names the period takes of its first transaction',
      "case when cardinality(v_ids) = 0 then array[p_return ->> 'source'] end) with",
      "array[p_return ->> 'source']) with",
    ],
    [
      'return: reconciliation takes again what an event has taken',
      "v_part := v_total - kinora.payment_returned(p_processor, p_return ->> 'key', v_source, v_ids, v_total);",
      'v_part := v_total;',
    ],
    [
      'return: what came after the total of reconciliation counts as a part of it',
      'and coalesce(r.total <= p_total + 0.000000001, true)',
      '',
    ],
    ['return: an event takes again what reconciliation has taken', 'and r.total >= v_total - 0.000000001', 'and false'],
    ['return: a later event grows nothing', 'part = greatest(r.part, excluded.part)', 'part = r.part'],
    ['return: the last event decides the state', 'state = greatest(r.state, excluded.state)', 'state = excluded.state'],
    ['return: the first event decides the state', 'state = greatest(r.state, excluded.state)', 'state = r.state'],
    [
      'return: reinstated funds are not given back',
      "case p_return ->> 'state' when 'given_back' then 2 when",
      "case p_return ->> 'state' when 'given_back' then 1 when",
    ],
    [
      'return: a lost dispute gives back',
      "when 'lost' then 3 else 1 end, p_now, v_total",
      "when 'lost' then 2 else 1 end, p_now, v_total",
    ],
    [
      'return: a lost dispute is not final',
      "when 'lost' then 3 else 1 end, p_now, v_total",
      'else 1 end, p_now, v_total',
    ],
    [
      'return: a dispute of a part takes all',
      'coalesce(r.part, 1) * least(1, coalesce(r.amount::numeric / nullif(o.paid, 0), 1))',
      'coalesce(r.part, 1)',
    ],
    [
      'return: lost after it was won takes nothing',
      "case when v_return.claimed_state in (2, 4) then ':lost' else '' end",
      "''",
    ],
    [
      'return: takes of a transaction’s first package only',
      "array[p_source] || array(select p_source || ':' || n from generate_series(2, v_charge.packages) n)",
      'array[p_source]',
    ],
    [
      'return: the part of a transaction worth less is not scaled',
      'if v_charge.granted > v_charge.worth then',
      'if false then',
    ],
    [
      'return: a correction is not taken back when less is owed',
      'if v_correction < v_charge.corrected_part then',
      'if false then',
    ],
    ['return: a correction is not made', 'if v_correction > 0 then', 'if false then'],
  ]),
  ...faultsIn('sql/payment_event.sql', [
    ['retry: the pause does not grow', "interval '1 minute' * 2 ^ e.retries", "interval '1 minute'"],
    ['retry: for ever', 'case when e.retries < 20 then', 'case when true then'],
    ['retry: before its time', 'where r.retry_at <= p_now', 'where r.retry_at is not null'],
    ['dismiss: still tried again', 'retry_at = null,', ''],
    ['dismiss: a refund is applied with its payment', 'r.key = any(v_event.refs)', 'false'],
    ['dismiss: a won dispute is forgotten', 'and r.state <> 2;', ';'],
  ]),
  ...faultsIn('sql/payment_reconcile.sql', [
    [
      'reconcile: a refund of a part counts as known',
      "coalesce(r.part >= (f.effect ->> 'part')::numeric - 0.000000001, true)",
      'true',
    ],
    ['reconcile: a refund is looked for by its first id only', 'where o.source is not null', 'where l.n = 1'],
    [
      'reconcile: a won dispute counts as known',
      "and r.state >= case f.effect ->> 'state' when 'given_back' then 2 when 'lost' then 3 else 1 end",
      '',
    ],
    [
      'reconcile: a checkout that binds no customer counts as known',
      "and (o.by_checkout or not f.effect ? 'byCheckout')",
      '',
    ],
    [
      'reconcile: a cancelled record counts as current',
      "s.status = f.effect ->> 'status'\n            and (",
      '(true) and (',
    ],
    [
      'reconcile: records whose period is over are not asked for',
      "between p_now - interval '60 days 1 hour' and p_now - interval '1 hour'",
      "between p_now - interval '60 days 1 hour' and p_now - interval '59 days'",
    ],
    ['reconcile: two processes at once', 'else lease = p_lease or lease_until <= p_now', 'else true'],
    [
      'reconcile: a lease that has ended is kept',
      'else lease = p_lease or lease_until <= p_now',
      'else lease = p_lease',
    ],
    [
      'reconcile: asks before it is due',
      'when lease is null then p_is_now or next_at <= p_now',
      'when lease is null then true',
    ],
  ]),
]

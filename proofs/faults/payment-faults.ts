/** Planted faults of payments in server/sql: one-line changes, each of which a test must find (planted-faults.ts). */
import { type Fault, faultsIn } from './fault.ts'

export const paymentFaults: Fault[] = [
  ...faultsIn('sql/subscription.sql', [
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
      'link: an event rebinds another user’s customer',
      'where o.user_id = excluded.user_id and o.by_checkout < excluded.by_checkout',
      'where o.by_checkout < excluded.by_checkout',
    ],
    [
      'link: the customer that pays for a team is bound to the team',
      "coalesce((v_effect ->> 'payerId')::uuid, p_user_id)",
      'p_user_id',
    ],
    [
      'user: an event that names a team finds none',
      'from kinora.team t',
      'from kinora.team t join kinora.team u on false',
    ],
    [
      'link: every customer counts as bound by a checkout',
      "coalesce((v_effect ->> 'byCheckout')::boolean, false)",
      'true',
    ],
    [
      'event: a refund whose payment is not known counts as applied',
      'and kinora.payment_returns_unknown(',
      'and false and kinora.payment_returns_unknown(',
    ],
    [
      'event: an unmatched event is not tried again',
      'when p_waits then coalesce(retry_at, case when retries = 0 then v_soon end)',
      '',
    ],
    [
      'event: one that lacks facts is not tried again once its user is known',
      "when p_retries then case state when 'unmatched' then p_now else retry_at end",
      '',
    ],
    [
      'price: the last payment of an id decides',
      'on conflict (processor, sold_as) do nothing',
      'on conflict (processor, sold_as) do update set cents = excluded.cents, credits = excluded.credits',
    ],
    ['event: one whose facts cannot be read waits for ever', 'v_before.retries > 3', 'false'],
    [
      'event: one that was judged before an earlier one arrived stays applied',
      "if v_sources <> '{}' then",
      'if false then',
    ],
    [
      'event: a change without an amount counts as applied',
      'v_waits := v_event.sources && kinora.payment_lacking(v_event.user_id, p_processor, p_now)',
      'v_waits := false',
    ],
    ['event: one whose facts cannot be read is a problem at once', 'v_before.retries > 3', 'v_before.retries >= 0'],
    [
      'event: one whose user becomes known late is a problem at once',
      "v_before.retries > 3 and v_before.state <> 'unmatched'",
      'v_before.retries > 3',
    ],
    [
      'event: a dismissed one is applied when it is delivered again',
      "elsif v_before.state = 'dismissed' and p_actor_id is null then",
      'elsif false then',
    ],
    [
      'event: applied by hand without an audit entry',
      "if v_event.state = 'applied' and p_actor_id is not null then",
      'if false then',
    ],
  ]),
  ...faultsIn('sql/payment_settle.sql', [
    [
      'payment: the latest event that names it counts',
      'where p.sort_key > excluded.sort_key',
      'where p.sort_key < excluded.sort_key',
    ],
    [
      'payment: one may be of two users',
      'returning coalesce(o.user_id = p_user_id and o.source = p_source, false);',
      'returning true;',
    ],
    ['settle: what a plan change brought back pays again', ' - v_own) / v_payment.total', ') / v_payment.total'],
    [
      'settle: an overpayment pays twice',
      'least(v_payment.paid + v_payment.covered, v_payment.total) - v_own',
      'v_payment.paid + v_payment.covered - v_own',
    ],
    [
      'settle: the money of a plan change counts at the new plan’s rate',
      'when v_payment.rest > 0 and v_plan.source is not null then',
      'when false then',
    ],
    [
      'settle: a plan change always begins a new period',
      'when (p_payment).rest > (p_plan).value + (p_plan).rest',
      'when false',
    ],
    [
      'settle: a plan change never begins a new period',
      'when (p_payment).rest > (p_plan).value + (p_plan).rest',
      'when (p_payment).value + (p_payment).rest <> (p_plan).value + (p_plan).rest',
    ],
    [
      'settle: a change without an amount does not wait',
      'when v_payment.is_whole and v_plan.source is not null then 0',
      'when false then 0',
    ],
    ['settle: a free plan that is bought again grants again', 'or not kinora.payment_is_free_once(v_payment)', ''],
    [
      'settle: a free plan grants once and for all',
      "return v_until <= p_payment.at + interval '1 day';",
      "return v_until = '-infinity';",
    ],
    [
      'settle: a free plan does not take back what a later one was granted before',
      "and (p.processor, p.chain) <> (p_processor, p_payment ->> 'chain')",
      'and false',
    ],
    [
      'settle: more than the money at the best rate',
      'least(v_payment.worth, (v_money * v_high - v_credits) / v_payment.kept)',
      'v_payment.worth',
    ],
    ['settle: each change of a free plan grants', '(v_plan.source is not null or not', '(not'],
    [
      'settle: what is missing is not granted',
      'if v_worth > p_payment.granted then',
      'if v_worth > p_payment.granted and p_payment.granted = 0 then',
    ],
    ['settle: what is missing is granted in full once more', 'v_worth - p_payment.granted, p_now)', 'v_worth, p_now)'],
    ['late: credits expire the moment they are granted', "v_expires_at <= v_now and v_length > interval '0'", 'false'],
    [
      'late: the history does not say so',
      "case when v_is_late then ', valid from when it was applied, because its event came late' else '' end",
      "''",
    ],
    [
      'validity: a payment at the end of its period is good until then',
      'greatest(p_payment.expires_at, p_payment.at + v_length)',
      'p_payment.expires_at',
    ],
    [
      'link: a refund that came first is not applied',
      '  if found then\n    perform kinora.payment_settle_source',
      '  if false then\n    perform kinora.payment_settle_source',
    ],
    [
      'link: another user’s objects become this payment’s',
      'set source = coalesce(o.source, excluded.source)\n  where o.user_id = excluded.user_id;',
      'set source = coalesce(o.source, excluded.source);',
    ],
    [
      'return: takes of another user’s payment',
      'where p.processor = p_processor and p.external_id = l.external_id and p.user_id = p_user_id',
      'where p.processor = p_processor and p.external_id = l.external_id',
    ],
    [
      'return: the first event decides',
      'amounts = case when r.sort_key <= excluded.sort_key then',
      'amounts = case when false then',
    ],
    [
      'return: a refund that failed stays taken',
      "and (o.state = 'taken' or o.state = 'failed' and o.sort_key >= r.sort_key)",
      "and o.state = 'taken'",
    ],
    [
      'return: what was returned in all counts beside its refunds',
      "and (o.kind = 'refund' or o.kind = 'dispute' and r.kind = 'returned')",
      'and false',
    ],
    [
      'credit note: takes nothing back',
      "when r.kind in ('refund', 'dispute', 'credited') then r.amount",
      "when r.kind = 'credited' then 0 when r.kind in ('refund', 'dispute') then r.amount",
    ],
    [
      'credit note: a balance that a plan change brought is money once it is credited',
      'v_balance := v_balance + v_credited - v_back;',
      '',
    ],
    [
      'credit note: without one, what a balance paid is a balance again',
      'coalesce(sum((r.amounts ->> p.currency)::numeric), 0) as amount',
      'sum((r.amounts ->> p.currency)::numeric) as amount',
    ],
    [
      'refund: of the money beside a balance, takes all',
      '(p_payment).paid + greatest(0, (p_payment).covered) - (p_payment).own as paid',
      '(p_payment).paid as paid',
    ],
    [
      'settle: payments of one second by their ids',
      'order by p.at, p.seq, p.source, p.part',
      'order by p.at, p.source, p.part',
    ],
  ]),
  ...faultsIn('sql/payment_event.sql', [
    ['retry: the pause does not grow', "interval '1 minute' * 2 ^ e.retries", "interval '1 minute'"],
    ['retry: for ever', 'case when e.retries < 20 then', 'case when true then'],
    ['retry: before its time', 'where r.retry_at <= p_now', 'where r.retry_at is not null'],
    ['dismiss: still tried again', 'retry_at = null,', ''],
    ['dismiss: a refund is applied with its payment', 'r.key = any(v_event.refs)', 'false'],
  ]),
  ...faultsIn('sql/payment_reconcile.sql', [
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

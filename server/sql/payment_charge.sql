-- Charges of a subscription's period: what each transaction is worth in credits by all that is known of the period now. It is
-- recomputed from what is stored, so that any order of delivery ends in the same amounts.
-- Sequential scans are off, because a plan that is cached while a table is small would go on scanning all of it.

-- Records a paid transaction of a subscription's period, then recomputes the period. p_charge:
--   { "transaction", "source", "subscription", "period", "periodStart", "expiresAt", "credits", "remark", "chargedAt",
--     "evidence", "sortKey", "paid"? }
-- Evidence 3 is an event that may repeat an older transaction beside a new plan: it proves a payment only when another
-- transaction of the period is known to be earlier.
create or replace function kinora.payment_charge(
  p_user_id uuid, p_processor text, p_charge jsonb, p_now timestamptz
) returns void
language plpgsql
set enable_seqscan = off
as $$
declare
  v_transaction text := p_charge ->> 'transaction';
  v_source text := p_charge ->> 'source';
  v_period text := p_charge ->> 'period';
  v_before kinora.subscription_charge;
  v_granted bigint;
  v_packages integer;
begin
  if not kinora.payment_own(p_user_id, p_processor, v_source, (p_charge ->> 'paid')::bigint) then
    return;
  end if;

  select * into v_before
  from kinora.subscription_charge
  where user_id = p_user_id and processor = p_processor and transaction = v_transaction;

  select coalesce(max(p.initial), 0), count(p.initial) into v_granted, v_packages
  from kinora.credit_package p
  where p.user_id = p_user_id and p.source = v_source;
  insert into kinora.subscription_charge as c (
    user_id, processor, transaction, subscription, period, period_start, expires_at, credits, remark, charged_at,
    evidence, evidence_sort_key, source, granted, packages
  ) values (
    p_user_id, p_processor, v_transaction, p_charge ->> 'subscription', v_period,
    (p_charge ->> 'periodStart')::timestamptz, (p_charge ->> 'expiresAt')::timestamptz,
    (p_charge ->> 'credits')::bigint, p_charge ->> 'remark', (p_charge ->> 'chargedAt')::timestamptz,
    (p_charge ->> 'evidence')::smallint, p_charge ->> 'sortKey', v_source, v_granted, v_packages
  )
  on conflict (user_id, processor, transaction) do update
  set charged_at = least(c.charged_at, excluded.charged_at);

  update kinora.subscription_charge
  set period = v_period,
      period_start = (p_charge ->> 'periodStart')::timestamptz,
      expires_at = (p_charge ->> 'expiresAt')::timestamptz,
      credits = (p_charge ->> 'credits')::bigint,
      remark = p_charge ->> 'remark',
      evidence = (p_charge ->> 'evidence')::smallint,
      evidence_sort_key = p_charge ->> 'sortKey'
  where user_id = p_user_id
    and processor = p_processor
    and transaction = v_transaction
    and (evidence, evidence_sort_key) > ((p_charge ->> 'evidence')::smallint, p_charge ->> 'sortKey');

  -- The transaction's refunds find it by its id. The period's own id stands for its first transaction.
  perform kinora.payment_link(p_user_id, p_processor, array[v_transaction], v_source, p_now);
  if v_before.period <> v_period then
    perform kinora.payment_recompute_period(p_user_id, p_processor, v_before.period, p_now);
  end if;
  perform kinora.payment_recompute_period(p_user_id, p_processor, v_period, p_now);
end
$$;

-- Brings the credits of a period's transactions to what they are worth: the first the plan's credits, each later one the
-- difference to the dearest plan so far, for the rest of the period. Too little is granted as one more package. Too much,
-- because an earlier transaction became known later, is taken back by a refund claim.
create or replace function kinora.payment_recompute_period(
  p_user_id uuid, p_processor text, p_period text, p_now timestamptz
) returns void
language plpgsql
set enable_seqscan = off
as $$
declare
  v_charge kinora.subscription_charge;
  v_level bigint;
  v_share numeric;
  v_worth bigint;
begin
  for v_charge in
    select *
    from kinora.subscription_charge
    where user_id = p_user_id and processor = p_processor and period = p_period
    order by charged_at, transaction
  loop
    if v_level is null then
      continue when v_charge.evidence = 3;
      v_worth := v_charge.credits;
      perform kinora.payment_name_period(p_user_id, p_processor, p_period, v_charge.source, p_now);
    else
      v_share := greatest(0, least(1,
        extract(epoch from v_charge.expires_at - v_charge.charged_at)
        / nullif(extract(epoch from v_charge.expires_at - v_charge.period_start), 0)
      ));
      v_worth := round(greatest(0, v_charge.credits - v_level) * coalesce(v_share, 0));
    end if;
    v_level := greatest(v_level, v_charge.credits);

    if v_worth > v_charge.granted then
      perform kinora.payment_grant(
        p_user_id,
        v_charge.source || case when v_charge.packages = 0 then '' else ':' || (v_charge.packages + 1) end,
        'SUBSCRIPTION', v_worth - v_charge.granted,
        greatest(v_charge.period_start, v_charge.charged_at), v_charge.expires_at, v_charge.transaction,
        v_charge.remark || case when v_worth = v_charge.credits then '' else ', plan change' end, p_now
      );
      v_charge.granted := v_worth;
      v_charge.packages := v_charge.packages + 1;
    end if;
    update kinora.subscription_charge
    set granted = v_charge.granted, packages = v_charge.packages, worth = v_worth
    where user_id = p_user_id and processor = p_processor and transaction = v_charge.transaction;
    perform kinora.payment_recompute_returns(p_user_id, p_processor, v_charge.source, p_now);
  end loop;
end
$$;

-- Grants credits for a payment. Credits that would expire the moment they are granted, because their event was applied late,
-- are valid for as long from now on; the remark says so.
create or replace function kinora.payment_grant(
  p_user_id uuid, p_source text, p_trans_type text, p_credits bigint, p_valid_from timestamptz, p_expires_at timestamptz,
  p_order_no text, p_remark text, p_now timestamptz
) returns void
language plpgsql
as $$
declare
  v_is_late constant boolean := p_expires_at <= p_now and p_valid_from < p_expires_at;
begin
  perform kinora.credit_grant(
    p_user_id, kinora.uuid_v7(p_now), p_source, p_trans_type, p_credits,
    case when v_is_late then p_now + (p_expires_at - p_valid_from) else p_expires_at end,
    p_now, p_order_no,
    p_remark || case when v_is_late then ', valid from when it was applied, because its event came late' else '' end
  );
end
$$;

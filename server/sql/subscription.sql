-- The records of subscriptions, which payment events move forward. Nothing here moves credits.

-- Moves the status of a record forward. A cancelled record becomes expired by a later event; no earlier event revives
-- either.
create or replace function kinora.subscription_apply_status(
  p_user_id uuid, p_processor text, p_facts jsonb, p_is_tied boolean, p_now timestamptz
) returns void
language sql
as $$
  update kinora.subscription s
  set expired_sort_key = f.expired_sort_key,
      status_sort_key = f.sort_key,
      -- Of a cancelled record (key 1.…) a later expiry is all that counts.
      status = case
        when f.sort_key not like '1%' then case when f.is_newer then p_facts ->> 'status' else s.status end
        when substr(f.expired_sort_key, 2) > substr(f.sort_key, 2) then 'expired'
        else 'cancelled'
      end,
      updated_at = p_now
  from (
    select greatest(o.status_sort_key, p_facts ->> 'sortKey') as sort_key, o.status_sort_key < p_facts ->> 'sortKey' or p_is_tied as is_newer,
           greatest(o.expired_sort_key, case when p_facts ->> 'status' = 'expired' then p_facts ->> 'sortKey' end) as expired_sort_key
    from kinora.subscription o
    where o.user_id = p_user_id and o.processor = p_processor and o.external_id = p_facts ->> 'externalId'
  ) f
  where s.user_id = p_user_id
    and s.processor = p_processor
    and s.external_id = p_facts ->> 'externalId'
    and (f.is_newer or f.expired_sort_key <> s.expired_sort_key);
$$;

-- Moves a subscription record forward. p_facts:
--   { "externalId", "sortKey", "status"?, "customer"?, "onlyKnown"?, "retriesExpired"?,
--     "plan"?, "soldAs"?, "periodStart"?, "periodEnd"?, "cancelAtPeriodEnd"?, "cancelledAt"? }
-- With "plan" it has facts and status, without it the status only.
-- Facts and status have a sort key each (the processor's event time, rank and id); an event with a smaller key changes
-- nothing, so the order of delivery does not matter. An event may come again with the plan that it lacked: hence <= for
-- the facts. "plan" null: its product is in no catalogue entry, and the record keeps its plan; "onlyKnown": no record
-- is made for it. Two events of one second whose sequence their keys do not know ("tie"): raises SQLSTATE KN002, so
-- that the caller reads what is so now from the processor ("current"); where that cannot be, the one counts whose
-- "previous" is what the record shows.
create or replace function kinora.subscription_apply(
  p_user_id uuid, p_processor text, p_facts jsonb, p_now timestamptz
) returns void
language plpgsql
as $$
declare
  v_sort_key text := p_facts ->> 'sortKey';
  v_subscription kinora.subscription;
  v_before jsonb;
  v_after jsonb;
  v_is_tied boolean := false;
begin
  perform kinora.check_clock(p_now);
  select * into v_subscription
  from kinora.subscription s
  where s.user_id = p_user_id and s.processor = p_processor and s.external_id = p_facts ->> 'externalId';
  if found then
    v_before := kinora.subscription_facts(v_subscription);
    v_is_tied := p_facts ? 'tie'
      and left(v_subscription.facts_sort_key, 20) = left(v_sort_key, 20)
      and v_subscription.facts_sort_key <> v_sort_key;
    if v_is_tied and p_facts ->> 'tie' = 'unknown' then
      raise exception 'two events of subscription % have one time', p_facts ->> 'externalId' using errcode = 'KN002';
    elsif v_is_tied and p_facts ->> 'tie' = 'previous' and not v_before @> coalesce(p_facts -> 'previous', '{"id": ""}') then
      return;
    end if;
  elsif p_facts ? 'onlyKnown' then
    return;
  end if;
  insert into kinora.subscription as s (user_id, id, processor, external_id, customer, status, retries_expired, created_at, updated_at)
  values (
    p_user_id, kinora.uuid_v7(p_now), p_processor, p_facts ->> 'externalId', p_facts ->> 'customer', 'incomplete',
    p_facts ? 'retriesExpired', p_now, p_now
  )
  on conflict (user_id, processor, external_id) do update
  set customer = coalesce(excluded.customer, s.customer);

  if p_facts ? 'plan' then
    update kinora.subscription
    set plan = coalesce(p_facts ->> 'plan', plan),
        sold_as = coalesce(p_facts ->> 'soldAs', sold_as),
        current_period_start = (p_facts ->> 'periodStart')::timestamptz,
        current_period_end = (p_facts ->> 'periodEnd')::timestamptz,
        cancel_at_period_end = coalesce((p_facts ->> 'cancelAtPeriodEnd')::boolean, false),
        cancelled_at = (p_facts ->> 'cancelledAt')::timestamptz,
        facts_sort_key = v_sort_key,
        updated_at = p_now
    where user_id = p_user_id
      and processor = p_processor
      and external_id = p_facts ->> 'externalId'
      and (facts_sort_key <= v_sort_key or v_is_tied);
    if not found then
      -- The newer event did not know the plan.
      update kinora.subscription
      set plan = p_facts ->> 'plan', sold_as = p_facts ->> 'soldAs', updated_at = p_now
      where user_id = p_user_id
        and processor = p_processor
        and external_id = p_facts ->> 'externalId'
        and plan is null;
    end if;
  end if;
  if p_facts ? 'status' then
    perform kinora.subscription_apply_status(p_user_id, p_processor, p_facts, v_is_tied, p_now);
  end if;

  select * into v_subscription
  from kinora.subscription s
  where s.user_id = p_user_id and s.processor = p_processor and s.external_id = p_facts ->> 'externalId';
  v_after := kinora.subscription_facts(v_subscription);
  if v_after is distinct from v_before then
    perform kinora.webhook_write_one(p_user_id, 'subscription.updated', v_subscription.id, v_after, p_now);
    if v_after ->> 'status' = 'past_due' and v_before ->> 'status' is distinct from 'past_due' then
      perform kinora.mail_write_one(
        p_user_id, 'payment.failed', 'payment.failed ' || v_subscription.id || ' ' || v_sort_key, v_after, p_now
      );
    end if;
  end if;
end
$$;

-- Returns what a user sees of a subscription, as the data of subscription.updated.
create or replace function kinora.subscription_facts(p_subscription kinora.subscription) returns jsonb
language sql stable
return jsonb_build_object(
  'id', (p_subscription).id, 'plan', (p_subscription).plan, 'status', (p_subscription).status,
  'currentPeriodStart', kinora.iso_time((p_subscription).current_period_start),
  'currentPeriodEnd', kinora.iso_time((p_subscription).current_period_end),
  'cancelAtPeriodEnd', (p_subscription).cancel_at_period_end,
  'cancelledAt', kinora.iso_time((p_subscription).cancelled_at)
);

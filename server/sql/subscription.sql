-- The records of subscriptions, which payment events move forward. Nothing here moves credits.

-- Moves a subscription record forward. p_facts:
--   { "externalId", "sortKey", "status"?, "customer"?, "onlyKnown"?,
--     "plan"?, "periodStart"?, "periodEnd"?, "cancelAtPeriodEnd"?, "cancelledAt"? }    with "plan": facts and status; without: status only
-- Facts and status have a sort key each (the processor's event time, rank and id); an event with a smaller key changes nothing, so the
-- order of delivery does not matter. An event may come again with the plan that it lacked: hence <= for the facts.
-- "plan" null: its product is in no catalogue entry, and the record keeps its plan; "onlyKnown": no record is made for it.
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
begin
  perform kinora.check_clock(p_now);
  select * into v_subscription
  from kinora.subscription s
  where s.user_id = p_user_id and s.processor = p_processor and s.external_id = p_facts ->> 'externalId';
  if found then
    v_before := kinora.subscription_facts(v_subscription);
  elsif p_facts ? 'onlyKnown' then
    return;
  end if;
  insert into kinora.subscription as s (user_id, id, processor, external_id, customer, status, created_at, updated_at)
  values (
    p_user_id, kinora.uuid_v7(p_now), p_processor, p_facts ->> 'externalId', p_facts ->> 'customer', 'incomplete',
    p_now, p_now
  )
  on conflict (user_id, processor, external_id) do update
  set customer = coalesce(excluded.customer, s.customer);

  if p_facts ? 'plan' then
    update kinora.subscription
    set plan = coalesce(p_facts ->> 'plan', plan),
        current_period_start = (p_facts ->> 'periodStart')::timestamptz,
        current_period_end = (p_facts ->> 'periodEnd')::timestamptz,
        cancel_at_period_end = coalesce((p_facts ->> 'cancelAtPeriodEnd')::boolean, false),
        cancelled_at = (p_facts ->> 'cancelledAt')::timestamptz,
        facts_sort_key = v_sort_key,
        updated_at = p_now
    where user_id = p_user_id
      and processor = p_processor
      and external_id = p_facts ->> 'externalId'
      and facts_sort_key <= v_sort_key;
    if not found then
      -- The newer event did not know the plan.
      update kinora.subscription
      set plan = p_facts ->> 'plan', updated_at = p_now
      where user_id = p_user_id
        and processor = p_processor
        and external_id = p_facts ->> 'externalId'
        and plan is null;
    end if;
  end if;
  if p_facts ? 'status' then
    update kinora.subscription
    set status = p_facts ->> 'status', status_sort_key = v_sort_key, updated_at = p_now
    where user_id = p_user_id
      and processor = p_processor
      and external_id = p_facts ->> 'externalId'
      and status_sort_key < v_sort_key;
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

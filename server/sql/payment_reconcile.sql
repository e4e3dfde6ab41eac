-- Reconciliation: which of the processor's objects no event has brought, and the lease that lets one process at a time
-- ask.

-- Returns whether no event has brought a refund, a dispute or a credit note as it is now. p_effect: that of the object.
create or replace function kinora.payment_lacks_return(p_processor text, p_effect jsonb) returns boolean
language sql stable
return not exists (
  select
  from kinora.payment_return r
  where r.processor = p_processor
    and r.key = p_effect ->> 'key'
    and (r.sort_key >= p_effect ->> 'sort_key' or r.state = p_effect ->> 'state' and r.amounts = p_effect -> 'amounts')
) and not case p_effect ->> 'kind'
  -- A total that its refunds make up; one that is less than it was shows what has failed.
  when 'returned' then not exists (
    select
    from kinora.payment_return r
    cross join jsonb_each_text(r.amounts) a
    where r.processor = p_processor
      and r.key = p_effect ->> 'key'
      and a.value::numeric > (p_effect #>> array['amounts', a.key])::numeric
  ) and coalesce((
    select sum(coalesce((r.amounts ->> a.key)::numeric, r.share * a.value::numeric)) >= max(a.value::numeric)
    from kinora.payment_return r
    cross join jsonb_each_text(p_effect -> 'amounts') a
    where r.processor = p_processor
      and r.ids && array(select jsonb_array_elements_text(p_effect -> 'ids'))
      and r.charge = p_effect ->> 'charge'
      and r.kind in ('refund', 'dispute')
      and r.state = 'taken'
  ), false)
  -- A refund that a total of its charge has.
  when 'refund' then p_effect ->> 'state' = 'taken' and exists (
    select
    from kinora.payment_return r
    where r.processor = p_processor
      and r.key = p_effect ->> 'charge'
      and r.kind = 'refunded'
      and r.at >= (p_effect ->> 'at')::timestamptz
  )
  else false
end;

-- Returns the positions, from 1, of the elements of p_effects that are not all applied. p_effects: an array of arrays
-- of effects, see payment.sql. An effect on a subscription's record counts where it stands without a payment: is the
-- record another one, and older? Beside a payment the payment decides, because an older event of a known payment names
-- a state that is over.
create or replace function kinora.payment_missing(p_processor text, p_effects jsonb) returns setof integer
language sql stable
set enable_seqscan = off
begin atomic
  select distinct e.n::integer
  from jsonb_array_elements(p_effects) with ordinality e (effects, n)
  cross join lateral jsonb_array_elements(e.effects) f (effect)
  where case f.effect ->> 'do'
    when 'payment' then not exists (
      select from kinora.payment_object o where o.processor = p_processor and o.external_id = f.effect ->> 'source'
    )
    when 'link' then exists (
      select
      from jsonb_array_elements_text(f.effect -> 'ids') l (id)
      where not exists (
        select
        from kinora.payment_object o
        where o.processor = p_processor
          and o.external_id = l.id
          and (o.source is not null or not f.effect ? 'source')
          and (o.by_checkout or not f.effect ? 'byCheckout')
      )
    )
    when 'return' then kinora.payment_lacks_return(p_processor => p_processor, p_effect => f.effect)
    when 'subscription' then not e.effects @> '[{"do": "payment"}]' and not exists (
      select
      from kinora.payment_object o
      join kinora.subscription s
        on s.user_id = o.user_id and s.processor = o.processor and s.external_id = o.external_id
      where o.processor = p_processor
        and o.external_id = f.effect ->> 'externalId'
        and (
          s.status_sort_key >= f.effect ->> 'sortKey'
          or (
            s.status = f.effect ->> 'status'
            and (
              not f.effect ? 'plan'
              or (
                coalesce(s.plan = f.effect ->> 'plan', f.effect ->> 'plan' is null)
                and s.cancel_at_period_end = (f.effect ->> 'cancelAtPeriodEnd')::boolean
                -- Milliseconds vary between events.
                and date_trunc('second', s.current_period_end)
                  is not distinct from date_trunc('second', (f.effect ->> 'periodEnd')::timestamptz)
              )
            )
          )
        )
    )
    else false
  end;
end;

-- Returns up to 500 subscriptions of a processor whose record lags behind the time: its period is over, or its first
-- payment is open for a day. An event of them may be lost. The newest come first; after 60 days a record is left as it
-- is. Two selects, each with the predicate and the expression of its partial index: among a million subscriptions they
-- read the rows that they return.
create or replace function kinora.payment_lagging_records(p_processor text, p_now timestamptz) returns setof text
language sql stable
begin atomic
  select l.external_id
  from (
    (
      select s.external_id, coalesce(s.current_period_end, s.updated_at) + interval '1 hour' as since
      from kinora.subscription s
      where s.processor = p_processor
        and (s.status in ('active', 'trialing', 'past_due') or (s.status = 'expired' and s.cancelled_at is null))
        and (s.status <> 'expired' or s.retries_expired)
        and coalesce(s.current_period_end, s.updated_at)
          between p_now - interval '60 days 1 hour' and p_now - interval '1 hour'
      order by coalesce(s.current_period_end, s.updated_at) desc
      limit 500
    )
    union all
    (
      select s.external_id, s.updated_at + interval '1 day'
      from kinora.subscription s
      where s.processor = p_processor
        and s.status = 'incomplete'
        and s.updated_at between p_now - interval '61 days' and p_now - interval '1 day'
      order by s.updated_at desc
      limit 500
    )
  ) l
  order by l.since desc
  limit 500;
end;

-- Claims a processor for p_lease until p_until when no other process has it and, unless p_is_now, it is due. A
-- processor that is new is due after p_interval, because nothing was paid before. One whose process died is due when
-- its lease has ended.
create or replace function kinora.reconcile_claim(
  p_processor text, p_lease uuid, p_until timestamptz, p_interval interval, p_is_now boolean, p_now timestamptz
) returns boolean
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  insert into kinora.reconcile_state (processor, next_at)
  values (p_processor, p_now + p_interval)
  on conflict (processor) do nothing;
  update kinora.reconcile_state
  set lease = p_lease, lease_until = p_until, next_at = p_now + p_interval
  where processor = p_processor
    and case
      when lease is null then p_is_now or next_at <= p_now
      else lease = p_lease or lease_until <= p_now
    end;
  return found;
end
$$;

-- Ends a run: gives the lease back, records how it ended, and adds what it found. p_found: { kind: number }.
create or replace function kinora.reconcile_finish(
  p_processor text, p_lease uuid, p_found jsonb, p_now timestamptz, p_error text default null
) returns void
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  update kinora.reconcile_state
  set lease = null,
      lease_until = null,
      last_success_at = case when p_error is null then p_now else last_success_at end,
      last_error = p_error
  where processor = p_processor and lease = p_lease;
  insert into kinora.reconcile_count as c (processor, kind, found)
  select p_processor, f.key, f.value::bigint
  from jsonb_each_text(p_found) f
  order by f.key
  on conflict (processor, kind) do update set found = c.found + excluded.found;
  delete from kinora.payment_checkout
  where (processor, external_id) in (
    select o.processor, o.external_id
    from kinora.payment_checkout o
    where o.processor = p_processor and o.created_at < p_now - interval '60 days'
    limit 1000
  );
end
$$;

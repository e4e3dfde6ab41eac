-- Refunds and disputes: what they take back of a payment by all that is known of it now. It is recomputed from what is stored, so
-- that any order of delivery ends in the same amounts.
-- Sequential scans are off, because a plan that is cached while a table is small would go on scanning all of it.

-- Links the processor's objects to a payment of this user, then takes back what refunds and disputes of them ask for.
create or replace function kinora.payment_link(
  p_user_id uuid, p_processor text, p_ids text[], p_source text, p_now timestamptz
) returns void
language plpgsql
set enable_seqscan = off
as $$
begin
  insert into kinora.payment_object as o (processor, external_id, user_id, source)
  select p_processor, l.id, p_user_id, p_source
  from unnest(p_ids) l (id)
  on conflict (processor, external_id) do update
  set source = coalesce(o.source, excluded.source)
  where o.user_id = excluded.user_id;

  update kinora.payment_return
  set source = p_source
  where processor = p_processor
    and source is null
    and ids && array(
      select o.external_id
      from kinora.payment_object o
      where o.processor = p_processor
        and o.external_id = any(p_ids)
        and o.user_id = p_user_id
        and o.source = p_source
    );
  if found then
    perform kinora.payment_recompute_returns(p_user_id, p_processor, p_source, p_now);
  end if;
end
$$;

-- Makes a period's own id stand for its first transaction, which an event that names the period alone is about. Refunds of the period
-- that came before any transaction was known, or when a later one was the first that was known, move to it. The caller recomputes it.
create or replace function kinora.payment_name_period(
  p_user_id uuid, p_processor text, p_period text, p_source text, p_now timestamptz
) returns void
language plpgsql
set enable_seqscan = off
as $$
declare
  v_before text;
  v_sources text[];
  v_key text;
begin
  select o.source into v_before
  from kinora.payment_object o
  where o.processor = p_processor and o.external_id = p_period and o.user_id = p_user_id;
  if v_before = p_source then
    return;
  end if;
  insert into kinora.payment_object as o (processor, external_id, user_id, source)
  values (p_processor, p_period, p_user_id, p_source)
  on conflict (processor, external_id) do update set source = excluded.source
  where o.user_id = excluded.user_id;
  if not found then
    return;
  end if;

  v_sources := array(
    select v_before || case when n > 1 then ':' || n else '' end
    from generate_series(
      1,
      (
        select greatest(1, c.packages)
        from kinora.subscription_charge c
        where c.user_id = p_user_id and c.processor = p_processor and c.source = v_before
      )
    ) n
  );
  for v_key in
    update kinora.payment_return r
    set source = p_source, claimed_part = 0, claimed_state = 0
    where r.processor = p_processor
      and r.ids = array[p_period]
      and (r.source = v_before or r.source is null and r.ids && array[p_period])
    returning r.key
  loop
    perform kinora.credit_drop_refund_claim(p_user_id, s.source, v_key, p_now)
    from unnest(v_sources) s (source);
  end loop;
  if v_before is not null then
    perform kinora.payment_recompute_returns(p_user_id, p_processor, v_before, p_now);
  end if;
end
$$;

-- Returns the part of a payment that is known to be returned, the return p_key left out. Disputes given back do not count.
-- p_total: the part returned in all at some time; a return whose own total is greater came after that time and does not count.
create or replace function kinora.payment_returned(
  p_processor text, p_key text, p_source text, p_ids text[], p_total numeric default null
) returns numeric
language sql stable
set enable_seqscan = off
begin atomic
  select coalesce(sum(coalesce(r.part, 1)), 0)
  from (
    select r.key, r.part, r.state, r.total
    from kinora.payment_return r
    where r.processor = p_processor and r.source = p_source
    union
    -- Its payment is unknown yet.
    select r.key, r.part, r.state, r.total
    from kinora.payment_return r
    where r.processor = p_processor and r.source is null and r.ids && p_ids
  ) r
  where r.state <> 2
    and r.key is distinct from p_key
    and coalesce(r.total <= p_total + 0.000000001, true);
end;

-- Records a refund or dispute. p_return: { "key", "ids", "source"?, "part"?, "amount"?, "total"?, "state"? }. A repeated key counts
-- with its greatest part and its furthest state, in the sequence taken, given back, lost.
-- "total" is the part returned in all up to now. A return that has it alone comes from reconciliation and takes what no event has
-- taken; a later event whose total it covers has been taken.
create or replace function kinora.payment_take_back(
  p_user_id uuid, p_processor text, p_return jsonb, p_now timestamptz
) returns void
language plpgsql
set enable_seqscan = off
as $$
declare
  v_ids text[] := array(select jsonb_array_elements_text(p_return -> 'ids'));
  v_part numeric := (p_return ->> 'part')::numeric;
  v_total constant numeric := (p_return ->> 'total')::numeric;
  v_source text;
begin
  -- The most specific id decides; its period alone stands for a payment only where it names no transaction.
  select o.source into v_source
  from unnest(v_ids || case when cardinality(v_ids) = 0 then array[p_return ->> 'source'] end) with ordinality l (external_id, n)
  cross join lateral (
    select p.source
    from kinora.payment_object p
    where p.processor = p_processor and p.external_id = l.external_id and p.user_id = p_user_id
    limit 1
  ) o
  where o.source is not null
  order by l.n
  limit 1;

  if v_total is not null and v_part is null then
    v_part := v_total - kinora.payment_returned(p_processor, p_return ->> 'key', v_source, v_ids, v_total);
    if v_part <= 0.000000001 then
      return;
    end if;
  elsif exists (
    select
    from kinora.payment_return r
    where r.processor = p_processor and r.key = 'returned:' || v_ids[1] and r.total >= v_total - 0.000000001
  ) and not exists (
    select from kinora.payment_return r where r.processor = p_processor and r.key = p_return ->> 'key'
  ) then
    return;
  end if;

  insert into kinora.payment_return as r (processor, key, ids, source, part, amount, state, created_at, total)
  values (
    p_processor, p_return ->> 'key',
    v_ids || case when p_return ? 'source' and cardinality(v_ids) = 0 then array[p_return ->> 'source'] else '{}' end,
    v_source, v_part, (p_return ->> 'amount')::bigint,
    case p_return ->> 'state' when 'given_back' then 2 when 'lost' then 3 else 1 end, p_now, v_total
  )
  on conflict (processor, key) do update
  set source = coalesce(r.source, excluded.source),
      part = greatest(r.part, excluded.part),
      amount = greatest(r.amount, excluded.amount),
      total = greatest(r.total, excluded.total),
      state = greatest(r.state, excluded.state)
  returning source into v_source;
  if v_source is not null then
    perform kinora.payment_recompute_returns(p_user_id, p_processor, v_source, p_now);
  end if;
end
$$;

-- Returns the refunds and disputes of a payment, each with its part of what was paid, from 0 to 1: "part" of "amount" of it, where
-- one that is not known counts as all. An invoice may be paid by several charges, and a refund is a part of one of them.
create or replace function kinora.payment_returns_of(p_processor text, p_source text)
returns table (key text, state smallint, claimed_state smallint, claimed_part numeric, part numeric)
language sql stable
set enable_seqscan = off
begin atomic
  select r.key, r.state, r.claimed_state, r.claimed_part,
         least(1, coalesce(r.part, 1) * least(1, coalesce(r.amount::numeric / nullif(o.paid, 0), 1)))
  from kinora.payment_return r
  left join kinora.payment_object o on o.processor = r.processor and o.external_id = r.source
  where r.processor = p_processor and r.source = p_source;
end;

-- Brings the ledger's refund claims on a payment to what its refunds and disputes ask for.
-- A transaction that is worth less than was granted for it (payment_recompute_period) counts with its worth: a claim of its own takes
-- the difference, so that the credits left are worth * (1 - sum of parts).
create or replace function kinora.payment_recompute_returns(
  p_user_id uuid, p_processor text, p_source text, p_now timestamptz
) returns void
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_charge kinora.subscription_charge;
  v_sources text[];
  v_scale numeric := 1;
  v_return record;
  v_correction numeric;
begin
  -- The grant recomputes them: before it, the amount that was paid, of which a dispute's is a part, may be unknown.
  if not exists (select from kinora.credit_package p where p.user_id = p_user_id and p.source = p_source) then
    return;
  end if;
  select * into v_charge
  from kinora.subscription_charge
  where user_id = p_user_id and processor = p_processor and source = p_source;
  v_sources := array[p_source] || array(select p_source || ':' || n from generate_series(2, v_charge.packages) n);
  if v_charge.granted > v_charge.worth then
    v_scale := v_charge.worth::numeric / v_charge.granted;
  end if;

  for v_return in
    select * from kinora.payment_returns_of(p_processor, p_source) order by key
  loop
    -- state: 1 taken, 2 given back, 3 lost; claimed_state also 4: lost after it was given back, under a claim of its own.
    case v_return.state
      when 1 then
        v_return.claimed_part := greatest(v_return.claimed_part, v_return.part * v_scale);
        perform kinora.credit_claim_refund(p_user_id, s.source, v_return.key, v_return.claimed_part, p_now)
        from unnest(v_sources) s (source);
      when 2 then
        v_return.claimed_part := 0;
        perform kinora.credit_reverse_refund_claim(p_user_id, s.source, v_return.key, p_now)
        from unnest(v_sources) s (source);
      when 3 then
        v_return.claimed_part := greatest(v_return.claimed_part, v_return.part * v_scale);
        -- Lost after it was reinstated: a reversed claim stays reversed, so this is another one.
        perform kinora.credit_claim_refund(
          p_user_id, s.source, v_return.key || case when v_return.claimed_state in (2, 4) then ':lost' else '' end,
          v_return.claimed_part, p_now
        )
        from unnest(v_sources) s (source);
        if v_return.claimed_state = 2 then
          v_return.state := 4;
        end if;
    end case;
    update kinora.payment_return
    set claimed_part = v_return.claimed_part, claimed_state = greatest(claimed_state, v_return.state)
    where processor = p_processor and key = v_return.key;
  end loop;

  if v_charge.granted is null or v_charge.granted = 0 then
    return;
  end if;
  select greatest(0, round(
           1 - v_scale * (1 - least(1, coalesce(sum(r.part), 0))) - coalesce(sum(r.claimed_part), 0), 12
         ))
  into v_correction
  from kinora.payment_returns_of(p_processor, p_source) r
  where r.state in (1, 3);
  if v_correction = v_charge.corrected_part then
    return;
  end if;
  if v_correction < v_charge.corrected_part then
    perform kinora.credit_reverse_refund_claim(p_user_id, s.source, 'period:' || v_charge.corrections, p_now)
    from unnest(v_sources) s (source);
    v_charge.corrections := v_charge.corrections + 1;
  end if;
  if v_correction > 0 then
    perform kinora.credit_claim_refund(p_user_id, s.source, 'period:' || v_charge.corrections, v_correction, p_now)
    from unnest(v_sources) s (source);
  end if;
  update kinora.subscription_charge
  set corrected_part = v_correction, corrections = v_charge.corrections
  where user_id = p_user_id and processor = p_processor and transaction = v_charge.transaction;
end
$$;

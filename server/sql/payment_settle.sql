-- Payments, refunds and disputes: what each is worth in credits by all that is known now. It is recomputed from what is
-- stored, so that any order of delivery ends in the same amounts. Sequential scans are off, because a plan that is
-- cached while a table is small would go on scanning all of it.

-- Returns the key of a payment, refund, dispute or price and a digest of its facts, with which an event shows what it
-- brought.
create or replace function kinora.payment_digest(p_payment kinora.payment) returns text
language sql stable
return (p_payment).source || (p_payment).part || ' ' || md5(concat_ws(
  '|', (p_payment).chain, (p_payment).trans_type, (p_payment).order_no, (p_payment).remark, (p_payment).currency, (p_payment).credits,
  (p_payment).cap, (p_payment).value, (p_payment).total, (p_payment).paid, (p_payment).covered, (p_payment).seq, (p_payment).rest, (p_payment).low,
  (p_payment).high, extract(epoch from (p_payment).at), extract(epoch from (p_payment).valid_from),
  extract(epoch from (p_payment).expires_at), (p_payment).sort_key,
  case when (p_payment).is_whole then 'whole' end, nullif((p_payment).tax, 0), (p_payment).country
));

create or replace function kinora.payment_digest(p_return kinora.payment_return) returns text
language sql stable
return (p_return).key || ' ' || md5(concat_ws(
  '|', (p_return).kind, (p_return).charge, (p_return).amounts, (p_return).share, (p_return).state,
  extract(epoch from (p_return).at), (p_return).sort_key
));

create or replace function kinora.payment_digest(p_price kinora.payment_price) returns text
language sql stable
return (p_price).sold_as || ' ' || md5(concat_ws('|', (p_price).cents, (p_price).currency, (p_price).credits));

-- Makes the payment of a source this user's, and returns whether it is: the ledger grants a source once per user, and
-- this row makes it one user, even when two events name different ones.
create or replace function kinora.payment_own(p_user_id uuid, p_processor text, p_source text) returns boolean
language sql
as $$
  insert into kinora.payment_object as o (processor, external_id, user_id, source)
  values (p_processor, p_source, p_user_id, p_source)
  on conflict (processor, external_id) do update set source = o.source
  returning coalesce(o.user_id = p_user_id and o.source = p_source, false);
$$;

-- Records a payment, whose columns p_payment has. Of several events that name it, the earliest counts.
create or replace function kinora.payment_record(p_user_id uuid, p_processor text, p_payment jsonb, p_now timestamptz) returns void
language plpgsql
set enable_seqscan = off
as $$
declare
  v_chain record;
begin
  if not kinora.payment_own(p_user_id, p_processor, p_payment ->> 'source') then
    return;
  end if;
  insert into kinora.payment as p (
    user_id, processor, source, part, chain, trans_type, order_no, remark, currency, credits, cap, value, total, paid, covered,
    seq, rest, low, high, at, valid_from, expires_at, tax, country, sort_key, is_whole, collects
  )
  select p_user_id, p_processor, f.source, f.part, f.chain, f.trans_type, f.order_no, f.remark, f.currency, f.credits, f.cap,
         f.value, f.total, f.paid, f.covered, f.seq, f.rest, f.low, f.high, f.at, f.valid_from, f.expires_at, coalesce(f.tax, 0),
         f.country, f.sort_key,
         coalesce(f.is_whole, false), coalesce(f.collects, false)
  from jsonb_populate_record(null::kinora.payment, p_payment) f
  on conflict (user_id, source, part) do update
  set chain = excluded.chain, remark = excluded.remark, currency = excluded.currency, credits = excluded.credits,
      cap = excluded.cap, value = excluded.value, total = excluded.total, paid = excluded.paid, covered = excluded.covered,
      seq = excluded.seq, rest = excluded.rest, low = excluded.low, high = excluded.high, at = excluded.at,
      valid_from = excluded.valid_from, expires_at = excluded.expires_at, tax = excluded.tax, country = excluded.country,
      sort_key = excluded.sort_key, is_whole = excluded.is_whole
  where p.sort_key > excluded.sort_key;
  perform kinora.payment_settle(p_user_id, p_processor, p_payment ->> 'chain', p_now);
  -- What is free in one chain depends on what was free in the others.
  for v_chain in
    select distinct p.processor, p.chain
    from kinora.payment p
    where p.user_id = p_user_id
      and p.trans_type = 'SUBSCRIPTION'
      and p.total <= 0
      and p.value > 0
      and (p.processor, p.chain) <> (p_processor, p_payment ->> 'chain')
  loop
    perform kinora.payment_settle(p_user_id, v_chain.processor, v_chain.chain, p_now);
  end loop;
end
$$;

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
    perform kinora.payment_settle_source(p_user_id, p_processor, p_source, p_now);
  end if;
end
$$;

-- Records a refund, dispute or credit note, whose columns p_return has. Of its events the latest counts.
create or replace function kinora.payment_take_back(
  p_user_id uuid, p_processor text, p_return jsonb, p_now timestamptz
) returns void
language plpgsql
set enable_seqscan = off
as $$
declare
  v_source text;
begin
  -- By the most specific id.
  select o.source into v_source
  from jsonb_array_elements_text(p_return -> 'ids') with ordinality l (external_id, n)
  cross join lateral (
    select p.source
    from kinora.payment_object p
    where p.processor = p_processor and p.external_id = l.external_id and p.user_id = p_user_id
    limit 1
  ) o
  where o.source is not null
  order by l.n
  limit 1;

  insert into kinora.payment_return as r (
    processor, key, kind, charge, ids, source, amounts, share, state, at, sort_key, created_at
  )
  select p_processor, f.key, f.kind, f.charge, f.ids, v_source, f.amounts, f.share, f.state, f.at, f.sort_key, p_now
  from jsonb_populate_record(null::kinora.payment_return, p_return) f
  on conflict (processor, key) do update
  set source = coalesce(r.source, excluded.source),
      amounts = case when r.sort_key <= excluded.sort_key then excluded.amounts else r.amounts end,
      share = case when r.sort_key <= excluded.sort_key then excluded.share else r.share end,
      state = case when r.sort_key <= excluded.sort_key then excluded.state else r.state end,
      at = case when r.sort_key <= excluded.sort_key then excluded.at else r.at end,
      sort_key = greatest(r.sort_key, excluded.sort_key)
  returning source into v_source;
  perform kinora.payment_settle_source(p_user_id, p_processor, v_source, p_now);
end
$$;

-- Returns the refunds, disputes and credit notes of a payment in the order of their keys, each with its part, from 0
-- to 1, of the money that paid for it. A credit note first gives back what a balance that negative lines brought had
-- covered: that is a balance again, and no money.
create or replace function kinora.payment_returns_of(p_payment kinora.payment) returns table (key text, part numeric)
language sql stable
set enable_seqscan = off
begin atomic
  with r as (
    select r.key, r.kind, r.charge, r.state, r.at, r.sort_key,
           coalesce(
             (r.amounts ->> (p_payment).currency)::numeric, (r.amounts ->> '')::numeric, r.share * (p_payment).paid
           ) as amount
    from kinora.payment_return r
    where r.processor = (p_payment).processor and r.source = (p_payment).source
  ),
  taken as (
    select r.key, r.kind,
           case
             when r.state <> 'taken' then 0
             when r.kind in ('refund', 'dispute', 'credited') then r.amount
             -- Less what failed after this total, and what counts by itself, as far as this total has it.
             else greatest(0, r.amount - coalesce((
               select sum(o.amount)
               from r o
               where o.charge = r.charge
                 and (o.kind = 'refund' or o.kind = 'dispute' and r.kind = 'returned')
                 and (o.state = 'taken' or o.state = 'failed' and o.sort_key >= r.sort_key)
                 and coalesce(o.at <= r.at, true)
             ), 0))
           end as amount
    from r
  ),
  credited as (
    select t.key, t.amount, sum(t.amount) over (order by t.key) as upto
    from taken t
    where t.kind = 'credited'
  )
  select t.key, case when t.amount > 0 then least(1, t.amount / nullif(t.paid, 0)) else 0 end
  from (
    select t.key, t.amount, (p_payment).paid + greatest(0, (p_payment).covered) - (p_payment).own as paid
    from taken t
    where t.kind <> 'credited'
    union all
    select c.key, greatest(0, c.upto - (p_payment).own) - greatest(0, c.upto - c.amount - (p_payment).own),
           least((p_payment).paid + (p_payment).covered, (p_payment).total) - (p_payment).own
    from credited c
  ) t
  order by t.key;
end;

-- Returns what credit notes have given back, by the time of a payment, of the balance that negative lines brought to
-- its chain.
create or replace function kinora.payment_credited_back(p_payment kinora.payment) returns numeric
language sql stable
set enable_seqscan = off
begin atomic
  select coalesce(sum(least(p.own, n.amount)), 0)
  from (
    select distinct p.source, p.own, p.currency
    from kinora.payment p
    where p.user_id = (p_payment).user_id
      and p.processor = (p_payment).processor
      and p.chain = (p_payment).chain
      and (p.at, p.seq, p.source) < ((p_payment).at, (p_payment).seq, (p_payment).source)
      and p.own > 0
  ) p
  cross join lateral (
    select coalesce(sum((r.amounts ->> p.currency)::numeric), 0) as amount
    from kinora.payment_return r
    where r.processor = (p_payment).processor
      and r.source = p.source
      and r.kind = 'credited'
      and r.state = 'taken'
      and r.at <= (p_payment).at
  ) n;
end;

-- Brings the payments of a chain to what they are worth, in the order of their making. A payment is worth the credits
-- of its lines. A plan change that names one amount is worth what the new plan has more than the rest of the old one,
-- in proportion to what was paid of it: money, or a balance that no payment of the chain brought. All payments up to
-- here are worth no more than their money at the plan with the most credits for it, and no less than at the one with
-- the fewest.
create or replace function kinora.payment_settle(
  p_user_id uuid, p_processor text, p_chain text, p_now timestamptz
) returns void
language plpgsql
set enable_seqscan = off
as $$
declare
  v_payment kinora.payment;
  v_before kinora.payment;
  -- The plan that runs on at the time of the payment.
  v_plan kinora.payment;
  v_balance numeric := 0;
  -- What has been used of it, and what credit notes have given back of that.
  v_used numeric := 0;
  v_back numeric := 0;
  v_credited numeric;
  v_own numeric;
  v_share numeric;
  v_money numeric := 0;
  v_credits numeric := 0;
  v_low numeric;
  v_high numeric;
begin
  for v_payment in
    select *
    from kinora.payment p
    where p.user_id = p_user_id and p.processor = p_processor and p.chain = p_chain
    order by p.at, p.seq, p.source, p.part
  loop
    -- Packs and plans of an invoice are two rows of one payment.
    if v_payment.source is distinct from v_before.source then
      if v_used > 0 then
        v_credited := kinora.payment_credited_back(v_payment);
        v_balance := v_balance + v_credited - v_back;
        v_back := v_credited;
      end if;
      v_own := least(v_balance, greatest(0, v_payment.covered));
      v_used := v_used + v_own;
      v_balance := v_balance - v_own + greatest(0, -v_payment.total);
    end if;
    v_before := v_payment;
    v_payment.own := v_own;
    v_plan := kinora.payment_running_plan(v_payment);
    v_share := case
      -- A change waits for its amount.
      when v_payment.is_whole and v_plan.source is not null then 0
      when v_payment.total > 0
      -- What was paid beyond what was due is a balance, which pays like money later.
      then greatest(0, least(v_payment.paid + v_payment.covered, v_payment.total) - v_own) / v_payment.total
      -- No money bounds how often a free plan is changed, or bought again.
      when v_payment.value > 0 and (v_plan.source is not null or not kinora.payment_is_free_once(v_payment)) then 0
      else 1
    end;
    v_payment.money := greatest(0, v_payment.value) * v_share;
    v_payment.worth := v_share * case
      when v_payment.rest > 0 and v_plan.source is not null then kinora.payment_of_change(v_payment, v_plan)
      else v_payment.credits
    end;
    select 1 - least(1, coalesce(sum(r.part), 0)) into v_payment.kept
    from kinora.payment_returns_of(v_payment) r;
    v_low := least(v_low, v_payment.low);
    v_high := greatest(v_high, v_payment.high);
    v_money := v_money + v_payment.money * v_payment.kept;
    if v_payment.kept > 0 then
      v_payment.worth := greatest(
        least(v_payment.worth, (v_money * v_high - v_credits) / v_payment.kept),
        (v_money * v_low - v_credits) / v_payment.kept
      );
    end if;
    v_payment.worth := greatest(0, least(v_payment.worth, v_payment.cap));
    v_credits := v_credits + v_payment.worth * v_payment.kept;
    perform kinora.payment_balance(v_before, v_payment, p_now);
  end loop;
end
$$;

-- Settles the chain of a payment.
create or replace function kinora.payment_settle_source(
  p_user_id uuid, p_processor text, p_source text, p_now timestamptz
) returns void
language plpgsql
as $$
declare
  v_chain text;
begin
  -- Not one statement: a divided database runs one that reads payments where they are, with the functions that it
  -- calls.
  for v_chain in select distinct p.chain from kinora.payment p where p.user_id = p_user_id and p.source = p_source loop
    perform kinora.payment_settle(p_user_id, p_processor, v_chain, p_now);
  end loop;
end
$$;

-- Returns the last plan of the chain before this payment of a plan, if it runs on for more than a day; else null.
create or replace function kinora.payment_running_plan(p_payment kinora.payment) returns kinora.payment
language plpgsql stable
set enable_seqscan = off
as $$
declare
  v_last kinora.payment;
begin
  select * into v_last
  from kinora.payment p
  where p.user_id = p_payment.user_id
    and p.processor = p_payment.processor
    and p.chain = p_payment.chain
    and p.trans_type = 'SUBSCRIPTION'
    and p_payment.trans_type = 'SUBSCRIPTION'
    and (p.at, p.seq, p.source) < (p_payment.at, p_payment.seq, p_payment.source)
    and p.cap > 0
  order by p.at desc, p.seq desc, p.source desc
  limit 1;
  if v_last.expires_at > p_payment.at + interval '1 day' then
    return v_last;
  end if;
  return null;
end
$$;

-- Returns whether a payment whose discount takes all grants: free credits of a plan come once per owner and period,
-- however often it is cancelled and bought again, in any chain.
create or replace function kinora.payment_is_free_once(p_payment kinora.payment) returns boolean
language plpgsql stable
set enable_seqscan = off
as $$
declare
  v_free kinora.payment;
  v_until timestamptz := '-infinity';
begin
  if p_payment.trans_type <> 'SUBSCRIPTION' then
    return true;
  end if;
  for v_free in
    select *
    from kinora.payment p
    where p.user_id = p_payment.user_id
      and p.trans_type = 'SUBSCRIPTION'
      and p.total <= 0
      and p.value > 0
      and (p.at, p.seq, p.source) < (p_payment.at, p_payment.seq, p_payment.source)
    order by p.at, p.seq, p.source
  loop
    if v_until <= v_free.at + interval '1 day' and (kinora.payment_running_plan(v_free)).source is null then
      v_until := v_free.expires_at;
    end if;
  end loop;
  return v_until <= p_payment.at + interval '1 day';
end
$$;

-- Returns the credits of a plan change that names one amount (value), while another plan runs: those of the new plan,
-- less those of the old one's rest at the old rate. The money up to the difference of the two prices is a part of both
-- plans, as after a half of the period; what is more pays a new period, in which less of the old plan is left.
create or replace function kinora.payment_of_change(p_payment kinora.payment, p_plan kinora.payment) returns numeric
language sql immutable
return case
  when (p_payment).rest > (p_plan).value + (p_plan).rest
  then (p_payment).value * ((p_payment).cap - (p_plan).cap)
    / ((p_payment).value + (p_payment).rest - (p_plan).value - (p_plan).rest)
  else (p_payment).cap - (p_payment).rest * (p_plan).cap / nullif((p_plan).value + (p_plan).rest, 0)
end;

-- Brings a payment's packages and the refund claims on them to its worth: grants what is lacking, claims what was
-- granted too much, and then the share of each refund and dispute. p_before: the payment as it is stored.
create or replace function kinora.payment_balance(
  p_before kinora.payment, p_payment kinora.payment, p_now timestamptz
) returns void
language plpgsql
-- set-based
as $$
declare
  v_source constant text := p_payment.source || p_payment.part;
  v_worth constant bigint := round(p_payment.worth);
  v_claims record;
begin
  if v_worth > p_payment.granted then
    perform kinora.payment_grant(p_payment, v_worth - p_payment.granted, p_now);
    p_payment.granted := v_worth;
    p_payment.packages := p_payment.packages + 1;
  end if;
  if p_payment is distinct from p_before then
    update kinora.payment
    set own = p_payment.own, money = p_payment.money, worth = p_payment.worth, kept = p_payment.kept, granted = p_payment.granted,
        packages = p_payment.packages
    where user_id = p_payment.user_id and source = p_payment.source and part = p_payment.part;
    perform kinora.film_sum_mark(p_before => p_before, p_payment => p_payment);
  end if;
  if p_payment.kept = 1 and p_payment.granted = v_worth and p_before.kept = 1 and p_before.granted = round(p_before.worth) then
    -- There was nothing to claim, and there is nothing.
    return;
  end if;
  -- The claims, in sequence, take whole credits of the packages, in sequence: so the amounts do not depend on how many
  -- packages there are.
  for v_claims in
    with
    returned as (
      select r.key, round(v_worth * least(1, sum(r.part) over (order by r.key))) as upto
      from kinora.payment_returns_of(p_payment) r
    ),
    claim as (
      select 'plan change' as key, 0::numeric as since, (p_payment.granted - v_worth)::numeric as upto
      union all
      select key, p_payment.granted - v_worth + coalesce(lag(upto) over (order by key), 0), p_payment.granted - v_worth + upto
      from returned
    ),
    package as (
      select p.source, p.initial, sum(p.initial) over (order by n) as upto
      from generate_series(1, p_payment.packages) n
      join kinora.credit_package p
        on p.user_id = p_payment.user_id and p.source = v_source || case when n = 1 then '' else ':' || n end
    ),
    wanted as (
      select p.source, c.key,
             greatest(0, least(c.upto, p.upto) - greatest(c.since, p.upto - p.initial)) / p.initial as part
      from package p
      cross join claim c
    )
    select w.source, jsonb_object_agg(w.key, w.part) as parts
    from wanted w
    left join kinora.credit_refund_claim f on f.user_id = p_payment.user_id and f.source = w.source and f.key = w.key
    where w.part <> coalesce(f.part, 0)
    group by w.source
    order by w.source
  loop
    perform kinora.credit_claim_refund(p_payment.user_id, v_claims.source, v_claims.parts, p_now);
  end loop;
end
$$;

-- Grants credits for a payment, valid for the length of its period from the payment at least. Credits that would have
-- expired by now, because their event was applied late, are valid for as long from now on; the remark says so.
create or replace function kinora.payment_grant(p_payment kinora.payment, p_credits bigint, p_now timestamptz) returns void
language plpgsql
as $$
declare
  v_now constant timestamptz := kinora.time_of_grant(p_now);
  v_length constant interval := p_payment.expires_at - p_payment.valid_from;
  v_expires_at timestamptz := greatest(p_payment.expires_at, p_payment.at + v_length);
  v_is_late constant boolean := v_expires_at <= v_now and v_length > interval '0';
begin
  perform kinora.credit_grant(
    p_payment.user_id, kinora.uuid_v7(p_now),
    p_payment.source || p_payment.part || case p_payment.packages when 0 then '' else ':' || (p_payment.packages + 1) end,
    p_payment.trans_type, p_credits, case when v_is_late then v_now + v_length else v_expires_at end, p_now, p_payment.order_no,
    p_payment.remark || case when v_is_late then ', valid from when it was applied, because its event came late' else '' end,
    p_collects => p_payment.collects
  );
end
$$;

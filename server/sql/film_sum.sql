-- Sums of films by the day on which they ended, for reports of long periods. A row of an ended film does not change in
-- what is summed, and takes a time of the database's clock (time_of_grant), so the sums of a day are final once no
-- transaction of that day is open; only what its credits were sold for changes later (film_sum_stale). A sweep of the
-- worker sums day after day, so that a film's life writes nothing for it; reports read the other days from the videos.

-- Of the catalogue's cost: a stated cost that is further from it differs. DIFFERENCE_SHARE of the server.
create or replace function kinora.cost_difference_share() returns numeric
language sql immutable
return 0.1;

-- Returns the films that ended in a period, without those of test keys, with the day in p_zone, and with what each has
-- cost and earned in USD. The
-- cost is what the provider said last, where the unit has a value; of a completed film else what it has reserved, else
-- the catalogue's. A task that no provider took has cost nothing; every other cost is unknown: null.
create or replace function kinora.film_costs(
  p_since timestamptz, p_until timestamptz, p_account text default null, p_zone text default 'UTC'
)
returns table (
  user_id uuid, id uuid, day date, model text, account text, vendor_model text, is_made boolean, is_cancelled boolean, film_s numeric,
  credits bigint, generation_s integer, stated_usd numeric, reserved_usd numeric, catalogue_usd numeric, usd numeric,
  differs boolean, unpriced_unit text, stated_cost numeric, earned_usd numeric, unvalued_credits bigint
)
language sql stable
begin atomic
  with
  film as materialized (
    select v.user_id, v.id, (v.completed_at at time zone p_zone)::date as day, v.model, v.providers[v.provider_index] as account,
           v.route_model as vendor_model, v.status = 'COMPLETED' as is_made,
           v.error_code is not distinct from 'CANCELLED' as is_cancelled,
           coalesce(v.film_duration_s, v.duration_s)::numeric as film_s, v.credits,
           round(extract(epoch from v.result_at - v.accepted_at))::integer as generation_s,
           v.final_cost * v.unit_usd as stated_usd,
           case when v.status = 'COMPLETED' then v.reserved_cost * v.unit_usd end as reserved_usd,
           v.catalogue_usd,
           v.accepted_at is null and v.provider_task_id is null
             and (v.submitted_at is null or v.error_code <> 'NOT_ACCEPTED') as is_free,
           case when v.unit_usd is null then v.cost_unit end as unpriced_unit,
           coalesce(v.final_cost, v.reserved_cost) as stated_cost
    from kinora.video v
    where v.due_at is null and v.completed_at >= p_since and v.completed_at < p_until and not kinora.is_test(v.user_id)
      and (p_account is null or v.providers[v.provider_index] = p_account)
  ),
  used as materialized (
    select f.user_id, f.id, s.package_id, s.credits - coalesce(s.rest, 0) as credits
    from film f
    join kinora.credit_hold h on h.user_id = f.user_id and h.id = f.id
    cross join lateral unnest(
      h.package_ids, h.package_credits,
      case when h.rest > 0 then kinora.credit_slice_rest(p_package_credits => h.package_credits, p_rest => h.rest) end
    ) as s (package_id, credits, rest)
    where f.is_made and s.credits > coalesce(s.rest, 0)
  ),
  -- A package is looked up once, for all films that used it.
  worth as materialized (
    select p.user_id, p.package_id, w.usd
    from (select distinct u.user_id, u.package_id from used u) p
    cross join lateral kinora.credit_worth(p.user_id, p.package_id) w
  ),
  earned as (
    select u.user_id, u.id, sum(u.credits * w.usd) as usd, sum(u.credits) filter (where w.usd is null) as unvalued
    from used u
    join worth w on w.user_id = u.user_id and w.package_id = u.package_id
    group by u.user_id, u.id
  )
  select f.user_id, f.id, f.day, f.model, f.account, f.vendor_model, f.is_made, f.is_cancelled, f.film_s, f.credits, f.generation_s,
         f.stated_usd, f.reserved_usd, f.catalogue_usd,
         coalesce(f.stated_usd, f.reserved_usd, case when f.is_made then f.catalogue_usd when f.is_free then 0 end),
         f.is_made and abs(f.stated_usd - f.catalogue_usd) > kinora.cost_difference_share() * f.catalogue_usd,
         f.unpriced_unit, f.stated_cost, coalesce(e.usd, 0), coalesce(e.unvalued, 0)::bigint
  from film f
  left join earned e on e.user_id = f.user_id and e.id = f.id;
end;

-- Returns the sums by day of the films that ended in a period, as rows of film_sum: for each of p_groupings. One that
-- is no grouping of stored rows is a list of 'user', 'model', 'account' and 'route', separated by commas.
create or replace function kinora.film_sums(
  p_since timestamptz, p_until timestamptz, p_groupings text[], p_account text default null, p_zone text default 'UTC'
)
returns table (
  user_id uuid, grouped_by text, span text, since date, model text, account text, vendor_model text, films bigint,
  failed bigint, cancelled bigint, film_seconds numeric, credits_earned bigint, credits_returned bigint,
  stated_costs bigint, reserved_costs bigint, catalogue_costs bigint, unknown_costs bigint, known_usd numeric,
  differing bigint, differing_expected_usd numeric, differing_found_usd numeric, earned_usd numeric,
  unvalued_credits bigint, known_earned_usd numeric, known_unvalued bigint, seconds text, unpriced text
)
language sql stable
begin atomic
  with
  grouping_of as (
    select g as name, 'user' = any(parts) as has_user, parts && array['model', 'route'] as has_model,
           parts && array['account', 'route'] as has_account, 'route' = any(parts) as has_route
    from (select g, string_to_array(g, ',') as parts from unnest(p_groupings) g) g
  ),
  -- By second of generation first, so that percentiles are exact and what is stored is a histogram.
  counted as (
    select g.name, case when g.has_user then f.user_id else '00000000-0000-0000-0000-000000000000' end as user_id, f.day,
           case when g.has_model then f.model else '' end as model, case when g.has_account then f.account else '' end as account,
           case when g.has_route then coalesce(f.vendor_model, '') else '' end as vendor_model,
           case when f.is_made then f.generation_s end as s,
           f.unpriced_unit,
           sum(f.stated_cost) filter (where f.unpriced_unit is not null) as unpriced_cost,
           count(*) filter (where f.is_made) as films,
           count(*) filter (where not f.is_made and not f.is_cancelled) as failed,
           count(*) filter (where not f.is_made and f.is_cancelled) as cancelled,
           sum(f.film_s) filter (where f.is_made) as film_seconds,
           sum(f.credits) filter (where f.is_made) as credits_earned,
           sum(f.credits) filter (where not f.is_made) as credits_returned,
           count(f.stated_usd) as stated_costs,
           count(*) filter (where f.stated_usd is null and f.reserved_usd is not null) as reserved_costs,
           count(*) filter (
             where f.is_made and f.stated_usd is null and f.reserved_usd is null and f.catalogue_usd is not null
           ) as catalogue_costs,
           count(*) filter (where f.usd is null) as unknown_costs,
           sum(f.usd) as known_usd,
           count(*) filter (where f.differs) as differing,
           sum(f.catalogue_usd) filter (where f.differs) as differing_expected_usd,
           sum(f.stated_usd) filter (where f.differs) as differing_found_usd,
           sum(f.earned_usd) as earned_usd,
           sum(f.unvalued_credits) as unvalued_credits,
           sum(f.earned_usd) filter (where f.usd is not null) as known_earned_usd,
           sum(f.unvalued_credits) filter (where f.usd is not null) as known_unvalued
    from kinora.film_costs(p_since, p_until, p_account, p_zone) f
    cross join grouping_of g
    group by 1, 2, 3, 4, 5, 6, 7, 8
  )
  select user_id, name, 'day', day, model, account, vendor_model, sum(films)::bigint, sum(failed)::bigint,
         sum(cancelled)::bigint, coalesce(sum(film_seconds), 0), coalesce(sum(credits_earned), 0)::bigint,
         coalesce(sum(credits_returned), 0)::bigint, sum(stated_costs)::bigint, sum(reserved_costs)::bigint,
         sum(catalogue_costs)::bigint, sum(unknown_costs)::bigint, coalesce(sum(known_usd), 0), sum(differing)::bigint,
         coalesce(sum(differing_expected_usd), 0), coalesce(sum(differing_found_usd), 0), sum(earned_usd),
         sum(unvalued_credits)::bigint, coalesce(sum(known_earned_usd), 0), coalesce(sum(known_unvalued), 0)::bigint,
         string_agg('[' || s || ',' || films || ']', ',' order by s) filter (where s is not null),
         string_agg('[' || to_json(unpriced_unit)::text || ',' || unpriced_cost || ']', ',' order by unpriced_unit) filter (where unpriced_cost is not null)
  from counted
  group by name, user_id, day, model, account, vendor_model;
end;

-- Returns what the credits of films that were completed in a period were sold for and what these films have cost, by
-- the plan or pack that they came from; null: a gift, or credits whose payment is apart. A film that used credits of
-- several shares its cost by credits. unknown_credits: of films whose cost is unknown, which are in no cost.
create or replace function kinora.plan_margins(p_since timestamptz, p_until timestamptz)
returns table (
  plan text, films bigint, credits bigint, unvalued_credits bigint, unknown_credits bigint, earned_usd numeric,
  known_earned_usd numeric, cost_usd numeric
)
language sql stable
begin atomic
  with used as materialized (
    select f.user_id, f.id, f.usd, f.credits as of_film, s.package_id, s.credits - coalesce(s.rest, 0) as credits
    from kinora.film_costs(p_since, p_until) f
    join kinora.credit_hold h on h.user_id = f.user_id and h.id = f.id
    cross join lateral unnest(
      h.package_ids, h.package_credits,
      case when h.rest > 0 then kinora.credit_slice_rest(p_package_credits => h.package_credits, p_rest => h.rest) end
    ) as s (package_id, credits, rest)
    where f.is_made and s.credits > coalesce(s.rest, 0)
  ),
  worth as materialized (
    select p.user_id, p.package_id, w.usd, w.product
    from (select distinct u.user_id, u.package_id from used u) p
    cross join lateral kinora.credit_worth(p.user_id, p.package_id) w
  )
  select w.product, count(distinct u.id), sum(u.credits)::bigint,
         coalesce(sum(u.credits) filter (where w.usd is null), 0)::bigint,
         coalesce(sum(u.credits) filter (where u.usd is null), 0)::bigint,
         coalesce(sum(u.credits * w.usd), 0), coalesce(sum(u.credits * w.usd) filter (where u.usd is not null), 0),
         coalesce(sum(u.usd * u.credits / nullif(u.of_film, 0)), 0)
  from used u
  join worth w on w.user_id = u.user_id and w.package_id = u.package_id
  group by w.product;
end;

-- Returns the elements of a JSON array of pairs, with one pair for each first element.
create or replace function kinora.film_sum_pairs(p_pairs text) returns text
language sql immutable
return (
  select string_agg('[' || name::text || ',' || amount || ']', ',' order by name)
  from (
    select e -> 0 as name, sum((e ->> 1)::numeric) as amount
    from jsonb_array_elements(('[' || p_pairs || ']')::jsonb) e
    group by 1
  ) summed
);

-- Returns the sums by month of stored days from p_since to p_until, a month apart.
create or replace function kinora.film_sum_of_month(p_since date, p_until date)
returns table (
  user_id uuid, grouped_by text, span text, since date, model text, account text, vendor_model text, films bigint,
  failed bigint, cancelled bigint, film_seconds numeric, credits_earned bigint, credits_returned bigint,
  stated_costs bigint, reserved_costs bigint, catalogue_costs bigint, unknown_costs bigint, known_usd numeric,
  differing bigint, differing_expected_usd numeric, differing_found_usd numeric, earned_usd numeric,
  unvalued_credits bigint, known_earned_usd numeric, known_unvalued bigint, seconds text, unpriced text
)
language sql stable
begin atomic
  select s.user_id, s.grouped_by, 'month', p_since, s.model, s.account, s.vendor_model, sum(s.films)::bigint,
         sum(s.failed)::bigint, sum(s.cancelled)::bigint, sum(s.film_seconds), sum(s.credits_earned)::bigint,
         sum(s.credits_returned)::bigint, sum(s.stated_costs)::bigint, sum(s.reserved_costs)::bigint,
         sum(s.catalogue_costs)::bigint, sum(s.unknown_costs)::bigint, sum(s.known_usd), sum(s.differing)::bigint,
         sum(s.differing_expected_usd), sum(s.differing_found_usd), sum(s.earned_usd), sum(s.unvalued_credits)::bigint,
         sum(s.known_earned_usd), sum(s.known_unvalued)::bigint,
         kinora.film_sum_pairs(string_agg(s.seconds, ',')), kinora.film_sum_pairs(string_agg(s.unpriced, ','))
  from kinora.film_sum s
  where s.grouped_by = any(array['', 'model', 'account', 'route', 'user']) and s.span = 'day'
    and s.since >= p_since and s.since < p_until
  group by s.user_id, s.grouped_by, s.model, s.account, s.vendor_model;
end;

-- Removes the sums of a day or a month.
create or replace function kinora.film_sum_forget(p_span text, p_since date) returns void
language plpgsql
as $$
begin
  delete from kinora.film_sum
  where grouped_by = any(array['', 'model', 'account', 'route', 'user']) and span = p_span and since = p_since;
end
$$;

-- Sums a day, again where it was summed before.
create or replace function kinora.film_sum_day(p_day date) returns void
language plpgsql
as $$
begin
  perform kinora.film_sum_forget(p_span => 'day', p_since => p_day);
  insert into kinora.film_sum (
    user_id, grouped_by, span, since, model, account, vendor_model, films, failed, cancelled, film_seconds,
    credits_earned, credits_returned, stated_costs, reserved_costs, catalogue_costs, unknown_costs, known_usd,
    differing, differing_expected_usd, differing_found_usd, earned_usd, unvalued_credits, known_earned_usd,
    known_unvalued, seconds, unpriced
  )
  select *
  from kinora.film_sums(
    p_since => p_day::timestamp at time zone 'UTC', p_until => (p_day + 1)::timestamp at time zone 'UTC',
    p_groupings => array['', 'model', 'account', 'route', 'user']
  );
end
$$;

-- Sums a month from its summed days, again where it was summed before. p_month: its first day.
create or replace function kinora.film_sum_month(p_month date) returns void
language plpgsql
as $$
begin
  perform kinora.film_sum_forget(p_span => 'month', p_since => p_month);
  insert into kinora.film_sum (
    user_id, grouped_by, span, since, model, account, vendor_model, films, failed, cancelled, film_seconds,
    credits_earned, credits_returned, stated_costs, reserved_costs, catalogue_costs, unknown_costs, known_usd,
    differing, differing_expected_usd, differing_found_usd, earned_usd, unvalued_credits, known_earned_usd,
    known_unvalued, seconds, unpriced
  )
  select * from kinora.film_sum_of_month(p_since => p_month, p_until => (p_month + interval '1 month')::date);
end
$$;

-- Returns the summed days on which films used credits whose worth has changed since: they are read from the videos.
create or replace function kinora.film_sum_stale_days() returns setof date
language sql stable
begin atomic
  select distinct d.day
  from kinora.film_sum_stale m
  cross join lateral kinora.film_sum_days_of(m.user_id, m.source) d (day);
end;

-- Sums the days of a payment whose worth has changed again, thirty of them; then their months. Returns false when no
-- payment waits, or only such whose worth still changes.
create or replace function kinora.film_sum_again(p_state kinora.film_sum_state) returns boolean
language plpgsql
as $$
declare
  v_mark kinora.film_sum_stale;
  v_days date[];
begin
  select * into v_mark
  from kinora.film_sum_stale m
  where not kinora.credit_worth_is_open(m.user_id, m.source)
  order by m.user_id, m.id
  limit 1;
  if not found then
    return false;
  end if;
  v_days := array(
    select d from kinora.film_sum_days_of(v_mark.user_id, v_mark.source) d where d >= p_state.since and d < p_state.until order by d
  );
  perform kinora.film_sum_day(d) from unnest(v_days) d where d >= v_mark.done limit 30;
  v_mark.done := (select d from unnest(v_days) d where d >= v_mark.done order by d limit 1 offset 30);
  if v_mark.done is not null then
    update kinora.film_sum_stale set done = v_mark.done where user_id = v_mark.user_id and id = v_mark.id;
    return true;
  end if;
  perform kinora.film_sum_month(m.month)
  from (select distinct date_trunc('month', d)::date as month from unnest(v_days) d) m;
  delete from kinora.film_sum_stale where user_id = v_mark.user_id and id = v_mark.id;
  return true;
end
$$;

-- Sums what films of users with at least ten of them have cost that were requested on a day. An id begins with its
-- time, by the clock of another process than the one that the hold is dated by.
create or replace function kinora.usage_sum_day(p_day date) returns void
language plpgsql
as $$
declare
  v_since constant timestamptz := p_day::timestamp at time zone 'UTC';
  v_until constant timestamptz := (p_day + 1)::timestamp at time zone 'UTC';
begin
  insert into kinora.usage_sum (user_id, day, model, maker_id, credits, videos)
  select s.user_id, p_day, s.model, s.maker_id, s.credits, s.videos
  from (
    select h.user_id, v.model, coalesce(h.key_id, '00000000-0000-0000-0000-000000000000') as maker_id,
           sum(h.credits - h.rest)::bigint as credits, count(*) as videos, sum(count(*)) over (partition by h.user_id) as of_user
    from kinora.video v
    join kinora.credit_hold h on h.user_id = v.user_id and h.id = v.id
    where v.due_at is null
      and v.id >= kinora.first_id(v_since - interval '1 hour') and v.id < kinora.first_id(v_until + interval '1 hour')
      and h.state <> 'released' and h.created_at >= v_since and h.created_at < v_until
    group by 1, 2, 3
  ) s
  where s.of_user >= 10;
end
$$;

-- Returns the first id of a time: it precedes every id of this millisecond and later.
create or replace function kinora.first_id(p_time timestamptz) returns uuid
language sql immutable
return encode(substring(int8send(greatest(0, extract(epoch from p_time) * 1000)::bigint << 16) from 1 for 6) || '\x00000000000000000000'::bytea, 'hex')::uuid;

-- Does the next piece of the sums: a day, a month, or days that are to be summed again. Returns whether there may be
-- more to do now. A day is summed ten minutes after its end, which no statement outlives, when every transaction that
-- was open by then has ended. Its usage is summed a day later, when all films that were requested by its end have
-- ended: a request is dated by the clock of a process, which may be behind.
create or replace function kinora.film_sum_next(p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v_nil constant uuid := '00000000-0000-0000-0000-000000000000';
  v_over constant date := ((p_now - interval '10 minutes') at time zone 'UTC')::date;
  v_state kinora.film_sum_state;
  v_first date;
begin
  perform kinora.check_clock(p_now);
  select * into v_state from kinora.film_sum_state s where s.user_id = v_nil for update skip locked;
  if not found then
    v_first := (select (min(v.completed_at) at time zone 'UTC')::date from kinora.video v where v.due_at is null);
    if v_first is null then
      return false;
    end if;
    insert into kinora.film_sum_state (user_id, since, until, over, xid, usage_until)
    values (v_nil, v_first, v_first, greatest(v_first, v_over), pg_current_xact_id(), v_first)
    -- Another process is at work.
    on conflict do nothing;
    return found;
  end if;
  if pg_snapshot_xmin(pg_current_snapshot()) <= v_state.xid then
    return false;
  end if;
  if kinora.film_sum_again(v_state) then
    return true;
  end if;
  if v_state.until < v_state.over then
    perform kinora.film_sum_day(v_state.until);
    v_state.until := v_state.until + 1;
    v_first := date_trunc('month', v_state.until - 1)::date;
    -- That of the present month has the days so far. Of many days one after the other only the last is worth it.
    if v_state.until = v_state.over or extract(day from v_state.until) = 1 then
      perform kinora.film_sum_month(v_first);
    else
      perform kinora.film_sum_forget(p_span => 'month', p_since => v_first);
    end if;
  elsif v_state.usage_until < v_state.over - 1 and not exists (
    select from kinora.video v where v.due_at is not null and v.created_at < (v_state.usage_until + 1)::timestamp at time zone 'UTC'
  ) then
    perform kinora.usage_sum_day(v_state.usage_until);
    v_state.usage_until := v_state.usage_until + 1;
  elsif v_state.over < v_over then
    v_state.over := v_over;
    v_state.xid := pg_current_xact_id();
  else
    return false;
  end if;
  update kinora.film_sum_state s
  set until = v_state.until, over = v_state.over, xid = v_state.xid, usage_until = v_state.usage_until
  where s.user_id = v_nil;
  return true;
end
$$;

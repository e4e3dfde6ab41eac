-- The rules of the sums behind reports (film_sum.sql). Rows of film_sum are of all users, so that these are checked by
-- the day; those of usage_sum by the user, as all other rules.

-- Returns how a stored row of film_sum differs from the sums of what it is made of, either of which may be missing.
create or replace function kinora.verify_sum_row(p_expected jsonb, p_found jsonb)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  select (k.one ->> 'user_id')::uuid,
         concat_ws(
           ' ', 'films of', k.one ->> 'span', k.one ->> 'since', nullif(k.one ->> 'grouped_by', ''), nullif(k.one ->> 'model', ''),
           nullif(k.one ->> 'account', ''), nullif(k.one ->> 'vendor_model', '')
         ),
         'sums of films are those of the videos',
         case when p_expected is null then 'none' else string_agg(e.key || ' ' || coalesce(e.value, 'none'), ', ' order by e.key) end,
         case
           when p_found is null then 'none'
           else string_agg(e.key || ' ' || coalesce(p_found ->> e.key, 'none'), ', ' order by e.key)
         end
  from (select coalesce(p_expected, p_found) as one) k
  cross join jsonb_each_text(k.one) e
  where p_expected is null or p_found is null or p_expected -> e.key is distinct from p_found -> e.key
  group by k.one;
end;

-- Sums of days from p_since (included) to p_until (excluded) are those of the videos, and of months that begin there
-- those of their days. Null: of all summed days. What is to be summed again is left out.
create or replace function kinora.verify_film_sum(p_since date default null, p_until date default null)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  period as materialized (
    select greatest(s.since, p_since) as since, least(s.until, p_until) as until, s.since as first, s.until as last, s.over
    from kinora.film_sum_state s
  ),
  stale as materialized (select d.day from period cross join kinora.film_sum_stale_days() d (day)),
  expected as materialized (
    select e.*
    from period
    cross join lateral kinora.film_sums(
      p_since => period.since::timestamp at time zone 'UTC', p_until => period.until::timestamp at time zone 'UTC',
      p_groupings => array['', 'model', 'account', 'route', 'user']
    ) e
    union all
    select e.*
    from period
    cross join lateral generate_series(date_trunc('month', period.since::timestamp), period.until - 1, interval '1 month') m (month)
    cross join lateral kinora.film_sum_of_month(m.month::date, (m.month + interval '1 month')::date) e
    where greatest(m.month::date, period.first) >= period.since and (m.month + interval '1 month' <= period.last or period.last = period.over)
  ),
  stored as materialized (
    select
      s.user_id, s.grouped_by, s.span, s.since, s.model, s.account, s.vendor_model, s.films, s.failed, s.cancelled,
      s.film_seconds, s.credits_earned, s.credits_returned, s.stated_costs, s.reserved_costs, s.catalogue_costs,
      s.unknown_costs, s.known_usd, s.differing, s.differing_expected_usd, s.differing_found_usd, s.earned_usd,
      s.unvalued_credits, s.known_earned_usd, s.known_unvalued, s.seconds, s.unpriced
    from kinora.film_sum s
    cross join period
    -- While days are to be summed, the present month may have its sums or not.
    where (s.span = 'day' or s.since + interval '1 month' <= period.last or period.last = period.over)
      -- The first month belongs to the first day, where that is later than the month's.
      and greatest(s.since, period.first) >= period.since and greatest(s.since, period.first) < period.until
  )
  select d.*
  from expected e
  full join stored s
    on s.user_id = e.user_id and s.grouped_by = e.grouped_by and s.span = e.span and s.since = e.since and s.model = e.model
    and s.account = e.account and s.vendor_model = e.vendor_model
  cross join lateral kinora.verify_sum_row(p_expected => to_jsonb(e), p_found => to_jsonb(s)) d
  -- Nearly all are equal, which is found out at once.
  where e is distinct from s and not exists (
    select from stale t
    where t.day = coalesce(e.since, s.since)
      or coalesce(e.span, s.span) = 'month' and date_trunc('month', t.day::timestamp) = coalesce(e.since, s.since)
  );
end;

-- What the films of a user's day have cost is what their holds took.
create or replace function kinora.verify_usage_sum(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  stored as materialized (
    select u.user_id, u.day, u.model, u.maker_id, u.credits, u.videos
    from kinora.usage_sum u
    where u.user_id >= p_from and (p_to is null or u.user_id < p_to)
  ),
  summed as (
    select h.user_id, d.day, v.model, coalesce(h.key_id, '00000000-0000-0000-0000-000000000000') as maker_id,
           sum(h.credits - h.rest)::bigint as credits, count(*) as videos
    from (select distinct s.user_id, s.day from stored s) d
    join kinora.credit_hold h on h.user_id = d.user_id and (h.created_at at time zone 'UTC')::date = d.day
    join kinora.video v on v.user_id = h.user_id and v.id = h.id
    where h.user_id >= p_from and (p_to is null or h.user_id < p_to) and h.state <> 'released'
    group by 1, 2, 3, 4
  )
  select coalesce(s.user_id, m.user_id),
         concat_ws(' ', 'usage of', coalesce(s.day, m.day), coalesce(s.model, m.model), coalesce(s.maker_id, m.maker_id)),
         'usage is summed', concat(coalesce(m.credits, 0), ' in ', coalesce(m.videos, 0), ' videos'),
         concat(coalesce(s.credits, 0), ' in ', coalesce(s.videos, 0), ' videos')
  from stored s
  full join summed m on m.user_id = s.user_id and m.day = s.day and m.model = s.model and m.maker_id = s.maker_id
  where coalesce(s.credits, 0) <> coalesce(m.credits, 0) or coalesce(s.videos, 0) <> coalesce(m.videos, 0);
end;

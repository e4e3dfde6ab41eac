-- The rules of the sums behind reports (film_sum.sql). Rows of film_sum are of all users, so that these are checked by
-- the day; those of usage_sum by the user, as all other rules.

-- Returns how a stored row of film_sum differs from the sums of what it is made of, either of which may be missing.
create or replace function kinora.verify_sum_row(p_expected kinora.film_sum, p_found kinora.film_sum)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  select k.user_id, concat_ws(' ', 'films of', k.span, k.since, nullif(k.grouping, ''), nullif(k.model, ''), nullif(k.account, ''), nullif(k.vendor_model, '')),
         'sums of films are those of the videos',
         case when p_expected is null then 'none' else string_agg(e.key || ' ' || coalesce(e.value, 'none'), ', ' order by e.key) end,
         case when p_found is null then 'none' else string_agg(e.key || ' ' || coalesce(f.value, 'none'), ', ' order by e.key) end
  from (
    select (case when p_expected is null then p_found else p_expected end).*
  ) k
  cross join jsonb_each_text(to_jsonb(case when p_expected is null then p_found else p_expected end)) e
  left join jsonb_each_text(to_jsonb(p_found)) f on f.key = e.key
  where p_expected is null or p_found is null
    or case
      when e.key in ('seconds', 'unpriced') then kinora.film_sum_pairs(e.value) is distinct from kinora.film_sum_pairs(f.value)
      else to_jsonb(p_expected) -> e.key is distinct from to_jsonb(p_found) -> e.key
    end
  group by k.user_id, k.span, k.since, k.grouping, k.model, k.account, k.vendor_model;
end;

-- Sums of days from p_since (included) to p_until (excluded) are those of the videos, and of months that begin there
-- those of their days. Null: of all summed days. What is to be summed again is left out.
create or replace function kinora.verify_film_sum(p_since date default null, p_until date default null)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  period as materialized (
    select greatest(s.since, p_since) as since, least(s.until, p_until) as until, s.since as first, s.until as last
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
    where m.month >= period.since and m.month + interval '1 month' <= period.last
  ),
  stored as materialized (
    select s.* from kinora.film_sum s
    where (p_since is null or s.since >= p_since) and (p_until is null or s.since < p_until)
  )
  select d.*
  from expected e
  full join stored s
    on s.user_id = e.user_id and s.grouping = e.grouping and s.span = e.span and s.since = e.since and s.model = e.model
    and s.account = e.account and s.vendor_model = e.vendor_model
  cross join lateral kinora.verify_sum_row(e, s) d
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

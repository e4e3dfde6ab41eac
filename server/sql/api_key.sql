-- API keys: periods of budgets, and what a key has used. credit.sql spends a budget and gives back to it, both under
-- the lock of the account. Periods are those of UTC: the calendar day, the ISO week from Monday on, the calendar month.

-- Returns the first day of the period in which a time is. p_period: 'day', 'week' or 'month'.
create or replace function kinora.api_key_period_start(p_period text, p_time timestamptz) returns date
language sql immutable
return date_trunc(p_period, p_time at time zone 'utc')::date;

-- Returns the first day of the period after it.
create or replace function kinora.api_key_period_end(p_period text, p_time timestamptz) returns date
language sql immutable
return (kinora.api_key_period_start(p_period, p_time) + ('1 ' || p_period)::interval)::date;

-- Returns the credits that a key, or a member with the programs that the member connected, has used in the period in
-- which a time is.
create or replace function kinora.api_key_used(p_user_id uuid, p_key_id uuid, p_period text, p_time timestamptz) returns bigint
language sql stable
return (
  select coalesce(sum(u.credits), 0)
  from kinora.api_key_usage u
  where u.user_id = p_user_id
    and u.key_id = any(p_key_id || array(select k.id from kinora.api_key k where k.user_id = p_user_id and k.connected_by = p_key_id))
    and u.day >= kinora.api_key_period_start(p_period, p_time) and u.day < kinora.api_key_period_end(p_period, p_time)
);

-- Returns the credits that an owner has frozen or used in the period in which a time is. Read from the holds, so that
-- only an owner with a limit pays for it. The id of a hold begins with the time of its request, which may be a while
-- before the freeze.
create or replace function kinora.api_key_owner_used(p_user_id uuid, p_period text, p_time timestamptz) returns bigint
language sql stable
return (
  select coalesce(sum(h.credits - h.rest), 0)
  from kinora.credit_hold h
  cross join lateral (select kinora.api_key_period_start(p_period, p_time)::timestamp at time zone 'utc' as since) p
  where h.user_id = p_user_id and h.id >= kinora.first_id(p.since - interval '1 hour') and h.created_at >= p.since
    and h.state <> 'released'
);

-- Returns the keys of a set of requests that have a budget, and their browser tokens or the members who connected a
-- program (token_id of its request), with what is left of each. The period is that of the time to which api_key_use
-- counts: with a clock behind the account's last movement, the budget of one day must not be checked for another.
create or replace function kinora.api_key_budgets(
  p_requests kinora.hold_request[], p_now timestamptz, out key_ids uuid[], out remaining bigint[]
)
language plpgsql
as $$
begin
  select array_agg(r.key_id), array_agg(b.budget - u.used)
  into key_ids, remaining
  from (
    select user_id, key_id from unnest(p_requests) where key_id is not null
    union
    select user_id, token_id from unnest(p_requests) where token_id is not null
  ) r
  cross join lateral (
    select k.budget, k.budget_period
    from kinora.api_key k
    where k.user_id = r.user_id and k.id = r.key_id and k.budget is not null
    offset 0
  ) b
  cross join lateral (
    select greatest(p_now, max(c.moved_at)) as row_time from kinora.credit_account c where c.user_id = r.user_id offset 0
  ) a
  -- As api_key_used: a call for each key of a set is an execution of its own.
  cross join lateral (
    select coalesce(sum(d.credits), 0) as used
    from kinora.api_key_usage d
    where d.user_id = r.user_id
      and d.key_id = any(r.key_id || array(select p.id from kinora.api_key p where p.user_id = r.user_id and p.connected_by = r.key_id))
      and d.day >= kinora.api_key_period_start(b.budget_period, a.row_time)
      and d.day < kinora.api_key_period_end(b.budget_period, a.row_time)
  ) u;
  if exists (select from unnest(p_requests) where token_id is not null) then
    select key_ids || array_agg(r.token_id), remaining || array_agg(b.unspent)
    into key_ids, remaining
    from (select distinct user_id, token_id from unnest(p_requests) where token_id is not null) r
    cross join lateral (
      select t.budget - t.used as unspent
      from kinora.key_token t
      where t.user_id = r.user_id and t.id = r.token_id
      offset 0
    ) b;
  end if;
end
$$;

-- Counts what keys and their browser tokens have used for new holds.
create or replace function kinora.api_key_use(p_holds kinora.hold_request[], p_now timestamptz) returns void
language plpgsql
as $$
begin
  insert into kinora.api_key_usage as u (user_id, key_id, day, credits, videos)
  select h.user_id, h.key_id, (greatest(p_now, a.moved_at) at time zone 'utc')::date, h.credits, h.videos
  from (
    select user_id, key_id, sum(credits) as credits, count(*) as videos
    from unnest(p_holds)
    where key_id is not null
    group by user_id, key_id
  ) h
  cross join lateral (select c.moved_at from kinora.credit_account c where c.user_id = h.user_id offset 0) a
  on conflict (user_id, key_id, day) do update
  set credits = u.credits + excluded.credits, videos = u.videos + excluded.videos;
  if exists (select from unnest(p_holds) where token_id is not null) then
    update kinora.key_token t
    set used = t.used + h.credits
    from (
      select user_id, token_id, sum(credits) as credits from unnest(p_holds) where token_id is not null group by user_id, token_id
    ) h
    where t.user_id = h.user_id and t.id = h.token_id;
  end if;
end
$$;

-- Gives the credits of released slices back to their keys, for the day on which they were frozen. A rest is of a video
-- that stays counted.
create or replace function kinora.api_key_give_back(p_slices kinora.release_slice[]) returns void
language plpgsql
as $$
begin
  update kinora.api_key_usage u
  set credits = u.credits - d.credits, videos = u.videos - d.videos
  from (
    select user_id, key_id, (frozen_at at time zone 'utc')::date as day, sum(credits) as credits,
           count(distinct hold_id) filter (where not is_rest) as videos
    from unnest(p_slices)
    where key_id is not null
    group by 1, 2, 3
  ) d
  cross join lateral (
    select ctid as row_tid
    from kinora.api_key_usage
    where user_id = d.user_id and key_id = d.key_id and day = d.day
    offset 0
  ) r
  where u.ctid = r.row_tid;
end
$$;

-- Makes a browser token of an API key. Returns 'made'.
create or replace function kinora.key_token_make(
  p_user_id uuid, p_id uuid, p_key_id uuid, p_subject text, p_scopes text[], p_budget bigint, p_expires_at timestamptz,
  p_now timestamptz
) returns text
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  insert into kinora.key_token (user_id, id, key_id, subject, scopes, budget, created_at, expires_at)
  values (p_user_id, p_id, p_key_id, p_subject, p_scopes, p_budget, p_now, p_expires_at);
  return 'made';
end
$$;

-- API keys: periods of budgets, and what a key has used. credit.sql spends a budget and credit_release.sql gives back to it, both
-- under the lock of the account. Periods are those of UTC: the calendar day, the ISO week from Monday on, the calendar month.

-- Returns the first day of the period in which a time is. p_period: 'day', 'week' or 'month'.
create or replace function kinora.api_key_period_start(p_period text, p_time timestamptz) returns date
language sql immutable
return date_trunc(p_period, p_time at time zone 'utc')::date;

-- Returns the first day of the period after it.
create or replace function kinora.api_key_period_end(p_period text, p_time timestamptz) returns date
language sql immutable
return (kinora.api_key_period_start(p_period, p_time) + ('1 ' || p_period)::interval)::date;

-- Returns the credits that a key has used in the period in which a time is.
create or replace function kinora.api_key_used(p_user_id uuid, p_key_id uuid, p_period text, p_time timestamptz) returns bigint
language sql stable
return (
  select coalesce(sum(u.credits), 0)
  from kinora.api_key_usage u
  where u.user_id = p_user_id and u.key_id = p_key_id
    and u.day >= kinora.api_key_period_start(p_period, p_time) and u.day < kinora.api_key_period_end(p_period, p_time)
);

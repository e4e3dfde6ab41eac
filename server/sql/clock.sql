-- The clock. The time of a call comes from the calling process (p_now); the database's clock judges it.

-- How far a process's clock may differ from the database's. Tests, which call with times of their own, replace this
-- function in their template database; no code of the server does. Not immutable: cached plans would keep the value.
create or replace function kinora.clock_limit() returns interval
language sql stable
return interval '2 minutes';

-- Refuses a time that is ahead of the database's clock. Every function that a process calls and that decides by p_now
-- what it writes calls this one, by itself or by credit_lock: credits that a wrong clock writes off and videos that it
-- fails would be lost for the user. Functions that other functions call rely on their caller. A time in the past harms
-- no row, because grants take the database's then: time_of_grant. Raises SQLSTATE KN001.
create or replace function kinora.check_clock(p_now timestamptz) returns void
language plpgsql
as $$
begin
  if p_now > clock_timestamp() + kinora.clock_limit() then
    raise exception 'the clock of the calling process is wrong: it reads %, the database''s clock reads %',
      p_now, clock_timestamp()
      using errcode = 'KN001', hint = 'Synchronise the clock of the machine that runs the process.';
  end if;
end
$$;

-- Returns the time of a grant, and of a film's end: p_now, or the database's where the process is behind it by more
-- than the limit. Credits of such a grant would end too early, or would have expired; such a film would end on a day
-- that is summed (film_sum.sql).
create or replace function kinora.time_of_grant(p_now timestamptz) returns timestamptz
language sql volatile
return case when p_now < statement_timestamp() - kinora.clock_limit() then statement_timestamp() else p_now end;

-- Returns a time as JSON.stringify writes a Date: ISO 8601 in UTC with milliseconds.
create or replace function kinora.iso_time(p_time timestamptz) returns text
language sql stable
return to_char(p_time at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

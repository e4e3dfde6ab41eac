-- Reading balances, of one user and of a set.

-- Returns the balance at p_now, after writing off expired packages, so that the history read beside it adds up.
-- A user without an account has zero credits; reading the balance opens no account.
create or replace function kinora.credit_balance(
  p_user_id uuid, p_now timestamptz,
  out available bigint, out frozen bigint, out used bigint, out total bigint, out expiring_soon bigint
)
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  perform kinora.credit_lock(a.user_id, p_now)
  from kinora.credit_account a
  where a.user_id = p_user_id and a.next_expiry_at <= p_now;

  -- One statement is one snapshot, so that expiring_soon is a part of the available credits returned beside it.
  select coalesce(a.available, 0), coalesce(a.frozen, 0), coalesce(a.used, 0), coalesce(a.total, 0), coalesce(s.credits, 0)
  into available, frozen, used, total, expiring_soon
  from (
    select sum(p.remaining) as credits
    from kinora.credit_package p
    where p.user_id = p_user_id and p.expires_at > p_now and p.expires_at <= p_now + interval '7 days'
  ) s
  left join kinora.credit_account a on a.user_id = p_user_id;
end
$$;

-- Returns the balances of a set of users at p_now, in sequence; p_requests: a JSON array of {user_id}. It writes nothing and so
-- waits for no lock: is_due says that credit_balance has work to do for this user first. Invariant: its condition is that of
-- credit_balance.
create or replace function kinora.credit_balance_all(p_requests jsonb, p_now timestamptz)
returns table (available bigint, frozen bigint, used bigint, total bigint, expiring_soon bigint, is_due boolean)
language plpgsql
as $$
#variable_conflict use_column
begin
  perform kinora.check_clock(p_now);
  return query
  select coalesce(a.available, 0), coalesce(a.frozen, 0), coalesce(a.used, 0), coalesce(a.total, 0), coalesce(s.credits, 0)::bigint,
         coalesce(a.next_expiry_at <= p_now, false)
  from rows from (jsonb_to_recordset(p_requests) as (user_id uuid)) with ordinality r
  left join kinora.credit_account a on a.user_id = r.user_id
  left join lateral (
    select sum(p.remaining) as credits
    from kinora.credit_package p
    where p.user_id = r.user_id and p.expires_at > p_now and p.expires_at <= p_now + interval '7 days'
  ) s on true
  order by r.ordinality;
end
$$;

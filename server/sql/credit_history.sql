-- The history and the balance. The history has one row per movement of available credits, hash-chained per user. credit_move_all
-- is the one function that appends rows; each row's hash covers the row and, by the hash before it, all earlier rows.

-- Returns the canonical text of a row: a JSON array of what the history API returns, in this sequence, with times in epoch
-- milliseconds. Its elements are those of JSON.stringify, separated by ', ', so that a browser can recompute it.
create or replace function kinora.history_text(
  p_n bigint, p_id uuid, p_trans_no text, p_trans_type text, p_credits bigint, p_balance_after bigint, p_package_id uuid,
  p_video_id uuid, p_order_no text, p_remark text, p_actor_id uuid, p_source text, p_expires_at timestamptz, p_graces jsonb,
  p_created_at timestamptz
) returns text
language sql stable
return json_build_array(
  p_n, p_id, p_trans_no, p_trans_type, p_credits, p_balance_after, p_package_id, p_video_id, p_order_no, p_remark, p_actor_id,
  p_source, kinora.epoch_ms(p_expires_at), p_graces, kinora.epoch_ms(p_created_at)
)::text;

create or replace function kinora.history_text(p_row kinora.credit_transaction) returns text
language sql stable
return kinora.history_text(
  (p_row).n, (p_row).id, (p_row).trans_no, (p_row).trans_type, (p_row).credits, (p_row).balance_after, (p_row).package_id,
  (p_row).video_id, (p_row).order_no, (p_row).remark, (p_row).actor_id, (p_row).source, (p_row).expires_at, (p_row).graces,
  (p_row).created_at
);

-- Returns the hash of a row: SHA-256 of the hash before it (32 bytes; none before the first row) and its canonical text.
create or replace function kinora.history_hash(p_before bytea, p_text text) returns bytea
language sql immutable
return sha256(p_before || convert_to(p_text, 'UTF8'));

-- The state function of history_chain: the first row continues p_head, each other row the row before it. In PL/pgSQL, because
-- PostgreSQL plans an SQL function anew for every query that aggregates with it.
create or replace function kinora.history_chain_next(p_state bytea, p_head bytea, p_text text) returns bytea
language plpgsql immutable
as $$
begin
  return sha256(coalesce(p_state, p_head) || convert_to(p_text, 'UTF8'));
end
$$;

-- Returns the hash of the last of several rows that continue the chain with head p_head. As a window function over
-- (partition by user_id order by n) it returns the hash of each row.
create or replace aggregate kinora.history_chain(p_head bytea, p_text text) (
  sfunc = kinora.history_chain_next,
  stype = bytea
);

-- Moves credits of accounts that the caller has locked: appends one history row per movement, numbered, balanced and chained in
-- the sequence of the array, and changes each account once.
create or replace function kinora.credit_move_all(p_movements kinora.credit_movement[], p_now timestamptz) returns void
language plpgsql
-- See credit.sql.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  v_low record;
begin
  with numbered as (
    select m.*, a.number, a.history_hash,
           a.transactions + row_number() over movements as n,
           a.available + sum(m.credits) over movements as balance_after
    from unnest(p_movements) with ordinality m
    cross join lateral (
      select number, history_hash, transactions, available
      from kinora.credit_account
      where user_id = m.user_id
      offset 0
    ) a
    window movements as (partition by m.user_id order by m.ordinality)
  ),
  -- Materialised, because uuid_v7 is volatile: the hash covers the id that is stored.
  entry as materialized (
    select *, kinora.uuid_v7(p_now) as id, kinora.credit_trans_no(number, n) as trans_no from numbered
  ),
  chained as materialized (
    select *,
           kinora.history_chain(
             history_hash,
             kinora.history_text(
               n, id, trans_no, trans_type, credits, balance_after::bigint, package_id, video_id, order_no, remark, actor_id,
               source, expires_at, graces, p_now
             )
           ) over (partition by user_id order by n) as hash
    from entry
  ),
  appended as (
    insert into kinora.credit_transaction (
      user_id, n, id, trans_no, trans_type, credits, balance_after, package_id, video_id, order_no, remark, actor_id,
      created_at, source, expires_at, graces, hash
    )
    select user_id, n, id, trans_no, trans_type, credits, balance_after, package_id, video_id, order_no, remark, actor_id,
           p_now, source, expires_at, graces, hash
    from chained
  ),
  moved as (
    update kinora.credit_account a
    set available = a.available + m.credits,
        frozen = a.frozen + m.frozen,
        expired = a.expired + m.expired,
        clawed_back = a.clawed_back + m.clawed_back,
        total = a.total + m.total,
        open_holds = a.open_holds + m.open_holds,
        next_expiry_at = least(a.next_expiry_at, m.next_expiry_at),
        transactions = m.n,
        history_hash = m.hash
    from (
      select user_id, sum(credits) as credits, sum(frozen) as frozen, sum(expired) as expired,
             sum(clawed_back) as clawed_back, sum(total) as total, sum(open_holds) as open_holds,
             min(next_expiry_at) as next_expiry_at, max(n) as n, (array_agg(hash order by n desc))[1] as hash
      from chained
      group by user_id
    ) m
    cross join lateral (select ctid as row_id from kinora.credit_account where user_id = m.user_id offset 0) r
    where a.ctid = r.row_id
    returning a.user_id, a.available, a.available - m.credits as available_before, a.low_credits
  )
  select array_agg(user_id) as user_ids, array_agg(available) as available, array_agg(low_credits) as low_credits
  into v_low
  from moved
  where low_credits is not null and available < low_credits and available_before >= low_credits;
  if 'VIDEO_CONSUME' <> any (array(select trans_type from unnest(p_movements))) then
    perform kinora.transaction_count_add(p_movements);
  end if;
  if v_low.user_ids is not null then
    perform kinora.credit_notify_low(v_low.user_ids, v_low.available, v_low.low_credits, p_now);
  end if;
end
$$;

-- Moves credits of one account that the caller has locked, and returns the account.
create or replace function kinora.credit_move(
  p_account kinora.credit_account, p_trans_type text, p_credits bigint, p_now timestamptz,
  p_frozen bigint default 0, p_expired bigint default 0, p_clawed_back bigint default 0, p_total bigint default 0,
  p_open_holds integer default 0, p_next_expiry_at timestamptz default 'infinity',
  p_package_id uuid default null, p_video_id uuid default null, p_order_no text default null,
  p_remark text default null, p_actor_id uuid default null, p_source text default null,
  p_expires_at timestamptz default null, p_graces jsonb default null
) returns kinora.credit_account
language plpgsql
as $$
declare
  v_account kinora.credit_account;
  v_movement kinora.credit_movement := row(
    p_account.user_id, p_trans_type, p_credits, p_frozen, p_expired, p_clawed_back, p_total, p_open_holds,
    p_next_expiry_at, p_package_id, p_video_id, p_order_no, p_remark, p_actor_id, p_source, p_expires_at, p_graces
  );
begin
  perform kinora.credit_move_all(array[v_movement], p_now);
  select * into v_account from kinora.credit_account where user_id = p_account.user_id;
  return v_account;
end
$$;

-- Completes the rows of an account that were written before the history was chained, under the account's lock: the root of each
-- grace package, what the rows of additions and releases fix, and the hashes. Then takes what refund claims are owed.
create or replace function kinora.credit_upgrade(p_account kinora.credit_account, p_now timestamptz)
returns kinora.credit_account
language plpgsql
as $$
declare
  v_account kinora.credit_account;
  v_user_id constant uuid := p_account.user_id;
  v_source text;
begin
  with recursive chain as (
    select id, id as root_id from kinora.credit_package where user_id = v_user_id and parent_id is null
    union all
    select p.id, c.root_id
    from chain c
    join kinora.credit_package p on p.user_id = v_user_id and p.parent_id = c.id
  )
  update kinora.credit_package p
  set root_id = c.root_id
  from chain c
  where p.user_id = v_user_id and p.id = c.id and p.parent_id is not null;

  update kinora.credit_transaction t
  set source = p.source, expires_at = p.expires_at
  from kinora.credit_package p
  where t.user_id = v_user_id and t.credits > 0
    and p.user_id = v_user_id and p.id = t.package_id and p.parent_id is null;

  update kinora.credit_transaction t
  set graces = g.graces
  from (
    select split_part(source, ':', 2)::uuid as hold_id,
           jsonb_agg(jsonb_build_array(id, initial, kinora.epoch_ms(expires_at)) order by id) as graces
    from kinora.credit_package
    where user_id = v_user_id and parent_id is not null
    group by 1
  ) g
  where t.user_id = v_user_id and t.trans_type = 'REFUND' and t.video_id = g.hold_id;

  update kinora.credit_transaction t
  set hash = c.hash
  from (
    select h.n, kinora.history_chain('\x', kinora.history_text(h)) over (order by h.n) as hash
    from kinora.credit_transaction h
    where h.user_id = v_user_id
  ) c
  where t.user_id = v_user_id and t.n = c.n;

  update kinora.credit_account
  set ledger_version = 1,
      history_hash = coalesce(
        (select hash from kinora.credit_transaction where user_id = v_user_id order by n desc limit 1), '\x'
      )
  where user_id = v_user_id;

  for v_source in
    select source from kinora.credit_package where user_id = v_user_id and refund_claimed > 0 order by id
  loop
    perform kinora.credit_claw_back(v_user_id, v_source, p_now);
  end loop;

  select * into v_account from kinora.credit_account where user_id = v_user_id;
  return v_account;
end
$$;

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
  where a.user_id = p_user_id and (a.next_expiry_at <= p_now or a.ledger_version < 2);

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
-- waits for no lock: is_due says that credit_balance has to write off expired packages of this user first.
create or replace function kinora.credit_balance_all(p_requests jsonb, p_now timestamptz)
returns table (available bigint, frozen bigint, used bigint, total bigint, expiring_soon bigint, is_due boolean)
language plpgsql
as $$
#variable_conflict use_column
begin
  perform kinora.check_clock(p_now);
  return query
  select coalesce(a.available, 0), coalesce(a.frozen, 0), coalesce(a.used, 0), coalesce(a.total, 0), coalesce(s.credits, 0)::bigint,
         coalesce(a.next_expiry_at <= p_now or a.ledger_version < 1, false)
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

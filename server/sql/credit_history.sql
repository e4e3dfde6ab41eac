-- The history: one row per movement of available credits, hash-chained per user. credit_move_all is the one function
-- that appends rows; each row's hash covers the row and, by the hash before it, all earlier rows.

-- Returns a movement of an account: the differences of its quantities, and what its history row says.
create or replace function kinora.movement(
  p_user_id uuid, p_trans_type text, p_credits bigint,
  p_frozen bigint default 0, p_expired bigint default 0, p_clawed_back bigint default 0, p_total bigint default 0,
  p_open_holds integer default 0, p_next_expiry_at timestamptz default 'infinity',
  p_package_id uuid default null, p_video_id uuid default null, p_order_no text default null, p_remark text default null,
  p_actor_id uuid default null, p_source text default null, p_expires_at timestamptz default null, p_graces jsonb default null
) returns kinora.credit_movement
language sql immutable
return row(
  p_user_id, p_trans_type, p_credits, p_frozen, p_expired, p_clawed_back, p_total, p_open_holds, p_next_expiry_at, p_package_id,
  p_video_id, p_order_no, p_remark, p_actor_id, p_source, p_expires_at, p_graces
)::kinora.credit_movement;

-- Returns the canonical text of a row: a JSON array of what the history API returns, in this sequence, with times in
-- epoch milliseconds. Its elements are those of JSON.stringify, separated by ', ', so that a browser can recompute it.
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

-- Returns the hash of a row: SHA-256 of the hash before it (32 bytes; none before the first row) and its canonical
-- text. Stable as convert_to is: PostgreSQL does not inline it otherwise.
create or replace function kinora.history_hash(p_before bytea, p_text text) returns bytea
language sql stable
return sha256(p_before || convert_to(p_text, 'UTF8'));

-- The state function of history_chain: the first row continues p_head, each other row the row before it. In PL/pgSQL,
-- because PostgreSQL plans an SQL function anew for every query that aggregates with it.
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

-- Returns the time of the next history row of a locked account: p_now, or the time of its newest row where that is
-- later, because the clocks of two processes differ. What is compared with the row has the same time: holds, packages
-- and audit entries.
create or replace function kinora.credit_row_time(p_user_id uuid, p_now timestamptz) returns timestamptz
language sql stable
return greatest(p_now, (select moved_at from kinora.credit_account where user_id = p_user_id));

-- Moves credits of accounts that the caller has locked: appends one history row per movement, numbered, balanced and
-- chained in the order of the array, and changes each account once.
create or replace function kinora.credit_move_all(p_movements kinora.credit_movement[], p_now timestamptz) returns void
language plpgsql
-- set-based
as $$
declare
  v_rows constant record := kinora.credit_number_rows(p_movements, p_now);
begin
  insert into kinora.credit_transaction (
    user_id, n, id, trans_no, trans_type, credits, balance_after, package_id, video_id, order_no, remark, actor_id,
    created_at, source, expires_at, graces, hash
  )
  select user_id, n, id, trans_no, trans_type, credits, balance_after, package_id, video_id, order_no, remark, actor_id,
         created_at, source, expires_at, graces, hash
  from unnest(v_rows.numbered, p_movements);
  perform kinora.credit_change_accounts(v_rows.tids, v_rows.sums, v_rows.heads, p_now);
  if v_rows.are_counted then
    perform kinora.transaction_count_add(p_movements);
  end if;
end
$$;

-- Numbers, balances and chains the history rows of movements: element i of numbered is of movement i. A loop in memory,
-- because window functions would sort and store whole rows. tids, sums and heads are of the accounts: where the row is,
-- what the movements add up to, and the last history row. are_counted: whether there are rows that are not
-- VIDEO_CONSUME.
create or replace function kinora.credit_number_rows(
  p_movements kinora.credit_movement[], p_now timestamptz,
  out numbered kinora.numbered_row[], out tids tid[], out sums kinora.credit_movement[], out heads kinora.numbered_row[],
  out are_counted boolean
)
language plpgsql
as $$
declare
  v_seed constant bytea := uuid_send(kinora.uuid_v7(p_now));
  v_account record;
  v_i integer;
  v_m kinora.credit_movement;
  v_row kinora.numbered_row;
begin
  numbered := array_fill(null::kinora.numbered_row, array[cardinality(p_movements)]);
  are_counted := false;
  for v_account in
    select a.row_tid, a.number, a.history_hash, a.transactions, a.available, greatest(p_now, a.moved_at) as at, m.positions, m.total
    from (
      select user_id, array_agg(ordinality::integer order by ordinality) as positions,
             kinora.movement(
               p_user_id => user_id, p_trans_type => null, p_credits => sum(credits)::bigint, p_frozen => sum(frozen)::bigint,
               p_expired => sum(expired)::bigint, p_clawed_back => sum(clawed_back)::bigint, p_total => sum(total)::bigint,
               p_open_holds => sum(open_holds)::integer, p_next_expiry_at => min(next_expiry_at)
             ) as total
      from unnest(p_movements) with ordinality
      group by user_id
    ) m
    cross join lateral (
      select ctid as row_tid, number, history_hash, transactions, available, moved_at
      from kinora.credit_account
      where user_id = m.user_id
      offset 0
    ) a
  loop
    v_row := row(v_account.transactions, null, null, v_account.available, v_account.history_hash, v_account.at);
    foreach v_i in array v_account.positions loop
      v_m := p_movements[v_i];
      v_row.n := v_row.n + 1;
      v_row.id := kinora.uuid_of_set(v_seed, v_i);
      v_row.trans_no := kinora.credit_trans_no(v_account.number, v_row.n);
      v_row.balance_after := v_row.balance_after + v_m.credits;
      v_row.hash := kinora.history_hash(
        v_row.hash,
        kinora.history_text(
          v_row.n, v_row.id, v_row.trans_no, v_m.trans_type, v_m.credits, v_row.balance_after, v_m.package_id, v_m.video_id,
          v_m.order_no, v_m.remark, v_m.actor_id, v_m.source, v_m.expires_at, v_m.graces, v_row.created_at
        )
      );
      numbered[v_i] := v_row;
      are_counted := are_counted or v_m.trans_type <> 'VIDEO_CONSUME';
    end loop;
    tids := tids || v_account.row_tid;
    sums := sums || v_account.total;
    heads := heads || v_row;
  end loop;
end
$$;

-- Changes accounts by the sums of their movements, and notifies users whose balance has become low.
create or replace function kinora.credit_change_accounts(
  p_tids tid[], p_sums kinora.credit_movement[], p_heads kinora.numbered_row[], p_now timestamptz
) returns void
language plpgsql
as $$
declare
  v_low record;
begin
  with moved as (
    update kinora.credit_account a
    set available = a.available + m.credits,
        frozen = a.frozen + m.frozen,
        expired = a.expired + m.expired,
        clawed_back = a.clawed_back + m.clawed_back,
        total = a.total + m.total,
        open_holds = a.open_holds + m.open_holds,
        next_expiry_at = least(a.next_expiry_at, m.next_expiry_at),
        transactions = m.n,
        history_hash = m.hash,
        moved_at = m.created_at
    from unnest(p_tids, p_sums, p_heads) m (row_tid)
    where a.ctid = m.row_tid
    returning a.user_id, a.available, a.available - m.credits as available_before, a.low_credits
  )
  select array_agg(user_id) as user_ids, array_agg(available) as available, array_agg(low_credits) as low_credits
  into v_low
  from moved
  where low_credits is not null and available < low_credits and available_before >= low_credits;
  if v_low.user_ids is not null then
    perform kinora.credit_notify_low(v_low.user_ids, v_low.available, v_low.low_credits, p_now);
  end if;
end
$$;

-- Moves credits of one account that the caller has locked.
create or replace function kinora.credit_move(p_movement kinora.credit_movement, p_now timestamptz) returns void
language sql
as $$ select kinora.credit_move_all(array[p_movement], p_now) $$;

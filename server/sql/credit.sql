-- The ledger: freezing and settling credits; credit_lock.sql locks the accounts, credit_release.sql has the release. Invariant:
-- only the files credit*.sql write credit_* tables, and only credit_history.sql appends to the history.
--
-- Every function takes a set: arrays with one element per request, for any number of accounts. It first locks the accounts and
-- writes off expired credits, then moves the credits of the whole set by one statement per table. Element i of a result belongs
-- to request i. The requests of one account take effect in the sequence of the array, as if each had been made by itself. All
-- functions are idempotent: called again with the same arguments they return the same and change nothing.
--
-- How a set is joined to a table: PostgreSQL plans a function once, often while the tables are empty, and keeps the plan while they
-- grow. So that no plan reads a whole table, rows are found by `cross join lateral (… offset 0)`, an index lookup per element; an
-- update finds the ctid of each row in this way, which cannot change while the caller holds the lock of the account or of the row.
-- A function marked `-- set-based` gets two options of the planner from migrate (db/schema.ts), which hold for what it calls, too:
-- enable_seqscan is off for the same reason; plan_cache_mode is force_generic_plan, because with arrays as parameters the planner
-- would make a new plan for every call, which costs as much as the call.
--
-- A *package* is one addition of credits, a *hold* reserves credits for a video, its *slices* record from which packages.
-- server/src/credit/README.md has the rules in prose.

-- Reserves credits for videos, FIFO: from the packages that expire first. p_max_open caps the open holds of an account; 0 means
-- the most that an account may ever have, a million, which keeps open_holds far below the limit of its type, integer.
-- p_key_ids: the API key of each request, null without one; its budget must cover the request too.
-- outcomes: 'frozen' (also for a hold that exists already), or 'insufficient', 'over_budget' or 'too_many' with nothing changed.
-- available: the account's credits after the request. frozen: the positions of the requests that made a hold, by account.
create or replace function kinora.credit_freeze_holds(
  p_user_ids uuid[], p_hold_ids uuid[], p_credits bigint[], p_remarks text[], p_max_open integer[], p_now timestamptz,
  out outcomes text[], out available bigint[], p_key_ids uuid[] default null, out frozen integer[]
)
language plpgsql
-- set-based
as $$
declare
  v_account record;
  v_n integer;
  v_available bigint;
  v_open_holds integer;
  -- Of the present account: the holds that the set has frozen, and the position of the package to take from.
  v_hold_ids uuid[];
  v_remaining bigint[];
  v_package integer;
  v_taken bigint;
  v_missing bigint;
  v_credits bigint;
  -- The keys with a budget, what is left of each, and the position of the present one.
  v_keys uuid[];
  v_left bigint[];
  v_key integer;
  -- Slices: position of the request, package, credits.
  v_slice_requests integer[] := '{}';
  v_slice_packages uuid[] := '{}';
  v_slice_credits bigint[] := '{}';
  -- The packages of the slices: their ctids and what is taken from each.
  v_tids tid[] := '{}';
  v_all_taken bigint[] := '{}';
  v_movements kinora.credit_movement[] := '{}';
begin
  perform kinora.credit_lock_accounts(p_user_ids, p_now);
  frozen := '{}';
  outcomes := array_fill(null::text, array[cardinality(p_user_ids)]);
  available := array_fill(null::bigint, array[cardinality(p_user_ids)]);
  if p_key_ids is not null then
    select array_agg(r.key_id), array_agg(b.budget - kinora.api_key_used(r.user_id, r.key_id, b.budget_period, p_now))
    into v_keys, v_left
    from (select distinct user_id, key_id from unnest(p_user_ids, p_key_ids) r (user_id, key_id) where key_id is not null) r
    cross join lateral (
      select k.budget, k.budget_period
      from kinora.api_key k
      where k.user_id = r.user_id and k.id = r.key_id and k.budget is not null
      offset 0
    ) b;
  end if;

  -- Whether a request can be met depends on those before it: a large one that is refused leaves credits for a small one after
  -- it. So a loop in memory decides, and lays the requests of an account along its packages; the tables are changed by sets.
  for v_account in
    select a.user_id, a.available, a.open_holds, r.positions, p.ids as package_ids, p.tids, p.remaining,
           h.ids as hold_ids
    from (
      select user_id, array_agg(n::integer order by n) as positions
      from unnest(p_user_ids) with ordinality r (user_id, n)
      group by user_id
    ) r
    cross join lateral (
      select c.user_id, c.available, c.open_holds from kinora.credit_account c where c.user_id = r.user_id offset 0
    ) a
    cross join lateral (
      select array_agg(p.id order by p.expires_at, p.created_at, p.id) as ids,
             array_agg(p.ctid order by p.expires_at, p.created_at, p.id) as tids,
             array_agg(p.remaining order by p.expires_at, p.created_at, p.id) as remaining
      from kinora.credit_package p
      where p.user_id = a.user_id and p.expires_at > p_now and p.remaining > 0
    ) p
    cross join lateral (
      select array_agg(h.id) as ids
      from unnest(r.positions) n
      cross join lateral (
        select id from kinora.credit_hold where user_id = a.user_id and id = p_hold_ids[n] offset 0
      ) h
    ) h
  loop
    v_available := v_account.available;
    v_open_holds := v_account.open_holds;
    v_hold_ids := v_account.hold_ids;
    v_remaining := v_account.remaining;
    v_package := 1;
    v_taken := 0;
    foreach v_n in array v_account.positions loop
      v_key := array_position(v_keys, p_key_ids[v_n]);
      if p_hold_ids[v_n] = any(v_hold_ids) then
        outcomes[v_n] := 'frozen';
      elsif v_open_holds >= least(nullif(greatest(p_max_open[v_n], 0), 0), 1000000) then
        outcomes[v_n] := 'too_many';
      elsif v_left[v_key] < p_credits[v_n] then
        outcomes[v_n] := 'over_budget';
      elsif v_available < p_credits[v_n] then
        outcomes[v_n] := 'insufficient';
      else
        outcomes[v_n] := 'frozen';
        if v_key is not null then
          v_left[v_key] := v_left[v_key] - p_credits[v_n];
        end if;
        v_available := v_available - p_credits[v_n];
        v_open_holds := v_open_holds + 1;
        v_hold_ids := v_hold_ids || p_hold_ids[v_n];
        frozen := frozen || v_n;
        v_missing := p_credits[v_n];
        while v_missing > 0 loop
          if v_package > coalesce(cardinality(v_remaining), 0) then
            raise exception 'account % shows % credits available, its packages % fewer',
              v_account.user_id, v_account.available, v_missing;
          end if;
          v_credits := least(v_remaining[v_package], v_missing);
          v_slice_requests := v_slice_requests || v_n;
          v_slice_packages := v_slice_packages || v_account.package_ids[v_package];
          v_slice_credits := v_slice_credits || v_credits;
          v_missing := v_missing - v_credits;
          v_remaining[v_package] := v_remaining[v_package] - v_credits;
          v_taken := v_taken + v_credits;
          if v_remaining[v_package] = 0 then
            v_tids := v_tids || v_account.tids[v_package];
            v_all_taken := v_all_taken || v_taken;
            v_package := v_package + 1;
            v_taken := 0;
          end if;
        end loop;
        v_movements := v_movements || kinora.movement(
          p_user_id => v_account.user_id, p_trans_type => 'VIDEO_CONSUME', p_credits => -p_credits[v_n],
          p_frozen => p_credits[v_n], p_open_holds => 1, p_video_id => p_hold_ids[v_n], p_remark => p_remarks[v_n]
        );
      end if;
      available[v_n] := v_available;
    end loop;
    if v_taken > 0 then
      v_tids := v_tids || v_account.tids[v_package];
      v_all_taken := v_all_taken || v_taken;
    end if;
  end loop;
  if frozen = '{}' then
    return;
  end if;

  with frozen_hold as (
    insert into kinora.credit_hold (user_id, id, credits, created_at, key_id)
    select p_user_ids[n], p_hold_ids[n], p_credits[n], p_now, p_key_ids[n] from unnest(frozen) n
  ),
  frozen_slice as (
    insert into kinora.credit_slice (user_id, hold_id, package_id, credits)
    select p_user_ids[n], p_hold_ids[n], package_id, credits
    from unnest(v_slice_requests, v_slice_packages, v_slice_credits) s (n, package_id, credits)
  )
  update kinora.credit_package p
  set remaining = p.remaining - t.credits, frozen = p.frozen + t.credits
  from unnest(v_tids, v_all_taken) t (row_tid, credits)
  where p.ctid = t.row_tid;
  if p_key_ids is not null then
    insert into kinora.api_key_usage as u (user_id, key_id, day, credits, videos)
    select p_user_ids[n], p_key_ids[n], (p_now at time zone 'utc')::date, sum(p_credits[n]), count(*)
    from unnest(frozen) n
    where p_key_ids[n] is not null
    group by p_user_ids[n], p_key_ids[n]
    on conflict (user_id, key_id, day) do update
    set credits = u.credits + excluded.credits, videos = u.videos + excluded.videos;
  end if;

  perform kinora.credit_move_all(v_movements, p_now);
end
$$;

-- Consumes the credits of holds. Returns the state of each hold afterwards: 'settled', 'released' if that came first, or null for
-- an unknown hold. p_is_locked: the caller has locked the accounts.
create or replace function kinora.credit_settle_holds(
  p_user_ids uuid[], p_hold_ids uuid[], p_now timestamptz, p_is_locked boolean default false
) returns text[]
language plpgsql
-- set-based
as $$
declare
  v_settled bigint;
begin
  if p_is_locked is not true then
    perform kinora.credit_lock_accounts(p_user_ids, p_now);
  end if;
  with settled as (
    update kinora.credit_hold h
    set state = 'settled', closed_at = p_now
    from (select distinct user_id, hold_id from unnest(p_user_ids, p_hold_ids) r (user_id, hold_id)) d
    cross join lateral (
      select ctid as row_tid from kinora.credit_hold where user_id = d.user_id and id = d.hold_id offset 0
    ) r
    where h.ctid = r.row_tid and h.state = 'frozen'
    returning h.user_id, h.id, h.credits
  ),
  used_package as (
    update kinora.credit_package p
    set frozen = p.frozen - s.credits, used = p.used + s.credits
    from (
      select h.user_id, s.package_id, sum(s.credits) as credits
      from settled h
      cross join lateral (
        select package_id, credits from kinora.credit_slice where user_id = h.user_id and hold_id = h.id offset 0
      ) s
      group by h.user_id, s.package_id
    ) s
    cross join lateral (
      select ctid as row_tid from kinora.credit_package where user_id = s.user_id and id = s.package_id offset 0
    ) r
    where p.ctid = r.row_tid
  ),
  used_account as (
    update kinora.credit_account a
    set frozen = a.frozen - s.credits, used = a.used + s.credits, open_holds = a.open_holds - s.holds
    from (select user_id, sum(credits) as credits, count(*) as holds from settled group by user_id) s
    cross join lateral (select ctid as row_tid from kinora.credit_account where user_id = s.user_id offset 0) r
    where a.ctid = r.row_tid
  )
  select count(*) into v_settled from settled;
  if v_settled = cardinality(p_hold_ids) then
    return array_fill('settled'::text, array[v_settled::integer]);
  end if;
  return kinora.credit_hold_states(p_user_ids, p_hold_ids);
end
$$;

-- Returns the states of holds, null for an unknown hold.
create or replace function kinora.credit_hold_states(p_user_ids uuid[], p_hold_ids uuid[]) returns text[]
language plpgsql
-- set-based
as $$
begin
  return array(
    select h.state
    from unnest(p_user_ids, p_hold_ids) with ordinality r (user_id, hold_id, n)
    left join lateral (
      select state from kinora.credit_hold where user_id = r.user_id and id = r.hold_id offset 0
    ) h on true
    order by r.n
  );
end
$$;

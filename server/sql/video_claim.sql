-- The claim of due rows under a lease. A claimed row becomes due again when its lease ends (p_lease_until), so that a
-- worker that dies delays it by one lease at most. Nothing here moves credits.
--
-- A worker's claim passes over the rows that another transaction has locked, and over those that were claimed since its
-- snapshot, and goes on to the next ones until it has enough: workers never wait for each other, so they cannot
-- deadlock, and none returns empty while rows are due. A claim does not wait for the disk (synchronous_commit). A crash
-- of the database may forget it, and then the row is due as before: the records of a step come later in the log, so a
-- step of a forgotten claim has recorded nothing, and finds its lease stale.

-- Returns when the oldest due video of a status became due; null: none is due. p_bucket null: of all buckets.
create or replace function kinora.video_oldest_due(p_status text, p_bucket integer, p_now timestamptz) returns timestamptz
language plpgsql stable
as $$
begin
  if p_bucket is null then
    return (
      select v.due_at
      from kinora.video v
      where v.status = p_status and v.due_at <= p_now
      order by v.due_at
      limit 1
    );
  end if;
  return (
    select v.due_at
    from kinora.video v
    where v.status = p_status and get_byte(uuid_send(v.id), 15) & 63 = p_bucket and v.due_at <= p_now
    order by v.due_at
    limit 1
  );
end
$$;

-- Locks up to p_count due videos of a status, the oldest first, without those that are locked. Returns their ctids,
-- which cannot change while they are locked.
create or replace function kinora.video_lock_due(p_status text, p_bucket integer, p_count integer, p_now timestamptz)
returns tid[]
language plpgsql
as $$
begin
  if p_bucket is null then
    return array(
      select v.ctid
      from kinora.video v
      where v.status = p_status and v.due_at <= p_now
      order by v.due_at
      limit p_count
      for no key update skip locked
    );
  end if;
  return array(
    select v.ctid
    from kinora.video v
    where v.status = p_status and get_byte(uuid_send(v.id), 15) & 63 = p_bucket and v.due_at <= p_now
    order by v.due_at
    limit p_count
    for no key update skip locked
  );
end
$$;

-- Gives the lease to videos whose rows the caller has locked, so that their ctids p_tids stay.
create or replace function kinora.video_lease_rows(p_tids tid[], p_lease uuid, p_lease_until timestamptz)
returns setof kinora.video
language plpgsql
as $$
begin
  return query
  update kinora.video v
  set lease_id = p_lease, lease_until = p_lease_until, due_at = p_lease_until
  where v.ctid = any(p_tids)
  returning v.*;
end
$$;

-- Claims up to p_count due videos of the statuses, the oldest first. The status whose oldest row waits longest comes
-- first. p_bucket (0 to 63, by the last byte of the id): the worker found a backlog last time, and goes on in this part
-- of it, then in the next ones. Workers are in different buckets then, and need not pass over what the others are
-- claiming.
create or replace function kinora.video_claim_oldest(
  p_statuses text[], p_count integer, p_lease uuid, p_lease_until timestamptz, p_now timestamptz, p_bucket integer default null
) returns setof kinora.video
language plpgsql
-- set-based
-- Without a sort or a bitmap the plan is an index of due rows, also when their statistics are wrong.
set enable_bitmapscan = off
set enable_sort = off
as $$
declare
  v_bucket integer;
  v_status text;
  v_tids tid[] := '{}';
begin
  perform kinora.check_clock(p_now);
  <<buckets>>
  for v_offset in 0..case when p_bucket is null then 0 else 63 end loop
    v_bucket := (p_bucket + v_offset) & 63;
    for v_status in
      select wanted.status
      from unnest(p_statuses) wanted (status)
      cross join lateral (select kinora.video_oldest_due(wanted.status, v_bucket, p_now) as due_at) oldest
      where oldest.due_at is not null
      order by oldest.due_at
    loop
      v_tids := v_tids || kinora.video_lock_due(v_status, v_bucket, p_count - cardinality(v_tids), p_now);
      exit buckets when cardinality(v_tids) >= p_count;
    end loop;
  end loop;
  if cardinality(v_tids) = 0 then
    return;
  end if;
  perform set_config('synchronous_commit', 'off', true);
  return query select * from kinora.video_lease_rows(v_tids, p_lease, p_lease_until);
end
$$;

-- Claims up to p_count due videos of one status, round robin by user: first of users that the worker runs no step of,
-- then of those with one, and so on, never more than p_per_user_max of a user. p_user_ids, p_running: the users of its
-- steps, and how many of each. A user at the limit is left out of the read, because one user's backlog may be longer
-- than p_window, the number of oldest due videos that the round robin covers.
create or replace function kinora.video_claim_round_robin(
  p_status text, p_count integer, p_per_user_max integer, p_window integer, p_user_ids uuid[], p_running integer[],
  p_lease uuid, p_lease_until timestamptz, p_now timestamptz
) returns setof kinora.video
language plpgsql
-- set-based
set enable_bitmapscan = off
as $$
declare
  v_full uuid[];
  v_tids tid[];
begin
  perform kinora.check_clock(p_now);
  v_full := array(
    select u.id from unnest(p_user_ids, p_running) u (id, running) where u.running >= p_per_user_max
  );
  v_tids := array(
    select locked.row_tid
    from (
      select ranked.user_id, ranked.id
      from (
        select oldest.user_id, oldest.id, oldest.due_at,
               row_number() over (partition by oldest.user_id order by oldest.due_at, oldest.id)
                 + coalesce(p_running[array_position(p_user_ids, oldest.user_id)], 0) as n
        from (
          select v.user_id, v.id, v.due_at
          from kinora.video v
          where v.status = p_status and v.due_at <= p_now and v.user_id <> all(v_full)
          order by v.due_at
          limit p_window
        ) oldest
      ) ranked
      where ranked.n <= p_per_user_max
      order by ranked.n, ranked.due_at
      offset 0
    ) chosen
    -- The coalesce keeps the planner off the index of due rows, which it would prefer while it estimates that few are
    -- due.
    cross join lateral (
      select v.ctid as row_tid
      from kinora.video v
      where v.user_id = chosen.user_id and v.id = chosen.id and v.status = p_status and coalesce(v.due_at, 'infinity') <= p_now
      for no key update skip locked
    ) locked
    limit p_count
  );
  if cardinality(v_tids) = 0 then
    return;
  end if;
  perform set_config('synchronous_commit', 'off', true);
  return query select * from kinora.video_lease_rows(v_tids, p_lease, p_lease_until);
end
$$;

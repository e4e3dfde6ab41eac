-- Videos that wait for a place among their user's videos in progress: their credits are frozen, and they begin in their
-- order as places are free. One that ends has the first of them due at once; each is due every 30 s beside, so that
-- none waits for ever. Lock order: account, videos in the order of their ids.

-- How long a video waits between two looks for a place.
create or replace function kinora.video_waiting_pause() returns interval
language sql immutable
return interval '30 seconds';

-- Begins the first waiting videos of a user, as many as there are places; p_id, which a worker has claimed, waits on
-- where it is none of them. The time of a provider counts from the begin: as much as lies between deadline_at and
-- updated_at of a video that waits. p_max_in_progress 0: no cap; one of the account's own counts instead. Returns how
-- many have begun.
create or replace function kinora.video_begin_waiting(
  p_user_id uuid, p_id uuid, p_lease uuid, p_max_in_progress integer, p_now timestamptz
) returns integer
language plpgsql
as $$
declare
  v_account kinora.credit_account;
  v_max integer;
  v_ids uuid[];
begin
  perform kinora.check_clock(p_now);
  v_account := kinora.credit_lock(p_user_id, p_now);
  v_max := coalesce(
    (select k.max_in_progress from kinora.api_key k where k.user_id = p_user_id and k.id = p_user_id), nullif(p_max_in_progress, 0)
  );
  v_ids := array(
    select v.id
    from kinora.video v
    where v.user_id = p_user_id and v.is_waiting and v.due_at is not null
    order by v.id
    limit greatest(0, coalesce(v_max - v_account.open_holds + v_account.waiting_holds, v_account.waiting_holds))
    for no key update
  );
  update kinora.video v
  set is_waiting = v.id <> all(v_ids),
      lease_id = null,
      lease_until = null,
      due_at = case when v.id = any(v_ids) then p_now else p_now + kinora.video_waiting_pause() end,
      deadline_at = p_now + (v.deadline_at - v.updated_at),
      updated_at = p_now
  where v.user_id = p_user_id
    and (v.id = any(v_ids) or v.id = p_id and v.lease_id = p_lease and v.is_waiting and v.due_at is not null);
  if v_ids <> '{}' then
    perform kinora.credit_count_waiting(array_fill(p_user_id, array[cardinality(v_ids)]), -1);
  end if;
  return cardinality(v_ids);
end
$$;

-- Makes the first waiting video of each user due at once who has a place, because one ended. A row that another
-- transaction has locked is passed over: the videos of p_decisions are locked, and theirs may come before it.
create or replace function kinora.video_wake_waiting(p_decisions kinora.video_decision[], p_now timestamptz) returns void
language plpgsql
as $$
declare
  v_user_id uuid;
begin
  for v_user_id in
    select distinct (d.video).user_id
    from unnest(p_decisions) d
    cross join lateral (select waiting_holds from kinora.credit_account where user_id = (d.video).user_id offset 0) a
    where d.credits is not null and a.waiting_holds > 0
  loop
    update kinora.video
    set due_at = p_now
    where user_id = v_user_id and id = (
      select v.id
      from kinora.video v
      where v.user_id = v_user_id and v.is_waiting and v.due_at is not null and v.lease_id is null
      order by v.id
      limit 1
      for no key update skip locked
    );
  end loop;
end
$$;

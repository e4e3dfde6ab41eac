-- The two functions that return rows of kinora.video as `begin atomic` had expanded `*` when they were created: after
-- `alter table kinora.video add column` they fail with "return type mismatch" until they are created again. As strings they
-- follow the table, so that later migrations may add columns while processes call them.

create or replace function kinora.video_claim(
  p_user_ids uuid[], p_ids uuid[], p_lease uuid, p_lease_until timestamptz, p_now timestamptz
) returns setof kinora.video
language sql
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
as $$
  update kinora.video v
  set lease_id = p_lease, lease_until = p_lease_until, due_at = p_lease_until
  from unnest(p_user_ids, p_ids) as due (user_id, id)
  where v.user_id = due.user_id and v.id = due.id and coalesce(v.due_at, 'infinity') <= p_now
  returning v.*;
$$;

create or replace function kinora.video_lock_leased(p_user_id uuid, p_id uuid, p_lease uuid) returns kinora.video
language sql
as $$
  select * from kinora.video
  where user_id = p_user_id and id = p_id and lease_id = p_lease
  for no key update;
$$;

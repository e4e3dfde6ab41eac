-- The totals of lists, which would otherwise count a user's rows for every page. Invariant: a transaction that changes
-- a counter has locked the account, so that a counter and what it counts change in one transaction, one after the
-- other.

-- Counts what the decisions of video_apply made final or deleted. The accounts are locked.
create or replace function kinora.video_count_add(p_decisions kinora.video_decision[]) returns void
language plpgsql
as $$
declare
  v_change record;
  v_updated bigint;
begin
  select array_agg(user_id) as user_ids, array_agg(model) as models, array_agg(status) as statuses, array_agg(videos) as videos
  into v_change
  from (
    select (video).user_id as user_id, (video).model as model, (video).status as status,
           sum(case outcome when 'deleted' then -1 else 1 end) as videos
    from unnest(p_decisions)
    where is_changed
      and case
        when outcome = 'deleted' then (video).due_at is null
        else credits is not null and (video).deleted_at is null
      end
    group by 1, 2, 3
  ) c;
  update kinora.video_count c
  set videos = c.videos + d.videos
  from unnest(v_change.user_ids, v_change.models, v_change.statuses, v_change.videos) d (user_id, model, status, videos)
  cross join lateral (
    select ctid as row_tid
    from kinora.video_count
    where user_id = d.user_id and model = d.model and status = d.status
    offset 0
  ) r
  where c.ctid = r.row_tid;
  get diagnostics v_updated = row_count;
  if v_updated < cardinality(v_change.user_ids) then
    -- The first of their kind.
    insert into kinora.video_count (user_id, model, status, videos)
    select d.user_id, d.model, d.status, d.videos
    from unnest(v_change.user_ids, v_change.models, v_change.statuses, v_change.videos) d (user_id, model, status, videos)
    where d.videos <> 0 and not exists (
      select from kinora.video_count c where c.user_id = d.user_id and c.model = d.model and c.status = d.status
    );
  end if;
end
$$;

-- Counts rows that are appended to histories of locked accounts: the types of p_movements, without VIDEO_CONSUME.
create or replace function kinora.transaction_count_add(p_movements kinora.credit_movement[]) returns void
language plpgsql
as $$
begin
  insert into kinora.transaction_count as c (user_id, trans_type, transactions)
  select user_id, trans_type, count(*)
  from unnest(p_movements)
  where trans_type <> 'VIDEO_CONSUME'
  group by user_id, trans_type
  on conflict on constraint transaction_count_pkey do update set transactions = c.transactions + excluded.transactions;
end
$$;

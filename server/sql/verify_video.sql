-- The rules of videos, their holds and the rows that freeze and release credits.

create or replace function kinora.verify_video(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  video as not materialized (
    select user_id, id, status, credits, due_at, lease_until, deadline_at, created_at, updated_at
    from kinora.video
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  hold as not materialized (
    select user_id, id, credits, rest, state, created_at, closed_at,
           case state when 'released' then credits else rest end as released
    from kinora.credit_hold
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  history as not materialized (
    select user_id, video_id, trans_type, credits, created_at
    from kinora.credit_transaction
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  history_of_video as (
    select t.user_id, t.video_id,
           -coalesce(sum(t.credits) filter (where t.trans_type = 'VIDEO_CONSUME'), 0) as consumed,
           coalesce(sum(t.credits) filter (where t.trans_type = 'REFUND'), 0) as refunded,
           min(t.created_at) filter (where t.trans_type = 'VIDEO_CONSUME') as consumed_at,
           max(t.created_at) filter (where t.trans_type = 'REFUND') as refunded_at
    from history t
    where t.video_id is not null
    group by t.user_id, t.video_id
  )
  select coalesce(v.user_id, h.user_id), 'video ' || coalesce(v.id, h.id), 'credits follow the status',
         case
           when v.id is null then 'no video'
           when v.status = 'COMPLETED' then v.credits || ' settled'
           when v.status = 'FAILED' then v.credits || ' released'
           else v.credits || ' frozen'
         end,
         coalesce(h.credits - h.rest || ' ' || h.state, 'no hold')
  from video v
  full join hold h on h.user_id = v.user_id and h.id = v.id
  -- A free cut has no hold.
  where (v.credits = 0 and h.id is null) is not true and (h.credits - h.rest, h.state) is distinct from (
    v.credits,
    case v.status when 'COMPLETED' then 'settled' when 'FAILED' then 'released' else 'frozen' end
  )
  union all
  select coalesce(h.user_id, t.user_id), 'video ' || coalesce(h.id, t.video_id), 'freeze and release are in the history',
         coalesce(h.credits, 0) || ' consumed, ' || coalesce(h.released, 0) || ' refunded',
         coalesce(t.consumed, 0) || ' consumed, ' || coalesce(t.refunded, 0) || ' refunded'
  from hold h
  full join history_of_video t on t.user_id = h.user_id and t.video_id = h.id
  where (coalesce(t.consumed, 0), coalesce(t.refunded, 0))
    is distinct from (coalesce(h.credits, 0), coalesce(h.released, 0))
  union all
  -- How long released credits last depends on when they were frozen.
  select h.user_id, 'video ' || h.id, 'a hold begins and ends when its rows were written',
         concat_ws(' to ', t.consumed_at, t.refunded_at), concat_ws(' to ', h.created_at, h.closed_at)
  from hold h
  join history_of_video t on t.user_id = h.user_id and t.video_id = h.id
  where h.created_at <> t.consumed_at or h.closed_at <> t.refunded_at
  union all
  -- No step is ever scheduled that late, and no lease lasts as long: at infinity, a worker would never claim the video
  -- again.
  select v.user_id, 'video ' || v.id, 'an unfinished video has a next step', 'within 30 days',
         concat_ws(', ', 'due ' || v.due_at, 'leased until ' || v.lease_until)
  from video v
  where v.status not in ('COMPLETED', 'FAILED')
    and greatest(v.due_at, v.lease_until) > greatest(v.updated_at, v.created_at, now()) + interval '30 days'
  union all
  -- A deadline at infinity would keep the credits frozen while the provider does not answer.
  select v.user_id, 'video ' || v.id, 'an unfinished video has a deadline', 'within 30 days', v.deadline_at::text
  from video v
  where v.status not in ('COMPLETED', 'FAILED')
    and v.deadline_at > greatest(v.updated_at, v.created_at, now()) + interval '30 days';
end;

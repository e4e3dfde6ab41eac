-- The rules of the counters behind the totals of lists (count.sql), and of the films that wait (video_waiting.sql).

create or replace function kinora.verify_count(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  video as (
    select v.user_id, v.model, v.status, count(*) as videos
    from kinora.video v
    where v.user_id >= p_from and (p_to is null or v.user_id < p_to) and v.due_at is null and v.deleted_at is null
    group by v.user_id, v.model, v.status
  ),
  video_count as not materialized (
    select user_id, model, status, videos from kinora.video_count where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  account as not materialized (
    select user_id, waiting_holds from kinora.credit_account where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  waiting as (
    select v.user_id, count(*) as videos
    from kinora.video v
    where v.user_id >= p_from and (p_to is null or v.user_id < p_to) and v.is_waiting and v.due_at is not null
    group by v.user_id
  ),
  history as (
    select t.user_id, t.trans_type, count(*) as transactions
    from kinora.credit_transaction t
    where t.user_id >= p_from and (p_to is null or t.user_id < p_to) and t.trans_type <> 'VIDEO_CONSUME'
    group by t.user_id, t.trans_type
  ),
  transaction_count as not materialized (
    select user_id, trans_type, transactions from kinora.transaction_count where user_id >= p_from and (p_to is null or user_id < p_to)
  )
  select coalesce(v.user_id, c.user_id), 'videos ' || coalesce(v.model, c.model) || ' ' || coalesce(v.status, c.status),
         'final videos are counted', coalesce(v.videos, 0)::text, coalesce(c.videos, 0)::text
  from video v
  full join video_count c on c.user_id = v.user_id and c.model = v.model and c.status = v.status
  where coalesce(v.videos, 0) <> coalesce(c.videos, 0)
  union all
  select coalesce(t.user_id, c.user_id), 'transactions ' || coalesce(t.trans_type, c.trans_type), 'transactions are counted',
         coalesce(t.transactions, 0)::text, coalesce(c.transactions, 0)::text
  from history t
  full join transaction_count c on c.user_id = t.user_id and c.trans_type = t.trans_type
  where coalesce(t.transactions, 0) <> coalesce(c.transactions, 0)
  union all
  select a.user_id, 'account', 'waiting holds are counted', coalesce(w.videos, 0)::text, a.waiting_holds::text
  from account a
  left join waiting w on w.user_id = a.user_id
  where a.waiting_holds <> coalesce(w.videos, 0);
end;

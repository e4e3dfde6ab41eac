-- What a worker looks for while it is idle.

-- Returns the kinds of work that is due, by the names of the worker's loops. One statement for all of them; each looks
-- at the first entry of an index.
create or replace function kinora.work_due(p_now timestamptz) returns text[]
language plpgsql stable
as $$
begin
  perform kinora.check_clock(p_now);
  return array_remove(array[
    case
      when coalesce(kinora.video_oldest_due('PENDING', null, p_now), kinora.video_oldest_due('GENERATING', null, p_now)) is not null
        then 'provider steps'
    end,
    case when kinora.video_oldest_due('UPLOADING', null, p_now) is not null then 'collect steps' end,
    case
      when exists (select from kinora.webhook_endpoint where failing_since is null and due_at < 'infinity' and due_at <= p_now)
        or exists (select from kinora.webhook_endpoint where failing_since is not null and due_at < 'infinity' and due_at <= p_now)
        then 'webhooks'
    end,
    case when exists (select from kinora.payment_event where retry_at <= p_now) then 'payment events' end,
    case when exists (select from kinora.mail where state = 'pending' and due_at <= p_now) then 'mail' end
  ], null);
end
$$;

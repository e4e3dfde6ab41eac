-- Stored payment events that are not applied: an administrator dismisses them, the worker tries them again.

-- Dismisses an event that is unmatched or failed, because no credits are owed for it, and records the administrator's
-- reason. It is no longer retried, matched or counted as a problem. A refund or dispute whose payment is not known yet
-- takes nothing then, either: another event of it that waits records it again. A dispute that was won stays won.
-- outcome: 'dismissed', 'unknown', or the state of an event that cannot be dismissed: 'applied', 'ignored' or
-- 'waiting'. A repeated call changes nothing and returns 'dismissed'.
create or replace function kinora.payment_dismiss(
  p_id uuid, p_reason text, p_actor_id uuid, p_request_id text, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_event kinora.payment_event;
begin
  perform kinora.check_clock(p_now);
  select * into v_event from kinora.payment_event where id = p_id for no key update;
  if not found then
    return 'unknown';
  elsif v_event.state not in ('unmatched', 'failed') then
    return v_event.state;
  end if;
  update kinora.payment_event
  set state = 'dismissed',
      problem = null,
      retry_at = null,
      dismissed_at = p_now,
      dismissed_by = p_actor_id,
      dismissed_reason = p_reason
  where processor = v_event.processor and external_id = v_event.external_id;
  delete from kinora.payment_return r
  where r.processor = v_event.processor
    and r.key = any(v_event.refs)
    and r.source is null
    and r.state = 'taken';
  perform kinora.audit_add(
    p_actor_id => p_actor_id, p_action => 'payment.dismiss', p_user_id => v_event.user_id, p_subject => p_id::text,
    p_before => jsonb_build_object('state', v_event.state, 'reason', v_event.reason),
    p_after => jsonb_build_object(
      'state', 'dismissed', 'processor', v_event.processor, 'event', v_event.external_id, 'type', v_event.type
    ),
    p_request_id => p_request_id, p_reason => p_reason, p_now => p_now
  );
  return 'dismissed';
end
$$;

-- Claims the events that are to be tried again: each gets its next time before it is tried, so that two workers try it
-- once and a worker that dies costs one try. Exponential backoff from 1 minute to at most 6 hours; after 21 tries,
-- about 3 days, an operator has to act.
create or replace function kinora.payment_claim_retries(p_now timestamptz, p_limit integer)
returns table (id uuid, processor text, body text)
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  return query
  update kinora.payment_event e
  set retries = e.retries + 1,
      retry_at = case when e.retries < 20 then p_now + least(interval '6 hours', interval '1 minute' * 2 ^ e.retries) end
  from (
    select r.id
    from kinora.payment_event r
    where r.retry_at <= p_now
    order by r.retry_at
    limit p_limit
    for no key update skip locked
  ) due
  where e.id = due.id
  returning e.id, e.processor, e.body;
end
$$;

-- Refunds that an administrator asks a processor for. Invariant: a payment has one open refund at a time, whose id is
-- the processor's idempotency key, and no credits move here: the event of the refund takes them.

-- Returns what was paid for a payment in money, with tax; what of it was returned; what refunds that the processor has
-- accepted are about to return, as far as their events have not arrived within a day; and whether it is disputed.
create or replace function kinora.payment_refundable(p_user_id uuid, p_source text, p_now timestamptz)
returns table (processor text, currency text, paid numeric, returned numeric, pending numeric, is_disputed boolean)
language sql stable
begin atomic
  with
  payment as (
    select p as facts
    from kinora.payment p
    where p.user_id = p_user_id and p.source = p_source
    order by p.part
    limit 1
  ),
  returned as (
    select p.facts,
           (
             select least(1, coalesce(sum(r.part), 0)) from kinora.payment_returns_of(p.facts) r
           ) * ((p.facts).paid + greatest(0, (p.facts).covered) - (p.facts).own) as cents
    from payment p
  )
  select (r.facts).processor, upper((r.facts).currency), (r.facts).paid, round(r.cents),
         coalesce((
           select sum(f.cents)
           from kinora.payment_refund f
           where f.user_id = p_user_id and f.source = p_source and f.state = 'accepted'
             and f.ended_at > p_now - interval '1 day'
             and round(r.cents) < f.returned + f.cents
             and not exists (
               select from kinora.payment_return e where e.processor = (r.facts).processor and e.key = f.external_id
             )
         ), 0),
         exists (
           select
           from kinora.payment_return e
           where e.processor = (r.facts).processor and e.source = p_source and e.kind = 'dispute' and e.state = 'taken'
         )
  from returned r;
end;

-- Records that an administrator asks for a refund, which the caller makes within a minute, or else the worker.
-- p_cents: null for all that is left. outcome: 'begun', 'not_found', 'disputed', 'nothing_left', 'too_much', 'busy' (a
-- refund of it is open).
create or replace function kinora.payment_refund_begin(
  p_id uuid, p_user_id uuid, p_source text, p_reason text, p_actor_id uuid, p_now timestamptz, p_cents bigint default null,
  p_request_id text default null
) returns text
language plpgsql
as $$
declare
  v_payment record;
  v_left numeric;
begin
  perform kinora.check_clock(p_now);
  -- What another administrator has begun is seen behind this lock.
  perform from kinora.payment p where p.user_id = p_user_id and p.source = p_source for no key update;
  select * into v_payment
  from kinora.payment_refundable(p_user_id => p_user_id, p_source => p_source, p_now => p_now);
  if not found then
    return 'not_found';
  end if;
  v_left := v_payment.paid - v_payment.returned - v_payment.pending;
  case
    when exists (
      select from kinora.payment_refund f where f.user_id = p_user_id and f.source = p_source and f.state = 'open'
    ) then
      return 'busy';
    when v_payment.is_disputed then
      return 'disputed';
    when v_left < 1 then
      return 'nothing_left';
    when p_cents > v_left then
      return 'too_much';
    else
      null;
  end case;
  insert into kinora.payment_refund (
    user_id, id, processor, source, cents, is_whole, returned, reason, actor_id, due_at, created_at
  )
  values (
    p_user_id, p_id, v_payment.processor, p_source, coalesce(p_cents, v_left), coalesce(p_cents = v_left, true),
    v_payment.returned + v_payment.pending, p_reason, p_actor_id, p_now + interval '1 minute', p_now
  );
  perform kinora.audit_add(
    p_actor_id => p_actor_id, p_action => 'payment.refund', p_user_id => p_user_id, p_subject => p_source,
    p_before => jsonb_build_object('paid', v_payment.paid, 'returned', v_payment.returned + v_payment.pending),
    p_after => jsonb_build_object('refund', p_id, 'cents', coalesce(p_cents, v_left), 'currency', v_payment.currency),
    p_request_id => p_request_id, p_reason => p_reason, p_now => p_now
  );
  return 'begun';
end
$$;

-- Claims the open refunds that are due, each of which gets its next time before it is asked for: exponential backoff
-- from a minute to an hour. A processor keeps an idempotency key for a day, so that after 20 hours none is asked for
-- again.
create or replace function kinora.payment_refund_claim(p_now timestamptz, p_limit integer)
returns setof kinora.payment_refund
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  update kinora.payment_refund f
  set state = 'refused',
      ended_at = p_now,
      answer = 'No answer within 20 hours. Look in the account of the processor whether it was made.'
  where f.state = 'open' and f.due_at <= p_now and f.created_at < p_now - interval '20 hours';
  return query
  update kinora.payment_refund f
  set tries = f.tries + 1,
      due_at = p_now + least(interval '1 hour', interval '1 minute' * 2 ^ f.tries)
  from (
    select d.user_id, d.id
    from kinora.payment_refund d
    where d.state = 'open' and d.due_at <= p_now
    order by d.due_at
    limit p_limit
    for no key update skip locked
  ) due
  where f.user_id = due.user_id and f.id = due.id
  returning f.*;
end
$$;

-- Records the processor's answer to an open refund: p_external_id of the refund that it has made, or why it refuses.
create or replace function kinora.payment_refund_end(
  p_user_id uuid, p_id uuid, p_now timestamptz, p_external_id text default null, p_answer text default null
) returns void
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  update kinora.payment_refund
  set state = case when p_answer is null then 'accepted' else 'refused' end,
      external_id = p_external_id,
      answer = p_answer,
      ended_at = p_now
  where user_id = p_user_id and id = p_id and state = 'open';
end
$$;

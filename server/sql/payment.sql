-- Applies payment events. An event and all of its effects are one call: stored and applied, or neither. TypeScript has
-- verified the event and translated it into the effects below; nothing here knows a processor's wire format.
--
-- effects: a JSON array, applied in order:
--   { "do": "grant", "source", "transType", "credits", "validFrom", "expiresAt", "orderNo", "remark", "paid"? }
--   { "do": "charge", … }                                         a paid transaction of a subscription's period: payment_charge
--   { "do": "link", "ids": [external ids], "source"?, "byCheckout"? }
--        these objects are this user's; they paid for source; a checkout of ours bound them
--   { "do": "claw_back", "key", "ids", "source"?, "part"?, "amount"?, "total"?, "state"? }        a refund or dispute: payment_take_back
--   { "do": "subscription", … }                                   a subscription's status and facts: subscription_apply

-- Returns the user of an event, or null: the user for whom a payment in it has been counted, else the user that it names,
-- else the user its other objects are linked to. The counted payment comes first, so that a second event that names another
-- user, and the refund of a payment that an administrator assigned, still reach the package they are about.
-- Each object is looked up by itself (lateral, limit 1): as a join, a plan cached while the table was small scanned all of it
-- for every event, and after 4,000 events the lookup took four times as long.
create or replace function kinora.payment_find_user(p_processor text, p_named text, p_refs text[]) returns uuid
language sql stable
begin atomic
  select coalesce(
    (
      select o.user_id
      from unnest(p_refs) with ordinality as r (external_id, n)
      cross join lateral (
        select p.user_id, p.source
        from kinora.payment_object p
        where p.processor = p_processor and p.external_id = r.external_id
        limit 1
      ) o
      where o.source is not null
      order by r.n
      limit 1
    ),
    (select u.id::uuid from public."user" u where u.id = p_named),
    (
      select o.user_id
      from unnest(p_refs) with ordinality as r (external_id, n)
      cross join lateral (
        select p.user_id
        from kinora.payment_object p
        where p.processor = p_processor and p.external_id = r.external_id
        limit 1
      ) o
      order by r.n
      limit 1
    )
  );
end;

-- Returns the unmatched events that refer to one of these objects, oldest first. Sequential and plain index scans are off,
-- because for a limit the planner would rather read all events in order than use the GIN index of unmatched events.
create or replace function kinora.payment_find_unmatched(p_processor text, p_ids text[], p_seen uuid[])
returns table (id uuid, body text)
language sql stable
-- The planner would, with arrays as parameters, make a new plan for every call.
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_indexscan = off
begin atomic
  select e.id, e.body
  from kinora.payment_event e
  where e.state = 'unmatched' and e.processor = p_processor and e.refs && p_ids and e.id <> all(p_seen)
  order by e.id
  limit 100;
end;

-- Stores an event and applies its effects, to p_user_id where an administrator has chosen one, else to the user it names. An
-- event without effects is stored as p_state ('ignored' or 'failed') with p_reason, and with p_retry the worker tries it again.
-- With p_state 'failed' and effects, these are a part of what it says: they are applied, and it waits for an administrator.
-- p_actor_id: the administrator who applies it by hand. A dismissed event is applied by an administrator only.
-- outcome: 'applied', 'ignored', 'failed', 'unmatched' (its user, or the payment that it returns, is not known; stored until it is),
-- 'dismissed' (by an administrator, and unchanged), 'known' (applied before).
create or replace function kinora.payment_receive(
  p_user_id uuid, p_id uuid, p_processor text, p_external_id text, p_type text, p_named text, p_refs text[],
  p_effects jsonb, p_state text, p_reason text, p_body text, p_now timestamptz,
  p_problem text default null, p_retry boolean default false, p_actor_id uuid default null, p_request_id text default null
) returns text
language plpgsql
as $$
declare
  v_before kinora.payment_event;
  v_user_id uuid;
  v_state text := p_state;
  v_reason text := p_reason;
  v_problem text;
  v_sources text[];
  v_is_erased boolean := false;
  v_retry_at constant timestamptz := p_now + interval '1 minute';
begin
  perform kinora.check_clock(p_now);
  perform kinora.commit_in_two_phases(p_user_id);
  insert into kinora.payment_event (
    processor, external_id, id, type, state, reason, refs, body, received_at, problem, retry_at
  ) values (
    p_processor, p_external_id, p_id, p_type, p_state, p_reason, p_refs, p_body, p_now, p_problem,
    case when p_retry then v_retry_at end
  )
  on conflict (processor, external_id) do nothing;
  if not found then
    select * into v_before
    from kinora.payment_event
    where processor = p_processor and external_id = p_external_id and state <> 'applied'
    for no key update;
    if not found then
      return 'known';
    end if;
    if v_before.state = 'dismissed' and p_actor_id is null then
      return 'dismissed';
    end if;
  end if;

  if jsonb_array_length(p_effects) > 0 then
    v_user_id := coalesce(p_user_id, kinora.payment_find_user(p_processor, p_named, p_refs));
    if v_user_id is null then
      v_state := 'unmatched';
      v_reason := 'It names no user we know.';
    else
      perform kinora.payment_apply(v_user_id, p_processor, p_effects, p_now);
      if p_state <> 'failed' then
        v_state := 'applied';
        v_reason := null;
      end if;
      v_sources := array(
        select e.value ->> 'source' from jsonb_array_elements(p_effects) e where e.value ->> 'do' in ('grant', 'charge')
      );
    end if;
  elsif p_state = 'ignored' then
    -- The deletion of the account finds its body, which may have the user's name and address, by the user.
    v_user_id := case when p_user_id is null then kinora.payment_find_user(p_processor, p_named, p_refs) else v_before.user_id end;
  end if;
  v_is_erased := exists (select from kinora.deleted_account d where d.user_id = v_user_id);
  -- A refund or dispute takes nothing until its payment is known. An inquiry or dispute that was won (state 2) takes nothing at all.
  if v_state = 'applied' and not v_is_erased and exists (
    select
    from jsonb_array_elements(p_effects) e
    join kinora.payment_return r on r.processor = p_processor and r.key = e.value ->> 'key'
    where e.value ->> 'do' = 'claw_back' and r.source is null and r.state <> 2
  ) then
    v_state := 'unmatched';
    v_reason := 'The payment that it returns is not known, so no credits are taken yet: kinora reconcile --days N looks for it.';
    v_problem := 'unknown_payment';
  end if;
  -- Its reason is renewed, and it stays dismissed.
  if v_before.state = 'dismissed' and v_state <> 'applied' then
    v_state := 'dismissed';
  end if;
  update kinora.payment_event
  set state = v_state,
      reason = v_reason,
      problem = coalesce(v_problem, case when v_state = p_state then p_problem end),
      -- An unmatched event is tried again as well: the process that links its user or payment may die before it applies it.
      retry_at = case
        when v_state = 'unmatched' then coalesce(retry_at, case when retries = 0 then v_retry_at end)
        when v_state = 'failed' and p_retry then retry_at
      end,
      dismissed_at = case when v_state = 'dismissed' then dismissed_at end,
      dismissed_by = case when v_state = 'dismissed' then dismissed_by end,
      dismissed_reason = case when v_state = 'dismissed' then dismissed_reason end,
      user_id = v_user_id,
      refs = p_refs,
      -- The books of a deleted account keep no personal data, which the body contains.
      body = case when v_is_erased then '' else body end,
      applied_at = case when v_state = 'applied' then p_now end,
      sources = v_sources,
      applied_by = case when v_state = 'applied' then p_actor_id end
  where processor = p_processor and external_id = p_external_id;
  if v_state = 'applied' and p_actor_id is not null then
    perform kinora.audit_add(
      p_actor_id, 'payment.apply', v_user_id, v_before.id::text,
      jsonb_build_object('state', v_before.state, 'reason', v_before.reason),
      jsonb_build_object('state', v_state, 'processor', p_processor, 'event', p_external_id, 'type', p_type, 'effects', p_effects),
      p_request_id, null, p_now
    );
  end if;
  return v_state;
end
$$;

-- Makes the payment of a source this user's, and returns whether it is: the ledger grants a source once per user, and this row makes
-- it one user, even when two events name different ones.
create or replace function kinora.payment_own(p_user_id uuid, p_processor text, p_source text, p_paid bigint) returns boolean
language sql
as $$
  insert into kinora.payment_object as o (processor, external_id, user_id, source, paid)
  values (p_processor, p_source, p_user_id, p_source, p_paid)
  on conflict (processor, external_id) do update set paid = coalesce(o.paid, excluded.paid)
  returning coalesce(o.user_id = p_user_id and o.source = p_source, false);
$$;

-- Applies effects, in order, to the account and the subscriptions of a user. Idempotent: each effect has a key of its own.
create or replace function kinora.payment_apply(p_user_id uuid, p_processor text, p_effects jsonb, p_now timestamptz)
returns void
language plpgsql
as $$
declare
  v_effect jsonb;
  v_source text;
begin
  perform kinora.check_clock(p_now);
  perform kinora.credit_lock(p_user_id, p_now);
  for v_effect in select value from jsonb_array_elements(p_effects) loop
    case v_effect ->> 'do'
      when 'grant' then
        v_source := v_effect ->> 'source';
        -- A period whose transactions were granted has another source here.
        if kinora.payment_own(p_user_id, p_processor, v_source, (v_effect ->> 'paid')::bigint) then
          perform kinora.payment_grant(
            p_user_id, v_source, v_effect ->> 'transType', (v_effect ->> 'credits')::bigint,
            (v_effect ->> 'validFrom')::timestamptz, (v_effect ->> 'expiresAt')::timestamptz,
            v_effect ->> 'orderNo', v_effect ->> 'remark', p_now
          );
          perform kinora.payment_recompute_returns(p_user_id, p_processor, v_source, p_now);
          perform kinora.credit_claw_back(p_user_id, v_source, p_now);
        end if;
      when 'charge' then
        perform kinora.payment_charge(p_user_id, p_processor, v_effect, p_now);
      when 'link' then
        if v_effect ? 'source' then
          perform kinora.payment_link(
            p_user_id, p_processor, array(select jsonb_array_elements_text(v_effect -> 'ids')), v_effect ->> 'source', p_now
          );
        else
          insert into kinora.payment_object as o (processor, external_id, user_id, by_checkout)
          select p_processor, l.value, p_user_id, coalesce((v_effect ->> 'byCheckout')::boolean, false)
          from jsonb_array_elements_text(v_effect -> 'ids') l
          on conflict (processor, external_id) do update
          set by_checkout = o.by_checkout or excluded.by_checkout
          where o.user_id = excluded.user_id and o.by_checkout < excluded.by_checkout;
        end if;
      when 'claw_back' then
        perform kinora.payment_take_back(p_user_id, p_processor, v_effect, p_now);
      when 'subscription' then
        perform kinora.subscription_apply(p_user_id, p_processor, v_effect, p_now);
    end case;
  end loop;
end
$$;

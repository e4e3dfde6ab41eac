-- Applies payment events. An event and all of its effects are one call: stored and applied, or neither. TypeScript has
-- verified the event and translated it into the effects below; nothing here knows a processor's wire format.
--
-- effects: a JSON array, applied in order:
--   { "do": "price", … }                             what an id of the processor is paid at: payment_price
--   { "do": "payment", … }                           what was paid and what it is worth: payment_record
--   { "do": "link", "ids": [external ids], "source"?, "byCheckout"?, "payerId"? }
--        these objects are this user's; they paid for source; a checkout of ours bound them, to its payer
--   { "do": "return", … }                            a refund or dispute: payment_take_back
--   { "do": "subscription", … }                      a subscription's status and facts: subscription_apply
--   { "do": "card" }                                 a card was saved, for which the automatic top-up may wait

-- Returns the owner of an event, a user or a team, or null: the one for whom a payment in it has been counted, else the
-- one that it names, else the one its other objects are linked to. The counted payment comes first, so that a second
-- event that names another user, and the refund of a payment that an administrator assigned, still reach the package
-- they are about. Each object is looked up by itself (lateral, limit 1): as a join, a plan cached while the table was
-- small scanned all of it for every event, and after 4,000 events the lookup took four times as long.
create or replace function kinora.payment_find_user(
  p_processor text, p_refs text[], p_named text default null
) returns uuid
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
      select t.id
      from kinora.team t
      where t.id = case when p_named ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then p_named::uuid end
    ),
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

-- Returns the unmatched events that refer to one of these objects, oldest first. Sequential and plain index scans are
-- off, because for a limit the planner would rather read all events in order than use the GIN index of unmatched
-- events.
create or replace function kinora.payment_find_unmatched(p_processor text, p_ids text[], p_seen uuid[])
returns table (id uuid, body text)
language sql stable
-- The planner would, with arrays as parameters, make a new plan for every call.
-- set-based
set enable_indexscan = off
begin atomic
  select e.id, e.body
  from kinora.payment_event e
  where e.state = 'unmatched' and e.processor = p_processor and e.refs && p_ids and e.id <> all(p_seen)
  order by e.id
  limit 100;
end;

-- Stores an event. Returns the one of the same id that was stored before, locked unless it is applied; null for a new
-- one.
create or replace function kinora.payment_store(
  p_id uuid, p_processor text, p_external_id text, p_type text, p_refs text[], p_state text, p_reason text, p_body text,
  p_now timestamptz, p_problem text
) returns kinora.payment_event
language plpgsql
as $$
declare
  v_before kinora.payment_event;
begin
  insert into kinora.payment_event (processor, external_id, id, type, state, reason, refs, body, received_at, problem, retry_at)
  values (
    p_processor, p_external_id, p_id, p_type, p_state, p_reason, p_refs, p_body, p_now, p_problem,
    case when p_state = 'waiting' then p_now end
  )
  on conflict (processor, external_id) do nothing;
  if not found then
    select * into v_before
    from kinora.payment_event
    where processor = p_processor and external_id = p_external_id and state <> 'applied'
    for no key update;
    if not found then
      v_before.state := 'applied';
    end if;
  end if;
  return v_before;
end
$$;

-- Saves what became of an event. p_waits: it is tried again, as long as that was not given up; p_retries: at the time
-- that it was stored with.
create or replace function kinora.payment_save(
  p_event kinora.payment_event, p_is_erased boolean, p_waits boolean, p_retries boolean, p_now timestamptz
) returns void
language plpgsql
as $$
declare
  -- Computed here: an update of a row of another server takes no function of the time within a case.
  v_soon constant timestamptz := p_now + interval '1 minute';
begin
  update kinora.payment_event
  set state = p_event.state,
      reason = p_event.reason,
      problem = p_event.problem,
      -- An unmatched event too: the process that links its user or payment may die before it applies it.
      retry_at = case
        when p_waits then coalesce(retry_at, case when retries = 0 then v_soon end)
        -- Its user is known now, and only what it lacks is missing.
        when p_retries then case state when 'unmatched' then p_now else retry_at end
      end,
      retries = case when p_retries and state = 'unmatched' then 0 else retries end,
      dismissed_at = case when p_event.state = 'dismissed' then dismissed_at end,
      dismissed_by = case when p_event.state = 'dismissed' then dismissed_by end,
      dismissed_reason = case when p_event.state = 'dismissed' then dismissed_reason end,
      user_id = p_event.user_id,
      refs = p_event.refs,
      -- The books of a deleted account keep no personal data, which the body contains.
      body = case when p_is_erased then '' else body end,
      applied_at = case when p_event.state = 'applied' then p_now end,
      sources = p_event.sources,
      facts = p_event.facts,
      applied_by = case when p_event.state = 'applied' then p_event.applied_by end
  where processor = p_event.processor and external_id = p_event.external_id;
end
$$;

-- Returns what effects say of payments, prices, refunds and disputes: the key of each, and a digest of its facts.
create or replace function kinora.payment_facts(p_effects jsonb) returns text[]
language sql stable
return array(
  -- In the from clause: as an argument, the record would be read once for each of its columns.
  select kinora.payment_digest(p)
  from jsonb_array_elements(p_effects) e
  cross join jsonb_populate_record(null::kinora.payment, e.value) p
  where e.value ->> 'do' = 'payment'
  union all
  select kinora.payment_digest(r)
  from jsonb_array_elements(p_effects) e
  cross join jsonb_populate_record(null::kinora.payment_return, e.value) r
  where e.value ->> 'do' = 'return'
  union all
  select kinora.payment_digest(p)
  from jsonb_array_elements(p_effects) e
  cross join jsonb_populate_record(null::kinora.payment_price, e.value) p
  where e.value ->> 'do' = 'price'
);

-- Returns whether a refund or dispute of these effects waits for its payment.
create or replace function kinora.payment_returns_unknown(p_processor text, p_effects jsonb) returns boolean
language sql stable
begin atomic
  select exists (
    select
    from jsonb_array_elements(p_effects) e
    join kinora.payment_return r on r.processor = p_processor and r.key = e.value ->> 'key'
    where e.value ->> 'do' = 'return' and r.source is null and r.state = 'taken'
  );
end;

-- Stores an event and applies its effects, to p_user_id where an administrator has chosen one, else to the user it
-- names. An event without effects is stored as p_state with p_reason: 'ignored'; 'failed': it waits for an
-- administrator; 'waiting': the worker reads what it lacks, which is an administrator's problem too ('failed') after
-- four tries, about seven minutes. Other effects of such an event are a part of what it says: they are applied.
-- p_actor_id: the administrator who applies it by hand. A dismissed event is applied by an administrator only. outcome:
-- 'applied', 'ignored', 'waiting', 'failed', 'unmatched' (its user, or the payment that it returns, is not known;
-- stored until it is), 'dismissed' (by an administrator, and unchanged), 'known' (applied before).
create or replace function kinora.payment_receive(
  p_id uuid, p_processor text, p_external_id text, p_type text, p_refs text[], p_effects jsonb, p_state text, p_body text,
  p_now timestamptz, p_user_id uuid default null, p_named text default null, p_reason text default null,
  p_problem text default null, p_actor_id uuid default null, p_request_id text default null
) returns text
language plpgsql
as $$
declare
  v_before kinora.payment_event;
  v_event kinora.payment_event;
  v_is_erased boolean := false;
  v_waits boolean := false;
begin
  perform kinora.check_clock(p_now);
  perform kinora.commit_in_two_phases(p_user_id);
  v_before := kinora.payment_store(p_id, p_processor, p_external_id, p_type, p_refs, p_state, p_reason, p_body, p_now, p_problem);
  if v_before.state = 'applied' then
    return 'known';
  elsif v_before.state = 'dismissed' and p_actor_id is null then
    return 'dismissed';
  end if;

  select p_processor, p_external_id, p_state, p_reason, p_refs, '{}', p_actor_id
  into v_event.processor, v_event.external_id, v_event.state, v_event.reason, v_event.refs, v_event.facts, v_event.applied_by;
  if jsonb_array_length(p_effects) > 0 then
    v_event.user_id := coalesce(p_user_id, kinora.payment_find_user(
      p_processor => p_processor, p_named => p_named, p_refs => p_refs
    ));
    if v_event.user_id is null then
      v_event.state := 'unmatched';
      v_event.reason := 'It names no user we know.';
    else
      perform kinora.payment_apply(v_event.user_id, p_processor, p_effects, p_now);
      v_event.sources := array(select jsonb_path_query(p_effects, '$[*] ? (@.do == "payment").source') #>> '{}');
      v_waits := v_event.sources && kinora.payment_lacking(v_event.user_id, p_processor, p_now);
      if v_waits then
        v_event.state := 'waiting';
        v_event.reason := kinora.payment_lacks();
      elsif p_state = 'ignored' then
        v_event.state := 'applied';
        v_event.reason := null;
      end if;
      v_event.facts := kinora.payment_facts(p_effects);
    end if;
  elsif p_state = 'ignored' then
    -- The deletion of the account finds its body, which may have personal data, by the user.
    v_event.user_id := case when p_user_id is null then kinora.payment_find_user(
      p_processor => p_processor, p_named => p_named, p_refs => p_refs
    ) else v_before.user_id end;
  end if;
  v_is_erased := exists (select from kinora.deleted_account d where d.user_id = v_event.user_id);
  if v_event.state = 'applied' and not v_is_erased and p_effects @> '[{"do": "return"}]'
    and kinora.payment_returns_unknown(p_processor, p_effects) then
    v_event.state := 'unmatched';
    v_event.reason := 'The payment that it returns is not known, so no credits are taken yet: kinora reconcile --days N looks for it.';
    v_event.problem := 'unknown_payment';
  end if;
  if v_before.state = 'dismissed' and v_event.state <> 'applied' then
    v_event.state := 'dismissed';
  end if;
  if v_event.state = 'waiting' and v_before.retries > 3 and v_before.state <> 'unmatched' then
    v_event.state := 'failed';
    v_event.problem := 'lines_missing';
  elsif v_event.state = p_state then
    v_event.problem := p_problem;
  end if;
  perform kinora.payment_save(
    v_event, v_is_erased, v_waits or v_event.state = 'unmatched', p_state = 'waiting' and v_event.state in ('waiting', 'failed'), p_now
  );
  if v_event.state = 'applied' and p_actor_id is not null then
    perform kinora.audit_add(
      p_actor_id => p_actor_id, p_action => 'payment.apply', p_user_id => v_event.user_id, p_subject => v_before.id::text,
      p_before => jsonb_build_object('state', v_before.state, 'reason', v_before.reason),
      p_after => jsonb_build_object('state', v_event.state, 'processor', p_processor, 'event', p_external_id, 'type', p_type, 'effects', p_effects),
      p_request_id => p_request_id, p_reason => null, p_now => p_now
    );
  end if;
  return v_event.state;
end
$$;

-- Why the event of a payment waits that names no amount and changes a plan.
create or replace function kinora.payment_lacks() returns text
language sql immutable
return 'It names no amount, changes a plan before its period is over, and its transaction could not be read yet.';

-- Returns the payments of a user that wait for their amount, because they change a plan that runs. The events that
-- brought them wait again: such a payment was taken to be a first one until an earlier event arrived.
create or replace function kinora.payment_lacking(p_user_id uuid, p_processor text, p_now timestamptz) returns text[]
language plpgsql
set enable_seqscan = off
as $$
declare
  v_payment kinora.payment;
  v_sources text[] := '{}';
begin
  for v_payment in
    select * from kinora.payment where user_id = p_user_id and processor = p_processor and is_whole
  loop
    if (kinora.payment_running_plan(v_payment)).source is not null then
      v_sources := v_sources || v_payment.source;
    end if;
  end loop;
  if v_sources <> '{}' then
    update kinora.payment_event
    set state = 'waiting', reason = kinora.payment_lacks(), retry_at = p_now, retries = 0, applied_at = null, applied_by = null
    where user_id = p_user_id and processor = p_processor and state = 'applied' and sources && v_sources;
  end if;
  return v_sources;
end
$$;

-- Applies effects, in order, to the account and the subscriptions of a user. Idempotent: each effect has a key of its
-- own.
create or replace function kinora.payment_apply(p_user_id uuid, p_processor text, p_effects jsonb, p_now timestamptz)
returns void
language plpgsql
as $$
declare
  v_effect jsonb;
begin
  perform kinora.check_clock(p_now);
  perform kinora.credit_lock(p_user_id, p_now);
  for v_effect in select value from jsonb_array_elements(p_effects) loop
    case v_effect ->> 'do'
      when 'price' then
        insert into kinora.payment_price (processor, sold_as, user_id, cents, currency, credits, first_paid_at)
        select p_processor, f.sold_as, p_user_id, f.cents, f.currency, f.credits, p_now
        from jsonb_populate_record(null::kinora.payment_price, v_effect) f
        on conflict (processor, sold_as) do nothing;
      when 'payment' then
        perform kinora.payment_record(p_user_id, p_processor, v_effect, p_now);
      when 'link' then
        if v_effect ? 'source' then
          perform kinora.payment_link(
            p_user_id, p_processor, array(select jsonb_array_elements_text(v_effect -> 'ids')), v_effect ->> 'source', p_now
          );
        else
          insert into kinora.payment_object as o (processor, external_id, user_id, by_checkout)
          select p_processor, l.value, coalesce((v_effect ->> 'payerId')::uuid, p_user_id),
                 coalesce((v_effect ->> 'byCheckout')::boolean, false)
          from jsonb_array_elements_text(v_effect -> 'ids') l
          on conflict (processor, external_id) do update
          set by_checkout = o.by_checkout or excluded.by_checkout
          where o.user_id = excluded.user_id and o.by_checkout < excluded.by_checkout;
        end if;
      when 'return' then
        perform kinora.payment_take_back(p_user_id, p_processor, v_effect, p_now);
      when 'subscription' then
        perform kinora.subscription_apply(p_user_id, p_processor, v_effect, p_now);
      when 'card' then
        update kinora.spending_rule set paused = null where user_id = p_user_id and paused = 'no_card';
    end case;
  end loop;
end
$$;

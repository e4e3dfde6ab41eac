-- Outbound webhooks, what a user does with endpoints: create, enable, test, redeliver.

-- Opens the user's webhooks, once. p_secret: the sealed secret of webhookUrls.
create or replace function kinora.webhook_open_account(p_user_id uuid, p_secret bytea, p_now timestamptz) returns void
language sql
begin atomic
  select kinora.check_clock(p_now);
  insert into kinora.webhook_account (user_id, secret, created_at, updated_at)
  values (p_user_id, p_secret, p_now, p_now)
  on conflict do nothing;
end;

-- Creates an endpoint. p_made_by: the member of a team who answers for it; null: it is a user's.
-- outcome: 'created', 'too_many' (the user has p_max).
create or replace function kinora.webhook_create(
  p_user_id uuid, p_id uuid, p_url text, p_events text[], p_secret bytea, p_account_secret bytea, p_max integer,
  p_now timestamptz, p_description text default null, p_made_by uuid default null, p_subject text default null,
  p_metadata jsonb default '{}'
) returns text
language plpgsql
as $$
begin
  perform kinora.webhook_open_account(p_user_id, p_account_secret, p_now);
  -- The second of two calls at the same time counts the first one's endpoint.
  perform from kinora.webhook_account where user_id = p_user_id for no key update;
  if (select count(*) from kinora.webhook_endpoint where user_id = p_user_id and is_registered) >= p_max then
    return 'too_many';
  end if;
  insert into kinora.webhook_endpoint (
    user_id, id, is_registered, url, description, events, subject, metadata, secret, made_by, created_at, updated_at
  )
  values (p_user_id, p_id, true, p_url, p_description, p_events, p_subject, p_metadata, p_secret, p_made_by, p_now, p_now);
  return 'created';
end
$$;

-- Changes an endpoint; null leaves a value as it is. An endpoint that is enabled again gets what has waited for it.
-- p_made_by: the member of a team who sends the change, and answers for the endpoint from a new URL on, unless it is
-- suspended. Returns whether the user has it.
create or replace function kinora.webhook_update(
  p_user_id uuid, p_id uuid, p_now timestamptz, p_url text default null, p_description text default null,
  p_events text[] default null, p_is_enabled boolean default null, p_made_by uuid default null,
  p_metadata jsonb default null
) returns boolean
language plpgsql
as $$
declare
  v_endpoint kinora.webhook_endpoint;
begin
  perform kinora.check_clock(p_now);
  select * into v_endpoint
  from kinora.webhook_endpoint
  where user_id = p_user_id and id = p_id and is_registered
  for no key update;
  if not found then
    return false;
  end if;
  if p_is_enabled and v_endpoint.disabled_reason is not null then
    v_endpoint.disabled_reason := null;
    v_endpoint.disabled_at := null;
    v_endpoint.failing_since := null;
    v_endpoint.failures := 0;
    v_endpoint.paused_until := null;
    v_endpoint.due_at := kinora.webhook_next_due(v_endpoint, null);
  elsif not p_is_enabled and v_endpoint.disabled_reason is null then
    v_endpoint.disabled_reason := 'owner';
    v_endpoint.disabled_at := p_now;
    v_endpoint.due_at := 'infinity';
  end if;
  update kinora.webhook_endpoint
  set url = coalesce(p_url, url),
      made_by = case when p_url <> url and suspended_at is null then p_made_by else made_by end,
      description = coalesce(p_description, description),
      events = coalesce(p_events, events),
      metadata = coalesce(p_metadata, metadata),
      disabled_reason = v_endpoint.disabled_reason,
      disabled_at = v_endpoint.disabled_at,
      failing_since = v_endpoint.failing_since,
      failures = v_endpoint.failures,
      paused_until = v_endpoint.paused_until,
      due_at = v_endpoint.due_at,
      updated_at = p_now
  where user_id = p_user_id and id = p_id;
  return true;
end
$$;

-- Gives an endpoint a new secret; p_id null: the account's, for webhookUrls. The present one signs until
-- p_previous_until too, and those before it for the rest of their own time, so that a rotation that is repeated after a
-- lost response takes no secret from the receiver. Returns whether there is such an endpoint.
create or replace function kinora.webhook_rotate(
  p_user_id uuid, p_secret bytea, p_previous_until timestamptz, p_now timestamptz, p_id uuid default null
) returns boolean
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  if p_id is null then
    insert into kinora.webhook_account as a (user_id, secret, created_at, updated_at)
    values (p_user_id, p_secret, p_now, p_now)
    on conflict (user_id) do update
    set (earlier_secrets, earlier_until) = (
          select e.secrets, e.untils
          from kinora.webhook_valid_secrets(a.previous_secret || a.earlier_secrets, a.previous_until || a.earlier_until, p_now) e
        ),
        previous_secret = a.secret, previous_until = p_previous_until, secret = excluded.secret, updated_at = p_now;
  else
    update kinora.webhook_endpoint w
    set (earlier_secrets, earlier_until) = (
          select e.secrets, e.untils
          from kinora.webhook_valid_secrets(w.previous_secret || w.earlier_secrets, w.previous_until || w.earlier_until, p_now) e
        ),
        previous_secret = w.secret, previous_until = p_previous_until, secret = p_secret, updated_at = p_now
    where w.user_id = p_user_id and w.id = p_id and w.is_registered;
  end if;
  return found;
end
$$;

-- Returns those of the secrets that still sign. Seven at most, so that a request has nine signatures: with the newest
-- and the previous.
create or replace function kinora.webhook_valid_secrets(
  p_secrets bytea[], p_untils timestamptz[], p_now timestamptz, out secrets bytea[], out untils timestamptz[]
)
language sql immutable
begin atomic
  select coalesce(array_agg(s.secret order by s.n), '{}'), coalesce(array_agg(s.until order by s.n), '{}')
  from unnest(p_secrets[1:7], p_untils[1:7]) with ordinality s (secret, until, n)
  where s.secret is not null and s.until > p_now;
end;

-- Locks an endpoint, to which something is about to be sent. Returns why nothing can be: 'disabled', 'suspended',
-- 'not_found'; null: it can.
create or replace function kinora.webhook_lock(p_user_id uuid, p_id uuid) returns text
language plpgsql
as $$
declare
  v_endpoint kinora.webhook_endpoint;
begin
  select * into v_endpoint
  from kinora.webhook_endpoint
  where user_id = p_user_id and id = p_id and is_registered
  for no key update;
  return case
    when not found then 'not_found'
    when v_endpoint.suspended_at is not null then 'suspended'
    when v_endpoint.disabled_reason is not null then 'disabled'
  end;
end
$$;

-- Writes the delivery of a test to one endpoint: of webhook.test, or with p_type and p_data an example of another type,
-- which its body says by `test`. outcome: 'written', 'disabled', 'suspended', 'not_found'.
create or replace function kinora.webhook_test(
  p_user_id uuid, p_id uuid, p_delivery_id uuid, p_now timestamptz, p_type text default null, p_data jsonb default null
) returns text
language plpgsql
as $$
declare
  v_refusal text := kinora.webhook_lock(p_user_id, p_id);
begin
  perform kinora.check_clock(p_now);
  if v_refusal is not null then
    return v_refusal;
  end if;
  insert into kinora.webhook_delivery (user_id, endpoint_id, id, type, body, due_at, created_at)
  values (
    p_user_id, p_id, p_delivery_id, coalesce(p_type, 'webhook.test'),
    case
      when p_type is null then
        jsonb_build_object(
          'type', 'webhook.test', 'timestamp', kinora.iso_time(p_now), 'data', jsonb_build_object('endpointId', p_id)
        )
      else jsonb_build_object('type', p_type, 'timestamp', kinora.iso_time(p_now), 'data', p_data, 'test', true)
    end::text,
    p_now, p_now
  );
  update kinora.webhook_endpoint set due_at = p_now, paused_until = null where user_id = p_user_id and id = p_id;
  return 'written';
end
$$;

-- Makes deliveries of an endpoint due again, from the first attempt on: p_id, in any state; without p_id those in a
-- state of p_states that were written from p_since (included) to p_until (excluded; null: now), of p_types (null: all),
-- the oldest p_limit of them. Of what waits, only what waits for a later attempt: a repeated call sends nothing twice.
-- count: of the deliveries; next_at: when the first one beyond p_limit was written. outcome: 'written', 'disabled',
-- 'suspended', 'not_found'.
create or replace function kinora.webhook_redeliver(
  p_user_id uuid, p_endpoint_id uuid, p_limit integer, p_now timestamptz, p_id uuid default null,
  p_since timestamptz default null, p_until timestamptz default null, p_states text[] default '{failed}',
  p_types text[] default null, out outcome text, out count integer, out next_at timestamptz
)
language plpgsql
as $$
declare
  v_ids uuid[];
begin
  perform kinora.check_clock(p_now);
  outcome := kinora.webhook_lock(p_user_id, p_endpoint_id);
  if outcome is not null then
    return;
  end if;
  v_ids := array(
    select d.id
    from kinora.webhook_delivery d
    where d.user_id = p_user_id and d.endpoint_id = p_endpoint_id
      and (
        d.id = p_id
        or p_id is null and d.state = any(p_states) and d.created_at >= p_since and coalesce(d.created_at < p_until, true)
          and coalesce(d.type = any(p_types), true) and (d.state <> 'pending' or d.due_at > p_now)
      )
    order by d.id
    limit p_limit + 1
  );
  next_at := (
    select d.created_at
    from kinora.webhook_delivery d
    where d.user_id = p_user_id and d.endpoint_id = p_endpoint_id and d.id = v_ids[p_limit + 1]
  );
  update kinora.webhook_delivery
  set state = 'pending', due_at = p_now, attempt = 0
  where user_id = p_user_id and endpoint_id = p_endpoint_id and id = any(v_ids[:p_limit]);
  get diagnostics count = row_count;
  outcome := case when count = 0 and p_id is not null then 'not_found' else 'written' end;
  if count > 0 then
    update kinora.webhook_endpoint set due_at = p_now, paused_until = null where user_id = p_user_id and id = p_endpoint_id;
  end if;
end
$$;

-- Deletes an endpoint: it gets nothing a second later, and its secret is gone at once; the sweep removes its
-- deliveries, then its row. Returns whether the user has it.
create or replace function kinora.webhook_delete(p_user_id uuid, p_id uuid, p_now timestamptz) returns boolean
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  update kinora.webhook_endpoint
  set is_registered = false, url = '', description = null, secret = null, previous_secret = null, earlier_secrets = '{}',
      earlier_until = '{}',
      disabled_reason = 'owner', disabled_at = p_now, suspended_at = null, due_at = 'infinity', lease_id = null,
      lease_until = null, updated_at = p_now
  where user_id = p_user_id and id = p_id and is_registered;
  return found;
end
$$;

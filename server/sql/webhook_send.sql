-- Outbound webhooks, the sending side: a worker claims endpoints, sends what is due, and records the attempts under its
-- lease.

-- Claims endpoints with a delivery that is due, with a lease until p_lease_until: up to p_limit that work, and up to
-- p_failing_limit whose last attempt failed. An endpoint is claimed by one worker at a time, so its deliveries keep
-- their sequence.
create or replace function kinora.webhook_claim(
  p_limit integer, p_failing_limit integer, p_lease uuid, p_lease_until timestamptz, p_now timestamptz
) returns table (
  user_id uuid, id uuid, url text, is_registered boolean, secret bytea, previous_secret bytea, earlier_secrets bytea[],
  has_own_secret boolean, failures integer
)
language plpgsql
-- set-based
as $$
#variable_conflict use_column
begin
  perform kinora.check_clock(p_now);
  return query
  with working as (
    select e.user_id, e.id
    from kinora.webhook_endpoint e
    where e.failing_since is null and e.due_at < 'infinity' and e.due_at <= p_now and coalesce(e.lease_until, p_now) <= p_now
    order by e.due_at
    limit p_limit
    for no key update skip locked
  ),
  failing as (
    select e.user_id, e.id
    from kinora.webhook_endpoint e
    where e.failing_since is not null and e.due_at < 'infinity' and e.due_at <= p_now and coalesce(e.lease_until, p_now) <= p_now
    order by e.due_at
    limit p_failing_limit
    for no key update skip locked
  ),
  claimed as (
    update kinora.webhook_endpoint e
    set lease_id = p_lease, lease_until = p_lease_until, due_at = p_lease_until
    from (select user_id, id from working union all select user_id, id from failing) d
    where e.user_id = d.user_id and e.id = d.id
    returning e.user_id, e.id, e.url, e.is_registered, e.secret, e.previous_secret, e.previous_until, e.earlier_secrets, e.earlier_until,
              e.failures
  )
  select c.user_id, c.id, c.url, c.is_registered,
         coalesce(c.secret, a.secret),
         case
           when c.secret is null then case when a.previous_until > p_now then a.previous_secret end
           when c.previous_until > p_now then c.previous_secret
         end,
         case
           when c.secret is null then (kinora.webhook_valid_secrets(a.earlier_secrets, a.earlier_until, p_now)).secrets
           else (kinora.webhook_valid_secrets(c.earlier_secrets, c.earlier_until, p_now)).secrets
         end,
         c.secret is not null, c.failures
  from claimed c
  left join kinora.webhook_account a on a.user_id = c.user_id;
end
$$;

-- Records attempts and keeps the lease. p_attempts: a JSON array of {id, at, state, due_at, duration_ms,
-- response_status, response_body, error}; state and due_at are those of the delivery afterwards. Returns whether the
-- lease is still the caller's; otherwise nothing is recorded: a delivery that became due again after another worker has
-- finished with the endpoint would wait for ever.
create or replace function kinora.webhook_record(
  p_user_id uuid, p_endpoint_id uuid, p_lease uuid, p_attempts jsonb
) returns boolean
language plpgsql
-- set-based
as $$
begin
  perform
  from kinora.webhook_endpoint
  where user_id = p_user_id and id = p_endpoint_id and lease_id = p_lease
  for no key update;
  if not found then
    return false;
  end if;
  update kinora.webhook_delivery d
  set state = a.state,
      attempt = d.attempt + 1,
      due_at = a.due_at,
      attempted_at = a.at,
      duration_ms = a.duration_ms,
      response_status = a.response_status,
      response_body = a.response_body,
      error = a.error
  from jsonb_to_recordset(p_attempts) a (
    id uuid, at timestamptz, state text, due_at timestamptz, duration_ms integer, response_status integer,
    response_body text, error text
  )
  cross join lateral (
    select ctid as row_tid
    from kinora.webhook_delivery
    where user_id = p_user_id and endpoint_id = p_endpoint_id and id = a.id
    offset 0
  ) r
  where d.ctid = r.row_tid;
  return true;
end
$$;

-- Records attempts and ends the lease: the endpoint is due again when its next delivery is, but not before
-- p_pause_until. has_success, has_failure: of the attempts since the claim. p_disable_after: how long an endpoint may
-- fail. outcome: 'finished', 'disabled' (by this call), 'stale' (the lease has passed on, or the row is gone: nothing
-- is recorded).
create or replace function kinora.webhook_finish(
  p_user_id uuid, p_endpoint_id uuid, p_lease uuid, p_attempts jsonb, p_has_success boolean, p_has_failure boolean,
  p_is_gone boolean, p_disable_after interval, p_now timestamptz, p_pause_until timestamptz default null
) returns text
language plpgsql
as $$
declare
  v_endpoint kinora.webhook_endpoint;
  v_reason text;
begin
  perform kinora.check_clock(p_now);
  if not kinora.webhook_record(p_user_id, p_endpoint_id, p_lease, p_attempts) then
    return 'stale';
  end if;
  select * into v_endpoint from kinora.webhook_endpoint where user_id = p_user_id and id = p_endpoint_id;
  if p_has_success then
    v_endpoint.failing_since := null;
    v_endpoint.failures := 0;
  elsif p_has_failure then
    v_endpoint.failing_since := coalesce(v_endpoint.failing_since, p_now);
    v_endpoint.failures := v_endpoint.failures + 1;
  end if;
  if v_endpoint.is_registered and v_endpoint.disabled_reason is null then
    v_reason := case
      when p_is_gone then 'gone'
      when p_has_failure and v_endpoint.failing_since <= p_now - p_disable_after then 'failing'
    end;
  end if;
  if v_reason is not null then
    v_endpoint.disabled_reason := v_reason;
    v_endpoint.disabled_at := p_now;
  end if;

  update kinora.webhook_endpoint
  set failing_since = v_endpoint.failing_since,
      failures = v_endpoint.failures,
      disabled_reason = v_endpoint.disabled_reason,
      disabled_at = v_endpoint.disabled_at,
      paused_until = p_pause_until,
      lease_id = null,
      lease_until = null,
      due_at = kinora.webhook_next_due(v_endpoint, p_pause_until)
  where user_id = p_user_id and id = p_endpoint_id;
  if v_reason is null then
    return 'finished';
  end if;
  perform kinora.audit_add(
    p_actor_id => kinora.service_actor(), p_action => 'webhook.disable', p_user_id => p_user_id,
    p_subject => p_endpoint_id::text, p_before => null,
    p_after => jsonb_build_object('failingSince', kinora.epoch_ms(v_endpoint.failing_since)),
    p_request_id => null, p_reason => v_reason, p_now => p_now
  );
  perform kinora.mail_write_one(
    p_user_id, 'webhook.disabled', 'webhook.disabled ' || p_endpoint_id || ' ' || kinora.epoch_ms(p_now),
    -- The host only: a path or a query may be a secret.
    jsonb_build_object(
      'endpointId', p_endpoint_id, 'origin', substring(v_endpoint.url from '://(?:[^/?#@]*@)?([^/?#]*)'), 'reason', v_reason
    ),
    p_now
  );
  return 'disabled';
end
$$;

-- Returns when the endpoint is due: with its next delivery, but not before p_pause_until; never while it is disabled or
-- suspended. The caller holds its lock.
create or replace function kinora.webhook_next_due(p_endpoint kinora.webhook_endpoint, p_pause_until timestamptz)
returns timestamptz
language plpgsql
as $$
declare
  v_due_at timestamptz;
begin
  if p_endpoint.disabled_reason is not null or p_endpoint.suspended_at is not null then
    return 'infinity';
  end if;
  select due_at into v_due_at
  from kinora.webhook_delivery
  where user_id = p_endpoint.user_id and endpoint_id = p_endpoint.id and due_at is not null
  order by due_at
  limit 1;
  return greatest(coalesce(v_due_at, 'infinity'), p_pause_until);
end
$$;

-- Makes the endpoints of a team that are no longer suspended due, with what has waited for them.
create or replace function kinora.webhook_wake(p_user_id uuid) returns void
language sql
as $$
  update kinora.webhook_endpoint e
  set due_at = kinora.webhook_next_due(e, e.paused_until)
  where e.user_id = p_user_id and e.is_registered and e.due_at = 'infinity' and e.disabled_reason is null and e.suspended_at is null;
$$;

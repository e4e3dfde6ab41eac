-- The audit log: what administrators did, and what the members of teams did to them.

-- Appends an entry and returns its id. Called inside the function that makes the change, so that neither exists without
-- the other.
create or replace function kinora.audit_add(
  p_actor_id uuid, p_action text, p_now timestamptz, p_user_id uuid default null, p_subject text default null,
  p_before jsonb default null, p_after jsonb default null, p_request_id text default null, p_reason text default null, p_id uuid default null
) returns uuid
language sql
begin atomic
  insert into kinora.audit (id, actor_id, action, user_id, subject, before, after, request_id, reason, created_at)
  values (
    coalesce(p_id, kinora.uuid_v7(p_now)), p_actor_id, p_action, p_user_id, p_subject, p_before, p_after, p_request_id,
    p_reason, p_now
  )
  returning id;
end;

-- Appends what a member did to a team (p_actor_id; null: the service), which its owners read. Nothing for the account
-- of a user.
create or replace function kinora.team_log(
  p_team_id uuid, p_action text, p_subject text, p_now timestamptz, p_actor_id uuid default null,
  p_before jsonb default null, p_after jsonb default null
) returns void
language plpgsql
as $$
begin
  -- The constraint team_after_users.
  if p_team_id < 'ff000000-0000-0000-0000-000000000000' then
    return;
  end if;
  insert into kinora.audit (id, actor_id, action, user_id, subject, before, after, created_at)
  values (
    kinora.uuid_v7(p_now), coalesce(p_actor_id, kinora.service_actor()), p_action, p_team_id, p_subject, p_before, p_after, p_now
  );
end
$$;

-- What the log of a team says of the address of an endpoint, whose path may be a secret.
create or replace function kinora.audit_origin(p_url text) returns jsonb
language sql immutable
return jsonb_build_object('origin', substring(p_url from '^https?://[^/?#]+'));

-- Removes the address of a person whose account is deleted from the invitations that the logs of teams name.
create or replace function kinora.audit_forget_invited(p_email text) returns void
language sql
begin atomic
  update kinora.audit a set after = a.after - 'email' where a.action = 'team.invite' and a.after ->> 'email' = p_email;
end;

-- Removes the personal data of a deleted account, name, e-mail address and tags, from its entries. The other fields
-- stay.
create or replace function kinora.audit_redact(p_user_id uuid) returns void
language sql
begin atomic
  update kinora.audit a
  set before = a.before - array['email', 'name', 'tags'],
      after = a.after - array['email', 'name', 'tags']
  where a.user_id = p_user_id and (a.before ?| array['email', 'name', 'tags'] or a.after ?| array['email', 'name', 'tags']);
end;

-- Returns the amounts of an account, for the before and after of an entry.
create or replace function kinora.audit_balance(p_account kinora.credit_account) returns jsonb
language sql immutable
return jsonb_build_object(
  'available', (p_account).available, 'frozen', (p_account).frozen, 'used', (p_account).used,
  'expired', (p_account).expired, 'clawedBack', (p_account).clawed_back, 'total', (p_account).total
);

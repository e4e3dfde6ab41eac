-- Invitations to sign up. The gift is a package whose id is that of the invitation (credit_adjust), so that it is
-- granted once, however often it is asked for.

-- Makes an invitation, and records it. p_token_hash: SHA-256 of the token in its link. p_email: the one address that
-- may use it, in lower case; null: any. p_credits: its gift, 0: none. p_actor_id: null for an operator at a terminal.
create or replace function kinora.invitation_create(
  p_id uuid, p_token_hash bytea, p_credits bigint, p_replaces_gift boolean, p_expires_at timestamptz, p_now timestamptz,
  p_email text default null, p_actor_id uuid default null, p_request_id text default null
) returns void
language plpgsql
as $$
declare
  v_actor_id constant uuid := coalesce(p_actor_id, kinora.service_actor());
begin
  perform kinora.check_clock(p_now);
  insert into kinora.invitation (id, token_hash, email, credits, replaces_gift, actor_id, created_at, expires_at)
  values (p_id, p_token_hash, p_email, p_credits, p_replaces_gift, v_actor_id, p_now, p_expires_at);
  perform kinora.audit_add(
    p_actor_id => v_actor_id, p_action => 'invitation.create', p_user_id => null, p_subject => p_id::text, p_before => null,
    p_after => jsonb_build_object(
      'credits', p_credits, 'replacesGift', p_replaces_gift, 'expiresAt', kinora.epoch_ms(p_expires_at)
    ),
    p_request_id => p_request_id, p_reason => null, p_now => p_now
  );
end
$$;

-- Revokes an invitation that is not used, and records it. p_actor_id: null for an operator at a terminal.
-- outcome: 'revoked', 'unchanged' (it was revoked before), 'used', 'not_found'.
create or replace function kinora.invitation_revoke(
  p_id uuid, p_now timestamptz, p_actor_id uuid default null, p_request_id text default null
)
returns text
language plpgsql
as $$
declare
  v_invitation kinora.invitation;
begin
  perform kinora.check_clock(p_now);
  select * into v_invitation from kinora.invitation i where i.id = p_id for update;
  if not found then
    return 'not_found';
  elsif v_invitation.used_at is not null then
    return 'used';
  elsif v_invitation.revoked_at is not null then
    return 'unchanged';
  end if;
  update kinora.invitation i set revoked_at = p_now where i.id = p_id;
  perform kinora.audit_add(
    p_actor_id => coalesce(p_actor_id, kinora.service_actor()), p_action => 'invitation.revoke', p_user_id => null,
    p_subject => p_id::text, p_before => null, p_after => null, p_request_id => p_request_id, p_reason => null,
    p_now => p_now
  );
  return 'revoked';
end
$$;

-- Takes an invitation for a user who is about to be created; concurrent calls wait for the row's lock, and one of them
-- takes it. Taken by a sign-up that came to nothing, it may be taken again after a minute: no user has the id then. The
-- deletion of an account clears used_by, so that its invitation stays used. Returns whether it was taken.
create or replace function kinora.invitation_take(p_token_hash bytea, p_email text, p_user_id uuid, p_now timestamptz)
returns boolean
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  update kinora.invitation i
  set used_at = p_now, used_by = p_user_id
  where i.token_hash = p_token_hash
    and i.revoked_at is null
    and i.expires_at > p_now
    and kinora.is_administrator(i.actor_id, p_now)
    and (i.email is null or i.email = p_email)
    and (
      i.used_at is null
      or i.used_at < p_now - interval '1 minute'
      and i.used_by is not null
      and not exists (select from public."user" u where u.id = i.used_by::text)
    );
  return found;
end
$$;

-- Teams and their members. A team owns films and credits as a user does; who may act for it is decided by its rows in
-- team_member, and by what members have given (authority.sql, which has the lock order). Invariant: each change of
-- members locks the team, so that two owners cannot leave at the same time.

-- Makes a team; its maker is its owner. p_max: the teams that a user may own. outcome: 'created', 'too_many',
-- 'not_found' (the user was deleted).
create or replace function kinora.team_create(p_id uuid, p_user_id uuid, p_name text, p_max integer, p_now timestamptz)
returns text
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  -- The teams of a user are made one after the other, and not while the account is deleted.
  perform from public."user" u where u.id = p_user_id::text for no key update;
  if not found then
    return 'not_found';
  end if;
  if (select count(*) from kinora.team_member m where m.user_id = p_user_id and m.role = 'owner') >= p_max then
    return 'too_many';
  end if;
  insert into kinora.team (id, name, created_at) values (p_id, p_name, p_now);
  insert into kinora.team_member (team_id, user_id, role, created_at) values (p_id, p_user_id, 'owner', p_now);
  perform kinora.team_log(
    p_team_id => p_id, p_actor_id => p_user_id, p_action => 'team.create', p_subject => null, p_before => null,
    p_after => jsonb_build_object('name', p_name), p_now => p_now
  );
  return 'created';
end
$$;

-- Changes the name of a team, and whether a member acts for it with a second factor only; null: stays. p_actor_id: a
-- member, or a key of the team. outcome: 'changed', 'not_found', 'forbidden' (only an owner changes p_requires_factor),
-- 'factor_missing' (of the owner: p_has_factor). All but 'changed' change nothing.
create or replace function kinora.team_change(
  p_team_id uuid, p_has_factor boolean, p_actor_id uuid, p_now timestamptz, p_name text default null,
  p_requires_factor boolean default null
) returns text
language plpgsql
as $$
declare
  v_team kinora.team;
begin
  perform kinora.check_clock(p_now);
  select * into v_team from kinora.team t where t.id = p_team_id for update;
  if not found then
    return 'not_found';
  elsif p_requires_factor is not null and not kinora.authority_may(p_team_id, p_actor_id, 'owner', p_now) then
    return 'forbidden';
  elsif p_requires_factor and not p_has_factor then
    return 'factor_missing';
  end if;
  update kinora.team t
  set name = coalesce(p_name, t.name),
      requires_factor = coalesce(p_requires_factor, t.requires_factor)
  where t.id = p_team_id;
  perform kinora.team_log(
    p_team_id => p_team_id, p_actor_id => p_actor_id, p_action => 'team.rename', p_subject => null,
    p_before => jsonb_build_object('name', v_team.name), p_after => jsonb_build_object('name', p_name), p_now => p_now
  )
  where p_name is not null;
  if p_requires_factor <> v_team.requires_factor then
    perform kinora.team_log(
      p_team_id => p_team_id, p_actor_id => p_actor_id, p_action => 'team.set-second-factor', p_subject => null,
      p_before => jsonb_build_object('required', v_team.requires_factor),
      p_after => jsonb_build_object('required', p_requires_factor), p_now => p_now
    );
    perform kinora.team_revoke_members(p_team_id);
  end if;
  return 'changed';
end
$$;

-- Drops the members of a team from the caches of credentials: what they may do has changed.
create or replace function kinora.team_revoke_members(p_team_id uuid) returns void
language sql
begin atomic
  insert into kinora.credential_revocation (user_id)
  select m.user_id::text from kinora.team_member m where m.team_id = p_team_id
  on conflict do nothing;
end;

-- Changes the role of a member, or removes the member (p_role null). p_actor_id: the member who does it. Admins manage
-- viewers, makers and admins; owners all; everyone may leave. What the member has given and may give no longer ends,
-- except p_take_over, ids of keys and endpoints that the actor, an owner, takes over. outcome: 'changed', 'not_found'
-- (either is no member), 'forbidden', 'last_owner', 'not_given' (p_take_over has others; nothing changed).
create or replace function kinora.team_member_change(
  p_team_id uuid, p_user_id uuid, p_take_over uuid[], p_actor_id uuid, p_now timestamptz, p_role text default null
) returns text
language plpgsql
as $$
declare
  v_actor text;
  v_role text;
begin
  perform kinora.authority_lock(p_team_id, p_now);
  select m.role into v_actor from kinora.team_member m where m.team_id = p_team_id and m.user_id = p_actor_id;
  select m.role into v_role from kinora.team_member m where m.team_id = p_team_id and m.user_id = p_user_id;
  if v_actor is null or v_role is null then
    return 'not_found';
  end if;
  if not kinora.team_may_manage(v_actor, v_role) and (p_actor_id <> p_user_id or p_role is not null)
    or p_role is not null and not kinora.team_may_manage(v_actor, p_role)
    or p_take_over <> '{}' and (v_actor <> 'owner' or p_actor_id = p_user_id)
  then
    return 'forbidden';
  end if;
  if v_role = 'owner' and p_role is distinct from 'owner' and kinora.team_is_last_owner(p_team_id, p_user_id) then
    return 'last_owner';
  end if;
  if p_take_over <> '{}' and kinora.authority_take_over(
    p_team_id => p_team_id, p_ids => p_take_over, p_user_id => p_user_id, p_actor_id => p_actor_id, p_now => p_now
  ) <> 'taken' then
    return 'not_given';
  end if;
  if p_role is null then
    delete from kinora.team_member m where m.team_id = p_team_id and m.user_id = p_user_id;
  else
    update kinora.team_member m set role = p_role where m.team_id = p_team_id and m.user_id = p_user_id;
  end if;
  perform kinora.authority_settle(p_team_id, p_user_id, false, p_now);
  perform kinora.team_log(
    p_team_id => p_team_id, p_actor_id => p_actor_id,
    p_action => case when p_role is not null then 'team.set-role' when p_actor_id = p_user_id then 'team.leave' else 'team.remove-member' end,
    p_subject => p_user_id::text, p_before => jsonb_build_object('role', v_role),
    p_after => jsonb_strip_nulls(jsonb_build_object('role', p_role)), p_now => p_now
  )
  where p_role is distinct from v_role;
  -- The former role is lost within a second.
  insert into kinora.credential_revocation (user_id) values (p_user_id::text) on conflict do nothing;
  return 'changed';
end
$$;

-- Returns whether a member of one role may give or take another one.
create or replace function kinora.team_may_manage(p_actor_role text, p_role text) returns boolean
language sql immutable
return p_actor_role = 'owner' or p_actor_role = 'admin' and p_role <> 'owner';

-- Returns whether no other member of a team is an owner.
create or replace function kinora.team_is_last_owner(p_team_id uuid, p_user_id uuid) returns boolean
language sql stable
return not exists (
  select from kinora.team_member m where m.team_id = p_team_id and m.user_id <> p_user_id and m.role = 'owner'
);

-- Removes a user who is about to be deleted from all teams; p_is_operator: by an administrator. Returns false, and
-- removes nothing, when the user is the last owner of one.
create or replace function kinora.team_leave_all(p_user_id uuid, p_is_operator boolean, p_now timestamptz) returns boolean
language plpgsql
as $$
declare
  v_team_ids uuid[];
begin
  v_team_ids := array(select m.team_id from kinora.team_member m where m.user_id = p_user_id order by m.team_id);
  perform from kinora.team t where t.id = any(v_team_ids) order by t.id for update;
  if exists (
    select
    from kinora.team_member m
    where m.user_id = p_user_id and m.role = 'owner' and kinora.team_is_last_owner(m.team_id, p_user_id)
  ) then
    return false;
  end if;
  perform kinora.team_log(
    p_team_id => m.team_id, p_actor_id => p_user_id, p_action => 'team.leave', p_subject => p_user_id::text,
    p_before => jsonb_build_object('role', m.role), p_after => null, p_now => p_now
  )
  from kinora.team_member m
  where m.user_id = p_user_id;
  delete from kinora.team_member m where m.user_id = p_user_id;
  perform kinora.authority_settle(t.id, p_user_id, p_is_operator, p_now) from unnest(v_team_ids) t (id);
  return true;
end
$$;

-- Locks a team, or unlocks it, with an audit entry. Its members and keys are refused within a second; films in progress
-- are finished. outcome: 'changed', 'unchanged' (it was so before), 'not_found'.
create or replace function kinora.team_lock(
  p_team_id uuid, p_is_locked boolean, p_reason text, p_actor_id uuid, p_request_id text, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_team kinora.team;
begin
  perform kinora.check_clock(p_now);
  select * into v_team from kinora.team t where t.id = p_team_id for update;
  if not found then
    return 'not_found';
  elsif (v_team.locked_at is not null) = p_is_locked then
    return 'unchanged';
  end if;
  update kinora.team t
  set locked_at = case when p_is_locked then p_now end,
      lock_reason = case when p_is_locked then p_reason end
  where t.id = p_team_id;
  perform kinora.team_revoke_members(p_team_id);
  insert into kinora.credential_revocation (user_id) values (p_team_id::text) on conflict do nothing;
  if p_is_locked then
    perform kinora.audit_add(
      p_actor_id => p_actor_id, p_action => 'team.lock', p_user_id => p_team_id, p_subject => null, p_before => null,
      p_after => null, p_request_id => p_request_id, p_reason => p_reason, p_now => p_now
    );
  else
    perform kinora.audit_add(
      p_actor_id => p_actor_id, p_action => 'team.unlock', p_user_id => p_team_id, p_subject => null, p_before => null,
      p_after => null, p_request_id => p_request_id, p_reason => p_reason, p_now => p_now
    );
  end if;
  return 'changed';
end
$$;

-- Makes a member an owner, with an audit entry: an administrator's means where the owners of a team have gone, or one
-- is to be deleted. outcome: 'changed', 'unchanged' (an owner already), 'not_found' (no such member).
create or replace function kinora.team_make_owner(
  p_team_id uuid, p_user_id uuid, p_reason text, p_actor_id uuid, p_request_id text, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_role text;
begin
  perform kinora.check_clock(p_now);
  perform from kinora.team t where t.id = p_team_id for update;
  select m.role into v_role from kinora.team_member m where m.team_id = p_team_id and m.user_id = p_user_id;
  if not found then
    return 'not_found';
  elsif v_role = 'owner' then
    return 'unchanged';
  end if;
  update kinora.team_member m set role = 'owner' where m.team_id = p_team_id and m.user_id = p_user_id;
  insert into kinora.credential_revocation (user_id) values (p_user_id::text) on conflict do nothing;
  perform kinora.audit_add(
    p_actor_id => p_actor_id, p_action => 'team.make-owner', p_user_id => p_team_id, p_subject => p_user_id::text,
    p_before => jsonb_build_object('role', v_role), p_after => jsonb_build_object('role', 'owner'),
    p_request_id => p_request_id, p_reason => p_reason, p_now => p_now
  );
  return 'changed';
end
$$;

-- Makes a user a member by the token of an invitation to the user's e-mail address, and ends the invitation. outcome:
-- 'accepted' (also of one who is a member already), 'not_found' (none, of another address, it has ended, or the member
-- who invited could not do so now), 'too_many' (p_max members).
create or replace function kinora.team_invitation_accept(
  p_token_hash bytea, p_user_id uuid, p_max integer, p_now timestamptz, out outcome text, out team_id uuid
)
language plpgsql
as $$
declare
  v_invitation kinora.team_invitation;
begin
  perform kinora.check_clock(p_now);
  perform from public."user" u where u.id = p_user_id::text for no key update;
  select i.team_id into team_id from kinora.team_invitation i where i.token_hash = p_token_hash;
  -- The team before its rows, as every change of members. It may have been deleted meanwhile.
  perform from kinora.team t where t.id = team_invitation_accept.team_id for update;
  -- Locked, so that an invitation that is revoked or replaced meanwhile is not accepted.
  select i.* into v_invitation
  from kinora.team_invitation i
  join public."user" u on u.email = i.email
  where i.token_hash = p_token_hash and i.expires_at > p_now and u.id = p_user_id::text
    and kinora.authority_may(i.team_id, i.actor_id, i.role, p_now)
    and exists (select from kinora.team t where t.id = i.team_id)
  for update of i;
  if not found then
    outcome := 'not_found';
    team_id := null;
    return;
  end if;
  if (select count(*) from kinora.team_member m where m.team_id = v_invitation.team_id) >= p_max then
    outcome := 'too_many';
    return;
  end if;
  insert into kinora.team_member (team_id, user_id, role, created_at)
  values (v_invitation.team_id, p_user_id, v_invitation.role, p_now)
  on conflict on constraint team_member_pkey do nothing;
  perform kinora.team_log(
    p_team_id => v_invitation.team_id, p_actor_id => p_user_id, p_action => 'team.join', p_subject => p_user_id::text,
    p_before => null, p_after => jsonb_build_object('role', v_invitation.role, 'invitedBy', v_invitation.actor_id),
    p_now => p_now
  )
  where found;
  delete from kinora.team_invitation i where i.id = v_invitation.id;
  outcome := 'accepted';
end
$$;

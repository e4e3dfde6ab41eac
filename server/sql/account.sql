-- Deletes accounts. The personal data of sign-in goes in one transaction; films, images, prompts and payment bodies are
-- erased by the worker's sweep, because storage is no part of a transaction. Nothing in the books changes: the user id
-- stays there as a pseudonym, and no table references the row in public."user". account_rows.sql has what concerns the
-- rows of the user: in a divided database account_close is one transaction, and account_clear another one, of the part
-- that has the user.

-- Deletes the account of a user: sessions, keys, password, e-mail address and name. Videos that no provider can have
-- are cancelled; the others run to their end. p_actor_id: the user, or the administrator who does it for the user.
-- outcome: as account_close; 'closed' in a divided database, where account_clear is left.
create or replace function kinora.account_delete(
  p_user_id uuid, p_actor_id uuid, p_email_hash bytea, p_cancel_error text, p_grace interval, p_request_id text, p_owed bigint,
  p_now timestamptz, p_reason text default null
) returns text
language plpgsql
as $$
declare
  v_outcome text;
begin
  v_outcome := kinora.account_close(p_user_id, p_actor_id, p_email_hash, p_request_id, p_reason, p_owed, p_now);
  if v_outcome = 'deleted' then
    perform kinora.account_clear(p_user_id, p_cancel_error, p_grace, p_now);
    update kinora.deleted_account d set unfinished = null where d.user_id = p_user_id;
  end if;
  return v_outcome;
end
$$;

-- Returns whether a user is an administrator who is not locked, or the service itself. An invitation, as all that lets
-- a caller act (authority.sql), counts while its maker could make it.
create or replace function kinora.is_administrator(p_user_id uuid, p_now timestamptz) returns boolean
language sql stable
return p_user_id = kinora.service_actor()
  or exists (
    select from public."user" u where u.id = p_user_id::text and 'admin' = any(string_to_array(u.role, ','))
  ) and not kinora.is_banned(p_user_id, p_now);

-- Returns whether the user is the only administrator who is not locked. All administrators stay locked, in the order of
-- their ids, so that the last two cannot leave at the same time.
create or replace function kinora.is_last_administrator(p_user_id uuid, p_now timestamptz) returns boolean
language plpgsql
as $$
begin
  if not exists (
    select from public."user" u where u.id = p_user_id::text and 'admin' = any(string_to_array(u.role, ','))
  ) then
    return false;
  end if;
  perform from public."user" u where 'admin' = any(string_to_array(u.role, ',')) order by u.id for update;
  return not exists (
    select
    from public."user" u
    where u.id <> p_user_id::text
      and 'admin' = any(string_to_array(u.role, ','))
      and (u.banned is not true or u."banExpires" <= p_now)
  );
end
$$;

-- Gives a user a role that is not the administrator's; p_role null: locks the account. better-auth repeats the change,
-- and adds a lock's reason and end. outcome: 'withdrawn', 'last_administrator' (nothing changed).
create or replace function kinora.administrator_withdraw(
  p_user_id uuid, p_now timestamptz, p_role text default null
) returns text
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  if kinora.is_last_administrator(p_user_id, p_now) then
    return 'last_administrator';
  end if;
  update public."user" u
  set role = coalesce(p_role, u.role),
      banned = u.banned or p_role is null,
      "banExpires" = case when p_role is not null then u."banExpires" end
  where u.id = p_user_id::text;
  if p_role is null then
    perform kinora.authority_settle_all(p_user_id, p_now);
  end if;
  return 'withdrawn';
end
$$;

-- Deletes what sign-in has of a user, and records that the account is deleted and that account_clear is left. p_owed:
-- the credits that the actor knows to be owed. outcome: 'deleted', 'not_found', 'last_administrator', 'last_owner' (of
-- a team), 'subscribed' (a subscription still renews, or a payment of it may still come), 'owed' (more than p_owed);
-- all but 'deleted' change nothing.
create or replace function kinora.account_close(
  p_user_id uuid, p_actor_id uuid, p_email_hash bytea, p_request_id text, p_reason text, p_owed bigint, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_user public."user";
begin
  perform kinora.check_clock(p_now);
  if kinora.is_last_administrator(p_user_id, p_now) then
    return 'last_administrator';
  end if;
  select * into v_user from public."user" u where u.id = p_user_id::text for update;
  if not found then
    return 'not_found';
  end if;
  -- A divided database has copies of users and of deleted accounts beside the user's rows.
  perform kinora.commit_in_two_phases(p_user_id);
  -- Payment events of this user wait here: none starts a subscription between the check and the deletion.
  perform kinora.credit_wait_for_account(p_user_id, p_now);
  if kinora.account_is_subscribed(p_user_id, p_now) then
    return 'subscribed';
  end if;
  if kinora.credit_owed(p_user_id) > p_owed then
    return 'owed';
  end if;
  if not kinora.team_leave_all(p_user_id, p_actor_id <> p_user_id, p_now) then
    return 'last_owner';
  end if;

  insert into kinora.deleted_account (user_id, email_hash, created_at, deleted_at, unfinished)
  values (
    p_user_id, p_email_hash, v_user."createdAt", p_now,
    jsonb_build_object(
      'id', kinora.uuid_v7(p_now), 'actor_id', p_actor_id, 'role', coalesce(v_user.role, 'user'), 'request_id', p_request_id,
      'reason', p_reason
    )
  );
  delete from public."verification" where "identifier" = v_user."email" or "value" = v_user."id";
  -- An invitation without its address would be open for any: one that is not used is revoked.
  update kinora.invitation i
  set email = null, used_by = null, revoked_at = case when i.used_at is null then coalesce(i.revoked_at, p_now) else i.revoked_at end
  where i.used_by = p_user_id or i.email = v_user."email";
  delete from kinora.team_invitation i where i.email = v_user."email";
  perform kinora.audit_forget_invited(v_user."email");
  delete from kinora.explore_film f where f.user_id = p_user_id;
  update kinora.explore_report r set note = null where r.user_id = p_user_id;
  perform kinora.owner_forget(p_user_id);
  delete from public."apikey" where "referenceId" = v_user."id";
  -- Sessions and password go with it (on delete cascade).
  delete from public."user" where "id" = v_user."id";
  return 'deleted';
end
$$;

-- Forgets what administrators have noted about a user or a team, and the limits that they have set.
create or replace function kinora.owner_forget(p_user_id uuid) returns void
language sql
begin atomic
  delete from kinora.owner_note where user_id = p_user_id;
  delete from kinora.owner_tag where user_id = p_user_id;
  delete from kinora.api_key where user_id = p_user_id and id = p_user_id;
end;

-- Returns whether a subscription of an account still renews, or a payment of it may still come.
create or replace function kinora.account_is_subscribed(p_user_id uuid, p_now timestamptz) returns boolean
language sql stable
return exists (
  select
  from kinora.subscription s
  where s.user_id = p_user_id
    and not s.cancel_at_period_end
    and case
      -- The limit is for a subscription whose end is lost: reconciliation asks until 60 days after its period.
      when s.status in ('active', 'trialing', 'past_due') then
        greatest(s.current_period_end, s.updated_at) > p_now - interval '61 days'
      -- The first payment is open: the processor ends the subscription by itself after 23 hours.
      when s.status = 'incomplete' then s.updated_at > p_now - interval '1 day'
      -- The processor retries the payment until the subscription is cancelled. The limit is for a cancellation whose
      -- event is lost.
      when s.status = 'expired' then
        s.retries_expired
        and s.cancelled_at is null
        and coalesce(s.current_period_end, s.updated_at) > p_now - interval '30 days'
      else false
    end
);

-- Deletes a team as account_close deletes a user: its films are left to account_clear and the sweep, the books stay.
-- p_email_hash: a deleted account has one; that of a team is of no address. p_reason: an administrator's; null: the
-- actor is an owner. p_owed: the credits that the actor knows to be owed. What the team owes passes on to its payers in
-- a transaction of its own (team_pass_on_owed): the lock order has the payers before the team, and one who moves
-- credits meanwhile becomes a payer. outcome: 'deleted', 'not_found' (or the actor is no member), 'forbidden' (no
-- owner), 'subscribed', 'owed' (more than p_owed).
create or replace function kinora.team_delete(
  p_team_id uuid, p_actor_id uuid, p_email_hash bytea, p_request_id text, p_owed bigint, p_now timestamptz,
  p_reason text default null
) returns text
language plpgsql
as $$
declare
  v_team kinora.team;
  v_role text := 'owner';
begin
  perform kinora.check_clock(p_now);
  select * into v_team from kinora.team t where t.id = p_team_id for update;
  if p_reason is null then
    v_role := (select m.role from kinora.team_member m where m.team_id = p_team_id and m.user_id = p_actor_id);
  end if;
  if v_team.id is null or v_role is null then
    return 'not_found';
  elsif v_role <> 'owner' then
    return 'forbidden';
  end if;
  perform kinora.commit_in_two_phases(p_team_id);
  perform kinora.credit_wait_for_account(p_team_id, p_now);
  if kinora.account_is_subscribed(p_team_id, p_now) then
    return 'subscribed';
  end if;
  if kinora.credit_owed(p_team_id) > p_owed then
    return 'owed';
  end if;
  insert into kinora.deleted_account (user_id, email_hash, created_at, deleted_at, unfinished, is_team)
  values (
    p_team_id, p_email_hash, v_team.created_at, p_now,
    jsonb_build_object(
      'id', kinora.uuid_v7(p_now), 'actor_id', p_actor_id, 'role', 'team', 'request_id', p_request_id, 'reason', p_reason
    ),
    true
  );
  perform kinora.team_revoke_members(p_team_id);
  perform kinora.owner_forget(p_team_id);
  delete from public."apikey" where "referenceId" = p_team_id::text;
  delete from public."oauthConsent" where "ownerId" = p_team_id;
  delete from kinora.team_invitation i where i.team_id = p_team_id;
  delete from kinora.team_member m where m.team_id = p_team_id;
  delete from kinora.team t where t.id = p_team_id;
  return 'deleted';
end
$$;

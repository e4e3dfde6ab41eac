-- What lets a caller act for a team names the member who gave it: an invitation (actor_id), an API key and a webhook
-- endpoint (made_by), the consent to a program ("userId"). A browser token ends with its key, because it is looked up
-- with it. Here is the one answer to what becomes of it when its giver may give it no longer. An invitation to sign up
-- has its answer when it is used: is_administrator (account.sql).
--
-- - The giver was demoted, removed, has left, or has deleted the own account: what the new role could not give ends,
--   unless an owner has taken it over.
-- - An administrator has locked the account of the giver: keys and endpoints are suspended until it is unlocked. An
--   invitation cannot be accepted meanwhile.
-- - An administrator has deleted it: keys and endpoints are suspended, invitations end.
-- - A program acts as the member and never does more than the member may do at that moment (findGrant in
--   account/oauth.ts): it is refused while the account is locked, ends with it, and no owner takes it over. An owner
--   may end it.
-- - An owner may take over what is suspended for seven days, then it ends (authority_sweep).
--
-- Lock order: user, team, account of the team (webhook.sql says why), member, then keys and endpoints. Invariant: a
-- change of one of these, or of a giver's rights, locks the team, and what was given is settled after it was stored. So
-- of two at once the second sees the first.

-- Returns whether the account of a user is locked.
create or replace function kinora.is_banned(p_user_id uuid, p_now timestamptz) returns boolean
language sql stable
return exists (
  select from public."user" u where u.id = p_user_id::text and u.banned and coalesce(u."banExpires" > p_now, true)
);

-- Returns whether a user may give now what takes a role: member, of a role that manages it, and not locked.
create or replace function kinora.authority_may(p_team_id uuid, p_user_id uuid, p_role text, p_now timestamptz) returns boolean
language sql stable
return exists (
    select from kinora.team_member m
    where m.team_id = p_team_id and m.user_id = p_user_id and kinora.team_may_manage(m.role, p_role)
  )
  and not kinora.is_banned(p_user_id, p_now);

-- Returns what a user has given in a team, with the role that it takes to give it; of a program the least role that has
-- its scopes.
create or replace function kinora.authority_given(p_team_id uuid, p_user_id uuid)
returns table (kind text, id uuid, name text, role text)
language sql stable
begin atomic
  select 'invitation', i.id, i.email, i.role
  from kinora.team_invitation i
  where i.team_id = p_team_id and i.actor_id = p_user_id
  union all
  select 'key', a.id, coalesce(nullif(k.name, ''), k.start), 'admin'
  from kinora.api_key a
  join public."apikey" k on k.id = a.id::text
  where a.user_id = p_team_id and a.made_by = p_user_id
  union all
  select 'endpoint', e.id, e.url, 'admin'
  from kinora.webhook_endpoint e
  where e.user_id = p_team_id and e.made_by = p_user_id and e.is_registered
  union all
  select 'program', k.id::uuid, coalesce(c.name, ''), case when k.scopes ? 'generate' then 'maker' else 'viewer' end
  from public."oauthConsent" k
  join public."oauthClient" c on c."clientId" = k."clientId"
  where k."ownerId" = p_team_id and k."userId" = p_user_id::text;
end;

-- Returns what of it a role could not give; p_role null: a user who is no member gives nothing.
create or replace function kinora.authority_ends(p_team_id uuid, p_user_id uuid, p_role text default null)
returns table (kind text, id uuid, name text)
language sql stable
begin atomic
  select g.kind, g.id, g.name
  from kinora.authority_given(p_team_id, p_user_id) g
  where p_role is null
     or case when g.kind = 'program' then g.role = 'maker' and p_role = 'viewer' else not kinora.team_may_manage(p_role, g.role) end;
end;

-- Locks a team, its members, and what they have given.
create or replace function kinora.authority_lock(p_team_id uuid, p_now timestamptz) returns void
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  perform kinora.commit_in_two_phases(p_team_id);
  perform from kinora.team t where t.id = p_team_id for update;
  if found then
    perform kinora.credit_wait_for_account(p_team_id, p_now);
  end if;
end
$$;

-- Makes what a user has given in a team what the user's rights say now. Called after each change of them, and after
-- each gift. p_is_operator: an administrator deletes the user. Returns the ids of what has ended.
create or replace function kinora.authority_settle(p_team_id uuid, p_user_id uuid, p_is_operator boolean, p_now timestamptz)
returns uuid[]
language plpgsql
as $$
declare
  v_role text;
  v_ended uuid[];
begin
  perform kinora.authority_lock(p_team_id, p_now);
  v_role := (select m.role from kinora.team_member m where m.team_id = p_team_id and m.user_id = p_user_id);
  v_ended := array(
    select e.id
    from kinora.authority_ends(p_team_id => p_team_id, p_user_id => p_user_id, p_role => v_role) e
    where not p_is_operator or e.kind in ('invitation', 'program')
  );
  perform kinora.authority_end(p_team_id, v_ended, p_now);
  perform kinora.authority_suspend(p_team_id, p_user_id, p_is_operator or kinora.is_banned(p_user_id, p_now), p_now);
  return v_ended;
end
$$;

-- The same in all teams of a user whose account was locked or unlocked.
create or replace function kinora.authority_settle_all(p_user_id uuid, p_now timestamptz) returns void
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  perform kinora.authority_settle(m.team_id, p_user_id, false, p_now)
  from (select team_id from kinora.team_member where user_id = p_user_id order by team_id offset 0) m;
end
$$;

-- Ends invitations, keys, programs and endpoints of a team, each with an entry in its log, by the service. Triggers
-- report keys and programs, with their tokens, to the caches of credentials.
create or replace function kinora.authority_end(p_team_id uuid, p_ids uuid[], p_now timestamptz) returns void
language plpgsql
as $$
begin
  perform kinora.team_log(
    p_team_id => p_team_id, p_actor_id => null, p_action => e.action, p_subject => e.id, p_before => e.before,
    p_after => null, p_now => p_now
  )
  from (
    select 'team.revoke-invitation' as action, i.id::text, jsonb_build_object('role', i.role) as before
    from kinora.team_invitation i
    where i.team_id = p_team_id and i.id = any(p_ids)
    union all
    select 'team.disconnect-program', k.id, jsonb_build_object('name', c.name)
    from public."oauthConsent" k
    join public."oauthClient" c on c."clientId" = k."clientId"
    where k."ownerId" = p_team_id and k.id = any(p_ids::text[])
    union all
    select 'team.delete-' || n.kind, n.id, n.name from kinora.authority_named(p_team_id, p_ids) n
  ) e;
  delete from kinora.team_invitation i where i.team_id = p_team_id and i.id = any(p_ids);
  delete from public."apikey" k where k."referenceId" = p_team_id::text and k.id = any(p_ids::text[]);
  delete from public."oauthConsent" k where k."ownerId" = p_team_id and k.id = any(p_ids::text[]);
  perform kinora.webhook_delete(p_team_id, e.id, p_now)
  from kinora.webhook_endpoint e
  where e.user_id = p_team_id and e.id = any(p_ids);
end
$$;

-- Returns keys and endpoints of a team as its log names them.
create or replace function kinora.authority_named(p_team_id uuid, p_ids uuid[])
returns table (kind text, id text, name jsonb, made_by uuid)
language sql stable
begin atomic
  select 'key', k.id, jsonb_build_object('name', k.name), a.made_by
  from kinora.api_key a
  join public."apikey" k on k.id = a.id::text
  where a.user_id = p_team_id and a.id = any(p_ids) and a.made_by is not null
  union all
  select 'endpoint', e.id::text, kinora.audit_origin(e.url), e.made_by
  from kinora.webhook_endpoint e
  where e.user_id = p_team_id and e.id = any(p_ids) and e.is_registered;
end;

-- Suspends the keys and endpoints that a user has made, or lifts it, and reports it to the owners. The deliveries of a
-- suspended endpoint wait.
create or replace function kinora.authority_suspend(p_team_id uuid, p_user_id uuid, p_is_suspended boolean, p_now timestamptz)
returns void
language plpgsql
as $$
declare
  v_keys integer;
  v_endpoints integer;
begin
  update kinora.api_key a
  set suspended_at = case when p_is_suspended then p_now end
  where a.user_id = p_team_id and a.made_by = p_user_id and (a.suspended_at is null) = p_is_suspended
    and exists (select from public."apikey" k where k.id = a.id::text);
  get diagnostics v_keys = row_count;
  update kinora.webhook_endpoint e
  set suspended_at = case when p_is_suspended then p_now end,
      due_at = 'infinity',
      lease_id = null,
      lease_until = null
  where e.user_id = p_team_id and e.made_by = p_user_id and e.is_registered and (e.suspended_at is null) = p_is_suspended;
  get diagnostics v_endpoints = row_count;
  if not p_is_suspended and v_endpoints > 0 then
    perform kinora.webhook_wake(p_team_id);
  end if;
  if v_keys > 0 then
    insert into kinora.credential_revocation (user_id) values (p_team_id::text) on conflict do nothing;
  end if;
  if p_is_suspended and v_keys + v_endpoints > 0 then
    perform kinora.mail_write_one(
      p_team_id, 'team.suspended', null,
      jsonb_build_object(
        'keys', v_keys, 'endpoints', v_endpoints, 'expiresAt', kinora.iso_time(p_now + kinora.authority_suspension())
      ),
      p_now
    );
  end if;
end
$$;

-- How long what is suspended may be taken over.
create or replace function kinora.authority_suspension() returns interval
language sql immutable
return interval '7 days';

-- Makes an owner the giver of keys and endpoints of a team, which ends their suspension. p_user_id: the maker of all of
-- them, unless the owner has taken one over already; null: of any maker. outcome: 'taken', 'not_found' (the team has
-- not all of them, or another maker; nothing is taken over), 'forbidden' (the actor is no owner).
create or replace function kinora.authority_take_over(
  p_team_id uuid, p_ids uuid[], p_actor_id uuid, p_now timestamptz, p_user_id uuid default null
) returns text
language plpgsql
as $$
declare
  v_count integer;
begin
  perform kinora.authority_lock(p_team_id, p_now);
  if not kinora.authority_may(p_team_id, p_actor_id, 'owner', p_now) then
    return 'forbidden';
  end if;
  select count(*) into v_count
  from kinora.authority_named(p_team_id, p_ids) n
  where n.made_by in (p_user_id, p_actor_id) or p_user_id is null;
  if v_count < (select count(distinct id) from unnest(p_ids) id) then
    return 'not_found';
  end if;
  perform kinora.team_log(
    p_team_id => p_team_id, p_actor_id => p_actor_id, p_action => 'team.take-over-' || n.kind, p_subject => n.id,
    p_before => n.name || jsonb_build_object('madeBy', n.made_by),
    p_after => n.name || jsonb_build_object('madeBy', p_actor_id), p_now => p_now
  )
  from kinora.authority_named(p_team_id, p_ids) n
  where n.made_by <> p_actor_id;
  update kinora.api_key a set made_by = p_actor_id, suspended_at = null where a.user_id = p_team_id and a.id = any(p_ids);
  update kinora.webhook_endpoint e
  set made_by = p_actor_id, suspended_at = null
  where e.user_id = p_team_id and e.id = any(p_ids);
  perform kinora.webhook_wake(p_team_id);
  insert into kinora.credential_revocation (user_id) values (p_team_id::text) on conflict do nothing;
  return 'taken';
end
$$;

-- Ends what has been suspended for seven days, and settles what no call has: a lock whose time is over, and what a
-- process gave that died before it settled it.
create or replace function kinora.authority_sweep(p_now timestamptz) returns void
language plpgsql
as $$
declare
  v_given record;
begin
  perform kinora.check_clock(p_now);
  for v_given in
    select g.team_id, g.made_by, bool_or(coalesce(g.suspended_at <= p_now - kinora.authority_suspension(), false)) as is_over
    from (
      select a.user_id as team_id, a.made_by, a.suspended_at
      from kinora.api_key a
      join public."apikey" k on k.id = a.id::text
      where a.made_by is not null
      union all
      select e.user_id, e.made_by, e.suspended_at from kinora.webhook_endpoint e where e.made_by is not null and e.is_registered
    ) g
    left join kinora.team_member m on m.team_id = g.team_id and m.user_id = g.made_by
    left join public."user" u on u.id = g.made_by::text
    where g.suspended_at <= p_now - kinora.authority_suspension()
       or case
            when u.id is null then g.suspended_at is null
            else (g.suspended_at is not null) <> kinora.is_banned(g.made_by, p_now)
              or not coalesce(kinora.team_may_manage(m.role, 'admin'), false)
          end
    group by g.team_id, g.made_by
    order by g.team_id, g.made_by
  loop
    if v_given.is_over then
      perform kinora.authority_lock(v_given.team_id, p_now);
      perform kinora.authority_end(
        v_given.team_id,
        array(
          select a.id from kinora.api_key a
          where a.user_id = v_given.team_id and a.suspended_at <= p_now - kinora.authority_suspension()
          union all
          select e.id from kinora.webhook_endpoint e
          where e.user_id = v_given.team_id and e.suspended_at <= p_now - kinora.authority_suspension()
        ),
        p_now
      );
    else
      perform kinora.authority_settle(v_given.team_id, v_given.made_by, false, p_now);
    end if;
  end loop;
end
$$;

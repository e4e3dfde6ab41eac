-- Mail: the outbox. A message is a row that is written in the transaction of its cause; a worker claims it, sends it
-- and records the outcome under its lease. server/src/mail/README.md has the rules.

-- Writes a message to an address, unless the user has one with this key. p_link: sealed for p_id. Returns whether it
-- was written.
create or replace function kinora.mail_add(
  p_id uuid, p_kind text, p_key text, p_recipient text, p_data jsonb, p_expires_at timestamptz, p_now timestamptz,
  p_user_id uuid default null, p_link bytea default null
) returns boolean
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  insert into kinora.mail (id, user_id, kind, key, is_notice, recipient, data, link, has_link, due_at, expires_at, created_at)
  values (p_id, p_user_id, p_kind, p_key, false, p_recipient, p_data, p_link, p_link is not null, p_now, p_expires_at, p_now)
  on conflict do nothing;
  return found;
end
$$;

-- Returns whether a notice is written for a user: the e-mail address is verified, and the user wants this kind. Notices
-- are wanted, except video.done. For a team one is, because its owners are asked when it is passed on to each of them.
create or replace function kinora.mail_is_wanted(p_user_id uuid, p_kind text) returns boolean
language sql stable
return (
    exists (select from public."user" u where u.id = p_user_id::text and u."emailVerified")
    or exists (select from kinora.team t where t.id = p_user_id)
  )
  and coalesce(
    (select s.is_wanted from kinora.mail_setting s where s.user_id = p_user_id and s.kind = p_kind), p_kind <> 'video.done'
  );

-- Writes notices: element i of the arrays is one, for the user's address, if mail_is_wanted; of a team without an
-- address. Key null: written each time. A notice that could not be sent for three days is out of date.
create or replace function kinora.mail_write(
  p_user_ids uuid[], p_kinds text[], p_keys text[], p_data jsonb[], p_now timestamptz
) returns void
language plpgsql
-- set-based
as $$
begin
  insert into kinora.mail (id, user_id, kind, key, is_notice, recipient, data, has_link, due_at, expires_at, created_at)
  select kinora.uuid_v7(p_now, n::integer), e.user_id, e.kind, coalesce(e.key, kinora.uuid_v7(p_now)::text), true, coalesce(u.email, ''), e.data, false, p_now, p_now + interval '3 days',
         p_now
  from unnest(p_user_ids, p_kinds, p_keys, p_data) with ordinality e (user_id, kind, key, data, n)
  left join lateral (select email from public."user" where id = e.user_id::text offset 0) u on true
  where kinora.mail_is_wanted(e.user_id, e.kind)
  on conflict do nothing;
end
$$;

-- Writes one notice.
create or replace function kinora.mail_write_one(
  p_user_id uuid, p_kind text, p_key text, p_data jsonb, p_now timestamptz
) returns void
language plpgsql
as $$
begin
  perform kinora.mail_write(array[p_user_id], array[p_kind], array[p_key], array[p_data], p_now);
end
$$;

-- Writes video.done for decisions that have been applied to videos, for users who have switched it on.
create or replace function kinora.mail_write_videos(p_decisions kinora.video_decision[], p_now timestamptz) returns void
language plpgsql
-- set-based
as $$
declare
  v_notice record;
begin
  select array_agg((d.video).user_id) as user_ids, array_agg('video.done'::text) as kinds,
         array_agg('video.done ' || (d.video).id) as keys,
         array_agg(
           jsonb_build_object(
             'videoId', (d.video).id, 'status', (d.video).status, 'error', (d.video).error,
             -- A film may have no prompt: of a portrait and a sound.
             'film', coalesce(nullif(left((d.video).prompt, 200), ''), (d.video).model || ', ' || (d.video).mode)
           )
         ) as data
  into v_notice
  from unnest(p_decisions) d
  cross join lateral (
    select from kinora.mail_setting where user_id = (d.video).user_id and kind = 'video.done' and is_wanted offset 0
  ) s
  where d.is_changed and d.outcome in ('completed', 'failed') and (d.video).deleted_at is null;
  if v_notice.user_ids is not null then
    perform kinora.mail_write(v_notice.user_ids, v_notice.kinds, v_notice.keys, v_notice.data, p_now);
  end if;
end
$$;

-- Claims messages that are due, with a lease until p_lease_until: those that a person waits for first, then notices.
-- language: of the user; null: not known.
create or replace function kinora.mail_claim(
  p_limit integer, p_lease uuid, p_lease_until timestamptz, p_now timestamptz
) returns table (
  id uuid, user_id uuid, kind text, is_notice boolean, recipient text, data jsonb, link bytea, attempt integer, created_at timestamptz,
  language text
)
language plpgsql
-- set-based
as $$
#variable_conflict use_column
begin
  perform kinora.check_clock(p_now);
  return query
  with urgent as (
    select m.id
    from kinora.mail m
    where m.state = 'pending' and not m.is_notice and m.due_at <= p_now and m.expires_at > p_now
    order by m.due_at
    limit p_limit
    for no key update skip locked
  ),
  notice as (
    select m.id
    from kinora.mail m
    where m.state = 'pending' and m.is_notice and m.due_at <= p_now and m.expires_at > p_now
    order by m.due_at
    limit p_limit - (select count(*) from urgent)
    for no key update skip locked
  )
  update kinora.mail m
  set lease_id = p_lease, due_at = p_lease_until
  from (select id from urgent union all select id from notice) d
  where m.id = d.id
  returning m.id, m.user_id, m.kind, m.is_notice, m.recipient, m.data, m.link, m.attempt, m.created_at,
            (select u."language" from public."user" u where u.id = m.user_id::text);
end
$$;

-- Records an attempt. p_state: of the message afterwards; p_due_at: of the next attempt, null when the state is final.
-- An accepted message is recorded after the lease has passed on too, so that no worker sends it again. outcome:
-- 'recorded', 'stale' (nothing is changed).
create or replace function kinora.mail_record(
  p_id uuid, p_lease uuid, p_state text, p_response text, p_now timestamptz, p_due_at timestamptz default null
) returns text
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  update kinora.mail
  set state = p_state,
      attempt = attempt + 1,
      due_at = p_due_at,
      lease_id = null,
      link = case when p_state = 'pending' then link end,
      attempted_at = p_now,
      response = p_response
  where id = p_id and state = 'pending' and (lease_id = p_lease or p_state = 'sent');
  return case when found then 'recorded' else 'stale' end;
end
$$;

-- Ends messages that are out of date, the oldest p_limit of them, and forgets their links. Returns their number.
create or replace function kinora.mail_expire(p_limit integer, p_now timestamptz) returns integer
language plpgsql
as $$
declare
  v_count integer;
begin
  perform kinora.check_clock(p_now);
  update kinora.mail
  set state = 'expired', due_at = null, lease_id = null, link = null
  where id = any(array(
    select id
    from kinora.mail
    where state = 'pending' and expires_at <= p_now
    order by expires_at
    limit p_limit
    for no key update skip locked
  ));
  get diagnostics v_count = row_count;
  return v_count;
end
$$;

-- Sends a message once more, for an administrator: one that has failed; one that was sent or is out of date as a copy
-- under an id of its own, because servers drop a second message of one Message-ID, to the present address of its user.
-- One whose link is gone cannot be sent again: its user asks anew. outcome: 'retried', 'not_sendable', 'not_found'.
create or replace function kinora.mail_retry(
  p_id uuid, p_actor_id uuid, p_request_id text, p_now timestamptz, p_reason text default null
) returns text
language plpgsql
as $$
declare
  v_mail kinora.mail;
begin
  perform kinora.check_clock(p_now);
  select * into v_mail from kinora.mail where id = p_id for no key update;
  if not found then
    return 'not_found';
  elsif v_mail.state = 'pending' or v_mail.has_link then
    return 'not_sendable';
  elsif v_mail.state = 'failed' then
    update kinora.mail
    set state = 'pending', attempt = 0, due_at = p_now, expires_at = p_now + interval '3 days'
    where id = p_id;
  else
    insert into kinora.mail (id, user_id, kind, key, is_notice, recipient, data, has_link, due_at, expires_at, created_at)
    select d.id, v_mail.user_id, v_mail.kind, 'again ' || d.id, v_mail.is_notice,
           coalesce((select u.email from public."user" u where u.id = v_mail.user_id::text), v_mail.recipient), v_mail.data, false,
           p_now, p_now + interval '3 days', p_now
    from (select kinora.uuid_v7(p_now) as id) d;
  end if;
  perform kinora.audit_add(
    p_actor_id => p_actor_id, p_action => 'mail.retry', p_user_id => v_mail.user_id, p_subject => p_id::text, p_before => null,
    p_after => jsonb_build_object('kind', v_mail.kind), p_request_id => p_request_id, p_reason => p_reason, p_now => p_now
  );
  return 'retried';
end
$$;

-- Switches a notice on or off for a user.
create or replace function kinora.mail_set_wanted(p_user_id uuid, p_kind text, p_is_wanted boolean, p_now timestamptz) returns void
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  insert into kinora.mail_setting (user_id, kind, is_wanted, updated_at)
  values (p_user_id, p_kind, p_is_wanted, p_now)
  on conflict (user_id, kind) do update set is_wanted = excluded.is_wanted, updated_at = excluded.updated_at;
end
$$;

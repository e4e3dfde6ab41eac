-- Takedown: the decisions on films, each with its statement of reasons (Regulation (EU) 2022/2065, article 17). A row
-- is what an administrator has decided; video_hide and video_show (video_film.sql) bring the films there, and a sweep
-- does it again until applied_at is set: in a divided database the films are in another part.

-- Takes a film down, or removes one that is hidden. p_id: of a new statement. outcome: 'decided', 'unchanged' (it is so
-- already, or removed). id: of the statement in force.
create or replace function kinora.takedown_decide(
  p_id uuid, p_user_id uuid, p_video_id uuid, p_state text, p_ground text, p_rule text, p_source text, p_is_automated boolean,
  p_reason text, p_actor_id uuid, p_request_id text, p_now timestamptz, out outcome text, out id uuid
)
language plpgsql
as $$
declare
  v_before text;
begin
  perform kinora.check_clock(p_now);
  select t.state, t.id into v_before, id
  from kinora.takedown t
  where t.user_id = p_user_id and t.video_id = p_video_id and t.state <> 'lifted'
  for no key update;
  insert into kinora.takedown as t (
    user_id, id, video_id, state, ground, rule, source, is_automated, reason, actor_id, decided_at
  )
  values (
    p_user_id, p_id, p_video_id, p_state, p_ground, p_rule, p_source, p_is_automated, p_reason, p_actor_id, p_now
  )
  on conflict (user_id, video_id) where state <> 'lifted' do update
  set state = excluded.state, ground = excluded.ground, rule = excluded.rule, source = excluded.source,
      is_automated = excluded.is_automated, reason = excluded.reason, actor_id = excluded.actor_id,
      decided_at = excluded.decided_at, applied_at = null
  where t.state = 'hidden' and excluded.state = 'removed'
  returning t.id into id;
  if not found then
    outcome := 'unchanged';
    select t.id into id
    from kinora.takedown t
    where t.user_id = p_user_id and t.video_id = p_video_id and t.state <> 'lifted';
    return;
  end if;
  outcome := 'decided';
  perform kinora.audit_add(
    p_actor_id => p_actor_id, p_action => 'takedown.decide', p_user_id => p_user_id, p_subject => p_video_id::text,
    p_before => jsonb_build_object('state', v_before),
    p_after => jsonb_build_object('state', p_state, 'ground', p_ground, 'rule', p_rule, 'statement', id),
    p_request_id => p_request_id, p_reason => p_reason, p_now => p_now
  );
end
$$;

-- The films are in the state p_state; a later decision is left to be applied. p_cut_ids, p_hashes (hexadecimal): of the
-- films.
create or replace function kinora.takedown_applied(
  p_id uuid, p_state text, p_cut_ids uuid[], p_hashes text[], p_now timestamptz
) returns void
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  update kinora.takedown t
  set cut_ids = array(select unnest(t.cut_ids) union select unnest(p_cut_ids)),
      hashes = array(select unnest(t.hashes) union select decode(hash, 'hex') from unnest(p_hashes) hash),
      applied_at = case when t.state = p_state then p_now end
  where t.id = p_id;
end
$$;

-- Records what the maker says against a decision, once. p_within: how long it is open to it. outcome: 'recorded',
-- 'unchanged' (the maker has objected), 'late', 'lifted', 'not_found'.
create or replace function kinora.takedown_object(p_id uuid, p_objection text, p_within interval, p_now timestamptz) returns text
language plpgsql
as $$
declare
  v_takedown kinora.takedown;
begin
  perform kinora.check_clock(p_now);
  select * into v_takedown from kinora.takedown t where t.id = p_id for no key update;
  if v_takedown.id is null then
    return 'not_found';
  elsif v_takedown.objected_at is not null then
    return 'unchanged';
  elsif v_takedown.state = 'lifted' then
    return 'lifted';
  elsif v_takedown.decided_at + p_within < p_now then
    return 'late';
  end if;
  update kinora.takedown t set objection = p_objection, objected_at = p_now where t.id = p_id;
  return 'recorded';
end
$$;

-- An administrator lifts a decision (p_lifts), or lets it stand against an objection. outcome: 'answered', 'unchanged'
-- (lifted before, or there is no objection to answer), 'not_found'.
create or replace function kinora.takedown_answer(
  p_id uuid, p_lifts boolean, p_reason text, p_actor_id uuid, p_request_id text, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_takedown kinora.takedown;
begin
  perform kinora.check_clock(p_now);
  select * into v_takedown from kinora.takedown t where t.id = p_id for no key update;
  if v_takedown.id is null then
    return 'not_found';
  elsif v_takedown.state = 'lifted'
    or not p_lifts and (v_takedown.objected_at is null or v_takedown.answered_at is not null)
  then
    return 'unchanged';
  end if;
  update kinora.takedown t
  set state = case when p_lifts then 'lifted' else t.state end,
      applied_at = case when not p_lifts then t.applied_at end,
      answer = p_reason,
      answered_at = p_now
  where t.id = p_id;
  perform kinora.audit_add(
    p_actor_id => p_actor_id, p_action => 'takedown.answer', p_user_id => v_takedown.user_id,
    p_subject => v_takedown.video_id::text, p_before => jsonb_build_object('state', v_takedown.state),
    p_after => jsonb_build_object('state', case when p_lifts then 'lifted' else v_takedown.state end, 'statement', p_id),
    p_request_id => p_request_id, p_reason => p_reason, p_now => p_now
  );
  return 'answered';
end
$$;

-- Returns whether bytes are those of a film that is taken down.
create or replace function kinora.takedown_has(p_sha256 bytea) returns boolean
language sql stable
return exists (select from kinora.takedown t where t.state <> 'lifted' and t.hashes @> array[p_sha256]);

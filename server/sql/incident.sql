-- Incidents: what administrators tell all users, and maintenance.

-- Writes an incident, or changes it. outcome: 'set', 'unchanged' (it is so already). A message that was mailed is not
-- mailed again.
create or replace function kinora.incident_set(
  p_id uuid, p_incident jsonb, p_reason text, p_actor_id uuid, p_request_id text, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_before jsonb;
  v_new constant kinora.incident := jsonb_populate_record(null::kinora.incident, p_incident);
begin
  perform kinora.check_clock(p_now);
  select to_jsonb(i) - array['actor_id', 'changed_at', 'mailed_to'] into v_before
  from kinora.incident i
  where i.id = p_id
  for no key update;
  insert into kinora.incident as i (
    id, text_en, text_zh, is_banner, is_mail, pauses, starts_at, ends_at, actor_id, changed_at, mailed_to
  )
  values (
    p_id, v_new.text_en, v_new.text_zh, v_new.is_banner, v_new.is_mail, v_new.pauses, v_new.starts_at, v_new.ends_at,
    p_actor_id, p_now, case when v_new.is_mail then '' end
  )
  on conflict (id) do update
  set text_en = excluded.text_en, text_zh = excluded.text_zh, is_banner = excluded.is_banner, pauses = excluded.pauses,
      is_mail = excluded.is_mail, starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      actor_id = excluded.actor_id, changed_at = excluded.changed_at,
      mailed_to = case when not excluded.is_mail then null when i.is_mail then i.mailed_to else '' end
  where (i.text_en, i.text_zh, i.is_banner, i.is_mail, i.pauses, i.starts_at, i.ends_at)
    is distinct from (
      excluded.text_en, excluded.text_zh, excluded.is_banner, excluded.is_mail, excluded.pauses, excluded.starts_at,
      excluded.ends_at
    );
  if not found then
    return 'unchanged';
  end if;
  perform kinora.audit_add(
    p_actor_id => p_actor_id, p_action => 'incident.set', p_user_id => null, p_subject => p_id::text,
    p_before => v_before, p_after => p_incident, p_request_id => p_request_id, p_reason => p_reason, p_now => p_now
  );
  return 'set';
end
$$;

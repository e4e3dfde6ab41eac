-- What administrators switch off and on: models, accounts at providers, and routes. Processes read the rows; no
-- function of a video does, so that a video that was accepted goes on.

-- Switches a model, an account or with both names a route off or on, and records it. p_actor_id: null for an operator
-- at a terminal. outcome: 'switched', 'unchanged' (it was so already).
create or replace function kinora.catalogue_set_switch(
  p_model text, p_account text, p_is_on boolean, p_reason text, p_now timestamptz, p_actor_id uuid default null,
  p_request_id text default null
) returns text
language plpgsql
as $$
declare
  v_actor_id constant uuid := coalesce(p_actor_id, kinora.service_actor());
begin
  perform kinora.check_clock(p_now);
  if p_is_on then
    delete from kinora.catalogue_switch s where s.model = p_model and s.account = p_account;
  else
    insert into kinora.catalogue_switch (model, account, reason, actor_id, created_at)
    values (p_model, p_account, p_reason, v_actor_id, p_now)
    on conflict do nothing;
  end if;
  if not found then
    return 'unchanged';
  end if;
  perform kinora.audit_add(
    p_actor_id => v_actor_id, p_action => 'catalogue.switch', p_user_id => null,
    p_subject => case when p_model = '' then p_account else concat_ws(' at ', p_model, nullif(p_account, '')) end,
    p_before => jsonb_build_object('on', not p_is_on), p_after => jsonb_build_object('on', p_is_on), p_request_id => p_request_id,
    p_reason => p_reason, p_now => p_now
  );
  return 'switched';
end
$$;

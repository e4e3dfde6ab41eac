-- Redemption codes of administrators. credit_redeem.sql redeems them.

-- Returns what the audit log has of a new code. verify compares the code with it.
create or replace function kinora.code_facts(p_code kinora.redemption_code) returns jsonb
language sql immutable
return jsonb_build_object(
  'credits', (p_code).credits, 'creditDays', (p_code).credit_days, 'usesMax', (p_code).uses_max, 'newCustomers', (p_code).new_customers,
  'networkMax', (p_code).network_max, 'expiresAt', kinora.epoch_ms((p_code).expires_at)
);

-- Makes a code, and records it. p_code: A-Z, 0-9 and hyphens, which do not count. p_credit_days: how long the credits
-- last. p_new_customers, p_network_max: as in kinora.redemption_code. p_actor_id: null for an operator at a terminal.
-- outcome: 'created', 'taken' (another code has these letters and digits).
create or replace function kinora.code_create(
  p_id uuid, p_code text, p_credits bigint, p_credit_days integer, p_uses_max integer, p_new_customers boolean,
  p_expires_at timestamptz, p_now timestamptz, p_network_max integer default null, p_note text default null,
  p_actor_id uuid default null, p_request_id text default null
) returns text
language plpgsql
as $$
declare
  v_actor_id constant uuid := coalesce(p_actor_id, kinora.service_actor());
  v_code kinora.redemption_code;
begin
  perform kinora.check_clock(p_now);
  insert into kinora.redemption_code (
    id, code, credits, credit_days, uses_max, new_customers, network_max, note, actor_id, created_at, expires_at
  ) values (
    p_id, p_code, p_credits, p_credit_days, p_uses_max, p_new_customers, p_network_max, p_note, v_actor_id, p_now, p_expires_at
  )
  on conflict (replace(code, '-', '')) do nothing
  returning * into v_code;
  if not found then
    return 'taken';
  end if;
  perform kinora.audit_add(
    p_actor_id => v_actor_id, p_action => 'code.create', p_user_id => null, p_subject => p_id::text, p_before => null,
    p_after => kinora.code_facts(v_code),
    p_request_id => p_request_id, p_reason => p_note, p_now => p_now
  );
  return 'created';
end
$$;

-- Ends a code, and records it. What was redeemed stays. p_actor_id: null for an operator at a terminal.
-- outcome: 'ended', 'unchanged' (it was ended before), 'not_found'.
create or replace function kinora.code_end(
  p_id uuid, p_now timestamptz, p_actor_id uuid default null, p_request_id text default null
)
returns text
language plpgsql
as $$
declare
  v_uses integer;
begin
  perform kinora.check_clock(p_now);
  update kinora.redemption_code c
  set ended_at = p_now
  where c.id = p_id and c.ended_at is null
  returning c.uses into v_uses;
  if not found then
    return case when exists (select from kinora.redemption_code c where c.id = p_id) then 'unchanged' else 'not_found' end;
  end if;
  perform kinora.audit_add(
    p_actor_id => coalesce(p_actor_id, kinora.service_actor()), p_action => 'code.end', p_user_id => null,
    p_subject => p_id::text, p_before => null, p_after => jsonb_build_object('uses', v_uses), p_request_id => p_request_id,
    p_reason => null, p_now => p_now
  );
  return 'ended';
end
$$;

-- Redeeming a code. Apart from the codes themselves: each part of a divided database has these functions, and the
-- tables of codes in common.

-- Redeems a code: takes one of its uses and grants its credits, both or neither. Concurrent calls wait for the code's
-- row, so there are never more uses than it allows. The giver is the administrator who made the code. p_code: its
-- letters and digits, in capitals. p_limits: as redemption_refusal has it; null: the code counts users, not persons.
-- p_collects (setting OWED): what the user owes is paid first. Lock order: account, code, marks. outcome: 'redeemed',
-- 'replayed' (this user has redeemed it: the package of then), 'unknown', 'ended' (also by time), 'used_up',
-- 'person_used' (by another account of this address), 'not_new' (this person has paid before), 'network_limit'.
create or replace function kinora.credit_redeem(
  p_user_id uuid, p_code text, p_package_id uuid, p_now timestamptz, p_limits jsonb default null, p_request_id text default null,
  p_collects boolean default false, out outcome text, out credits bigint, out expires_at timestamptz
)
language plpgsql
as $$
declare
  v_code kinora.redemption_code;
begin
  perform kinora.check_clock(p_now);
  select * into v_code from kinora.redemption_code c where replace(c.code, '-', '') = p_code;
  if not found then
    outcome := 'unknown';
    return;
  end if;
  perform kinora.commit_in_two_phases(p_user_id);
  perform kinora.credit_lock(p_user_id, p_now);
  if exists (select from kinora.redemption r where r.user_id = p_user_id and r.code_id = v_code.id) then
    outcome := 'replayed';
  else
    outcome := kinora.code_take(p_user_id, v_code, p_limits, p_now);
    if outcome is not null then
      return;
    end if;
    insert into kinora.redemption (user_id, code_id, package_id, created_at) values (p_user_id, v_code.id, p_package_id, p_now);
    perform kinora.credit_adjust(
      p_user_id => p_user_id, p_package_id => p_package_id, p_credits => v_code.credits,
      p_expires_at => p_now + make_interval(hours => 24 * v_code.credit_days), p_now => p_now, p_remark => v_code.code,
      p_admin_id => v_code.actor_id, p_key => null, p_request_hash => null, p_request_id => p_request_id, p_collects => p_collects,
      p_source => 'code:' || v_code.id
    );
    outcome := 'redeemed';
  end if;
  select p.initial, p.expires_at into credits, expires_at
  from kinora.credit_package p
  where p.user_id = p_user_id and p.source = 'code:' || v_code.id;
end
$$;

-- Takes a use of a code, and keeps the code locked. @returns why there is none; null: it is taken.
create or replace function kinora.code_take(p_user_id uuid, p_code kinora.redemption_code, p_limits jsonb, p_now timestamptz) returns text
language plpgsql
as $$
declare
  v_refusal text;
begin
  update kinora.redemption_code c
  set uses = c.uses + 1
  where c.id = p_code.id and c.ended_at is null and c.expires_at > p_now and c.uses < c.uses_max;
  if not found then
    -- It has its last use, or has ended, since it was read.
    return (
      select case when c.ended_at is not null or c.expires_at <= p_now then 'ended' else 'used_up' end
      from kinora.redemption_code c
      where c.id = p_code.id
    );
  end if;
  v_refusal := kinora.redemption_refusal(p_user_id, p_code.id, p_code.new_customers, p_code.network_max, p_limits);
  if v_refusal is not null then
    update kinora.redemption_code c set uses = c.uses - 1 where c.id = p_code.id;
  end if;
  return v_refusal;
end
$$;

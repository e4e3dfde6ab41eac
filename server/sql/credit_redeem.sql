-- Redeeming a code. Apart from the codes themselves: each part of a divided database has these functions, and the tables of codes in common.

-- Redeems a code: takes one of its uses and grants its credits, both or neither. Concurrent calls wait for the code's row, so there are never
-- more uses than it allows. The giver is the administrator who made the code.
-- p_code: its letters and digits, in capitals. p_collects (setting OWED): what the user owes is paid first. Lock order: account, code.
-- outcome: 'redeemed', 'replayed' (this user has redeemed it: the package of then), 'unknown', 'ended' (also by time), 'used_up'.
create or replace function kinora.credit_redeem(
  p_user_id uuid, p_code text, p_package_id uuid, p_now timestamptz, p_request_id text default null, p_collects boolean default false,
  out outcome text, out credits bigint, out expires_at timestamptz
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
  insert into kinora.redemption (user_id, code_id, package_id, created_at)
  values (p_user_id, v_code.id, p_package_id, p_now)
  on conflict (user_id, code_id) do nothing;
  if not found then
    select r.package_id into p_package_id from kinora.redemption r where r.user_id = p_user_id and r.code_id = v_code.id;
    outcome := 'replayed';
  else
    update kinora.redemption_code c
    set uses = c.uses + 1
    where c.id = v_code.id and c.ended_at is null and c.expires_at > p_now and c.uses < c.uses_max;
    if not found then
      delete from kinora.redemption r where r.user_id = p_user_id and r.code_id = v_code.id;
      -- It has its last use, or has ended, since it was read.
      select case when c.ended_at is not null or c.expires_at <= p_now then 'ended' else 'used_up' end into outcome
      from kinora.redemption_code c
      where c.id = v_code.id;
      return;
    end if;
    perform kinora.credit_adjust(
      p_user_id => p_user_id, p_package_id => p_package_id, p_credits => v_code.credits,
      p_expires_at => p_now + make_interval(hours => 24 * v_code.credit_days), p_now => p_now, p_remark => 'Code ' || v_code.code,
      p_admin_id => v_code.actor_id, p_key => null, p_request_hash => null, p_request_id => p_request_id, p_collects => p_collects
    );
    outcome := 'redeemed';
  end if;
  select p.initial, p.expires_at into credits, expires_at
  from kinora.credit_package p
  where p.user_id = p_user_id and p.id = p_package_id;
end
$$;

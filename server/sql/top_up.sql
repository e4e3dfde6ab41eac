-- Automatic top-ups: each charge that a rule of kinora.spending_rule leads to is a row of kinora.top_up before the
-- processor is asked, and its id makes the idempotency keys of all calls. So a worker that dies between a call and
-- its record leaves a row with which another one goes on. Nothing here moves credits: the event of the payment does.

-- Returns whether a rule leads to a charge now: few credits, no charge under way, and fewer in this month of UTC than
-- the owner allows. One that failed does not count, because it pauses the rule.
create or replace function kinora.top_up_is_due(p_rule kinora.spending_rule, p_now timestamptz) returns boolean
language sql stable
return p_rule.product is not null
  and p_rule.paused is null
  and exists (
    select from kinora.credit_account a where a.user_id = p_rule.user_id and a.available < p_rule.below
  )
  and not exists (
    select from kinora.top_up t where t.user_id = p_rule.user_id and t.due_at is not null
  )
  and (
    select count(*)
    from kinora.top_up t
    where t.user_id = p_rule.user_id and t.state <> 'failed'
      and t.created_at >= date_trunc('month', p_now at time zone 'utc') at time zone 'utc'
  ) < p_rule.month_max;

-- Begins charges that are due, up to p_limit, and claims those with which no worker goes on, with a lease until
-- p_lease_until. The rules are locked first: of two workers one begins the charge, and its insert, a statement of its
-- own, sees what was committed before the lock.
create or replace function kinora.top_up_claim(
  p_limit integer, p_lease uuid, p_lease_until timestamptz, p_now timestamptz
) returns setof kinora.top_up
language plpgsql
-- set-based
as $$
declare
  v_user_ids uuid[];
begin
  perform kinora.check_clock(p_now);
  v_user_ids := array(
    select r.user_id
    from kinora.spending_rule r
    where r.product is not null and kinora.top_up_is_due(r, p_now)
    limit p_limit
    for no key update skip locked
  );
  insert into kinora.top_up (user_id, id, product, due_at, created_at)
  select r.user_id, kinora.uuid_v7(p_now), r.product, p_now, p_now
  from kinora.spending_rule r
  where r.user_id = any(v_user_ids) and kinora.top_up_is_due(r, p_now);
  return query
  update kinora.top_up t
  set lease = p_lease, due_at = p_lease_until
  from (
    select d.user_id, d.id from kinora.top_up d where d.due_at <= p_now order by d.due_at limit p_limit for no key update skip locked
  ) c
  where t.user_id = c.user_id and t.id = c.id
  returning t.*;
end
$$;

-- Records how a charge stands, under its lease; the owner gets a mail (p_notice) when that is news. p_due_at: when a
-- worker goes on, null when it is final. A failed one pauses the rule. Returns whether the lease was still held.
create or replace function kinora.top_up_record(
  p_user_id uuid, p_id uuid, p_lease uuid, p_state text, p_notice jsonb, p_now timestamptz, p_due_at timestamptz default null,
  p_external_id text default null, p_url text default null, p_reason text default null
) returns boolean
language plpgsql
as $$
declare
  v_before text;
begin
  perform kinora.check_clock(p_now);
  -- As a claim does: the rule before its charge.
  perform from kinora.spending_rule r where r.user_id = p_user_id for no key update;
  select t.state into v_before
  from kinora.top_up t
  where t.user_id = p_user_id and t.id = p_id and t.lease = p_lease and t.due_at is not null
  for no key update;
  if not found then
    return false;
  end if;
  update kinora.top_up
  set state = p_state,
      due_at = p_due_at,
      lease = null,
      attempt = attempt + (p_state = 'charging')::integer,
      external_id = coalesce(p_external_id, external_id),
      url = case when p_state = 'action' then coalesce(p_url, url) end,
      reason = p_reason
  where user_id = p_user_id and id = p_id;
  if p_state = 'failed' then
    update kinora.spending_rule set paused = p_reason where user_id = p_user_id;
  end if;
  if p_state <> 'charging' and p_state <> v_before then
    perform kinora.mail_write_one(p_user_id, 'payment.top-up', 'top-up ' || p_id || ' ' || p_state, p_notice, p_now);
  end if;
  return true;
end
$$;

-- Sets what is bought, below which balance and how often a month; product null: nothing any more. p_paused: it waits
-- for a card.
create or replace function kinora.top_up_set(
  p_user_id uuid, p_now timestamptz, p_product text default null, p_below bigint default null, p_month_max integer default null,
  p_paused text default null
) returns void
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  insert into kinora.spending_rule (user_id, product, below, month_max, paused)
  values (p_user_id, p_product, p_below, p_month_max, p_paused)
  on conflict (user_id) do update
  set product = excluded.product, below = excluded.below, month_max = excluded.month_max, paused = excluded.paused;
end
$$;

-- Sets the credits of a day and of a week in UTC from which on the owner gets a mail; null: none.
create or replace function kinora.spending_alert_set(
  p_user_id uuid, p_now timestamptz, p_day_credits bigint default null, p_week_credits bigint default null
) returns void
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  insert into kinora.spending_rule (user_id, day_credits, week_credits)
  values (p_user_id, p_day_credits, p_week_credits)
  on conflict (user_id) do update
  set day_credits = excluded.day_credits, week_credits = excluded.week_credits, checked_at = '-infinity';
end
$$;

-- The rules of the audit log, of deleted accounts and of idempotency keys.

-- Returns an amount of an entry's balance; null when it is no number, which a damaged entry may have.
create or replace function kinora.audit_amount(p_balance jsonb, p_name text) returns numeric
language sql immutable
return case when jsonb_typeof(p_balance -> p_name) = 'number' then (p_balance ->> p_name)::numeric end;

-- What administrators did to credits is in the audit log as it is in the books.
create or replace function kinora.verify_audit(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  package as not materialized (
    select user_id, id, trans_type, parent_id, source
    from kinora.credit_package
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  history as not materialized (
    select user_id, n, trans_type, credits, package_id, actor_id, source, expires_at, created_at
    from kinora.credit_transaction
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  entry as not materialized (
    select user_id, actor_id, action, subject, after, created_at
    from kinora.audit
    where user_id >= p_from and (p_to is null or user_id < p_to)
  )
  -- An administrator's grant and its audit entry are written in one call.
  select e.user_id, 'package ' || coalesce(e.subject, '?'), 'what administrators granted is as the audit log says',
         concat_ws(', ', e.after ->> 'credits', 'until ' || (e.after ->> 'expiresAt'), 'by ' || e.actor_id),
         case
           when t.n is null then 'no such row'
           else concat_ws(', ', t.credits, 'until ' || kinora.epoch_ms(t.expires_at), 'by ' || t.actor_id)
         end
  from entry e
  left join history t
    on t.user_id = e.user_id and t.package_id::text = e.subject and t.trans_type = 'SYSTEM_ADJUST' and t.source is not null
  where e.action = 'credits.add'
    -- Compared as text: a cast of a damaged entry would end the check.
    and (t.credits::text, kinora.epoch_ms(t.expires_at)::text, t.actor_id)
      is distinct from (e.after ->> 'credits', e.after ->> 'expiresAt', e.actor_id)
  union all
  select t.user_id, 'transaction ' || t.n, 'what administrators did is in the audit log', 'an entry of ' || t.actor_id, 'none'
  from history t
  where t.actor_id is not null
    and not exists (
      select from entry e
      where e.user_id = t.user_id and e.actor_id = t.actor_id and e.created_at = t.created_at
        and e.action = case
          when t.trans_type = 'EXPIRED' then 'credits.reverse-expiry'
          when t.credits > 0 then 'credits.add'
          when t.trans_type = 'SYSTEM_ADJUST' then 'credits.take'
          else 'credits.collect'
        end
        and (t.credits < 0 or e.subject = t.package_id::text)
    )
  union all
  -- Of a call without an actor, too.
  select p.user_id, 'package ' || p.id, 'a grant by an administrator is in the audit log', 'an entry', 'none'
  from package p
  where p.trans_type = 'SYSTEM_ADJUST'
    and p.parent_id is null
    and p.source like any('{adjust:%,code:%,invitation:%}')
    and not exists (select from entry e where e.user_id = p.user_id and e.action = 'credits.add' and e.subject = p.id::text);
end;

-- An entry of the audit log is as it was written: its balances differ by its credits, and the history has its reason.
create or replace function kinora.verify_audit_entry(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  history as not materialized (
    select user_id, trans_type, credits, package_id, actor_id, created_at, remark
    from kinora.credit_transaction
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  entry as not materialized (
    select id, user_id, actor_id, action, subject, before, after, reason, created_at,
           case when jsonb_typeof(after -> 'credits') = 'number' then (after ->> 'credits')::numeric end as credits
    from kinora.audit
    where user_id >= p_from and (p_to is null or user_id < p_to)
  )
  -- Credits that come may pay at once what is owed, so available and clawed back are compared together.
  select e.user_id, 'audit entry ' || e.id, 'an audit entry has the balance before and after', k.name || ' ' || k.expected,
         k.name || ' ' || coalesce(k.found::text, 'none')
  from entry e
  cross join lateral (
    select case e.action when 'credits.add' then e.credits else 0 end as added,
           case e.action when 'credits.reverse-expiry' then e.credits else 0 end as reversed
  ) m
  cross join lateral (
    values
      ('frozen', kinora.audit_amount(e.before, 'frozen'), kinora.audit_amount(e.after, 'frozen')),
      ('used', kinora.audit_amount(e.before, 'used'), kinora.audit_amount(e.after, 'used')),
      ('total', kinora.audit_amount(e.before, 'total') + m.added, kinora.audit_amount(e.after, 'total')),
      ('expired', kinora.audit_amount(e.before, 'expired') - m.reversed, kinora.audit_amount(e.after, 'expired')),
      (
        'available',
        kinora.audit_amount(e.before, 'available') + kinora.audit_amount(e.before, 'clawedBack') + m.added + m.reversed,
        kinora.audit_amount(e.after, 'available') + kinora.audit_amount(e.after, 'clawedBack')
      )
  ) k (name, expected, found)
  where e.action in ('credits.add', 'credits.take', 'credits.reverse-expiry') and k.expected is distinct from k.found
  union all
  -- Two entries may have one time.
  select e.user_id, 'audit entry ' || e.id, 'the reason of an audit entry is in the history', min(t.remark), coalesce(e.reason, 'none')
  from entry e
  join history t on t.user_id = e.user_id and t.actor_id = e.actor_id and t.created_at = e.created_at
    and case e.action
      when 'credits.add' then t.trans_type = 'SYSTEM_ADJUST' and t.package_id::text = e.subject
      when 'credits.reverse-expiry' then t.trans_type = 'EXPIRED' and t.package_id::text = e.subject
      when 'credits.take' then t.credits < 0
    end
  group by e.id, e.user_id, e.reason
  having not bool_or(t.remark is not distinct from e.reason);
end;

-- The amounts of administrators' corrections are those of the audit log.
create or replace function kinora.verify_correction(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  package as not materialized (
    select user_id, taken, forgiven
    from kinora.credit_package
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  history as not materialized (
    select user_id, trans_type, credits, package_id, actor_id
    from kinora.credit_transaction
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  entry as not materialized (
    select user_id, action, subject,
           case when jsonb_typeof(after -> 'credits') = 'number' then (after ->> 'credits')::numeric end as credits
    from kinora.audit
    where user_id >= p_from and (p_to is null or user_id < p_to)
  )
  select coalesce(e.user_id, b.user_id), 'account',
         case coalesce(e.action, b.action)
           when 'credits.take' then 'what administrators took is as the audit log says'
           when 'credits.collect' then 'what administrators collected is as the audit log says'
           else 'what administrators forgave is as the audit log says'
         end,
         coalesce(e.credits, 0)::text, coalesce(b.credits, 0)::text
  from (
    select user_id, action, sum(credits) as credits
    from entry
    where action in ('credits.take', 'credits.collect', 'credits.forgive')
    group by user_id, action
  ) e
  full join (
    select user_id, 'credits.take' as action, sum(taken) as credits from package where taken > 0 group by user_id
    union all
    select user_id, 'credits.forgive', sum(forgiven) from package where forgiven > 0 group by user_id
    union all
    select user_id, 'credits.collect', -sum(credits)
    from history
    where actor_id is not null and credits < 0 and trans_type <> 'SYSTEM_ADJUST'
    group by user_id
  ) b on b.user_id = e.user_id and b.action = e.action
  where coalesce(e.credits, 0) <> coalesce(b.credits, 0)
  union all
  select coalesce(e.user_id, t.user_id), 'package ' || coalesce(e.subject, t.package_id::text),
         'expiries are reversed as the audit log says', coalesce(e.credits, 0)::text, coalesce(t.credits, 0)::text
  from (
    select user_id, subject, sum(credits) as credits
    from entry
    where action = 'credits.reverse-expiry'
    group by user_id, subject
  ) e
  full join (
    select user_id, package_id, sum(credits) as credits
    from history
    where trans_type = 'EXPIRED' and credits > 0
    group by user_id, package_id
  ) t on t.user_id = e.user_id and t.package_id::text = e.subject
  where coalesce(e.credits, 0) <> coalesce(t.credits, 0);
end;

-- The deletion of an account is in the audit log.
create or replace function kinora.verify_deletion(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  entry as not materialized (
    select user_id, action from kinora.audit where user_id >= p_from and (p_to is null or user_id < p_to)
  )
  select coalesce(d.user_id, e.user_id), 'account', 'the deletion of an account is in the audit log',
         case when e.user_id is null then 'an entry' else 'a deleted account' end, 'none'
  from (
    select user_id, unfinished from kinora.deleted_account where user_id >= p_from and (p_to is null or user_id < p_to)
  ) d
  full join (
    select user_id from entry where action = 'account.delete'
  ) e on e.user_id = d.user_id
  -- The sweep writes the entry of an unfinished deletion.
  where d.user_id is null or e.user_id is null and d.unfinished is null;
end;

-- Idempotency keys lead to what they created.
create or replace function kinora.verify_idempotency_key(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  key as not materialized (
    select user_id, key, operation, subject_id, subject_user_id
    from kinora.idempotency_key
    where user_id >= p_from and (p_to is null or user_id < p_to)
  )
  -- Otherwise a repeated request would get the reply of an object that is gone. The object may be another user's.
  select k.user_id, 'idempotency key ' || k.key, 'an idempotency key leads to what it created',
         k.operation || ' ' || k.subject_id, 'none'
  from key k
  where case k.operation
    when 'credits.add' then
      not exists (select from kinora.credit_package p where p.user_id = k.subject_user_id and p.id = k.subject_id)
    when 'video.generate' then
      k.subject_user_id <> k.user_id
      or not exists (select from kinora.video v where v.user_id = k.subject_user_id and v.id = k.subject_id)
    when 'credits.transfer' then
      not exists (
        select
        from kinora.credit_transaction t
        where t.user_id = k.user_id and t.source = concat_ws(':', 'transfer', k.subject_id, k.subject_user_id) and t.source like 'transfer:%'
      )
    else
      k.operation in ('credits.take', 'credits.collect', 'credits.forgive', 'credits.reverse-expiry')
      and not exists (
        select
        from kinora.audit e
        where e.id = k.subject_id and e.action = k.operation and e.actor_id = k.user_id and e.user_id = k.subject_user_id
      )
  end;
end;

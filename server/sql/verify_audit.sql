-- The rules of the audit log, of deleted accounts and of idempotency keys.

-- What administrators did to credits is in the audit log as it is in the books.
create or replace function kinora.verify_audit(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
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
    );
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
    else
      k.operation in ('credits.take', 'credits.collect', 'credits.forgive', 'credits.reverse-expiry')
      and not exists (
        select
        from kinora.audit e
        where e.id = k.subject_id and e.action = k.operation and e.actor_id = k.user_id and e.user_id = k.subject_user_id
      )
  end;
end;

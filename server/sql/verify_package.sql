-- The rules of packages, slices and refund claims.

-- Slices match their holds, and what packages say of them.
create or replace function kinora.verify_slice(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  package as not materialized (
    select user_id, id, parent_id, root_id, trans_type, source, order_no, initial, remaining, frozen, used, moved, expired,
           clawed_back, taken, refund_claimed, expires_at, created_at
    from kinora.credit_package
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  hold as not materialized (
    select user_id, id, credits, rest, state, package_ids, package_credits
    from kinora.credit_hold
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  -- The credits of each package that holds and grace packages took from it.
  slices_of_package as (
    select d.user_id, d.package_id, sum(d.frozen) as frozen, sum(d.used) as used, sum(d.moved) as moved
    from (
      select h.user_id, s.package_id,
             case h.state when 'frozen' then s.credits else 0 end as frozen,
             case h.state when 'settled' then s.credits - coalesce(s.rest, 0) else 0 end as used,
             0 as moved
      from hold h
      cross join lateral unnest(
        h.package_ids, h.package_credits, case when h.rest > 0 then kinora.credit_slice_rest(h.package_credits, h.rest) end
      ) s (package_id, credits, rest)
      where s.package_id is not null
      union all
      select c.user_id, c.parent_id, 0, 0, c.initial
      from package c
      where c.parent_id is not null
    ) d
    group by d.user_id, d.package_id
  )
  select h.user_id, 'hold ' || h.id, 'slices add up to the hold', h.credits::text, s.credits::text
  from hold h
  cross join lateral (
    select coalesce(sum(s.credits), 0) as credits
    from unnest(h.package_ids, h.package_credits) s (package_id, credits)
    where s.package_id is not null
  ) s
  where h.credits <> s.credits
  union all
  select coalesce(p.user_id, d.user_id), 'package ' || coalesce(p.id, d.package_id),
         'open, settled and moved slices match the package',
         coalesce(d.frozen, 0) || ' frozen, ' || coalesce(d.used, 0) || ' used, ' || coalesce(d.moved, 0) || ' moved',
         coalesce(p.frozen || ' frozen, ' || p.used || ' used, ' || p.moved || ' moved', 'no package')
  from package p
  full join slices_of_package d on d.user_id = p.user_id and d.package_id = p.id
  where (p.frozen, p.used, p.moved) is distinct from (coalesce(d.frozen, 0), coalesce(d.used, 0), coalesce(d.moved, 0));
end;

-- Packages match the history. A full join, which no plan turns into a loop over the history for each package.
create or replace function kinora.verify_package(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  package as not materialized (
    select user_id, id, parent_id, trans_type, source, order_no, initial, expired, clawed_back, taken, expires_at, created_at,
           case when parent_id is null and from_user_id is null then initial else 0 end as added
    from kinora.credit_package
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  entry as (
    select coalesce(p.user_id, t.user_id) as user_id, coalesce(p.id, t.package_id) as id, p.added - p.clawed_back as kept, p.expired,
           p.taken, p.expires_at,
           case when p.id is not null then
             concat_ws(', ', p.source, p.trans_type, p.initial, quote_nullable(p.order_no), p.expires_at, p.created_at)
           end as added,
           coalesce(sum(t.credits) filter (where t.trans_type <> 'EXPIRED'), 0) as history_kept,
           coalesce(-sum(t.credits) filter (where t.trans_type = 'EXPIRED'), 0) as history_expired,
           coalesce(-sum(t.credits) filter (where t.trans_type = 'SYSTEM_ADJUST' and t.credits < 0 and t.actor_id is not null), 0) as history_taken,
           string_agg(
             distinct concat_ws(', ', t.source, t.trans_type, t.credits, quote_nullable(t.order_no), t.expires_at, t.created_at), ' and '
           ) filter (where t.source is not null and t.source not like 'return:%') as history_added,
           -- A reversal, a row with credits above 0, cancels the earlier rows. A wrong clock may have written the row's
           -- own time.
           sum(t.credits) filter (
             where t.trans_type = 'EXPIRED' and (t.credits > 0 or least(t.created_at, now() + kinora.clock_limit()) < p.expires_at)
           ) < 0 as is_early,
           min(t.created_at) filter (where t.trans_type = 'EXPIRED') as expired_at
    from package p
    full join (
      select user_id, package_id, trans_type, credits, order_no, actor_id, source, expires_at, created_at
      from kinora.credit_transaction
      where package_id is not null and user_id >= p_from and (p_to is null or user_id < p_to)
    ) t on t.user_id = p.user_id and t.package_id = p.id
    group by p.user_id, t.user_id, p.id, t.package_id, p.added, p.clawed_back, p.expired, p.taken, p.source, p.trans_type, p.initial,
             p.order_no, p.expires_at, p.created_at
  )
  select e.user_id, 'package ' || e.id, r.rule, r.expected, r.found
  from entry e
  cross join lateral (
    values
      ('addition, expiry and claw-back are in the history', coalesce(e.kept || ', ' || e.expired || ' expired', 'no package'),
       e.history_kept || ', ' || e.history_expired || ' expired'),
      ('what administrators took is in the history', e.taken::text, case when e.taken > 0 then e.history_taken else e.taken end::text),
      ('credits expire when their package does', case when e.is_early then 'not before ' || e.expires_at end,
       case when e.is_early then e.expired_at::text end),
      ('a package is as the row of its addition says',
       case when e.added is not null then coalesce(e.history_added, e.added) end, e.added)
  ) r (rule, expected, found)
  where r.expected is distinct from r.found
  union all
  select p.user_id, 'package ' || p.id, 'the type of a package follows from its source', t.trans_type, p.trans_type
  from package p
  cross join lateral (
    select case
      when p.parent_id is not null then 'REFUND'
      when p.source like any('{adjust:%,code:%,invitation:%}') then 'SYSTEM_ADJUST'
      when p.source = 'new-user' then 'NEW_USER'
      when p.trans_type = 'REFUND' then 'not REFUND'
      else p.trans_type
    end as trans_type
  ) t
  where t.trans_type <> p.trans_type;
end;

-- Refund claims have what they ask for, as far as there are credits.
create or replace function kinora.verify_refund_claim(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  package as not materialized (
    select user_id, id, parent_id, root_id, from_user_id, from_package_id, source, initial, remaining, frozen, used, clawed_back, taken,
           collected, refund_claimed, repaid, forgiven, passed_on, assumed
    from kinora.credit_package
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  claim as not materialized (
    select user_id, source, part
    from kinora.credit_refund_claim
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  -- What packages of teams have of the claims on a payment of a user, and what those of deleted teams have passed on.
  transferred as (
    select f.user_id, coalesce(f.root_id, f.id) as root_id, sum(t.refund_claimed) as refund_claimed, sum(t.passed_on) as passed_on
    from kinora.credit_package t
    join kinora.credit_package f on f.user_id = t.from_user_id and f.id = t.from_package_id
    where t.from_user_id >= p_from and (p_to is null or t.from_user_id < p_to)
    group by 1, 2
  )
  select p.user_id, 'package ' || p.id, 'refund_claimed is the sum of the refund claims',
         least(p.initial, round(p.initial * coalesce(c.part, 0)))::text, (p.refund_claimed + coalesce(t.refund_claimed, 0))::text
  from package p
  left join transferred t on t.user_id = p.user_id and t.root_id = p.id
  left join (
    select user_id, source, sum(part) as part
    from claim
    group by user_id, source
  ) c on c.user_id = p.user_id and c.source = p.source
  where p.from_user_id is null
    and p.refund_claimed + coalesce(t.refund_claimed, 0) is distinct from least(p.initial, round(p.initial * coalesce(c.part, 0)))
  union all
  select p.user_id, 'package ' || p.id, 'a payer owes what a deleted team owed', coalesce(t.passed_on, 0)::text, p.assumed::text
  from package p
  left join transferred t on t.user_id = p.user_id and t.root_id = p.id
  where p.parent_id is null and p.assumed <> coalesce(t.passed_on, 0)
  union all
  select p.user_id, 'package ' || p.id, 'transferred credits are claimed as their payment is', (p.initial * c.part)::text,
         (p.refund_claimed + p.passed_on)::text
  from package p
  join kinora.credit_package f on f.user_id = p.from_user_id and f.id = p.from_package_id
  join kinora.credit_package r on r.user_id = f.user_id and r.id = coalesce(f.root_id, f.id)
  cross join lateral (
    select least(1, coalesce(sum(c.part), 0)) as part
    from kinora.credit_refund_claim c
    where c.user_id = r.user_id and c.source = r.source
  ) c
  -- Whole credits of several packages are rounded together.
  where p.from_user_id is not null and abs(p.refund_claimed + p.passed_on - p.initial * c.part) > 1
  union all
  select f.user_id, 'package ' || f.id, r.rule, r.expected, r.found
  from (
    select p.*, sum(p.clawed_back - p.taken - p.collected) over w as family_clawed_back, sum(p.remaining) over w as family_remaining
    from package p
    window w as (partition by p.user_id, coalesce(p.root_id, p.id))
  ) f
  cross join lateral (
    values
      ('clawed back is at most refund_claimed', 'at the most ' || f.refund_claimed, (f.repaid + f.family_clawed_back)::text,
       f.repaid + f.family_clawed_back > f.refund_claimed),
      ('nothing is available while refund claims are owed',
       '0 of ' || f.refund_claimed - f.repaid - f.forgiven - f.family_clawed_back, f.family_remaining::text,
       f.refund_claimed > 0 and f.family_remaining > 0 and f.family_clawed_back + f.repaid + f.forgiven < f.refund_claimed)
  ) r (rule, expected, found, is_difference)
  where r.is_difference and f.parent_id is null
  union all
  select p.user_id, 'account', 'what was collected paid what was owed', sum(p.repaid)::text, sum(p.collected)::text
  from package p
  group by p.user_id
  having sum(p.collected) <> sum(p.repaid);
end;

-- Grace packages match their release or reversal, and their root.
create or replace function kinora.verify_grace(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  package as not materialized (
    select user_id, id, parent_id, root_id, trans_type, source, order_no, initial, remaining, frozen, used, moved, expired,
           clawed_back, taken, refund_claimed, expires_at, created_at
    from kinora.credit_package
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  history as not materialized (
    select user_id, package_id, video_id, trans_type, credits, order_no, actor_id, source, expires_at, graces, created_at
    from kinora.credit_transaction
    where user_id >= p_from and (p_to is null or user_id < p_to)
  )
  select coalesce(p.user_id, g.user_id), 'package ' || coalesce(p.id, g.id), 'a grace package is as the row of its release says',
         case
           when g.id is null then 'no row'
           else concat_ws(', ', s.source, g.credits, 'until ' || g.expires_at_ms, g.created_at, 'of ' || g.parent_id)
         end,
         case
           when p.id is null then 'no package'
           else concat_ws(', ', p.source, p.initial, 'until ' || p.expires_at_ms, p.created_at, 'of ' || p.parent_id)
         end
  from (
    -- Read as text, and by a path that is lax: the cast of a damaged row would end the check.
    select t.user_id, e.grace ->> 0 as id, e.grace ->> 1 as credits, e.grace ->> 2 as expires_at_ms, t.created_at,
           t.video_id, t.package_id as parent_id
    from history t
    cross join lateral jsonb_path_query(t.graces, '$[*]') as e (grace)
    -- verify_transfer has the packages of a transfer.
    where coalesce(t.source, '') not like 'transfer:%'
  ) g
  full join (
    select p.user_id, p.id::text as id, p.parent_id, p.source, p.initial::text as initial,
           kinora.epoch_ms(p.expires_at)::text as expires_at_ms, p.created_at
    from package p
    where p.parent_id is not null
  ) p on p.user_id = g.user_id and p.id = g.id
  -- The row of a release does not have the parent, whose slice the package is of.
  cross join lateral (
    select case
      when g.video_id is not null then 'release:' || g.video_id || ':' || p.parent_id
      else 'reversal:' || g.id
    end as source
  ) s
  where (g.credits, g.expires_at_ms, g.created_at, s.source) is distinct from (p.initial, p.expires_at_ms, p.created_at, p.source)
    or g.parent_id <> p.parent_id
  union all
  select p.user_id, 'package ' || p.id, 'a grace package has the root and order of its parent',
         concat_ws(', ', coalesce(coalesce(r.root_id, r.id)::text, 'none'), r.order_no),
         concat_ws(', ', coalesce(p.root_id::text, 'none'), case when p.parent_id is not null then p.order_no end)
  from package p
  left join package r on r.user_id = p.user_id and r.id = p.parent_id
  where p.root_id is distinct from coalesce(r.root_id, r.id) or p.parent_id is not null and p.order_no is distinct from r.order_no;
end;

-- Transfers: what has left a user's packages is in those of teams, and each of the two rows has the other.
create or replace function kinora.verify_transfer(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  package as not materialized (
    select user_id, id, from_user_id, from_package_id, trans_type, source, initial, transferred, expires_at
    from kinora.credit_package
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  transfer as not materialized (
    select user_id, n, credits, graces, split_part(source, ':', 2) as id,
           case when source ~ ':[0-9a-f-]{36}:[0-9a-f-]{36}$' then split_part(source, ':', 3)::uuid end as other_id
    from kinora.credit_transaction
    where user_id >= p_from and (p_to is null or user_id < p_to) and source like 'transfer:%'
  )
  select coalesce(p.user_id, t.user_id), 'package ' || coalesce(p.id, t.id), 'transferred credits are in packages of teams',
         coalesce(p.transferred::text, 'no package'), coalesce(t.credits, 0)::text
  from (select user_id, id, transferred from package where transferred > 0) p
  full join (
    select from_user_id as user_id, from_package_id as id, sum(initial) as credits
    from kinora.credit_package
    where from_user_id >= p_from and (p_to is null or from_user_id < p_to)
    group by 1, 2
  ) t on t.user_id = p.user_id and t.id = p.id
  where p.transferred is distinct from t.credits
  union all
  -- Read as text: the cast of a damaged row would end the check.
  select p.user_id, 'package ' || p.id, 'a transferred package is as the rows of its transfer say',
         concat_ws(', ', coalesce(f.expires_at::text, 'no package'), g.trans_type, coalesce(r.credits, 'no row'), coalesce(o.credits, 'no row')),
         concat_ws(', ', p.expires_at, p.trans_type, p.initial, p.source)
  from package p
  left join kinora.credit_package f on f.user_id = p.from_user_id and f.id = p.from_package_id
  left join kinora.credit_package g on g.user_id = f.user_id and g.id = coalesce(f.root_id, f.id)
  left join lateral (
    select e.package ->> 1 as credits
    from kinora.credit_transaction t
    cross join lateral jsonb_path_query(t.graces, '$[*]') e (package)
    where t.user_id = p.user_id and t.source like 'transfer:%'
      and t.source = 'transfer:' || split_part(p.source, ':', 2) || ':' || p.from_user_id
      and (e.package ->> 0, e.package ->> 2) = (p.id::text, kinora.epoch_ms(p.expires_at)::text)
  ) r on true
  left join lateral (
    select e.package ->> 1 as credits
    from kinora.credit_transaction t
    cross join lateral jsonb_path_query(t.graces, '$[*]') e (package)
    where t.user_id = p.from_user_id and t.source like 'transfer:%'
      and t.source = 'transfer:' || split_part(p.source, ':', 2) || ':' || p.user_id
      and (e.package ->> 0, e.package ->> 2) = (p.from_package_id::text, kinora.epoch_ms(p.expires_at)::text)
  ) o on true
  where p.from_user_id is not null
    and (f.expires_at, g.trans_type, r.credits, o.credits, concat('transfer:', split_part(p.source, ':', 2), ':', p.from_package_id))
      is distinct from (p.expires_at, p.trans_type, p.initial::text, p.initial::text, p.source)
  union all
  select p.user_id, 'package ' || p.id, 'a deleted team owes nothing', '0', o.owed::text
  from package p
  join kinora.deleted_account d on d.user_id = p.user_id
  cross join lateral kinora.credit_owed_packages(p.user_id) o
  -- A deletion passes it on before it is finished, in a transaction of its own.
  where p.from_user_id is not null and o.package_id = p.id and d.unfinished is null
  union all
  -- Their type may have been another one meanwhile; the source is in the history of the user.
  select p.user_id, 'package ' || p.id, 'credits for one person stay with the person', 'no credits of ' || g.source, p.initial::text
  from package p
  join kinora.credit_package f on f.user_id = p.from_user_id and f.id = p.from_package_id
  join kinora.credit_package g on g.user_id = f.user_id and g.id = coalesce(f.root_id, f.id)
  where kinora.credit_is_personal(g.source)
  union all
  select t.user_id, 'transaction ' || t.n, 'both rows of a transfer have its credits and packages',
         concat_ws(', ', -t.credits, abs(t.credits)), concat_ws(', ', coalesce(o.credits::text, 'no row'), p.credits)
  from transfer t
  left join kinora.credit_transaction o
    on o.user_id = t.other_id and o.source = 'transfer:' || t.id || ':' || t.user_id and o.source like 'transfer:%'
  cross join lateral (
    select coalesce(sum(case when e.package ->> 1 ~ '^[0-9]+$' then (e.package ->> 1)::numeric end), 0) as credits
    from jsonb_path_query(t.graces, '$[*]') e (package)
  ) p
  where o.credits is distinct from -t.credits or p.credits <> abs(t.credits);
end;

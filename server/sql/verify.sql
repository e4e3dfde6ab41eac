-- Recomputes every balance from the rows it is made of and returns each difference; no row means that the ledger is correct.
-- It is one statement, hence one snapshot, so it can run while the service is busy. `kinora verify` prints the result, and
-- the test harness calls it after every test.

create or replace function kinora.verify()
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with package_sums as (
    select p.user_id,
           sum(p.remaining) as available,
           sum(p.frozen) as frozen,
           sum(p.used) as used,
           sum(p.expired) as expired,
           sum(p.clawed_back) as clawed_back,
           sum(p.initial) filter (where p.parent_id is null) as total,
           min(p.expires_at) filter (where p.remaining > 0) as next_expiry_at
    from kinora.credit_package p
    group by p.user_id
  ),
  hold_sums as (
    select h.user_id,
           coalesce(sum(h.credits) filter (where h.state = 'frozen'), 0) as frozen,
           coalesce(sum(h.credits) filter (where h.state = 'settled'), 0) as used,
           count(*) filter (where h.state = 'frozen') as open_holds
    from kinora.credit_hold h
    group by h.user_id
  ),
  history_sums as (
    select t.user_id, sum(t.credits) as available, count(*) as transactions, min(t.n) as first_n, max(t.n) as last_n
    from kinora.credit_transaction t
    group by t.user_id
  ),
  accounts as (
    select user_id from kinora.credit_account
    union select user_id from package_sums
    union select user_id from hold_sums
    union select user_id from history_sums
  ),
  account_rules as (
    select u.user_id, r.rule, r.expected, r.found
    from accounts u
    left join kinora.credit_account a on a.user_id = u.user_id
    left join package_sums p on p.user_id = u.user_id
    left join hold_sums h on h.user_id = u.user_id
    left join history_sums t on t.user_id = u.user_id
    cross join lateral (
      values
        ('available is what is left of the packages', coalesce(p.available, 0), a.available::numeric),
        ('frozen is what is frozen in the packages', coalesce(p.frozen, 0), a.frozen),
        ('frozen is what the open holds hold', coalesce(h.frozen, 0), a.frozen),
        ('used is what was used of the packages', coalesce(p.used, 0), a.used),
        ('used is what was settled', coalesce(h.used, 0), a.used),
        ('expired is what expired of the packages', coalesce(p.expired, 0), a.expired),
        ('clawed back is what was clawed back from the packages', coalesce(p.clawed_back, 0), a.clawed_back),
        ('total is what the packages of additions brought', coalesce(p.total, 0), a.total),
        ('the history adds up to available', coalesce(t.available, 0), a.available),
        ('the history begins with number 1', 1, coalesce(t.first_n, 1)),
        ('the history has no gaps', coalesce(t.last_n, 0), coalesce(t.transactions, 0)),
        ('the history is as long as the account says', coalesce(t.transactions, 0), a.transactions),
        ('open holds are counted', coalesce(h.open_holds, 0), a.open_holds)
    ) as r (rule, expected, found)
    where r.found is distinct from r.expected
  ),
  balances as (
    select t.user_id, t.n, t.balance_after,
           sum(t.credits) over (partition by t.user_id order by t.n) as expected
    from kinora.credit_transaction t
  ),
  slice_sums as (
    select s.user_id, s.hold_id, sum(s.credits) as credits
    from kinora.credit_slice s
    group by s.user_id, s.hold_id
  ),
  -- Per package: the credits that holds and grace packages took from it.
  slices_of_package as (
    select d.user_id, d.package_id, sum(d.frozen) as frozen, sum(d.used) as used, sum(d.moved) as moved
    from (
      select s.user_id, s.package_id,
             case h.state when 'frozen' then s.credits else 0 end as frozen,
             case h.state when 'settled' then s.credits else 0 end as used,
             0 as moved
      from kinora.credit_slice s
      join kinora.credit_hold h on h.user_id = s.user_id and h.id = s.hold_id
      union all
      select c.user_id, c.parent_id, 0, 0, c.initial
      from kinora.credit_package c
      where c.parent_id is not null
    ) d
    group by d.user_id, d.package_id
  ),
  history_of_package as (
    select t.user_id, t.package_id, sum(t.credits) as credits
    from kinora.credit_transaction t
    where t.package_id is not null
    group by t.user_id, t.package_id
  ),
  history_of_video as (
    select t.user_id, t.video_id,
           -coalesce(sum(t.credits) filter (where t.trans_type = 'VIDEO_CONSUME'), 0) as consumed,
           coalesce(sum(t.credits) filter (where t.trans_type = 'REFUND'), 0) as refunded
    from kinora.credit_transaction t
    where t.video_id is not null
    group by t.user_id, t.video_id
  )
  select r.user_id, 'account', r.rule, r.expected::text, r.found::text
  from account_rules r
  union all
  select b.user_id, 'transaction ' || b.n, 'balance after is the sum so far', b.expected::text, b.balance_after::text
  from balances b
  where b.expected <> b.balance_after
  union all
  select p.user_id, 'account', 'the next expiry is not overlooked', 'at the latest ' || p.next_expiry_at,
         a.next_expiry_at::text
  from package_sums p
  join kinora.credit_account a on a.user_id = p.user_id
  where a.next_expiry_at > p.next_expiry_at
  union all
  select coalesce(h.user_id, s.user_id), 'hold ' || coalesce(h.id, s.hold_id), 'slices add up to the hold',
         coalesce(h.credits, 0)::text, coalesce(s.credits, 0)::text
  from kinora.credit_hold h
  full join slice_sums s on s.user_id = h.user_id and s.hold_id = h.id
  where h.credits is distinct from s.credits
  union all
  select coalesce(p.user_id, d.user_id), 'package ' || coalesce(p.id, d.package_id),
         'open, settled and moved slices match the package',
         coalesce(d.frozen, 0) || ' frozen, ' || coalesce(d.used, 0) || ' used, ' || coalesce(d.moved, 0) || ' moved',
         coalesce(p.frozen || ' frozen, ' || p.used || ' used, ' || p.moved || ' moved', 'no package')
  from kinora.credit_package p
  full join slices_of_package d on d.user_id = p.user_id and d.package_id = p.id
  where (p.frozen, p.used, p.moved) is distinct from (coalesce(d.frozen, 0), coalesce(d.used, 0), coalesce(d.moved, 0))
  union all
  select coalesce(p.user_id, t.user_id), 'package ' || coalesce(p.id, t.package_id),
         'addition, expiry and claw-back are in the history',
         coalesce((case when p.parent_id is null then p.initial else 0 end - p.expired - p.clawed_back)::text, 'no package'),
         coalesce(t.credits, 0)::text
  from kinora.credit_package p
  full join history_of_package t on t.user_id = p.user_id and t.package_id = p.id
  where coalesce(t.credits, 0)
    is distinct from case when p.parent_id is null then p.initial else 0 end - p.expired - p.clawed_back
  union all
  select coalesce(v.user_id, h.user_id), 'video ' || coalesce(v.id, h.id), 'credits follow the status',
         case
           when v.id is null then 'no video'
           when v.status = 'COMPLETED' then v.credits || ' settled'
           when v.status = 'FAILED' then v.credits || ' released'
           else v.credits || ' frozen'
         end,
         coalesce(h.credits || ' ' || h.state, 'no hold')
  from kinora.video v
  full join kinora.credit_hold h on h.user_id = v.user_id and h.id = v.id
  where (h.credits, h.state) is distinct from (
    v.credits,
    case v.status when 'COMPLETED' then 'settled' when 'FAILED' then 'released' else 'frozen' end
  )
  union all
  select coalesce(h.user_id, t.user_id), 'video ' || coalesce(h.id, t.video_id), 'freeze and release are in the history',
         coalesce(h.credits, 0) || ' consumed, ' || case h.state when 'released' then h.credits else 0 end || ' refunded',
         coalesce(t.consumed, 0) || ' consumed, ' || coalesce(t.refunded, 0) || ' refunded'
  from kinora.credit_hold h
  full join history_of_video t on t.user_id = h.user_id and t.video_id = h.id
  where (coalesce(t.consumed, 0), coalesce(t.refunded, 0))
    is distinct from (coalesce(h.credits, 0), case h.state when 'released' then h.credits else 0 end)
  union all
  select p.user_id, 'package ' || p.id, 'refund_claimed is the sum of the refund claims',
         least(p.initial, round(p.initial * coalesce(c.part, 0)))::text, p.refund_claimed::text
  from kinora.credit_package p
  left join (
    select user_id, source, sum(part) as part
    from kinora.credit_refund_claim
    where reversed_at is null
    group by user_id, source
  ) c on c.user_id = p.user_id and c.source = p.source
  where p.refund_claimed is distinct from least(p.initial, round(p.initial * coalesce(c.part, 0)))
  union all
  select p.user_id, 'package ' || p.id, 'clawed back is at most refund_claimed', 'at the most ' || p.refund_claimed,
         sum(t.clawed_back - t.taken)::text
  from kinora.credit_package p
  join kinora.credit_package t on t.user_id = p.user_id and coalesce(t.root_id, t.parent_id, t.id) = p.id
  where p.parent_id is null
  group by p.user_id, p.id, p.refund_claimed
  having sum(t.clawed_back - t.taken) > p.refund_claimed
  union all
  select p.user_id, 'package ' || p.id, 'nothing is available while refund claims are owed',
         '0 of ' || p.refund_claimed - sum(t.clawed_back - t.taken), sum(t.remaining)::text
  from kinora.credit_package p
  join kinora.credit_account a on a.user_id = p.user_id and a.ledger_version > 0
  join kinora.credit_package t on t.user_id = p.user_id and coalesce(t.root_id, t.id) = p.id
  where p.refund_claimed > 0
  group by p.user_id, p.id, p.refund_claimed
  having sum(t.remaining) > 0 and sum(t.clawed_back - t.taken) < p.refund_claimed
  union all
  select p.user_id, 'package ' || p.id, 'what administrators took is in the history', p.taken::text,
         coalesce(-sum(t.credits), 0)::text
  from kinora.credit_package p
  left join kinora.credit_transaction t
    on t.user_id = p.user_id and t.package_id = p.id and t.trans_type = 'SYSTEM_ADJUST' and t.credits < 0
    and t.actor_id is not null
  where p.taken > 0
  group by p.user_id, p.id, p.taken
  having p.taken is distinct from coalesce(-sum(t.credits), 0)
  union all
  -- A reversal, a row with credits above 0, cancels the earlier rows. A wrong clock may have written the row's own time.
  select p.user_id, 'package ' || p.id, 'credits expire when their package does', 'not before ' || p.expires_at,
         min(t.created_at)::text
  from kinora.credit_transaction t
  join kinora.credit_package p on p.user_id = t.user_id and p.id = t.package_id
  where t.trans_type = 'EXPIRED'
  group by p.user_id, p.id, p.expires_at
  having sum(t.credits) filter (
    where t.credits > 0 or least(t.created_at, now() + kinora.clock_limit()) < p.expires_at
  ) < 0
  union all
  select t.user_id, 'transaction ' || t.n, 'no row is from the future', 'at the latest ' || now(), t.created_at::text
  from kinora.credit_transaction t
  where t.created_at > now() + kinora.clock_limit()
  union all
  select p.user_id, 'package ' || p.id, 'a package is as the row of its addition says',
         concat_ws(', ', t.source, t.trans_type, t.credits, coalesce(t.order_no, '-'), t.expires_at),
         concat_ws(', ', p.source, p.trans_type, p.initial, coalesce(p.order_no, '-'), p.expires_at)
  from kinora.credit_package p
  join kinora.credit_account a on a.user_id = p.user_id and a.ledger_version > 0
  join kinora.credit_transaction t on t.user_id = p.user_id and t.package_id = p.id and t.source is not null
  where (t.source, t.trans_type, t.credits, t.order_no, t.expires_at)
    is distinct from (p.source, p.trans_type, p.initial, p.order_no, p.expires_at)
  union all
  select coalesce(p.user_id, g.user_id), 'package ' || coalesce(p.id, g.id), 'a grace package is as the row of its release says',
         coalesce(g.credits || ' until ' || g.expires_at_ms, 'no row'),
         coalesce(p.initial || ' until ' || kinora.epoch_ms(p.expires_at), 'no package')
  from (
    select t.user_id, (e.grace ->> 0)::uuid as id, (e.grace ->> 1)::bigint as credits, (e.grace ->> 2)::bigint as expires_at_ms
    from kinora.credit_transaction t
    cross join lateral jsonb_array_elements(t.graces) as e (grace)
  ) g
  full join (
    select p.user_id, p.id, p.initial, p.expires_at
    from kinora.credit_package p
    left join kinora.credit_account a on a.user_id = p.user_id
    where p.parent_id is not null and a.ledger_version is distinct from 0
  ) p on p.user_id = g.user_id and p.id = g.id
  where (g.credits, g.expires_at_ms) is distinct from (p.initial, kinora.epoch_ms(p.expires_at))
  union all
  select c.user_id, 'transaction ' || c.n, 'a row continues the hash chain', encode(c.expected, 'hex'),
         coalesce(encode(c.hash, 'hex'), 'no hash')
  from (
    select t.user_id, t.n, t.hash,
           kinora.history_hash(
             coalesce(lag(t.hash) over (partition by t.user_id order by t.n), '\x'), kinora.history_text(t)
           ) as expected
    from kinora.credit_transaction t
  ) c
  join kinora.credit_account a on a.user_id = c.user_id and a.ledger_version > 0
  where c.hash is distinct from c.expected
  union all
  select a.user_id, 'account', 'the account has the hash of the newest row', coalesce(encode(t.hash, 'hex'), 'none'),
         encode(a.history_hash, 'hex')
  from kinora.credit_account a
  left join kinora.credit_transaction t on t.user_id = a.user_id and t.n = a.transactions
  where a.ledger_version > 0 and a.history_hash is distinct from coalesce(t.hash, '\x');
end;

-- The rules of accounts, of the history and of the usage of API keys.

-- Sums of packages, holds and history rows are what the account says.
create or replace function kinora.verify_account(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  account as not materialized (
    select user_id, available, frozen, used, expired, clawed_back, total, open_holds, transactions, next_expiry_at
    from kinora.credit_account
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  package_sums as (
    select p.user_id, sum(p.remaining) as available, sum(p.frozen) as frozen, sum(p.used) as used, sum(p.expired) as expired,
           sum(p.clawed_back) as clawed_back,
           coalesce(sum(p.initial) filter (where p.parent_id is null), 0) - sum(p.transferred) as total,
           min(p.expires_at) filter (where p.remaining > 0) as next_expiry_at
    from kinora.credit_package p
    where p.user_id >= p_from and (p_to is null or p.user_id < p_to)
    group by p.user_id
  ),
  hold_sums as (
    select h.user_id,
           coalesce(sum(h.credits) filter (where h.state = 'frozen'), 0) as frozen,
           coalesce(sum(h.credits - h.rest) filter (where h.state = 'settled'), 0) as used,
           count(*) filter (where h.state = 'frozen') as open_holds
    from kinora.credit_hold h
    where h.user_id >= p_from and (p_to is null or h.user_id < p_to)
    group by h.user_id
  ),
  history_sums as (
    select t.user_id, sum(t.credits) as available, count(*) as transactions, min(t.n) as first_n, max(t.n) as last_n
    from kinora.credit_transaction t
    where t.user_id >= p_from and (p_to is null or t.user_id < p_to)
    group by t.user_id
  )
  select u.user_id, 'account', r.rule, r.expected::text, r.found::text
  from (
    select user_id from account
    union select user_id from package_sums
    union select user_id from hold_sums
    union select user_id from history_sums
  ) u
  left join account a on a.user_id = u.user_id
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
  union all
  select p.user_id, 'account', 'the next expiry is not overlooked', 'at the latest ' || p.next_expiry_at,
         a.next_expiry_at::text
  from package_sums p
  join account a on a.user_id = p.user_id
  where a.next_expiry_at > p.next_expiry_at;
end;

-- The history adds up and is chained.
create or replace function kinora.verify_history(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  account as not materialized (
    select user_id, number, transactions, history_hash
    from kinora.credit_account
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  history as not materialized (
    select user_id, n, id, trans_no, trans_type, credits, balance_after, package_id, video_id, order_no, remark, actor_id,
           source, expires_at, graces, created_at, hash
    from kinora.credit_transaction
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  -- One pass over the history computes the running balance and the hash chain, and keeps the rows that differ.
  differing as (
    select t.*
    from (
      select h.user_id, h.n, h.balance_after, h.hash, h.created_at, lag(h.created_at) over w as time_before,
             sum(h.credits) over w as expected_balance,
             kinora.history_hash(
               coalesce(lag(h.hash) over w, '\x'),
               kinora.history_text(
                 h.n, h.id, h.trans_no, h.trans_type, h.credits, h.balance_after, h.package_id, h.video_id, h.order_no,
                 h.remark, h.actor_id, h.source, h.expires_at, h.graces, h.created_at
               )
             ) as expected_hash
      from history h
      window w as (partition by h.user_id order by h.n)
    ) t
    where t.expected_balance <> t.balance_after or t.hash is distinct from t.expected_hash or t.created_at < t.time_before
  )
  select b.user_id, 'transaction ' || b.n, 'balance after is the sum so far', b.expected_balance::text, b.balance_after::text
  from differing b
  where b.expected_balance <> b.balance_after
  union all
  select c.user_id, 'transaction ' || c.n, 'a row continues the hash chain', encode(c.expected_hash, 'hex'),
         coalesce(encode(c.hash, 'hex'), 'no hash')
  from differing c
  where c.hash is distinct from c.expected_hash
  union all
  select d.user_id, 'transaction ' || d.n, 'no row is before the row before it', 'at the earliest ' || d.time_before, d.created_at::text
  from differing d
  where d.created_at < d.time_before
  union all
  select a.user_id, 'account', 'the account has the hash of the newest row', coalesce(encode(t.hash, 'hex'), 'none'),
         encode(a.history_hash, 'hex')
  from account a
  left join history t on t.user_id = a.user_id and t.n = a.transactions
  where a.history_hash is distinct from coalesce(t.hash, '\x')
  union all
  select t.user_id, 'transaction ' || t.n, 'no row is from the future', 'at the latest ' || now(), t.created_at::text
  from history t
  where t.created_at > now() + kinora.clock_limit()
  union all
  select a.user_id, 'transaction ' || t.n, 'the newest row has the number of its account',
         kinora.credit_trans_no(a.number, a.transactions), t.trans_no
  from account a
  join history t on t.user_id = a.user_id and t.n = a.transactions
  where t.trans_no <> kinora.credit_trans_no(a.number, a.transactions);
end;

-- A gift is decided on once.
create or replace function kinora.verify_gift(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  account as not materialized (
    select user_id, gift_at from kinora.credit_account where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  package as not materialized (
    select user_id, id, source from kinora.credit_package where user_id >= p_from and (p_to is null or user_id < p_to)
  )
  select p.user_id, 'package ' || p.id, 'a gift is granted when it was decided on', 'decided', 'not decided'
  from package p
  left join account a on a.user_id = p.user_id
  where p.source = 'new-user' and a.gift_at is null;
end;

-- API keys have used what their holds took.
create or replace function kinora.verify_key_usage(p_from uuid, p_to uuid)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  with
  hold as not materialized (
    select user_id, credits, rest, state, key_id, token_id, created_at
    from kinora.credit_hold
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  key_usage as not materialized (
    select user_id, key_id, day, credits, videos
    from kinora.api_key_usage
    where user_id >= p_from and (p_to is null or user_id < p_to)
  ),
  key_sums as (
    select h.user_id, h.key_id, (h.created_at at time zone 'utc')::date as day,
           coalesce(sum(h.credits - h.rest) filter (where h.state <> 'released'), 0) as credits,
           count(*) filter (where h.state <> 'released') as videos
    from hold h
    where h.key_id is not null
    group by 1, 2, 3
  )
  select coalesce(u.user_id, s.user_id), 'key ' || coalesce(u.key_id, s.key_id), 'a key has used what its holds took',
         concat(coalesce(s.credits, 0), ' in ', coalesce(s.videos, 0), ' videos on ', coalesce(u.day, s.day)),
         concat(coalesce(u.credits, 0), ' in ', coalesce(u.videos, 0), ' videos')
  from key_usage u
  full join key_sums s on s.user_id = u.user_id and s.key_id = u.key_id and s.day = u.day
  where coalesce(u.credits, 0) <> coalesce(s.credits, 0) or coalesce(u.videos, 0) <> coalesce(s.videos, 0)
  union all
  -- What a failed or shorter film gives back goes to the key alone. Tokens end before their holds do.
  select t.user_id, 'token ' || t.id, 'a browser token has used what its holds took', coalesce(h.credits, 0)::text, t.used::text
  from kinora.key_token t
  left join (select user_id, token_id, sum(credits) as credits from hold where token_id is not null group by user_id, token_id) h
    on h.user_id = t.user_id and h.token_id = t.id
  where t.user_id >= p_from and (p_to is null or t.user_id < p_to) and t.used <> coalesce(h.credits, 0);
end;

-- Recomputes every balance from the rows it is made of and returns each difference; no row means that the ledger is
-- correct. p_from (included) and p_to (excluded) are the first user and the end of a range; null p_to: to the last
-- user. Every rule compares rows of one user, except that an administrator's idempotency key leads to a row of another
-- user, and a transfer to the team's. One function call writes what a rule compares in one transaction, and a statement
-- reads rows of other ranges in its own snapshot: ranges checked one after the other need no common snapshot. Read
-- only: it runs on a standby. `kinora verify` prints the result, and the test harness calls it after every test.

create or replace function kinora.verify(
  p_from uuid default '00000000-0000-0000-0000-000000000000', p_to uuid default null
)
returns table (user_id uuid, subject text, rule text, expected text, found text)
language sql stable
begin atomic
  select * from kinora.verify_account(p_from, p_to)
  union all select * from kinora.verify_history(p_from, p_to)
  union all select * from kinora.verify_gift(p_from, p_to)
  union all select * from kinora.verify_key_usage(p_from, p_to)
  union all select * from kinora.verify_slice(p_from, p_to)
  union all select * from kinora.verify_package(p_from, p_to)
  union all select * from kinora.verify_refund_claim(p_from, p_to)
  union all select * from kinora.verify_grace(p_from, p_to)
  union all select * from kinora.verify_transfer(p_from, p_to)
  union all select * from kinora.verify_video(p_from, p_to)
  union all select * from kinora.verify_count(p_from, p_to)
  union all select * from kinora.verify_usage_sum(p_from, p_to)
  union all select * from kinora.verify_audit(p_from, p_to)
  union all select * from kinora.verify_audit_entry(p_from, p_to)
  union all select * from kinora.verify_correction(p_from, p_to)
  union all select * from kinora.verify_deletion(p_from, p_to)
  union all select * from kinora.verify_idempotency_key(p_from, p_to)
  union all select * from kinora.verify_payment(p_from, p_to);
end;

-- Returns the end of the next range from p_from on: the first user after accounts with about p_rows history rows. Null:
-- the range that begins at p_from is the last one. Users without an account, whom only damage makes, belong to the
-- range around them.
create or replace function kinora.verify_range_end(p_from uuid, p_rows bigint) returns uuid
language sql stable
return (
  select s.user_id
  from (
    select a.user_id, sum(1 + a.transactions::numeric) over (order by a.user_id rows unbounded preceding) - a.transactions - 1 as before
    from kinora.credit_account a
    where a.user_id >= p_from
    order by a.user_id
  ) s
  where s.before >= p_rows
  order by s.user_id
  limit 1
);

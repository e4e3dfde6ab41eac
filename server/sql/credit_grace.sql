-- How long released credits last whose package has expired. These functions write no table.

-- How long after its freeze a hold is released at the latest while the service runs. The catalogue allows deadlines of an hour: one
-- may pass before a provider accepts the task, and one counts from there. The film is then collected for an hour, and the last
-- download may take a quarter of an hour. Another quarter is for its inspection, its storing and the claims in between.
create or replace function kinora.longest_deadline() returns interval
language sql immutable
return interval '3 hours 30 minutes';

-- Returns when the credits of a package that was granted expire for the last time: with the package or, when an administrator has
-- reversed the expiry, at the time that the administrator set.
create or replace function kinora.credit_last_expiry(p_root kinora.credit_package) returns timestamptz
language sql stable
return greatest(
  (p_root).expires_at,
  (
    select max(p.expires_at)
    from kinora.credit_package p
    where p.user_id = (p_root).user_id and p.root_id = (p_root).id and p.source like 'reversal:%'
  )
);

-- Returns until when credits may be used that are released at p_now from a package which has expired: for as long as was left when
-- they were frozen, at most p_grace (REFUND_GRACE). Credits of the package that was granted get ten minutes at least; those of a
-- grace package had them. Invariant: a chain of grace packages ends p_grace and the longest deadline after its root's last expiry.
create or replace function kinora.credit_grace_end(
  p_package kinora.credit_package, p_root kinora.credit_package, p_frozen_at timestamptz, p_grace interval, p_now timestamptz
) returns timestamptz
language sql stable
return least(
  p_now + least(
    p_grace,
    greatest((p_package).expires_at - p_frozen_at, case when (p_package).parent_id is null then interval '10 minutes' end)
  ),
  kinora.credit_last_expiry(p_root) + p_grace + kinora.longest_deadline()
);

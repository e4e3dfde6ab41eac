-- What one transaction changes on a shard of a distributed database and on its coordinator is committed by both or by neither.

-- Called before the first change of the coordinator's tables in a transaction that also changes rows of this user. One PostgreSQL needs
-- nothing for it. Of a distributed database the coordinator and each shard have a function of their own (db/citus/distribute.ts), which
-- also lets the next such transaction of this user wait until both are committed. So it comes before the lock of the account.
create or replace function kinora.commit_in_two_phases(p_user_id uuid) returns void
language sql immutable
as $$ select $$;

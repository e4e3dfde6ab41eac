-- What one transaction changes on a shard of a distributed database and on its coordinator is committed by both or by neither.

-- Called before the first change of the coordinator's tables in a transaction that also changes rows of this user. One PostgreSQL needs
-- nothing for it. Of a distributed database the coordinator and each shard have a function of their own (db/citus/own-functions.ts), which
-- also lets the next such transaction of this user wait until both are committed. So it comes before the lock of the account.
create or replace function kinora.commit_in_two_phases(p_user_id uuid) returns void
language sql immutable
as $$ select $$;

-- Whether no request of this administrator about another user has used the key; with p_is_stored it is this user's from now on. One
-- PostgreSQL needs nothing for it: the key's row is unique. A shard does not see the keys of requests about another shard's users.
create or replace function kinora.administrator_key_is_free(
  p_admin_id uuid, p_operation text, p_key text, p_user_id uuid, p_is_stored boolean, p_now timestamptz
) returns boolean
language sql immutable
as $$ select true $$;

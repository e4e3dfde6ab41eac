-- A distributed database deletes an account in two transactions: sign-in on the coordinator, then the user's rows on a shard.

-- What the second one has to record: the entry of the audit log, as {"id", "actor_id", "role", "request_id", "reason"}. Null: the rows of the
-- user are removed too.
-- step: deletions whose second transaction is left
alter table kinora.deleted_account add column if not exists unfinished jsonb;

-- What one transaction changes on two servers of a divided database is committed by both or by neither. One PostgreSQL
-- needs nothing for it; a divided database replaces these functions, on each of its parts.

-- Called before the first change of a table without users' rows in a transaction that also changes rows of this user.
-- In a divided database it also lets the next such transaction of this user wait until both servers have committed. So
-- it comes before the lock of the account.
create or replace function kinora.commit_in_two_phases(p_user_id uuid) returns void
language sql immutable
as $$ select $$;

-- Whether no request of this administrator about another user has used the key; with p_is_stored it is this user's from
-- now on. In one PostgreSQL the key's row is unique. A part does not see the keys of requests about another part's
-- users.
create or replace function kinora.administrator_key_is_free(
  p_admin_id uuid, p_operation text, p_key text, p_user_id uuid, p_is_stored boolean, p_now timestamptz
) returns boolean
language sql immutable
as $$ select true $$;

-- idempotency_take and idempotency_give_back for a deed that writes no user's rows, such as a team: in a divided
-- database such a deed is the coordinator's, and the key is a row of its user's part all the same.
create or replace function kinora.idempotency_take_beside(
  p_owner_id uuid, p_operation text, p_key text, p_request_hash bytea, p_subject_id uuid, p_now timestamptz,
  out outcome text, out subject_id uuid
)
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  select t.outcome, t.subject_id into outcome, subject_id
  from kinora.idempotency_take(p_owner_id, p_operation, p_key, p_request_hash, p_owner_id, p_subject_id, p_now) t;
end
$$;

create or replace function kinora.idempotency_give_back_beside(p_owner_id uuid, p_operation text, p_key text) returns void
language plpgsql
as $$
begin
  perform kinora.idempotency_give_back(p_owner_id, p_operation, p_key);
end
$$;

-- Idempotency keys: a request is recognised by its key and its hash, and does nothing twice. The key's row is written
-- in the transaction of the deed, so that there is never one without the other.

-- Takes the key of a request for a deed of this transaction: p_subject_id, what the deed makes. The second of two
-- callers waits here for the transaction of the first. outcome: 'taken'; 'replayed' (same key, same request), with what
-- that made; 'key_reused' (same key, another request).
create or replace function kinora.idempotency_take(
  p_user_id uuid, p_operation text, p_key text, p_request_hash bytea, p_subject_user_id uuid, p_subject_id uuid,
  p_now timestamptz, out outcome text, out subject_user_id uuid, out subject_id uuid
)
language plpgsql
as $$
declare
  v_key kinora.idempotency_key;
begin
  perform kinora.check_clock(p_now);
  loop
    insert into kinora.idempotency_key as k (
      user_id, operation, key, request_hash, subject_user_id, subject_id, created_at
    ) values (
      p_user_id, p_operation, p_key, p_request_hash, p_subject_user_id, p_subject_id, p_now
    )
    on conflict (user_id, operation, key) do nothing
    returning 'taken', k.subject_user_id, k.subject_id into outcome, subject_user_id, subject_id;
    exit when found;
    select * into v_key
    from kinora.idempotency_key k
    where k.user_id = p_user_id and k.operation = p_operation and k.key = p_key;
    -- Otherwise retention has deleted it in between.
    if found then
      outcome := case when v_key.request_hash = p_request_hash then 'replayed' else 'key_reused' end;
      subject_user_id := v_key.subject_user_id;
      subject_id := v_key.subject_id;
      return;
    end if;
  end loop;
end
$$;

-- Frees a key that this transaction has taken, for a deed that was refused.
create or replace function kinora.idempotency_give_back(p_user_id uuid, p_operation text, p_key text) returns void
language sql
begin atomic
  delete from kinora.idempotency_key where user_id = p_user_id and operation = p_operation and key = p_key;
end;

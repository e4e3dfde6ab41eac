-- The erasure of what the browser tokens of a subject made. account-data/erase.ts removes the files.

-- Begins to erase a subject's data, or again: its tokens end, and spend nothing any more. A request of theirs that is
-- under way waits for the account, so that no video is made after p_now.
create or replace function kinora.subject_erase(p_user_id uuid, p_subject text, p_now timestamptz) returns void
language plpgsql
as $$
begin
  perform kinora.credit_wait_for_account(p_user_id, p_now);
  update kinora.key_token
  set budget = used, expires_at = least(expires_at, p_now)
  where user_id = p_user_id and subject = p_subject;
  insert into kinora.subject_erasure (user_id, subject, requested_at)
  values (p_user_id, p_subject, p_now)
  on conflict (user_id, subject) do update set requested_at = excluded.requested_at;
end
$$;

-- Erases what says more of final videos than their rows: shares, keys of requests and webhooks, and lets go of their
-- assets.
create or replace function kinora.subject_erase_traces(p_user_id uuid, p_ids uuid[], p_now timestamptz) returns void
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  delete from kinora.video_share where user_id = p_user_id and video_id = any(p_ids);
  delete from kinora.webhook_of_video where user_id = p_user_id and video_id = any(p_ids);
  delete from kinora.webhook_delivery where user_id = p_user_id and subject_id = any(p_ids);
  delete from kinora.idempotency_key where user_id = p_user_id and operation = 'video.generate' and subject_id = any(p_ids);
  update kinora.asset a
  set due_at = p_now
  from kinora.video v, jsonb_array_elements(v.made_of) input
  where v.user_id = p_user_id and v.id = any(p_ids) and a.user_id = v.user_id and a.state = 'kept' and a.due_at > p_now
    and input ->> 'source' = 'kinora:' || a.key;
end
$$;

-- What the deletion of an account does to the rows of the user, in a transaction of account_close (account.sql) or
-- after it.

-- Removes what is not in the books, cancels the videos that no provider can have, and records the deletion in the audit
-- log. Called again it changes nothing, so a sweep may finish a deletion that its process did not.
create or replace function kinora.account_clear(p_user_id uuid, p_cancel_error text, p_grace interval, p_now timestamptz)
returns void
language plpgsql
as $$
declare
  v_account kinora.credit_account;
  v_deletion record;
begin
  perform kinora.check_clock(p_now);
  v_account := kinora.credit_lock(p_user_id, p_now);
  select d.deleted_at, d.unfinished into v_deletion from kinora.deleted_account d where d.user_id = p_user_id;
  if v_deletion.unfinished is null then
    return;
  end if;
  -- First, so that the cancellations write no deliveries.
  delete from kinora.webhook_account where user_id = p_user_id;
  delete from kinora.mail_setting where user_id = p_user_id;
  -- A charge that waits for its owner is given up.
  delete from kinora.spending_rule where user_id = p_user_id;
  perform kinora.video_apply(
    jsonb_agg(
      jsonb_build_object(
        'step', 'cancel', 'user_id', v.user_id, 'id', v.id, 'error', p_cancel_error, 'grace_s', extract(epoch from p_grace)::integer
      )
    ),
    p_now
  )
  from kinora.video v
  where v.user_id = p_user_id and v.status = 'PENDING' and v.submitted_at is null and v.deleted_at is null
  having count(*) > 0;

  -- Endpoints come after the videos: webhook.sql has the lock order. The sweep erases the deliveries.
  delete from kinora.webhook_endpoint where user_id = p_user_id;
  delete from kinora.webhook_of_video where user_id = p_user_id;
  delete from kinora.video_share where user_id = p_user_id;
  delete from kinora.video_folder where user_id = p_user_id;
  perform kinora.project_erase(p_user_id);
  -- What waits to be sent is not sent.
  delete from kinora.mail where user_id = p_user_id;
  perform kinora.audit_redact(p_user_id);
  if not exists (
    select from kinora.audit a where a.user_id = p_user_id and a.id = (v_deletion.unfinished ->> 'id')::uuid
  ) then
    perform kinora.audit_add(
      p_actor_id => (v_deletion.unfinished ->> 'actor_id')::uuid, p_action => 'account.delete', p_user_id => p_user_id,
      p_subject => p_user_id::text,
      p_before => kinora.audit_balance(v_account) || jsonb_build_object('role', v_deletion.unfinished ->> 'role'),
      p_after => null, p_request_id => v_deletion.unfinished ->> 'request_id', p_reason => v_deletion.unfinished ->> 'reason',
      p_now => v_deletion.deleted_at, p_id => (v_deletion.unfinished ->> 'id')::uuid
    );
  end if;
end
$$;

-- Erases what the rows of videos of a deleted account, or of a subject, say beyond the books: those of p_ids that are
-- final and whose files are removed. A video in progress keeps its prompt, which a provider may not have yet, until its
-- end.
create or replace function kinora.account_erase_videos(p_user_id uuid, p_ids uuid[], p_now timestamptz) returns void
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  update kinora.video
  set prompt = '',
      made_of = null,
      negative_prompt = null,
      options = null,
      subject = null,
      metadata = null,
      result_url = null,
      other_result_url = null,
      error = case when error is not null then 'Erased.' end
  where user_id = p_user_id and id = any(p_ids) and due_at is null and deleted_at is not null
    and (video_key is null or files_removed_at is not null);
  -- The files of a hidden film wait for an objection no longer.
  update kinora.video_file f
  set due_at = p_now
  where f.user_id = p_user_id and f.video_id = any(p_ids) and f.due_at > p_now + interval '1 day';
  delete from kinora.video_log l
  using kinora.video v
  where v.user_id = p_user_id and v.id = any(p_ids) and v.due_at is null and v.prompt = ''
    and l.user_id = v.user_id and l.video_id = v.id;
  delete from kinora.video_provenance p
  using kinora.video v
  where v.user_id = p_user_id and v.id = any(p_ids) and v.due_at is null and v.prompt = ''
    and p.user_id = v.user_id and p.video_id = v.id;
end
$$;

-- Returns whether nothing of a deleted account is left but the books: no video in progress, no file, no text.
create or replace function kinora.account_is_erased(p_user_id uuid) returns boolean
language sql stable
return not exists (select from kinora.video v where v.user_id = p_user_id and (v.prompt <> '' or v.made_of is not null or v.due_at is not null))
  and not exists (select from kinora.asset a where a.user_id = p_user_id)
  and not exists (select from kinora.asset_upload u where u.user_id = p_user_id)
  and not exists (select from kinora.video_file f where f.user_id = p_user_id)
  and not exists (select from kinora.webhook_delivery w where w.user_id = p_user_id)
  and not exists (select from kinora.mail m where m.user_id = p_user_id)
  and not exists (select from kinora.top_up t where t.user_id = p_user_id);

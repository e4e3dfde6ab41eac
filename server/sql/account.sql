-- Deletes accounts. The personal data of sign-in goes in one transaction; films, images, prompts and payment bodies are erased
-- by the worker's sweep, because storage is no part of a transaction. Nothing in the books changes: the user id stays there as a
-- pseudonym, and no table references the row in public."user".

-- Deletes the account of a user: sessions, keys, password, e-mail address and name. Videos that no provider can have are cancelled;
-- the others run to their end. p_actor_id: the user, or the administrator who does it for the user.
-- Administrators are locked first, in the order of their ids, so that the last two cannot delete themselves at the same time.
-- outcome: 'deleted', 'not_found', 'last_administrator', 'subscribed' (a subscription still renews, or a payment of it may still
-- come); all but 'deleted' change nothing.
create or replace function kinora.account_delete(
  p_user_id uuid, p_actor_id uuid, p_email_hash bytea, p_cancel_error text, p_grace interval, p_request_id text,
  p_reason text, p_now timestamptz
) returns text
language plpgsql
as $$
declare
  v_user public."user";
  v_account kinora.credit_account;
begin
  perform kinora.check_clock(p_now);
  if exists (
    select from public."user" u where u.id = p_user_id::text and 'admin' = any(string_to_array(u.role, ','))
  ) then
    perform from public."user" u where 'admin' = any(string_to_array(u.role, ',')) order by u.id for update;
    if not exists (
      select
      from public."user" u
      where u.id <> p_user_id::text
        and 'admin' = any(string_to_array(u.role, ','))
        and (u.banned is not true or u."banExpires" <= p_now)
    ) then
      return 'last_administrator';
    end if;
  end if;
  select * into v_user from public."user" u where u.id = p_user_id::text for update;
  if not found then
    return 'not_found';
  end if;
  -- Payment events of this user wait here: none starts a subscription between the check and the deletion.
  v_account := kinora.credit_lock(p_user_id, p_now);
  if exists (
    select
    from kinora.subscription s
    where s.user_id = p_user_id
      and not s.cancel_at_period_end
      and case s.status
        when 'active' then true
        when 'trialing' then true
        when 'past_due' then true
        -- The first payment is open: payment-b ends the subscription by itself after 23 hours.
        when 'incomplete' then s.updated_at > p_now - interval '1 day'
        -- payment-a retries the payment until it cancels the subscription. The limit is for a cancellation whose event is lost.
        when 'expired' then
          s.processor = 'payment-a'
          and s.cancelled_at is null
          and coalesce(s.current_period_end, s.updated_at) > p_now - interval '30 days'
        else false
      end
  ) then
    return 'subscribed';
  end if;

  -- First, so that the cancellations write no deliveries.
  delete from kinora.webhook_account where user_id = p_user_id;
  delete from kinora.mail_setting where user_id = p_user_id;
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

  -- After the videos: webhook.sql has the lock order. The sweep erases the deliveries.
  delete from kinora.webhook_endpoint where user_id = p_user_id;
  delete from kinora.webhook_of_video where user_id = p_user_id;
  delete from kinora.video_share where user_id = p_user_id;

  insert into kinora.deleted_account (user_id, email_hash, created_at, deleted_at)
  values (p_user_id, p_email_hash, v_user."createdAt", p_now);
  delete from public."verification" where "identifier" = v_user."email" or "value" = v_user."id";
  delete from public."apikey" where "referenceId" = v_user."id";
  -- Sessions and password go with it (on delete cascade).
  delete from public."user" where "id" = v_user."id";
  -- What waits to be sent is not sent.
  delete from kinora.mail where user_id = p_user_id;
  perform kinora.audit_redact(p_user_id);
  perform kinora.audit_add(
    p_actor_id, 'account.delete', p_user_id, p_user_id::text,
    kinora.audit_balance(v_account) || jsonb_build_object('role', coalesce(v_user.role, 'user')), null,
    p_request_id, p_reason, p_now
  );
  return 'deleted';
end
$$;

-- Erases what the rows of a deleted account's videos say beyond the books: those of p_ids that are final and whose files are
-- removed. A video in progress keeps its prompt, which a provider may not have yet, until its end.
create or replace function kinora.account_erase_videos(p_user_id uuid, p_ids uuid[], p_now timestamptz) returns void
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  update kinora.video
  set prompt = '',
      start_image_url = null,
      result_url = null,
      other_result_url = null,
      error = case when error is not null then 'The account was deleted.' end
  where user_id = p_user_id and id = any(p_ids) and due_at is null and deleted_at is not null
    and (video_key is null or files_removed_at is not null);
  delete from kinora.video_log l
  using kinora.video v
  where v.user_id = p_user_id and v.id = any(p_ids) and v.due_at is null and v.prompt = ''
    and l.user_id = v.user_id and l.video_id = v.id;
end
$$;

-- Records that everything of a deleted account is erased. Not before p_settled_at: a credential works for seconds after the deletion, in
-- which a request may still create a video or store an image, or an administrator's operation write its audit entry.
-- outcome: 'erased', 'waiting' (a video is in progress, or files are left).
create or replace function kinora.account_erased(p_user_id uuid, p_settled_at timestamptz, p_now timestamptz) returns text
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  perform kinora.audit_redact(p_user_id);
  update kinora.deleted_account d
  set erased_at = p_now
  where d.user_id = p_user_id and d.erased_at is null and d.deleted_at <= p_settled_at
    and not exists (select from kinora.video v where v.user_id = p_user_id and (v.prompt <> '' or v.due_at is not null))
    and not exists (select from kinora.video_image i where i.user_id = p_user_id)
    and not exists (select from kinora.video_file f where f.user_id = p_user_id)
    and not exists (select from kinora.webhook_delivery w where w.user_id = p_user_id)
    and not exists (select from kinora.mail m where m.user_id = p_user_id);
  return case when found then 'erased' else 'waiting' end;
end
$$;

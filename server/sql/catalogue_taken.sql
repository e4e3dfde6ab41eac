-- What vendors publish about their models, compared with the catalogue, and the drafts that administrators took of it.

-- Claims the list of an account for p_lease until p_until when no other worker has it and it is due: the first time at
-- p_first_at, then at p_next_at, or now with p_is_now. One whose worker died is due when its lease has ended.
create or replace function kinora.catalogue_claim_comparison(
  p_account text, p_lease uuid, p_until timestamptz, p_first_at timestamptz, p_next_at timestamptz, p_is_now boolean,
  p_now timestamptz
) returns boolean
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  insert into kinora.catalogue_comparison (account, next_at)
  values (p_account, p_first_at)
  on conflict (account) do nothing;
  update kinora.catalogue_comparison
  set lease = p_lease, lease_until = p_until, next_at = p_next_at
  where account = p_account
    and case
      when lease is null then p_is_now or next_at <= p_now
      else lease_until <= p_now
    end;
  return found;
end
$$;

-- Ends a comparison: gives the lease back, and replaces what was found, which stays when there is a problem.
-- p_findings: an array of { kind, name, model, text, draft, base, problems }. Whoever has lost the lease changes
-- nothing.
create or replace function kinora.catalogue_finish_comparison(
  p_account text, p_lease uuid, p_findings jsonb, p_now timestamptz, p_problem text default null
) returns void
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  update kinora.catalogue_comparison
  set lease = null,
      lease_until = null,
      compared_at = case when p_problem is null then p_now else compared_at end,
      problem = p_problem
  where account = p_account and lease = p_lease;
  if not found or p_problem is not null then
    return;
  end if;
  delete from kinora.catalogue_finding f
  where f.account = p_account
    and not exists (
      select
      from jsonb_array_elements(p_findings) n
      where n ->> 'kind' = f.kind and n ->> 'name' = f.name and n ->> 'model' = f.model
    );
  insert into kinora.catalogue_finding as f (account, kind, name, model, text, draft, base, problems, found_at)
  select
    p_account, n ->> 'kind', n ->> 'name', n ->> 'model', n ->> 'text', n ->> 'draft', n ->> 'base',
    array(select jsonb_array_elements_text(n -> 'problems')), p_now
  from jsonb_array_elements(p_findings) n
  on conflict (account, kind, name, model) do update
  set text = excluded.text, draft = excluded.draft, base = excluded.base, problems = excluded.problems;
end
$$;

-- Gives the lease back before the end of a comparison, which is due at once.
create or replace function kinora.catalogue_return_comparison(p_account text, p_lease uuid, p_now timestamptz)
returns void
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  update kinora.catalogue_comparison
  set lease = null, lease_until = null, next_at = p_now
  where account = p_account and lease = p_lease;
end
$$;

-- Puts a draft in force, and records it. outcome: 'taken', 'unchanged' (it is in force), 'changed': the finding is
-- another one than p_digest, the MD5 of its draft, was made of, or is there no more. p_entry: the file's text.
create or replace function kinora.catalogue_take(
  p_account text, p_kind text, p_name text, p_digest text, p_id text, p_entry text, p_reason text, p_now timestamptz,
  p_actor_id uuid, p_request_id text default null
) returns text
language plpgsql
as $$
declare
  v_version integer;
  v_entry text;
begin
  perform kinora.check_clock(p_now);
  -- Two administrators take one after the other, a few times a month.
  lock table kinora.catalogue_taken in share row exclusive mode;
  select t.version, t.entry into v_version, v_entry
  from kinora.catalogue_taken t
  where t.id = p_id
  order by t.version desc
  limit 1;
  if v_entry = p_entry then
    return 'unchanged';
  end if;
  if not exists (
    select
    from kinora.catalogue_finding f
    where f.account = p_account and f.kind = p_kind and f.name = p_name and f.model = p_id and md5(f.draft) = p_digest
  ) then
    return 'changed';
  end if;
  insert into kinora.catalogue_taken (id, version, entry, reason, actor_id, created_at)
  values (p_id, coalesce(v_version, 0) + 1, p_entry, p_reason, p_actor_id, p_now);
  delete from kinora.catalogue_finding f where f.model = p_id and f.draft is not null;
  perform kinora.audit_add(
    p_actor_id => p_actor_id, p_action => 'catalogue.take', p_user_id => null, p_subject => p_id,
    p_before => v_entry::jsonb, p_after => p_entry::jsonb, p_request_id => p_request_id, p_reason => p_reason, p_now => p_now
  );
  return 'taken';
end
$$;

-- Removes the draft of a model that is in force, and records it: the one before, or the release's file, counts again.
-- outcome: 'restored', 'unchanged' (that version of it is not in force).
create or replace function kinora.catalogue_restore(
  p_id text, p_version integer, p_reason text, p_now timestamptz, p_actor_id uuid, p_request_id text default null
) returns text
language plpgsql
as $$
declare
  v_entry text;
begin
  perform kinora.check_clock(p_now);
  lock table kinora.catalogue_taken in share row exclusive mode;
  delete from kinora.catalogue_taken t
  where t.id = p_id
    and t.version = p_version
    and t.version = (select max(o.version) from kinora.catalogue_taken o where o.id = p_id)
  returning t.entry into v_entry;
  if v_entry is null then
    return 'unchanged';
  end if;
  perform kinora.audit_add(
    p_actor_id => p_actor_id, p_action => 'catalogue.restore', p_user_id => null, p_subject => p_id,
    p_before => v_entry::jsonb,
    p_after => (
      select t.entry::jsonb from kinora.catalogue_taken t where t.id = p_id order by t.version desc limit 1
    ),
    p_request_id => p_request_id, p_reason => p_reason, p_now => p_now
  );
  return 'restored';
end
$$;

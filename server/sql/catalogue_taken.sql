-- What vendors publish about their models, compared with the catalogue, and the files of it that administrators wrote
-- or took as drafts.

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
-- p_findings: an array of { kind, name, model, text, draft, base, problems }. A process that has lost the lease changes
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

-- Puts the text of a file in force, and records it. outcome: 'taken', 'unchanged' (it is in force), 'changed': the
-- version in force is another one than p_version (0: none), which was edited. p_former: the text in force, of whatever
-- source; null: there is none.
create or replace function kinora.catalogue_put(
  p_file text, p_version integer, p_entry text, p_reason text, p_now timestamptz, p_actor_id uuid,
  p_former text default null, p_request_id text default null
) returns text
language plpgsql
as $$
declare
  v_version integer;
  v_entry text;
begin
  perform kinora.check_clock(p_now);
  -- Two administrators write one after the other, a few times a month.
  lock table kinora.catalogue_taken in share row exclusive mode;
  select t.version, t.entry into v_version, v_entry
  from kinora.catalogue_taken t
  where t.file = p_file
  order by t.version desc
  limit 1;
  if v_entry = p_entry then
    return 'unchanged';
  end if;
  if coalesce(v_version, 0) <> p_version then
    return 'changed';
  end if;
  insert into kinora.catalogue_taken (file, version, entry, reason, actor_id, created_at)
  values (p_file, p_version + 1, p_entry, p_reason, p_actor_id, p_now);
  -- Their drafts are of the former file.
  delete from kinora.catalogue_finding f where p_file = 'models/' || f.model || '.json' and f.draft is not null;
  perform kinora.audit_add(
    p_actor_id => p_actor_id, p_action => 'catalogue.take', p_user_id => null, p_subject => p_file,
    p_before => p_former::jsonb, p_after => p_entry::jsonb, p_request_id => p_request_id, p_reason => p_reason,
    p_now => p_now
  );
  return 'taken';
end
$$;

-- Puts the draft of a finding in force as catalogue_put does. outcome: also 'changed' when the finding is another one
-- than p_digest, the MD5 of its draft, was made of, or is there no more.
create or replace function kinora.catalogue_take(
  p_account text, p_kind text, p_name text, p_model text, p_digest text, p_version integer, p_entry text,
  p_reason text, p_now timestamptz, p_actor_id uuid, p_former text default null, p_request_id text default null
) returns text
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  lock table kinora.catalogue_taken in share row exclusive mode;
  return kinora.catalogue_put(
    p_file => 'models/' || p_model || '.json',
    p_version => case when exists (
      select
      from kinora.catalogue_finding f
      where f.account = p_account and f.kind = p_kind and f.name = p_name and f.model = p_model and md5(f.draft) = p_digest
    ) then p_version else -1 end,
    p_entry => p_entry, p_former => p_former, p_reason => p_reason, p_now => p_now, p_actor_id => p_actor_id,
    p_request_id => p_request_id
  );
end
$$;

-- Removes the version of a file that is in force, and records it: the one before, or the release's, counts again.
-- outcome: 'restored', 'unchanged' (that version of it is not in force).
create or replace function kinora.catalogue_restore(
  p_file text, p_version integer, p_reason text, p_now timestamptz, p_actor_id uuid, p_request_id text default null
) returns text
language plpgsql
as $$
declare
  v_entry text;
begin
  perform kinora.check_clock(p_now);
  lock table kinora.catalogue_taken in share row exclusive mode;
  delete from kinora.catalogue_taken t
  where t.file = p_file
    and t.version = p_version
    and t.version = (select max(o.version) from kinora.catalogue_taken o where o.file = p_file)
  returning t.entry into v_entry;
  if v_entry is null then
    return 'unchanged';
  end if;
  perform kinora.audit_add(
    p_actor_id => p_actor_id, p_action => 'catalogue.restore', p_user_id => null, p_subject => p_file,
    p_before => v_entry::jsonb,
    p_after => (
      select t.entry::jsonb from kinora.catalogue_taken t where t.file = p_file order by t.version desc limit 1
    ),
    p_request_id => p_request_id, p_reason => p_reason, p_now => p_now
  );
  return 'restored';
end
$$;

-- Runs of the ledger check. The row of a run is a lease: one run at a time over all processes.

-- How long a run may go without progress before another one takes over: its process is dead.
create or replace function kinora.ledger_check_lease() returns interval
language sql immutable
return interval '1 minute';

-- Starts a run. Returns null while another one is running.
create or replace function kinora.ledger_check_start(p_id uuid, p_started_by uuid default null) returns kinora.ledger_check_run
language plpgsql
as $$
declare
  v_run kinora.ledger_check_run;
  v_users constant bigint := (select count(*) from kinora.credit_account);
begin
  update kinora.ledger_check_run
  set state = 'abandoned', finished_at = updated_at
  where state = 'running' and updated_at < now() - kinora.ledger_check_lease();
  insert into kinora.ledger_check_run (id, started_by, started_at, updated_at, users_total)
  values (p_id, p_started_by, now(), now(), v_users)
  on conflict (state) where state = 'running' do nothing
  returning * into v_run;
  return case when v_run.id is not null then v_run end;
end
$$;

-- Adds the progress of a run: users checked, and differences found. With p_state the run ends.
-- Returns whether the run still has its lease.
create or replace function kinora.ledger_check_progress(
  p_id uuid, p_users bigint, p_differences jsonb, p_state text default 'running',
  p_error text default null
) returns boolean
language plpgsql
as $$
begin
  update kinora.ledger_check_run
  set users = users + p_users,
      total = total + jsonb_array_length(p_differences),
      differences = case
        when jsonb_array_length(differences) < 500 and p_differences <> '[]' then
          jsonb_path_query_array(differences || p_differences, '$[0 to 499]')
        else differences
      end,
      state = p_state,
      error = p_error,
      updated_at = now(),
      finished_at = case when p_state <> 'running' then now() end
  where id = p_id and state = 'running';
  return found;
end
$$;

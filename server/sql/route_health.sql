-- The health of routes: a model at an account. A row is of a route that has failed once. Processes read the rows, and
-- change one when a route begins or ends to fail, or a probe is sent: no task that ends writes here.

-- Records that a route fails, or that it works again. p_recovered_at: since when its tasks were counted; another
-- process that has seen a probe succeed since then knows better. p_unknown_model: what the vendor said when it did not
-- know the model, which needs no counting. Returns whether that is new.
create or replace function kinora.route_set_failing(
  p_account text, p_model text, p_is_failing boolean, p_now timestamptz, p_recovered_at timestamptz default null,
  p_unknown_model text default null
) returns boolean
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  if p_is_failing then
    insert into kinora.route_health as r (account, model, failing_since, probe_at, unknown_model)
    values (p_account, p_model, p_now, p_now, p_unknown_model)
    on conflict (account, model) do update
    set failing_since = coalesce(r.failing_since, excluded.failing_since),
        probe_at = excluded.probe_at,
        unknown_model = excluded.unknown_model
    where case
      when p_unknown_model is null then r.failing_since is null and r.recovered_at is not distinct from p_recovered_at
      else r.unknown_model is distinct from p_unknown_model
    end;
  else
    update kinora.route_health r
    set failing_since = null, recovered_at = p_now, unknown_model = null
    where r.account = p_account and r.model = p_model and r.failing_since is not null;
  end if;
  return found;
end
$$;

-- Returns whether the caller may send a film to a failing route first: one film in two minutes, of all processes
-- together.
create or replace function kinora.route_claim_probe(p_account text, p_model text, p_now timestamptz) returns boolean
language plpgsql
as $$
begin
  perform kinora.check_clock(p_now);
  update kinora.route_health r
  set probe_at = p_now
  where r.account = p_account and r.model = p_model and r.failing_since is not null and r.probe_at <= p_now - interval '2 minutes';
  return found;
end
$$;

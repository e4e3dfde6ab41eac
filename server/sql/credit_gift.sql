-- The limits of the new-user gift and of redemption codes. Apart from the grants, because their tables are about
-- addresses and networks, not users: every part of a divided database calls them, and has the tables in common with the
-- others.

-- Counts a gift against its limits. @returns why there is none, and then counts nothing; null: the gift is counted.
create or replace function kinora.credit_gift_refusal(p_limits jsonb, p_now timestamptz) returns text
language plpgsql
as $$
declare
  v_address_hash bytea := decode(p_limits ->> 'address_hash', 'hex');
  v_network_hash bytea := decode(p_limits ->> 'network_hash', 'hex');
  v_network_max integer := (p_limits ->> 'network_max')::integer;
begin
  if p_limits ->> 'refusal' is not null then
    return p_limits ->> 'refusal';
  end if;
  if exists (select from kinora.deleted_account where email_hash = decode(p_limits ->> 'former_hash', 'hex')) then
    return 'address_used';
  end if;
  if v_address_hash is not null then
    -- A second sign-up with the address waits here for the end of the first.
    insert into kinora.gift_address (address_hash, created_at) values (v_address_hash, p_now) on conflict do nothing;
    if not found then
      return 'address_used';
    end if;
  end if;
  if v_network_hash is not null and v_network_max is not null then
    insert into kinora.gift_network as n (network_hash, day, gifts)
    values (v_network_hash, (p_now at time zone 'UTC')::date, 1)
    on conflict (network_hash, day) do update set gifts = n.gifts + 1 where n.gifts < v_network_max;
    if not found then
      delete from kinora.gift_address where address_hash = v_address_hash;
      return 'network_limit';
    end if;
  end if;
  return null;
end
$$;

-- Counts the redemption of a code, which the caller has locked, against its limits. p_limits, all keyed hashes:
--   person_hash: of the normalised address; network_hash: of the network, null where none counts
--   former_hash: by which accounts of the address that were deleted are found
-- @returns why it is refused, and then counts nothing; null: it is counted.
create or replace function kinora.redemption_refusal(
  p_user_id uuid, p_code_id uuid, p_new_customers boolean, p_network_max integer, p_limits jsonb
) returns text
language plpgsql
as $$
declare
  v_person_hash bytea := decode(p_limits ->> 'person_hash', 'hex');
  v_network_hash bytea := decode(p_limits ->> 'network_hash', 'hex');
begin
  if p_new_customers and exists (
    select
    from kinora.payment p
    where p.paid > 0
      and p.user_id in (
        select p_user_id
        union all
        select d.user_id from kinora.deleted_account d where d.email_hash = decode(p_limits ->> 'former_hash', 'hex')
      )
  ) then
    return 'not_new';
  end if;
  if v_person_hash is not null then
    insert into kinora.redemption_mark (code_id, hash, uses) values (p_code_id, v_person_hash, 1) on conflict do nothing;
    if not found then
      return 'person_used';
    end if;
  end if;
  if v_network_hash is not null and p_network_max is not null then
    insert into kinora.redemption_mark as m (code_id, hash, uses)
    values (p_code_id, v_network_hash, 1)
    on conflict (code_id, hash) do update set uses = m.uses + 1 where m.uses < p_network_max;
    if not found then
      delete from kinora.redemption_mark m where m.code_id = p_code_id and m.hash = v_person_hash;
      return 'network_limit';
    end if;
  end if;
  return null;
end
$$;

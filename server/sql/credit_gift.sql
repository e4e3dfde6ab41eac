-- The limits of the new-user gift. Apart from the other grants, because its tables are about addresses and networks, not users: every
-- part of a divided database calls it, and has the tables in common with the others.

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

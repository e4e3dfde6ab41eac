-- Ids of rows and numbers of transactions. These functions are pure: they read and write no table.

-- Returns a new UUIDv7 (RFC 9562) for a row that a SQL function creates itself.
create or replace function kinora.uuid_v7(p_now timestamptz) returns uuid
language sql volatile
return encode(
  set_bit(
    set_bit(
      overlay(
        uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from p_now) * 1000)::bigint) from 3)
        from 1 for 6
      ),
      52, 1
    ),
    53, 1
  ),
  'hex'
)::uuid;

-- Returns the transaction number: ten characters of Crockford's base32 (no I, L, O, U), which people can read aloud.
-- The mapping is a bijection, so the number is unique without an index: row number (24 bits) before account number
-- (26 bits). Each part is multiplied by an odd constant modulo its size, so that consecutive numbers do not look alike.
-- Numbers beyond these sizes get a further group.
create or replace function kinora.credit_trans_no(p_account bigint, p_n bigint) returns text
language plpgsql immutable
as $$
declare
  c_alphabet constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  v_bits bigint := ((((p_n & 16777215) * 11400715) & 16777215) << 26) | (((p_account & 67108863) * 40503127) & 67108863);
  v_text text := '';
begin
  for v_shift in reverse 45..0 by 5 loop
    v_text := v_text || substr(c_alphabet, ((v_bits >> v_shift) & 31)::integer + 1, 1);
    if v_shift in (30, 10) then
      v_text := v_text || '-';
    end if;
  end loop;
  if p_n >> 24 > 0 or p_account >> 26 > 0 then
    v_text := v_text || '-' || upper(to_hex(p_n >> 24)) || 'X' || upper(to_hex(p_account >> 26));
  end if;
  return v_text;
end
$$;

-- Returns a time in whole milliseconds since 1970, as JavaScript has it.
create or replace function kinora.epoch_ms(p_time timestamptz) returns bigint
language sql stable
return floor(extract(epoch from p_time) * 1000)::bigint;

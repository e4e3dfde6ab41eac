-- Ids of rows and numbers of transactions. These functions are pure: they read and write no table.

-- Returns a new UUIDv7 (RFC 9562) for a row that a SQL function creates itself. p_sequence: a counter, 0 to 4095, in
-- the 12 bits after the time, so that the ids of one call sort in its sequence; random without one.
create or replace function kinora.uuid_v7(p_now timestamptz, p_sequence integer default null) returns uuid
language sql volatile
return encode(
  overlay(
    uuid_send(gen_random_uuid())
    placing int8send(
      (extract(epoch from p_now) * 1000)::bigint << 16
      | 28672 | (coalesce(p_sequence, floor(random() * 4096)::integer) & 4095)
    )
    from 1 for 8
  ),
  'hex'
)::uuid;

-- Returns the id that precedes all UUIDv7 of a time and later ones.
create or replace function kinora.first_id(p_time timestamptz) returns uuid
language sql immutable
return encode(int8send((extract(epoch from p_time) * 1000)::bigint << 16) || '\x0000000000000000'::bytea, 'hex')::uuid;

-- Returns whether an owner is that of a test key: an account beside the one of a user or team, marked by a bit that no
-- UUID of RFC 9562 has (testOwnerOf in id.ts). It has films and credits of its own, in no sum over all owners.
create or replace function kinora.is_test(p_user_id uuid) returns boolean
language sql immutable
return get_byte(uuid_send(p_user_id), 8) & 64 <> 0;

-- Returns the id of row p_n of a set: a UUIDv7 that the set has made once (p_seed, from uuid_send), with the number in
-- its last four bytes. It costs 0.3 µs instead of the 2 of uuid_v7, which asks for random bytes, and the ids sort in
-- the sequence of the set.
create or replace function kinora.uuid_of_set(p_seed bytea, p_n integer) returns uuid
language sql immutable
return encode(overlay(p_seed placing int4send(p_n) from 13), 'hex')::uuid;

-- Returns 50 bits as ten characters of Crockford's base32, in groups of 4, 4 and 2. One expression, which PostgreSQL
-- inlines: in a set of rows it costs a tenth of a function with a loop. The alphabet is bytes, because a text is
-- searched from its start.
create or replace function kinora.base32(p_bits bigint) returns text
language sql immutable
return encode(
  substring('0123456789ABCDEFGHJKMNPQRSTVWXYZ'::bytea, (p_bits >> 45 & 31)::integer + 1, 1)
  || substring('0123456789ABCDEFGHJKMNPQRSTVWXYZ'::bytea, (p_bits >> 40 & 31)::integer + 1, 1)
  || substring('0123456789ABCDEFGHJKMNPQRSTVWXYZ'::bytea, (p_bits >> 35 & 31)::integer + 1, 1)
  || substring('0123456789ABCDEFGHJKMNPQRSTVWXYZ'::bytea, (p_bits >> 30 & 31)::integer + 1, 1)
  || '-' || substring('0123456789ABCDEFGHJKMNPQRSTVWXYZ'::bytea, (p_bits >> 25 & 31)::integer + 1, 1)
  || substring('0123456789ABCDEFGHJKMNPQRSTVWXYZ'::bytea, (p_bits >> 20 & 31)::integer + 1, 1)
  || substring('0123456789ABCDEFGHJKMNPQRSTVWXYZ'::bytea, (p_bits >> 15 & 31)::integer + 1, 1)
  || substring('0123456789ABCDEFGHJKMNPQRSTVWXYZ'::bytea, (p_bits >> 10 & 31)::integer + 1, 1)
  || '-' || substring('0123456789ABCDEFGHJKMNPQRSTVWXYZ'::bytea, (p_bits >> 5 & 31)::integer + 1, 1)
  || substring('0123456789ABCDEFGHJKMNPQRSTVWXYZ'::bytea, (p_bits & 31)::integer + 1, 1),
  'escape'
);

-- Returns the transaction number: ten characters of Crockford's base32 (no I, L, O, U), which people can read aloud.
-- The mapping is a bijection, so the number is unique without an index: row number (24 bits) before account number
-- (26 bits). Each part is multiplied by an odd constant modulo its size, so that consecutive numbers do not look alike.
-- Numbers beyond these sizes get a further group.
create or replace function kinora.credit_trans_no(p_account bigint, p_n bigint) returns text
language sql immutable
return kinora.base32(
    (((p_n & 16777215) * 11400715) & 16777215) << 26 | (((p_account & 67108863) * 40503127) & 67108863)
  )
  || case
    when p_n >> 24 > 0 or p_account >> 26 > 0
    then '-' || upper(to_hex(p_n >> 24)) || 'X' || upper(to_hex(p_account >> 26))
    else ''
  end;

-- Returns a time in whole milliseconds since 1970, as JavaScript has it. In double precision, which is exact to the
-- millisecond once the time is truncated, and needs a third of the CPU time of numeric; each history row is hashed with
-- it. Infinity, which only damage writes, is 9e18: an error would keep verify() from naming that row and from checking
-- the others.
create or replace function kinora.epoch_ms(p_time timestamptz) returns bigint
language sql stable
return case
  when isfinite(p_time) is false then 9000000000000000000
  else round(date_part('epoch', date_trunc('milliseconds', p_time)) * 1000)::bigint
end;

-- Limits of the new-user gift: one for each normalised e-mail address, and a cap for each network and day. Addresses are stored
-- as keyed hashes only (HMAC-SHA256 with AUTH_SECRET), and neither table names a user.

-- Normalised e-mail addresses that have had the gift.
create table kinora.gift_address (
  address_hash bytea not null,
  created_at timestamptz not null,
  constraint gift_address_pkey primary key (address_hash)
);

create index gift_address_age on kinora.gift_address using brin (created_at);

-- How many gifts a network (IPv4 /24, IPv6 /64) had on a day in UTC.
create table kinora.gift_network (
  network_hash bytea not null,
  day date not null,
  gifts integer not null,
  constraint gift_network_pkey primary key (network_hash, day)
);

-- gift_refusal: why the gift was decided against. gift_seen: the state of the gift that the user has been notified of.
alter table kinora.credit_account add column gift_refusal text, add column gift_seen text;

-- The secrets of webhooks before previous_secret, newest first, and until when each of them signs. A rotation keeps them: the response
-- to the rotation before it may have been lost, and then the receiver has none of the newer secrets.

-- step: secrets of accounts
alter table kinora.webhook_account
add column if not exists earlier_secrets bytea[] not null default '{}',
add column if not exists earlier_until timestamptz[] not null default '{}';

-- step: secrets of endpoints
alter table kinora.webhook_endpoint
add column if not exists earlier_secrets bytea[] not null default '{}',
add column if not exists earlier_until timestamptz[] not null default '{}';

-- The 30 s of the latest code of the app that was accepted, counted from 1970 (RFC 6238): each code counts once.
-- step: latest code of a second factor
alter table public."twoFactor" add column if not exists "lastStep" integer;

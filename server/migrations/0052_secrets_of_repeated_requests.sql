-- The secrets of webhooks before previous_secret, newest first, and until when each of them signs. A rotation keeps them: the response
-- to the rotation before it may have been lost, and then the receiver has none of the newer secrets.

alter table kinora.webhook_account
add column earlier_secrets bytea[] not null default '{}',
add column earlier_until timestamptz[] not null default '{}';

alter table kinora.webhook_endpoint
add column earlier_secrets bytea[] not null default '{}',
add column earlier_until timestamptz[] not null default '{}';

-- The 30 s of the latest code of the app that was accepted, counted from 1970 (RFC 6238): each code counts once.
alter table public."twoFactor" add column "lastStep" integer;

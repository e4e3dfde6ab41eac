-- Revoked credentials, for the caches of the API processes. Triggers write the rows, so that a revocation and its row are one
-- transaction, whichever process, library or operator revokes. The trigger's function is in schema public, because those of
-- schema kinora are replaced with every release, and a trigger holds its function by OID.

-- step: table credential_revocation
create table if not exists kinora.credential_revocation (
  -- The transaction. A poller reads by it, because transactions become visible in another sequence than that of their times.
  xid xid8 not null default pg_current_xact_id(),
  -- public."user"."id".
  user_id text not null,
  at timestamptz not null default now(),
  constraint credential_revocation_pkey primary key (xid, user_id)
);

-- step: function note_revocation
-- The argument of the trigger names the column that has the user's id.
create or replace function public.note_revocation() returns trigger
language plpgsql
as $$
begin
  insert into kinora.credential_revocation (user_id) values (to_jsonb(old) ->> tg_argv[0]) on conflict do nothing;
  return null;
end
$$;

-- step: session deleted
create or replace trigger session_deleted after delete on public."session"
for each row execute function public.note_revocation('userId');

-- step: session changed
create or replace trigger session_changed after update on public."session"
for each row
when (
  old."token" <> new."token" or old."userId" <> new."userId" or old."expiresAt" > new."expiresAt"
)
execute function public.note_revocation('userId');

-- step: key deleted
create or replace trigger apikey_deleted after delete on public."apikey"
for each row execute function public.note_revocation('referenceId');

-- step: key changed
create or replace trigger apikey_changed after update on public."apikey"
for each row
when (
  old."key" <> new."key"
  or old."referenceId" <> new."referenceId"
  or old."enabled" is distinct from new."enabled"
  or old."expiresAt" is distinct from new."expiresAt"
)
execute function public.note_revocation('referenceId');

-- step: user deleted
create or replace trigger user_deleted after delete on public."user"
for each row execute function public.note_revocation('id');

-- step: user changed
create or replace trigger user_changed after update on public."user"
for each row
when (
  old."role" is distinct from new."role"
  or old."banned" is distinct from new."banned"
  or old."banExpires" is distinct from new."banExpires"
)
execute function public.note_revocation('id');

-- Session tokens are stored as SHA-256 hashes. The trigger keeps any other program from storing one as it is: a process of the
-- release before, or an operator. Such a process does not find sessions any more; docs/upgrades.md says what that means.

-- step: function
-- The same text as storedToken in server/src/account/session-token.ts.
create or replace function public.stored_token(token text) returns text
language sql immutable strict parallel safe
return 'sha256:' || rtrim(translate(encode(sha256(convert_to(token, 'UTF8')), 'base64'), '+/', '-_'), '=');

-- step: function of the trigger
create or replace function public.hash_session_token() returns trigger
language plpgsql
as $$
begin
  new."token" := public.stored_token(new."token");
  return new;
end
$$;

-- step: trigger
create or replace trigger session_token_hashed before insert or update of "token" on public."session"
for each row when (new."token" not like 'sha256:%') execute function public.hash_session_token();

-- repeated step: sessions of before
update public."session" set "token" = public.stored_token("token")
where "id" in (select "id" from public."session" where "token" not like 'sha256:%' limit 2000);

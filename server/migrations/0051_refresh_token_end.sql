-- The absolute end of a program's connection (ASVS 10.4.8): better-auth's plugin gives each refresh token 30 days from its own issue, so a
-- program that refreshes would stay connected for ever. All tokens of one consent have one authorizationCodeId. The first one sets the end, its
-- successors inherit it, and no token expires later. A connection from before this migration gets its end at its next refresh.

alter table public."oauthRefreshToken" add column "endsAt" timestamptz;

create or replace function public.bound_refresh_token() returns trigger
language plpgsql
set search_path = ''
as $$
begin
  select min(t."endsAt") into new."endsAt"
  from public."oauthRefreshToken" t
  where t."authorizationCodeId" = new."authorizationCodeId";
  new."endsAt" := coalesce(new."endsAt", new."createdAt" + interval '90 days');
  new."expiresAt" := least(new."expiresAt", new."endsAt");
  return new;
end
$$;

create or replace trigger oauth_refresh_token_bounded before insert on public."oauthRefreshToken"
for each row execute function public.bound_refresh_token();

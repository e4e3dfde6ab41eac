-- OAuth 2.1 for MCP clients: the tables of better-auth's plugin oauth-provider, with the library's names, and the triggers that make a
-- disconnected program lose its access within a second (0018_revocations.sql). All tables are new, so nothing is locked for long.

create table if not exists public."oauthClient" (
  "id" text not null primary key,
  "clientId" text not null unique,
  "clientSecret" text,
  "clientDiscoveryId" text,
  "disabled" boolean,
  "skipConsent" boolean,
  "enableEndSession" boolean,
  "subjectType" text,
  "scopes" jsonb,
  "clientCredentialsScopes" jsonb,
  "userId" text references public."user" ("id") on delete cascade,
  "createdAt" timestamptz,
  "updatedAt" timestamptz,
  "name" text,
  "uri" text,
  "icon" text,
  "contacts" jsonb,
  "tos" text,
  "policy" text,
  "softwareId" text,
  "softwareVersion" text,
  "softwareStatement" text,
  "redirectUris" jsonb not null,
  "postLogoutRedirectUris" jsonb,
  "backchannelLogoutUri" text,
  "backchannelLogoutSessionRequired" boolean,
  "tokenEndpointAuthMethod" text,
  "applicationType" text,
  "jwks" text,
  "jwksUri" text,
  "grantTypes" jsonb,
  "responseTypes" jsonb,
  "requirePKCE" boolean,
  "dpopBoundAccessTokens" boolean,
  "referenceId" text,
  "metadata" jsonb
);
create index if not exists "oauthClient_userId_idx" on public."oauthClient" ("userId");
-- Those that no user has connected are removed, oldest first.
create index if not exists "oauthClient_createdAt_idx" on public."oauthClient" ("createdAt");

create table if not exists public."oauthResource" (
  "id" text not null primary key,
  "identifier" text not null unique,
  "name" text not null,
  "accessTokenTtl" integer,
  "refreshTokenTtl" integer,
  "signingAlgorithm" text,
  "signingKeyId" text,
  "allowedScopes" jsonb,
  "customClaims" jsonb,
  "dpopBoundAccessTokensRequired" boolean,
  "disabled" boolean,
  "createdAt" timestamptz,
  "updatedAt" timestamptz,
  "policyVersion" integer,
  "metadata" jsonb
);

create table if not exists public."oauthClientResource" (
  "id" text not null primary key,
  "clientId" text not null references public."oauthClient" ("clientId") on delete cascade,
  "resourceId" text not null references public."oauthResource" ("identifier") on delete cascade,
  "metadata" jsonb,
  "createdAt" timestamptz
);
create index if not exists "oauthClientResource_clientId_idx" on public."oauthClientResource" ("clientId");
create index if not exists "oauthClientResource_resourceId_idx" on public."oauthClientResource" ("resourceId");
create unique index if not exists "oauthClientResource_clientId_resourceId_uidx"
on public."oauthClientResource" ("clientId", "resourceId");

create table if not exists public."oauthRefreshToken" (
  "id" text not null primary key,
  "token" text not null unique,
  "clientId" text not null references public."oauthClient" ("clientId") on delete cascade,
  "sessionId" text references public."session" ("id") on delete set null,
  "userId" text not null references public."user" ("id") on delete cascade,
  "referenceId" text,
  "authorizationCodeId" text,
  "resources" jsonb,
  "requestedUserInfoClaims" jsonb,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null,
  "revoked" timestamptz,
  "rotatedAt" timestamptz,
  "rotationReplayResponse" text,
  "rotationReplayExpiresAt" timestamptz,
  "authTime" timestamptz,
  "confirmation" jsonb,
  "scopes" jsonb not null
);
create index if not exists "oauthRefreshToken_clientId_idx" on public."oauthRefreshToken" ("clientId");
create index if not exists "oauthRefreshToken_sessionId_idx" on public."oauthRefreshToken" ("sessionId");
create index if not exists "oauthRefreshToken_userId_idx" on public."oauthRefreshToken" ("userId");
create index if not exists "oauthRefreshToken_authorizationCodeId_idx" on public."oauthRefreshToken" ("authorizationCodeId");
create index if not exists "oauthRefreshToken_expiresAt_idx" on public."oauthRefreshToken" ("expiresAt");

create table if not exists public."oauthAccessToken" (
  "id" text not null primary key,
  "token" text not null unique,
  "clientId" text not null references public."oauthClient" ("clientId") on delete cascade,
  "sessionId" text references public."session" ("id") on delete set null,
  "userId" text references public."user" ("id") on delete cascade,
  "referenceId" text,
  "authorizationCodeId" text,
  "resources" jsonb,
  "requestedUserInfoClaims" jsonb,
  "refreshId" text references public."oauthRefreshToken" ("id") on delete cascade,
  "expiresAt" timestamptz not null,
  "createdAt" timestamptz not null,
  "revoked" timestamptz,
  "confirmation" jsonb,
  "scopes" jsonb not null
);
create index if not exists "oauthAccessToken_clientId_idx" on public."oauthAccessToken" ("clientId");
create index if not exists "oauthAccessToken_sessionId_idx" on public."oauthAccessToken" ("sessionId");
create index if not exists "oauthAccessToken_userId_idx" on public."oauthAccessToken" ("userId");
create index if not exists "oauthAccessToken_authorizationCodeId_idx" on public."oauthAccessToken" ("authorizationCodeId");
create index if not exists "oauthAccessToken_refreshId_idx" on public."oauthAccessToken" ("refreshId");
create index if not exists "oauthAccessToken_expiresAt_idx" on public."oauthAccessToken" ("expiresAt");

create table if not exists public."oauthConsent" (
  "id" text not null primary key,
  "clientId" text not null references public."oauthClient" ("clientId") on delete cascade,
  "userId" text references public."user" ("id") on delete cascade,
  "referenceId" text,
  "resources" jsonb,
  "requestedUserInfoClaims" jsonb,
  "scopes" jsonb not null,
  "createdAt" timestamptz not null,
  "updatedAt" timestamptz not null
);
create index if not exists "oauthConsent_clientId_idx" on public."oauthConsent" ("clientId");
create index if not exists "oauthConsent_userId_idx" on public."oauthConsent" ("userId");

create table if not exists public."oauthClientAssertion" (
  "id" text not null primary key,
  "expiresAt" timestamptz not null
);

create or replace trigger oauth_consent_deleted after delete on public."oauthConsent"
for each row execute function public.note_revocation('userId');

create or replace trigger oauth_consent_changed after update on public."oauthConsent"
for each row
when (old."scopes" is distinct from new."scopes")
execute function public.note_revocation('userId');

create or replace trigger oauth_token_deleted after delete on public."oauthAccessToken"
for each row
when (old."userId" is not null)
execute function public.note_revocation('userId');

create or replace trigger oauth_token_revoked after update on public."oauthAccessToken"
for each row
when (old."userId" is not null and old."revoked" is distinct from new."revoked")
execute function public.note_revocation('userId');

-- The tables of better-auth's plugins two-factor and passkey, with the library's names.

alter table public."user" add column "twoFactorEnabled" boolean;

-- Secret and recovery codes are encrypted with AUTH_SECRET. A row that is not verified is a set-up that was not finished.
create table public."twoFactor" (
  "id" text not null primary key,
  "secret" text not null,
  "backupCodes" text not null,
  "userId" text not null unique references public."user" ("id") on delete cascade,
  "verified" boolean,
  "failedVerificationCount" integer,
  "lockedUntil" timestamptz
);

create table public."passkey" (
  "id" text not null primary key,
  "name" text,
  "publicKey" text not null,
  "userId" text not null references public."user" ("id") on delete cascade,
  "credentialID" text not null,
  "counter" integer not null,
  "deviceType" text not null,
  "backedUp" boolean not null,
  "transports" text,
  "createdAt" timestamptz,
  "aaguid" text
);
create index "passkey_userId_idx" on public."passkey" ("userId");
create unique index "passkey_credentialID_idx" on public."passkey" ("credentialID");

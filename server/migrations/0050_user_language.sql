-- The language in which the service writes to a user (server/src/text/language.ts); null: it is not known yet, so English.

alter table public."user" add column "language" text;

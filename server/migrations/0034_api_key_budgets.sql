-- Scopes and budgets of API keys, and what each key has spent. A key without a row in kinora.api_key, from before, has all scopes
-- and no budget.

-- step: table api_key
-- A row is kept when its key is deleted: a request that is under way with the key still finds its budget.
create table if not exists kinora.api_key (
  user_id uuid not null,
  -- public."apikey"."id".
  id uuid not null,
  scopes text[] not null,
  -- Credits that the key may spend in a period; null: as many as the account has.
  budget bigint,
  budget_period text,
  created_at timestamptz not null,
  constraint api_key_pkey primary key (user_id, id),
  constraint api_key_scopes_known check (scopes <@ array['read', 'generate', 'account']),
  constraint api_key_budget_not_negative check (budget >= 0),
  constraint api_key_period_known check (budget_period in ('day', 'week', 'month')),
  constraint api_key_budget_has_period check ((budget is null) = (budget_period is null))
);

-- step: table api_key_usage
-- What a key has frozen or spent, by the UTC day of the freeze; a released hold is taken off again. The sum of the days of a period
-- is what its budget has lost.
create table if not exists kinora.api_key_usage (
  user_id uuid not null,
  key_id uuid not null,
  day date not null,
  credits bigint not null,
  videos integer not null,
  constraint api_key_usage_pkey primary key (user_id, key_id, day),
  constraint api_key_usage_not_negative check (credits >= 0 and videos >= 0)
) with (fillfactor = 70);

-- step: the key of a hold
-- The API key whose request froze the credits; null: a session, or a release before this one.
alter table kinora.credit_hold add column if not exists key_id uuid;

-- Payment events that an administrator dismisses, and indexes for the subscriptions whose record lags behind the time. Every new
-- column is nullable, so no table is rewritten.

-- step: columns of payment_event
-- When, by which administrator and why it was dismissed. Null unless its state is dismissed.
alter table kinora.payment_event add column if not exists dismissed_at timestamptz;

-- step: columns of payment_event
alter table kinora.payment_event add column if not exists dismissed_by uuid;

-- step: columns of payment_event
alter table kinora.payment_event add column if not exists dismissed_reason text;

-- step: check payment_event_state_known
alter table kinora.payment_event
  drop constraint if exists payment_event_state_known,
  add constraint payment_event_state_known check (
    state in ('applied', 'ignored', 'unmatched', 'failed', 'dismissed')
  ) not valid;

-- step: validate payment_event_state_known
alter table kinora.payment_event validate constraint payment_event_state_known;

-- step: check payment_event_dismissal_complete
alter table kinora.payment_event
  drop constraint if exists payment_event_dismissal_complete,
  add constraint payment_event_dismissal_complete check (
    (state = 'dismissed') = (dismissed_at is not null)
    and (state = 'dismissed') = (dismissed_by is not null)
    and (state = 'dismissed') = (dismissed_reason is not null)
  ) not valid;

-- step: validate payment_event_dismissal_complete
alter table kinora.payment_event validate constraint payment_event_dismissal_complete;

-- step: index payment_event_not_applied
-- Reconciliation asks whether an event of an object has failed or is dismissed.
create index concurrently if not exists payment_event_not_applied on kinora.payment_event using gin (refs)
where state in ('failed', 'dismissed');

-- step: index payment_event_dismissed_body
create index concurrently if not exists payment_event_dismissed_body on kinora.payment_event (dismissed_at)
where body <> '' and state = 'dismissed';

-- step: index subscription_renewing
-- Records that still look as if they renewed, by the end of their period.
create index concurrently if not exists subscription_renewing
on kinora.subscription (processor, (coalesce(current_period_end, updated_at)))
where status in ('active', 'trialing', 'past_due') or (status = 'expired' and cancelled_at is null);

-- step: index subscription_incomplete
-- Records whose first payment is open.
create index concurrently if not exists subscription_incomplete on kinora.subscription (processor, updated_at)
where status = 'incomplete';

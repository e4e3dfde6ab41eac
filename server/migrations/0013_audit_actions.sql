-- The audit log filtered by action, newest first. Filters by user and by actor have their indexes since 0008.

-- step: index audit_by_action
create index concurrently if not exists audit_by_action on kinora.audit (action, id);

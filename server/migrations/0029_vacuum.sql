-- Vacuum by the tables' own pace. PostgreSQL's default waits until a fifth of a table is dead: two million rows at ten million
-- videos, whose places are then not used again for hours. The lock of each step conflicts with no read or write of rows.

-- step: video
-- A video has seven versions in its life, all but one in new index entries.
alter table kinora.video set (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);

-- step: credit_hold
alter table kinora.credit_hold set (
  autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);

-- step: credit_account
-- Updated in place (HOT) by each movement: vacuum frees the line pointers and keeps the table small.
alter table kinora.credit_account set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- step: credit_package
alter table kinora.credit_package set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 1000);

-- step: credit_transaction
-- Rows are only added. Vacuum marks their pages, without which an index-only scan reads the table as well.
alter table kinora.credit_transaction set (
  autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02
);

-- step: video_log
-- The retention sweep deletes its oldest rows in batches.
alter table kinora.video_log set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);

-- step: webhook_delivery
alter table kinora.webhook_delivery set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000);

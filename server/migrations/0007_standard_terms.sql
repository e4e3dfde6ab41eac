-- Renames to one meaning a word: "event" is a payment event or an SSE message, so a video's history is its log; "claim" is
-- a worker's lease on a row, so what a refund or dispute asks back is a refund claim; "order" is not a sort key.

-- All locks at once, in the order in which the functions take them: a statement that runs meanwhile waits or is waited for, and
-- cannot deadlock with this migration.
lock table kinora.credit_account, kinora.video, kinora.credit_package, kinora.credit_claim, kinora.subscription, kinora.video_event
in access exclusive mode;

alter table kinora.video_event rename to video_log;
alter table kinora.video_log rename column event to entry;
alter table kinora.video_log rename constraint video_event_pkey to video_log_pkey;
alter index kinora.video_event_at rename to video_log_at;

alter table kinora.video rename column turn to provider_index;

update kinora.video_log set entry = 'not accepted' where entry = 'not taken';
update kinora.video_log set detail = 'NOT_ACCEPTED' || substr(detail, 10) where entry = 'failed' and detail like 'NOT\_TAKEN:%';
update kinora.video set error_code = 'NOT_ACCEPTED' where error_code = 'NOT_TAKEN';

alter table kinora.credit_claim rename to credit_refund_claim;
alter table kinora.credit_refund_claim rename constraint credit_claim_pkey to credit_refund_claim_pkey;
alter table kinora.credit_refund_claim rename constraint claim_part_in_range to refund_claim_part_in_range;
alter table kinora.credit_package rename column claimed to refund_claimed;
alter table kinora.credit_package rename constraint package_part_claimed_in_range to package_refund_claimed_in_range;
alter table kinora.credit_account rename column welcomed_at to gift_at;

alter table kinora.subscription rename column facts_order to facts_sort_key;
alter table kinora.subscription rename column status_order to status_sort_key;
alter index kinora.payment_event_waiting rename to payment_event_unmatched;

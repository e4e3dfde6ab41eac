-- Recent log entries of all users, for provider health. Entries are only inserted, in the order of time, so a BRIN index is
-- enough: 24 kB for 1.25 million entries.
create index video_event_at on kinora.video_event using brin (at) with (autosummarize = on);

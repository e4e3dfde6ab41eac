-- What happened lately, over all users: administrators ask how the providers do. Events are only ever added, in the order
-- of time, so a block range index does: 24 kB for 1.25 million events, and an insert does not touch it page by page.
create index video_event_at on kinora.video_event using brin (at) with (autosummarize = on);

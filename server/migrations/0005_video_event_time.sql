-- What happened lately, over all users: administrators ask how the providers do. Events are only ever added, in the order
-- of time, so a block range index is enough: 24 kB of it for 1.25 million events.
create index video_event_at on kinora.video_event using brin (at) with (autosummarize = on);

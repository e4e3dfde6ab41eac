-- The counters of the rate limits that several API processes share (RATE_LIMIT_STORE=postgresql). Unlogged: a commit that
-- writes nothing else waits for no disk, and after a crash of the database counting begins anew. Every attempt updates its
-- row, so half of a page is left for its next versions (HOT).
create unlogged table kinora.rate_counter (
  counter text not null,
  -- A user id, the prefix of an IP address, or the hash of an account or device.
  key text not null,
  count integer not null,
  -- The end of the window; rows whose window is over are deleted within minutes.
  until timestamptz not null,
  constraint rate_counter_pkey primary key (counter, key)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 1000);

-- What lists, filters and event streams read of a user with very many videos. Most steps of a video change due_at and so enter the
-- row into every index that has it; these are partial, so that only a video's last step writes them, except the one of unfinished ones.

-- step: index video_final
create index concurrently if not exists video_final on kinora.video (user_id, status, id)
where due_at is null and deleted_at is null;

-- step: index video_final_model
create index concurrently if not exists video_final_model on kinora.video (user_id, model, status, id)
where due_at is null and deleted_at is null;

-- step: index video_unfinished
create index concurrently if not exists video_unfinished on kinora.video (user_id, id) where due_at is not null;

-- step: index video_changed
-- What an event stream that resumes reads: final videos that changed since.
create index concurrently if not exists video_changed on kinora.video (user_id, updated_at) where due_at is null;

-- step: extension pg_trgm
-- Both are trusted: the owner of the database may create them. They are in no schema whose functions are replaced.
create extension if not exists pg_trgm schema public;

-- step: extension btree_gin
create extension if not exists btree_gin schema public;

-- step: schemas of the extensions
-- An operator may have created them in another schema. The indexes name their operator classes without one.
select set_config('search_path', concat_ws(', ', 'public', (
  select string_agg(distinct quote_ident(n.nspname), ', ')
  from pg_extension e
  join pg_namespace n on n.oid = e.extnamespace
  where e.extname in ('pg_trgm', 'btree_gin')
)), false);

-- step: index video_search
-- The search in prompts. New entries gather in a list that every search reads, so the list is kept short.
create index concurrently if not exists video_search on kinora.video using gin (user_id, lower(prompt) gin_trgm_ops)
with (gin_pending_list_limit = 512) where due_at is null and deleted_at is null;

-- step: index user_search
-- The administrator's search for a part of an address or name.
create index concurrently if not exists user_search on public."user"
using gin (lower("email") gin_trgm_ops, lower("name") gin_trgm_ops) with (fastupdate = off);

-- step: the schema of other migrations
select set_config('search_path', 'public', false);

-- step: index transaction_of_type
-- The history filtered by type. VIDEO_CONSUME is nearly every second row and is read by the primary key.
create index concurrently if not exists transaction_of_type on kinora.credit_transaction (user_id, trans_type, n)
where trans_type <> 'VIDEO_CONSUME';

/**
 * The filters of the list of videos. Each condition is written once: statements have it by db/filter.ts, and the
 * functions that search with settings of the planner of their own have all of them in `kinora.video_matches`, which
 * `npm run schema` writes to server/sql/video_filter.sql.
 */
import { type Static, type TSchema, Type } from 'typebox'
import { schemasOf } from '../film/fields.ts'
import { type Metadata, metadataSchema } from '../film/limits.ts'
import { CUT, MODE_NAME, TEXT_TO_VIDEO } from '../film/mode.ts'
import { firstIdOf, NIL_UUID } from '../id.ts'
import { textOf } from './call.ts'
import type { Query } from './db.ts'
import { filter, isPlain, type QueryOf } from './filter.ts'

/** In the place of a folder: the videos in none. */
export const UNFILED = 'none'

/** The counters of a user's final videos (kinora.video_count), as `v`, have the columns of these filters. */
export const countedFilters = {
  status: videoFilter(schemasOf('list').status, 'v.status = :value'),
  kind: videoFilter(
    Type.Enum(['film', 'cut'], { description: 'Films, or the cuts of projects alone; films when left out' }),
    `case when :value = '${CUT}' then v.model = '${CUT}' else v.model <> '${CUT}' end`,
  ),
  model: videoFilter(Type.String({ maxLength: 100, description: 'Only videos of this model' }), 'v.model = :value'),
}
/** An id begins with its time. */
export const periodFilters = {
  from: videoFilter(
    Type.String({ format: 'date-time', description: 'Only videos requested then or later' }),
    'v.id > :value::uuid',
    (from) => firstIdOf(new Date(from)),
  ),
  to: videoFilter(
    Type.String({ format: 'date-time', description: 'Only videos requested before' }),
    'v.id < :value::uuid',
    (to) => firstIdOf(new Date(to)),
  ),
}
/** No index has these in the sequence of a list. */
export const searchFilters = {
  metadata: videoFilter(
    Type.Unsafe<Metadata>({
      ...metadataSchema,
      description: 'Only videos with these notes: metadata[order]=1234, more of them together',
    }),
    'v.metadata @> :value::text::jsonb',
    (metadata) => JSON.stringify(metadata),
  ),
  q: videoFilter(
    Type.String({
      maxLength: 100,
      description:
        'Only videos with this text in their prompt, case-insensitive. Of more than 2,000 videos, total counts 200 at most.',
    }),
    // For the planner: one of two partial indexes has each prompt.
    '(v.has_trigrams or not v.has_trigrams) and lower(v.prompt) like lower(:value)',
    likePattern,
  ),
}
export const uncountedFilters = {
  mode: videoFilter(
    Type.String({ pattern: MODE_NAME, description: 'Only videos of this mode of their model' }),
    // The index leaves out the mode that most have.
    `v.mode = :value and (:value = '${TEXT_TO_VIDEO}' or v.mode <> '${TEXT_TO_VIDEO}')`,
  ),
  aspectRatio: videoFilter(
    Type.String({ maxLength: 20, description: 'Only videos that were requested in this shape, such as 9:16' }),
    'v.aspect_ratio = :value',
  ),
  favourite: videoFilter(
    Type.Boolean({ description: 'Only favourites, or with false all others' }),
    'v.favourite = :value::boolean',
  ),
  folder: videoFilter(
    Type.String({
      pattern: `^(?:${UNFILED}|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})$`,
      description: `Only videos in the folder with this id; ${UNFILED}: those in no folder`,
    }),
    `case when :value::uuid = '${NIL_UUID}' then v.folder_id is null else v.folder_id = :value::uuid end`,
    (folder) => (folder === UNFILED ? NIL_UUID : folder),
  ),
  madeBy: videoFilter(
    Type.String({
      format: 'uuid',
      description: 'Only videos that this member of the team, API key or connected program made',
    }),
    'v.made_by = :value::uuid',
  ),
  subject: videoFilter(
    Type.String({ maxLength: 64, description: 'Only videos that browser tokens of this subject made' }),
    'v.subject = :value',
  ),
  ...periodFilters,
  ...searchFilters,
}
export const videoFilters = { ...countedFilters, ...uncountedFilters }
export type VideoQuery = QueryOf<typeof videoFilters>

/** `:value` in the condition stands for what `sent` makes of the filter's value. */
function videoFilter<Schema extends TSchema>(
  schema: Schema,
  condition: string,
  sent: (value: Static<Schema>) => string | boolean = (value) => value as string | boolean,
) {
  const where = (sql: Query, value: Static<Schema>) => {
    const [first = '', ...rest] = condition.split(':value')
    return rest.reduce((all, text) => sql`${all}${sent(value)}${textOf(sql, text)}`, textOf(sql, first))
  }
  return { ...filter(schema, where), condition, sent }
}

/** Makes the pattern of LIKE for texts that contain `text`. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`
}

/** What `kinora.video_matches` takes: the values of the filters in the query. */
export const filterOf = (query: VideoQuery): object =>
  Object.fromEntries(
    Object.entries(videoFilters).flatMap(([name, { sent }]) => {
      const value = query[name as keyof VideoQuery]
      return value === undefined ? [] : [[name, sent(value as never)]]
    }),
  )

/** Whether kinora.video_count has the total. */
export const isCounted = (query: VideoQuery): boolean => isPlain(uncountedFilters, query)

/** Every video of a user is in one of these, which have indexes in the sequence of a list. */
const inSequence = {
  completed:
    "v.status = 'COMPLETED' and v.due_at is null and coalesce(p_filter ->> 'status', 'COMPLETED') = 'COMPLETED'",
  failed: "v.status = 'FAILED' and v.due_at is null and coalesce(p_filter ->> 'status', 'FAILED') = 'FAILED'",
  unfinished: 'v.due_at is not null',
}

/** The statement of a page of ids. The direction is in its text: an index is read in one. */
const pageQuery = (direction: 'asc' | 'desc') => `return query
    select v.id
    from (
${Object.values(inSequence)
  .map(
    (condition) => `      (
        select v.id
        from kinora.video v
        where v.user_id = p_user_id and v.deleted_at is null and ${condition}
          and kinora.video_matches(p_video => v, p_filter => p_filter) and (p_cursor is null or v.id ${direction === 'asc' ? '>' : '<'} p_cursor)
        order by v.id ${direction} limit p_skip + p_limit
      )`,
  )
  .join(' union all\n')}
    ) v
    order by v.id ${direction} limit p_limit offset p_skip;`

/** The text of server/sql/video_filter.sql. */
export const videoFilterSql = (): string => `-- Written by \`npm run schema\` from server/src/db/video-filters.ts.

-- Returns whether a list that is narrowed has the video. It is inlined, so that with a plan made for the values each
-- condition is there or not, and an index serves it.
create or replace function kinora.video_matches(p_video kinora.video, p_filter jsonb) returns boolean
language sql immutable
return ${Object.entries(videoFilters)
  .map(([name, { condition }]) => {
    const text = condition.replaceAll(':value', `(p_filter ->> '${name}')`).replace(/\bv\./g, 'p_video.')
    return `(p_filter -> '${name}' is null or (${text}))`
  })
  .join('\n  and ')};

-- Returns ids of a user's videos behind a cursor, the newest or the oldest first. Each part is read from an index in
-- the sequence of the page, and because each has a limit, they are merged row by row: without it the planner, which
-- expects a user to have few videos, sorts all of them. The plan is made for the values of the filter.
create or replace function kinora.video_page(
  p_user_id uuid, p_filter jsonb, p_is_oldest_first boolean, p_skip bigint, p_limit bigint, p_cursor uuid default null
) returns setof uuid
language plpgsql stable
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
as $$
begin
  if p_is_oldest_first then
    ${pageQuery('asc')}
  else
    ${pageQuery('desc')}
  end if;
end
$$;
`

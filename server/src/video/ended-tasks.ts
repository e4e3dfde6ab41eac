/** What tasks at providers ended in, by the videos' log: for the health of accounts and of routes. */
import type { Sql } from '../db/db.ts'

/**
 * A common table expression `ended`: a row for each entry of the log since then that ends a task or a submit, with its
 * `account`, `model` and `outcome`: succeeded, failed, repeated (a submit that another one may make good), refused (for
 * its content, parameters or image), ours. `recent` beside it has the entries. The provider of a failed submit is in
 * the log's detail, that of a final status in the video's row.
 */
export const endedTasks = (sql: Sql, since: Date) => sql`
  with recent as materialized (
    select user_id, video_id, entry, detail, at
    from kinora.video_log
    where at > ${since} and entry in ('not accepted', 'no answer', 'completed', 'failed') and not kinora.is_test(user_id)
  ),
  ended as (
    select r.video_id,
           case
             when r.entry in ('completed', 'failed') then v.providers[v.provider_index]
             else split_part(r.detail, ': ', 1)
           end as account,
           v.model,
           v.accepted_at,
           r.at,
           case
             when r.entry = 'completed' then 'succeeded'
             when r.entry in ('not accepted', 'no answer') then
               case
                 when split_part(r.detail, ': ', 1) <> v.providers[v.provider_index] or v.error_code = 'NOT_ACCEPTED' then 'failed'
                 else 'repeated'
               end
             when v.error_code in ('CONTENT_REFUSED', 'PARAMETERS_REFUSED', 'INPUT_REFUSED') then 'refused'
             -- NOT_ACCEPTED: its submits are counted. NOT_STORED: a failure of this service. CANCELLED: by the user.
             when v.error_code in ('NOT_ACCEPTED', 'NOT_STORED', 'CANCELLED') then 'ours'
             else 'failed'
           end as outcome,
           case
             when r.entry = 'failed' then v.error
             else substr(r.detail, strpos(r.detail, ': ') + 2)
           end as reason,
           case
             when r.entry = 'completed' then round(extract(epoch from v.result_at - v.accepted_at), 1)::double precision
           end as seconds
    from recent r
    left join kinora.video v on v.user_id = r.user_id and v.id = r.video_id
  )
`

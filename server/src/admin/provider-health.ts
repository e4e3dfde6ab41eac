/**
 * The health of each AI provider, computed from the videos' log (video_log) and the videos in progress. No process keeps
 * counters in memory, so every API process returns the same numbers.
 *
 * Counted as a provider's failures: submits that it did not accept or did not respond to, tasks that it reported as failed or
 * did not finish in time, and unusable films. Tasks refused for their content are counted separately, failures of this
 * service not at all.
 */
import { type App, fromEach } from '../app.ts'
import { catalogue } from '../video/catalogue.ts'

export type ProviderHealth = {
  id: string
  /** Whether this process has settings for it. */
  configured: boolean
  /** Its models, in the order of the catalogue. */
  models: string[]
  /** Tasks it is working on, and videos not submitted to it yet. */
  inProgress: number
  waiting: number
  /** Of the last `windowSeconds`. */
  succeeded: number
  failed: number
  refused: number
  /** 0..1; null without any succeeded or failed task. */
  failureShare: number | null
  /** Median of the seconds from acceptance to result; null without a completed film. */
  medianSeconds: number | null
  /** Within the last 24 hours, or within the window when the last hour has ENOUGH_ENTRIES; null: none. */
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  lastFailureReason: string | null
}

/** The window is an hour, or a shorter one that already has enough log entries, so that the query's cost stays bounded. */
const WINDOWS_S = [60, 300, 900, 3600]
const ENOUGH_ENTRIES = 5_000
const DAY_S = 86_400

export async function providerHealth(
  app: App,
): Promise<{ providers: ProviderHealth[]; windowSeconds: number; checkedAt: Date }> {
  const checkedAt = app.now()
  const [loads, { outcomes, windowSeconds, isAll }] = await Promise.all([loadOf(app), latestOutcomes(app, checkedAt)])
  const ofDay = isAll ? await outcomesSince(app, checkedAt, DAY_S) : outcomes
  const models = [...catalogue().values()]
  const ids = new Set([...app.providers.keys(), ...loads.map((each) => each.id), ...ofDay.map((each) => each.id)])
  const providers = [...ids].sort().map((id): ProviderHealth => {
    const load = loads.find((each) => each.id === id)
    const recent = outcomes.find((each) => each.id === id)
    const day = ofDay.find((each) => each.id === id)
    const { succeeded = 0, failed = 0, refused = 0 } = recent ?? {}
    return {
      id,
      configured: app.providers.has(id),
      models: models.filter((model) => model.providers.includes(id)).map((model) => model.id),
      inProgress: load?.inProgress ?? 0,
      waiting: load?.waiting ?? 0,
      succeeded,
      failed,
      refused,
      failureShare: succeeded + failed > 0 ? Math.round((failed / (succeeded + failed)) * 1000) / 1000 : null,
      medianSeconds: recent?.medianSeconds == null ? null : Math.round(recent.medianSeconds * 10) / 10,
      lastSuccessAt: day?.lastSuccessAt ?? null,
      lastFailureAt: day?.lastFailureAt ?? null,
      lastFailureReason: day?.lastFailureReason ?? null,
    }
  })
  return { providers, windowSeconds, checkedAt }
}

type Load = { id: string; inProgress: number; waiting: number }

async function loadOf(app: App): Promise<Load[]> {
  const parts = await fromEach(
    app,
    app.shards(),
    (sql) => sql<Load[]>`
      select providers[provider_index] as id,
             count(*) filter (where submitted_at is not null and status <> 'UPLOADING') as in_progress,
             count(*) filter (where submitted_at is null) as waiting
      from kinora.video
      where due_at is not null
      group by 1
    `,
  )
  return [...Map.groupBy(parts, ({ id }) => id)].map(([id, rows]) => ({
    id,
    inProgress: rows.reduce((sum, each) => sum + each.inProgress, 0),
    waiting: rows.reduce((sum, each) => sum + each.waiting, 0),
  }))
}

type Outcomes = Pick<
  ProviderHealth,
  'id' | 'succeeded' | 'failed' | 'refused' | 'medianSeconds' | 'lastSuccessAt' | 'lastFailureAt' | 'lastFailureReason'
> & { entries: number }

/** `isAll`: the longest window was read and has few entries, so reading a day is cheap as well. */
async function latestOutcomes(app: App, now: Date) {
  for (const windowSeconds of WINDOWS_S) {
    const outcomes = await outcomesSince(app, now, windowSeconds)
    const isEnough = outcomes.reduce((sum, each) => sum + each.entries, 0) >= ENOUGH_ENTRIES
    if (isEnough || windowSeconds === WINDOWS_S.at(-1)) return { outcomes, windowSeconds, isAll: !isEnough }
  }
  throw new Error('WINDOWS_S is empty')
}

/** Outcomes of tasks in the last seconds, by provider. The provider of a failed submit is in the log's detail, that of a final
 * status in the video's row. */
async function outcomesSince(app: App, now: Date, seconds: number): Promise<Outcomes[]> {
  const parts = await fromEach(
    app,
    app.shards(),
    (sql) => sql<Outcomes[]>`
      with recent as materialized (
        select user_id, video_id, entry, detail, at
        from kinora.video_log
        where at > ${new Date(now.getTime() - seconds * 1000)}
          and entry in ('not accepted', 'no answer', 'completed', 'failed')
      ),
      ended as (
        select coalesce(v.providers[v.provider_index], split_part(r.detail, ': ', 1)) as id,
               r.at,
               case
                 when r.entry = 'completed' then 'succeeded'
                 when r.entry <> 'failed' then 'failed'
                 when v.error_code = 'REFUSED' then 'refused'
                 -- NOT_ACCEPTED: each submit is already counted. NOT_STORED: a failure of this service.
                 when v.error_code in ('NOT_ACCEPTED', 'NOT_STORED') then 'ours'
                 else 'failed'
               end as outcome,
               case
                 when r.entry = 'failed' then v.error
                 else substr(r.detail, strpos(r.detail, ': ') + 2)
               end as reason,
               extract(epoch from v.result_at - v.accepted_at)::double precision as seconds
        from recent r
        left join kinora.video v
          on r.entry in ('completed', 'failed') and v.user_id = r.user_id and v.id = r.video_id
      )
      select id,
             count(*) as entries,
             count(*) filter (where outcome = 'succeeded') as succeeded,
             count(*) filter (where outcome = 'failed') as failed,
             count(*) filter (where outcome = 'refused') as refused,
             percentile_cont(0.5) within group (order by seconds) filter (where outcome = 'succeeded') as median_seconds,
             max(at) filter (where outcome = 'succeeded') as last_success_at,
             max(at) filter (where outcome = 'failed') as last_failure_at,
             (array_agg(reason order by at desc) filter (where outcome = 'failed'))[1] as last_failure_reason
      from ended
      where id is not null
      group by id
    `,
  )
  return [...Map.groupBy(parts, ({ id }) => id).values()].map(together)
}

/** Of several shards the median is that of the shard with the most films: users are divided by a hash. */
function together(parts: Outcomes[]): Outcomes {
  const latest = (at: (part: Outcomes) => Date | null): Outcomes =>
    parts.reduce((best, part) => ((at(part)?.getTime() ?? 0) > (at(best)?.getTime() ?? 0) ? part : best))
  const sum = (of: (part: Outcomes) => number) => parts.reduce((total, part) => total + of(part), 0)
  const failure = latest((part) => part.lastFailureAt)
  const most = parts.reduce((best, part) => (part.succeeded > best.succeeded ? part : best))
  return {
    ...most,
    entries: sum((part) => part.entries),
    succeeded: sum((part) => part.succeeded),
    failed: sum((part) => part.failed),
    refused: sum((part) => part.refused),
    lastSuccessAt: latest((part) => part.lastSuccessAt).lastSuccessAt,
    lastFailureAt: failure.lastFailureAt,
    lastFailureReason: failure.lastFailureReason,
  }
}

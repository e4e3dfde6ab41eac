/**
 * How each AI provider does, from what was noted about videos (video_log) and from those in progress; no process keeps
 * anything in memory for it, so every API process answers the same.
 *
 * A failure is the provider's: a task it did not take or did not answer, said had failed, did not finish in time, or whose
 * film was unusable. What it refused because of its content is counted apart, and our own trouble not at all.
 */
import type { App } from '../app.ts'
import { catalogue } from '../video/catalogue.ts'

export type ProviderHealth = {
  id: string
  /** Whether this process has settings for it. */
  configured: boolean
  /** Models that are made there, in the order of the catalogue. */
  models: string[]
  /** Tasks it has now, and videos that wait to be sent to it. */
  inProgress: number
  waiting: number
  /** Of the last `windowSeconds`. */
  succeeded: number
  failed: number
  refused: number
  /** 0..1; null when nothing ended. */
  failureShare: number | null
  /** Seconds from acceptance to result, half of the films took less; null when there was none. */
  medianSeconds: number | null
  /** Within the last 24 hours; null: none. */
  lastSuccessAt: Date | null
  lastFailureAt: Date | null
  lastFailureReason: string | null
}

/**
 * An hour; less where that is already plenty, so that the question costs about the same however busy the service is.
 */
const WINDOWS_S = [60, 300, 900, 3600]
const ENOUGH_EVENTS = 5_000
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
    const lately = outcomes.find((each) => each.id === id)
    const day = ofDay.find((each) => each.id === id)
    const { succeeded = 0, failed = 0, refused = 0 } = lately ?? {}
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
      medianSeconds: lately?.medianSeconds == null ? null : Math.round(lately.medianSeconds * 10) / 10,
      lastSuccessAt: day?.lastSuccessAt ?? null,
      lastFailureAt: day?.lastFailureAt ?? null,
      lastFailureReason: day?.lastFailureReason ?? null,
    }
  })
  return { providers, windowSeconds, checkedAt }
}

type Load = { id: string; inProgress: number; waiting: number }

async function loadOf({ sql }: App): Promise<Load[]> {
  return [
    ...(await sql<Load[]>`
      select providers[provider_index] as id,
             count(*) filter (where submitted_at is not null and status <> 'UPLOADING') as in_progress,
             count(*) filter (where submitted_at is null) as waiting
      from kinora.video
      where due_at is not null
      group by 1
    `),
  ]
}

type Outcomes = Pick<
  ProviderHealth,
  'id' | 'succeeded' | 'failed' | 'refused' | 'medianSeconds' | 'lastSuccessAt' | 'lastFailureAt' | 'lastFailureReason'
> & { events: number }

/** `isAll`: the whole hour was looked at, and a day is not much to look at either. */
async function latestOutcomes(app: App, now: Date) {
  for (const windowSeconds of WINDOWS_S) {
    const outcomes = await outcomesSince(app, now, windowSeconds)
    const isEnough = outcomes.reduce((sum, each) => sum + each.events, 0) >= ENOUGH_EVENTS
    if (isEnough || windowSeconds === WINDOWS_S.at(-1)) return { outcomes, windowSeconds, isAll: !isEnough }
  }
  throw new Error('there is no window to look through')
}

/**
 * What became of tasks since then, by provider. Of an attempt the note names the provider; of an end the video does.
 */
async function outcomesSince({ sql }: App, now: Date, seconds: number): Promise<Outcomes[]> {
  return [
    ...(await sql<Outcomes[]>`
      with recent as materialized (
        select user_id, video_id, entry, detail, at
        from kinora.video_log
        where at > ${new Date(now.getTime() - seconds * 1000)}
          and entry in ('not taken', 'no answer', 'completed', 'failed')
      ),
      ended as (
        select coalesce(v.providers[v.provider_index], split_part(r.detail, ': ', 1)) as id,
               r.at,
               case
                 when r.entry = 'completed' then 'succeeded'
                 when r.entry <> 'failed' then 'failed'
                 when v.error_code = 'REFUSED' then 'refused'
                 -- Nobody took it: each attempt has been counted. Not stored: that was us.
                 when v.error_code in ('NOT_TAKEN', 'NOT_STORED') then 'ours'
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
             count(*) as events,
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
    `),
  ]
}

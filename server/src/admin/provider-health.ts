/**
 * The health of each AI provider, computed from the videos' log (video_log) and the videos in progress. No process
 * keeps counters in memory, so every API process returns the same numbers.
 *
 * Counted as a provider's failures: films that it reported as failed or did not finish in time, that were unusable,
 * that went to another provider because it did not accept them, and that no provider took. A film counts once, however
 * many submits it needed; a submit that a repetition made good is no failure. Films refused for their content,
 * parameters or image are counted separately, failures of this service not at all.
 */
import type { App } from '../app.ts'
import { everyModel } from '../catalogue/catalogue.ts'
import { figures, type Merges, max, merged, sum } from '../db/parts.ts'
import { endedTasks } from '../video/ended-tasks.ts'
import { readRoutes } from '../video/route-health.ts'
import { type ProviderBalance, readBalances } from './balances.ts'
import { type Off, readOffs } from './switches.ts'

export type ProviderHealth = {
  id: string
  /** Whether this process has settings for it. */
  configured: boolean
  /** The switch that keeps it from new films; null: it is on. */
  off: Off | null
  /** Its models, in the order of the catalogue. */
  models: string[]
  /** Those of its models whose route fails: it is tried last (video/route-health.ts). */
  failingModels: string[]
  /** Tasks it is working on, and videos not submitted to it yet. */
  inProgress: number
  waiting: number
  /** Films of the last `windowSeconds`. */
  succeeded: number
  failed: number
  refused: number
  /** 0..1; null without any succeeded or failed task. */
  failureShare: number | null
  /** Median of the seconds from acceptance to result, of tenths of a second; null without a completed film. */
  medianSeconds: number | null
  /** The latest within the last 24 hours, or within the window when the last hour has ENOUGH_ENTRIES; null: none. */
  lastSuccessAt: Date | null
  /** Of a submit that was not accepted too. */
  lastFailureAt: Date | null
  lastFailureReason: string | null
  /** Null: its vendor has no call that tells. */
  balance: ProviderBalance | null
}

/** The window is an hour, or a shorter one with enough log entries, so the query's cost is bounded. */
const WINDOWS_S = [60, 300, 900, 3600]
const ENOUGH_ENTRIES = 5_000
const DAY_S = 86_400

export async function providerHealth(
  app: App,
): Promise<{ providers: ProviderHealth[]; windowSeconds: number; checkedAt: Date }> {
  const checkedAt = app.now()
  const [loads, { outcomes, windowSeconds, isAll }, routes, offOf, balances] = await Promise.all([
    loadOf(app),
    latestOutcomes(app, checkedAt),
    readRoutes(app),
    readOffs(app),
    readBalances(app),
  ])
  const ofDay = isAll ? await outcomesSince(app, checkedAt, DAY_S) : outcomes
  const models = [...everyModel().values()]
  const ids = new Set([...app.providers.ids, ...loads.map((each) => each.id), ...ofDay.map((each) => each.id)])
  const providers = [...ids].sort().map((id): ProviderHealth => {
    const load = loads.find((each) => each.id === id)
    const recent = outcomes.find((each) => each.id === id)
    const day = ofDay.find((each) => each.id === id)
    const { succeeded = 0, failed = 0, refused = 0 } = recent ?? {}
    return {
      id,
      configured: app.providers.has(id),
      off: offOf({ model: '', account: id }),
      models: models.filter((model) => model.routes.some((route) => route.account === id)).map((model) => model.id),
      failingModels: routes.flatMap((each) => (each.account === id && each.failingSince ? each.model : [])),
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
      balance: balances.get(id) ?? null,
    }
  })
  return { providers, windowSeconds, checkedAt }
}

type Load = { id: string; inProgress: number; waiting: number }

const loadOf = (app: App): Promise<Load[]> =>
  figures<Load>(
    app,
    (sql) => sql`
      select providers[provider_index] as id,
             count(*) filter (where submitted_at is not null and status <> 'UPLOADING') as in_progress,
             count(*) filter (where submitted_at is null) as waiting
      from kinora.video
      where due_at is not null and not kinora.is_test(user_id)
      group by 1
    `,
    { inProgress: sum, waiting: sum },
  )

type Outcomes = Pick<
  ProviderHealth,
  'id' | 'succeeded' | 'failed' | 'refused' | 'lastSuccessAt' | 'lastFailureAt' | 'lastFailureReason'
> & { entries: number }

/** A row of the histogram: what took as long; `seconds` null: what did not succeed. */
type OutcomesBySeconds = Outcomes & { seconds: number | null }

const outcomeMerges: Merges<Outcomes> = {
  entries: sum,
  succeeded: sum,
  failed: sum,
  refused: sum,
  lastSuccessAt: max,
  lastFailureAt: max,
  lastFailureReason: (a, b, ofA, ofB) => (max(ofA.lastFailureAt, ofB.lastFailureAt) === ofA.lastFailureAt ? a : b),
}

/** `isAll`: the longest window was read and has few entries, so reading a day is cheap as well. */
async function latestOutcomes(app: App, now: Date) {
  for (const windowSeconds of WINDOWS_S) {
    const outcomes = await outcomesSince(app, now, windowSeconds)
    const isEnough = outcomes.reduce((sum, each) => sum + each.entries, 0) >= ENOUGH_ENTRIES
    if (isEnough || windowSeconds === WINDOWS_S.at(-1)) return { outcomes, windowSeconds, isAll: !isEnough }
  }
  throw new Error('WINDOWS_S is empty')
}

/** Outcomes of tasks in the last seconds, by provider. */
async function outcomesSince(
  app: App,
  now: Date,
  seconds: number,
): Promise<(Outcomes & Pick<ProviderHealth, 'medianSeconds'>)[]> {
  const rows = await outcomesBySeconds(app, new Date(now.getTime() - seconds * 1000))
  const totals = merged<Outcomes>(
    rows.map(({ seconds: _, ...outcomes }) => outcomes),
    outcomeMerges,
  )
  return totals.map((each) => ({ ...each, medianSeconds: median(rows.filter(({ id }) => id === each.id)) }))
}

const outcomesBySeconds = (app: App, since: Date): Promise<OutcomesBySeconds[]> =>
  figures<OutcomesBySeconds>(
    app,
    (sql) => sql`
      ${endedTasks(sql, since)}
      select account as id,
             seconds,
             count(*) as entries,
             count(*) filter (where outcome = 'succeeded') as succeeded,
             count(distinct video_id) filter (where outcome = 'failed') as failed,
             count(*) filter (where outcome = 'refused') as refused,
             max(at) filter (where outcome = 'succeeded') as last_success_at,
             max(at) filter (where outcome in ('failed', 'repeated')) as last_failure_at,
             (array_agg(reason order by at desc) filter (where outcome in ('failed', 'repeated')))[1] as last_failure_reason
      from ended
      where account is not null
      group by account, seconds
    `,
    outcomeMerges,
  )

/** Films of the last hour that are not as they were ordered, and yet near enough to be kept. */
export const differingFilms = (app: App): Promise<{ provider: string; model: string; films: number }[]> =>
  figures<{ id: string; provider: string; model: string; films: number }>(
    app,
    (sql) => sql`
      select v.providers[v.provider_index] || ' ' || v.model as id,
             v.providers[v.provider_index] as provider,
             v.model,
             count(*) filter (where kinora.film_differs(v)) as films
      from kinora.video_log r
      join kinora.video v on v.user_id = r.user_id and v.id = r.video_id
      where r.at > ${new Date(app.now().getTime() - 3600_000)} and r.entry = 'completed' and not kinora.is_test(r.user_id)
      group by 2, 3
    `,
    { films: sum, provider: (a) => a, model: (a) => a },
  )

/** @returns the mean of the two in the middle when their number is even; null without any */
function median(histogram: readonly OutcomesBySeconds[]): number | null {
  const values = histogram
    .flatMap(({ seconds, succeeded }) => (seconds === null ? [] : Array.from({ length: succeeded }, () => seconds)))
    .sort((a, b) => a - b)
  const middle = (values.length - 1) / 2
  const [low, high] = [values[Math.floor(middle)], values[Math.ceil(middle)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

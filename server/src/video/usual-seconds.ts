/**
 * How long a film of a model takes at an account, as the last ones took: what a new film's progress and remaining
 * seconds are estimated from, until its provider says better. Read at most every five minutes, for all models and
 * accounts at once, beside the requests.
 */
import type { App } from '../app.ts'
import type { Model } from '../catalogue/model.ts'
import { figures, sum } from '../db/parts.ts'

const READ_EVERY_MS = 5 * 60_000
/** The films that are read: of a day, and not more than these of the newest ones of each database node. */
const FILMS_MAX = 2_000
/** Fewer films tell less than those of the account's other models, and these less than the catalogue does. */
const ENOUGH_FILMS = 10
/** Of a film of the simulator (simulator/src/tasks.ts), to which no vendor's figure applies. */
const SIMULATED_S = 5

/** By account and model, and by account. */
type Medians = { readAtMs: number; byRoute: ReadonlyMap<string, number> }
const cached = new WeakMap<App['sql'], Medians>()

/** Whole seconds, at least one. */
export function usualSecondsOf(app: App, { id, usualSeconds }: Model, account: string): number {
  const nowMs = app.now().getTime()
  const medians = cached.get(app.sql) ?? { readAtMs: Number.NEGATIVE_INFINITY, byRoute: new Map() }
  if (Math.abs(nowMs - medians.readAtMs) > READ_EVERY_MS) {
    cached.set(app.sql, { ...medians, readAtMs: nowMs })
    void refresh(app, nowMs)
  }
  const measured = medians.byRoute.get(`${account} ${id}`) ?? medians.byRoute.get(account)
  return measured ?? (app.config.providers[account]?.isSimulated ? SIMULATED_S : usualSeconds)
}

async function refresh(app: App, nowMs: number): Promise<void> {
  try {
    const histogram = await readHistogram(app, nowMs)
    const routes = Map.groupBy(histogram, ({ route }) => route)
    const accounts = Map.groupBy(histogram, ({ route }) => route.slice(0, route.indexOf(' ')))
    const medians = [...routes, ...accounts].map(([route, counts]) => [route, medianOf(counts)] as const)
    const byRoute = new Map(medians.flatMap(([route, median]) => (median === null ? [] : [[route, median]])))
    cached.set(app.sql, { readAtMs: nowMs, byRoute })
  } catch (err) {
    app.log.warn({ err }, 'the usual seconds of films could not be read')
  }
}

type Count = { id: string; route: string; seconds: number; films: number }

const readHistogram = (app: App, nowMs: number): Promise<Count[]> =>
  figures<Count>(
    app,
    (sql) => sql`
      select route || ' ' || seconds as id, route, seconds, count(*) as films
      from (
        select providers[provider_index] || ' ' || model as route,
               greatest(1, round(extract(epoch from result_at - accepted_at)))::integer as seconds
        from kinora.video
        where video_key is not null
          and files_removed_at is null
          and completed_at > ${new Date(nowMs - 86_400_000)}
          and not kinora.is_test(user_id)
        order by completed_at desc
        limit ${FILMS_MAX}
      ) film
      where seconds is not null
      group by route, seconds
      order by route, seconds
    `,
    { films: sum, route: (a) => a, seconds: (a) => a },
  )

function medianOf(counts: readonly Count[]): number | null {
  const films = counts.reduce((total, each) => total + each.films, 0)
  if (films < ENOUGH_FILMS) return null
  let before = 0
  for (const each of counts.toSorted((a, b) => a.seconds - b.seconds)) {
    before += each.films
    if (before * 2 >= films) return each.seconds
  }
  return null
}

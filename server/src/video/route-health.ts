/**
 * The health of routes (a model at an account), by which a submit puts the accounts of a film in order. A route fails
 * when half of its last tasks failed, or its vendor does not know the model; it is then the last one, until a film that
 * was sent to it since has succeeded: a probe, or one for which no other route had room. All processes share the rows
 * of kinora.route_health, which are written when a route begins or ends to fail and for a probe; a task that ends is
 * only in the videos' log.
 */

import type { App } from '../app.ts'
import { call } from '../db/call.ts'
import { fromEach } from '../db/parts.ts'
import { endedTasks } from './ended-tasks.ts'

export type RouteHealth = {
  account: string
  model: string
  /** Null: it works again. */
  failingSince: Date | null
  recoveredAt: Date | null
  /** What the vendor said when it did not know the model; null: it fails otherwise, or works. */
  unknownModel: string | null
}

/** The tasks that count, and the failures without which a route does not fail. */
const LAST_TASKS = 20
const FAILED_MIN = 3
/** The log is read for the shortest of these times that has as many entries. */
const WINDOWS_S = [60, 600, 3600, 86_400]
const ENOUGH_ENTRIES = 2_000
/** Of a process. */
const JUDGE_EVERY_MS = 5_000
const CACHE_MS = 1_000

type State = {
  /** Keys of routes. */
  failing: ReadonlySet<string>
  readAtMs: number
  /** Of the next judgement; null: none within JUDGE_EVERY_MS. */
  timer: NodeJS.Timeout | null
  /** Whether there is anything to judge. */
  isNews: boolean
}
const states = new WeakMap<App['sql'], State>()

function stateOf({ sql }: App): State {
  const state = states.get(sql) ?? {
    failing: new Set(),
    readAtMs: Number.NEGATIVE_INFINITY,
    timer: null,
    isNews: false,
  }
  states.set(sql, state)
  return state
}

const keyOf = ({ account, model }: { account: string; model: string }): string => `${account} ${model}`

/** Those that have failed once. */
export const readRoutes = async ({ sql }: App): Promise<RouteHealth[]> => [
  ...(await sql<RouteHealth[]>`
    select account, model, failing_since, recovered_at, unknown_model from kinora.route_health order by account, model
  `),
]

/**
 * The accounts with those whose route fails at the end. The first one is tried all the same when its probe is due: one
 * film, of all processes.
 */
export async function orderByHealth(app: App, accounts: readonly string[], model: string): Promise<string[]> {
  const failing = await failingRoutes(app)
  const fails = (account: string) => failing.has(keyOf({ account, model }))
  const [first = '', ...rest] = accounts
  const last = accounts.filter(fails)
  if (last.length === 0 || last.length === accounts.length) return [...accounts]
  if (fails(first) && (await claimProbe(app, first, model)))
    return [first, ...rest.filter((each) => !fails(each)), ...rest.filter(fails)]
  return [...accounts.filter((each) => !fails(each)), ...last]
}

/** What is known stays known while it cannot be read: a worker with one part of the database makes its films. */
async function failingRoutes(app: App): Promise<ReadonlySet<string>> {
  const state = stateOf(app)
  const nowMs = app.now().getTime()
  if (Math.abs(nowMs - state.readAtMs) >= CACHE_MS) {
    await refresh(app, state).catch((err: unknown) => app.log.warn({ err }, 'the health of routes could not be read'))
  }
  return state.failing
}

async function refresh(app: App, state: State): Promise<RouteHealth[]> {
  state.readAtMs = app.now().getTime()
  const routes = await readRoutes(app)
  state.failing = new Set(routes.filter(({ failingSince }) => failingSince).map(keyOf))
  return routes
}

/** @returns false also when it cannot be claimed, for the reason of failingRoutes */
async function claimProbe({ sql, now, log }: App, account: string, model: string): Promise<boolean> {
  try {
    const isClaimed = await call(sql, 'route_claim_probe', { account, model, now: now() })
    return isClaimed
  } catch (err) {
    log.warn({ err }, 'the probe of a route could not be claimed')
    return false
  }
}

/** A film has failed. Routes are judged at once, or JUDGE_EVERY_MS after the last time; not for a failing one. */
export function noteFailure(app: App, { account, model }: { account: string; model?: string }): void {
  if (model === undefined || !stateOf(app).failing.has(keyOf({ account, model }))) judge(app)
}

/** A film is completed. A route that fails is judged, as after a failure. */
export function noteSuccess(app: App, route: { account: string; model: string }): void {
  if (stateOf(app).failing.has(keyOf(route))) judge(app)
}

/** The vendor does not know the model: its route fails until a probe succeeds. */
export async function setModelUnknown(
  app: App,
  { account, model, reason }: { account: string; model: string; reason: string },
): Promise<void> {
  try {
    const { now, log, sql } = app
    const route = { account, model, isFailing: true, recoveredAt: null, unknownModel: reason, now: now() }
    if (await call(sql, 'route_set_failing', route))
      log.error({ provider: account, model, reason }, 'a provider does not know the model of a route any more')
    await refresh(app, stateOf(app))
  } catch (err) {
    app.log.warn({ err }, 'the health of a route could not be written')
  }
}

function judge(app: App): void {
  const state = stateOf(app)
  state.isNews = true
  if (!state.timer) judgeSoon(app, state, 0)
}

function judgeSoon(app: App, state: State, pauseMs: number): void {
  state.timer = setTimeout(() => {
    state.timer = null
    if (!state.isNews) return
    state.isNews = false
    judgeSoon(app, state, JUDGE_EVERY_MS)
    judgeRoutes(app).catch((err: unknown) => app.log.warn({ err }, 'the health of routes could not be judged'))
  }, pauseMs).unref()
}

/** Finds out from the videos' log which routes fail and which work again. */
export async function judgeRoutes(app: App): Promise<void> {
  const state = stateOf(app)
  const [tasks, routes] = await Promise.all([lastTasks(app), refresh(app, state)])
  for (const [key, ofRoute] of Map.groupBy(tasks, keyOf)) {
    const [{ account, model } = { account: '', model: '' }] = ofRoute
    const route = routes.find((each) => keyOf(each) === key)
    const isFailing = verdict(ofRoute, route)
    if (isFailing === null) continue
    const isNew = await call(app.sql, 'route_set_failing', {
      account,
      model,
      isFailing,
      recoveredAt: route?.recoveredAt ?? null,
      unknownModel: null,
      now: app.now(),
    })
    if (isNew && isFailing) app.log.warn({ provider: account, model }, 'a route fails and is tried last')
    else if (isNew) app.log.info({ provider: account, model }, 'a route works again')
  }
  await refresh(app, state)
}

type EndedTask = {
  account: string
  model: string
  at: Date
  hasFailed: boolean
  acceptedAt: Date | null
  entries: number
}

/** @returns whether the route begins (true) or ends (false) to fail; null: neither */
function verdict(tasks: readonly EndedTask[], route: RouteHealth | undefined): boolean | null {
  const { failingSince = null, recoveredAt = null } = route ?? {}
  if (failingSince) {
    const isProven = tasks.some(({ hasFailed, acceptedAt }) => !hasFailed && acceptedAt && acceptedAt > failingSince)
    return isProven ? false : null
  }
  const counted = tasks
    .filter(({ at }) => !recoveredAt || at > recoveredAt)
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, LAST_TASKS)
  const failed = counted.filter(({ hasFailed }) => hasFailed).length
  return failed >= FAILED_MIN && failed * 2 >= counted.length ? true : null
}

/** The last tasks of each route. A film counts once at each, however many submits it needed there. */
async function lastTasks(app: App): Promise<EndedTask[]> {
  for (const seconds of WINDOWS_S) {
    const since = new Date(app.now().getTime() - seconds * 1000)
    const tasks = await fromEach(
      app,
      app.database.parts(),
      (sql) => sql<EndedTask[]>`
        ${endedTasks(sql, since)}
        select account, model, at, outcome = 'failed' as has_failed, accepted_at, (select count(*) from recent) as entries
        from (
          select e.*, row_number() over (partition by account, model order by at desc) as nth
          from (
            select distinct on (account, model, video_id) account, model, video_id, at, outcome, accepted_at
            from ended
            where outcome in ('succeeded', 'failed') and account is not null and model is not null
            order by account, model, video_id, at desc
          ) e
        ) numbered
        where nth <= ${LAST_TASKS}
      `,
    )
    if ((tasks[0]?.entries ?? 0) >= ENOUGH_ENTRIES || seconds === WINDOWS_S.at(-1)) return tasks
  }
  return []
}

/**
 * What happens to the videos of the users who are looking on: one tail a process, whatever the number of streams, and no
 * query while nobody looks. States are told, not differences: at least once, and in an order in which status and progress
 * of a video never fall.
 *
 * Nothing is missed however late a transaction becomes visible. Making a video always writes the next numbered row of its
 * user's history, under the lock of the account, so that these numbers become visible in their order. What becomes of it
 * then is seen on its own row, which is read by its key until it is final. Only deletions, and what happened while a
 * client was away, are found by time, which is looked back over by `OVERLAP_MS`.
 */
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { type Status, type TaskStatus, taskColumns } from './library.ts'

export type VideoEvent = { kind: 'video'; video: TaskStatus } | { kind: 'deleted'; uuid: string }

/** Gets what is new, oldest video first; `at`: whoever resumes from this moment has missed nothing. */
export type Listener = (events: VideoEvent[], at: Date) => void

export type Tail = {
  /**
   * Tells the listener the videos of a user: at once those in progress and, with `since`, all that has happened after it;
   * then what comes. Answers when the listener has had the first, and how to leave.
   */
  follow: (userId: string, since: Date | null, listener: Listener) => Promise<() => void>
  /** Whoever resumes from this moment has missed nothing; it moves on while nothing happens. */
  seenUntil: () => Date
  close: () => void
}

const LOOK_EVERY_MS = 250
/** A look that takes long makes the next one later, so that looking takes a tenth of the time, but no later than this. */
const LOOK_EVERY_MAX_MS = 600
const LOOK_SHARE = 0.1
const AFTER_ERROR_MS = 1000
/** While only the progress of a video changes, it is told once in this time. */
const PROGRESS_EVERY_MS = 1000
/**
 * How late a change may become visible after the time that is written on it: a statement may run for 30 s, after waiting
 * for a connection; and the clocks of two machines differ.
 */
const OVERLAP_MS = 120_000
/** Of one user in one look; what is more comes with the next. */
const MADE_MAX = 200

type Row = TaskStatus & { userId: string; n: number | null; deletedAt: Date | null }
type Told = { status: Status; progress: number; atMs: number }
type Watched = {
  /** The last numbered row of the history that has been looked at. */
  n: number
  listeners: Set<Listener>
  /** What has been told last of the videos that are not final. */
  inProgress: Map<string, Told>
  /** Deletions within the overlap, which have been told. */
  deleted: Set<string>
}
type Newcomer = { userId: string; since: Date | null; listener: Listener; admitted: PromiseWithResolvers<void> }

export function openTail(app: App): Tail {
  const watched = new Map<string, Watched>()
  let newcomers: Newcomer[] = []
  let seenUntil = new Date(0)
  let isRunning = false
  let isClosed = false
  let isBlind = false
  let wake = () => {}

  /** Goes on for as long as somebody looks on. */
  async function run(): Promise<void> {
    isRunning = true
    let nextLookMs = 0
    while (!isClosed && (watched.size > 0 || newcomers.length > 0)) {
      const startMs = performance.now()
      try {
        await admit()
        if (startMs >= nextLookMs && watched.size > 0) {
          await look()
          nextLookMs = startMs + pauseAfter(performance.now() - startMs)
          if (isBlind) app.log.info('the event streams go on')
          isBlind = false
        }
      } catch (err) {
        if (!isBlind) app.log.warn({ err }, 'the event streams cannot be fed; trying again until they can')
        isBlind = true
        nextLookMs = startMs + AFTER_ERROR_MS
      }
      if (newcomers.length === 0) await rest(Math.max(0, nextLookMs - performance.now()))
    }
    isRunning = false
  }

  function rest(ms: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    wake = () => {
      clearTimeout(timer)
      resolve()
    }
    return promise
  }

  /** The first read of those who have just come, all at once. It is the tail that reads, so that no look gets in between. */
  async function admit(): Promise<void> {
    const admitted = newcomers
    newcomers = []
    if (admitted.length === 0) return
    const at = app.now()
    let rows: FirstRow[]
    try {
      rows = await firstRead(app, admitted, at)
    } catch (err) {
      for (const each of admitted) each.admitted.reject(err)
      throw err
    }
    if (watched.size === 0) seenUntil = at
    const rowsOf = Map.groupBy(rows, (row) => row.newcomer)
    for (const [i, newcomer] of admitted.entries()) {
      welcome(watched, newcomer, rowsOf.get(i) ?? [], at)
      newcomer.admitted.resolve()
    }
  }

  async function look(): Promise<void> {
    const at = app.now()
    const rows = await changes(app, watched, at)
    for (const [userId, news] of Map.groupBy(rows, (row) => row.userId)) {
      const user = watched.get(userId)
      const events = user ? whatToTell(user, news, at) : []
      if (events.length > 0) for (const listener of user?.listeners ?? []) listener(events, at)
    }
    seenUntil = at
  }

  return {
    follow: async (userId, since, listener) => {
      if (isClosed) throw stopping()
      const admitted = Promise.withResolvers<void>()
      newcomers.push({ userId, since, listener, admitted })
      wake()
      if (!isRunning) void run()
      await admitted.promise
      return () => {
        const user = watched.get(userId)
        user?.listeners.delete(listener)
        if (user?.listeners.size === 0) watched.delete(userId)
        if (watched.size === 0) wake()
      }
    },
    seenUntil: () => seenUntil,
    close: () => {
      isClosed = true
      wake()
      for (const each of newcomers) each.admitted.reject(stopping())
    },
  }
}

const pauseAfter = (lookMs: number): number => Math.max(LOOK_EVERY_MS, Math.min(LOOK_EVERY_MAX_MS, lookMs / LOOK_SHARE))

const stopping = () => new AppError('UNAVAILABLE', 'This server is stopping; connect again.', { retryAfterS: 1 })

/** `newcomer`: whose row it is, by position. Without a video there is still one row, for `n`. */
type FirstRow = (Row | { uuid: null; n: number }) & { newcomer: number }

/**
 * Videos in progress are the newest as a rule, and the account says how many there are, so reading backwards ends early.
 * What changed since a moment takes all rows of the user, like a page of the list with its total.
 */
async function firstRead({ sql }: App, newcomers: Newcomer[], at: Date): Promise<FirstRow[]> {
  const columns = sql`v.user_id, ${taskColumns(sql, at)}, v.deleted_at`
  const sinces = newcomers.map(({ since }) => since && before(since).toISOString())
  const rows = await sql<FirstRow[]>`
    select came.i::integer - 1 as newcomer, coalesce(a.transactions, 0) as n, v.*
    from unnest(${newcomers.map(({ userId }) => userId)}::uuid[], ${sinces}::timestamptz[])
      with ordinality as came (user_id, since, i)
    left join kinora.credit_account a on a.user_id = came.user_id
    left join lateral (
      (
        select ${columns} from kinora.video v
        where v.user_id = came.user_id and v.due_at is not null
        order by v.id desc
        limit coalesce(a.open_holds, 0)
      )
      union all
      select ${columns} from kinora.video v
      where came.since is not null and v.user_id = came.user_id and v.due_at is null and v.updated_at >= came.since
      union all
      select ${columns} from kinora.video v
      where v.user_id = came.user_id and v.deleted_at >= ${before(at)}
    ) v on true
    order by v.uuid
  `
  return rows
}

function welcome(watched: Map<string, Watched>, newcomer: Newcomer, rows: FirstRow[], at: Date): void {
  const { userId, listener } = newcomer
  const since = newcomer.since && before(newcomer.since)
  const user = watched.get(userId) ?? {
    n: rows[0]?.n ?? 0,
    listeners: new Set(),
    inProgress: new Map(),
    deleted: new Set(),
  }
  const events = new Map<string, VideoEvent>()
  for (const row of rows) {
    if (row.uuid === null) continue
    if (row.deletedAt) {
      if (!user.listeners.size) user.deleted.add(row.uuid)
      if (since && row.deletedAt >= since) events.set(row.uuid, { kind: 'deleted', uuid: row.uuid })
      continue
    }
    events.set(row.uuid, { kind: 'video', video: taskOf(row) })
    // What others have been told of it stays as it is: they have yet to hear this.
    if (!isFinal(row.status) && !user.inProgress.has(row.uuid)) user.inProgress.set(row.uuid, told(row, at))
  }
  user.listeners.add(listener)
  watched.set(userId, user)
  listener([...events.values()], at)
}

/**
 * One query for all users: the rows of the history that are new, the videos in progress, and what was deleted lately.
 * Each `limit` keeps its part a walk along one index, whatever the planner believes about the tables.
 */
async function changes({ sql }: App, watched: Map<string, Watched>, at: Date): Promise<Row[]> {
  const columns = sql`${taskColumns(sql, at)}, v.deleted_at`
  const known = [...watched].flatMap(([userId, { inProgress }]) =>
    [...inProgress].map(([id, { status, progress }]) => ({ userId, id, status, progress })),
  )
  return await sql<Row[]>`
    with watched (user_id, n) as (
      select * from unnest(${literal([...watched.keys()])}::uuid[], ${literal([...watched.values()].map(({ n }) => n))}::bigint[])
    )
    select watched.user_id, made.n, v.*
    from watched
    cross join lateral (
      select t.n, case when t.trans_type = 'VIDEO_CONSUME' then t.video_id end as id
      from kinora.credit_transaction t
      where t.user_id = watched.user_id and t.n > watched.n
      order by t.n
      limit ${MADE_MAX}
    ) made
    left join lateral (
      select ${columns} from kinora.video v where v.user_id = watched.user_id and v.id = made.id limit 1
    ) v on true
    union all
    select known.user_id, null, v.*
    from unnest(
      ${literal(known.map(({ userId }) => userId))}::uuid[], ${literal(known.map(({ id }) => id))}::uuid[],
      ${literal(known.map(({ status }) => status))}::text[], ${literal(known.map(({ progress }) => progress))}::integer[]
    ) as known (user_id, id, status, progress)
    cross join lateral (
      select ${columns} from kinora.video v where v.user_id = known.user_id and v.id = known.id limit 1
    ) v
    where v.status <> known.status or v.progress > known.progress or v.deleted_at is not null
    union all
    select watched.user_id, null, v.*
    from watched
    cross join lateral (
      select ${columns} from kinora.video v
      where v.user_id = watched.user_id and v.deleted_at >= ${before(at)}
      order by v.deleted_at desc
      limit 10000
    ) v
  `
}

/** An array as PostgreSQL writes it. The driver would look at every element, of which there may be thousands. */
const literal = (values: (string | number)[]): string => `{${values.join()}}`

/** What is new to a user in these rows, oldest video first; remembers that it has been told. */
function whatToTell(user: Watched, rows: Row[], at: Date): VideoEvent[] {
  const events = new Map<string, VideoEvent>()
  const deleted = new Set<string>()
  for (const row of rows) {
    if (row.n !== null) user.n = Math.max(user.n, row.n)
    if (row.uuid === null) continue
    const { uuid } = row
    if (row.deletedAt) {
      user.inProgress.delete(uuid)
      deleted.add(uuid)
      if (!user.deleted.has(uuid)) events.set(uuid, { kind: 'deleted', uuid })
    } else if (row.n !== null || isNews(user.inProgress.get(uuid), row, at)) {
      events.set(uuid, { kind: 'video', video: taskOf(row) })
      if (isFinal(row.status)) user.inProgress.delete(uuid)
      else user.inProgress.set(uuid, told(row, at))
    }
  }
  user.deleted = deleted
  return [...events].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, event]) => event)
}

function isNews(before: Told | undefined, { status, progress }: Row, at: Date): boolean {
  if (!before) return false
  if (status !== before.status) return true
  return progress > before.progress && at.getTime() >= before.atMs + PROGRESS_EVERY_MS
}

const told = ({ status, progress }: TaskStatus, at: Date): Told => ({ status, progress, atMs: at.getTime() })
const taskOf = ({ uuid, status, progress, error }: TaskStatus): TaskStatus => ({ uuid, status, progress, error })
const isFinal = (status: Status): boolean => status === 'COMPLETED' || status === 'FAILED'
const before = (moment: Date): Date => new Date(moment.getTime() - OVERLAP_MS)

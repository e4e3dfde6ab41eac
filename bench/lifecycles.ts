/**
 * Complete lifecycles, as fast as PostgreSQL takes them: generate, claim, begin, accept, result (or failure), claim, store,
 * complete, through the functions that the service calls, in sets of BATCH_MAX. No provider, no file, no HTTP. Between accept
 * and result a video waits until `inFlight` others were accepted after it, so that the versions of its row are as far apart as
 * in life.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { BATCH_MAX } from '../server/src/db/combiner.ts'
import { openDb, type Sql } from '../server/src/db/db.ts'
import { onePart } from '../server/src/db/parts.ts'
import { openSetCalls, type SetCalls } from '../server/src/db/set-calls.ts'
import { newId } from '../server/src/id.ts'
import { videoClaimOldest } from '../server/src/video/claim-transitions.ts'
import type { Status } from '../server/src/video/fields.ts'
import * as steps from '../server/src/video/transitions.ts'
import { userIdOf } from './users.ts'

export type Lifecycles = {
  databaseUrl: string
  videos: number
  users: number
  connections: number
  inFlight: number
  /** Called after each set with the number of final videos. */
  onProgress: (done: number) => void
}

/** Every tenth video fails, and its credits are released. */
const FAILED_EVERY = 10
const LEASE_MS = 60_000
/** Nothing polls here: every provider calls back. */
const FIRST_POLL_MS = 60_000
const DEADLINE_MS = 1_800_000
/** Another connection has what is due. */
const IDLE_MS = 5

type Video = { userId: string; videoId: string }
type Accepted = Video & { taskId: string; provider: string }
type Connection = { sql: Sql; calls: SetCalls }

export async function runLifecycles(options: Lifecycles): Promise<void> {
  const { videos, users, inFlight } = options
  const accepted: Accepted[] = []
  let generated = 0
  let reported = 0
  let done = 0
  const finish = (count: number) => {
    done += count
    options.onProgress(done)
  }

  const generate = async ({ calls }: Connection): Promise<number> => {
    const count = Math.min(BATCH_MAX, videos - generated)
    generated += count
    await inSet(Array.from({ length: count }), () => expect('created', steps.videoGenerate(calls, newVideo(users))))
    return count
  }
  const submit = async (connection: Connection): Promise<number> => {
    const claimed = await claim(connection, 'PENDING')
    await inSet(claimed.videos, (video) =>
      expect('begun', steps.videoBeginSubmit(connection.calls, { ...video, lease: claimed.lease, now: new Date() })),
    )
    const tasks = claimed.videos.map((video) => ({ ...video, provider: 'provider-b', taskId: randomUUID() }))
    const [dueAt, deadlineAt] = [later(FIRST_POLL_MS), later(DEADLINE_MS)]
    await inSet(tasks, ({ userId, videoId, taskId }) =>
      expect(
        'accepted',
        steps.videoAccept(connection.calls, { userId, videoId, taskId, dueAt, deadlineAt, now: new Date() }),
      ),
    )
    accepted.push(...tasks)
    return tasks.length
  }
  const report = async ({ calls }: Connection): Promise<number> => {
    const excess = generated === videos ? accepted.length : accepted.length - inFlight
    if (excess < Math.min(BATCH_MAX, videos - reported)) return 0
    const tasks = accepted.splice(0, BATCH_MAX)
    const first = reported
    reported += tasks.length
    let failed = 0
    await inSet(tasks, (task, i) => {
      const reportedTask = { ...task, now: new Date() }
      const url = `https://films.example/${task.taskId}.mp4`
      if ((first + i) % FAILED_EVERY !== 0) {
        return expect('uploading', steps.videoReportResult(calls, { ...reportedTask, url }))
      }
      failed += 1
      const failure = { ...reportedTask, error: 'The provider failed.', graceS: 86_400 }
      return expect('failed', steps.videoReportFailure(calls, failure))
    })
    finish(failed)
    return tasks.length
  }
  const collect = async (connection: Connection): Promise<number> => {
    const { lease, videos: films } = await claim(connection, 'UPLOADING')
    const keysOf = ({ userId, videoId }: Video) => {
      const key = `video/${userId}/${videoId}-${lease.slice(0, 8)}`
      return { videoKey: `${key}.mp4`, thumbnailKey: `${key}.jpg` }
    }
    const dueAt = later(DEADLINE_MS)
    await inSet(films, (film) =>
      expect(
        'recorded',
        steps.videoBeginStore(connection.calls, { ...film, ...keysOf(film), lease, dueAt, now: new Date() }),
      ),
    )
    const stored = { sizeBytes: 1_000_000, durationS: 4, width: 1280, height: 720 }
    await inSet(films, (film) =>
      expect(
        'completed',
        steps.videoComplete(connection.calls, { ...film, ...keysOf(film), ...stored, lease, now: new Date() }),
      ),
    )
    finish(films.length)
    return films.length
  }

  const run = async (connection: Connection): Promise<void> => {
    while (done < videos) {
      let moved = 0
      for (const step of [generate, submit, report, collect]) moved += await step(connection)
      if (moved === 0) await setTimeout(IDLE_MS)
    }
  }
  // One connection and one combiner each, so that a set goes as it is.
  const connections = Array.from({ length: options.connections }, (): Connection => {
    const sql = openDb(options.databaseUrl, { connections: 1, name: 'kinora bench' })
    return { sql, calls: openSetCalls(onePart(sql)) }
  })
  try {
    await Promise.all(connections.map(run))
  } finally {
    await Promise.all(connections.map(({ sql }) => sql.end()))
  }
}

/** All requests of one tick of the event loop are one call. */
const inSet = <T>(items: T[], step: (item: T, i: number) => Promise<void>) => Promise.all(items.map(step))

async function expect(outcome: string, step: Promise<string | { outcome: string }>): Promise<void> {
  const found = await step
  const name = typeof found === 'string' ? found : found.outcome
  if (name !== outcome) throw new Error(`a step is "${name}", not "${outcome}"`)
}

async function claim({ sql }: Connection, status: Status): Promise<{ lease: string; videos: Video[] }> {
  const lease = randomUUID()
  const due = {
    statuses: [status],
    count: BATCH_MAX,
    bucket: null,
    lease,
    leaseUntil: later(LEASE_MS),
    now: new Date(),
  }
  const rows = await videoClaimOldest(sql, due)
  return { lease, videos: rows.map(({ userId, id }) => ({ userId, videoId: id })) }
}

function newVideo(users: number) {
  const now = new Date()
  return {
    // Some users have many videos and most have few.
    userId: userIdOf(1 + Math.floor(users * Math.random() ** 2)),
    videoId: newId(now),
    now,
    prompt: newPrompt(),
    model: Math.random() < 0.25 ? 'alpha-2' : 'delta-1-5',
    durationS: 4,
    aspectRatio: '16:9',
    quality: '720p',
    startImageUrl: null,
    startImage: null,
    credits: 16,
    providers: ['provider-b', 'provider-a'],
    usualS: 60,
    deadlineAt: later(DEADLINE_MS),
    maxInProgress: 0,
    idempotency: null,
  }
}

/** Words at random, because the search's index holds the trigrams of each prompt. */
const newPrompt = () => Array.from({ length: 16 }, () => WORDS[Math.floor(Math.random() * WORDS.length)]).join(' ')
const WORDS = `
  paper boat rain gutter dawn camera low above water reflections shop signs violet light heliotrope slow pan across old harbour
  fishing nets drying wind gulls distant thunder lantern street market crowd umbrella neon puddle close portrait woman red coat
  turning toward snow mountain ridge drone flight valley fog river bend autumn forest deer drinking macro dew spider web morning
  kitchen steam copper kettle hands kneading bread flour dust sunlight window cat asleep velvet chair piano melody astronaut desert
`
  .trim()
  .split(/\s+/)

const later = (ms: number): Date => new Date(Date.now() + ms)

/**
 * A video as its row tells it, and the passing of time: what is due next is reached by turning the clock, never by
 * waiting. For tests that look behind the interface.
 */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { ClaimedVideo, NewVideo } from '../src/video/transitions.ts'
import { videoClaim } from '../src/video/transitions.ts'
import { workOnce } from '../src/worker.ts'
import type { Kinora } from './harness.ts'

export type Row = {
  status: string
  error: string | null
  errorCode: string | null
  providerTaskId: string | null
  provider: string
  attempt: number
  providerIndex: number
  submittedAt: Date | null
  acceptedAt: Date | null
  dueAt: Date | null
  deadlineAt: Date
  leaseId: string | null
  progress: number | null
}

export async function readRow({ app }: Kinora, uuid: string): Promise<Row> {
  const [row] = await app.sql<
    Row[]
  >`select *, providers[provider_index] as provider from kinora.video where id = ${uuid}`
  if (!row) throw new Error(`there is no video ${uuid}`)
  return row
}

/** A video of 16 credits at provider-a, for videoGenerate. */
export const newVideo = (facts: Pick<NewVideo, 'userId' | 'videoId' | 'now'> & Partial<NewVideo>): NewVideo => ({
  prompt: 'A paper boat',
  model: 'delta-1-5',
  durationS: 4,
  aspectRatio: '16:9',
  quality: '720p',
  startImageUrl: null,
  startImage: null,
  credits: 16,
  providers: ['provider-a'],
  usualS: 30,
  deadlineAt: new Date(facts.now.getTime() + 3600_000),
  maxInProgress: 0,
  idempotency: null,
  ...facts,
})

/** Claims one video as a worker does, for a minute; undefined when it is not due. */
export async function claimVideo(
  { app }: Kinora,
  userId: string,
  id: string,
  lease: string,
): Promise<ClaimedVideo | undefined> {
  const now = app.now()
  const leaseUntil = new Date(now.getTime() + 60_000)
  return (await videoClaim(app.sql, { videos: [{ userId, id }], lease, leaseUntil, now }))[0]
}

/** What happened to a video, in order: `not taken`, `accepted`, … */
export async function eventsOf({ app }: Kinora, uuid: string): Promise<string[]> {
  const rows = await app.sql<{ event: string }[]>`
    select entry as event from kinora.video_log where video_id = ${uuid} order by at, id
  `
  return rows.map((row) => row.event)
}

/** Turns the clock to the moment when the video is next due. */
export async function turnToDue(kinora: Kinora, uuid: string): Promise<void> {
  const { dueAt } = await readRow(kinora, uuid)
  if (dueAt) turnTo(kinora, dueAt)
}

export function turnTo(kinora: Kinora, moment: Date): void {
  kinora.turnClock(Math.max(0, moment.getTime() - kinora.app.now().getTime() + 1))
}

/** The next step of everything that is due, at the moment when the video is. */
export async function nextStep(kinora: Kinora, uuid: string): Promise<Row> {
  await turnToDue(kinora, uuid)
  await workOnce(kinora.app)
  return readRow(kinora, uuid)
}

/** Steps, and the time between them, until the video is final. Fails when it never is. */
export async function liveToTheEnd(kinora: Kinora, uuid: string): Promise<Row> {
  for (let steps = 0; steps < 200; steps++) {
    const row = await nextStep(kinora, uuid)
    if (row.dueAt === null) return row
  }
  throw new Error(`video ${uuid} was not final after 200 steps`)
}

/** Files of a video in the folder of storage, and half-fetched films of any. */
export function filesOf({ app }: Kinora, userId: string, uuid: string): { kept: string[]; parts: string[] } {
  const list = (dir: string) => (existsSync(dir) ? readdirSync(dir) : [])
  return {
    kept: list(path.join(app.config.dataDir, 'files/video', userId)).filter((name) => name.startsWith(uuid)),
    parts: list(path.join(app.config.dataDir, 'parts')),
  }
}

export async function waitFor(
  what: string,
  condition: () => boolean | Promise<boolean>,
  { patienceMs = 20_000, pauseMs = 10 } = {},
): Promise<void> {
  const end = Date.now() + patienceMs
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`waited in vain for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
}

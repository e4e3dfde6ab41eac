/**
 * A video's row, log and files, and the passing of time: a test reaches the next due time by advancing the clock, never
 * by waiting. For tests that check state the API does not return.
 */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { exampleRequest } from '../../src/film/fields.ts'
import { withInputs } from '../../src/film/inputs.ts'
import { parametersOf } from '../../src/film/parameters.ts'
import type { ClaimedVideo, NewVideo } from '../../src/video/transitions.ts'
import { workOnce } from '../../src/worker/worker.ts'
import type { Kinora } from './harness.ts'
import { videoClaim } from './video-calls.ts'

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
  ...parametersOf(withInputs(exampleRequest)),
  assets: null,
  credits: 16,
  secondRate: null,
  providers: ['provider-a'],
  usualS: 30,
  deadlineAt: new Date(facts.now.getTime() + 3600_000),
  maxInProgress: 0,
  idempotency: null,
  ...facts,
})

/** What is stored of a film of newVideo, for videoComplete. */
export const storedFilm = {
  videoKey: 'k',
  thumbnailKey: 't',
  sizeBytes: 1,
  durationS: 4,
  width: 1280,
  height: 720,
  graceS: 86_400,
}

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

/** The entries of a video's log, oldest first: `accepted`, `result`, … */
export async function logOf({ app }: Kinora, uuid: string): Promise<string[]> {
  const rows = await app.sql<{ event: string }[]>`
    select entry as event from kinora.video_log where video_id = ${uuid} order by at, id
  `
  return rows.map((row) => row.event)
}

/** Advances the clock to the time at which the video is next due. */
async function advanceClockToDue(kinora: Kinora, uuid: string): Promise<void> {
  const { dueAt } = await readRow(kinora, uuid)
  if (dueAt) advanceClockTo(kinora, dueAt)
}

/** Advances the clock to one millisecond past `time`; a time in the past leaves it as it is. */
export function advanceClockTo(kinora: Kinora, time: Date): void {
  kinora.turnClock(Math.max(0, time.getTime() - kinora.app.now().getTime() + 1))
}

/** Advances the clock to the video's due time and runs one step of every due video. */
export async function runNextStep(kinora: Kinora, uuid: string): Promise<Row> {
  await advanceClockToDue(kinora, uuid)
  await workOnce(kinora.app)
  return readRow(kinora, uuid)
}

/**
 * Runs step after step, advancing the clock in between, until the video is final.
 * @throws Error after 200 steps
 */
export async function runUntilFinal(kinora: Kinora, uuid: string): Promise<Row> {
  for (let steps = 0; steps < 200; steps++) {
    const row = await runNextStep(kinora, uuid)
    if (row.dueAt === null) return row
  }
  throw new Error(`video ${uuid} was not final after 200 steps`)
}

/**
 * Stored files of the video, without the lease in their names, and the temporary files (partial downloads) of all
 * videos. A file of another attempt is a name that is there twice.
 */
export function filesOf({ app }: Kinora, userId: string, uuid: string): { stored: string[]; temporary: string[] } {
  const list = (dir: string) => (existsSync(dir) ? readdirSync(dir) : [])
  return {
    stored: list(path.join(app.config.dataDir, 'files/video', userId))
      .filter((name) => name.startsWith(uuid))
      .map((name) => name.replace(/\.[0-9a-f-]{36}(?=\.)/, ''))
      .sort(),
    temporary: list(path.join(app.config.dataDir, 'tmp')),
  }
}

/**
 * Polls the condition until it holds.
 * @throws Error naming `what` after `timeoutMs`
 */
export async function waitFor(
  what: string,
  condition: () => boolean | Promise<boolean>,
  { timeoutMs = 20_000, intervalMs = 10 } = {},
): Promise<void> {
  const endMs = Date.now() + timeoutMs
  while (!(await condition())) {
    if (Date.now() > endMs) throw new Error(`timed out waiting for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, intervalMs))
  }
}

/**
 * Fixture: a user's ledger with an open, a settled and two released holds, a grace package and expired credits. For tests
 * that corrupt it; each corruption is rolled back.
 */
import assert from 'node:assert/strict'
import type postgres from 'postgres'
import { creditGrant, creditLock } from '../src/credit/ledger.ts'
import type { Sql } from '../src/db.ts'
import {
  videoBeginSubmit,
  videoClaim,
  videoComplete,
  videoFail,
  videoGenerate,
  videoReportResult,
} from '../src/video/transitions.ts'
import { newVideo } from './video-row.ts'

export const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
export const ANN = idOf(1)
export const [GIFT, ORDER, SHORT, LATE] = [idOf(11), idOf(12), idOf(13), idOf(14)]
export const [OPEN, DONE, FAILED, LOST] = [idOf(21), idOf(22), idOf(23), idOf(24)]
export const start = new Date('2030-01-01T00:00:00Z')
export const later = (ms: number) => new Date(start.getTime() + ms)
export const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export async function writeFixture(sql: Sql): Promise<void> {
  await grant(sql, SHORT, 20, later(HOUR_MS))
  await grant(sql, GIFT, 60, later(30 * DAY_MS))
  await grant(sql, ORDER, 100, later(365 * DAY_MS))
  for (const video of [LOST, DONE, FAILED, OPEN]) await generate(sql, video)
  // SHORT has expired by now, so its part is released into a grace package.
  await fail(sql, LOST, later(2 * HOUR_MS))
  const film = { videoKey: 'k', thumbnailKey: 't', sizeBytes: 1, durationS: 4, width: 1280, height: 720 }
  await videoComplete(sql, { userId: ANN, videoId: DONE, lease: DONE, ...film, now: later(3 * HOUR_MS) })
  await fail(sql, FAILED, later(3 * HOUR_MS))
  await grant(sql, LATE, 5, later(4 * HOUR_MS))
  await creditLock(sql, { userId: ANN, now: later(5 * HOUR_MS) })
}

async function grant(sql: Sql, packageId: string, credits: number, expiresAt: Date): Promise<void> {
  const facts = { source: packageId, transType: 'ORDER_PAY', orderNo: null, remark: null }
  await creditGrant(sql, { userId: ANN, packageId, ...facts, credits, expiresAt, now: start })
}

/** Creates a video of 16 credits. All but OPEN are brought to UPLOADING under a lease whose id is the video's. */
async function generate(sql: Sql, videoId: string): Promise<void> {
  const video = { userId: ANN, videoId, now: start }
  await videoGenerate(sql, newVideo({ ...video, deadlineAt: later(DAY_MS) }))
  if (videoId === OPEN) return
  const claim = () =>
    videoClaim(sql, { videos: [{ userId: ANN, id: videoId }], lease: videoId, leaseUntil: later(DAY_MS), now: start })
  await claim()
  await videoBeginSubmit(sql, { ...video, lease: videoId })
  await videoReportResult(sql, { ...video, provider: 'provider-a', taskId: null, url: 'https://films.example/1' })
  await claim()
}

async function fail(sql: Sql, videoId: string, now: Date): Promise<void> {
  const failure = { errorCode: 'E', error: 'it failed', graceS: 86_400 }
  await videoFail(sql, { userId: ANN, videoId, lease: videoId, ...failure, now })
}

/**
 * Gives each hold that a test made without a video one in the status of the hold, because verify() reports a hold without a
 * video. No worker claims them: they are due in a thousand years.
 */
export async function addVideosOfHolds(sql: Sql): Promise<void> {
  await sql`
    insert into kinora.video (user_id, id, status, prompt, model, duration_s, aspect_ratio, quality, credits, providers,
      usual_s, error, video_key, created_at, updated_at, due_at, deadline_at)
    select user_id, id, case state when 'settled' then 'COMPLETED' when 'released' then 'FAILED' else 'PENDING' end,
           'video of a hold', 'm', 4, '16:9', '720p', credits, '{a}', 30, 'e', 'k', created_at, created_at,
           case state when 'frozen' then created_at + interval '1000 years' end, created_at
    from kinora.credit_hold h
    where not exists (
      select from kinora.video v where v.user_id = h.user_id and v.id = h.id and v.prompt <> 'video of a hold'
    )
    on conflict (user_id, id) do update set status = excluded.status, due_at = excluded.due_at
    where video.status <> excluded.status
  `
}

class RollBack extends Error {}

/** Runs `work` in a transaction with search_path `kinora, public`, rolls it back and returns the result. */
export async function rolledBack<T>(
  sql: Sql,
  work: (tx: postgres.TransactionSql<{ bigint: number }>) => Promise<T>,
): Promise<T | undefined> {
  let result: T | undefined
  const done = sql.begin(async (tx) => {
    await tx`set local search_path = kinora, public`
    result = await work(tx)
    throw new RollBack()
  })
  await assert.rejects(done, (error) => {
    if (!(error instanceof RollBack)) throw error
    return true
  })
  return result
}

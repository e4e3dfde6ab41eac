/**
 * Fixture: a user's ledger with an open, a settled and two released holds, a grace package and expired credits. For
 * tests that corrupt it; each corruption is rolled back.
 */
import assert from 'node:assert/strict'
import type postgres from 'postgres'
import { creditLock } from '../../../src/credit/ledger.ts'
import type { Sql } from '../../../src/db/db.ts'
import {
  videoBeginSubmit,
  videoComplete,
  videoFail,
  videoGenerate,
  videoReportResult,
} from '../../../src/video/transitions.ts'
import { runForUsers } from '../citus/database.ts'
import { videoClaim } from '../video-calls.ts'
import { newVideo, storedFilm } from '../video-row.ts'
import { creditGrant } from './ledger-calls.ts'

export const idOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
export const ANN = idOf(1)
export const [GIFT, ORDER, SHORT, LATE] = [idOf(11), idOf(12), idOf(13), idOf(14)]
export const [OPEN, DONE, FAILED, LOST] = [idOf(21), idOf(22), idOf(23), idOf(24)]
/** The API key that froze OPEN. */
export const KEY = idOf(31)
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
  await videoComplete(sql, { userId: ANN, videoId: DONE, lease: DONE, ...storedFilm, now: later(3 * HOUR_MS) })
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
  await videoGenerate(sql, newVideo({ ...video, deadlineAt: later(DAY_MS), apiKeyId: videoId === OPEN ? KEY : null }))
  if (videoId === OPEN) return
  const claim = () =>
    videoClaim(sql, { videos: [{ userId: ANN, id: videoId }], lease: videoId, leaseUntil: later(DAY_MS), now: start })
  await claim()
  await videoBeginSubmit(sql, { ...video, lease: videoId })
  await videoReportResult(sql, { ...video, provider: 'provider-a', taskId: null, url: 'https://films.example/1' })
  await claim()
}

async function fail(sql: Sql, videoId: string, now: Date): Promise<void> {
  const failure = { failure: { code: 'PROVIDER_ERROR', message: 'it failed' }, graceS: 86_400 } as const
  await videoFail(sql, { userId: ANN, videoId, lease: videoId, ...failure, now })
}

/**
 * Installs a trigger that gives each hold without a video one in the status of the hold, when its transaction commits:
 * verify() reports a hold without a video. No worker claims such a video: it is due in a thousand years.
 */
export async function addVideosToHolds(sql: Sql): Promise<void> {
  const statements = `
    create function kinora.add_video_to_hold() returns trigger language plpgsql as $$
    declare
      v_hold kinora.credit_hold;
    begin
      select * into v_hold from kinora.credit_hold where user_id = new.user_id and id = new.id;
      insert into kinora.video as v (user_id, id, status, prompt, model, duration_s, aspect_ratio, quality, credits, providers,
        usual_s, error, error_code, video_key, created_at, updated_at, due_at, deadline_at, deleted_at)
      select v_hold.user_id, v_hold.id,
        case v_hold.state when 'settled' then 'COMPLETED' when 'released' then 'FAILED' else 'PENDING' end,
        'video of a hold', 'm', 4, '16:9', '720p', v_hold.credits, '{a}', 30, 'e', 'PROVIDER_ERROR', 'k', v_hold.created_at,
        t.at, case v_hold.state when 'frozen' then t.at end, v_hold.created_at,
        -- Deleted videos are in no counter of the lists.
        v_hold.created_at
      from (values (v_hold.created_at + interval '1000 years')) t (at)
      on conflict (user_id, id) do update
      set status = excluded.status, due_at = excluded.due_at, credits = v_hold.credits - v_hold.rest
      where v.prompt = 'video of a hold';
      return null;
    end $$;
    create constraint trigger add_video after insert or update on kinora.credit_hold
    deferrable initially deferred for each row execute function kinora.add_video_to_hold();
  `
  await runForUsers(sql, statements)
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

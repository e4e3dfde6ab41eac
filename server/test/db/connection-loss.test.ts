/**
 * The connection to PostgreSQL is lost before a set-based call runs, or after its commit and before the response: the
 * combiner repeats the call, and every request gets the outcome of what was done, once.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { openDb } from '../../src/db/db.ts'
import { onePart } from '../../src/db/parts.ts'
import { openSetCalls } from '../../src/db/set-calls.ts'
import {
  type Calls,
  videoAccept,
  videoBeginStore,
  videoBeginSubmit,
  videoCancel,
  videoComplete,
  videoDefer,
  videoDelete,
  videoFail,
  videoGenerate,
  videoPollNow,
  videoRenewLease,
  videoReportFailure,
  videoReportProgress,
  videoReportResult,
  videoReschedulePoll,
  videoRetrySubmit,
  videoSwitchLink,
} from '../../src/video/transitions.ts'
import { serverOf } from '../support/citus/database.ts'
import { openDatabaseProxy } from '../support/database-proxy.ts'
import { DAY_MS, later, openLedger, start } from '../support/ledger/open-ledger.ts'
import { videoClaim } from '../support/video-calls.ts'
import { newVideo, storedFilm } from '../support/video-row.ts'

const { sql, newUserId, grant, balance } = await openLedger(2)
const server = await serverOf(sql, newUserId())
const proxy = await openDatabaseProxy(server.url)
const remote = openDb(proxy.url, { connections: 4, name: 'kinora behind a proxy' })
const calls = openSetCalls(onePart(server.of(remote)))
after(async () => {
  await remote.end({ timeout: 1 })
  await proxy.close()
})

/** Cuts the connection at the first call of the function, and counts its calls. */
function cutOnce(name: string, cut: 'before' | 'after'): { calls: () => number } {
  let count = 0
  proxy.onStatement = (text) => {
    if (!text.includes(name)) return null
    count += 1
    return count === 1 ? cut : null
  }
  return { calls: () => count }
}

async function userWith(credits: number): Promise<string> {
  const userId = newUserId()
  await grant(userId, credits, later(DAY_MS))
  return userId
}

for (const cut of ['before', 'after'] as const) {
  test(`generate: connection lost ${cut} the commit of a set → one video for each request, one refusal`, async () => {
    const users = await Promise.all([16, 32, 48, 8].map(userWith))
    const statements = cutOnce('video_generate_all', cut)
    const videos = users.map((userId) => newVideo({ userId, videoId: randomUUID(), now: start }))
    const outcomes = await Promise.all(videos.map((video) => videoGenerate(calls, video)))
    assert.equal(statements.calls(), 2)
    const created = cut === 'before' ? 'created' : 'replayed'
    assert.deepEqual(
      outcomes.map(({ outcome }) => outcome),
      [created, created, created, 'insufficient'],
    )
    for (const [i, userId] of users.entries()) {
      const rows = await sql<{ id: string }[]>`select id from kinora.video where user_id = ${userId}`
      assert.deepEqual(
        rows.map(({ id }) => id),
        i < 3 ? [videos[i]?.videoId] : [],
      )
      assert.equal((await balance(userId)).frozen, i < 3 ? 16 : 0)
    }
  })
}

type Video = { userId: string; videoId: string; lease: string; now: Date }
type Step = { run: (calls: Calls, video: Video) => Promise<string>; outcome: string; repeated?: string; claims?: true }

const link = 'https://films.example/1'
const task = { provider: 'provider-a', taskId: 'task' }
const failure = { failure: { code: 'CONTENT_REFUSED', message: 'no' }, graceS: 60 } as const
const due = { dueAt: start, deadlineAt: later(DAY_MS) }
const log = { entry: 'not collected yet', detail: null }

/** A step under a lease is claimed first. `repeated`: the same call's outcome after its commit, if another. */
const step = {
  beginSubmit: { run: videoBeginSubmit, outcome: 'begun', claims: true },
  retrySubmit: {
    run: (calls, video) => videoRetrySubmit(calls, { ...video, ...due, providerIndex: 1, attempt: 1, reason: 'away' }),
    outcome: 'scheduled',
    repeated: 'stale',
  },
  accept: { run: (calls, video) => videoAccept(calls, { ...video, ...task, ...due }), outcome: 'accepted' },
  acceptLate: { run: (calls, video) => videoAccept(calls, { ...video, ...task, ...due }), outcome: 'recorded' },
  reschedulePoll: {
    run: (calls, video) =>
      videoReschedulePoll(calls, { ...video, ...due, progress: 10, isFinished: false, attempt: 1 }),
    outcome: 'scheduled',
    repeated: 'stale',
    claims: true,
  },
  reportProgress: {
    run: (calls, video) => videoReportProgress(calls, { ...video, ...task, ...due, progress: 50 }),
    outcome: 'running',
  },
  reportResult: {
    run: (calls, video) => videoReportResult(calls, { ...video, ...task, url: link }),
    outcome: 'uploading',
    repeated: 'unchanged',
  },
  reportOther: {
    run: (calls, video) => videoReportResult(calls, { ...video, ...task, url: `${link}?other` }),
    outcome: 'uploading',
    repeated: 'unchanged',
  },
  pollNow: {
    run: (calls, video) => videoPollNow(calls, { ...video, ...task, entry: 'cancel requested' }),
    outcome: 'scheduled',
  },
  switchLink: {
    run: (calls, video) => videoSwitchLink(calls, { ...video, ...due, isRetryable: true, reason: 'away' }),
    outcome: 'switched',
    repeated: 'stale',
    claims: true,
  },
  renewLease: {
    run: (calls, video) => videoRenewLease(calls, { ...video, leaseUntil: later(60_000) }),
    outcome: 'renewed',
    claims: true,
  },
  defer: {
    run: (calls, video) => videoDefer(calls, { ...video, ...due, attempt: 1, log }),
    outcome: 'deferred',
    repeated: 'stale',
  },
  beginStore: {
    run: (calls, video) => videoBeginStore(calls, { ...video, ...storedFilm, dueAt: start }),
    outcome: 'recorded',
    claims: true,
  },
  complete: { run: (calls, video) => videoComplete(calls, { ...video, ...storedFilm }), outcome: 'completed' },
  fail: {
    run: (calls, video) => videoFail(calls, { ...video, ...failure }),
    outcome: 'failed',
    repeated: 'final',
  },
  reportFailure: {
    run: (calls, video) => videoReportFailure(calls, { ...video, ...task, ...failure }),
    outcome: 'failed',
    repeated: 'final',
  },
  cancel: { run: (calls, video) => videoCancel(calls, { ...video, ...failure, error: 'no' }), outcome: 'cancelled' },
  // One of several deletes succeeds, so that a repetition does not.
  remove: { run: videoDelete, outcome: 'deleted', repeated: 'not_found' },
} satisfies Record<string, Step>

const { beginSubmit, accept, reportResult, renewLease, defer, beginStore, complete, remove } = step
const lives: Record<string, Step[]> = {
  completed: [
    ...[
      beginSubmit,
      step.retrySubmit,
      beginSubmit,
      accept,
      step.reportProgress,
      step.pollNow,
      step.reschedulePoll,
      reportResult,
    ],
    ...[step.reportOther, step.switchLink, renewLease, defer, beginStore, complete, remove],
  ],
  'reported before the response to its submit': [beginSubmit, reportResult, step.acceptLate, beginStore, complete],
  failed: [beginSubmit, step.fail, remove],
  'reported as failed': [beginSubmit, accept, step.reportFailure],
  cancelled: [step.cancel, remove],
}

/** Runs the steps, each with its connection cut; null: with none cut. Returns the rest of the video, without ids. */
async function live(steps: Step[], cut: 'before' | 'after' | null) {
  const userId = await userWith(16)
  const video = { userId, videoId: randomUUID(), lease: '', now: start }
  await videoGenerate(sql, newVideo(video))
  for (const [n, { run, outcome, repeated = outcome, claims }] of steps.entries()) {
    video.now = later(n * 1000)
    if (claims) {
      video.lease = randomUUID()
      const claim = {
        videos: [{ userId, id: video.videoId }],
        lease: video.lease,
        leaseUntil: later(60_000),
        now: video.now,
      }
      assert.equal((await videoClaim(sql, claim)).length, 1)
    }
    const statements = cut && cutOnce('video_apply', cut)
    assert.equal(await run(cut ? calls : sql, video), cut === 'after' ? repeated : outcome, String(run))
    if (statements) assert.equal(statements.calls(), 2)
  }
  const [row] = await sql`
    select to_jsonb(v) - array['user_id', 'id', 'lease_id'] as video, lease_id is null as is_free
    from kinora.video v where user_id = ${userId} and id = ${video.videoId}
  `
  const entries = await sql`
    select entry, detail from kinora.video_log where user_id = ${userId} and video_id = ${video.videoId} order by entry, detail
  `
  const files = await sql`select video_key from kinora.video_file where user_id = ${userId}`
  const counts = await sql`select status, videos from kinora.video_count where user_id = ${userId}`
  return {
    row: { ...row },
    entries: [...entries],
    files: [...files],
    counts: [...counts],
    credits: await balance(userId),
  }
}

for (const [name, steps] of Object.entries(lives)) {
  for (const cut of ['before', 'after'] as const) {
    test(`a video that is ${name}: connection lost ${cut} each commit → the rows of undisturbed calls`, async () => {
      assert.deepEqual(await live(steps, cut), await live(steps, null))
    })
  }
}

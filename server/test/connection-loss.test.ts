/**
 * The connection to PostgreSQL is lost before a set-based call runs, or after its commit and before the response: the combiner
 * repeats the call, and every request gets the outcome of what was done, once.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { openSetCalls } from '../src/db/set-calls.ts'
import { openDb } from '../src/db.ts'
import { videoBeginSubmit, videoComplete, videoGenerate, videoReportResult } from '../src/video/transitions.ts'
import { serverOf } from './citus.ts'
import { openDatabaseProxy } from './database-proxy.ts'
import { DAY_MS, later, openLedger, start } from './open-ledger.ts'
import { videoClaim } from './video-calls.ts'
import { newVideo } from './video-row.ts'

const { sql, newUserId, grant, balance } = await openLedger(2)
const server = await serverOf(sql, newUserId())
const proxy = await openDatabaseProxy(server.url)
const remote = openDb(proxy.url, { connections: 4, name: 'kinora behind a proxy' })
const calls = openSetCalls(server.of(remote))
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

  test(`steps: connection lost ${cut} the commit → the outcome of the first time, credits settled once`, async () => {
    const userId = await userWith(16)
    const video = { userId, videoId: randomUUID(), now: start }
    await videoGenerate(sql, newVideo(video))
    const claim = async () => {
      const lease = randomUUID()
      const claimed = { videos: [{ userId, id: video.videoId }], lease, leaseUntil: later(60_000), now: start }
      assert.equal((await videoClaim(sql, claimed)).length, 1)
      return lease
    }
    const lease = await claim()
    cutOnce('video_apply', cut)
    assert.equal(await videoBeginSubmit(calls, { ...video, lease }), 'begun')
    const report = { ...video, provider: 'provider-a', taskId: 'task', url: 'https://films.example/1' }
    await videoReportResult(sql, report)
    const film = { videoKey: 'k', thumbnailKey: 't', sizeBytes: 1, durationS: 4, width: 1280, height: 720 }
    const holder = await claim()
    cutOnce('video_apply', cut)
    assert.equal(await videoComplete(calls, { ...video, lease: holder, ...film }), 'completed')
    assert.deepEqual(await balance(userId), { available: 0, frozen: 0, used: 16, total: 16 })
  })
}

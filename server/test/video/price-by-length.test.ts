// slow
/** A film whose price follows what is made: the most is frozen, what was made is settled, the rest is released. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCrashes } from '../support/crash.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { unzip } from '../support/unzip.ts'
import { openUploading } from '../support/uploading-video.ts'
import { readRow, runNextStep } from '../support/video-row.ts'

const { kinora, createUploadingVideo, creditsOf } = await openUploading()
const other = await openKinora({ simulator: true })
const { killWorkerAt, makeDue } = openCrashes(other)

/** As a mode whose vendor decides how long the film is. */
const priceByLength = ({ app }: typeof kinora, uuid: string, secondsMax = 4) =>
  app.sql`update kinora.video set second_rate = 4.5, duration_s = ${secondsMax} where id = ${uuid}`

const historyOf = async (ann: Person, type: string) =>
  (
    await kinora.call<{ transactions: { credits: number; state: string; remark: string; videoUuid: string }[] }>(
      'GET',
      `/api/v1/credit/history?transType=${type}`,
      { as: ann },
    )
  ).data.transactions.map(({ credits, state, remark, videoUuid }) => ({ credits, state, remark, videoUuid }))

test('200: 2 s of a film of at most 15 → COMPLETED for 9 credits of 24, in every view; 15 back with the reason', async () => {
  const { ann, uuid } = await createUploadingVideo()
  await priceByLength(kinora, uuid, 15)
  const before = await kinora.call<{ creditsUsed: number }>('GET', `/api/v1/video/${uuid}`, { as: ann })
  assert.equal(before.data.creditsUsed, 24)
  assert.equal((await runNextStep(kinora, uuid)).status, 'COMPLETED')
  assert.deepEqual(await creditsOf(ann), { available: 15, frozen: 0, used: 9 })
  const { data } = await kinora.call<{ creditsUsed: number; duration: number }>('GET', `/api/v1/video/${uuid}`, {
    as: ann,
  })
  assert.deepEqual([data.creditsUsed, Math.ceil(data.duration)], [9, 2])
  assert.deepEqual(await historyOf(ann, 'REFUND'), [
    { credits: 15, state: 'settled', remark: 'Film of 2 s costs 9', videoUuid: uuid },
  ])
  const { data: used } = await kinora.call<{ rows: { credits: number }[] }>('GET', '/api/v1/credit/usage?by=model', {
    as: ann,
  })
  assert.deepEqual(
    used.rows.map(({ credits }) => credits),
    [9],
  )
  const exported = await fetch(`${kinora.url}/api/v1/account/export`, {
    headers: { authorization: `Bearer ${ann.token}` },
  })
  const [film] = JSON.parse(
    unzip(Buffer.from(await exported.arrayBuffer()))
      .get('videos.json')
      ?.toString() ?? '[]',
  )
  assert.deepEqual([film.credits, film.secondRate], [9, 4.5])
})

for (const point of ['collect.thumbnail-stored', 'collect.settled']) {
  test(`crash recovery: the worker was killed at ${point} → 18 of 24 credits settled, 6 back, once`, async () => {
    const ann = await other.person({ credits: 24 })
    const video = await killWorkerAt(point, ann.userId, async (film) => {
      const created = await other.generate(ann, film)
      await priceByLength(other, created.data.uuid)
      return created
    })
    await makeDue(video)
    assert.equal((await other.finish(ann, video.uuid)).status, 'COMPLETED')
    const row = await readRow(other, video.uuid)
    assert.equal(row.status, 'COMPLETED')
    const { available, frozen, used } = await other.balance(ann)
    assert.deepEqual({ available, frozen, used }, { available: 6, frozen: 0, used: 18 })
  })
}

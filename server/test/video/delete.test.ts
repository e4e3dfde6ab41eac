/** `DELETE /api/v1/video/{uuid}`: soft delete. The row, the ledger and a running generation stay. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completedVideo } from '../support/completed-video.ts'
import { withUnreachableDatabase } from '../support/database-outage.ts'
import { openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora({ simulator: true })

const remove = (as: Person, uuid: string) => kinora.call('DELETE', `/api/v1/video/${uuid}`, { as })

async function assertGone(as: Person, uuid: string): Promise<void> {
  for (const [method, path] of [
    ['GET', `/api/v1/video/${uuid}`],
    ['GET', `/api/v1/video/task?uuid=${uuid}`],
    ['DELETE', `/api/v1/video/${uuid}`],
  ] as const) {
    const { status, error } = await kinora.call(method, path, { as })
    assert.equal(status, 404, `${method} ${path}`)
    assert.equal(error?.code, 'NOT_FOUND')
  }
  const { data } = await kinora.call<{ videos: { uuid: string }[] }>('GET', '/api/v1/video/list?pageSize=100', { as })
  assert.ok(!data.videos.some((video) => video.uuid === uuid))
}

async function stateOf(as: Person, uuid: string) {
  const [row] = await kinora.app.sql`
    select v.status, h.state from kinora.video v join kinora.credit_hold h using (user_id, id)
    where v.user_id = ${as.userId} and v.id = ${uuid}
  `
  return row
}

test('200: completed video deleted → hidden from every route; row and cost kept', async () => {
  const ann = await kinora.person()
  const uuid = await completedVideo(kinora, ann)
  const removed = await remove(ann, uuid)
  assert.equal(removed.status, 200)
  assert.deepEqual(removed.data, { uuid, deleted: true })
  await assertGone(ann, uuid)
  assert.deepEqual(await stateOf(ann, uuid), { status: 'COMPLETED', state: 'settled' })
  assert.equal((await kinora.balance(ann)).used, 16)
  const history = await kinora.call<{ transactions: { videoUuid: string | null }[] }>('GET', '/api/v1/credit/history', {
    as: ann,
  })
  assert.equal(history.data.transactions[0]?.videoUuid, uuid)
})

test('404: film and thumbnail of a deleted video → their links stop working at once, those of another video work', async () => {
  const ann = await kinora.person()
  const linksOf = async (uuid: string) => {
    type Links = { videoUrl: string; thumbnailUrl: string }
    const { data } = await kinora.call<Links>('GET', `/api/v1/video/${uuid}`, { as: ann })
    return [data.videoUrl, `${data.videoUrl}&download`, data.thumbnailUrl]
  }
  const statusesOf = async (links: string[]) => {
    const requests = [{}, { method: 'HEAD' }, { headers: { range: 'bytes=0-3' } }]
    const replies = await Promise.all(links.flatMap((link) => requests.map((request) => fetch(link, request))))
    for (const reply of replies) await reply.body?.cancel()
    return [...new Set(replies.map(({ status }) => status))].sort()
  }
  const uuids = [await completedVideo(kinora, ann), await completedVideo(kinora, ann)]
  const [links = [], others = []] = await Promise.all(uuids.map(linksOf))
  assert.deepEqual(await statusesOf(links), [200, 206])
  assert.equal((await remove(ann, uuids[0] ?? '')).status, 200)
  assert.deepEqual(await statusesOf(links), [404])
  const reply = await fetch(links[0] ?? '')
  assert.match(await reply.text(), /"NOT_FOUND","message":"This file is no longer kept\."/)
  assert.deepEqual(await statusesOf(others), [200, 206])
})

test('200: link to a film → a client caches it for five minutes at most', async () => {
  const ann = await kinora.person()
  const uuid = await completedVideo(kinora, ann)
  const video = await kinora.call<{ videoUrl: string }>('GET', `/api/v1/video/${uuid}`, { as: ann })
  const reply = await fetch(video.data.videoUrl, { method: 'HEAD' })
  assert.equal(reply.headers.get('cache-control'), 'private, max-age=300')
})

test('503: database unavailable → a film link returns the error and not the file', async () => {
  const ann = await kinora.person()
  const uuid = await completedVideo(kinora, ann)
  const video = await kinora.call<{ videoUrl: string }>('GET', `/api/v1/video/${uuid}`, { as: ann })
  const link = new URL(video.data.videoUrl)
  await withUnreachableDatabase(kinora, async (url) => {
    assert.equal((await fetch(url + link.pathname + link.search)).status, 503)
  })
})

test('200: video in progress → runs to its end and is settled', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann)
  assert.equal((await remove(ann, data.uuid)).status, 200)
  await assertGone(ann, data.uuid)
  assert.equal((await kinora.balance(ann)).frozen, 16)
  await kinora.workUntil(async () => (await kinora.balance(ann)).frozen === 0)
  assert.deepEqual(await stateOf(ann, data.uuid), { status: 'COMPLETED', state: 'settled' })
  await assertGone(ann, data.uuid)
})

test('200: video in progress that fails → its credits are released', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann, { prompt: '[fail: the boat sank]' })
  assert.equal((await remove(ann, data.uuid)).status, 200)
  await kinora.workUntil(async () => (await kinora.balance(ann)).available === 60)
  assert.deepEqual(await stateOf(ann, data.uuid), { status: 'FAILED', state: 'released' })
  await assertGone(ann, data.uuid)
})

test('200, 404: 8 concurrent deletes → one succeeds', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann)
  const responses = await Promise.all(Array.from({ length: 8 }, () => remove(ann, data.uuid)))
  const statuses = responses.map(({ status }) => status).sort()
  assert.deepEqual(statuses, [200, ...Array(7).fill(404)])
})

test('404: unknown, another user’s or malformed uuid → the same response, nothing is deleted (IDOR)', async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const { data } = await kinora.generate(ann)
  for (const uuid of ['01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50', data.uuid, 'boat']) {
    const { status, error } = await remove(bob, uuid)
    assert.equal(status, 404, uuid)
    assert.equal(error?.code, 'NOT_FOUND')
    assert.equal(error?.message, 'There is no such video.')
  }
  assert.equal((await kinora.call('GET', `/api/v1/video/${data.uuid}`, { as: ann })).status, 200)
})

test('401: no credential → nothing is deleted', async () => {
  const ann = await kinora.person()
  const { data } = await kinora.generate(ann)
  assert.equal((await kinora.call('DELETE', `/api/v1/video/${data.uuid}`)).status, 401)
  assert.equal((await kinora.call('GET', `/api/v1/video/${data.uuid}`, { as: ann })).status, 200)
})

// slow
/** `GET /api/v1/video/events`: the events of a user's videos, and the limits of a stream. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { completedVideo, completeVideo } from '../support/completed-video.ts'
import { type EventStream, openStream } from '../support/event-stream-client.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { waitFor } from '../support/video-row.ts'

const kinora = await openKinora({ simulator: true })
const { url } = kinora
const RANKS = ['PENDING', 'GENERATING', 'UPLOADING', 'COMPLETED', 'FAILED', 'deleted']

async function withStream(as: Person, work: (stream: EventStream) => Promise<void>): Promise<void> {
  const stream = await openStream(url, as)
  try {
    await work(stream)
  } finally {
    stream.close()
  }
}
const task = async (as: Person, uuid: string) =>
  (await kinora.call<Record<string, unknown>>('GET', `/api/v1/video/task?uuid=${uuid}`, { as })).data

/** The last event is the task, and what a notice of a video that has ended needs. */
async function assertEnded(stream: EventStream, as: Person, uuid: string): Promise<void> {
  const { data: event } = stream.events.at(-1) ?? {}
  const { data: video } = await kinora.call<Record<string, string | null>>('GET', `/api/v1/video/${uuid}`, { as })
  const {
    prompt,
    thumbnailUrl = null,
    endedAt = null,
    madeBy,
    subject,
    metadata,
    ...rest
  } = event as Record<string, string | null>
  assert.deepEqual(rest, await task(as, uuid))
  const pathOf = (link: string | null | undefined) => link && new URL(link).pathname
  assert.deepEqual(
    [prompt, pathOf(thumbnailUrl), madeBy, subject, metadata],
    [video.prompt, pathOf(video.thumbnailUrl), video.madeBy, video.subject, video.metadata],
  )
  assert.equal(video.completedAt ?? endedAt, endedAt)
  assert.match(endedAt ?? '', /^\d{4}-.*Z$/)
}

/** Advances the clock past the interval of the streams' maintenance. */
function pass(context: TestContext, ms: number): void {
  const { now } = performance
  context.mock.method(performance, 'now', () => now.call(performance) + ms)
}

test('200: video from PENDING to COMPLETED → events in order, with the progress of GET task', async () => {
  const ann = await kinora.person({ credits: 100 })
  await withStream(ann, async (stream) => {
    const { headers } = stream.response
    assert.match(String(headers['content-type']), /^text\/event-stream/)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['x-accel-buffering'], 'no')
    assert.ok(headers['x-request-id'])
    assert.match(stream.text(), /^retry: \d+\nevent: mark\nid: \d+\ndata: \{"type":"mark"\}\n\n$/)
    assert.equal(stream.events.length, 0)

    const { data } = await kinora.generate(ann)
    await stream.until(data.uuid, 'PENDING')
    assert.deepEqual(stream.events.at(-1)?.data, { ...(await task(ann, data.uuid)), subject: null })
    await kinora.finish(ann, data.uuid)
    await stream.until(data.uuid, 'COMPLETED')
    await assertEnded(stream, ann, data.uuid)
    const ranks = stream.events.map(({ data: { status = '' } }) => RANKS.indexOf(status))
    assert.deepEqual(ranks, ranks.toSorted())
    const progress = stream.events.map(({ data: { progress = 0 } }) => progress)
    assert.deepEqual(
      progress,
      progress.toSorted((a, b) => a - b),
    )
    assert.ok(stream.events.every(({ event, id }) => event === 'video' && Number(id) > 0))
  })
})

test('200: provider reports no progress → estimated progress grows', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { data } = await kinora.generate(ann, { prompt: '[silent]' })
  await kinora.workUntil(async () => (await task(ann, data.uuid)).status === 'GENERATING')
  await withStream(ann, async (stream) => {
    for (const least of [10, 20, 30]) {
      kinora.turnClock(8_000)
      await waitFor(`${least} %`, () => Number(stream.events.at(-1)?.data.progress) >= least)
    }
  })
})

test('200: film of the longest prompt ends → an event of at most 2 kB, whose link leads to the thumbnail', async () => {
  const ann = await kinora.person({ credits: 100 })
  await withStream(ann, async (stream) => {
    const { data } = await kinora.generate(ann, { prompt: '船'.repeat(5000) })
    await completeVideo(kinora, ann, data.uuid)
    await stream.until(data.uuid, 'COMPLETED')
    const event: Record<string, unknown> | undefined = stream.events.at(-1)?.data
    assert.equal(event?.prompt, `${'船'.repeat(120)}…`)
    assert.ok(Buffer.byteLength(JSON.stringify(event)) < 2_000)
    const response = await fetch(String(event?.thumbnailUrl))
    assert.deepEqual([response.status, response.headers.get('content-type')], [200, 'image/jpeg'])
  })
})

test('200: failed or cancelled video → FAILED event with its reason', async () => {
  const ann = await kinora.person({ credits: 100 })
  await withStream(ann, async (stream) => {
    const { data: failing } = await kinora.generate(ann, { prompt: '[fail: no boats]' })
    await kinora.finish(ann, failing.uuid)
    await stream.until(failing.uuid, 'FAILED')
    await assertEnded(stream, ann, failing.uuid)
    assert.match(JSON.stringify(stream.events.at(-1)), /no boats/)
    const { data: cancelled } = await kinora.generate(ann)
    await stream.until(cancelled.uuid, 'PENDING')
    await kinora.call('POST', `/api/v1/video/${cancelled.uuid}/cancel`, { as: ann })
    await stream.until(cancelled.uuid, 'FAILED')
  })
})

test('200: on connect → videos in progress, no final or deleted ones', async () => {
  const ann = await kinora.person({ credits: 200 })
  const uuids: string[] = []
  for (let i = 0; i < 5; i += 1) uuids.push((await kinora.generate(ann)).data.uuid)
  const [one = '', two = '', three = '', four = '', five = ''] = uuids
  await kinora.call('POST', `/api/v1/video/${two}/cancel`, { as: ann })
  await kinora.call('DELETE', `/api/v1/video/${four}`, { as: ann })
  await withStream(ann, async (stream) => {
    await waitFor('the first states', () => stream.events.length >= 3)
    assert.deepEqual(
      stream.events.map(({ data }) => [data.uuid, data.status]),
      [one, three, five].map((uuid) => [uuid, 'PENDING']),
    )
    // The next event proves that there was none in between.
    await kinora.call('POST', `/api/v1/video/${one}/cancel`, { as: ann })
    await stream.until(one, 'FAILED')
    assert.equal(stream.events.length, 4)
  })
})

test('200: deletion of a final or running video → one deleted event in each stream, then no more events', async () => {
  const ann = await kinora.person({ credits: 200 })
  const old = { uuid: await completedVideo(kinora, ann) }
  await withStream(ann, (one) =>
    withStream(ann, async (two) => {
      const { data: fresh } = await kinora.generate(ann)
      for (const stream of [one, two]) await stream.until(fresh.uuid, 'PENDING')
      for (const { uuid } of [old, fresh]) {
        assert.equal((await kinora.call('DELETE', `/api/v1/video/${uuid}`, { as: ann })).status, 200)
        for (const stream of [one, two]) await stream.until(uuid, 'deleted')
      }
      const { data: last } = await kinora.generate(ann)
      await completeVideo(kinora, ann, last.uuid)
      for (const stream of [one, two]) {
        await stream.until(last.uuid, 'COMPLETED')
        assert.deepEqual(stream.statusesOf(old.uuid), ['deleted'])
        assert.deepEqual(stream.statusesOf(fresh.uuid), ['PENDING', 'deleted'])
        assert.equal(stream.events.filter(({ event }) => event === 'deleted').length, 2)
        assert.deepEqual(Object.keys(stream.events.find(({ event }) => event === 'deleted')?.data ?? {}), [
          'uuid',
          'subject',
        ])
      }
    }),
  )
})

test("200: other users' videos → no events", async () => {
  const [ann, bob] = [await kinora.person({ credits: 100 }), await kinora.person({ credits: 100 })]
  const { data: before } = await kinora.generate(bob)
  await withStream(ann, (hers) =>
    withStream(bob, async (his) => {
      const { data: bobs } = await kinora.generate(bob)
      const { data: anns } = await kinora.generate(ann)
      await Promise.all([his.until(before.uuid, 'PENDING'), his.until(bobs.uuid, 'PENDING')])
      await hers.until(anns.uuid, 'PENDING')
      await kinora.call('DELETE', `/api/v1/video/${bobs.uuid}`, { as: bob })
      await his.until(bobs.uuid, 'deleted')
      const { data: last } = await kinora.generate(ann)
      await hers.until(last.uuid, 'PENDING')
      const uuids = (stream: EventStream) => [...new Set(stream.events.map(({ data }) => data.uuid))].sort()
      assert.deepEqual(uuids(hers), [anns.uuid, last.uuid].sort())
      assert.deepEqual(uuids(his), [before.uuid, bobs.uuid].sort())
    }),
  )
})

test('200: stream of a token, and of a session with subject → the events of this subject’s videos alone, and a slot of its own', async () => {
  const ann = await kinora.person({ credits: 1000 })
  const { text } = await kinora.call('POST', '/api/auth/api-key/create', { as: ann, body: { name: 'shop' } })
  const shop: Person = { ...ann, token: JSON.parse(text).key }
  const visitor = async (subject: string): Promise<Person> => {
    const body = { subject, scopes: ['generate'], budget: 500 }
    const { data } = await kinora.call<{ token: string }>('POST', '/api/v1/key/token', { as: shop, body })
    return { ...ann, token: data.token }
  }
  const [bo, cy] = [await visitor('bo'), await visitor('cy')]
  const { data: before } = await kinora.generate(cy)
  const uuids = (stream: EventStream) => [...new Set(stream.events.map(({ data }) => data.uuid))].sort()
  const filtered = await openStream(url, shop, { query: '?subject=bo' })
  await withStream(bo, (his) =>
    withStream(cy, async (hers) => {
      const films = { bo: await kinora.generate(bo), cy: await kinora.generate(cy), shop: await kinora.generate(shop) }
      const { uuid } = films.bo.data
      for (const film of [films.cy, films.bo]) {
        assert.equal((await kinora.call('DELETE', `/api/v1/video/${film.data.uuid}`, { as: shop })).status, 200)
      }
      for (const stream of [his, filtered]) await stream.until(uuid, 'deleted')
      await hers.until(films.cy.data.uuid, 'deleted')
      assert.deepEqual([uuids(his), uuids(filtered)], [[uuid], [uuid]])
      assert.deepEqual(uuids(hers), [before.uuid, films.cy.data.uuid].sort())
      for (const { data } of his.events) assert.equal((data as { subject?: string }).subject, 'bo')
      const others = await Promise.all(Array.from({ length: 9 }, () => openStream(url, bo)))
      await assert.rejects(openStream(url, bo), /RATE_LIMITED/)
      const still = await openStream(url, cy)
      for (const stream of [...others, still]) stream.close()
    }),
  )
  filtered.close()
})

test('key deleted: the streams of its tokens → end cleanly', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { text } = await kinora.call('POST', '/api/auth/api-key/create', { as: ann, body: { name: 'shop' } })
  const { key, id: keyId } = JSON.parse(text)
  const { data } = await kinora.call<{ token: string }>('POST', '/api/v1/key/token', {
    as: { ...ann, token: key },
    body: {},
  })
  const stream = await openStream(url, { ...ann, token: data.token })
  assert.equal((await kinora.call('POST', '/api/auth/api-key/delete', { as: ann, body: { keyId } })).status, 200)
  assert.equal(await stream.ended(), 'clean')
})

test('401: no credential; 405: POST; HEAD → 200 without a stream', async () => {
  const ann = await kinora.person()
  const anonymous = await kinora.call('GET', '/api/v1/video/events')
  assert.equal(anonymous.status, 401)
  const posted = await kinora.call('POST', '/api/v1/video/events', { as: ann })
  assert.equal(posted.status, 405)
  assert.match(posted.headers.get('allow') ?? '', /GET/)
  for (let i = 0; i < 12; i += 1) {
    const { status, headers, text } = await kinora.call('HEAD', '/api/v1/video/events', { as: ann })
    assert.deepEqual([status, text], [200, ''])
    assert.match(headers.get('content-type') ?? '', /^text\/event-stream/)
  }
})

test('429: eleventh stream of a user → accepted again after one closes', async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  const streams = await Promise.all(Array.from({ length: 10 }, () => openStream(url, ann)))
  const refused = await kinora.call('GET', '/api/v1/video/events', { as: ann })
  assert.equal(refused.status, 429)
  assert.equal(refused.error?.code, 'RATE_LIMITED')
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  await withStream(bob, async () => {})
  streams.pop()?.close()
  await waitFor('room', () =>
    openStream(url, ann).then(
      (stream) => streams.push(stream) > 0,
      () => false,
    ),
  )
  for (const stream of streams) stream.close()
})

test('session revoked: its streams → end cleanly; other streams stay', async () => {
  const [ann, bob] = [await kinora.person(), await kinora.person()]
  await kinora.withSettings({}, async (other) => {
    const [hers, his] = [await openStream(other, ann), await openStream(other, bob)]
    await kinora.app.sql`delete from public.session where token = public.stored_token(${ann.token})`
    assert.equal(await hers.ended(), 'clean')
    const { data } = await kinora.generate(bob)
    await his.until(data.uuid, 'PENDING')
    his.close()
  })
})

test('idle stream: keep-alive comments with newer ids → clean end after half an hour', async (context) => {
  const ann = await kinora.person()
  await kinora.withSettings({}, async (other) => {
    const stream = await openStream(other, ann)
    const first = stream.lastId()
    pass(context, 15_000)
    await waitFor('a comment', () => /^: /m.test(stream.text()))
    await waitFor('a newer id', () => stream.lastId() > first)
    assert.deepEqual(stream.events, [])
    pass(context, 30 * 60_000)
    assert.equal(await stream.ended(), 'clean')
  })
})

test('back pressure: client does not read → disconnected, resumes without loss', async () => {
  const ann = await kinora.person({ credits: 2000 })
  const uuids: string[] = []
  for (let i = 0; i < 20; i += 1) uuids.push((await kinora.generate(ann, { prompt: '[silent]' })).data.uuid)
  await kinora.workUntil(async () =>
    (await Promise.all(uuids.map((uuid) => task(ann, uuid)))).every(({ status }) => status === 'GENERATING'),
  )
  const [slow, quick] = [await openStream(url, ann), await openStream(url, ann)]
  slow.response.socket.pause()
  // More than the buffers between two sockets hold.
  await kinora.app.sql`update kinora.video set error = repeat('x', 300000) where user_id = ${ann.userId}`
  const long = () => quick.events.filter(({ data }) => (data as { error?: string }).error?.length === 300_000).length
  for (let i = 1; i <= 3; i += 1) {
    kinora.turnClock(5_000)
    await waitFor('more to read', () => long() >= uuids.length * i)
  }
  slow.response.socket.resume()
  assert.equal(await slow.ended(), 'cut off')
  assert.ok(slow.events.length < quick.events.length)
  await kinora.app.sql`update kinora.video set error = null where user_id = ${ann.userId}`
  const again = await openStream(url, ann, { lastEventId: slow.lastId() })
  for (const uuid of uuids) await again.until(uuid, 'GENERATING')
  for (const stream of [quick, again]) stream.close()
})

// slow
/**
 * The event stream misses no change: late commits, clients that resume at another process, database outages, and
 * graceful shutdown.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { request } from 'node:http'
import { after, test } from 'node:test'
import { openDb, type Query } from '../../src/db/db.ts'
import { newId } from '../../src/id.ts'
import { videoAccept, videoBeginSubmit, videoCancel, videoDelete, videoGenerate } from '../../src/video/transitions.ts'
import { beginFor, openTestDatabase, serverOf } from '../support/citus/database.ts'
import { type EventStream, openStream } from '../support/event-stream-client.ts'
import { freePort } from '../support/free-port.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { startProcess } from '../support/processes.ts'
import { withProxies } from '../support/proxied-service.ts'
import { claimVideo, newVideo, waitFor } from '../support/video-row.ts'

const kinora = await openKinora({ simulator: true })
const { url } = kinora
/** A connection for transactions that the test keeps open; the service keeps none open. */
const { sql, close } = await openTestDatabase(kinora.databaseUrl, { connections: 20, name: 'kinora event stream test' })
after(close)

const MINUTE_MS = 60_000

async function generateIn(tx: Query, { userId }: Person, now: Date): Promise<string> {
  const videoId = newId(now)
  const deadlineAt = new Date(now.getTime() + 30 * MINUTE_MS)
  await videoGenerate(tx, newVideo({ userId, videoId, now, providers: ['provider-b'], usualS: 60, deadlineAt }))
  return videoId
}
const later = (ms: number) => new Date(Date.now() + ms)
const cancelIn = (tx: Query, { userId }: Person, videoId: string, now: Date) =>
  videoCancel(tx, { userId, videoId, now, error: 'Called off.', graceS: 86_400 })

/** A change whose transaction stays open until the test commits it. */
async function hold({ userId }: Person, change: (tx: Query) => Promise<string>) {
  const [made, go] = [Promise.withResolvers<string>(), Promise.withResolvers<void>()]
  const done = beginFor(sql, userId, async (tx) => {
    made.resolve(await change(tx))
    await go.promise
  })
  const uuid = await made.promise
  const commit = async () => {
    go.resolve()
    await done
  }
  return { uuid, commit }
}
const remove = (as: Person, uuid: string) => kinora.call('DELETE', `/api/v1/video/${uuid}`, { as })
const cancel = (as: Person, uuid: string) => kinora.call('POST', `/api/v1/video/${uuid}/cancel`, { as })

test('late commit: transaction open over many polls → event once it is visible', async () => {
  const [ann, bob] = [await kinora.person({ credits: 200 }), await kinora.person({ credits: 200 })]
  const [hers, his] = [await openStream(url, ann), await openStream(url, bob)]
  const held = await hold(ann, (tx) => generateIn(tx, ann, new Date(Date.now() - 10 * MINUTE_MS)))
  for (let polls = 0; polls < 3; polls += 1) {
    const { data } = await kinora.generate(bob)
    await his.until(data.uuid, 'PENDING')
  }
  assert.equal(hers.events.length, 0)
  await held.commit()
  await hers.until(held.uuid, 'PENDING')
  for (const stream of [hers, his]) stream.close()
})

test('event stream: video created and final between two polls → event', async () => {
  const ann = await kinora.person({ credits: 200 })
  const stream = await openStream(url, ann)
  const held = await hold(ann, async (tx) => {
    const uuid = await generateIn(tx, ann, new Date())
    await cancelIn(tx, ann, uuid, new Date())
    return uuid
  })
  await held.commit()
  await stream.until(held.uuid, 'FAILED')
  assert.deepEqual(stream.statusesOf(held.uuid), ['FAILED'])
  stream.close()
})

test('resume: change visible only after the last id → event in the next stream', async () => {
  const ann = await kinora.person({ credits: 200 })
  const { data: first } = await kinora.generate(ann)
  const [video, lease] = [{ userId: ann.userId, videoId: first.uuid }, randomUUID()]
  await claimVideo(kinora, ann.userId, first.uuid, lease)
  await videoBeginSubmit(kinora.app.calls, { ...video, lease, now: new Date() })
  const stream = await openStream(url, ann)
  const held = await hold(ann, async (tx) => {
    const uuid = await generateIn(tx, ann, new Date())
    await cancelIn(tx, ann, uuid, new Date())
    return uuid
  })
  // A step that does not wait for the account, which the transaction has locked.
  const times = { now: new Date(), dueAt: later(60_000), deadlineAt: later(60_000) }
  assert.equal(await videoAccept(kinora.app.calls, { ...video, taskId: 'task', ...times }), 'accepted')
  await stream.until(first.uuid, 'GENERATING')
  stream.close()
  await held.commit()
  const next = await openStream(url, ann, { lastEventId: stream.lastId() })
  await next.until(held.uuid, 'FAILED')
  next.close()
})

test('resume: changes while disconnected (created, final, deleted) → events, by header or query parameter', async () => {
  const ann = await kinora.person({ credits: 200 })
  const { data: old } = await kinora.generate(ann)
  await cancel(ann, old.uuid)
  const { data: running } = await kinora.generate(ann)
  const stream = await openStream(url, ann)
  await stream.until(running.uuid, 'PENDING')
  stream.close()
  const { data: made } = await kinora.generate(ann)
  const { data: over } = await kinora.generate(ann)
  await cancel(ann, over.uuid)
  await cancel(ann, running.uuid)
  await remove(ann, old.uuid)
  // Longer than the poller's overlap.
  kinora.turnClock(10 * MINUTE_MS)
  for (const options of [{ lastEventId: stream.lastId() }, { query: `?lastEventId=${stream.lastId()}` }]) {
    const next = await openStream(url, ann, options)
    await next.until(made.uuid, 'PENDING')
    await next.until(over.uuid, 'FAILED')
    await next.until(running.uuid, 'FAILED')
    await next.until(old.uuid, 'deleted')
    assert.ok(next.events.every(({ event }) => event !== 'reset'))
    next.close()
  }
})

test('resume: id too old, in the future or malformed → reset event, then videos in progress', async () => {
  const ann = await kinora.person({ credits: 200 })
  const { data } = await kinora.generate(ann)
  const now = kinora.app.now().getTime()
  for (const lastEventId of [
    `${now - 25 * 60 * MINUTE_MS}`,
    `${now + 60 * MINUTE_MS}`,
    'none',
    '0',
    '17e12',
    `-${now}`,
  ]) {
    const stream = await openStream(url, ann, { lastEventId })
    await stream.until(data.uuid, 'PENDING')
    assert.deepEqual(
      stream.events.map(({ event }) => event),
      ['reset', 'video'],
      lastEventId,
    )
    assert.deepEqual(stream.events[0]?.data, {})
    stream.close()
  }
})

test('resume: alternating between two API processes during 200 concurrent changes → every final status arrives', async () => {
  const ann = await kinora.person({ credits: 10_000 })
  const servers = await Promise.all(
    [await freePort(), await freePort()].map(async (port) => ({
      url: `http://127.0.0.1:${port}`,
      process: await startProcess(kinora, 'api', { PORT: String(port), MAX_IN_PROGRESS: '0' }),
    })),
  )
  const server = await serverOf(sql, ann.userId)
  const pool = openDb(server.url, { connections: 10, name: 'kinora event stream test' })
  after(() => pool.end())
  const transactions = server.of(pool)
  const kept: string[] = []
  const deleted: string[] = []
  let isDone = false
  const change = async (i: number) => {
    const at = new Date()
    const uuid = await transactions.begin(async (tx) => {
      const made = await generateIn(tx, ann, at)
      if (i % 3 === 0) await cancelIn(tx, ann, made, at)
      return made
    })
    if (i % 3 !== 0) await transactions.begin((tx) => cancelIn(tx, ann, uuid, new Date()))
    if (i % 5 === 0) await videoDelete(sql, { userId: ann.userId, videoId: uuid, now: new Date() })
    ;(i % 5 === 0 ? deleted : kept).push(uuid)
  }
  const changing = (async () => {
    for (let i = 0; i < 200; i += 10) await Promise.all(Array.from({ length: 10 }, (_, j) => change(i + j)))
    isDone = true
  })()

  const last = new Map<string, string>()
  let lastEventId: string | undefined
  const isMissed = () => [...kept, ...deleted].filter((uuid) => !['FAILED', 'deleted'].includes(last.get(uuid) ?? ''))
  for (let round = 0; round < 12 || !isDone || isMissed().length > 0; round += 1) {
    const server = servers[round % 2]
    const stream = await openStream(server?.url ?? '', ann, lastEventId ? { lastEventId } : {})
    const id = stream.lastId()
    const least = isDone ? stream.events.length : stream.events.length + 3
    await waitFor('something new', () => stream.events.length >= least || (isDone && stream.lastId() >= id))
    stream.close()
    lastEventId = stream.lastId()
    for (const { event, data } of stream.events) {
      assert.notEqual(event, 'reset')
      last.set(data.uuid ?? '', data.status ?? event)
    }
    assert.ok(round < 100, `missed: ${isMissed()}`)
  }
  await changing
  for (const uuid of deleted) assert.equal(last.get(uuid), 'deleted')
  for (const uuid of kept) assert.equal(last.get(uuid), 'FAILED')
  for (const server of servers) assert.equal(await server.process.stop(), 0)
})

test('database outage: open streams → stay and catch up; new streams → 503', async () => {
  const ann = await kinora.person({ credits: 200 })
  const { data: old } = await kinora.generate(ann)
  await cancel(ann, old.uuid)
  await withProxies(kinora, {}, async (other, proxy) => {
    const stream = await openStream(other, ann)
    let polls = 0
    proxy.onStatement = (text) => {
      if (!/subscriber|subscription/.test(text)) return null
      polls += 1
      return 'before'
    }
    await waitFor('failed polls', () => polls >= 2)
    const { data: made } = await kinora.generate(ann)
    const { data: over } = await kinora.generate(ann)
    await cancel(ann, over.uuid)
    await remove(ann, old.uuid)
    await assert.rejects(openStream(other, ann), /503 .*UNAVAILABLE/)
    assert.equal(stream.events.length, 0)
    proxy.onStatement = () => null
    await stream.until(made.uuid, 'PENDING')
    await stream.until(over.uuid, 'FAILED')
    await stream.until(old.uuid, 'deleted')
    stream.close()
  })
})

test('event stream: client disconnects before the stream starts → no stream counted', async () => {
  const ann = await kinora.person()
  const [locked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = beginFor(sql, ann.userId, async (tx) => {
    await tx`lock table kinora.credit_account in access exclusive mode`
    locked.resolve()
    await go.promise
  })
  await locked.promise
  const impatient = Array.from({ length: 10 }, () =>
    request(`${url}/api/v1/video/events`, { agent: false, headers: { authorization: `Bearer ${ann.token}` } })
      .on('error', () => {})
      .end(),
  )
  const isFull = async () => (await kinora.call('HEAD', '/api/v1/video/events', { as: ann })).status === 429
  await waitFor('ten streams that are about to begin', isFull)
  for (const each of impatient) each.destroy()
  go.resolve()
  await holding
  const streams: EventStream[] = []
  await waitFor('room for ten others', async () => {
    await openStream(url, ann).then(
      (stream) => streams.push(stream),
      () => undefined,
    )
    return streams.length === 10
  })
  for (const stream of streams) stream.close()
})

test('SIGTERM: streams end cleanly (graceful shutdown) → another process resumes them', async () => {
  const ann = await kinora.person({ credits: 200 })
  const port = await freePort()
  const server = await startProcess(kinora, 'api', { PORT: String(port) })
  const streams = await Promise.all(Array.from({ length: 3 }, () => openStream(`http://127.0.0.1:${port}`, ann)))
  const stopped = server.stop()
  // A connection still open after eight seconds would be destroyed.
  for (const stream of streams) assert.equal(await stream.ended(), 'clean')
  assert.equal(await stopped, 0)
  const { data } = await kinora.generate(ann)
  await cancel(ann, data.uuid)
  const next = await openStream(url, ann, { lastEventId: streams[0]?.lastId() ?? '' })
  await next.until(data.uuid, 'FAILED')
  next.close()
})

// slow
/** The client's event stream: in order, reconnected with Last-Event-ID, shared by all calls of generateAndWait. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { generateBody, openKinora as openService, type Person } from '../../server/test/support/harness.ts'
import { KinoraStreamError, openKinora, type VideoEvent } from '../src/index.ts'
import { openFaultyProxy, startHttpServer } from './faulty-proxy.ts'

const STREAM = '/api/v1/video/events'
const service = await openService({ simulator: true, worker: true })
const proxy = await openFaultyProxy(service.url)
after(proxy.close)

function open(person: Person) {
  proxy.requests.length = 0
  proxy.onRequest = () => null
  return openKinora({ baseUrl: proxy.url, token: person.token })
}
async function waitUntil(condition: () => boolean): Promise<void> {
  for (const deadlineMs = Date.now() + 60_000; !condition(); ) {
    assert.ok(Date.now() < deadlineMs, `timed out waiting for ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
const streamRequests = () => proxy.requests.filter((line) => line.includes(STREAM))

test('events: a video made, completed and deleted → its events in order; abort → the iteration ends', async () => {
  const ann = await service.person()
  const kinora = open(ann)
  const controller = new AbortController()
  const states: string[] = []
  let uuid: string | undefined
  const onConnection = async (state: string) => {
    states.push(state)
    uuid ??= (await kinora.POST('/api/v1/video/generate', { body: generateBody })).data?.uuid
  }
  const received: VideoEvent[] = []
  for await (const event of kinora.events({ signal: controller.signal, onConnection })) {
    received.push(event)
    if (event.type === 'video' && event.status === 'COMPLETED') {
      await kinora.DELETE('/api/v1/video/{uuid}', { params: { path: { uuid: event.uuid } } })
    }
    if (event.type === 'deleted') controller.abort()
  }
  assert.ok(uuid)
  assert.ok(received.every((event) => event.id && event.type !== 'reset' && event.uuid === uuid))
  const progress = received.flatMap((event) => (event.type === 'video' ? [event.progress] : []))
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  )
  assert.equal(progress.at(-1), 100)
  assert.equal(received.at(-1)?.type, 'deleted')
  assert.deepEqual(states, ['open'])
  await waitUntil(() => proxy.openOf(STREAM) === 0)
})

test('events: connection lost → reopened with Last-Event-ID, no event is missed', async () => {
  const ann = await service.person({ credits: 200 })
  const kinora = open(ann)
  const controller = new AbortController()
  const states: string[] = []
  const made: (string | undefined)[] = []
  const make = async () => {
    const { data } = await service.generate(ann)
    made.push(data.uuid)
    await waitUntil(() => completed.has(data.uuid) || states.at(-1) === 'lost')
  }
  const completed = new Set<string>()
  const reading = (async () => {
    const onConnection = (state: string) => states.push(state)
    for await (const event of kinora.events({ signal: controller.signal, onConnection })) {
      if (event.type === 'video' && event.status === 'COMPLETED') completed.add(event.uuid)
    }
  })()
  await waitUntil(() => states.at(-1) === 'open')
  await make()
  // The stream cannot connect while the second video is made and completes.
  proxy.onRequest = (line) => (line.includes(STREAM) ? 'before' : null)
  proxy.breakAll()
  await waitUntil(() => states.at(-1) === 'lost')
  await make()
  await service.finish(ann, made[1] ?? '')
  proxy.onRequest = () => null
  await waitUntil(() => completed.size === 2)
  controller.abort()
  await reading
  assert.deepEqual([...completed], made)
  assert.deepEqual(states, ['open', 'lost', 'open'])
  assert.match(streamRequests().at(-1) ?? '', / after \d+$/)
})

test('events: service unreachable at first → onConnection gets lost once, then open', async () => {
  const ann = await service.person()
  const kinora = open(ann)
  const controller = new AbortController()
  const states: string[] = []
  proxy.onRequest = () => (streamRequests().length < 3 ? 'before' : null)
  const reading = kinora.events({ signal: controller.signal, onConnection: (state) => states.push(state) }).next()
  await waitUntil(() => states.at(-1) === 'open')
  controller.abort()
  await reading
  assert.deepEqual(states, ['lost', 'open'])
})

test('events: lastEventId → resumes after that event', async () => {
  const ann = await service.person()
  const first = new AbortController()
  const { data } = await service.generate(ann)
  let lastEventId = ''
  for await (const event of open(ann).events({ signal: first.signal })) {
    lastEventId = event.id
    first.abort()
  }
  assert.ok(lastEventId)
  assert.equal((await service.finish(ann, data.uuid)).status, 'COMPLETED')
  const second = new AbortController()
  const seen: string[] = []
  for await (const event of open(ann).events({ signal: second.signal, lastEventId })) {
    if (event.type === 'video') seen.push(event.status)
    if (seen.at(-1) === 'COMPLETED') second.abort()
  }
  assert.equal(seen.at(-1), 'COMPLETED')
})

test('events: unknown lastEventId → reset', async () => {
  const ann = await service.person()
  const controller = new AbortController()
  const types: string[] = []
  for await (const event of open(ann).events({ signal: controller.signal, lastEventId: '1' })) {
    types.push(event.type)
    controller.abort()
  }
  assert.deepEqual(types, ['reset'])
})

test('401: events without credentials → KinoraStreamError with the error', async () => {
  const kinora = openKinora({ baseUrl: service.url })
  await assert.rejects(kinora.events().next(), (thrown: unknown) => {
    assert.ok(thrown instanceof KinoraStreamError)
    assert.equal(thrown.error.code, 'UNAUTHENTICATED')
    return true
  })
})

test('generateAndWait: twelve at once → one shared stream, closed after the last', async () => {
  const ann = await service.person({ credits: 400 })
  const kinora = open(ann)
  let most = 0
  proxy.onRequest = () => {
    most = Math.max(most, proxy.openOf(STREAM))
    return null
  }
  const results = await Promise.all(Array.from({ length: 12 }, () => kinora.generateAndWait(generateBody)))
  assert.ok(results.every(({ data }) => data?.status === 'COMPLETED'))
  assert.equal(most, 1)
  assert.equal(streamRequests().length, 1)
  await waitUntil(() => proxy.openOf(STREAM) === 0)
  // A later call opens a new stream.
  assert.equal((await kinora.generateAndWait(generateBody)).data?.status, 'COMPLETED')
  assert.equal(streamRequests().length, 2)
})

test('generateAndWait: stream open → learns of the completion by an event, with at most two polls', async () => {
  const ann = await service.person()
  const traffic: string[] = []
  const startMs = performance.now()
  const record = (line: string) => traffic.push(`${Math.round(performance.now() - startMs)} ms ${line}`)
  const kinora = openKinora({
    baseUrl: service.url,
    token: ann.token,
    fetch: async (request: Request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/api/v1/video/task') record(`poll ${searchParams.get('uuid')}`)
      const response = await fetch(request)
      if (pathname === STREAM) record(`stream ${response.status}`)
      return response
    },
  })
  // Another call opens the stream, and polls when it is connected. Until then every call polls.
  const abortOther = new AbortController()
  const other = kinora.generateAndWait({ ...generateBody, prompt: '[slow: 60s]' }, { signal: abortOther.signal })
  await waitUntil(() => {
    const streamIndex = traffic.findIndex((line) => line.endsWith('stream 200'))
    return streamIndex >= 0 && traffic.slice(streamIndex).some((line) => line.includes('poll'))
  })
  const createdMs = performance.now()
  const { data } = await kinora.generateAndWait({ ...generateBody, prompt: '[slow: 4s]' })
  assert.equal(data?.status, 'COMPLETED')
  const polls = traffic.filter((line) => line.endsWith(`poll ${data.uuid}`)).length
  // A poll every 15 seconds guards against a missed event, and a loaded machine may need longer for the film.
  const guardPolls = Math.floor((performance.now() - createdMs) / 15_000)
  assert.ok(polls <= 2 + guardPolls, `polled ${polls} times:\n${traffic.join('\n')}`)
  abortOther.abort()
  await assert.rejects(other, { name: 'AbortError' })
})

test('generateAndWait: 404 for the stream → polls until completed', async () => {
  const ann = await service.person()
  const without = await startHttpServer((request, response) => {
    if (request.url?.startsWith(STREAM)) return response.writeHead(404).end('no such page')
    return response.writeHead(500).end()
  })
  // All other requests go to the service.
  const fetchAll = (request: Request) =>
    request.url.includes(STREAM) ? fetch(request) : fetch(request.url.replace(without.url, service.url), request)
  const kinora = openKinora({ baseUrl: without.url, token: ann.token, fetch: fetchAll })
  assert.equal((await kinora.generateAndWait(generateBody)).data?.status, 'COMPLETED')
  await without.close()
})

test('events: mark without a change → the position advances; unknown and malformed events → skipped', async () => {
  const bodies = [
    'retry: 1\nid: 1\nevent: later\ndata: {}\n\nid: 2\nevent: video\ndata: {half\n\n: still here\n\nid: 3\nevent: mark\ndata: {}\n\n',
    'id: 4\nevent: deleted\ndata: {"uuid":"one"}\n\n',
  ]
  const lastEventIds: (string | undefined)[] = []
  const scripted = await startHttpServer((request, response) => {
    const after = request.headers['last-event-id']
    lastEventIds.push(typeof after === 'string' ? after : undefined)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(bodies[lastEventIds.length - 1])
  })
  const controller = new AbortController()
  const received: VideoEvent[] = []
  for await (const event of openKinora({ baseUrl: scripted.url }).events({ signal: controller.signal })) {
    received.push(event)
    controller.abort()
  }
  await scripted.close()
  assert.deepEqual(received, [{ type: 'deleted', uuid: 'one', id: '4' }])
  assert.deepEqual(lastEventIds, [undefined, '3'])
})

test('events: aborted within a batch → no further event of the batch', async () => {
  const scripted = await startHttpServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end('id: 1\nevent: reset\ndata: {}\n\nid: 2\nevent: reset\ndata: {}\n\n')
  })
  const controller = new AbortController()
  const received: string[] = []
  for await (const { id } of openKinora({ baseUrl: scripted.url }).events({ signal: controller.signal })) {
    received.push(id)
    controller.abort()
  }
  await scripted.close()
  assert.deepEqual(received, ['1'])
})

test('events: onConnection throws → the caller gets the exception, the connection closes', async () => {
  const ann = await service.person()
  const mistake = new Error('a mistake in the program')
  const events = open(ann).events({
    onConnection: () => {
      throw mistake
    },
  })
  await assert.rejects(events.next(), mistake)
  await waitUntil(() => proxy.openOf(STREAM) === 0)
})

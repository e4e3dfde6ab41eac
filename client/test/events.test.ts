/** The event stream as the client reads it: in order, made again when it is lost, shared by all who wait. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { generateBody, openKinora as openService, type Person } from '../../server/test/harness.ts'
import { KinoraStreamError, openKinora, type VideoEvent } from '../src/index.ts'
import { listen, openWay } from './faulty-proxy.ts'

const STREAM = '/api/v1/video/events'
const service = await openService({ simulator: true, worker: true })
const way = await openWay(service.url)
after(way.close)

function open(person: Person) {
  way.requests.length = 0
  way.onRequest = () => null
  return openKinora({ baseUrl: way.url, token: person.token })
}
async function until(condition: () => boolean): Promise<void> {
  for (const giveUpAtMs = Date.now() + 60_000; !condition(); ) {
    assert.ok(Date.now() < giveUpAtMs, `waited in vain for ${condition}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
const streams = () => way.requests.filter((line) => line.includes(STREAM))

test('a video from its beginning to its end, then its deletion; the signal ends it quietly', async () => {
  const ann = await service.person()
  const kinora = open(ann)
  const controller = new AbortController()
  const states: string[] = []
  let uuid: string | undefined
  const onConnection = async (state: string) => {
    states.push(state)
    uuid ??= (await kinora.POST('/api/v1/video/generate', { body: generateBody })).data?.uuid
  }
  const told: VideoEvent[] = []
  for await (const event of kinora.events({ signal: controller.signal, onConnection })) {
    told.push(event)
    if (event.type === 'video' && event.status === 'COMPLETED') {
      await kinora.DELETE('/api/v1/video/{uuid}', { params: { path: { uuid: event.uuid } } })
    }
    if (event.type === 'deleted') controller.abort()
  }
  assert.ok(uuid)
  assert.ok(told.every((event) => event.id && event.type !== 'reset' && event.uuid === uuid))
  const progress = told.flatMap((event) => (event.type === 'video' ? [event.progress] : []))
  assert.deepEqual(
    progress,
    progress.toSorted((a, b) => a - b),
  )
  assert.equal(progress.at(-1), 100)
  assert.equal(told.at(-1)?.type, 'deleted')
  assert.deepEqual(states, ['open'])
  await until(() => way.openOf(STREAM) === 0)
})

test('a connection that is cut is made again, and goes on where it was: nothing is missed', async () => {
  const ann = await service.person({ credits: 200 })
  const kinora = open(ann)
  const controller = new AbortController()
  const states: string[] = []
  const made: (string | undefined)[] = []
  const make = async () => {
    const { data } = await service.generate(ann)
    made.push(data.uuid)
    await until(() => completed.has(data.uuid) || states.at(-1) === 'lost')
  }
  const completed = new Set<string>()
  const reading = (async () => {
    const onConnection = (state: string) => states.push(state)
    for await (const event of kinora.events({ signal: controller.signal, onConnection })) {
      if (event.type === 'video' && event.status === 'COMPLETED') completed.add(event.uuid)
    }
  })()
  await until(() => states.at(-1) === 'open')
  await make()
  // Nothing comes through while the second one is made and finished.
  way.onRequest = (line) => (line.includes(STREAM) ? 'before' : null)
  way.cutAll()
  await until(() => states.at(-1) === 'lost')
  await make()
  await service.finish(ann, made[1] ?? '')
  way.onRequest = () => null
  await until(() => completed.size === 2)
  controller.abort()
  await reading
  assert.deepEqual([...completed], made)
  assert.deepEqual(states, ['open', 'lost', 'open'])
  assert.match(streams().at(-1) ?? '', / after \d+$/)
})

test('a service that is away from the beginning counts as lost, once, until it is there', async () => {
  const ann = await service.person()
  const kinora = open(ann)
  const controller = new AbortController()
  const states: string[] = []
  way.onRequest = () => (streams().length < 3 ? 'before' : null)
  const reading = kinora.events({ signal: controller.signal, onConnection: (state) => states.push(state) }).next()
  await until(() => states.at(-1) === 'open')
  controller.abort()
  await reading
  assert.deepEqual(states, ['lost', 'open'])
})

test('lastEventId goes on in another program', async () => {
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

test('an id that cannot be gone on from: reset', async () => {
  const ann = await service.person()
  const controller = new AbortController()
  const types: string[] = []
  for await (const event of open(ann).events({ signal: controller.signal, lastEventId: '1' })) {
    types.push(event.type)
    controller.abort()
  }
  assert.deepEqual(types, ['reset'])
})

test('401: a refusal for good is thrown, with the error', async () => {
  const kinora = openKinora({ baseUrl: service.url })
  await assert.rejects(kinora.events().next(), (thrown: unknown) => {
    assert.ok(thrown instanceof KinoraStreamError)
    assert.equal(thrown.error.code, 'UNAUTHENTICATED')
    return true
  })
})

test('twelve who wait share one stream, which ends behind the last of them', async () => {
  const ann = await service.person({ credits: 400 })
  const kinora = open(ann)
  let most = 0
  way.onRequest = () => {
    most = Math.max(most, way.openOf(STREAM))
    return null
  }
  const answers = await Promise.all(Array.from({ length: 12 }, () => kinora.generateAndWait(generateBody)))
  assert.ok(answers.every(({ data }) => data?.status === 'COMPLETED'))
  assert.equal(most, 1)
  assert.equal(streams().length, 1)
  await until(() => way.openOf(STREAM) === 0)
  // Who comes later has one of their own.
  assert.equal((await kinora.generateAndWait(generateBody)).data?.status, 'COMPLETED')
  assert.equal(streams().length, 2)
})

test('generateAndWait hears of the end, and does not find it by asking again and again', async () => {
  const ann = await service.person()
  const kinora = open(ann)
  const asked = (uuid = '') => way.requests.filter((line) => line.includes(`/api/v1/video/task?uuid=${uuid}`)).length
  // Another one has the stream open; until it is, asking is what is left.
  const leaving = new AbortController()
  const other = kinora.generateAndWait({ ...generateBody, prompt: '[slow: 60s]' }, { signal: leaving.signal })
  await until(() => asked() >= 2)
  const { data } = await kinora.generateAndWait({ ...generateBody, prompt: '[slow: 4s]' })
  assert.equal(data?.status, 'COMPLETED')
  assert.ok(asked(data?.uuid) <= 2, `asked ${asked(data?.uuid)} times`)
  leaving.abort()
  await assert.rejects(other, { name: 'AbortError' })
})

test('generateAndWait does without the stream, where there is none', async () => {
  const ann = await service.person()
  const without = await listen((request, response) => {
    if (request.url?.startsWith(STREAM)) return response.writeHead(404).end('no such page')
    return response.writeHead(500).end()
  })
  // Everything else goes to the service.
  const fetchAll = (request: Request) =>
    request.url.includes(STREAM) ? fetch(request) : fetch(request.url.replace(without.url, service.url), request)
  const kinora = openKinora({ baseUrl: without.url, token: ann.token, fetch: fetchAll })
  assert.equal((await kinora.generateAndWait(generateBody)).data?.status, 'COMPLETED')
  await without.close()
})

test('an id without an event is gone on from; unknown events and broken ones are passed over', async () => {
  const bodies = [
    'retry: 1\nid: 1\nevent: later\ndata: {}\n\nid: 2\nevent: video\ndata: {half\n\n: still here\n\nid: 3\n\n',
    'id: 4\nevent: deleted\ndata: {"uuid":"one"}\n\n',
  ]
  const asked: (string | undefined)[] = []
  const scripted = await listen((request, response) => {
    const after = request.headers['last-event-id']
    asked.push(typeof after === 'string' ? after : undefined)
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(bodies[asked.length - 1])
  })
  const controller = new AbortController()
  const told: VideoEvent[] = []
  for await (const event of openKinora({ baseUrl: scripted.url }).events({ signal: controller.signal })) {
    told.push(event)
    controller.abort()
  }
  await scripted.close()
  assert.deepEqual(told, [{ type: 'deleted', uuid: 'one', id: '4' }])
  assert.deepEqual(asked, [undefined, '3'])
})

test('after the signal no event comes, of those either that arrived with the last one', async () => {
  const scripted = await listen((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end('id: 1\nevent: reset\ndata: {}\n\nid: 2\nevent: reset\ndata: {}\n\n')
  })
  const controller = new AbortController()
  const told: string[] = []
  for await (const { id } of openKinora({ baseUrl: scripted.url }).events({ signal: controller.signal })) {
    told.push(id)
    controller.abort()
  }
  await scripted.close()
  assert.deepEqual(told, ['1'])
})

test('what onConnection throws reaches the caller, and the connection does not stay open', async () => {
  const ann = await service.person()
  const mistake = new Error('a mistake in the program')
  const events = open(ann).events({
    onConnection: () => {
      throw mistake
    },
  })
  await assert.rejects(events.next(), mistake)
  await until(() => way.openOf(STREAM) === 0)
})

/**
 * Requests without an idempotency key whose client repeats them silently (`compatible/repeated-request.ts`): the same
 * body again and again.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import type { Call } from '../../src/compatible/format.ts'
import { readVideo } from '../../src/compatible/video-view.ts'
import { noteEndsOfWait } from '../../src/compatible/wait-for-film.ts'
import { completeVideo } from '../support/completed-video.ts'
import { openStream } from '../support/event-stream-client.ts'
import { openKinora, type Person } from '../support/harness.ts'
import { waitFor } from '../support/video-row.ts'
import { dispatchAll, openReceiver } from '../support/webhook-receiver.ts'
import { customer, videosOf } from './clients.ts'

const receiver = await openReceiver({ after })
const kinora = await openKinora({ env: { MAX_IN_PROGRESS: '0', WEBHOOK_ALLOW: receiver.host } })
const MINUTE_MS = 60_000
const BODY = { model: 'delta-1-5', prompt: 'A paper boat', duration: 4, aspect_ratio: '16:9', resolution: '720p' }

async function send(as: Person, headers = {}): Promise<string> {
  const { status, text } = await kinora.call('POST', '/api/v1/videos', { as, body: BODY, headers })
  assert.equal(status, 202, text)
  return JSON.parse(text).id
}

test('repeated request: same body after a failed film, 25 times within ten minutes → a new film each time', async () => {
  const ann = await kinora.person({ credits: 100 })
  const ids: string[] = []
  for (let n = 0; n < 25; n++) {
    const id = await send(ann)
    ids.push(id)
    assert.equal(await send(ann), id, 'a repetition while it is made')
    assert.equal((await kinora.call('POST', `/api/v1/video/${id}/cancel`, { as: ann })).status, 200)
  }
  assert.equal(new Set(ids).size, 25)

  const last = await send(ann)
  kinora.turnClock(15 * MINUTE_MS)
  try {
    assert.equal(await send(ann), last, 'a repetition while it is made, in a later window')
  } finally {
    kinora.turnClock(-15 * MINUTE_MS)
  }
  assert.equal((await kinora.balance(ann)).available, 84)
})

test('repeated request: same body at once, eleven films of it having failed → a film each', async () => {
  const ann = await kinora.person({ credits: 100 })
  for (let n = 0; n < 11; n++) await kinora.call('POST', `/api/v1/video/${await send(ann)}/cancel`, { as: ann })
  const ids = await Promise.all(Array.from({ length: 5 }, () => send(ann)))
  assert.equal(new Set(ids).size, 5)
  assert.equal((await kinora.balance(ann)).available, 20)
})

test('repeated request: same body at once, both answers lost → each repetition gets a film of its own, and no third is made', async () => {
  const ann = await kinora.person({ credits: 100 })
  const both = () => Promise.all([send(ann), send(ann)])
  const ids = (await both()).sort()
  assert.equal(new Set(ids).size, 2)
  assert.deepEqual((await both()).sort(), ids)
  assert.equal((await kinora.balance(ann)).available, 68)
})

test('repeated request: AI SDK, same body again before it can have missed the answer → another film; 2 s later → the film', async () => {
  const ann = await kinora.person({ credits: 100 })
  const headers = { 'user-agent': 'ai/7.0.0 ai-sdk/openrouter/3.0.0' }
  const first = await send(ann, headers)
  const second = await send(ann, headers)
  assert.notEqual(second, first)
  kinora.turnClock(2000)
  try {
    assert.equal(await send(ann, headers), first)
    assert.equal(await send(ann, headers), second)
  } finally {
    kinora.turnClock(-2000)
  }
})

/** Sends the body again, and says whether it got the film `id`, and whether the header says so. */
async function sendAgain(as: Person, id: string): Promise<'the film' | 'another film'> {
  const { data: _, headers, text } = await kinora.call('POST', '/api/v1/videos', { as, body: BODY })
  const isSame = JSON.parse(text).id === id
  assert.equal(headers.get('idempotent-replayed'), isSame ? 'true' : null)
  return isSame ? 'the film' : 'another film'
}

async function completedFilm(as: Person): Promise<string> {
  const id = await send(as)
  await completeVideo(kinora, as, id)
  return id
}

const readers: Record<string, (as: Person, id: string) => Promise<unknown>> = {
  'poll of the format': (as, id) => kinora.call('GET', `/api/v1/videos/${id}`, { as }),
  'poll of another format': (as, id) => kinora.call('GET', `/replicate/v1/predictions/${id}`, { as }),
  'list of a format': (as) => kinora.call('GET', '/v1/videos', { as }),
  task: (as, id) => kinora.call('GET', `/api/v1/video/task?uuid=${id}`, { as }),
  detail: (as, id) => kinora.call('GET', `/api/v1/video/${id}`, { as }),
  list: (as) => kinora.call('GET', '/api/v1/video/list', { as }),
  'filtered list': (as) => kinora.call('GET', '/api/v1/video/list?q=boat', { as }),
  stream: async (as, id) => {
    const since = String(kinora.app.now().getTime() - 10_000)
    const stream = await openStream(kinora.url, as, { lastEventId: since })
    await stream.until(id, 'COMPLETED')
    stream.close()
  },
}
for (const [name, read] of Object.entries(readers)) {
  test(`repeated request: same body before and after the end was read by ${name} → the film; another film`, async () => {
    const ann = await kinora.person({ credits: 100 })
    const id = await completedFilm(ann)
    assert.equal(await sendAgain(ann, id), 'the film')
    await read(ann, id)
    assert.equal(await sendAgain(ann, id), 'another film')
    assert.equal((await kinora.balance(ann)).available, 68)
  })
}

test('repeated request: same body after a webhook of the end was refused, and delivered → the film; another film', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { url } = receiver
  await kinora.call('POST', '/api/v1/webhook/endpoints', { as: ann, body: { url, events: ['video.completed'] } })
  const id = await completedFilm(ann)
  receiver.respond = () => ({ status: 500 })
  await dispatchAll(kinora)
  assert.equal(await sendAgain(ann, id), 'the film')
  receiver.respond = () => ({ status: 204 })
  kinora.turnClock(10_000)
  await dispatchAll(kinora)
  assert.equal(receiver.received.length, 2)
  assert.equal(await sendAgain(ann, id), 'another film')
})

test('repeated request: a key’s film shown to a sign-in, and to the key → the film; another film', async () => {
  const ann = await customer(kinora)
  const program = { ...ann, token: ann.apiKey }
  const id = await completedFilm(program)
  await kinora.call('GET', `/api/v1/video/${id}`, { as: ann })
  assert.equal(await sendAgain(program, id), 'the film')
  await kinora.call('GET', `/api/v1/video/${id}`, { as: program })
  assert.equal(await sendAgain(program, id), 'another film')
})

test('repeated request: same body at another node after the end was read at one → another film', async () => {
  const ann = await kinora.person({ credits: 100 })
  const id = await completedFilm(ann)
  await kinora.withSettings({}, async (url) => {
    const headers = { authorization: `Bearer ${ann.token}`, 'content-type': 'application/json' }
    const again = async () => {
      const response = await fetch(`${url}/api/v1/videos`, { method: 'POST', headers, body: JSON.stringify(BODY) })
      return ((await response.json()) as { id: string }).id
    }
    assert.equal(await again(), id)
    await kinora.call('GET', `/api/v1/videos/${id}`, { as: ann })
    assert.notEqual(await again(), id)
  })
})

test('repeated request: five clients that read the end and send the body at once → none gets the film again', async () => {
  const ann = await kinora.person({ credits: 200 })
  const id = await completedFilm(ann)
  const ids = await Promise.all(
    Array.from({ length: 5 }, async () => {
      await kinora.call('GET', `/api/v1/videos/${id}`, { as: ann })
      return await send(ann)
    }),
  )
  assert.ok(!ids.includes(id))
  assert.notEqual(await send(ann), id)
})

const PREDICTION = { version: 'kinora/delta-1-5', input: { prompt: 'A paper boat', duration: 4 } }

/** A request that waits for its film. The promise ends with the id of its film when the response is whole. */
function predictAndWait(as: Person) {
  const outgoing = http.request(`${kinora.url}/replicate/v1/predictions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/json', prefer: 'wait=60' },
  })
  outgoing.on('error', () => undefined).end(JSON.stringify(PREDICTION))
  const ended = once(outgoing, 'response').then(async ([response]) =>
    JSON.parse(Buffer.concat(await response.toArray()).toString()),
  )
  return { outgoing, ended }
}

async function onlyFilm(as: Person): Promise<string> {
  await waitFor('the film', async () => (await videosOf(kinora, as)).length === 1)
  return (await videosOf(kinora, as))[0]?.id ?? ''
}

test('repeated request: same body after a wait whose response was sent whole → another film', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { ended } = predictAndWait(ann)
  const id = await onlyFilm(ann)
  await completeVideo(kinora, ann, id)
  assert.equal((await ended).status, 'succeeded')
  const again = await kinora.call('POST', '/replicate/v1/predictions', { as: ann, body: PREDICTION })
  assert.notEqual(JSON.parse(again.text).id, id)
  assert.equal(again.headers.get('idempotent-replayed'), null)
})

test('repeated request: same body after a wait whose client has gone → the film, which the header says', async () => {
  const ann = await kinora.person({ credits: 100 })
  const { outgoing, ended } = predictAndWait(ann)
  ended.catch(() => undefined)
  const id = await onlyFilm(ann)
  outgoing.destroy()
  await completeVideo(kinora, ann, id)
  const again = await kinora.call('POST', '/replicate/v1/predictions', { as: ann, body: PREDICTION })
  assert.equal(JSON.parse(again.text).id, id)
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
})

test('end of a wait: connection that closes within the response → unread again', async () => {
  const ann = await kinora.person({ credits: 100 })
  const reader = { userId: ann.userId, key: null }
  const video = await readVideo(kinora.app, reader, await completedFilm(ann))
  const isUnread = async () => (await readVideo(kinora.app, reader, video.uuid)).isReplayable === true
  const server = http.createServer(async (_, raw) => {
    const call = { app: kinora.app, request: { caller: reader, log: kinora.app.log }, reply: { raw } }
    await noteEndsOfWait(call as unknown as Call, [video])
    assert.equal(await isUnread(), false)
    raw.write('{')
    raw.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  await assert.rejects(fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).then((each) => each.text()))
  await waitFor('the end to be unread', isUnread)
  server.close()
})

type Create = { path: string; body: object; headers?: Record<string, string>; id: (body: string) => string }
const request = { prompt: 'A paper boat', duration: 4 }
const creates: Record<string, Create> = {
  fal: { path: '/fal/kinora/delta-1-5', body: request, id: (text) => JSON.parse(text).request_id },
  Replicate: { path: '/replicate/v1/predictions', body: PREDICTION, id: (text) => JSON.parse(text).id },
  OpenAI: {
    path: '/v1/videos',
    body: { ...request, model: 'delta-1-5' },
    headers: { 'x-stainless-retry-count': '1' },
    id: (text) => JSON.parse(text).id,
  },
  OpenRouter: { path: '/api/v1/videos', body: { ...request, model: 'delta-1-5' }, id: (text) => JSON.parse(text).id },
  'AI SDK gateway': {
    path: '/ai-gateway/video-model/start',
    body: request,
    headers: { 'ai-model-id': 'delta-1-5' },
    id: (text) => JSON.parse(text).operation.uuid,
  },
}
for (const [name, { path, body, headers = {}, id: idOf }] of Object.entries(creates)) {
  test(`repeated request of ${name}: before and after the end was read → the film, which the header says; another film`, async () => {
    const ann = await kinora.person({ credits: 100 })
    const create = async () => {
      kinora.turnClock(2000)
      const { text, headers: got } = await kinora.call('POST', path, { as: ann, body, headers })
      return [idOf(text), got.get('idempotent-replayed')] as const
    }
    const [id, isReplay] = await create()
    assert.equal(isReplay, null)
    assert.deepEqual(await create(), [id, 'true'])
    await completeVideo(kinora, ann, id)
    assert.deepEqual(await create(), [id, 'true'])
    await kinora.call('GET', `/api/v1/video/${id}`, { as: ann })
    const [another, isReplayOfAnother] = await create()
    assert.notEqual(another, id)
    assert.equal(isReplayOfAnother, null)
    assert.deepEqual(await create(), [another, 'true'])
  })
}

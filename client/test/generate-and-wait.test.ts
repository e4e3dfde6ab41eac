/** generateAndWait against the real service: one film, paid for once, whatever becomes of the connection. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { generateBody, openKinora as openService } from '../../server/test/harness.ts'
import { openKinora } from '../src/index.ts'
import { openWay } from './faulty-proxy.ts'

const service = await openService({ simulator: true, worker: true })
const way = await openWay(service.url)
after(way.close)

/** Somebody with a client whose way to the service can be cut. */
async function open() {
  const person = await service.person({ credits: 200 })
  way.requests.length = 0
  way.onRequest = () => null
  return { person, kinora: openKinora({ baseUrl: way.url, token: person.token }) }
}

test('the finished video, with its progress on the way', async () => {
  const { kinora } = await open()
  const seen: [status: string, progress: number][] = []
  const { data, error } = await kinora.generateAndWait(generateBody, {
    onProgress: ({ status, progress }) => seen.push([status, progress]),
  })
  assert.equal(error, undefined)
  assert.equal(data?.status, 'COMPLETED')
  assert.ok(data.videoUrl)
  assert.deepEqual(seen.at(-1), ['COMPLETED', 100])
  assert.ok(seen.length > 1, String(seen))
  assert.ok(seen.every(([, progress], i) => progress >= (seen[i - 1]?.[1] ?? 0)))
  assert.equal(new Set(seen.map(String)).size, seen.length)
})

test('a video that failed is VIDEO_FAILED with the reason, and the credits are back', async () => {
  const { person, kinora } = await open()
  let last: string | undefined
  const { error } = await kinora.generateAndWait(
    { ...generateBody, prompt: '[fail: too dark]' },
    {
      onProgress: ({ status }) => {
        last = status
      },
    },
  )
  assert.equal(last, 'FAILED')
  assert.ok(error?.code === 'VIDEO_FAILED')
  assert.match(error.message, /too dark/)
  assert.ok(error.details.uuid)
  assert.equal((await service.balance(person)).available, 200)
})

test('402: a refusal is answered at once', async () => {
  const poor = await service.person({ credits: 0 })
  const { error } = await openKinora({ baseUrl: service.url, token: poor.token }).generateAndWait(generateBody)
  assert.equal(error?.code, 'INSUFFICIENT_CREDITS')
})

for (const cut of ['before', 'after'] as const) {
  test(`a request that is lost ${cut} the service has it makes one video, paid for once`, async () => {
    const { person, kinora } = await open()
    let cuts = 0
    way.onRequest = (line) => (line.endsWith('/generate') && cuts++ < 2 ? cut : null)
    const { data } = await kinora.generateAndWait(generateBody)
    assert.equal(data?.status, 'COMPLETED')
    assert.equal(way.requests.filter((line) => line.endsWith('/generate')).length, 3)
    const list = await service.call<{ videos: object[] }>('GET', '/api/v1/video/list', { as: person })
    assert.equal(list.data.videos.length, 1)
    assert.equal((await service.balance(person)).used, 16)
  })
}

test('every other answer may be lost too', async () => {
  const { kinora } = await open()
  const lost = new Set<string>()
  way.onRequest = (line) => {
    if (lost.has(line)) return null
    lost.add(line)
    return 'after'
  }
  const { data } = await kinora.generateAndWait(generateBody)
  assert.equal(data?.status, 'COMPLETED')
  assert.ok(lost.size >= 3, [...lost].join())
})

test('the same key picks the waiting up again, with the same video', async () => {
  const { person, kinora } = await open()
  const first = await kinora.generateAndWait(generateBody, { idempotencyKey: 'one film' })
  const second = await kinora.generateAndWait(generateBody, { idempotencyKey: 'one film' })
  assert.ok(first.data)
  assert.equal(second.data?.uuid, first.data.uuid)
  assert.equal((await service.balance(person)).used, 16)
})

test('an aborted wait throws AbortError; the video goes on', async () => {
  const { person, kinora } = await open()
  const controller = new AbortController()
  const ended: string[] = []
  const waiting = kinora.generateAndWait(
    { ...generateBody, prompt: '[slow: 1s]' },
    {
      signal: controller.signal,
      onProgress: ({ uuid }) => {
        ended.push(uuid)
        controller.abort()
      },
    },
  )
  await assert.rejects(waiting, { name: 'AbortError' })
  assert.equal(ended.length, 1)
  assert.equal((await service.finish(person, ended[0] ?? '')).status, 'COMPLETED')
})

test('what the onProgress of one throws ends its own wait and no other', async () => {
  const { kinora } = await open()
  const mistake = new Error('a mistake in the program')
  const [wrong, right] = await Promise.allSettled([
    kinora.generateAndWait(generateBody, {
      onProgress: () => {
        throw mistake
      },
    }),
    kinora.generateAndWait(generateBody),
  ])
  assert.equal(wrong.status === 'rejected' && wrong.reason, mistake)
  assert.equal(right.status === 'fulfilled' && right.value.data?.status, 'COMPLETED')
})

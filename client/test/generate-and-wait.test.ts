// slow
/** generateAndWait against the real service: one video, paid for once, with any connection loss. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { generateBody, openKinora as openService } from '../../server/test/support/harness.ts'
import { isNewerTask, openKinora, type Task } from '../src/index.ts'
import { openFaultyProxy } from './faulty-proxy.ts'

const service = await openService({ simulator: true, worker: true })
const proxy = await openFaultyProxy(service.url)
after(proxy.close)

/** A new user and their client, connected through the proxy. */
async function open() {
  const person = await service.person({ credits: 200 })
  proxy.requests.length = 0
  proxy.onRequest = () => null
  return { person, kinora: openKinora({ baseUrl: proxy.url, token: person.token }) }
}

test('isNewerTask: later status, or the same with more progress → newer, any other → not', () => {
  const task = (status: Task['status'], progress: number) => ({ status, progress })
  const newer = [task('PENDING', 0), task('GENERATING', 10), task('GENERATING', 90), task('UPLOADING', 96)]
  for (const [i, older] of newer.entries()) {
    for (const [j, other] of newer.entries()) assert.equal(isNewerTask(other, older), j > i, `${i} ${j}`)
  }
  assert.ok(isNewerTask(task('FAILED', 20), task('GENERATING', 90)), 'a failed video may have less progress')
  assert.ok(!isNewerTask(task('UPLOADING', 99), task('COMPLETED', 100)))
})

test('generateAndWait: completed → the video, with increasing progress before', async () => {
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

test('generateAndWait: the video fails → VIDEO_FAILED with the reason, credits released', async () => {
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

test('402: insufficient credits → returned without a retry', async () => {
  const user = await service.person({ credits: 0 })
  const { error } = await openKinora({ baseUrl: service.url, token: user.token }).generateAndWait(generateBody)
  assert.equal(error?.code, 'INSUFFICIENT_CREDITS')
})

for (const fault of ['before', 'after'] as const) {
  test(`generateAndWait: connection lost ${fault} the service has the request → one video, paid for once`, async () => {
    const { person, kinora } = await open()
    let faults = 0
    proxy.onRequest = (line) => (line.endsWith('/generate') && faults++ < 2 ? fault : null)
    const { data } = await kinora.generateAndWait(generateBody)
    assert.equal(data?.status, 'COMPLETED')
    assert.equal(proxy.requests.filter((line) => line.endsWith('/generate')).length, 3)
    const list = await service.call<{ videos: object[] }>('GET', '/api/v1/video/list', { as: person })
    assert.equal(list.data.videos.length, 1)
    assert.equal((await service.balance(person)).used, 16)
  })
}

test('generateAndWait: the first response to each request lost → completed all the same', async () => {
  const { kinora } = await open()
  const lost = new Set<string>()
  proxy.onRequest = (line) => {
    if (lost.has(line)) return null
    lost.add(line)
    return 'after'
  }
  const { data } = await kinora.generateAndWait(generateBody)
  assert.equal(data?.status, 'COMPLETED')
  assert.ok(lost.size >= 3, [...lost].join())
})

test('generateAndWait: the same idempotencyKey → the same video, paid for once', async () => {
  const { person, kinora } = await open()
  const first = await kinora.generateAndWait(generateBody, { idempotencyKey: 'one film' })
  const second = await kinora.generateAndWait(generateBody, { idempotencyKey: 'one film' })
  assert.ok(first.data)
  assert.equal(second.data?.uuid, first.data.uuid)
  assert.equal((await service.balance(person)).used, 16)
})

test('generateAndWait: signal aborted → rejects with AbortError, the video completes', async () => {
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

test('generateAndWait: onProgress throws → its own call rejects, others complete', async () => {
  const { kinora } = await open()
  const mistake = new Error('a mistake in the program')
  const [throwing, other] = await Promise.allSettled([
    kinora.generateAndWait(generateBody, {
      onProgress: () => {
        throw mistake
      },
    }),
    kinora.generateAndWait(generateBody),
  ])
  assert.equal(throwing.status === 'rejected' && throwing.reason, mistake)
  assert.equal(other.status === 'fulfilled' && other.value.data?.status, 'COMPLETED')
})

/** The client against the real service: what a call answers, and what it answers when something is wrong. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort, generateBody, openKinora as openService } from '../../server/test/harness.ts'
import { openKinora } from '../src/index.ts'

const service = await openService({ simulator: true, worker: true })

test('200: the data of the envelope, typed', async () => {
  const ann = await service.person()
  const kinora = openKinora({ baseUrl: service.url, token: ann.token })
  const { data, error } = await kinora.GET('/api/v1/credit/balance')
  assert.equal(error, undefined)
  assert.equal(data?.available, 60)
})

test('402: the error is a value, and its code gives its details a type', async () => {
  const poor = await service.person({ credits: 0 })
  const kinora = openKinora({ baseUrl: service.url, token: poor.token })
  const { error } = await kinora.POST('/api/v1/video/generate', { body: generateBody })
  assert.ok(error?.code === 'INSUFFICIENT_CREDITS')
  assert.deepEqual(error.details, { required: 16, available: 0 })
  assert.equal(error.status, 402)
})

test('no answer: UNREACHABLE', async () => {
  const kinora = openKinora({ baseUrl: `http://127.0.0.1:${await freePort()}` })
  const { error } = await kinora.GET('/api/v1/config/models')
  assert.deepEqual([error?.code, error?.status], ['UNREACHABLE', 0])
})

test('generateAndWait: the finished video, with its progress on the way', async () => {
  const ann = await service.person()
  const kinora = openKinora({ baseUrl: service.url, token: ann.token })
  const seen: string[] = []
  const { data, error } = await kinora.generateAndWait(generateBody, {
    onProgress: ({ status, progress }) => seen.push(`${status} ${progress}`),
  })
  assert.equal(error, undefined)
  assert.equal(data?.status, 'COMPLETED')
  assert.ok(data.videoUrl)
  assert.equal(seen.at(-1), 'COMPLETED 100')
  assert.ok(seen.length > 1, seen.join())
})

test('generateAndWait: a video that failed is an error with the reason', async () => {
  const ann = await service.person()
  const kinora = openKinora({ baseUrl: service.url, token: ann.token })
  const { error } = await kinora.generateAndWait({ ...generateBody, prompt: '[fail: too dark]' })
  assert.equal(error?.code, 'VIDEO_FAILED')
  assert.match(error.message, /too dark/)
})

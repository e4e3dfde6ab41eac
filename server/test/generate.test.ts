import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateBody, openKinora } from './harness.ts'

const kinora = await openKinora({ simulator: true })

test('200: a film is made, kept, and paid for', async () => {
  const ann = await kinora.person({ credits: 60 })
  const made = await kinora.generate(ann)
  assert.equal(made.status, 200)
  assert.deepEqual(Object.keys(made.data), ['uuid', 'status', 'model', 'creditsUsed', 'createdAt'])
  assert.deepEqual(await kinora.balance(ann), { available: 44, frozen: 16, used: 0, total: 60, expiringSoon: 0 })

  const task = await kinora.finish(ann, made.data.uuid)
  assert.deepEqual(task, { uuid: made.data.uuid, status: 'COMPLETED', progress: 100, error: null })
  assert.deepEqual(await kinora.balance(ann), { available: 44, frozen: 0, used: 16, total: 60, expiringSoon: 0 })
})

test('402: one credit short leaves no trace', async () => {
  const ann = await kinora.person({ credits: 15 })
  const refused = await kinora.generate(ann)
  assert.equal(refused.status, 402)
  assert.deepEqual(refused.error?.details, { required: 16, available: 15 })
  const { data } = await kinora.call<{ total: number }>('GET', '/api/v1/video/list', { as: ann })
  assert.equal(data.total, 0)
})

test('401: nobody', async () => {
  const { status, error } = await kinora.call('POST', '/api/v1/video/generate', { body: generateBody })
  assert.equal(status, 401)
  assert.equal(error?.code, 'UNAUTHENTICATED')
})

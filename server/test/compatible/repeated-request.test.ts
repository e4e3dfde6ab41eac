/**
 * Requests without an idempotency key whose client repeats them silently (`compatible/repeated-request.ts`): the same
 * body again and again.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora({ env: { MAX_IN_PROGRESS: '0' } })
const MINUTE_MS = 60_000

async function send(as: Person, headers = {}): Promise<string> {
  const body = { model: 'delta-1-5', prompt: 'A paper boat', duration: 4, aspect_ratio: '16:9', resolution: '720p' }
  const { status, text } = await kinora.call('POST', '/api/v1/videos', { as, body, headers })
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

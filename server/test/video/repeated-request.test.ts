/** Requests without an idempotency key whose client repeats them silently (`compatible/repeated-request.ts`): the same body again and again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openKinora, type Person } from '../support/harness.ts'

const kinora = await openKinora({ env: { MAX_IN_PROGRESS: '0' } })
const MINUTE_MS = 60_000

async function send(as: Person): Promise<string> {
  const body = { model: 'delta-1-5', prompt: 'A paper boat', duration: 4, aspect_ratio: '16:9', resolution: '720p' }
  const { status, text } = await kinora.call('POST', '/api/v1/videos', { as, body })
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

test('repeated request: same body at once, eleven films of it having failed → one film', async () => {
  const ann = await kinora.person({ credits: 100 })
  for (let n = 0; n < 11; n++) await kinora.call('POST', `/api/v1/video/${await send(ann)}/cancel`, { as: ann })
  const ids = await Promise.all(Array.from({ length: 8 }, () => send(ann)))
  assert.equal(new Set(ids).size, 1)
  assert.equal((await kinora.balance(ann)).available, 84)
})

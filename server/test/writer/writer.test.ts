/** The writer: proposals of an OpenAI-shaped language model, which this test stands in for. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { openKinora } from '../support/harness.ts'
import { openLanguageModel } from '../support/language-model.ts'
import { MODERATION_KEY, openModerator } from '../support/moderator.ts'

const moderator = await openModerator()
const model = await openLanguageModel()
const env = {
  WRITER_URL: model.url,
  WRITER_API_KEY: 'writer key',
  WRITER_MODEL: 'some-model',
  MODERATION_URL: moderator.own,
  MODERATION_API_KEY: MODERATION_KEY,
  RATE_LIMITS: 'on',
}
const kinora = await openKinora({ env })
const eve = await kinora.person()
beforeEach(() => {
  model.received.length = 0
})

const improve = (body: object) => kinora.call<{ prompt: string }>('POST', '/api/v1/writer/prompt', { as: eve, body })
const split = (body: object) => kinora.call<{ shots: object[] }>('POST', '/api/v1/writer/shots', { as: eve, body })

test('200: prompt → another text; the endpoint gets model, key and the name of the video model', async () => {
  model.answer = 'Here it is: {"prompt": "A lighthouse at dusk, long shot"}'
  const response = await improve({ prompt: 'a lighthouse', model: 'delta-1-5' })
  assert.equal(response.data.prompt, 'A lighthouse at dusk, long shot')
  const [{ path, authorization, body } = assert.fail()] = model.received
  assert.deepEqual([path, authorization, body.model], ['/v1/chat/completions', 'Bearer writer key', 'some-model'])
  assert.match(JSON.stringify(body.messages), /For the model Delta 1\.5/)
})

test('200: script → shots in their order, lengths where they are named, no more than asked for', async () => {
  const shots = [{ prompt: 'One', seconds: 4 }, { prompt: 'Two', seconds: -1 }, { seconds: 3 }, { prompt: 'Three' }]
  model.answer = JSON.stringify({ shots })
  const { data } = await split({ script: 'INT. A ROOM', shots: 3 })
  assert.deepEqual(data.shots, [
    { prompt: 'One', seconds: 4 },
    { prompt: 'Two', seconds: null },
  ])
})

test('200: text longer than a prompt → cut to the most that a prompt may have', async () => {
  model.answer = JSON.stringify({ prompt: '🎬'.repeat(9000) })
  const { data } = await improve({ prompt: 'a lighthouse' })
  assert.equal(new Set(data.prompt).size, 1)
  model.answer = JSON.stringify({ prompt: 'short' })
  assert.equal((await improve({ prompt: data.prompt })).data.prompt, 'short')
})

test('503: no answer that can be used → says so, with Retry-After; nothing is made', async () => {
  for (const answer of [500, 'I cannot do that.', '{"prompt": 7', '{"shots": "none"}']) {
    model.answer = answer
    const response = await split({ script: 'A keeper finds a whale.' })
    assert.equal(response.status, 503)
    assert.match(response.error?.message ?? '', /go on with your own text/)
  }
})

test('400: text that moderation refuses → the endpoint does not see it', async () => {
  const response = await split({ script: 'A boat [violence]' })
  assert.deepEqual([response.status, response.error?.code, model.received.length], [400, 'CONTENT_REFUSED', 0])
})

test('429: more than 100 questions a day → the user waits, and films go on', async () => {
  const ann = await kinora.person()
  model.answer = JSON.stringify({ prompt: 'x' })
  const ask = () => kinora.call('POST', '/api/v1/writer/prompt', { as: ann, body: { prompt: 'a' } })
  for (let n = 0; n < 100; n += 1) assert.equal((await ask()).status, 200)
  const response = await ask()
  assert.deepEqual([response.status, response.error?.code], [429, 'RATE_LIMITED'])
  assert.match(response.error?.message ?? '', /more than 100 requests in a day/)
  assert.equal((await kinora.generate(ann)).status, 200)
})

test('404: no WRITER_URL → the operation says that there is no writer', async () => {
  const { writer } = kinora.app
  kinora.app.writer = null
  const response = await improve({ prompt: 'a lighthouse' }).finally(() => {
    kinora.app.writer = writer
  })
  assert.deepEqual(
    [response.status, response.error?.message],
    [404, 'This service has no writer; write the text yourself.'],
  )
})

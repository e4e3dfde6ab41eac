/** Moderation of generate requests, against a service of this test that has both contracts. */
import assert from 'node:assert/strict'
import { beforeEach, type TestContext, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import OpenAI, { BadRequestError } from 'openai'
import { type ConfigError, type ModerationSettings, readConfig } from '../../src/config/config.ts'
import { openModeration } from '../../src/moderation/moderation.ts'
import { modelOf, models, withModes } from '../support/changed-models.ts'
import { completedVideo } from '../support/completed-video.ts'
import { colouredFilm } from '../support/films.ts'
import { openKinora, type Person } from '../support/harness.ts'
import * as images from '../support/images.ts'
import { MODERATION_KEY, openModerator } from '../support/moderator.ts'
import { addStage, STAGE } from '../support/stage.ts'
import { waitFor } from '../support/video-row.ts'

type Colour = [red: number, green: number, blue: number]

const moderator = await openModerator()
const kinora = await openKinora({
  env: { MODERATION_URL: moderator.own, MODERATION_API_KEY: MODERATION_KEY },
  simulator: true,
})
beforeEach(() => {
  moderator.received.length = 0
  moderator.instead = null
})

const violent = { prompt: 'A paper boat [violence]' }
const asked = () => moderator.received.map(({ body }) => body)

type Day = { allowed: number; refused: number; failed: number }

const { app } = kinora
const own = { settings: app.config.moderation, moderation: app.moderation }

/** Changes the settings of moderation until the test ends. */
function use(t: TestContext, change: Partial<ModerationSettings>): void {
  if (!own.settings) throw new Error('the service has no moderation')
  app.config.moderation = { ...own.settings, ...change }
  const moderation = openModeration(app.config, app)
  app.moderation = moderation
  t.after(async () => {
    app.config.moderation = own.settings
    app.moderation = own.moderation
    await moderation?.close()
  })
}

// The first test: no other one has been counted.
test('200: administrators → counts by day and category, without a prompt; others 403', async () => {
  const [eve, admin] = [await kinora.person(), await kinora.person({ role: 'admin' })]
  const read = async () => (await kinora.call<{ days: Day[] }>('GET', '/api/v1/admin/moderation', { as: admin })).data
  const isStored = async () => {
    const { allowed = 0, refused = 0, failed = 0 } = (await read()).days[0] ?? {}
    return isDeepStrictEqual({ allowed, refused, failed }, app.moderation?.totals())
  }
  moderator.instead = { body: { allowed: false, categories: ['violence', 'hate', 'x'.repeat(60), 7] } }
  await kinora.generate(eve)
  moderator.instead = { status: 500, body: {} }
  await kinora.generate(eve)
  moderator.instead = null
  await kinora.generate(eve)
  await kinora.generate(eve, violent)
  const day = app.now().toISOString().slice(0, 10)
  await waitFor('the counts to be stored', isStored)
  const categories = [
    { category: 'violence', requests: 2 },
    { category: 'hate', requests: 1 },
  ]
  const counted = { allowed: 1, refused: 2, failed: 1 }
  assert.deepEqual(await read(), { enabled: true, fail: 'closed', days: [{ day, ...counted, categories }] })
  assert.equal((await kinora.call('GET', '/api/v1/admin/moderation', { as: eve })).status, 403)
  const { text } = await kinora.call('GET', '/metrics', { as: admin })
  assert.match(text, /kinora_moderation_requests_total\{outcome="refused"\} \d/)
})

test('400 CONTENT_REFUSED: prompt that moderation refuses → its categories; nothing is frozen', async () => {
  const ann = await kinora.person()
  const { status, error } = await kinora.generate(ann, violent)
  assert.equal(status, 400)
  assert.deepEqual([error?.code, error?.details], ['CONTENT_REFUSED', { categories: ['violence'] }])
  assert.match(error?.message ?? '', /\(violence\); change the prompt/)
  const { available, frozen } = await kinora.balance(ann)
  assert.deepEqual([available, frozen], [60, 0])
  assert.deepEqual(asked(), [{ prompt: violent.prompt, model: 'delta-1-5', images: [] }])
})

test('200: allowed request → it gets the prompt, linked images and signed links to uploads', async () => {
  const ann = await kinora.person()
  assert.equal((await kinora.generate(ann, { startImageUrl: 'https://example.com/boat.png' })).status, 200)
  assert.deepEqual(asked().at(-1)?.images, ['https://example.com/boat.png'])
  const { data } = await images.send(kinora, ann, await images.plain(640, 360))
  assert.equal((await kinora.generate(ann, { startImageUrl: data.url })).status, 200)
  const link = String(asked().at(-1)?.images)
  assert.equal((await fetch(link)).status, 200)
})

const upload = async (as: Person, bytes: Buffer) => {
  const response = await fetch(`${kinora.url}/api/v1/asset`, {
    method: 'POST',
    headers: { authorization: `Bearer ${as.token}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  })
  return ((await response.json()) as { data: { id: string } }).data.id
}
const generateOf = (as: Person, inputs: object[], change: object = {}) =>
  kinora.call('POST', '/api/v1/video/generate', { as, body: { model: STAGE, ...change, inputs } })

test('films and sounds that go in: Kinora’s contract → links to each', async () => {
  addStage()
  const ann = await kinora.person({ credits: 200 })
  const film = await completedVideo(kinora, ann)
  const sound = 'https://example.com/voice.mp3'
  const inputs = [
    { role: 'film', video: film },
    { role: 'sound', url: sound },
  ]
  assert.equal((await generateOf(ann, inputs)).status, 200)
  const { films, sounds, images } = asked().at(-1) ?? {}
  assert.deepEqual([sounds, images], [[sound], []])
  assert.equal((await fetch(String((films as string[])[0]))).status, 200)
})

test('OpenAI’s endpoint: film with one frame that is flagged → refused; without → a picture of each second', async (t) => {
  addStage()
  use(t, { format: 'openai', url: moderator.openAi, unseen: 'refuse' })
  const ann = await kinora.person({ credits: 200 })
  const [blue, red] = [[30, 30, 220] satisfies Colour, [220, 30, 30] satisfies Colour]
  const edit = async (seconds: Colour[]) => {
    const asset = await upload(ann, await colouredFilm(seconds))
    return await generateOf(ann, [{ role: 'film', asset }], { mode: 'edit', prompt: 'At night' })
  }
  const { status, error } = await edit([blue, blue, blue, red, blue])
  assert.deepEqual([status, error?.code, error?.details], [400, 'CONTENT_REFUSED', { categories: ['violence'] }])
  const shown = asked().map(({ input }) => (input as { type: string }[]).map(({ type }) => type).join())
  assert.deepEqual(shown.sort(), [...Array(4).fill('image_url'), 'text,image_url'])
  assert.equal((await edit([blue, blue, blue])).status, 200)
})

test('OpenAI’s endpoint: sound, film of another site → counted as unseen; MODERATION_UNSEEN=refuse → named', async (t) => {
  addStage()
  const ann = await kinora.person({ credits: 200 })
  const film = await completedVideo(kinora, ann)
  const sound = { role: 'sound', url: 'https://example.com/voice.mp3' }
  const lips = [{ role: 'film', video: film }, sound]
  const edit = [{ role: 'film', url: 'https://example.com/film.mp4' }]
  const editing = { mode: 'edit', prompt: 'At night' }
  use(t, { format: 'openai', url: moderator.openAi })
  assert.equal((await generateOf(ann, lips)).status, 200)
  assert.equal((await generateOf(ann, edit, editing)).status, 200)
  assert.deepEqual(app.moderation?.unseen(), { image: 0, film: 1, sound: 1 })
  use(t, { format: 'openai', url: moderator.openAi, unseen: 'refuse' })
  const ofSound = await generateOf(ann, lips)
  assert.deepEqual([ofSound.status, ofSound.error?.code], [400, 'CONTENT_REFUSED'])
  assert.match(ofSound.error?.message ?? '', /^Moderation cannot look at the sound here/)
  assert.match((await generateOf(ann, edit, editing)).error?.message ?? '', /cannot look at the film here/)
})

test('200: idempotent replay, also of what would be refused by now → asks no moderator', async () => {
  const ann = await kinora.person()
  const headers = { 'idempotency-key': 'k' }
  const first = await kinora.generate(ann, {}, headers)
  moderator.instead = { body: { allowed: false, categories: ['hate'] } }
  const again = await kinora.generate(ann, {}, headers)
  assert.deepEqual([again.status, again.data], [200, first.data])
  assert.equal(moderator.received.length, 1)
  assert.equal((await kinora.generate(ann, { prompt: 'another' }, headers)).status, 422)
  assert.equal(moderator.received.length, 1)
})

test('400: request that generate refuses, and any quote → asks no moderator', async () => {
  const ann = await kinora.person()
  assert.equal((await kinora.generate(ann, { ...violent, duration: 99 })).error?.code, 'DURATION_OUT_OF_RANGE')
  const body = { ...violent, model: 'delta-1-5', duration: 4, aspectRatio: '16:9' }
  assert.equal((await kinora.call('POST', '/api/v1/video/quote', { as: ann, body })).status, 200)
  assert.equal(moderator.received.length, 0)
})

test('503: error, answer that is not as documented, no connection → no film with closed, a film with open', async (t) => {
  const ann = await kinora.person({ credits: 500 })
  const answers = [{ status: 500, body: {} }, { status: 302, body: { allowed: true } }, { body: { allowed: 'yes' } }]
  const failures = [...answers, { body: null }]
  for (const instead of failures) {
    moderator.instead = instead
    const { status, error, headers } = await kinora.generate(ann)
    assert.deepEqual([status, error?.code, headers.get('retry-after')], [503, 'UNAVAILABLE', '10'])
  }
  use(t, { fail: 'open' })
  for (const instead of failures) {
    moderator.instead = instead
    assert.equal((await kinora.generate(ann)).status, 200)
  }
  moderator.instead = null
  assert.equal((await kinora.generate(ann, violent)).status, 400)
  use(t, { url: 'http://127.0.0.1:9' })
  assert.equal((await kinora.generate(ann)).status, 503)
})

test('503: no answer in the time of MODERATION_TIMEOUT → as an error', async (t) => {
  const ann = await kinora.person({ credits: 100 })
  moderator.instead = { hang: true }
  use(t, { timeoutS: 0.2 })
  assert.equal((await kinora.generate(ann)).status, 503)
  use(t, { timeoutS: 0.2, fail: 'open' })
  assert.equal((await kinora.generate(ann)).status, 200)
})

test('OpenAI’s endpoint: prompt and images → one image a request; flagged categories refuse', async (t) => {
  const ann = await kinora.person({ credits: 500 })
  const delta = modelOf('delta-1-5')
  models().set('delta-1-5', withModes(delta, {}, ['text-to-video', 'image-to-video', 'first-last']))
  t.after(() => models().set('delta-1-5', delta))
  use(t, { url: moderator.openAi, format: 'openai' })
  assert.equal((await kinora.generate(ann, { prompt: 'boat' })).status, 200)
  const text = { type: 'text', text: 'boat' }
  assert.deepEqual(asked(), [{ model: 'omni-moderation-latest', input: [text] }])
  const [first, last] = ['https://example.com/first.png', 'https://example.com/violence.png']
  const { error } = await kinora.generate(ann, { prompt: 'boat', startImageUrl: first, endImageUrl: last })
  assert.deepEqual([error?.code, error?.details], ['CONTENT_REFUSED', { categories: ['violence'] }])
  const imageAt = (url: string) => ({ type: 'image_url', image_url: { url } })
  const inputs = new Set(
    asked()
      .slice(1)
      .map(({ input }) => JSON.stringify(input)),
  )
  assert.deepEqual(inputs, new Set([JSON.stringify([text, imageAt(first)]), JSON.stringify([imageAt(last)])]))
  moderator.instead = { status: 429, body: { error: {} } }
  assert.equal((await kinora.generate(ann)).status, 503)
})

test('the stand-in for OpenAI’s endpoint: OpenAI’s own package → reads its verdicts and its error', async () => {
  const baseURL = moderator.openAi.replace('/moderations', '')
  const client = new OpenAI({ baseURL, apiKey: MODERATION_KEY, maxRetries: 0 })
  const image = { type: 'image_url', image_url: { url: 'https://example.com/violence.png' } } as const
  const { results } = await client.moderations.create({ input: [image] })
  assert.deepEqual([results[0]?.flagged, results[0]?.categories.violence], [true, true])
  await assert.rejects(client.moderations.create({ input: [image, image] }), BadRequestError)
})

test('compatible APIs: refused request → the error of each format', async () => {
  const ann = await kinora.person()
  const film = { prompt: violent.prompt, model: 'delta-1-5' }
  const calls: [path: string, body: object, headers: Record<string, string>, expected: RegExp][] = [
    ['/v1/videos', { ...film, size: '1280x720' }, {}, /"code":"moderation_blocked"/],
    [
      '/replicate/v1/models/kinora/delta-1-5/predictions',
      { input: { prompt: film.prompt } },
      {},
      /"title":"CONTENT_REFUSED"/,
    ],
    ['/fal/kinora/delta-1-5', { prompt: film.prompt }, {}, /"type":"content_policy_violation"/],
    ['/api/v1/videos', film, {}, /"metadata":\{"code":"CONTENT_REFUSED","details":\{"categories":\["violence"\]\}/],
    [
      '/ai-gateway/video-model/start',
      { prompt: film.prompt },
      { 'ai-model-id': 'delta-1-5' },
      /"code":"CONTENT_REFUSED"/,
    ],
  ]
  for (const [path, body, headers, expected] of calls) {
    const { status, text } = await kinora.call('POST', path, { as: ann, body, headers })
    assert.equal(status, 400, text)
    assert.match(text, expected)
    assert.match(text, /Moderation refused this request \(violence\)/)
  }
  const call = { name: 'generate_video', arguments: { ...film, duration: 4, aspectRatio: '16:9' } }
  const { text } = await kinora.call('POST', '/mcp', {
    as: ann,
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call },
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
  })
  assert.match(text, /CONTENT_REFUSED: Moderation refused this request \(violence\)/)
  assert.match(text, /"isError":true/)
  assert.equal((await kinora.balance(ann)).frozen, 0)
})

test('settings: parts of moderation without MODERATION_URL, wrong words → start-up names each problem', () => {
  const problemsOf = (env: Record<string, string>) => {
    try {
      readConfig(env, [])
    } catch (error) {
      return (error as ConfigError).problems.filter((problem) => problem.includes('MODERATION')).length
    }
    return 0
  }
  assert.equal(problemsOf({ MODERATION_API_KEY: 'key' }), 1)
  assert.equal(problemsOf({ MODERATION_FORMAT: 'openai' }), 1)
  assert.equal(problemsOf({ MODERATION_URL: 'moderation', MODERATION_FAIL: 'ajar' }), 2)
  assert.equal(problemsOf({ MODERATION_URL: 'https://moderation.example/decide' }), 0)
})

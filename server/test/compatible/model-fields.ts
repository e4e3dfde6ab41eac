/**
 * What a model alone has, through every compatible API by its official client: images, sound, options, and the vendor's
 * own names.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createGateway } from '@ai-sdk/gateway'
import { createFalClient } from '@fal-ai/client'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { OpenRouter } from '@openrouter/sdk'
import { experimental_generateVideo as generateVideo, experimental_startVideo as startVideo } from 'ai'
import OpenAI from 'openai'
import Replicate from 'replicate'
import { createKinora } from '../../../ai-sdk-provider/src/index.ts'
import { addModel, models } from '../support/changed-models.ts'
import { completeVideo } from '../support/completed-video.ts'
import type { Kinora, Person } from '../support/harness.ts'
import * as images from '../support/images.ts'
import { waitFor } from '../support/video-row.ts'
import { check, customer, download, PROMPT, post, videosOf } from './clients.ts'

const MODEL = 'rich-1'
const [first, last] = ['https://example.com/first.png', 'https://example.com/last.png']
const vendorsFields = {
  prompt: 'prompt',
  duration: "$string(duration) & 's'",
  size: "{ '16:9': 'wide' } ~> $lookup(aspectRatio)",
  first_frame_url: 'start',
  last_frame_url: 'end',
  with_sound: 'audio',
  steady: 'fixedCamera',
  auto_fix: 'false',
}

/** The model is there for one test: others compare the list of models. */
async function withRichModel(run: () => Promise<void>): Promise<void> {
  const delta = { duration: { from: 4, to: 12 }, quality: ['720p' as const], aspectRatio: ['16:9', '9:16'] }
  addModel(MODEL, {
    name: 'Rich 1',
    modes: {
      'text-to-video': delta,
      'image-to-video': { aspectRatio: 'follows the image', quality: ['1080p'] },
      'first-last': { duration: [8] },
      reference: { inputs: { reference: { from: 1, to: 2 } } },
    },
    options: {
      audio: { type: 'boolean', default: true },
      negativePrompt: { type: 'string' },
      fixedCamera: { type: 'boolean', default: false },
    },
    price: { per: 'clip', credits: 5 },
    routes: [
      { account: 'provider-a' },
      { account: 'fal', input: vendorsFields },
      {
        account: 'replicate',
        input: { 'text-to-video': vendorsFields, 'image-to-video': { picture: 'start' } },
      },
    ],
  })
  try {
    await run()
  } finally {
    models().delete(MODEL)
  }
}

type Film = Record<string, unknown>

/** The parameters of the films of a user, in the order of their creation. */
async function filmsOf({ app }: Kinora, { userId }: Person): Promise<Film[]> {
  const rows = await app.sql<Film[]>`
    select duration_s, aspect_ratio, quality, seed, audio, negative_prompt, options,
           jsonb_path_query_first(made_of, '$[*] ? (@.role == "start").source') #>> '{}' as start_image_url,
           jsonb_path_query_first(made_of, '$[*] ? (@.role == "end").source') #>> '{}' as end_image_url,
           nullif(jsonb_path_query_array(made_of, '$[*] ? (@.role == "reference").source'), '[]') as reference_image_urls
    from kinora.video where user_id = ${userId} order by id
  `
  return [...rows]
}

const none = {
  ...{ durationS: 4, aspectRatio: '16:9', quality: '720p', seed: null, audio: true, negativePrompt: null },
  ...{ options: { fixedCamera: false }, startImageUrl: null, endImageUrl: null, referenceImageUrls: null },
}
/** A request with all but references. */
const whole = {
  ...{ ...none, durationS: 8, seed: 7, audio: false, negativePrompt: 'rain', options: { fixedCamera: true } },
  ...{ startImageUrl: first, endImageUrl: last },
}

export function testModelFields(kinora: Kinora): void {
  const checkRich = (
    api: string,
    call: string,
    result: string,
    run: (ann: Awaited<ReturnType<typeof customer>>) => Promise<void>,
  ) => check(api, call, result, () => withRichModel(async () => run(await customer(kinora, 200))))

  checkRich(
    'OpenAI',
    'videos.create of a model with other values',
    'the model’s own in the place of what is left out',
    async (ann) => {
      const client = new OpenAI({ baseURL: `${kinora.url}/v1`, apiKey: ann.apiKey, maxRetries: 0 })
      const text = await client.videos.create({ model: MODEL, prompt: PROMPT })
      assert.deepEqual([text.seconds, text.size], ['4', '720x1280'])
      const reference = { input_reference: { image_url: first } }
      const image = await client.videos.create({ model: MODEL, prompt: PROMPT, seconds: '8', ...reference })
      assert.deepEqual([image.seconds, image.size], ['8', '1920x1080'])
      assert.deepEqual(await client.videos.retrieve(image.id), image)
      const films = await filmsOf(kinora, ann)
      assert.deepEqual(films[1], { ...none, durationS: 8, quality: '1080p', startImageUrl: first })
    },
  )

  checkRich(
    'Replicate',
    'predictions.create with what a model alone has',
    'its names there, and those of its options',
    async (ann) => {
      const { predictions } = new Replicate({ auth: ann.apiKey, baseUrl: `${kinora.url}/replicate/v1` })
      const create = (input: object) =>
        predictions.create({ model: `kinora/${MODEL}`, input: { prompt: PROMPT, ...input } })
      const options = { negative_prompt: 'rain', generate_audio: false, seed: 7, fixed_camera: true }
      const made = await create({ image: first, last_frame: last, ...options })
      const stated = {
        prompt: PROMPT,
        duration: 8,
        aspect_ratio: '16:9',
        resolution: '720p',
        image: first,
        last_frame: last,
      }
      assert.deepEqual(made.input, {
        ...{ ...stated, negative_prompt: 'rain', generate_audio: false, seed: 7, fixedCamera: true },
      })
      assert.deepEqual((await predictions.get(made.id)).input, made.input)
      await create({ first_frame_url: first, last_frame_url: last, duration: '8s', with_sound: false, steady: true })
      await create({ picture: first, duration: 5 })
      await create({ reference_images: [first, last] })
      const films = await filmsOf(kinora, ann)
      assert.deepEqual(films, [
        whole,
        { ...whole, seed: null, negativePrompt: null },
        { ...none, durationS: 5, quality: '1080p', startImageUrl: first },
        { ...none, referenceImageUrls: [first, last] },
      ])
    },
  )

  checkRich(
    'fal',
    'queue.submit with what a model alone has',
    'its names there, and those of its options',
    async (ann) => {
      const proxyUrl = { url: `${kinora.url}/fal`, when: 'always' as const }
      const { queue } = createFalClient({ credentials: ann.apiKey, proxyUrl })
      const submit = (input: object) => queue.submit(`kinora/${MODEL}`, { input: { prompt: PROMPT, ...input } })
      const options = { negative_prompt: 'rain', generate_audio: false, seed: 7, fixedCamera: true }
      await submit({ image_url: first, end_image_url: last, ...options })
      await submit({ first_frame_url: first, last_frame_url: last, duration: '8s', with_sound: false, steady: true })
      const data = `data:image/png;base64,${(await images.plain(640, 360)).toString('base64')}`
      await submit({ reference_image_urls: [first, data] })
      const films = await filmsOf(kinora, ann)
      assert.deepEqual(films.slice(0, 2), [whole, { ...whole, seed: null, negativePrompt: null }])
      const [link, stored] = (films[2] ?? assert.fail()).referenceImageUrls as string[]
      assert.equal(link, first)
      assert.match(stored ?? '', /^kinora:asset\//)
    },
  )

  checkRich(
    'OpenRouter',
    'generate with frames, references, sound and options',
    'as the model has them; the list of models says what',
    async (ann) => {
      const client = new OpenRouter({ apiKey: ann.apiKey, serverURL: `${kinora.url}/api/v1` }).videoGeneration
      const { data } = await client.listVideosModels()
      const rich = data.find(({ id }) => id === MODEL)
      assert.deepEqual(rich?.supportedFrameImages, ['first_frame', 'last_frame'])
      assert.deepEqual(
        [rich?.generateAudio, rich?.seed, rich?.allowedPassthroughParameters],
        [true, true, ['negativePrompt', 'fixedCamera']],
      )
      const imageOf = (url: string) => ({ type: 'image_url' as const, imageUrl: { url } })
      const frameImages = [
        { ...imageOf(first), frameType: 'first_frame' as const },
        { ...imageOf(last), frameType: 'last_frame' as const },
      ]
      const request = { model: MODEL, prompt: PROMPT }
      await client.generate({ videoGenerationRequest: { ...request, frameImages, generateAudio: false, seed: 7 } })
      await client.generate({
        videoGenerationRequest: { ...request, inputReferences: [imageOf(first), imageOf(last)] },
      })
      // The package drops the options of providers that it does not know.
      const provider = { options: { kinora: { negativePrompt: 'rain', fixedCamera: true } } }
      await post(`${kinora.url}/api/v1/videos`, ann.apiKey, { ...request, provider })
      assert.deepEqual(await filmsOf(kinora, ann), [
        { ...whole, negativePrompt: null, options: { fixedCamera: false } },
        { ...none, referenceImageUrls: [first, last] },
        { ...none, negativePrompt: 'rain', options: { fixedCamera: true } },
      ])
    },
  )

  const providerOptions = { kinora: { negativePrompt: 'rain', fixedCamera: true } }
  const settings = { seed: 7, generateAudio: false, providerOptions }
  const frameImages = [
    { image: first, frameType: 'first_frame' as const },
    { image: last, frameType: 'last_frame' as const },
  ]

  checkRich(
    'AI SDK gateway',
    'startVideo with frames, references, sound and options; generateVideo with n',
    'as the model has them; n films',
    async (ann) => {
      const model = createGateway({ apiKey: ann.apiKey, baseURL: `${kinora.url}/ai-gateway` }).videoModel(MODEL)
      const { warnings } = await startVideo({ model, prompt: PROMPT, frameImages, ...settings })
      assert.deepEqual(warnings, [])
      await startVideo({ model, prompt: PROMPT, inputReferences: [first, last] })
      assert.deepEqual(await filmsOf(kinora, ann), [whole, { ...none, referenceImageUrls: [first, last] }])
      const bob = await customer(kinora)
      const ofBob = createGateway({ apiKey: bob.apiKey, baseURL: `${kinora.url}/ai-gateway` }).videoModel(MODEL)
      const poll = { intervalMs: 200, timeoutMs: 60_000 }
      const making = generateVideo({ model: ofBob, prompt: PROMPT, n: 2, poll, download, maxRetries: 0 })
      await waitFor('both videos', async () => (await videosOf(kinora, bob)).length === 2)
      for (const { id } of await videosOf(kinora, bob)) await completeVideo(kinora, bob, id)
      const { videos, providerMetadata } = await making
      assert.deepEqual([videos.length, providerMetadata.kinora?.creditsUsed], [2, 10])
    },
  )

  checkRich(
    'Kinora’s AI SDK provider',
    'startVideo with frames, references, sound and options',
    'as the model has them',
    async (ann) => {
      const noted = { providerOptions: { kinora: { ...providerOptions.kinora, metadata: { order: '7' } } } }
      const model = createKinora({ baseURL: kinora.url, apiKey: ann.apiKey }).videoModel(MODEL)
      const { warnings } = await startVideo({ model, prompt: PROMPT, duration: 8, frameImages, ...settings, ...noted })
      assert.deepEqual(warnings, [])
      await startVideo({ model, prompt: PROMPT, inputReferences: [first, last] })
      assert.deepEqual(await filmsOf(kinora, ann), [whole, { ...none, referenceImageUrls: [first, last] }])
      const [{ metadata } = assert.fail()] = await kinora.app.sql<{ metadata: object }[]>`
        select metadata from kinora.video where user_id = ${ann.userId} order by id
      `
      assert.deepEqual(metadata, { order: '7' })
    },
  )

  checkRich(
    'MCP',
    'get_model, and generate_video with what its schema has',
    'the JSON Schema, rules and prices; the film',
    async (ann) => {
      const client = new Client({ name: 'test', version: '1' })
      const requestInit = { headers: { authorization: `Bearer ${ann.apiKey}` } }
      await client.connect(new StreamableHTTPClientTransport(new URL(`${kinora.url}/mcp`), { requestInit }))
      const { structuredContent } = await client.callTool({ name: 'get_model', arguments: { model: MODEL } })
      const { schema, prices } = structuredContent as { schema: { properties: object }; prices: { list: object[] } }
      assert.ok('audio' in schema.properties && 'options' in schema.properties)
      assert.equal(prices.list.length, 1)
      const { contents } = await client.readResource({ uri: `kinora://model/${MODEL}` })
      assert.deepEqual(JSON.parse((contents[0] as { text: string }).text), structuredContent)
      const { isError } = await client.callTool({ name: 'get_model', arguments: { model: 'none' } })
      assert.equal(isError, true)
      const film = {
        prompt: PROMPT,
        model: MODEL,
        duration: 8,
        startImageUrl: first,
        endImageUrl: last,
        aspectRatio: '16:9',
      }
      const options = { seed: 7, audio: false, negativePrompt: 'rain', options: { fixedCamera: true } }
      await client.callTool({ name: 'generate_video', arguments: { ...film, ...options } })
      // The film has the shape of its image.
      const image = { prompt: PROMPT, model: MODEL, duration: 4, startImageUrl: first }
      await client.callTool({ name: 'generate_video', arguments: image })
      assert.deepEqual(await filmsOf(kinora, ann), [whole, { ...none, quality: '1080p', startImageUrl: first }])
      await client.close()
    },
  )

  test('compatible APIs: wrong value of what a model alone has → the caller’s field, and which models have it', async () => {
    await withRichModel(async () => {
      const ann = await customer(kinora, 200)
      const refusals: [path: string, body: object, expected: RegExp][] = [
        ['/fal/kinora/rich-1', { prompt: 'x', steady: 'yes' }, /steady/],
        [
          '/fal/kinora/rich-1',
          { prompt: 'x', steady: true, fixed_camera: true },
          /steady and fixed_camera|fixed_camera and steady/,
        ],
        ['/fal/kinora/rich-1', { prompt: 'x', auto_fix: true }, /support auto_fix here/],
        ['/fal/kinora/rich-1', { prompt: 'x', reference_image_urls: 'x' }, /reference_image_urls/],
        [
          '/fal/kinora/delta-1-5',
          { prompt: 'x', generate_audio: true },
          /Delta 1\.5 has no generate_audio; choose rich-1/,
        ],
        [
          '/replicate/v1/models/kinora/rich-1/predictions',
          { input: { prompt: 'x', last_frame: last } },
          /input\.image/,
        ],
        ['/replicate/v1/models/kinora/rich-1/predictions', { input: { prompt: 'x', seed: -1 } }, /input\.seed/],
        [
          '/api/v1/videos',
          { model: 'delta-1-5', prompt: 'x', generate_audio: true },
          /no generate_audio; choose rich-1/,
        ],
        [
          '/api/v1/videos',
          { model: MODEL, prompt: 'x', provider: { options: { kinora: { colour: 'red' } } } },
          /provider\.options\.kinora\.colour/,
        ],
        [
          '/api/v1/videos',
          { model: MODEL, prompt: 'x', provider: { options: { kinora: { '$&(': 'red' } } } },
          /Rich 1 has no provider\.options\.kinora\.\$&\(;/,
        ],
      ]
      for (const [path, body, expected] of refusals) {
        const { status, text } = await post(`${kinora.url}${path}`, ann.apiKey, body)
        assert.equal(status, 400, text)
        assert.match(text, expected)
      }
      const headers = { 'ai-model-id': MODEL }
      const colour = { prompt: 'x', providerOptions: { kinora: { colour: 'red' } } }
      const { text } = await post(`${kinora.url}/ai-gateway/video-model/start`, ann.apiKey, colour, headers)
      assert.match(text, /providerOptions\.kinora\.colour/)
      assert.equal((await videosOf(kinora, ann)).length, 0)
    })
  })
}

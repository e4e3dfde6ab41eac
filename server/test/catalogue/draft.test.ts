/** `kinora catalogue add`: from a vendor's page to the draft of a model's file, and what its author decides. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { parseModels } from '../../src/catalogue/catalogue.ts'
import { draftModel, endpointsIn } from '../../src/catalogue/draft.ts'
import { mapRequest } from '../../src/provider/request-mapping.ts'
import { openKinora } from '../support/harness.ts'
import { runCommand } from '../support/processes.ts'

/** An endpoint's OpenAPI as fal writes it: the path of the request, and its input by reference. */
const falDocument = (model: string, properties: object, required: string[]) => ({
  openapi: '3.0.4',
  info: { title: `Queue OpenAPI for ${model}`, 'x-fal-metadata': { endpointId: model } },
  components: { schemas: { Input: { type: 'object', properties, required } } },
  paths: {
    [`/${model}/requests/{request_id}/status`]: { get: {} },
    [`/${model}`]: {
      post: { requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Input' } } } } },
    },
  },
})
const common = {
  prompt: { type: 'string', maxLength: 2500 },
  duration: { enum: ['5s', '10s'], type: 'string', default: '5s' },
  resolution: { enum: ['720p', '1080P', '2160p'], type: 'string', default: '720p' },
  negative_prompt: { anyOf: [{ type: 'string', maxLength: 400 }, { type: 'null' }] },
  seed: { anyOf: [{ type: 'integer', minimum: 0, maximum: 65_535 }, { type: 'null' }] },
  cfg_scale: { type: 'number', default: 0.5 },
  camera: { type: 'string', enum: ['still', 'pan'], default: 'still' },
  loras: { type: 'array', items: { type: 'string' } },
}
const fromText = falDocument(
  'acme/dream-2/text-to-video',
  { ...common, aspect_ratio: { enum: ['16:9', '9:16', 'auto'], type: 'string' } },
  ['prompt'],
)
const fromImage = falDocument(
  'acme/dream-2/image-to-video',
  {
    ...common,
    image_url: { type: 'string' },
    end_image_url: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    aspect_ratio: { enum: ['16:9', 'auto'], type: 'string' },
    generate_audio: { type: 'boolean', default: true },
  },
  ['prompt', 'image_url'],
)
const replicateModel = {
  owner: 'acme',
  name: 'dream-mini',
  latest_version: {
    id: 'hidden',
    openapi_schema: {
      components: {
        schemas: {
          Input: {
            required: ['prompt'],
            properties: {
              prompt: { type: 'string' },
              duration: { allOf: [{ $ref: '#/components/schemas/duration' }], default: 6 },
              aspect_ratio: { allOf: [{ $ref: '#/components/schemas/aspect_ratio' }], default: '16:9' },
              image: { type: 'string', format: 'uri', nullable: true },
            },
          },
          duration: { enum: [6, 10], type: 'integer' },
          aspect_ratio: { enum: ['16:9', '1:1'], type: 'string' },
        },
      },
    },
  },
}
const openRouterModel = (skus: object) => ({
  id: 'acme/dream-3',
  name: 'Acme: Dream 3',
  supported_durations: [4, 8],
  supported_resolutions: ['720p', '1080p'],
  supported_aspect_ratios: ['16:9'],
  supported_frame_images: ['first_frame', 'last_frame'],
  generate_audio: true,
  seed: null,
  pricing_skus: skus,
})
const prices = {
  duration_seconds_with_audio_720p: '0.20',
  duration_seconds_without_audio_720p: '0.10',
  duration_seconds_1080p: '0.30',
}
const draft = async (documents: unknown[], model: string | null = null) => {
  const [first, ...others] = (await endpointsIn(documents, model)) ?? []
  return first ? draftModel([first, ...others], '2026-11-26') : assert.fail('no draft')
}

test('draft: OpenAPI of two endpoints of fal → one route with a name, values and a mapping for each mode', async () => {
  const { entry, notes } = await draft([fromText, fromImage])
  assert.deepEqual(
    [entry.id, entry.name, entry.company, entry.modes],
    [
      'dream-2',
      'Dream 2',
      undefined,
      {
        'text-to-video': { duration: [5, 10], quality: ['720p', '1080p', '4k'], aspectRatio: ['16:9', '9:16'] },
        'image-to-video': { aspectRatio: 'follows the image' },
        'first-last': { aspectRatio: 'follows the image' },
      },
    ],
  )
  assert.deepEqual(entry.options, {
    negativePrompt: { type: 'string', maxLength: 400 },
    seed: { type: 'integer', minimum: 0, maximum: 65_535 },
    audio: { type: 'boolean', default: true, modes: ['image-to-video', 'first-last'] },
  })
  const [route] = entry.routes ?? []
  assert.deepEqual(route?.model, {
    'text-to-video': 'acme/dream-2/text-to-video',
    'image-to-video': 'acme/dream-2/image-to-video',
    'first-last': 'acme/dream-2/image-to-video',
  })
  const { input } = route as { input: Record<string, Record<string, string>> }
  const request = {
    prompt: 'A boat',
    duration: 10,
    quality: '4k',
    aspectRatio: '9:16',
    start: 'https://a/b',
    audio: false,
  }
  assert.deepEqual(await mapRequest(input['text-to-video'] ?? {}, request), {
    prompt: 'A boat',
    duration: '10s',
    resolution: '2160p',
    aspect_ratio: '9:16',
    cfg_scale: 0.5,
    camera: 'still',
  })
  assert.deepEqual(await mapRequest(input['image-to-video'] ?? {}, request), {
    prompt: 'A boat',
    duration: '10s',
    resolution: '2160p',
    aspect_ratio: 'auto',
    cfg_scale: 0.5,
    camera: 'still',
    image_url: 'https://a/b',
    generate_audio: false,
  })
  assert.match(notes.join('\n'), /text-to-video: cfg_scale, camera get the vendor’s default.*\n.*loras are left out/)
})

test('draft: Replicate’s model → its values by reference; what no field says is left to its author', async () => {
  const { entry } = await draft([replicateModel])
  assert.deepEqual(entry.modes, {
    'text-to-video': { duration: [6, 10], aspectRatio: ['16:9', '1:1'] },
    'image-to-video': {},
  })
  const [route] = entry.routes ?? []
  assert.deepEqual([route?.model, route?.account], ['acme/dream-mini', 'replicate'])
})

test('draft: OpenRouter’s list → a whole file with costs; a price of unknown kind → no cost at all', async () => {
  const list = { data: [{ id: 'acme/other', supported_durations: [] }, openRouterModel(prices)] }
  const { entry } = await draft([list], 'acme/dream-3')
  const [route] = entry.routes ?? []
  assert.deepEqual(route?.cost?.usd, { '720p+audio': 0.2, '720p': 0.1, '1080p': 0.3 })
  assert.equal(parseModels([{ name: 'dream-3.json', text: JSON.stringify(entry) }]).get('dream-3')?.company, 'Acme')
  const unknown = { data: [openRouterModel({ ...prices, video_tokens: '0.01' })] }
  assert.equal((await draft([unknown])).entry.routes?.[0]?.cost, undefined)
  assert.equal(await endpointsIn([list], 'acme/none'), null)
  assert.equal(await endpointsIn([{}], null), null)
})

test('kinora catalogue add: file, address behind the SSRF guard → the file, and each open decision in a sentence', async () => {
  const kinora = await openKinora()
  const folder = mkdtempSync(path.join(tmpdir(), 'kinora-draft-'))
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(fromText))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  after(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })
  const file = path.join(folder, 'dream-mini.json')
  writeFileSync(file, JSON.stringify(replicateModel))
  const { status, output } = await runCommand(kinora, ['catalogue', 'add', file])
  assert.equal(status, 0, output)
  assert.match(output, /^\{\n {2}"\$schema"[\s\S]*^\}$/m)
  assert.match(output, /^- models\/dream-mini\.json:1: company is missing; it must be a text/m)
  assert.match(output, /^- models\/dream-mini\.json:\d+: modes\.text-to-video: quality is missing/m)
  assert.match(output, /^- models\/dream-mini\.json:\d+: routes\[0\]: cost is missing/m)
  const url = `http://127.0.0.1:${port}/openapi.json`
  const refused = await runCommand(kinora, ['catalogue', 'add', url], { FETCH_ALLOW: '' })
  assert.deepEqual([refused.status, refused.output.includes('not an address on the public')], [1, true], refused.output)
  const fetched = await runCommand(kinora, ['catalogue', 'add', url], { FETCH_ALLOW: `127.0.0.1:${port}` })
  assert.match(fetched.output, /"id": "dream-2"/)
  // The shell has made the file that the draft goes to.
  mkdirSync(path.join(folder, 'models'))
  writeFileSync(path.join(folder, 'models', 'dream-mini.json'), '')
  const own = { CATALOGUE_DIR: folder }
  assert.equal((await runCommand(kinora, ['catalogue', 'add', file], own)).status, 0)
  assert.match((await runCommand(kinora, ['catalogue', 'check'], own)).output, /dream-mini\.json:1: not valid JSON/)
  const missing = await runCommand(kinora, ['catalogue', 'add', path.join(folder, 'nothing.json')])
  assert.deepEqual([missing.status, missing.output.includes('no such file')], [2, true])
  const none = await runCommand(kinora, ['catalogue', 'add'])
  assert.equal(none.status, 2)
  const key = await runCommand(kinora, ['catalogue', 'add', 'https://replicate.com/acme/dream-mini'])
  assert.match(key.output, /PROVIDER_REPLICATE_API_KEY/)
})

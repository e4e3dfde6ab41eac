/**
 * Films of pictures, films and sounds: every mode by MCP and by fal, and the fields that each other format has for
 * inputs. The simulator says what came to the provider.
 */
import assert from 'node:assert/strict'
import { createGateway } from '@ai-sdk/gateway'
import { createFalClient } from '@fal-ai/client'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { OpenRouter } from '@openrouter/sdk'
import { experimental_startVideo as startVideo } from 'ai'
import OpenAI, { BadRequestError, NotFoundError } from 'openai'
import Replicate from 'replicate'
import { createKinora } from '../../../ai-sdk-provider/src/index.ts'
import type { Kinora, Person } from '../support/harness.ts'
import {
  addStage,
  askedOf,
  type Sources,
  STAGE,
  STAGE_UPSCALER,
  sentRolesOf,
  stageRequests,
  stageSources,
} from '../support/stage.ts'
import { check as checkApi, customer, PROMPT, post } from './clients.ts'

type Customer = Awaited<ReturnType<typeof customer>>

/** What fal's format calls the inputs of each mode. Keyframes have no field there. */
const falInputs = ({ picture, sound, film }: Sources['links'], keyframes: object[]): Record<string, object> => ({
  edit: { prompt: PROMPT, video_url: film },
  extend: { prompt: PROMPT, video_url: film, duration: '4s' },
  motion: { prompt: PROMPT, image_url: picture, video_url: film },
  'lip-sync': { video_url: film, audio_url: sound },
  avatar: { image_url: picture, audio_url: sound },
  keyframes: { prompt: PROMPT, inputs: keyframes },
  reference: {
    prompt: PROMPT,
    reference_image_urls: [picture],
    reference_video_urls: [film],
    reference_audio_urls: [sound],
  },
  upscale: { video_url: film },
})

export function testEveryMode(kinora: Kinora): void {
  const check = (api: string, call: string, result: string, run: (ann: Customer, of: Sources) => Promise<void>) =>
    checkApi(api, call, result, async () => {
      // For one test: others compare the list of models.
      addStage()
      const ann = await customer(kinora, 1000)
      await run(ann, await stageSources(kinora, ann))
    })
  type Made = Record<string, { mode: string; roles: string[] }>
  const assertAsked = async (made: Made) => {
    for (const [uuid, expected] of Object.entries(made)) assert.deepEqual(await askedOf(kinora, uuid), expected)
  }
  /** Finishes videos, and asserts what their provider got. */
  const assertMade = async (as: Person, made: Made) => {
    const uuids = Object.keys(made)
    const ends = await Promise.all(uuids.map((uuid) => kinora.finish(as, uuid)))
    assert.deepEqual(
      ends.map(({ status, error }) => [status, error]),
      uuids.map(() => ['COMPLETED', null]),
    )
    await assertAsked(made)
    for (const [uuid, { roles }] of Object.entries(made)) assert.deepEqual(await sentRolesOf(kinora, uuid), roles)
  }
  const rolesOf = (inputs: { role: string }[]) => inputs.map(({ role }) => role)

  check('MCP', 'generate_video with inputs, of every mode', 'a film of each', async (ann, sources) => {
    const client = new Client({ name: 'test', version: '1' })
    const requestInit = { headers: { authorization: `Bearer ${ann.apiKey}` } }
    await client.connect(new StreamableHTTPClientTransport(new URL(`${kinora.url}/mcp`), { requestInit }))
    const made: Made = {}
    for (const request of stageRequests(sources)) {
      const { structuredContent, content } = await client.callTool({ name: 'generate_video', arguments: request })
      const { uuid } = (structuredContent ?? assert.fail(JSON.stringify(content))) as { uuid: string }
      made[uuid] = { mode: request.mode, roles: rolesOf(request.inputs) }
    }
    await client.close()
    await assertMade(ann, made)
  })

  check('fal', 'queue.submit with films and sounds, of every mode', 'a film of each', async (ann, sources) => {
    const proxyUrl = { url: `${kinora.url}/fal`, when: 'always' as const }
    const { queue } = createFalClient({ credentials: ann.apiKey, proxyUrl })
    const made: Made = {}
    for (const { mode, model, inputs } of stageRequests(sources)) {
      const input = falInputs(sources.links, inputs)[mode] ?? {}
      const endpoint = `kinora/${model}/${mode}`
      const { request_id: requestId } = await queue.submit(endpoint, { input })
      assert.equal((await queue.status(endpoint, { requestId })).status, 'IN_QUEUE')
      made[requestId] = { mode, roles: rolesOf(inputs) }
    }
    await assertMade(ann, made)
    const ambiguous = queue.submit(`kinora/${STAGE}`, { input: { prompt: PROMPT, video_url: sources.links.film } })
    await assert.rejects(ambiguous, /has extend and edit with these inputs; say mode/)
  })

  check(
    'Replicate',
    'predictions.create with films and sounds, as links and Buffers',
    'their roles by the model',
    async (ann, { links }) => {
      const { predictions } = new Replicate({ auth: ann.apiKey, baseUrl: `${kinora.url}/replicate/v1` })
      const create = (input: object) => predictions.create({ model: `kinora/${STAGE}`, input })
      const [video, audio] = await Promise.all(
        [links.film, links.sound].map(async (link) => Buffer.from(await (await fetch(link)).arrayBuffer())),
      )
      const lips = await create({ video, audio })
      assert.deepEqual(Object.keys(lips.input).sort(), ['aspect_ratio', 'audio', 'duration', 'resolution', 'video'])
      const references = { reference_images: [links.picture], reference_videos: [links.film] }
      const shown = await create({ prompt: PROMPT, ...references })
      const moved = await create({ prompt: PROMPT, image: links.picture, video: links.film })
      await assertAsked({
        [lips.id]: { mode: 'lip-sync', roles: ['film', 'sound'] },
        [shown.id]: { mode: 'reference', roles: ['reference', 'reference'] },
        [moved.id]: { mode: 'motion', roles: ['start', 'motion'] },
      })
    },
  )

  check(
    'OpenRouter',
    'generate with films and sounds as inputReferences, with previousJobId',
    'their roles by the model; the film of the job',
    async (ann, { film, sound, links }) => {
      const client = new OpenRouter({ apiKey: ann.apiKey, serverURL: `${kinora.url}/api/v1` }).videoGeneration
      const generate = (request: object) =>
        client.generate({ videoGenerationRequest: { model: STAGE, prompt: PROMPT, ...request } })
      const picture = { type: 'image_url', imageUrl: { url: links.picture } }
      const video = { type: 'video_url', videoUrl: { url: links.film } }
      const audio = { type: 'audio_url', audioUrl: { url: links.sound } }
      const shown = await generate({ inputReferences: [video, picture, audio] })
      const larger = await generate({ prompt: undefined, model: STAGE_UPSCALER, previousJobId: film })
      const url = `${kinora.url}/api/v1/videos`
      const job = { model: STAGE, prompt: PROMPT, previous_job_id: film }
      const ambiguous = await post(url, ann.apiKey, job)
      assert.match(ambiguous.text, /provider\.options\.kinora\.mode/)
      const kinoras = (options: object) => ({ provider: { options: { kinora: options } } })
      const edited = await post(url, ann.apiKey, { ...job, ...kinoras({ mode: 'edit' }) })
      const inputs = [
        { role: 'film', video: film },
        { role: 'sound', asset: sound },
      ]
      const synced = await post(url, ann.apiKey, { model: STAGE, ...kinoras({ inputs }) })
      const idOf = ({ text }: { text: string }) => JSON.parse(text).id
      await assertAsked({
        [shown.id]: { mode: 'reference', roles: ['reference', 'reference', 'reference'] },
        [larger.id]: { mode: 'upscale', roles: ['film'] },
        [idOf(edited)]: { mode: 'edit', roles: ['film'] },
        [idOf(synced)]: { mode: 'lip-sync', roles: ['film', 'sound'] },
      })
      const wrong = [
        [{ input_references: [{ type: 'text' }] }, /input_references/],
        [{ previous_job_id: 'gen-vid-1' }, /previous_job_id/],
        [kinoras({ inputs: [{ role: 'sound', asset: '@none' }] }), /provider\.options\.kinora\.inputs\.0/],
      ] as const
      for (const [change, expected] of wrong) {
        const { status, text } = await post(url, ann.apiKey, { model: STAGE, prompt: PROMPT, ...change })
        assert.ok(status === 400 || status === 404, text)
        assert.match(text, expected)
      }
    },
  )

  check(
    'AI SDK gateway',
    'startVideo with films and sounds as inputReferences',
    'their roles by the model',
    async (ann, { links }) => {
      const model = createGateway({ apiKey: ann.apiKey, baseURL: `${kinora.url}/ai-gateway` }).videoModel(STAGE)
      const sound = new Uint8Array(await (await fetch(links.sound)).arrayBuffer())
      const inputReferences = [{ data: links.film, mediaType: 'video/mp4' }, links.picture, sound]
      const shown = await startVideo({ model, prompt: PROMPT, inputReferences })
      const providerOptions = { kinora: { mode: 'avatar' } }
      const spoken = await startVideo({
        ...{ model, prompt: { image: links.picture }, inputReferences: [links.sound], providerOptions },
      })
      const uuidOf = ({ operation }: { operation: unknown }) => (operation as { uuid: string }).uuid
      await assertAsked({
        [uuidOf(shown)]: { mode: 'reference', roles: ['reference', 'reference', 'reference'] },
        [uuidOf(spoken)]: { mode: 'avatar', roles: ['portrait', 'sound'] },
      })
    },
  )

  check(
    'Kinora’s AI SDK provider',
    'startVideo with films and sounds as inputReferences, with inputs',
    'references; their roles',
    async (ann, { film, sound, links }) => {
      const model = createKinora({ baseURL: kinora.url, apiKey: ann.apiKey }).videoModel(STAGE)
      const voice = new Uint8Array(await (await fetch(links.sound)).arrayBuffer())
      const inputReferences = [{ data: links.film, mediaType: 'video/mp4' }, links.picture, voice]
      const shown = await startVideo({ model, prompt: PROMPT, inputReferences })
      const inputs = [
        { role: 'film', video: film },
        { role: 'sound', asset: sound },
      ]
      const synced = await startVideo({ model, prompt: '', providerOptions: { kinora: { inputs } } })
      const edited = await startVideo({
        ...{ model, prompt: PROMPT },
        providerOptions: { kinora: { mode: 'edit', inputs: inputs.slice(0, 1) } },
      })
      const uuidOf = ({ operation }: { operation: unknown }) => (operation as { uuid: string }).uuid
      await assertAsked({
        [uuidOf(shown)]: { mode: 'reference', roles: ['reference', 'reference', 'reference'] },
        [uuidOf(synced)]: { mode: 'lip-sync', roles: ['film', 'sound'] },
        [uuidOf(edited)]: { mode: 'edit', roles: ['film'] },
      })
    },
  )

  check(
    'OpenAI',
    'videos.edit, videos.extend',
    'a film of the film; its model, or one that is named',
    async (ann, of) => {
      const { videos } = new OpenAI({ baseURL: `${kinora.url}/v1`, apiKey: ann.apiKey, maxRetries: 0 })
      const model = { model: STAGE }
      const edited = await videos.edit({ prompt: PROMPT, video: { id: of.film }, ...model })
      const bytes = new Uint8Array(await (await fetch(of.links.film)).arrayBuffer())
      const video = new File([bytes], 'film.mp4', { type: 'video/mp4' })
      const extended = await videos.extend({ prompt: PROMPT, seconds: '4', video, ...model })
      await assertAsked({
        [edited.id]: { mode: 'edit', roles: ['film'] },
        [extended.id]: { mode: 'extend', roles: ['film'] },
      })
      await kinora.finish(ann, edited.id)
      const again = await videos.edit({ prompt: 'Now at night', video: { id: edited.id } })
      assert.deepEqual([again.model, again.status], [STAGE, 'queued'])
      const ofAnotherModel = videos.edit({ prompt: PROMPT, video: { id: of.film } })
      await assert.rejects(
        ofAnotherModel,
        (error) => error instanceof BadRequestError && /model one of .*stage/.test(error.message),
      )
      const ofNobody = videos.edit({ prompt: PROMPT, video: { id: crypto.randomUUID() } })
      await assert.rejects(ofNobody, (error) => error instanceof NotFoundError)
    },
  )
}

/** The tools of `/mcp` but those of projects. */
import { McpServer } from '@modelcontextprotocol/server'
import type { Static } from 'typebox'
import manifest from '../../package.json' with { type: 'json' }
import type { Caller } from '../account/credential/credential.ts'
import type { App } from '../app.ts'
import { balance } from '../credit/ledger.ts'
import { packages } from '../credit/packages.ts'
import { requestSchemas } from '../film/fields.ts'
import { filmCount, metadataSchema } from '../film/limits.ts'
import { limitAlso, limitFilms } from '../http/request/rate-limits.ts'
import { cancel } from '../video/cancel.ts'
import { generate } from '../video/generate.ts'
import { type FilmInput, parseGenerateRequest } from '../video/generate-request.ts'
import { list, remove } from '../video/library.ts'
import { quote, requireAtMost } from '../video/quote.ts'
import { findReplay } from '../video/replay.ts'
import { requireKnownFields } from './format.ts'
import { addProjects } from './mcp-projects.ts'
import { modelInFull, models, registerResources } from './mcp-resources.ts'
import { INSTRUCTIONS, inputs, outputs, PAGE_SIZE } from './mcp-schemas.ts'
import { type McpCall, openSchemas, READS, result, type Tools, toolsOf, videoResult, waitFor } from './mcp-tool.ts'
import { viewVideo } from './video-view.ts'
import type { WaitForFilm } from './wait-for-film.ts'

/** Returns what builds the server of one request. */
export function openTools(app: App, waitForFilm: WaitForFilm): (call: McpCall) => McpServer {
  const schemaOf = openSchemas()
  return (call) => {
    const server = new McpServer(
      { name: 'kinora', title: app.config.site.name, version: manifest.version },
      { instructions: `${app.config.site.name} ${INSTRUCTIONS}` },
    )
    const tools: Tools = {
      app,
      call,
      tool: toolsOf(server, schemaOf, { app, call }),
      wait: waitFor(app, waitForFilm, call),
    }
    addModels(tools)
    addGenerate(tools)
    addFilms(tools)
    addChanges(tools)
    addProjects(tools)
    addCredits(tools)
    registerResources(server, app, call)
    return server
  }
}

function addModels({ app, call, tool }: Tools): void {
  tool(
    'list_models',
    {
      title: 'Models and prices',
      description: 'The models, with their durations, resolutions, aspect ratios and prices in credits.',
      input: inputs.none,
      output: outputs.models,
      annotations: READS,
    },
    async () => result({ models: models(app) }),
  )
  tool(
    'get_model',
    {
      title: 'A model in full',
      description:
        'What generate_video takes for one model: the JSON Schema of its input with the options of the model, the rules between ' +
        'values, all prices, and how long a film takes.',
      input: inputs.model,
      output: outputs.model,
      annotations: READS,
    },
    async ({ model }) => result(modelInFull(app, model)),
  )
  tool(
    'quote_video',
    {
      title: 'Price of a film',
      description:
        'What generate_video would cost, whether the credits suffice, and how long it would take. Takes the same input, with or without a ' +
        'prompt; nothing is made or reserved.',
      input: inputs.quote,
      output: outputs.quote,
      annotations: READS,
    },
    async (request) => {
      const { affordable: enough, ...rest } = await quote(app, call.caller, requestOf(request))
      return result({ ...rest, enough })
    },
  )
}

function addGenerate({ app, call, tool, wait }: Tools): void {
  tool(
    'generate_video',
    {
      title: 'Generate a film',
      description:
        'Makes a film and costs credits, which come back when it fails. Returns its uuid at once, or the finished film when ' +
        'waitSeconds suffice; with n films that of the first, and the uuids of all. Give an idempotencyKey, so that a repeated call makes no second film.',
      input: inputs.generate,
      output: outputs.video,
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    },
    async ({ maxCredits, waitSeconds: waitS = 0, idempotencyKey, ...wanted }, mcpRequest) => {
      const counted = limitAlso(app, call.request, call.reply, 'generate')
      if (counted) await counted
      await limitFilms(app, call.request, call.reply, wanted.n)
      const request = requestOf(wanted)
      const key = idempotencyKey === undefined ? null : `mcp:${idempotencyKey}`
      // A replay costs nothing, also when the price has risen.
      if (maxCredits !== undefined && !(key && (await findReplay(app, call.caller, request, key)))) {
        await checkPrice(app, call.caller, request, maxCredits)
      }
      const made = await generate(app, call.caller, request, key)
      const uuids = made.videos?.map((video) => video.uuid)
      return videoResult(app, await wait([made.uuid], waitS, mcpRequest), uuids && { uuids })
    },
  )
}

function addFilms({ app, call, tool, wait }: Tools): void {
  tool(
    'get_video',
    {
      title: 'Status of a film',
      description: 'Status and progress; when COMPLETED the link to the film, when FAILED the reason.',
      input: inputs.video,
      output: outputs.video,
      annotations: READS,
    },
    async ({ uuid: id, waitSeconds: waitS = 0 }, mcpRequest) => videoResult(app, await wait([id], waitS, mcpRequest)),
  )
  tool(
    'list_videos',
    {
      title: 'Your films',
      description: 'The films of this account, newest first.',
      input: inputs.list,
      output: outputs.list,
      annotations: READS,
    },
    async ({ q, page = 1 }) => {
      const { videos, total } = await list(app, call.caller, {
        page,
        pageSize: PAGE_SIZE,
        ...(q === undefined ? {} : { q }),
      })
      const shown = videos.map(({ videoUrl, thumbnailUrl: _, completedAt: __, createdAt, ...video }) => ({
        ...video,
        createdAt: createdAt.toISOString(),
        ...(videoUrl === null ? {} : { videoUrl }),
      }))
      return result({ videos: shown, total, page })
    },
  )
}

function addChanges({ app, call, tool }: Tools): void {
  tool(
    'cancel_video',
    {
      title: 'Cancel a film',
      description:
        'At once until a provider has the task; then the provider is asked, if it can stop. The text says what has become of the film.',
      input: inputs.uuid,
      output: outputs.video,
      annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ uuid: id }) => {
      const { message } = await cancel(app, call.caller, id)
      const { content = [], ...rest } = videoResult(app, await viewVideo(app, call.caller, id))
      return { content: [...content, { type: 'text', text: message }], ...rest }
    },
  )
  tool(
    'delete_video',
    {
      title: 'Delete a film',
      description: 'The film disappears; its credits do not come back.',
      input: inputs.uuid,
      output: outputs.deleted,
      annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    async ({ uuid: id }) => {
      await remove(app, call.caller, id)
      return result({ uuid: id, deleted: true })
    },
  )
}

function addCredits({ app, call, tool }: Tools): void {
  const { userId } = call.caller
  tool(
    'get_credits',
    {
      title: 'Credits',
      description:
        'The balance of this account, and its packages of credits, the first to expire first, at most a hundred.',
      input: inputs.none,
      output: outputs.credits,
      annotations: READS,
    },
    async () => {
      const [credits, held] = await Promise.all([balance(app, userId), packages(app, userId, { pageSize: 100 })])
      // Times as text: a result is validated by its schema before it is JSON.
      const shown = held.packages.map((each) => ({
        ...each,
        expiresAt: each.expiresAt.toISOString(),
        createdAt: each.createdAt.toISOString(),
      }))
      return result({ ...credits, packages: shown })
    },
  )
}

/** @throws AppError INVALID_REQUEST */
async function checkPrice(app: App, caller: Caller, request: FilmInput, maxCredits: number): Promise<void> {
  const { n = 1 } = request
  const { credits } = await parseGenerateRequest(app, caller, request)
  requireAtMost(maxCredits, n * credits, n)
}

/** What of the input is about the film. */
const taken = { ...requestSchemas, n: filmCount, metadata: metadataSchema }

/**
 * The input as `generate` takes it: an absent field is absent.
 * @throws AppError INVALID_REQUEST for a field that generate_video does not take; its price and its film would be other
 * ones
 */
function requestOf<G extends Static<typeof inputs.quote>>(given: G) {
  requireKnownFields(inputs.generate, given)
  const entries = Object.entries(given).filter(([name, value]) => name in taken && value !== undefined)
  return Object.fromEntries(entries) as Pick<G, keyof G & keyof typeof taken>
}

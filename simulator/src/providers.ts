/**
 * The API of a provider in its wire format: a submit is validated, rejected or refused by a sentinel, or stored as a
 * task before the response.
 */
import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { type FilmRequest, filmSize } from './film-request.ts'
import { downSubmits, readSentinels, slowMs } from './sentinels.ts'
import type { ProviderName } from './settings.ts'
import type { TaskRunner } from './task-runner.ts'
import type { CallbackKind, Task, Tasks } from './tasks.ts'

type Body = Partial<Record<string, unknown>>
/** The fields of a request body as received, not yet validated. */
type Submit = { idempotencyKey: string | null } & Record<
  'model' | 'prompt' | 'aspectRatio' | 'duration' | 'quality' | 'imageUrls' | 'callbackUrl',
  unknown
>
type Refusal = 'invalid' | 'unauthorized' | 'unknown' | 'refused' | 'unavailable' | 'error'

/** How a provider spells requests, responses and callbacks. */
export type WireFormat = {
  provider: ProviderName
  submitPath: string
  /** With `taskId` as a parameter of the path or of the query. */
  pollPath: string
  callbackTimeoutMs: number
  newTaskId: () => string
  readSubmit: (body: Body, headers: IncomingHttpHeaders) => Submit
  accepted: (task: Task, filmUrl: string) => object
  polled: (task: Task, filmUrl: string) => object
  refusal: (kind: Refusal, message: string) => { status: number; body: object }
  /** The body of a callback, as text or to be sent as JSON. */
  callback: (task: Task, kind: CallbackKind, filmUrl: string) => string | object
  /** Headers that sign a callback, where the provider does so. */
  signature?: (taskId: string, key: string) => Record<string, string>
}

type ProviderContext = {
  tasks: Tasks
  runner: TaskRunner
  filmUrl: (task: Task) => string
  pace: number
  log: (line: string) => void
}

const WAITING_MS = 500
const GENERATING_MS = { min: 3_000, spread: 2_000 }
const DURATION_S_MAX = 60
const PROMPT_CHARACTERS_MAX = 10_000

export function providerRoutes(context: ProviderContext, format: WireFormat, apiKey: string | null) {
  const { tasks, runner, filmUrl } = context
  const refuse = (reply: FastifyReply, kind: Refusal, message: string): FastifyReply => {
    const { status, body } = format.refusal(kind, message)
    return reply.code(status).send(body)
  }
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRequest', async (request, reply) => {
      if (apiKey && request.headers.authorization !== `Bearer ${apiKey}`) {
        return refuse(reply, 'unauthorized', 'The API key is missing or wrong.')
      }
    })
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
      refuse(reply, (error.statusCode ?? 500) < 500 ? 'invalid' : 'error', error.message),
    )

    app.post<{ Body: Body | null }>(format.submitPath, async ({ body, headers }, reply) => {
      const submit = format.readSubmit(body ?? {}, headers)
      const request = readRequest(submit)
      if (typeof request === 'string') return refuse(reply, 'invalid', request)
      const sentinels = readSentinels(request.prompt)
      const { video, isDown } = countSubmit(tasks, submit, request)
      if (isDown) return refuse(reply, 'unavailable', 'Try again later.')
      if (sentinels.has('refuse')) {
        return refuse(reply, 'refused', sentinels.get('refuse') || 'The prompt was refused for its content.')
      }
      const known = submit.idempotencyKey && tasks.byIdempotencyKey(submit.idempotencyKey)
      const task = known || startTask(context, format, submit, request, video)
      if (sentinels.has('early') && task.endedAt === null) await runner.afterCallback(task.taskId)
      if (sentinels.has('hang')) return reply.hijack()
      if (sentinels.has('vague')) return refuse(reply, 'error', 'Something went wrong.')
      return format.accepted(task, filmUrl(task))
    })

    type Poll = { Params: { taskId?: string }; Querystring: { taskId?: string } }
    app.get<Poll>(format.pollPath, async ({ params, query }, reply) => {
      const task = tasks.tasks.all.get(params.taskId ?? query.taskId ?? '')
      if (task?.provider !== format.provider) return refuse(reply, 'unknown', 'There is no such task.')
      return format.polled(task, filmUrl(task))
    })
  }
}

/** `[down]` counts the submits of one video at both providers, and only the callback's `ref` is the same at both. */
function countSubmit({ videos }: Tasks, { callbackUrl, idempotencyKey }: Submit, { prompt }: FilmRequest) {
  const promptHash = createHash('sha256').update(prompt).digest('hex')
  const ref = URL.parse(String(callbackUrl))?.searchParams.get('ref')
  const name = ref ?? idempotencyKey ?? `prompt ${promptHash}`
  const video = videos.all.get(name) ?? { name, createdAt: Date.now(), submits: 0, rejected: 0 }
  const isDown = video.rejected < downSubmits(readSentinels(prompt))
  videos.save({ ...video, submits: video.submits + 1, rejected: video.rejected + (isDown ? 1 : 0) })
  return { video: name, isDown }
}

function startTask(
  context: ProviderContext,
  { provider, newTaskId }: WireFormat,
  { idempotencyKey, callbackUrl }: Submit,
  request: FilmRequest,
  video: string,
): Task {
  const sentinels = readSentinels(request.prompt)
  const createdAt = Date.now()
  const pace = sentinels.has('early') ? 0 : context.pace
  const startsAt = createdAt + WAITING_MS * pace
  const generatingMs = (GENERATING_MS.min + Math.random() * GENERATING_MS.spread) * pace
  const task: Task = {
    taskId: newTaskId(),
    provider,
    video,
    idempotencyKey,
    request,
    callbackUrl: typeof callbackUrl === 'string' && URL.canParse(callbackUrl) ? callbackUrl : null,
    createdAt,
    startsAt,
    finishesAt: Math.round(startsAt + (slowMs(sentinels) ?? generatingMs)),
    endedAt: null,
    state: 'waiting',
    error: null,
    outbox: [],
    callbacks: [],
  }
  context.tasks.tasks.save(task)
  const { model, durationS, quality, aspectRatio } = request
  context.log(`${provider} ${task.taskId} accepted: ${model}, ${durationS} s, ${quality}, ${aspectRatio}`)
  context.runner.run(task)
  return task
}

/** @returns the request, or what is wrong with it */
function readRequest(submit: Submit): FilmRequest | string {
  const { model, prompt, aspectRatio, quality = '720p', imageUrls = [] } = submit
  if (typeof model !== 'string' || !model) return 'model is missing.'
  if (typeof prompt !== 'string' || !prompt.trim()) return 'prompt is missing.'
  if (prompt.length > PROMPT_CHARACTERS_MAX) return `prompt is over ${PROMPT_CHARACTERS_MAX} characters.`
  const durationS = Number(submit.duration)
  if (!(durationS >= 1 && durationS <= DURATION_S_MAX)) return `duration must be 1 to ${DURATION_S_MAX} seconds.`
  if (typeof aspectRatio !== 'string' || typeof quality !== 'string' || !filmSize(aspectRatio, quality)) {
    return `aspect_ratio ${String(aspectRatio)} in quality ${String(quality)} is not on offer.`
  }
  if (!Array.isArray(imageUrls)) return 'image_urls must be a list.'
  const imageUrl: unknown = imageUrls[0] ?? null
  if (imageUrl !== null && (typeof imageUrl !== 'string' || !/^https?:/.test(imageUrl))) {
    return 'image_urls must hold http(s) addresses.'
  }
  return { prompt, model, aspectRatio, quality, durationS, imageUrl }
}

/**
 * The API of the providers and their tasks, in the wire format in which each takes, shows and reports them: one record per task, and
 * one per submit, also of those that were refused. Every change is on disk before it is acted on or returned, so that a process killed at any
 * instruction carries on from there.
 */
import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context as Call, Hono } from 'hono'
import { deliver, type Message, SLEEP_MS_MAX } from './deliveries.ts'
import { type FilmRequest, filmSize } from './film-request.ts'
import type { Films } from './films.ts'
import { openRecords } from './records.ts'
import { readSentinels, type Sentinels, slowMs } from './sentinels.ts'
import type { Context, ProviderName } from './settings.ts'

type Callback = Message & { kind: 'result' | 'opposite' | 'garbage' }
/** Times are milliseconds since 1970. */
export type Task = {
  id: string
  provider: ProviderName
  /** The client's name for the video, the same at both providers. */
  video: string
  idempotencyKey: string | null
  request: FilmRequest
  callbackUrl: string | null
  createdAt: number
  startsAt: number
  finishesAt: number
  endedAt: number | null
  error: string | null
  outbox: Callback[]
}

type Submitted = Pick<Task, 'provider' | 'video' | 'idempotencyKey' | 'request' | 'callbackUrl'>

export function stateOf({ startsAt, endedAt, error }: Task): 'waiting' | 'generating' | 'completed' | 'failed' {
  if (endedAt !== null) return error === null ? 'completed' : 'failed'
  return Date.now() < startsAt ? 'waiting' : 'generating'
}

/** Whole per cent, rising with the clock; 100 only at the end. */
export function progressOf(task: Task): number {
  if (stateOf(task) === 'completed') return 100
  const share = ((task.endedAt ?? Date.now()) - task.startsAt) / Math.max(1, task.finishesAt - task.startsAt)
  return Math.max(0, Math.min(99, Math.round(share * 100)))
}

/** 422: refused for its content. */
export type Refusal = 400 | 401 | 404 | 422 | 500 | 503

type Fields = Record<string, unknown>
/** How a provider spells requests, responses and callbacks. */
export type WireFormat = {
  /** Whether a repeated `Idempotency-Key` finds the task of the first. */
  isIdempotent: boolean
  submitPath: string
  /** Has `taskId` as a parameter of the path or of the query. */
  pollPath: string
  /** @returns the fields of a submitted video by their names at provider-a, not yet validated, and `callbackUrl` */
  readSubmit: (body: Fields) => Fields
  accepted: (task: Task, filmUrl: string) => object
  polled: (task: Task, filmUrl: string) => object
  refuse: (c: Call, status: Refusal, message: string) => Response
  /** The body of a callback. `error`: the reason of a failure, null for a film. */
  callback: (task: Task, error: string | null, filmUrl: string) => object
  /** Headers that sign a callback, where the provider does so. */
  signature?: (taskId: string, key: string) => Record<string, string>
}

/** One submit of a video at either provider, also one that was refused. */
type Attempt = { id: string; createdAt: number; video: string }

const DURATION_S_MAX = 60
const PROMPT_CHARACTERS_MAX = 10_000
/** How many submits `[down]` without a number rejects. */
const DOWN_SUBMITS = 3
const WAITING_MS = 500
const GENERATING_MS = { min: 3_000, spread: 2_000 }
/** Delays before further attempts of a callback; then the provider gives up. */
const RETRY_AFTER_S = [1, 2, 4]
const garbage = ['{"taskId":"', '{"status":"completed"}', '[]', '{"code":200,"data":null}', 'upstream connect error']

export function openProviders(context: Context, films: Films, formats: Record<ProviderName, WireFormat>) {
  const { settings, baseUrl, log } = context
  const { dataDir, webhookKey } = settings
  const { all, save } = openRecords<Task>(path.join(dataDir, 'tasks'), films.remove)
  const attempts = openRecords<Attempt>(path.join(dataDir, 'attempts'))
  const submitsOf = (name: string): number => [...attempts.all.values()].filter(({ video }) => video === name).length

  /** Generates, and then calls back; a task that was read back carries on. Resolves after the first attempt of each callback. */
  async function run(task: Task): Promise<void> {
    const sentinels = readSentinels(task.request.prompt)
    if (task.endedAt === null) {
      if (sentinels.has('silent')) return
      const rendered = films.render(task.id, task.request, sentinels).then(
        () => null,
        (error: Error) => `The simulator could not render this film: ${error.message}.`,
      )
      await sleep(Math.min(SLEEP_MS_MAX, Math.max(0, task.finishesAt - Date.now())))
      const error = sentinels.has('fail') ? sentinels.get('fail') || 'The generation failed.' : await rendered
      save(Object.assign(task, { error, outbox: task.callbackUrl ? callbacksOf(sentinels) : [], endedAt: Date.now() }))
      log(`${task.provider} ${task.id} ${stateOf(task)}`)
    }
    await deliver(task.outbox, {
      context,
      retryAfterS: RETRY_AFTER_S,
      write: (callback) => {
        const { provider, id, error, callbackUrl: url, outbox } = task
        const { kind } = callback
        const opposite = error === null ? 'The result was withdrawn.' : null
        const result = formats[provider].callback(task, kind === 'opposite' ? opposite : error, filmUrl(task))
        const body = kind === 'garbage' ? garbage[outbox.indexOf(callback)] : JSON.stringify(result)
        const signature = (webhookKey && formats[provider].signature?.(id, webhookKey)) || {}
        // The callback's URL carries a signature and appears in no log.
        return { label: `${provider} ${id} called back (${kind})`, url, body: body ?? '', signature }
      },
      isReceived: (status, { kind }) => kind === 'garbage' || (status !== null && status >= 200 && status < 300),
      save: () => save(task),
    })
  }

  const filmUrl = (task: Task): string => `${baseUrl()}/films/${task.id}.mp4`

  const tasks = { all, save, run, filmUrl, submitsOf, addAttempt: attempts.save }
  return {
    routes: (provider: ProviderName) => routesOf(context, tasks, provider, formats[provider]),
    promptOf: (id: string) => all.get(id)?.request.prompt,
    resume: () => all.forEach(run),
    list: () => [...all.values()].map((task) => viewOf(task, submitsOf(task.video))),
  }
}

/** What the routes of both providers share. */
type Tasks = {
  all: ReadonlyMap<string, Task>
  save: (task: Task) => void
  run: (task: Task) => Promise<void>
  filmUrl: (task: Task) => string
  submitsOf: (video: string) => number
  addAttempt: (attempt: Attempt) => void
}

/** The API of a provider: a submit is validated, rejected or refused by a sentinel, or stored as a task before the response. */
function routesOf({ settings, log }: Context, tasks: Tasks, provider: ProviderName, format: WireFormat): Hono {
  const apiKey = settings.apiKeys[provider]
  const { refuse } = format
  const app = new Hono()
  app.onError((error, c) => refuse(c, error instanceof SyntaxError ? 400 : 500, error.message))
  app.use(async (c, next) => {
    if (!apiKey || c.req.header('authorization') === `Bearer ${apiKey}`) return next()
    return refuse(c, 401, 'The API key is missing or wrong.')
  })

  app.post(format.submitPath, async (c) => {
    const submit = format.readSubmit((await c.req.json()) ?? {})
    const request = readRequest(submit)
    if (typeof request === 'string') return refuse(c, 400, request)
    const sentinels = readSentinels(request.prompt)
    const idempotencyKey = (format.isIdempotent && c.req.header('idempotency-key')) || null
    const callbackUrl = URL.parse(String(submit.callbackUrl))
    // Only the callback's `ref` names a video alike at both providers.
    const video = callbackUrl?.searchParams.get('ref') ?? idempotencyKey ?? `prompt ${request.prompt}`
    const submitsBefore = tasks.submitsOf(video)
    tasks.addAttempt({ id: randomUUID(), createdAt: Date.now(), video })
    const down = sentinels.get('down')
    const downSubmits = down === undefined ? 0 : /^\d+$/.test(down) ? Number(down) : DOWN_SUBMITS
    if (submitsBefore < downSubmits) return refuse(c, 503, 'Try again later.')
    if (sentinels.has('refuse')) {
      return refuse(c, 422, sentinels.get('refuse') || 'The prompt was refused for its content.')
    }
    if (sentinels.has('ok-error')) {
      return c.json({
        error: { code: 'generation_failed', message: sentinels.get('ok-error') || 'Something went wrong.' },
      })
    }
    const earlier = [...tasks.all.values()].find((each) => idempotencyKey && each.idempotencyKey === idempotencyKey)
    const submitted = { provider, video, idempotencyKey, request, callbackUrl: callbackUrl?.href ?? null }
    const isEarly = sentinels.has('early')
    const task = earlier ?? newTask(submitted, isEarly ? 0 : settings.pace, slowMs(sentinels))
    if (!earlier) {
      tasks.save(task)
      const { model, durationS, quality, aspectRatio } = request
      log(`${provider} ${task.id} accepted: ${model}, ${durationS} s, ${quality}, ${aspectRatio}`)
      const calledBack = tasks.run(task)
      // Only then: an await would let the first film's renderer load before the response, which takes 0.1 s.
      if (isEarly) await calledBack
    }
    if (sentinels.has('hang')) return new Promise<never>(() => {})
    if (sentinels.has('vague')) return refuse(c, 500, 'Something went wrong.')
    return c.json(format.accepted(task, tasks.filmUrl(task)))
  })

  app.get(format.pollPath, (c) => {
    const task = tasks.all.get(c.req.param('taskId') ?? c.req.query('taskId') ?? '')
    if (task?.provider !== provider) return refuse(c, 404, 'There is no such task.')
    return c.json(format.polled(task, tasks.filmUrl(task)))
  })
  return app
}

/** A task as the page of tasks shows it. */
function viewOf(task: Task, submits: number) {
  const { request, outbox, ...own } = task
  return {
    ...own,
    ...request,
    taskId: task.id,
    acceptedAt: task.createdAt,
    submits,
    state: stateOf(task),
    progress: progressOf(task),
    // The query of a callback URL carries a signature.
    callbackUrl: task.callbackUrl?.split('?')[0] ?? null,
    callbacks: outbox.flatMap(({ kind, deliveries }) => deliveries.map((each) => ({ ...each, kind }))),
    callbacksLeft: outbox.filter(({ state }) => state === 'waiting').length,
  }
}

function newTask(submitted: Submitted, pace: number, slowMs: number | null): Task {
  const createdAt = Date.now()
  const startsAt = createdAt + WAITING_MS * pace
  const generatingMs = slowMs ?? (GENERATING_MS.min + Math.random() * GENERATING_MS.spread) * pace
  const finishesAt = Math.round(startsAt + generatingMs)
  const id = `task-${randomUUID()}`
  return { id, ...submitted, createdAt, startsAt, finishesAt, endedAt: null, error: null, outbox: [] }
}

function callbacksOf(sentinels: Sentinels): Callback[] {
  if (sentinels.has('lost')) return []
  const kinds: Callback['kind'][] = sentinels.has('garbage') ? garbage.map(() => 'garbage') : []
  kinds.push('result')
  if (sentinels.has('twice')) kinds.push('result')
  if (sentinels.has('contradict')) kinds.push('opposite')
  return kinds.map((kind) => ({ kind, state: 'waiting', deliveries: [] }))
}

/** @returns the request, or what is wrong with it */
function readRequest(submit: Fields): FilmRequest | string {
  const { model, prompt, duration, aspect_ratio, quality: wanted = '720p', image_urls: imageUrls = [] } = submit
  if (typeof model !== 'string' || !model) return 'model is missing.'
  if (typeof prompt !== 'string' || !prompt.trim()) return 'prompt is missing.'
  if (prompt.length > PROMPT_CHARACTERS_MAX) return `prompt is over ${PROMPT_CHARACTERS_MAX} characters.`
  const durationS = Number(duration)
  if (!(durationS >= 1 && durationS <= DURATION_S_MAX)) return `duration must be 1 to ${DURATION_S_MAX} seconds.`
  const [aspectRatio, quality] = [String(aspect_ratio), String(wanted)]
  const size = filmSize(aspectRatio, quality)
  if (!size) return `aspect_ratio ${aspectRatio} in quality ${quality} is not on offer.`
  const imageUrl: unknown = Array.isArray(imageUrls) ? (imageUrls[0] ?? null) : 'no list'
  if (imageUrl !== null && (typeof imageUrl !== 'string' || !/^https?:/.test(imageUrl))) {
    return 'image_urls must be a list of http(s) addresses.'
  }
  return { prompt, model, aspectRatio, quality, ...size, durationS, imageUrl }
}

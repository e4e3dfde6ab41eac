/**
 * The tasks of all providers: one record per task, and one per submit, also of those that were refused. What a vendor's
 * protocol looks like stands in its dialect. Every change is on disk before it is acted on or returned, so that a
 * process killed at any instruction carries on from there.
 */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context as Call, Hono } from 'hono'
import { deliver, SLEEP_MS_MAX } from './deliveries.ts'
import {
  type Callback,
  type Dialect,
  loadDialect,
  progressOf,
  type Refusal,
  stateOf,
  type Task,
  type Tasks,
} from './dialect.ts'
import { readRequest, type Wanted } from './film-request.ts'
import type { Films } from './films.ts'
import { publishedBy } from './published.ts'
import { openRecords } from './records.ts'
import { delayMs, readSentinels, type Sentinels } from './sentinels.ts'
import type { Context } from './settings.ts'

type Submitted = Pick<Task, 'provider' | 'video' | 'idempotencyKey' | 'reference' | 'extra' | 'request' | 'callbackUrl'>

/** One submit of a video at any provider, also one that was refused. */
type Attempt = { id: string; createdAt: number; video: string }

/** How many submits `[down]` without a number rejects. */
const DOWN_SUBMITS = 3
const WAITING_MS = 500
/** Of an input: a link whole, the start of a data URI. */
const URL_CHARACTERS_SHOWN = 2000
const GENERATING_MS = { min: 3_000, spread: 2_000 }
/** Delays before further attempts of a callback; then the provider gives up. */
const RETRY_AFTER_S = [1, 2, 4]
const garbage = ['{"taskId":"', '{"status":"completed"}', '[]', '{"code":200,"data":null}', 'upstream connect error']
/** The key that no provider takes, so that a wrong one can be tried at all of them. */
const WRONG_KEY = 'wrong'

export type Store = ReturnType<typeof openTasks>

export function openTasks(context: Context, films: Films) {
  const { settings, baseUrl } = context
  const { all, save } = openRecords<Task>(path.join(settings.dataDir, 'tasks'), films.remove)
  const attempts = openRecords<Attempt>(path.join(settings.dataDir, 'attempts'))
  const loaded = new Map<string, Promise<Dialect | null>>()
  const submitsOf = (name: string): number => [...attempts.all.values()].filter(({ video }) => video === name).length
  const engine: Engine = {
    context,
    films,
    all,
    save,
    submitsOf,
    addAttempt: attempts.save,
    dialectOf: (name) => {
      const dialect = loaded.get(name) ?? loadDialect(name)
      loaded.set(name, dialect)
      return dialect
    },
    filmUrl: ({ id, request, polls }) => {
      const isExpired = readSentinels(request.prompt).has('expired-link') && polls < 2
      return `${baseUrl()}/films/${isExpired ? 'expired-' : ''}${id}.mp4`
    },
  }
  return {
    /** The routes of `/<provider>/…`; null when there is no such provider. */
    route: async (provider: string): Promise<Hono | null> => {
      const dialect = await engine.dialectOf(provider)
      return dialect ? routesOf(engine, provider, dialect) : null
    },
    promptOf: (id: string) => all.get(id)?.request.prompt,
    resume: () => {
      for (const task of all.values()) run(engine, task)
    },
    list: () => [...all.values()].map((task) => viewOf(task, submitsOf(task.video))),
  }
}

type Engine = {
  context: Context
  films: Films
  all: ReadonlyMap<string, Task>
  save: (task: Task) => void
  submitsOf: (video: string) => number
  addAttempt: (attempt: Attempt) => void
  dialectOf: (name: string) => Promise<Dialect | null>
  filmUrl: (task: Task) => string
}

/** Generates, then calls back; a restored task carries on. Resolves after the first attempt of each callback. */
async function run(engine: Engine, task: Task): Promise<void> {
  const { context, films, save, filmUrl } = engine
  const sentinels = readSentinels(task.request.prompt)
  const dialect = await engine.dialectOf(task.provider)
  if (task.endedAt === null) {
    if (sentinels.has('silent')) return
    const rendered = films.render(task.id, task.request, sentinels).then(
      (request) => {
        // A cancelled task is on disk already.
        task.request = request
        return null
      },
      (error: Error) => `The simulator could not render this film: ${error.message}.`,
    )
    // A timer may fire a millisecond early.
    for (let leftMs = task.finishesAt - Date.now(); leftMs > 0; leftMs = task.finishesAt - Date.now())
      await sleep(Math.min(SLEEP_MS_MAX, leftMs))
    const error = sentinels.has('fail') ? sentinels.get('fail') || 'The generation failed.' : await rendered
    // Cancelled in the meantime.
    if (task.endedAt !== null) return
    const outbox = task.callbackUrl && dialect?.callback ? callbacksOf(sentinels) : []
    save(Object.assign(task, { error, outbox, endedAt: Date.now() }))
    context.log(`${task.provider} ${task.id} ${stateOf(task)}`)
  }
  await deliver(task.outbox, {
    context,
    retryAfterS: RETRY_AFTER_S,
    write: (callback) => {
      const { provider, id, error, callbackUrl: url, outbox } = task
      const { kind } = callback
      const opposite = error === null ? 'The result was withdrawn.' : null
      const result = dialect?.callback?.(task, kind === 'opposite' ? opposite : error, filmUrl(task))
      const body = (kind === 'garbage' ? garbage[outbox.indexOf(callback)] : JSON.stringify(result)) ?? ''
      const signature = dialect?.sign?.(body, task, context.settings.webhookKeys(provider)) ?? {}
      // The callback's URL carries a signature and appears in no log.
      return { label: `${provider} ${id} called back (${kind})`, url, body, signature }
    },
    isReceived: (status, { kind }) => kind === 'garbage' || (status !== null && status >= 200 && status < 300),
    save: () => save(task),
  })
}

/** The API of a provider. */
function routesOf(engine: Engine, provider: string, dialect: Dialect): Hono {
  const [app, open, guarded] = [new Hono(), new Hono(), new Hono()]
  const { refuse, keyOf = bearerOf } = dialect
  const apiKey = engine.context.settings.apiKeys(provider)
  const find = (id: string | undefined): Task | null => {
    const task = engine.all.get(id ?? '')
    return task?.provider === provider && !task.isRemoved ? task : null
  }
  const tasks: Tasks = {
    find,
    list: () => [...engine.all.values()].filter((task) => task.provider === provider && !task.isRemoved),
    models: () => publishedBy(provider),
    filmUrl: engine.filmUrl,
    filmBytes: ({ id }) => readFile(path.join(engine.films.dir, `${id}.mp4`)),
    address: () => `${engine.context.baseUrl()}/${provider}`,
    submit: (c, wanted, respond) => submit(engine, c, { provider, dialect, wanted, respond }),
    poll: async (c, id, respond) => {
      const task = find(id)
      const isThere = task && !readSentinels(task.request.prompt).has('forgotten')
      if (!isThere) return refuse(c, 404, 'There is no such task.')
      task.polls += 1
      const response = await respond(task)
      return response instanceof Response ? response : c.json(response)
    },
    cancel: (task) => {
      if (task.endedAt !== null || readSentinels(task.request.prompt).has('too-late')) return false
      engine.save(Object.assign(task, { error: 'The task was cancelled.', isCancelled: true, endedAt: Date.now() }))
      return true
    },
    remove: (task) => engine.save(Object.assign(task, { isRemoved: true })),
  }
  app.onError((error, c) => refuse(c, error instanceof SyntaxError ? 400 : 500, error.message))
  dialect.routes(guarded, tasks, open)
  app.route('/', open)
  app.use(async (c, next) => {
    const key = keyOf(c)
    if (apiKey ? key === apiKey : key !== WRONG_KEY) return next()
    return refuse(c, 401, 'The API key is missing or wrong.')
  })
  app.route('/', guarded)
  return app
}

type Submit = { provider: string; dialect: Dialect; wanted: Wanted; respond: (task: Task) => object | Response }

async function submit(engine: Engine, c: Call, { provider, dialect, wanted, respond }: Submit): Promise<Response> {
  const { refuse } = dialect
  if (wanted.problem) return refuse(c, 400, wanted.problem.message, wanted.problem.path)
  const request = readRequest(wanted)
  if (typeof request === 'string') return refuse(c, 400, request)
  const sentinels = readSentinels(request.prompt)
  const { reference = null, idempotencyKey = null, extra = {} } = wanted
  const callbackUrl = URL.parse(String(wanted.callbackUrl))
  // Only the callback's `ref` names a video alike at all providers.
  const video = callbackUrl?.searchParams.get('ref') ?? idempotencyKey ?? reference ?? `prompt ${request.prompt}`
  const submitsBefore = engine.submitsOf(video)
  engine.addAttempt({ id: randomUUID(), createdAt: Date.now(), video })
  const rejected = rejection(sentinels, submitsBefore)
  if (rejected) return refuse(c, ...rejected)
  if (sentinels.has('ok-error')) {
    const message = sentinels.get('ok-error') || 'Something went wrong.'
    return c.json({ error: { code: 'generation_failed', message } })
  }
  const isCallable = callbackUrl === null || !dialect.challenge || (await dialect.challenge(callbackUrl.href))
  const url = isCallable ? (callbackUrl?.href ?? null) : null
  const earlier = [...engine.all.values()].find((each) => idempotencyKey && each.idempotencyKey === idempotencyKey)
  const submitted = { provider, video, idempotencyKey, reference, extra, request, callbackUrl: url }
  const isEarly = sentinels.has('early')
  const task = earlier ?? newTask(submitted, isEarly ? 0 : engine.context.settings.pace, sentinels)
  if (!earlier) {
    engine.save(task)
    const { model, durationS, quality, aspectRatio } = request
    engine.context.log(`${provider} ${task.id} accepted: ${model}, ${durationS} s, ${quality}, ${aspectRatio}`)
    const calledBack = run(engine, task)
    // Only then: an await would let the first film's renderer load before the response, which takes 0.1 s.
    if (isEarly || wanted.isSynchronous) await calledBack
  }
  // A submit that is repeated with its key is answered.
  const hangs = !earlier && sentinels.has('hang')
  if (hangs || (wanted.isSynchronous && task.endedAt === null)) return new Promise<never>(() => {})
  if (!earlier && sentinels.has('vague')) return refuse(c, 500, 'Something went wrong.')
  const response = respond(task)
  return response instanceof Response ? response : c.json(response)
}

const bearerOf = (c: Call): string | undefined => /^Bearer (.*)$/.exec(c.req.header('authorization') ?? '')?.[1]

/** How a sentinel rejects a submit. */
function rejection(sentinels: Sentinels, submitsBefore: number): [Refusal, string] | null {
  const down = sentinels.get('down')
  const downSubmits = down === undefined ? 0 : /^\d+$/.test(down) ? Number(down) : DOWN_SUBMITS
  if (submitsBefore < downSubmits) return [503, 'Try again later.']
  const limited = sentinels.has('rate-limit') && submitsBefore < 1
  if (limited) return [429, 'Too many requests.']
  for (const [name, refusal, message] of [
    ['balance', 402, 'The balance is not sufficient.'],
    ['bad-parameters', 400, 'The duration must be one of 5, 10.'],
    ['refuse', 422, 'The prompt was refused for its content.'],
  ] as const) {
    if (sentinels.has(name)) return [refusal, sentinels.get(name) || message]
  }
  return null
}

/** A task as the page of tasks shows it. */
function viewOf(task: Task, submits: number) {
  const { request, outbox, ...own } = task
  return {
    ...own,
    ...request,
    inputs: request.inputs.map((input) => ({ ...input, url: input.url.slice(0, URL_CHARACTERS_SHOWN) })),
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

function newTask(submitted: Submitted, pace: number, sentinels: Sentinels): Task {
  const createdAt = Date.now()
  const startsAt = createdAt + (delayMs(sentinels, 'queued') ?? WAITING_MS * pace)
  const generatingMs = delayMs(sentinels, 'slow') ?? (GENERATING_MS.min + Math.random() * GENERATING_MS.spread) * pace
  const finishesAt = Math.round(startsAt + generatingMs)
  const id = `task-${randomUUID()}`
  const ended = { endedAt: null, error: null, isCancelled: false, isRemoved: false, polls: 0, outbox: [] }
  return { id, ...submitted, createdAt, startsAt, finishesAt, ...ended }
}

function callbacksOf(sentinels: Sentinels): Callback[] {
  if (sentinels.has('lost')) return []
  const kinds: Callback['kind'][] = sentinels.has('garbage') ? garbage.map(() => 'garbage') : []
  kinds.push('result')
  if (sentinels.has('twice')) kinds.push('result')
  if (sentinels.has('contradict')) kinds.push('opposite')
  return kinds.map((kind) => ({ kind, state: 'waiting', deliveries: [] }))
}

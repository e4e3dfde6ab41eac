/**
 * The AI providers as the network shows them: they accept tasks, take their time, call back, answer polls, and serve
 * films. Some lie: they take a task and say that they did not, repeat ids, contradict themselves, or report links that
 * lead to no film.
 */

import { type Context as Call, Hono } from 'hono'
import { type Dialect, loadDialect, progressOf, type Task as Spelled, type Tasks } from '../../simulator/src/dialect.ts'
import { readRequest } from '../../simulator/src/film-request.ts'
import { vendorAccounts } from '../vendors.ts'
import type { FaultInjector } from './fault-injector.ts'
import { currentProcess, type Process, type Scheduler } from './scheduler.ts'
import type { Request, Response } from './services.ts'
import { short } from './statement.ts'
import type { Film, FilmAt } from './storage.ts'

/** A task, as the dialects of the simulator spell it. */
export type Task = Spelled & {
  videoId: string
  isFailing: boolean
  /** It lied about this task: what follows from that is not the service's fault. */
  isHonest: boolean
  links: string[]
}
/** `isPaid`: a task was created, and the provider did not claim the opposite. */
export type Submit = { videoId: string; atMs: number; isPaid: boolean; task: Task | null }

export type Providers = {
  tasks: Task[]
  submits: Submit[]
  host: (request: Request) => Promise<Response>
  filmAt: FilmAt
  /** Keys that were sent to another host than their provider's. */
  leaks: string[]
  /** Reports of callbacks that the service has answered with 200, with the time. */
  received: { task: Task; kind: 'completed' | 'failed'; atMs: number }[]
  /** Callbacks that are still to be sent. */
  pending: () => number
}

type Result = 'running' | 'completed' | 'failed'
type Notify = (request: {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}) => Promise<{ status: number } | null>

/** What submits carry besides, because not every protocol names the video. */
export const VIDEO_HEADER = 'x-simulated-video'
/** Tells this network how long the provider works before it responds. */
const DELAY_HEADER = 'x-simulated-delay-ms'
export const webhookKeys = {
  kling: `whsec_${Buffer.from('simulated webhook key of kling').toString('base64')}`,
  openrouter: 'simulated webhook key of openrouter',
}
/** These callbacks only ask for a poll, so that a 200 promises nothing. */
const HINTS = ['vercel']
const FAILURE = 'The scene could not be rendered.'
const CALLBACK_TRIES = 5
const CALLBACK_PAUSE_MS = 8_000
/** A task that takes longer never ends in a run. */
const ENDLESS_MS = 10 * 86_400_000
/** How often a provider that was asked to stop, and has not promised to, finishes all the same. */
const UNHEEDED_CANCELS = 0.3

const dialects = new Map<string, Dialect>()
for (const name of ['provider-a', 'provider-b', ...vendorAccounts]) {
  const dialect = await loadDialect(name)
  if (dialect) dialects.set(name, dialect)
}
/** The dialects read the clock; that of the providers is right. */
const vendors: Process = { name: 'vendors', kind: 'api', isAlive: true, pausedUntilMs: 0, skewMs: 0, files: new Map() }

export function openProviders(scheduler: Scheduler, injector: FaultInjector, notify: Notify): Providers {
  const tasks: Task[] = []
  const submits: Submit[] = []
  const films = openFilms(scheduler.random, tasks)
  const callbacks = openCallbacks(scheduler, injector, notify, films.link)
  const world: World = { scheduler, injector, tasks, submits, byKey: new Map(), link: films.link, callbacks }
  const apis = new Map<string, Hono>()
  /** The refusals by request: with an Idempotency-Key both copies of a request have one answer. */
  const refused = new WeakMap<Request, Response>()

  const host = async (request: Request): Promise<Response> => {
    const known = refused.get(request)
    if (known) return known
    const { method, url, headers, body } = request
    const provider = providerOf(url)
    const api = apis.get(provider) ?? apiOf(world, provider)
    apis.set(provider, api)
    const init = { method, headers, ...(body ? { body } : {}) }
    const answer = await currentProcess.run(vendors, async () => api.fetch(new globalThis.Request(url, init)))
    const text = await answer.text()
    const delayMs = Number(answer.headers.get(DELAY_HEADER) ?? 0)
    const response = {
      status: answer.status,
      headers: Object.fromEntries(answer.headers),
      body: text === '' ? null : (JSON.parse(text) as unknown),
      delayMs,
    }
    if (method !== 'GET' && response.status >= 400) refused.set(request, response)
    return response
  }
  const { received, pending } = callbacks
  return { tasks, submits, host, filmAt: films.at, leaks: films.leaks, received, pending }
}

type World = {
  scheduler: Scheduler
  injector: FaultInjector
  tasks: Task[]
  submits: Submit[]
  /** The task of each Idempotency-Key. */
  byKey: Map<string, Task>
  link: Link
  callbacks: ReturnType<typeof openCallbacks>
}

/** The API of a provider, in the simulator's dialect of it. */
function apiOf(world: World, provider: string): Hono {
  const { scheduler, injector, tasks } = world
  const { random } = scheduler
  const dialect = dialectOf(provider)
  const own = () => tasks.filter((task) => task.provider === provider && !task.isRemoved)
  const find = (id: string | undefined) => own().find((task) => task.id === id) ?? null
  const seen = (task: Task): Task => asEnded(task, scheduler.nowMs())
  const [guarded, open] = [new Hono(), new Hono()]
  dialect.routes(
    guarded,
    {
      submit: (c, wanted, respond) => submit(world, { c, provider, dialect, wanted, respond }),
      poll: async (c, id, respond) => {
        const task = find(id)
        if (!task) return dialect.refuse(c, 404, 'There is no such task.')
        const isLie = !task.isHonest && injector.injects('provider lies')
        const shown = isLie ? ended(task, random.chance(0.5) ? FAILURE : null, scheduler.nowMs()) : seen(task)
        const isWithoutLink = shown.endedAt !== null && shown.error === null && task.links.length === 0
        return answer(c, await respond(isWithoutLink ? { ...shown, error: FAILURE } : shown))
      },
      find: (id) => {
        const task = find(id)
        return task && seen(task)
      },
      list: () => own().map(seen),
      models: () => [],
      cancel: ({ id }) => {
        const task = find(id)
        if (!task || seen(task).endedAt !== null) return false
        if (provider === 'fal' && random.chance(UNHEEDED_CANCELS)) return true
        scheduler.trace(provider, `cancels ${id}`)
        Object.assign(task, { isCancelled: true, error: 'The task was cancelled.', endedAt: scheduler.nowMs() })
        return true
      },
      remove: ({ id }) => Object.assign(find(id) ?? {}, { isRemoved: true }),
      filmUrl: (task) => (task as Task).links.at(-1) ?? '',
      filmBytes: () => Promise.reject(new Error('films of the simulation have no bytes')),
      address: () => `http://${provider}.example`,
    },
    open,
  )
  if (provider === 'provider-b') {
    guarded.get('/find/:video', (c) => {
      const found = own().filter(({ videoId }) => videoId === c.req.param('video'))
      return c.json({ taskIds: found.map(({ id }) => id) })
    })
  }
  return new Hono().route('/', open).route('/', guarded)
}

type Submission = {
  c: Call
  provider: string
  dialect: Dialect
  wanted: Parameters<Tasks['submit']>[1]
  respond: Parameters<Tasks['submit']>[2]
}

async function submit(
  world: World,
  { c, provider, dialect, wanted, respond }: Submission,
): Promise<globalThis.Response> {
  const { scheduler, injector, tasks, submits, byKey } = world
  const { random } = scheduler
  const request = readRequest(wanted)
  if (typeof request === 'string') throw new Error(`a route of the proofs asks ${provider} for no film: ${request}`)
  const videoId = c.req.header(VIDEO_HEADER) ?? ''
  const { idempotencyKey = null, reference = null, extra = {} } = wanted
  const known = byKey.get(`${provider} ${idempotencyKey}`)
  if (known) return answer(c, respond(known))
  const entry: Submit = { videoId, atMs: scheduler.nowMs(), isPaid: false, task: null }
  submits.push(entry)
  if (injector.injects('provider busy')) {
    c.header('retry-after', String(random.int(1, 20)))
    return dialect.refuse(c, random.pick([429, 503]), 'Busy.')
  }
  if (injector.injects('provider refuses')) return dialect.refuse(c, random.pick([400, 422, 401, 500]), 'No.')
  const lie = injector.injects('provider lies')
    ? random.pick(['busy', 'error', 'no id', 'id of another'] as const)
    : null
  const id = lie === 'id of another' && tasks.length > 0 ? random.pick(tasks).id : `task-${random.uuid().slice(0, 12)}`
  const now = scheduler.nowMs()
  const task: Task = {
    ...{ id, provider, videoId, video: videoId, idempotencyKey, reference, extra, request },
    callbackUrl: typeof wanted.callbackUrl === 'string' ? wanted.callbackUrl : null,
    ...{ createdAt: now, startsAt: now, finishesAt: now + durationMs(random), endedAt: null, error: null },
    ...{ isCancelled: false, isRemoved: false, polls: 0, outbox: [], links: [] },
    isFailing: injector.injects('provider fails'),
    isHonest: lie === null,
  }
  tasks.push(task)
  entry.task = task
  entry.isPaid = lie !== 'busy'
  if (idempotencyKey) byKey.set(`${provider} ${idempotencyKey}`, task)
  scheduler.trace(provider, `takes ${short(videoId)} as ${id}${lie ? `, and lies: ${lie}` : ''}`)
  const isLying = injector.injects('provider lies')
  if (isLying) task.isHonest = false
  if (!task.isFailing)
    world.link(task, isLying && random.chance(0.5) ? random.pick([404, 500, { isFilm: false }] as const) : {})
  if (dialect.callback && task.callbackUrl) world.callbacks.schedule(task, isLying)
  if (lie === 'busy') return dialect.refuse(c, 503, 'Busy.')
  if (lie === 'error') return dialect.refuse(c, 500, 'Something went wrong.')
  if (lie === 'no id') return c.json({ code: 200, data: {} })
  if (!wanted.isSynchronous) return answer(c, respond(task))
  c.header(DELAY_HEADER, String(task.finishesAt - now))
  return answer(c, respond(asEnded(task, task.finishesAt)))
}

const answer = (c: Call, response: object): globalThis.Response =>
  response instanceof globalThis.Response ? response : c.json(response)

const ended = (task: Task, error: string | null, endedAt: number): Task => ({ ...task, error, endedAt })

/** The task with its end, when it has come. */
function asEnded(task: Task, nowMs: number): Task {
  if (task.endedAt !== null || nowMs < task.finishesAt) return task
  return ended(task, task.isFailing ? FAILURE : null, task.finishesAt)
}

/** The duration of a task: some take longer than a deadline, some never end. */
function durationMs(random: Scheduler['random']): number {
  if (!random.chance(0.03)) return random.between(500, 25_000)
  return random.chance(0.5) ? random.between(500, 2_000_000) : ENDLESS_MS
}

type Link = (task: Task, film: Partial<Film> | number) => void

/** The films by their links, or the status that a link leads to instead. Some providers open them by our key alone. */
function openFilms(random: Scheduler['random'], tasks: Task[]) {
  const films = new Map<string, Film | number>()
  const leaks: string[] = []
  const link: Link = (task, film) => {
    const url = `https://films.example/${task.id}/${task.links.length}.mp4?signature=s`
    task.links.push(url)
    films.set(
      url,
      typeof film === 'number' ? film : { taskId: task.id, isFilm: true, size: random.int(1000, 100_000), ...film },
    )
  }
  const at: FilmAt = (url, headers = {}) => {
    const provider = providerOf(new URL(url))
    if (provider === 'films') {
      if (Object.keys(headers).length > 0) leaks.push(`the headers ${Object.keys(headers)} were sent to ${url}`)
      return films.get(url) ?? 404
    }
    if (headers.authorization !== `Bearer key-${provider}`) return 401
    const task = tasks.find((each) => each.provider === provider && url.includes(each.id))
    return films.get(task?.links.at(-1) ?? '') ?? 404
  }
  return { link, at, leaks }
}

/** The callbacks of tasks, each of which may be dropped, late, cut or sent again. */
function openCallbacks(scheduler: Scheduler, injector: FaultInjector, notify: Notify, link: Link) {
  const { random } = scheduler
  const received: Providers['received'] = []
  let pending = 0

  /** The callbacks of a task: progress, the result, and after a lie more than that. */
  const schedule = (task: Task, isLying: boolean) => {
    if (random.chance(0.3) && bodyOf(task, 'running') !== null) sendLater(task, random.between(100, 20_000), 'running')
    const delayMs = task.finishesAt - scheduler.nowMs()
    if (delayMs >= ENDLESS_MS) return
    sendLater(task, delayMs, task.isFailing ? 'failed' : 'completed')
    if (!isLying) return
    if (random.chance(0.5)) sendLater(task, delayMs + random.between(-2_000, 4_000), 'failed')
    if (random.chance(0.5)) {
      link(task, {})
      sendLater(task, delayMs + random.between(-2_000, 4_000), 'completed')
    }
    if (random.chance(0.3)) sendLater({ ...task, id: 'unknown-task' }, delayMs - 100, 'failed')
  }

  const sendLater = (task: Task, delayMs: number, result: Result, tries = 1) => {
    pending++
    scheduler.after(delayMs, null, async () => {
      pending--
      if (injector.injects('callback dropped')) {
        scheduler.trace(task.provider, `drops the callback of ${task.id}`)
        return
      }
      const lateMs = injector.injects('callback late') ? random.between(1_000, 300_000) : 0
      pending++
      scheduler.after(lateMs, null, () => {
        send(task, result, tries).finally(() => {
          pending--
        })
      })
    })
  }
  const send = async (task: Task, planned: Result, tries: number) => {
    const result = task.isCancelled && planned === 'completed' ? 'failed' : planned
    const [text = '', headers = {}] = currentProcess.run(vendors, () => written(task, result))
    const isCut = injector.injects('body cut')
    const { pathname, search } = new URL(task.callbackUrl ?? '')
    const response = await notify({
      method: 'POST',
      path: pathname + search,
      headers: { 'content-type': 'application/json', ...headers },
      body: isCut ? text.slice(0, text.length >> 1) : text,
    })
    scheduler.trace(
      task.provider,
      `callback ${task.id} ${result}${isCut ? ', cut' : ''} → ${response?.status ?? 'no response'}`,
    )
    const isReport = result !== 'running' && !isCut && !HINTS.includes(task.provider)
    if (response?.status === 200 && isReport) received.push({ task, kind: result, atMs: scheduler.nowMs() })
    const isFinal = response !== null && (response.status === 200 || response.status === 409 || response.status === 404)
    if (!isFinal && tries < CALLBACK_TRIES) sendLater(task, CALLBACK_PAUSE_MS * 2 ** tries, result, tries + 1)
  }
  return { schedule, received, pending: () => pending }
}

/** The body of a callback, and the headers that sign it. */
function written(task: Task, result: Result): [string, Record<string, string>] {
  const body = JSON.stringify(bodyOf(task, result))
  const key = task.provider in webhookKeys ? webhookKeys[task.provider as keyof typeof webhookKeys] : null
  return [body, dialectOf(task.provider).sign?.(body, task, key) ?? {}]
}

/** Null: the simulator's dialect calls back at the end alone. */
function bodyOf(task: Task, result: Result): object | null {
  const { provider, id: taskId } = task
  if (result !== 'running') {
    const error = result === 'failed' ? (task.error ?? FAILURE) : null
    return dialectOf(provider).callback?.(ended(task, error, task.finishesAt), error, task.links.at(-1) ?? '') ?? null
  }
  if (provider === 'provider-a') return { taskId, status: 'processing', progress: progressOf(task) }
  if (provider === 'provider-b') return { code: 200, data: { taskId, state: 'generating', progress: progressOf(task) } }
  return null
}

function dialectOf(provider: string): Dialect {
  const dialect = dialects.get(provider)
  if (!dialect) throw new Error(`there is no dialect of ${provider}`)
  return dialect
}

const providerOf = ({ host }: URL): string => host.split('.')[0] ?? ''

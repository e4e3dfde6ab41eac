/**
 * The AI providers as the network shows them: they accept tasks, take their time, call back, answer polls, and serve films. Some lie:
 * they take a task and say that they did not, repeat ids, contradict themselves, or report links that lead to no film.
 */

import type { FaultInjector } from './fault-injector.ts'
import type { Scheduler } from './scheduler.ts'
import type { Request, Response } from './services.ts'
import { short } from './statement.ts'
import type { Film } from './storage.ts'

export type Task = {
  id: string
  provider: string
  videoId: string
  userId: string
  callbackUrl: string
  finishAtMs: number
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
  host: (request: Request) => Response | 'silence'
  filmAt: (url: string) => Film | number
  /** Callbacks that the service has answered with 200, with the time. */
  received: { task: Task; kind: 'completed' | 'failed'; atMs: number }[]
  /** Callbacks that are still to be sent. */
  pending: () => number
}

type Result = { kind: 'running'; progress: number } | { kind: 'completed'; url: string } | { kind: 'failed' }
type Call = (request: {
  method: string
  path: string
  headers: Record<string, string>
  body: string
}) => Promise<{ status: number } | null>

const CALLBACK_TRIES = 5
const CALLBACK_PAUSE_MS = 8_000

export function openProviders(scheduler: Scheduler, injector: FaultInjector, call: Call): Providers {
  const { random } = scheduler
  const tasks: Task[] = []
  const submits: Submit[] = []
  const byKey = new Map<string, Task>()
  /** The refusals by request: a provider that takes an Idempotency-Key does not refuse one copy of a request and take the other. */
  const refused = new WeakMap<Request, Response>()
  const films = openFilms(random)
  const { schedule, received, pending } = openCallbacks(scheduler, injector, call, films.link)

  const submit = (request: Request): Response | 'silence' => {
    const known = refused.get(request)
    if (known) return known
    const response = decide(request)
    if (isRefusal(response)) refused.set(request, response)
    return response
  }

  const decide = ({ url, headers, body }: Request): Response => {
    const provider = providerOf(url)
    const json = JSON.parse(body)
    const callbackUrl: string = json.callback_url ?? json.callBackUrl
    const [userId = '', videoId = ''] = (new URL(callbackUrl).searchParams.get('ref') ?? '').split('.')
    const entry: Submit = { videoId, atMs: scheduler.nowMs(), isPaid: false, task: null }
    submits.push(entry)
    const known = byKey.get(headers['idempotency-key'] ?? '')
    if (known) {
      submits.pop()
      return accepted(provider, known.id)
    }
    if (injector.injects('provider busy'))
      return refusal(provider, random.pick([429, 503]), { 'retry-after': String(random.int(1, 20)) })
    if (injector.injects('provider refuses')) return refusal(provider, random.pick([400, 422, 401, 500]))
    const lie = injector.injects('provider lies')
      ? random.pick(['busy', 'error', 'no id', 'id of another'] as const)
      : null
    const id =
      lie === 'id of another' && tasks.length > 0 ? random.pick(tasks).id : `task-${random.uuid().slice(0, 12)}`
    const task: Task = {
      id,
      provider,
      videoId,
      userId,
      callbackUrl,
      finishAtMs: scheduler.nowMs() + durationMs(random),
      isFailing: injector.injects('provider fails'),
      isHonest: lie === null,
      links: [],
    }
    tasks.push(task)
    entry.task = task
    entry.isPaid = lie !== 'busy'
    if (headers['idempotency-key']) byKey.set(headers['idempotency-key'], task)
    scheduler.trace(provider, `takes ${short(videoId)} as ${id}${lie ? `, and lies: ${lie}` : ''}`)
    schedule(task)
    if (lie === 'busy') return refusal(provider, 503)
    if (lie === 'error') return refusal(provider, 500)
    if (lie === 'no id') return { status: 200, body: { code: 200, data: {} } }
    return accepted(provider, id)
  }

  const poll = ({ url }: Request): Response | 'silence' => {
    const provider = providerOf(url)
    const id = url.searchParams.get('taskId') ?? url.pathname.split('/').at(-1)
    const task = tasks.find((each) => each.id === id && each.provider === provider)
    if (!task) return refusal(provider, 404)
    const isLie = !task.isHonest && injector.injects('provider lies')
    const isDone = scheduler.nowMs() >= task.finishAtMs || isLie
    const isFailing = isLie ? random.chance(0.5) : task.isFailing
    const result: Result = !isDone
      ? { kind: 'running', progress: random.int(0, 99) }
      : isFailing || task.links.length === 0
        ? { kind: 'failed' }
        : { kind: 'completed', url: task.links.at(-1) ?? '' }
    return { status: 200, body: bodyOf(task, result) }
  }

  const find = ({ url }: Request): Response => {
    const [provider, videoId] = [providerOf(url), url.pathname.split('/').at(-1)]
    const found = tasks.filter((each) => each.videoId === videoId && each.provider === provider)
    return { status: 200, body: { taskIds: found.map(({ id }) => id) } }
  }

  return {
    tasks,
    submits,
    received,
    host: (request) => {
      if (request.method === 'POST') return submit(request)
      return request.url.pathname.startsWith('/find/') ? find(request) : poll(request)
    },
    filmAt: films.at,
    pending,
  }
}

/** The duration of a task: some take longer than a deadline, some never end. */
function durationMs(random: Scheduler['random']): number {
  if (!random.chance(0.03)) return random.between(500, 25_000)
  return random.chance(0.5) ? random.between(500, 2_000_000) : Number.POSITIVE_INFINITY
}

type Link = (task: Task, film: Partial<Film> | number) => string

/** The films by their links, or the status that a link leads to instead. */
function openFilms(random: Scheduler['random']): { link: Link; at: Providers['filmAt'] } {
  const films = new Map<string, Film | number>()
  const link: Link = (task, film) => {
    const url = `https://films.example/${task.id}/${task.links.length}.mp4?signature=s`
    task.links.push(url)
    films.set(
      url,
      typeof film === 'number' ? film : { taskId: task.id, isFilm: true, size: random.int(1000, 100_000), ...film },
    )
    return url
  }
  return { link, at: (url) => films.get(url) ?? 404 }
}

/** The callbacks of tasks, each of which may be dropped, late, cut or sent again. */
function openCallbacks(scheduler: Scheduler, injector: FaultInjector, call: Call, link: Link) {
  const { random } = scheduler
  const received: Providers['received'] = []
  let pending = 0

  /** The callbacks of a task: progress, the result, and after a lie more than that. */
  const schedule = (task: Task) => {
    const isLying = injector.injects('provider lies')
    if (isLying) task.isHonest = false
    if (random.chance(0.3))
      sendLater(task, random.between(100, 20_000), { kind: 'running', progress: random.int(0, 100) })
    const delayMs = task.finishAtMs - scheduler.nowMs()
    if (!Number.isFinite(delayMs)) return
    const film = isLying && random.chance(0.5) ? random.pick([404, 500, { isFilm: false }] as const) : {}
    const result = task.isFailing
      ? ({ kind: 'failed' } as const)
      : ({ kind: 'completed', url: link(task, film) } as const)
    sendLater(task, delayMs, result)
    if (!isLying) return
    if (random.chance(0.5)) sendLater(task, delayMs + random.between(-2_000, 4_000), { kind: 'failed' })
    if (random.chance(0.5))
      sendLater(task, delayMs + random.between(-2_000, 4_000), { kind: 'completed', url: link(task, {}) })
    if (random.chance(0.3)) sendLater({ ...task, id: 'unknown-task' }, delayMs - 100, { kind: 'failed' })
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
  const send = async (task: Task, result: Result, tries: number) => {
    const text = JSON.stringify(bodyOf(task, result))
    const isCut = injector.injects('body cut')
    const { pathname, search } = new URL(task.callbackUrl)
    const body = isCut ? text.slice(0, text.length >> 1) : text
    const response = await call({
      method: 'POST',
      path: pathname + search,
      headers: { 'content-type': 'application/json' },
      body,
    })
    scheduler.trace(
      task.provider,
      `callback ${task.id} ${result.kind}${isCut ? ', cut' : ''} → ${response?.status ?? 'no response'}`,
    )
    if (response?.status === 200 && !isCut && result.kind !== 'running')
      received.push({ task, kind: result.kind, atMs: scheduler.nowMs() })
    const isFinal = response !== null && (response.status === 200 || response.status === 409 || response.status === 404)
    if (!isFinal && tries < CALLBACK_TRIES) sendLater(task, CALLBACK_PAUSE_MS * 2 ** tries, result, tries + 1)
  }
  return { schedule, received, pending: () => pending }
}

const bodyOf = (task: Task, result: Result) =>
  task.provider === 'provider-a' ? bodyOfA(task, result) : bodyOfB(task, result)

function bodyOfA({ id }: Task, result: Result) {
  const common = { id, taskId: id }
  if (result.kind === 'completed')
    return { ...common, status: 'completed', videoUrl: result.url, results: [result.url] }
  if (result.kind === 'failed')
    return { ...common, status: 'failed', error: { message: 'The scene could not be rendered.' } }
  return { ...common, status: 'processing', progress: result.progress }
}

function bodyOfB({ id: taskId }: Task, result: Result) {
  if (result.kind === 'completed')
    return { code: 200, data: { taskId, state: 'success', resultJson: JSON.stringify({ resultUrls: [result.url] }) } }
  if (result.kind === 'failed')
    return { code: 200, data: { taskId, state: 'fail', failMsg: 'The scene could not be rendered.' } }
  return { code: 200, data: { taskId, state: 'generating', progress: result.progress } }
}

const providerOf = ({ host }: URL): string => host.split('.')[0] ?? ''

const accepted = (provider: string, id: string): Response => ({
  status: 200,
  body: provider === 'provider-a' ? { id, status: 'pending' } : { code: 200, msg: 'success', data: { taskId: id } },
})

const isRefusal = ({ status, body }: Response): boolean =>
  status !== 200 || ![undefined, 200].includes((body as { code?: number }).code)

const refusal = (provider: string, code: number, headers: Record<string, string> = {}): Response =>
  provider === 'provider-a'
    ? { status: code, headers, body: { error: { message: `No (${code}).` } } }
    : { status: 200, headers, body: { code, msg: `No (${code}).` } }

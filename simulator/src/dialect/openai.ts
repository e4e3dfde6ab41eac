/**
 * OpenAI's videos API as its copies speak it: which one says the model's first segment (`vllm/…`, `sglang/…`,
 * `new-api/…`); any other is OpenAI's own shape. None calls back; the film is behind the task's address.
 */
import type { Context as Call, Hono } from 'hono'
import { type Dialect, progressOf, stateOf, type Task, type Tasks } from '../dialect.ts'
import { inputsIn } from '../inputs.ts'
import { missingFilm, readSentinels } from '../sentinels.ts'
import { dataUriOf } from '../uploads.ts'

type Server = 'openai' | 'vllm' | 'sglang' | 'new-api'
const servers: Record<string, Server> = { vllm: 'vllm', sglang: 'sglang', 'new-api': 'new-api' }
const serverOf = (model: unknown): Server => servers[String(model).split('/')[0] ?? ''] ?? 'openai'

const prefixes: Record<Server, string> = { openai: 'video_', vllm: 'video_gen_', sglang: '', 'new-api': 'task_' }
const idOf = ({ id, request }: Task): string => prefixes[serverOf(request.model)] + id.replace('task-', '')
const taskIdOf = (id: string): string => `task-${id.slice(-36)}`
/** Code and type. */
const errors: Record<number, [string | null, string]> = {
  401: ['invalid_api_key', 'invalid_request_error'],
  402: ['insufficient_quota', 'insufficient_quota'],
  404: [null, 'invalid_request_error'],
  422: ['moderation_blocked', 'invalid_request_error'],
  429: ['rate_limit_exceeded', 'requests'],
}
const deleted = new Set<string>()

export const dialect: Dialect = {
  refuse: (c, status, message) => {
    const server: Server | undefined = c.get('server')
    const isDetailed = (server === 'vllm' || server === 'sglang') && ![402, 429].includes(status)
    if (isDetailed && status === 503 && server === 'vllm') return c.json({ detail: 'handler not initialized' }, 503)
    if (isDetailed) return c.json({ detail: message }, status === 422 ? 400 : status)
    const [code, type] = errors[status] ?? [null, 'server_error']
    if (server === 'new-api') {
      const own = status === 402 ? 'insufficient_user_quota' : (code ?? 'bad_response')
      return c.json({ code: own, message, data: null }, status === 402 ? 403 : status === 422 ? 400 : status)
    }
    const shown = { 402: 429, 422: 400 }[status as 402 | 422] ?? status
    return c.json({ error: { message, type, param: null, code } }, shown as 400)
  },
  routes: (app, tasks) => {
    app.get('/v1/models', (c) =>
      c.json({ object: 'list', data: tasks.models().map(({ name }) => ({ id: name, object: 'model' })) }),
    )
    app.post('/v1/videos', (c) => create(c, tasks))
    app.get('/v1/videos/:id', (c) => found(c, tasks, (task) => objectOf(task, tasks.filmUrl(task))))
    app.get('/v1/videos/:id/content', (c) =>
      found(c, tasks, async (task) => {
        const server = serverOf(task.request.model)
        if (stateOf(task) !== 'completed') {
          const message = server === 'new-api' ? 'Task is not completed yet' : 'Generation is still in-progress'
          return c.json({ error: { message, type: 'invalid_request_error' } }, server === 'new-api' ? 400 : 404)
        }
        return c.body(await tasks.filmBytes(task), 200, { 'content-type': 'video/mp4' })
      }),
    )
    deletion(app, tasks)
  },
}

async function create(c: Call, tasks: Tasks): Promise<Response> {
  const isJson = c.req.header('content-type')?.startsWith('application/json')
  const body: Record<string, unknown> = isJson ? await c.req.json() : await c.req.parseBody()
  const server = serverOf(body.model)
  c.set('server', server)
  if (server === 'vllm' && isJson) return c.json({ detail: [{ loc: ['body', 'prompt'], msg: 'Field required' }] }, 422)
  const reference = body.input_reference ?? body.reference_url ?? body.image
  const start = (await dataUriOf(reference)) ?? reference
  const wanted = {
    prompt: body.prompt,
    model: body.model ?? 'sora-2',
    duration: body.seconds ?? body.duration,
    size: body.size,
    // A film in the same field is changed.
    inputs: inputsIn({ start }, { start: /^data:video\//.test(String(start)) ? 'film' : 'start' }),
  }
  return tasks.submit(c, wanted, (task) => objectOf(task, ''))
}

const found = async (c: Call, tasks: Tasks, respond: (task: Task) => object | Promise<Response>) => {
  const id = taskIdOf(c.req.param('id') ?? '')
  return tasks.poll(c, deleted.has(id) ? undefined : id, respond)
}

/** vLLM-Omni aborts what runs, SGLang forgets it only, new-api has no such call. */
function deletion(app: Hono, tasks: Tasks): void {
  app.delete('/v1/videos/:id', (c) =>
    found(c, tasks, (task) => {
      const server = serverOf(task.request.model)
      if (server === 'new-api') return Promise.resolve(c.text('404 page not found', 404))
      deleted.add(task.id)
      if (server === 'vllm') tasks.cancel(task)
      return server === 'sglang'
        ? { ...objectOf(task, ''), status: 'deleted' }
        : { id: idOf(task), object: 'video.deleted', deleted: true }
    }),
  )
}

function objectOf(task: Task, url: string): object {
  const { request, createdAt, endedAt, error } = task
  const server = serverOf(request.model)
  const missing = missingFilm(request.prompt)
  const state = stateOf(task)
  const unknown = readSentinels(request.prompt).has('unknown-status') ? 'simmering' : null
  const running = unknown ?? (server === 'sglang' ? 'queued' : 'in_progress')
  const message = error ?? (state === 'completed' ? missing : null)
  const code = { openai: 'generation_failed', vllm: '500', 'new-api': 'task_failed', sglang: undefined }[server]
  return {
    id: idOf(task),
    object: 'video',
    model: request.model,
    status: { waiting: unknown ?? 'queued', generating: running, completed: state, failed: state }[state],
    progress: server === 'sglang' || server === 'vllm' ? (state === 'completed' ? 100 : 0) : progressOf(task),
    created_at: Math.floor(createdAt / 1000),
    completed_at: endedAt && Math.floor(endedAt / 1000),
    expires_at: null,
    seconds: String(request.durationS),
    size: `${request.width}x${request.height}`,
    prompt: request.prompt,
    error: message ? { ...(code ? { code } : {}), message } : null,
    ...(server === 'sglang' ? { url: null, file_path: `/srv/outputs/${task.id}.mp4` } : {}),
    ...(server === 'new-api' ? { task_id: idOf(task) } : {}),
    ...(server === 'new-api' && state === 'completed' && missing === null ? { metadata: { url } } : {}),
  }
}

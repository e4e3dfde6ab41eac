/** The wire format of provider-a: REST with HTTP statuses, one task object for submit and poll, a flat callback. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import { filmSize } from './film-request.ts'
import { readSentinels } from './sentinels.ts'
import { type ProviderContext, takeSubmit } from './submit.ts'
import type { CallbackMessage } from './task-runner.ts'
import { type CallbackKind, progressOf, type Task } from './tasks.ts'

type Body = Partial<Record<string, unknown>>

const CALLBACK_TIMEOUT_MS = 10_000
const types: Record<number, string> = { 401: 'authentication_error', 404: 'not_found_error', 500: 'server_error' }
const errors = {
  invalid: [400, 'invalid_request'],
  refused: [400, 'content_policy_violation'],
  unavailable: [503, 'service_unavailable'],
  error: [500, 'internal_error'],
} as const

export function providerARoutes(context: ProviderContext, apiKey: string | null) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRequest', async (request, reply) => {
      if (apiKey && request.headers.authorization !== `Bearer ${apiKey}`) {
        return refuse(reply, 401, 'invalid_api_key', 'The API key is missing or wrong.')
      }
    })
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
      refuse(reply, error.statusCode ?? 500, 'invalid_request', error.message),
    )

    app.post<{ Body: Body | null }>('/v1/videos/generations', async (request, reply) => {
      const body = request.body ?? {}
      const key = request.headers['idempotency-key']
      const outcome = await takeSubmit(context, {
        provider: 'provider-a',
        model: body.model,
        prompt: body.prompt,
        aspectRatio: body.aspect_ratio,
        duration: body.duration,
        quality: body.quality,
        imageUrls: body.image_urls,
        callbackUrl: body.callback_url,
        idempotencyKey: typeof key === 'string' && key ? key : null,
      })
      if (outcome.kind === 'accepted') return taskObject(outcome.task, context.filmUrl(outcome.task))
      if (outcome.kind === 'no response') return reply.hijack()
      const [status, code] = errors[outcome.kind]
      return refuse(reply, status, code, outcome.message)
    })

    app.get<{ Params: { id: string } }>('/v1/tasks/:id', async (request, reply) => {
      const task = context.tasks.tasks.all.get(request.params.id)
      if (task?.provider !== 'provider-a') return refuse(reply, 404, 'task_not_found', 'There is no such task.')
      return taskObject(task, context.filmUrl(task))
    })
  }
}

function taskObject(task: Task, url: string) {
  const running = readSentinels(task.request.prompt).has('unknown-status')
    ? { waiting: 'simmering', generating: 'simmering' }
    : { waiting: 'pending', generating: 'processing' }
  return {
    id: task.taskId,
    object: 'video.generation.task',
    created: Math.floor(task.createdAt / 1000),
    model: task.request.model,
    status: { ...running, completed: 'completed', failed: 'failed' }[task.state],
    progress: progressOf(task),
    task_info: { estimated_time: Math.ceil((task.finishesAt - task.createdAt) / 1000) },
    ...(task.state === 'completed' ? { results: [url] } : {}),
    ...(task.state === 'failed' ? { error: { code: 'generation_failed', message: task.error } } : {}),
  }
}

export function providerACallback(task: Task, kind: CallbackKind, url: string): CallbackMessage {
  const { taskId } = task
  const size = filmSize(task.request.aspectRatio, task.request.quality)
  const resolution = `${size?.width}x${size?.height}`
  const completed = { taskId, status: 'completed', videoUrl: url, duration: task.request.durationS, resolution }
  const failed = { taskId, status: 'failed', error: task.error ?? 'The result was withdrawn.' }
  const isCompleted = task.state === 'completed'
  const bodies: Record<CallbackKind, string> = {
    result: JSON.stringify(isCompleted ? completed : failed),
    opposite: JSON.stringify(isCompleted ? failed : completed),
    'garbage 1': `{"taskId":"${taskId}","status":`,
    'garbage 2': JSON.stringify({ taskId }),
    'garbage 3': JSON.stringify({ taskId, status: 'completed' }),
    'garbage 4': '[]',
    'garbage 5': 'upstream connect error',
  }
  return { body: bodies[kind], headers: {}, timeoutMs: CALLBACK_TIMEOUT_MS }
}

function refuse(reply: FastifyReply, status: number, code: string, message: string): FastifyReply {
  return reply.code(status).send({ error: { code, message, type: types[status] ?? 'invalid_request_error' } })
}

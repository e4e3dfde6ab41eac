/** The wire format of provider-a: REST with HTTP statuses, one task object for submit and ask, a flat callback. */
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { CallbackMessage } from './callback.ts'
import { filmSize } from './film.ts'
import { progressOf } from './life.ts'
import { readSentinels } from './sentinels.ts'
import { type Desk, takeSubmit } from './submit.ts'
import type { CallbackKind, Task } from './task.ts'

type Body = Partial<Record<string, unknown>>

const CALLBACK_TIMEOUT_MS = 10_000
const CONTRADICTION = 'The result was withdrawn.'
const types: Record<number, string> = { 401: 'authentication_error', 404: 'not_found_error', 500: 'server_error' }

export function providerARoutes(desk: Desk, apiKey: string | null, filmUrl: (task: Task) => string) {
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
      const outcome = await takeSubmit(desk, {
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
      if (outcome.kind === 'invalid') return refuse(reply, 400, 'invalid_request', outcome.message)
      if (outcome.kind === 'refused') return refuse(reply, 400, 'content_policy_violation', outcome.message)
      if (outcome.kind === 'down') return refuse(reply, 503, 'service_unavailable', 'Try again later.')
      if (outcome.answer === 'never') return reply.hijack()
      if (outcome.answer === 'error') return refuse(reply, 500, 'internal_error', 'Something went wrong.')
      return taskObject(outcome.task, filmUrl(outcome.task))
    })

    app.get<{ Params: { id: string } }>('/v1/tasks/:id', async (request, reply) => {
      const task = desk.store.tasks.get(request.params.id)
      if (task?.provider !== 'provider-a') return refuse(reply, 404, 'task_not_found', 'There is no such task.')
      return taskObject(task, filmUrl(task))
    })
  }
}

function taskObject(task: Task, url: string) {
  const running = readSentinels(task.order.prompt).has('unknown-status')
    ? { waiting: 'simmering', generating: 'simmering' }
    : { waiting: 'pending', generating: 'processing' }
  return {
    id: task.taskId,
    object: 'video.generation.task',
    created: Math.floor(task.acceptedAt / 1000),
    model: task.order.model,
    status: { ...running, completed: 'completed', failed: 'failed' }[task.state],
    progress: progressOf(task, Date.now()),
    task_info: { estimated_time: Math.ceil((task.finishesAt - task.acceptedAt) / 1000) },
    ...(task.state === 'completed' ? { results: [url] } : {}),
    ...(task.state === 'failed' ? { error: { code: 'generation_failed', message: task.error } } : {}),
  }
}

export function providerACallback(task: Task, kind: CallbackKind, url: string): CallbackMessage {
  const { taskId } = task
  const size = filmSize(task.order.aspectRatio, task.order.quality)
  const completed = {
    taskId,
    status: 'completed',
    videoUrl: url,
    duration: task.order.durationS,
    resolution: `${size?.width}x${size?.height}`,
  }
  const failed = { taskId, status: 'failed', error: task.error ?? CONTRADICTION }
  const bodies: Record<CallbackKind, string> = {
    result: JSON.stringify(task.state === 'completed' ? completed : failed),
    opposite: JSON.stringify(task.state === 'completed' ? failed : completed),
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

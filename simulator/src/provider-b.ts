/**
 * The wire format of provider-b: always HTTP 200 with a code in the body, results as JSON inside a string, and one model
 * family that responds in another shape. Only `[down]` and `[vague]` are real HTTP errors, as from a proxy.
 */
import { createHmac } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { readSentinels } from './sentinels.ts'
import { type ProviderContext, takeSubmit } from './submit.ts'
import type { CallbackMessage } from './task-runner.ts'
import type { CallbackKind, Task } from './tasks.ts'

type Body = Partial<Record<string, unknown>>

/** This family responds with `data.info`: a list in callbacks, a single string when polled. */
const ODD_MODEL = 'delta-1-5'
const CALLBACK_TIMEOUT_MS = 15_000
/** The HTTP status and the code in the body. */
const errors = { invalid: [200, 400], refused: [200, 422], unavailable: [503, 455], error: [500, 500] } as const

export function providerBRoutes(context: ProviderContext, apiKey: string | null) {
  return async (app: FastifyInstance): Promise<void> => {
    app.addHook('onRequest', async (request, reply) => {
      if (apiKey && request.headers.authorization !== `Bearer ${apiKey}`) {
        return reply.send(refusal(401, 'The API key is missing or wrong.'))
      }
    })
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) =>
      reply.code(200).send(refusal((error.statusCode ?? 500) < 500 ? 400 : 500, error.message)),
    )

    app.post<{ Body: Body | null }>('/api/v1/jobs/createTask', async (request, reply) => {
      const body = request.body ?? {}
      const input: Body = body.input && typeof body.input === 'object' ? { ...body.input } : {}
      const outcome = await takeSubmit(context, {
        provider: 'provider-b',
        model: body.model,
        prompt: input.prompt,
        aspectRatio: input.aspect_ratio,
        duration: input.duration,
        quality: input.quality,
        imageUrls: input.image_urls,
        callbackUrl: body.callBackUrl,
        idempotencyKey: null,
      })
      if (outcome.kind === 'accepted') return success({ taskId: outcome.task.taskId })
      if (outcome.kind === 'no response') return reply.hijack()
      const [status, code] = errors[outcome.kind]
      return reply.code(status).send(refusal(code, outcome.message))
    })

    app.get<{ Querystring: { taskId?: string } }>('/api/v1/jobs/recordInfo', async (request) => {
      const task = context.tasks.tasks.all.get(request.query.taskId ?? '')
      if (task?.provider !== 'provider-b') return refusal(404, 'There is no such task.')
      if (task.endedAt === null) return success(record(task, runningState(task)))
      const url = context.filmUrl(task)
      return outcomeOf(task, task.error, url, url)
    })
  }
}

export function providerBCallback(task: Task, kind: CallbackKind, url: string, key: string | null): CallbackMessage {
  const data = record(task, 'success')
  const bodies: Record<CallbackKind, unknown> = {
    result: outcomeOf(task, task.error, url, [url]),
    opposite: outcomeOf(task, task.error === null ? 'The result was withdrawn.' : null, url, [url]),
    'garbage 1': `{"code":200,"data":{"taskId":"${task.taskId}"`,
    'garbage 2': success({ taskId: task.taskId }),
    'garbage 3': success(data),
    'garbage 4': success({ ...data, resultJson: '{"resultUrls":[' }),
    'garbage 5': success(null),
  }
  const body = bodies[kind]
  return {
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: key ? signature(task.taskId, key) : {},
    timeoutMs: CALLBACK_TIMEOUT_MS,
  }
}

/** Base64 HMAC-SHA256 of `taskId.timestamp`, the timestamp in seconds. */
function signature(taskId: string, key: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const hash = createHmac('sha256', key).update(`${taskId}.${timestamp}`).digest('base64')
  return { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': hash }
}

function runningState(task: Task): string {
  if (readSentinels(task.request.prompt).has('unknown-status')) return 'simmering'
  if (task.state === 'generating') return 'generating'
  return Date.now() - task.createdAt < (task.startsAt - task.createdAt) / 2 ? 'waiting' : 'queuing'
}

/** @param oddUrls what the odd model family has as `resultUrls` */
function outcomeOf(task: Task, failure: string | null, url: string, oddUrls: string | string[]) {
  const { taskId } = task
  if (task.request.model === ODD_MODEL) {
    return failure === null
      ? success({ taskId, info: { resultUrls: oddUrls } })
      : { code: 501, msg: failure, data: { taskId } }
  }
  return failure === null
    ? success({ ...record(task, 'success'), resultJson: JSON.stringify({ resultUrls: [url] }) })
    : success({ ...record(task, 'fail'), failCode: '500', failMsg: failure })
}

const record = (task: Task, state: string) => ({
  taskId: task.taskId,
  model: task.request.model,
  state,
  resultJson: '',
  failCode: null,
  failMsg: null,
  costTime: task.endedAt === null ? null : Math.round((task.endedAt - task.createdAt) / 1000),
  completeTime: task.endedAt,
  createTime: task.createdAt,
})

const success = (data: unknown) => ({ code: 200, msg: 'success', data })
const refusal = (code: number, msg: string) => ({ code, msg, data: null })

/**
 * The wire format of provider-b: always HTTP 200 with a code in the body, results as JSON inside a string, and one
 * model family that answers in another shape. Only `[down]` and `[vague]` are real HTTP errors, as from a proxy.
 */
import { createHmac } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { CallbackMessage } from './callback.ts'
import { readSentinels } from './sentinels.ts'
import { type Desk, takeSubmit } from './submit.ts'
import type { CallbackKind, Task } from './task.ts'

type Body = Partial<Record<string, unknown>>

/** The family that answers with `data.info`: a list in callbacks, a string of one when asked. */
const ODD_MODEL = 'delta-1-5'
const CALLBACK_TIMEOUT_MS = 15_000
const CONTRADICTION = 'The result was withdrawn.'

export function providerBRoutes(desk: Desk, apiKey: string | null, filmUrl: (task: Task) => string) {
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
      const outcome = await takeSubmit(desk, {
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
      if (outcome.kind === 'invalid') return refusal(400, outcome.message)
      if (outcome.kind === 'refused') return refusal(422, outcome.message)
      if (outcome.kind === 'down') return reply.code(503).send(refusal(455, 'Service unavailable.'))
      if (outcome.answer === 'never') return reply.hijack()
      if (outcome.answer === 'error') return reply.code(500).send(refusal(500, 'Something went wrong.'))
      return { code: 200, msg: 'success', data: { taskId: outcome.task.taskId } }
    })

    app.get<{ Querystring: { taskId?: string } }>('/api/v1/jobs/recordInfo', async (request) => {
      const task = desk.store.tasks.get(request.query.taskId ?? '')
      if (task?.provider !== 'provider-b') return refusal(404, 'There is no such task.')
      if (task.state === 'completed' || task.state === 'failed') return endRecord(task, task.error, filmUrl(task), true)
      return { code: 200, msg: 'success', data: record(task, runningState(task)) }
    })
  }
}

export function providerBCallback(
  task: Task,
  kind: CallbackKind,
  url: string,
  webhookKey: string | null,
): CallbackMessage {
  const data = record(task, 'success')
  const bodies: Record<CallbackKind, () => string> = {
    result: () => JSON.stringify(endRecord(task, task.error, url, false)),
    opposite: () => JSON.stringify(endRecord(task, task.error === null ? CONTRADICTION : null, url, false)),
    'garbage 1': () => `{"code":200,"data":{"taskId":"${task.taskId}"`,
    'garbage 2': () => JSON.stringify({ code: 200, msg: 'success', data: { taskId: task.taskId } }),
    'garbage 3': () => JSON.stringify({ code: 200, msg: 'success', data }),
    'garbage 4': () => JSON.stringify({ code: 200, msg: 'success', data: { ...data, resultJson: '{"resultUrls":[' } }),
    'garbage 5': () => JSON.stringify({ code: 200, msg: 'success', data: null }),
  }
  return {
    body: bodies[kind](),
    headers: webhookKey ? signature(task.taskId, webhookKey) : {},
    timeoutMs: CALLBACK_TIMEOUT_MS,
  }
}

/** Base64 HMAC-SHA256 of `taskId.timestamp`, the timestamp in seconds. */
function signature(taskId: string, webhookKey: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const hash = createHmac('sha256', webhookKey).update(`${taskId}.${timestamp}`).digest('base64')
  return { 'x-webhook-timestamp': timestamp, 'x-webhook-signature': hash }
}

function runningState(task: Task): string {
  if (readSentinels(task.order.prompt).has('unknown-status')) return 'simmering'
  if (task.state === 'generating') return 'generating'
  return Date.now() - task.acceptedAt < (task.startsAt - task.acceptedAt) / 2 ? 'waiting' : 'queuing'
}

function endRecord(task: Task, failure: string | null, url: string, asked: boolean) {
  if (task.order.model === ODD_MODEL) {
    if (failure !== null) return { code: 501, msg: failure, data: { taskId: task.taskId } }
    const info = { resultUrls: asked ? url : [url] }
    return { code: 200, msg: 'success', data: { taskId: task.taskId, info } }
  }
  const end =
    failure === null ? { resultJson: JSON.stringify({ resultUrls: [url] }) } : { failCode: '500', failMsg: failure }
  return { code: 200, msg: 'success', data: { ...record(task, failure === null ? 'success' : 'fail'), ...end } }
}

function record(task: Task, state: string) {
  return {
    taskId: task.taskId,
    model: task.order.model,
    state,
    resultJson: '',
    failCode: null,
    failMsg: null,
    costTime: task.endedAt === null ? null : Math.round((task.endedAt - task.acceptedAt) / 1000),
    completeTime: task.endedAt,
    createTime: task.acceptedAt,
  }
}

function refusal(code: number, msg: string) {
  return { code, msg, data: null }
}

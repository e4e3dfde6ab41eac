/** The wire format of provider-a: REST with HTTP statuses, one task object for submit and poll, a flat callback. */
import { randomUUID } from 'node:crypto'
import { filmSize } from './film-request.ts'
import type { WireFormat } from './providers.ts'
import { readSentinels } from './sentinels.ts'
import { progressOf, stateOf, type Task } from './tasks.ts'

/** HTTP status, code and type. */
const errors = {
  invalid: [400, 'invalid_request', 'invalid_request_error'],
  unauthorized: [401, 'invalid_api_key', 'authentication_error'],
  unknown: [404, 'task_not_found', 'not_found_error'],
  refused: [400, 'content_policy_violation', 'invalid_request_error'],
  unavailable: [503, 'service_unavailable', 'invalid_request_error'],
  error: [500, 'internal_error', 'server_error'],
} as const

export const providerA: WireFormat = {
  provider: 'provider-a',
  submitPath: '/v1/videos/generations',
  pollPath: '/v1/tasks/:taskId',
  callbackTimeoutMs: 10_000,
  newTaskId: () => `task-${randomUUID()}`,
  readSubmit: ({ model, prompt, aspect_ratio, duration, quality, image_urls, callback_url }, header) => {
    const renamed = { aspectRatio: aspect_ratio, imageUrls: image_urls, callbackUrl: callback_url }
    return { model, prompt, duration, quality, ...renamed, idempotencyKey: header('idempotency-key') }
  },
  accepted: taskObject,
  polled: taskObject,
  refusal: (kind, message) => {
    const [status, code, type] = errors[kind]
    return { status, body: { error: { code, message, type } } }
  },
  callback: (task, kind, url) => {
    const taskId = task.id
    const size = filmSize(task.request.aspectRatio, task.request.quality)
    const resolution = `${size?.width}x${size?.height}`
    const completed = { taskId, status: 'completed', videoUrl: url, duration: task.request.durationS, resolution }
    const failed = { taskId, status: 'failed', error: task.error ?? 'The result was withdrawn.' }
    const isCompleted = stateOf(task) === 'completed'
    return {
      result: isCompleted ? completed : failed,
      opposite: isCompleted ? failed : completed,
      'garbage 1': `{"taskId":"${taskId}","status":`,
      'garbage 2': { taskId },
      'garbage 3': { taskId, status: 'completed' },
      'garbage 4': [],
      'garbage 5': 'upstream connect error',
    }[kind]
  },
}

function taskObject(task: Task, url: string) {
  const running = readSentinels(task.request.prompt).has('unknown-status')
    ? { waiting: 'simmering', generating: 'simmering' }
    : { waiting: 'pending', generating: 'processing' }
  return {
    id: task.id,
    object: 'video.generation.task',
    created: Math.floor(task.createdAt / 1000),
    model: task.request.model,
    status: { ...running, completed: 'completed', failed: 'failed' }[stateOf(task)],
    progress: progressOf(task),
    task_info: { estimated_time: Math.ceil((task.finishesAt - task.createdAt) / 1000) },
    ...(stateOf(task) === 'completed' ? { results: [url] } : {}),
    ...(stateOf(task) === 'failed' ? { error: { code: 'generation_failed', message: task.error } } : {}),
  }
}

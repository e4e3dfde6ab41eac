/**
 * provider-a: one task object for submit, asking and callbacks; HTTP statuses mean what they say.
 * A submit carries the video's id as Idempotency-Key, so that even a repeated one would be one task there.
 */
import type { ProviderSettings } from '../config.ts'
import { type Answer, openCaller } from './call.ts'
import type { Callback, Provider, Report, Submitted, Task } from './provider.ts'
import { phaseOf, progressAt, REFUSED, shortened, taskIdAt, textAt } from './read.ts'

export function openProvider({ url, apiKey, timeoutS }: ProviderSettings): Provider {
  const caller = openCaller(timeoutS)
  const headers = { authorization: `Bearer ${apiKey}` }
  return {
    name: 'provider-a',
    submit: async (task, signal) =>
      readSubmit(
        await caller.call('POST', `${url}/v1/videos/generations`, {
          headers: { ...headers, 'idempotency-key': task.videoId },
          body: JSON.stringify(toBody(task)),
          signal,
        }),
      ),
    ask: async (taskId, signal) => {
      const answer = await caller.call('GET', `${url}/v1/tasks/${encodeURIComponent(taskId)}`, { headers, signal })
      return answer.kind === 'answered' && answer.status === 200 ? readReport(answer.body) : null
    },
    readCallback,
    close: caller.close,
  }
}

function toBody(task: Task): Record<string, unknown> {
  return {
    model: task.model,
    prompt: task.prompt,
    aspect_ratio: task.aspectRatio,
    duration: task.durationS,
    quality: task.quality,
    ...(task.startImageUrl ? { image_urls: [task.startImageUrl] } : {}),
    callback_url: task.callbackUrl,
  }
}

function readSubmit(answer: Answer): Submitted {
  if (answer.kind === 'unsent') return { kind: 'not_taken', reason: answer.reason, retryable: true }
  if (answer.kind === 'unanswered') return { kind: 'unknown', reason: answer.reason }

  const { status, body } = answer
  const message = shortened(textAt(body, 'error', 'message') ?? `HTTP ${status}`)
  if (status >= 200 && status < 300) {
    const taskId = taskIdAt(body, 'id') ?? taskIdAt(body, 'taskId')
    return taskId && taskId !== 'too_long'
      ? { kind: 'accepted', taskId }
      : { kind: 'unknown', reason: `HTTP ${status} without a task id` }
  }
  switch (status) {
    case 429:
    case 503:
      return {
        kind: 'not_taken',
        reason: message,
        retryable: true,
        ...(answer.retryAfterS ? { retryAfterS: answer.retryAfterS } : {}),
      }
    // Sent elsewhere: the address in the settings is wrong (http for https, say), and nothing was taken there.
    case 301:
    case 302:
    case 307:
    case 308:
    case 401:
    case 402:
    case 403:
    case 404:
      return { kind: 'not_taken', reason: `HTTP ${status}: ${message}`, retryable: false }
    default:
      return status >= 400 && status < 500
        ? { kind: 'refused', message: textAt(body, 'error', 'message') ? message : REFUSED }
        : { kind: 'unknown', reason: `HTTP ${status}` }
  }
}

/** Reads the specified callback and the task object, which say the same in different fields. Null: unreadable. */
function readReport(body: unknown): Report | null {
  const word = textAt(body, 'status')
  if (!word) return null
  const phase = phaseOf(word)
  if (phase === 'completed') {
    const videoUrl = textAt(body, 'videoUrl') ?? textAt(body, 'results', 0) ?? textAt(body, 'results', 0, 'url')
    return videoUrl ? { kind: 'completed', videoUrl } : null
  }
  if (phase === 'failed') {
    const message = textAt(body, 'error', 'message') ?? textAt(body, 'error')
    return { kind: 'failed', message: shortened(message ?? `The provider reported "${word}" without a reason.`) }
  }
  const progress = progressAt(body, 'progress')
  return phase === 'unknown' ? { kind: 'running', progress, note: shortened(word) } : { kind: 'running', progress }
}

function readCallback(body: unknown): Callback | null {
  const report = readReport(body)
  const taskId = taskIdAt(body, 'taskId') ?? taskIdAt(body, 'id')
  return report && taskId !== 'too_long' ? { taskId, report } : null
}

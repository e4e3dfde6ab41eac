/**
 * provider-a: one task object for submit, poll and callback, with standard HTTP statuses. A submit carries the video's id as
 * Idempotency-Key, so even a duplicate would create one task.
 */
import type { ProviderSettings } from '../../config/config.ts'
import { type CallResult, openHttpClient } from '../../net/http-client.ts'
import { at, textAt } from '../../text/json-reader.ts'
import type { Callback, NoParameter, Provider, Report, SubmitOutcome, Task } from '../provider.ts'
import { submitOutcome } from '../submit-outcome.ts'
import {
  completedReport,
  phaseOf,
  progressAt,
  reasonOf,
  runningReport,
  shortened,
  taskIdAt,
  urlAt,
} from '../task-reader.ts'

export function openProvider({ url, apiKey, timeoutS }: ProviderSettings): Provider {
  const client = openHttpClient(timeoutS)
  const headers = { authorization: `Bearer ${apiKey}` }
  return {
    name: 'provider-a',
    submit: async (task, signal, more) =>
      readSubmitOutcome(
        await client.call('POST', `${url}/v1/videos/generations`, {
          headers: { ...headers, ...more, 'idempotency-key': task.videoId },
          body: JSON.stringify(toBody(task)),
          signal,
        }),
      ),
    poll: async (taskId, signal, more) => {
      const result = await client.call('GET', `${url}/v1/tasks/${encodeURIComponent(taskId)}`, {
        headers: { ...headers, ...more },
        signal,
      })
      return result.kind === 'response' && result.status === 200 ? readReport(result.body) : null
    },
    readCallback,
    close: client.close,
  }
}

function toBody(task: Task): Record<string, unknown> {
  const {
    videoId: _,
    model,
    prompt,
    aspectRatio,
    durationS,
    quality,
    startImageUrl,
    seed,
    callbackUrl,
    ...others
  } = task
  others satisfies NoParameter
  return {
    model,
    prompt,
    aspect_ratio: aspectRatio,
    duration: durationS,
    quality,
    ...(startImageUrl ? { image_urls: [startImageUrl] } : {}),
    ...(seed === null ? {} : { seed }),
    callback_url: callbackUrl,
  }
}

const readSubmitOutcome = (result: CallResult): SubmitOutcome =>
  submitOutcome(result, { busy: [503], misconfigured: [] }, ({ status, body }) => ({
    code: status,
    label: `HTTP ${status}`,
    isSuccess: status >= 200 && status < 300,
    isError: reasonOf(at(body, 'error')) !== null,
    message: reasonOf(body),
    taskId: taskIdAt(body, 'id') ?? taskIdAt(body, 'taskId'),
  }))

/** Reads both the documented callback and the task object, which have the same content in different fields. Null: unreadable. */
function readReport(body: unknown): Report | null {
  const status = textAt(body, 'status')
  if (!status) return null
  const phase = phaseOf(status)
  if (phase === 'completed') {
    const videoUrl =
      urlAt(body, 'videoUrl') ??
      urlAt(body, 'results', 0) ??
      urlAt(body, 'results', 0, 'url') ??
      urlAt(body, 'result_data', 0, 'video_url')
    return completedReport(videoUrl, reasonOf(at(body, 'error')))
  }
  if (phase === 'failed') {
    const message = reasonOf(body) ?? `The provider reported "${status}" without a reason.`
    return { kind: 'failed', message: shortened(message) }
  }
  return runningReport(phase, status, progressAt(body, 'progress'))
}

function readCallback(body: unknown): Callback | null {
  const report = readReport(body)
  const taskId = taskIdAt(body, 'taskId') ?? taskIdAt(body, 'id')
  return report && report.kind !== 'no_film' && taskId !== 'too_long' ? { taskId, report } : null
}

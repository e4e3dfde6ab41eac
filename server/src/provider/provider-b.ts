/**
 * provider-b: everything is HTTP 200 with a `code` in an envelope; the result is JSON inside a string, and one of its
 * model families answers in a shape of its own. Callbacks may carry a signature under a key of its own.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ProviderSettings } from '../config.ts'
import { type Answer, openCaller } from './call.ts'
import type { Callback, Provider, Report, Submitted, Task } from './provider.ts'
import { at, numberAt, phaseOf, progressAt, REFUSED, shortened, taskIdAt, textAt } from './read.ts'

export function openProvider({ url, apiKey, webhookKey, timeoutS }: ProviderSettings): Provider {
  const caller = openCaller(timeoutS)
  const headers = { authorization: `Bearer ${apiKey}` }
  return {
    name: 'provider-b',
    submit: async (task, signal) =>
      readSubmit(
        await caller.call('POST', `${url}/api/v1/jobs/createTask`, {
          headers,
          body: JSON.stringify(toBody(task)),
          signal,
        }),
      ),
    ask: async (taskId, signal) => {
      const path = `/api/v1/jobs/recordInfo?taskId=${encodeURIComponent(taskId)}`
      const answer = await caller.call('GET', `${url}${path}`, { headers, signal })
      if (answer.kind !== 'answered' || answer.status !== 200) return null
      // Without a task in it, a code other than 200 is about the question and not about the task.
      return textAt(answer.body, 'data', 'taskId') ? readReport(answer.body) : null
    },
    readCallback: (body, given) => {
      if (webhookKey && !isSigned(body, given, webhookKey)) return 'bad_signature'
      return readCallback(body)
    },
    close: caller.close,
  }
}

function toBody(task: Task): Record<string, unknown> {
  return {
    model: task.model,
    callBackUrl: task.callbackUrl,
    input: {
      prompt: task.prompt,
      aspect_ratio: task.aspectRatio,
      duration: task.durationS,
      quality: task.quality,
      ...(task.startImageUrl ? { image_urls: [task.startImageUrl] } : {}),
    },
  }
}

function readSubmit(answer: Answer): Submitted {
  if (answer.kind === 'unsent') return { kind: 'not_taken', reason: answer.reason, retryable: true }
  if (answer.kind === 'unanswered') return { kind: 'unknown', reason: answer.reason }

  const isEnvelope = answer.status >= 200 && answer.status < 300
  const code = isEnvelope ? numberAt(answer.body, 'code') : answer.status
  const message = shortened(textAt(answer.body, 'msg') ?? `code ${code}`)
  const refused = { kind: 'refused', message: textAt(answer.body, 'msg') ? message : REFUSED } as const
  switch (code) {
    case 200: {
      const taskId = taskIdAt(answer.body, 'data', 'taskId')
      return taskId && taskId !== 'too_long'
        ? { kind: 'accepted', taskId }
        : { kind: 'unknown', reason: 'code 200 without a task id' }
    }
    case 400:
    case 422:
      return refused
    case 429:
    case 455:
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
    case 505:
      return { kind: 'not_taken', reason: `code ${code}: ${message}`, retryable: false }
    default:
      return code !== null && code > 400 && code < 500 ? refused : { kind: 'unknown', reason: `code ${code}` }
  }
}

function readReport(body: unknown): Report | null {
  const word = textAt(body, 'data', 'state')
  const info = at(body, 'data', 'info')
  if (!word) {
    // The other family: a result in data.info, or a code that says it failed and no info.
    const videoUrl = firstUrl(at(info, 'resultUrls'))
    if (videoUrl) return { kind: 'completed', videoUrl }
    const code = numberAt(body, 'code')
    if (code !== null && code !== 200 && !info) return { kind: 'failed', message: failureOf(body) }
    return info && code === 200 ? { kind: 'running', progress: progressAt(info, 'progress') } : null
  }
  const phase = phaseOf(word)
  if (phase === 'completed') {
    const result = at(body, 'data', 'resultJson')
    const videoUrl =
      firstUrl(at(typeof result === 'string' ? parsed(result) : result, 'resultUrls')) ??
      firstUrl(at(info, 'resultUrls'))
    return videoUrl ? { kind: 'completed', videoUrl } : null
  }
  if (phase === 'failed') return { kind: 'failed', message: failureOf(body) }
  const progress = progressAt(body, 'data', 'progress')
  return phase === 'unknown' ? { kind: 'running', progress, note: shortened(word) } : { kind: 'running', progress }
}

function readCallback(body: unknown): Callback | null {
  const report = readReport(body)
  const taskId = taskIdAt(body, 'data', 'taskId')
  return report && taskId !== 'too_long' ? { taskId, report } : null
}

const failureOf = (body: unknown): string =>
  shortened(
    textAt(body, 'data', 'failMsg') ??
      (numberAt(body, 'code') === 200 ? null : textAt(body, 'msg')) ??
      'The provider reported a failure without a reason.',
  )

/** The first of an array of URLs; or of a string that is one, or that holds such an array as JSON. */
function firstUrl(value: unknown): string | null {
  if (typeof value === 'string') return value.startsWith('[') ? firstUrl(parsed(value)) : value || null
  return textAt(value, 0)
}

function parsed(text: string | null): unknown {
  try {
    return text ? JSON.parse(text) : null
  } catch {
    return null
  }
}

function isSigned(body: unknown, headers: Record<string, string | undefined>, key: string): boolean {
  const timestamp = headers['x-webhook-timestamp'] ?? ''
  const given = Buffer.from(headers['x-webhook-signature'] ?? '', 'base64')
  const expected = createHmac('sha256', key)
    .update(`${textAt(body, 'data', 'taskId')}.${timestamp}`)
    .digest()
  return given.length === expected.length && timingSafeEqual(given, expected)
}

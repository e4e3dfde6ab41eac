/** Readers for the fields of a provider's task that every provider has: id, status, progress and messages. */

import { type FailureCode, failureFrom } from '../film/failure.ts'
import type { CallResult } from '../net/http-client.ts'
import { at, entryOf, numberAt, textAt } from '../text/json-reader.ts'
import type { Cost, Handle, OpenedResult, Report } from './provider.ts'

const TASK_ID_CHARACTERS_MAX = 500
const MESSAGE_CHARACTERS_MAX = 500
/** No more of a text is read: the time of some patterns grows with the square of its length. */
const READ_CHARACTERS_MAX = 2000
const NUMBER_CHARACTERS_MAX = 32
/** A longer link cannot be fetched (safe-fetch.ts). */
const RESULT_CHARACTERS_MAX = 8192

/** The first of the paths that has an id; null when none can be a key in our database and a part of a path. */
export function taskIdAt(value: unknown, ...paths: (string | number)[][]): string | null {
  const found = paths.map((path) => textAt(value, ...path)).find((text) => text !== null) ?? null
  return found === null || found.length > TASK_ID_CHARACTERS_MAX || DOT_SEGMENT.test(found) ? null : found
}
/** A URL that is built with it would name another resource; `%2e` is read as a dot too. */
const DOT_SEGMENT = /(^|\/)\.{1,2}(\/|$)/

export const handleOf = (taskId: string | null): Handle | null => (taskId === null ? null : { taskId })

/** An absolute http or https URL; null for other text, such as "N/A", and longer ones. */
export function urlAt(value: unknown, ...path: (string | number)[]): string | null {
  const text = textAt(value, ...path)
  const protocol = text === null || text.length > RESULT_CHARACTERS_MAX ? undefined : URL.parse(text)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? text : null
}

/** Progress as a whole number 0..100, of a percentage ("45%") or of a share between 0 and 1; or null. */
export function progressAt(value: unknown, ...path: (string | number)[]): number | null {
  const text = textAt(value, ...path)
  if (text === null || text.length > NUMBER_CHARACTERS_MAX) return null
  const number = numberAt(text.replace(/\s*%$/, ''))
  if (number === null) return null
  const isShare = number > 0 && number < 1 && !text.endsWith('%')
  // 0.29 * 100 is 28.999999999999996.
  return Math.min(100, Math.max(0, Math.floor(isShare ? Math.round(number * 1e6) / 1e4 : number)))
}

/** A whole number of tasks or seconds; null below 0 and beyond a month in seconds, which no task waits. */
export function countAt(value: unknown, ...path: (string | number)[]): number | null {
  const number = numberAt(value, ...path)
  return number === null || number < 0 || number > COUNT_MAX ? null : Math.ceil(number)
}
const COUNT_MAX = 31 * 24 * 3600

type Phase = 'running' | 'completed' | 'failed' | 'unknown'

const words: Record<Exclude<Phase, 'unknown'>, string> = {
  running:
    'created pending queued queuing queueing in_queue wait waiting scheduled submitted accepted starting started preparing ' +
    'processing running generating in_progress',
  completed: 'completed complete success succeeded succeed successful finished finish done ok ready',
  failed:
    'failed fail failure error errored cancelled canceled expired rejected refused timeout time_out timed_out timedout aborted ' +
    'terminated stopped blocked filtered moderated content_moderated request_moderated nsfw',
}

const phases = Object.fromEntries(
  Object.entries(words).flatMap(([phase, list]) => list.split(' ').map((word) => [word, phase as Phase])),
)

/** Maps the many spellings of a task status to a phase. `unknown` counts as still running. */
export const phaseOf = (status: string): Phase =>
  entryOf(phases, status.toLowerCase().replace(/[\s-]+/g, '_')) ?? 'unknown'

/** A body is nested no deeper than this on the way to its text, and no more items of a list are read. */
const REASON_DEPTH_MAX = 5
const REASONS_MAX = 20

/**
 * The text with which a provider explains an error, wherever it is: `error`, `message`, `msg`, `detail`, each a text,
 * an object or a list of them, with the fields that they name; otherwise a code that is a word. Null without any.
 */
export function reasonOf(value: unknown, depth = 0): string | null {
  if (typeof value === 'string') return textAt(value.slice(0, READ_CHARACTERS_MAX))
  if (value === null || typeof value !== 'object' || depth > REASON_DEPTH_MAX) return null
  if (Array.isArray(value)) {
    const each = value
      .slice(0, REASONS_MAX)
      .map((item) => [fieldOf(item), reasonOf(item, depth + 1)])
      .flatMap(([field, text]) => (text ? (field ? `${field}: ${text}` : text) : []))
    return each.length > 0 ? [...new Set(each)].join('; ') : null
  }
  // An `error` that is a text is often a mere title beside the message.
  const error = at(value, 'error')
  const nested = typeof error === 'object' ? reasonOf(error, depth + 1) : null
  if (nested !== null) return nested
  // The code and type of a whole body are not those of an error.
  for (const name of depth === 0 ? REASON_NAMES : [...REASON_NAMES, 'code', 'type']) {
    const found = reasonOf(at(value, name), depth + 1)
    if (found !== null) return found
  }
  return null
}
/** The field that an error of a list is about, as FastAPI (`loc`) and Zod (`path`) name it. */
function fieldOf(error: unknown): string {
  const path = at(error, 'loc') ?? at(error, 'path')
  const parts = Array.isArray(path) ? path.slice(0, REASON_DEPTH_MAX).map((part) => textAt(part)) : []
  return parts.filter((part, i) => part !== null && (i > 0 || part !== 'body')).join('.')
}
const REASON_NAMES = ['message', 'msg', 'detail', 'details', 'error', 'errors', 'reason', 'title']

/** Whether the vendor says that it does not know a task any more. The 404 of a proxy is a page. */
export const isForgotten = ({ status, body }: Extract<CallResult, { kind: 'response' }>): boolean =>
  status === 404 && body !== null && typeof body === 'object'

/** The report of a poll's response. */
export function polledReport(result: CallResult, read: (body: unknown) => Report | null): Report | null {
  if (result.kind !== 'response') return null
  if (isForgotten(result)) return { kind: 'lost' }
  return result.status < 300 ? read(result.body) : null
}

/** The report of a task that is completed: with its film, failed with the reason that is given instead, or neither. */
export function completedReport(result: string | null, reason: string | null): Report {
  if (result !== null && result.length <= RESULT_CHARACTERS_MAX) return { kind: 'completed', result }
  return reason === null ? { kind: 'no_film' } : failedReport(reason)
}

/** @param code the vendor's own list decides; otherwise the words of the message */
export function failedReport(message: string | null, code?: FailureCode): Extract<Report, { kind: 'failed' }> {
  const text = shortened(message ?? 'The provider reported a failure without a reason.')
  return { kind: 'failed', failure: code ? { code, message: text } : failureFrom(text, 'PROVIDER_ERROR') }
}

/** Where the film is now, by a new poll of a task whose links are short-lived. @param link an earlier one */
export function renewedLink(report: Report | null, link: string): OpenedResult | null {
  if (report?.kind === 'completed') return { kind: 'link', url: report.result }
  if (report?.kind === 'failed') return { kind: 'gone', failure: report.failure }
  return report?.kind === 'lost' ? { kind: 'link', url: link } : null
}

const COST_DECIMALS = 12

/** A cost that the vendor names; undefined without one, since an unknown cost is not zero. */
export function costFrom(amount: unknown, unit: string, stage: Cost['stage']): Cost | undefined {
  const text = textAt(amount)
  if (text === null || text.length > NUMBER_CHARACTERS_MAX) return undefined
  if (/^\d{1,12}(\.\d{1,12})?$/.test(text)) return { amount: text, unit, stage }
  // The sum of 0.1 and 0.2 is 0.30000000000000004, and a millionth of a dollar may be 1e-7.
  const isLong = /^\d{1,12}\.\d+$|^\d(\.\d+)?e-\d+$/.test(text)
  return isLong
    ? {
        amount: Number(text)
          .toFixed(COST_DECIMALS)
          .replace(/\.?0+$/, ''),
        unit,
        stage,
      }
    : undefined
}

export const withCost = (report: Report, cost: Cost | undefined): Report => (cost ? { ...report, cost } : report)

/**
 * Limits a provider's message to what is stored, shown and logged, without the queries of URLs: a vendor that cannot
 * reach one of ours quotes it with its signature. A surrogate pair is not split.
 */
export function shortened(message: string): string {
  const shown = message.slice(0, READ_CHARACTERS_MAX).replace(/(https?:\/\/[^\s?"']+)\?[^\s"']*/g, '$1?…')
  return shown.length > MESSAGE_CHARACTERS_MAX
    ? `${shown.slice(0, MESSAGE_CHARACTERS_MAX - 1).replace(/[\ud800-\udbff]$/, '')}…`
    : shown.toWellFormed()
}

/** A report of a task in progress; the note preserves a status word that is not known. */
export const runningReport = (phase: Phase, status: string, progress: number | null): Report =>
  phase === 'unknown' ? { kind: 'running', progress, note: shortened(status) } : { kind: 'running', progress }

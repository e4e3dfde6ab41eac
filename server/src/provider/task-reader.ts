/** Readers for the fields of a provider's task that every provider has: id, status, progress and messages. */
import { entryOf, numberAt, textAt } from '../text/json-reader.ts'
import type { Report } from './provider.ts'

const TASK_ID_CHARACTERS_MAX = 500
const MESSAGE_CHARACTERS_MAX = 500

/** The id of a task; `too_long` when it cannot be a key in our database. */
export function taskIdAt(value: unknown, ...path: (string | number)[]): string | null | 'too_long' {
  const found = textAt(value, ...path)
  return found !== null && found.length > TASK_ID_CHARACTERS_MAX ? 'too_long' : found
}

/** An absolute http or https URL; null for any other text, such as "N/A", which must not be taken for the link to a film. */
export function urlAt(value: unknown, ...path: (string | number)[]): string | null {
  const text = textAt(value, ...path)
  const protocol = text === null ? undefined : URL.parse(text)?.protocol
  return protocol === 'https:' || protocol === 'http:' ? text : null
}

/** Progress as a whole number 0..100, or null. */
export function progressAt(value: unknown, ...path: (string | number)[]): number | null {
  const number = numberAt(value, ...path)
  return number === null ? null : Math.min(100, Math.max(0, Math.floor(number)))
}

type Phase = 'running' | 'completed' | 'failed' | 'unknown'

const phases: Record<string, Exclude<Phase, 'unknown'>> = {
  pending: 'running',
  queued: 'running',
  queuing: 'running',
  queueing: 'running',
  wait: 'running',
  waiting: 'running',
  submitted: 'running',
  processing: 'running',
  running: 'running',
  generating: 'running',
  in_progress: 'running',
  completed: 'completed',
  complete: 'completed',
  success: 'completed',
  succeeded: 'completed',
  finished: 'completed',
  done: 'completed',
  failed: 'failed',
  fail: 'failed',
  failure: 'failed',
  error: 'failed',
  cancelled: 'failed',
  canceled: 'failed',
  expired: 'failed',
  rejected: 'failed',
}

/** Maps the many spellings of a task status to a phase. `unknown` counts as still running. */
export const phaseOf = (status: string): Phase => entryOf(phases, status.toLowerCase()) ?? 'unknown'

/** Limits a provider's message to what is stored, shown and logged. A surrogate pair is not split. */
export function shortened(message: string): string {
  return message.length > MESSAGE_CHARACTERS_MAX
    ? `${message.slice(0, MESSAGE_CHARACTERS_MAX - 1).replace(/[\ud800-\udbff]$/, '')}…`
    : message
}

/** A report of a task in progress; the note preserves a status word that is not known. */
export const runningReport = (phase: Phase, status: string, progress: number | null): Report =>
  phase === 'unknown' ? { kind: 'running', progress, note: shortened(status) } : { kind: 'running', progress }

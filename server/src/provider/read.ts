/**
 * Reading what a provider wrote, leniently: a missing or odd field is null, never an exception.
 */

/** The value below `path` when every step is an object or array that has it; else undefined. */
export function at(value: unknown, ...path: (string | number)[]): unknown {
  let current = value
  for (const step of path) {
    if (current === null || typeof current !== 'object') return undefined
    current = (current as Record<string | number, unknown>)[step]
  }
  return current
}

/** Without null characters and halves of characters: PostgreSQL stores none, and a report that cannot be stored would never be over. */
export function textAt(value: unknown, ...path: (string | number)[]): string | null {
  const found = at(value, ...path)
  if (typeof found === 'number') return String(found)
  return typeof found === 'string' ? found.replaceAll('\0', '').toWellFormed().trim() || null : null
}

/** The id of a task. `too_long`: no id that could be kept, for it is a key of our database. */
export function taskIdAt(value: unknown, ...path: (string | number)[]): string | null | 'too_long' {
  const found = textAt(value, ...path)
  return found !== null && found.length > TASK_ID_CHARACTERS_MAX ? 'too_long' : found
}
const TASK_ID_CHARACTERS_MAX = 500

export function numberAt(value: unknown, ...path: (string | number)[]): number | null {
  const found = at(value, ...path)
  const number = typeof found === 'string' && found.trim() !== '' ? Number(found) : found
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** Progress as a whole number 0..100, or null. */
export function progressAt(value: unknown, ...path: (string | number)[]): number | null {
  const number = numberAt(value, ...path)
  return number === null ? null : Math.min(100, Math.max(0, Math.floor(number)))
}

export type Phase = 'running' | 'completed' | 'failed' | 'unknown'

const phases: Record<string, Phase> = {
  pending: 'running',
  queued: 'running',
  queuing: 'running',
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

/** The one meaning of the many words for a status. A word that nobody knows counts as still running. */
export function phaseOf(word: string): Phase {
  const known = word.toLowerCase()
  // Every object has a "constructor".
  return (Object.hasOwn(phases, known) && phases[known]) || 'unknown'
}

/** Bounds what a provider may have us record, show and log. */
export function shortened(text: string): string {
  // A character of two halves is not cut in the middle.
  return text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX - 1).replace(/[\ud800-\udbff]$/, '')}…` : text
}
const CHARACTERS_MAX = 500

/** Recorded for the user when a provider refuses a task without a word that could be shown. */
export const REFUSED = 'The provider refused this film without saying why.'

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

/** Without null characters: PostgreSQL stores none, and a report that cannot be stored would never be over. */
export function textAt(value: unknown, ...path: (string | number)[]): string | null {
  const found = at(value, ...path)
  if (typeof found === 'number') return String(found)
  return typeof found === 'string' ? found.replaceAll('\0', '').trim() || null : null
}

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
export const phaseOf = (word: string): Phase => phases[word.toLowerCase()] ?? 'unknown'

/** Bounds what a provider may have us record and show. */
export const shortened = (text: string): string => (text.length > 500 ? `${text.slice(0, 499)}…` : text)

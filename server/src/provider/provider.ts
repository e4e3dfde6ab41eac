/**
 * The interface of an AI provider. One adapter a provider translates between this and the provider's wire format, which no
 * other file knows. To add a provider see CONTRIBUTING.md.
 */
import type { Parameters } from '../video/fields.ts'

/** A task to submit. `callbackUrl` is signed and must be passed on unchanged. */
export type Task = Parameters & { videoId: string; callbackUrl: string }

/** What is left of a task when all that an adapter sends is taken out: a parameter that it forgets is an error of the compiler. */
export type NoParameter = Record<string, never>

/**
 * The outcome of a submit.
 * - `accepted`: the provider has the task under this id.
 * - `refused`: permanently, because of its content or parameters. `message` may be shown to the user.
 * - `not_accepted`: certainly not accepted, so a resubmit is safe. `retryable` false: not at this provider, where our account
 *   or URL is at fault. `retryAfterS`: from Retry-After.
 * - `unknown`: possibly accepted. Submits are at-most-once, so it is never sent again.
 */
export type SubmitOutcome =
  | { kind: 'accepted'; taskId: string }
  | { kind: 'refused'; message: string }
  | { kind: 'not_accepted'; reason: string; retryable: boolean; retryAfterS?: number }
  | { kind: 'unknown'; reason: string }

/**
 * The state of a task, from a poll or a callback. `progress`: 0..100; `note`: an unknown status word. `no_film`: completed, with neither a
 * film nor a reason, of a poll only; the film may still follow.
 */
export type Report =
  | { kind: 'running'; progress: number | null; note?: string }
  | { kind: 'completed'; videoUrl: string }
  | { kind: 'failed'; message: string }
  | { kind: 'no_film' }

/** A parsed callback; `taskId` is null when the body names none. */
export type Callback = { taskId: string | null; report: Exclude<Report, { kind: 'no_film' }> }

export type ReadCallback = Callback | null | 'bad_signature'

/** The age up to which a provider's own signature is valid. As much is granted to a provider whose clock is ahead. */
export const SIGNATURE_AGE_MAX_MS = 5 * 60_000

export type Provider = {
  name: string
  /** Never throws: every failure is one of the four outcomes. `headers`: to send besides the adapter's own, as for poll. */
  submit: (task: Task, signal?: AbortSignal, headers?: Record<string, string>) => Promise<SubmitOutcome>
  /** Polls a task. Returns null when the provider does not respond or does not know the task. */
  poll: (taskId: string, signal?: AbortSignal, headers?: Record<string, string>) => Promise<Report | null>
  /**
   * Parses a callback. Returns null when the body is unreadable, so that the provider retries it, and `bad_signature` when
   * the provider's own signature in `headers` is wrong, or at `now` older than SIGNATURE_AGE_MAX_MS.
   */
  readCallback: (body: unknown, headers: Record<string, string | undefined>, now: Date) => ReadCallback
  close: () => Promise<void>
}

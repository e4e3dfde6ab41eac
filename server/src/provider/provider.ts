/**
 * What Kinora asks of an AI provider. One file per provider translates between this and the provider's own words;
 * nothing else knows a wire format. To add one see CONTRIBUTING.md.
 */

/** What is handed over: `callbackUrl` is signed by us and must reach the provider as it is. */
export type Task = {
  videoId: string
  model: string
  prompt: string
  durationS: number
  aspectRatio: string
  quality: string
  startImageUrl: string | null
  callbackUrl: string
}

/**
 * What became of a submit.
 * - `accepted`: the provider has the task, under this id.
 * - `refused`: for good, because of what was asked (content, parameters). `message` is fit to be shown to the user.
 * - `not_taken`: certainly not accepted; may be sent again. `retryable` false: not to this provider (our account there
 *   is at fault, not the task). `retryAfterS`: what the provider asked for.
 * - `unknown`: it may have been accepted, nobody can say. Never to be sent again.
 */
export type Submitted =
  | { kind: 'accepted'; taskId: string }
  | { kind: 'refused'; message: string }
  | { kind: 'not_taken'; reason: string; retryable: boolean; retryAfterS?: number }
  | { kind: 'unknown'; reason: string }

/** What a provider says of a task, when asked or calling back. `progress`: 0..100. */
export type Report =
  | { kind: 'running'; progress: number | null; note?: string }
  | { kind: 'completed'; videoUrl: string }
  | { kind: 'failed'; message: string }

/** A callback as read; `taskId` null when the body names none. */
export type Callback = { taskId: string | null; report: Report }

export type Provider = {
  name: string
  /** Never throws: whatever happens is one of the four answers. */
  submit: (task: Task, signal?: AbortSignal) => Promise<Submitted>
  /** Asks for a task. Answers null when the provider cannot be asked now or does not know the task. */
  ask: (taskId: string, signal?: AbortSignal) => Promise<Report | null>
  /**
   * Reads a callback's body. Answers null when it cannot be made sense of, so that the provider sends it again.
   * `headers` carries whatever signature of its own the provider adds; `bad_signature` when that is wrong.
   */
  readCallback: (body: unknown, headers: Record<string, string | undefined>) => Callback | null | 'bad_signature'
  close: () => Promise<void>
}

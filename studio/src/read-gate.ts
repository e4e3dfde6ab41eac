/**
 * The fetch of the studio's client. A read that the service receives after the session has ended gets 401, although the user only
 * signed out. Invariant: while a request that ends the session is under way, no read waits for the head of its response.
 */

/** What the held reads wait for: rejected when the session has ended. */
let gate: Promise<void> | null = null
/** Of the reads without a response yet. An open event stream is not among them: the service ends it without an error. */
const unanswered = new Set<AbortController>()

export async function fetchThroughGate(request: Request): Promise<Response> {
  if (request.method !== 'GET') return await fetch(request)
  await gate
  const abort = new AbortController()
  unanswered.add(abort)
  try {
    return await fetch(request, { signal: AbortSignal.any([request.signal, abort.signal]) })
  } finally {
    unanswered.delete(abort)
  }
}

/**
 * Runs `end` with the gate closed. When it fails the session goes on: held reads are sent, and TanStack Query repeats the aborted ones
 * as it does after any lost connection. Otherwise the held reads are rejected unsent.
 */
export async function closeGateWhile(end: () => Promise<void>): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  promise.catch(() => undefined)
  gate = promise
  for (const abort of unanswered) abort.abort()
  try {
    await end()
    reject(AbortSignal.abort().reason)
  } catch (error) {
    resolve()
    throw error
  } finally {
    gate = null
  }
}

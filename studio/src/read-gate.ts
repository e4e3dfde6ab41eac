/**
 * The fetch of the studio's client. A read that the service receives after the session has ended gets 401, although the user only
 * signed out, or changed the password, which replaces the session. Invariant: while a request that ends the session is under way, no
 * read waits for the head of its response.
 */

/** What the held reads wait for: rejected when the session has ended. */
let gate: Promise<void> | null = null
/** Reads without a response yet. An open event stream is not among them: the service ends it without an error. */
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
 * Runs `request` with the gate closed. Afterwards the held reads are sent, and TanStack Query repeats the aborted ones as it does after
 * any lost connection.
 * @param isEnd no session follows: when the request succeeds, the held reads are rejected unsent
 */
export async function closeGateWhile<T>(request: () => Promise<T>, isEnd: boolean): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  promise.catch(() => undefined)
  gate = promise
  for (const abort of unanswered) abort.abort()
  try {
    const result = await request()
    if (isEnd) reject(AbortSignal.abort().reason)
    else resolve()
    return result
  } catch (error) {
    resolve()
    throw error
  } finally {
    gate = null
  }
}

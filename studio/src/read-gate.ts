/**
 * The fetch of the studio's client. A read that the service receives after the session has ended gets 401, although the
 * user only signed out, or changed the password, which replaces the session. Invariant: while a request that ends the
 * session is under way, no read waits for the head of its response. Reads of the user's films and credits also wait for
 * the event stream to open, so that what they return is newer than its first event, and is not read again.
 */

import { addTeam } from './chosen-team.ts'

declare global {
  /** What early.js has asked for, by path and query. */
  var kinoraEarly: Early | undefined
}

/**
 * `areNewer`: whether the reads have waited for the stream; absent where none is of a user. `at`: when the service made
 * the reads that came with the document, in epoch ms, from where the stream resumes.
 */
type Early = Map<string, { response: Promise<Response | null>; abort: AbortController }> & {
  areNewer?: boolean
  at?: string | undefined
}

/** What the held reads wait for: rejected when the session has ended. */
let gate: Promise<void> | null = null
/** Reads without a response yet. An open event stream is not among them: the service ends it without an error. */
const unanswered = new Set<AbortController>()

export async function fetchThroughGate(request: Request): Promise<Response> {
  addTeam(request)
  if (request.method !== 'GET') return await fetch(request)
  if (OF_THE_STREAM.test(new URL(request.url).pathname)) {
    hasRead = true
    await streamOpening
  }
  await gate
  const abort = new AbortController()
  unanswered.add(abort)
  try {
    const signal = AbortSignal.any([request.signal, abort.signal])
    return (await takeEarly(request, signal)) ?? (await fetch(request, { signal }))
  } finally {
    unanswered.delete(abort)
  }
}

/** @returns null when there is none, or it has failed */
async function takeEarly({ url }: Request, signal: AbortSignal): Promise<Response | null> {
  const { pathname, search } = new URL(url)
  const early = globalThis.kinoraEarly?.get(pathname + search)
  if (!early) return null
  globalThis.kinoraEarly?.delete(pathname + search)
  signal.addEventListener('abort', () => early.abort.abort())
  return await early.response
}

/** Ends the early stream when another tab has one. */
export function dropEarlyStream(): void {
  globalThis.kinoraEarly?.get(STREAM)?.abort.abort()
  globalThis.kinoraEarly?.delete(STREAM)
}

/** Ends what has not been taken: it would be stale for a later page, and another user's after the next sign-in. */
export function dropEarly(): void {
  for (const { abort } of globalThis.kinoraEarly?.values() ?? []) abort.abort()
  globalThis.kinoraEarly?.clear()
  takeDocumentTime()
}

/** @returns when the reads were made that came with the document, once; '' without any */
export function takeDocumentTime(): string {
  const { at = '' } = globalThis.kinoraEarly ?? {}
  if (globalThis.kinoraEarly) globalThis.kinoraEarly.at = undefined
  return at
}

const STREAM = '/api/v1/video/events'
const EARLY_MAX_MS = 10_000
setTimeout(dropEarly, EARLY_MAX_MS)
/** What an event of a film changes. */
const OF_THE_STREAM = /^\/api\/v1\/(video\/(?!events)|credit\/)/
/** A stream that opens later than this delays the page; its first event then has the page read again. */
const STREAM_OPENING_MAX_MS = 400
let streamOpening: Promise<void> | null = null
/** Whether a stream that opens from now on is later than a read. */
let hasRead = false

/** Holds reads. @returns a function that releases them, and returns whether all reads so far have waited */
export function holdReads(): () => boolean {
  const isFirst = !hasRead
  const { promise, resolve } = Promise.withResolvers<void>()
  const release = () => {
    clearTimeout(timer)
    resolve()
    if (streamOpening !== promise) return false
    streamOpening = null
    return isFirst && (globalThis.kinoraEarly?.areNewer ?? true)
  }
  const timer = setTimeout(release, STREAM_OPENING_MAX_MS)
  streamOpening = promise
  return release
}

/**
 * Runs `request` with the gate closed. Afterwards the held reads are sent, and TanStack Query repeats the aborted ones
 * as it does after any lost connection.
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

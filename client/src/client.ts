/**
 * The client: openapi-fetch with the types of openapi.ts, and the envelope removed in the types and at run time. A call
 * rejects only when its signal is aborted, or when the request cannot be built (a mistake in the program).
 */
import createClient from 'openapi-fetch'
import type { Calls, Each, Method, Send } from './calls.ts'
import { errorFromResponse, isRecord, type Result, unreachableError } from './errors.ts'
import { type EventsOptions, followEvents, type VideoEvent } from './events.ts'
import type {
  GenerateBody,
  GenerateProjectBody,
  InputsBody,
  UpscaleBody,
  Video,
  WaitOptions,
} from './generate-and-wait.ts'
import type { paths } from './openapi.ts'
import { shareEvents } from './shared-events.ts'
import type { Asset, UploadOptions } from './upload.ts'

export type KinoraOptions = {
  /**
   * The service's URL, such as `https://films.example.com`. Optional in a browser, where it defaults to the page's
   * origin.
   */
  baseUrl?: string | undefined
  /** An API key, sent as `x-api-key`. */
  apiKey?: string | undefined
  /** A session token, sent as a bearer token. In a browser on the same origin the session cookie is enough. */
  token?: string | undefined
  /** The id of a team, sent as `X-Team`: requests are for the team. Needless with an API key of the team. */
  team?: string | undefined
  /**
   * Whether a call whose response is lost, or that the service refuses for the moment, is sent again, twice at most.
   * Creating requests have an Idempotency-Key, so that nothing is made twice. Default: with an API key.
   */
  retry?: boolean
  /** Replaces the global fetch. */
  fetch?: (request: Request, init?: { signal: AbortSignal }) => Promise<Response>
}

/** @typeParam Paths the operations it may call: those of openapi.json, or `AllPaths` with sign-in and administration */
export type Kinora<Paths = paths> = Calls<Paths> & {
  /**
   * Every item of a list, page after page: `for await (const video of kinora.each('/api/v1/video/list'))`.
   * @throws KinoraStreamError where a page cannot be read
   */
  each: Each<Paths>
  /**
   * Makes a video and waits for it. Requests without a response are retried with the same idempotency key: one video is
   * made. Aborting the signal ends the wait, not the video.
   * Several films (`n`) are requested by `POST`, and each is awaited by `wait`.
   * @returns the finished video, or the error: `VIDEO_FAILED` with the reason as its message when the video failed
   */
  generateAndWait: (
    body: Omit<GenerateBody, 'n'> | Omit<InputsBody, 'n'> | UpscaleBody,
    options?: WaitOptions,
  ) => Promise<Result<Video>>
  /**
   * Generates the shots of a project that lack a take, or those named, by one request, and waits for all of them, also
   * for those that wait for others. `onProgress` is called for each film.
   * @returns the films in the order of the shots; `VIDEO_FAILED` for the first that failed, once all have ended
   */
  generateProjectAndWait: (id: string, body?: GenerateProjectBody, options?: WaitOptions) => Promise<Result<Video[]>>
  /** Renders a project to one film and waits for it, as generateAndWait does. */
  renderAndWait: (id: string, options?: WaitOptions) => Promise<Result<Video>>
  /** Waits for a video that was requested before, as generateAndWait does. */
  wait: (uuid: string, options?: Omit<WaitOptions, 'idempotencyKey'>) => Promise<Result<Video>>
  /**
   * Uploads a picture, film or sound. A file of more than 16 MB goes in pieces: a lost connection costs one of them,
   * and another process can go on with the rest.
   */
  uploadAsset: (file: Blob, options?: UploadOptions) => Promise<Result<Asset>>
  /**
   * Status and progress of the caller's videos as they change. A lost connection is reopened. Ends when the signal is
   * aborted.
   * @throws KinoraStreamError on a permanent error, such as 401
   */
  events: (options?: EventsOptions) => AsyncGenerator<VideoEvent, void, undefined>
}

/** @throws TypeError outside a browser when `baseUrl` is missing */
export function openKinora<Paths = paths>(options: KinoraOptions = {}): Kinora<Paths> {
  if (options.baseUrl === undefined && !('location' in globalThis)) {
    throw new TypeError('openKinora needs baseUrl outside a browser, such as { baseUrl: "http://localhost:8080" }.')
  }
  const baseUrl = (options.baseUrl ?? '').replace(/\/+$/, '')
  const headers: Record<string, string> = {
    ...(options.apiKey === undefined ? {} : { 'x-api-key': options.apiKey }),
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
    ...(options.team === undefined ? {} : { 'x-team': options.team }),
  }
  const send: SendRequest = (request, signal) => {
    // Looked up at each call, so that a global fetch that is replaced later is used as well.
    const fetch = options.fetch ?? globalThis.fetch
    // Passed again, although the request has it: Node loses the signal of a garbage-collected request, and an abort
    // would never end the call (nodejs/node#55428).
    return signal ? fetch(request, { signal }) : fetch(request)
  }
  const core: Core = createClient<Record<string, never>>({
    baseUrl,
    headers,
    credentials: 'same-origin',
    bodySerializer: (body: unknown) => (isBinary(body) ? body : JSON.stringify(body)),
  })
  const callOnce = (method: Method, path: string, init: LooseOptions = {}) => call(core, send, method, path, init)
  const mayRetry = options.retry ?? options.apiKey !== undefined
  const callAgain: typeof callOnce = async (method, path, init = {}) =>
    (await import('./repeat.ts')).repeat(method, path, init, (sent) => callOnce(method, path, sent))
  // Waiting repeats its requests itself, and for longer.
  const waiting = callsBy<paths & Paths>(callOnce)
  const calls = mayRetry ? callsBy<paths & Paths>(callAgain) : waiting

  const sendTo: Send = (path, { signal, ...init }) =>
    send(
      new Request(baseUrl + path, {
        ...init,
        ...(signal && { signal }),
        headers: { ...headers, ...init.headers },
        credentials: 'same-origin',
        cache: 'no-store',
      }),
      signal,
    )
  const shared = shareEvents((eventsOptions) => kinora.events(eventsOptions))
  const kinora: Kinora<paths & Paths> = {
    ...calls,
    // Cast: the types of a path decide those of its items.
    each: ((path: string, listOptions?: LooseOptions) =>
      eachOf((pageOptions) => (mayRetry ? callAgain : callOnce)('get', path, pageOptions), listOptions)) as Each<
      paths & Paths
    >,
    // Loaded on demand: most pages of an application wait for no film, and upload nothing.
    generateAndWait: async (body, waitOptions) =>
      (await import('./generate-and-wait.ts')).generateAndWait(waiting, shared, body, waitOptions),
    generateProjectAndWait: async (id, body, waitOptions) =>
      (await import('./generate-and-wait.ts')).generateProjectAndWait(waiting, shared, id, body, waitOptions),
    renderAndWait: async (id, waitOptions) =>
      (await import('./generate-and-wait.ts')).renderAndWait(waiting, shared, id, waitOptions),
    wait: async (uuid, waitOptions) =>
      (await import('./generate-and-wait.ts')).waitForVideo(waiting, shared, uuid, waitOptions),
    uploadAsset: async (file, uploadOptions) => (await import('./upload.ts')).uploadAsset(sendTo, file, uploadOptions),
    events: (eventsOptions) => followEvents(sendTo, eventsOptions),
  }
  return kinora
}

type SendRequest = (request: Request, signal: AbortSignal | undefined) => Promise<Response>
type LooseOptions = {
  body?: unknown
  signal?: AbortSignal
  headers?: Record<string, string>
  keepalive?: boolean
  params?: { query?: object; header?: Record<string, string | undefined> }
}
/** openapi-fetch without its types; `Call` types the calls. */
type Core = {
  request: (
    method: Method,
    path: never,
    init: never,
  ) => Promise<{ data?: unknown; error?: unknown; response: Response }>
}

type CallLoosely = (method: Method, path: string, init?: LooseOptions) => Promise<Result<unknown>>

function callsBy<Paths>(call: CallLoosely): Calls<Paths> {
  const callAs = (method: Method) => (path: string, init?: LooseOptions) => call(method, path, init)
  // Cast: the types of a path decide those of its call.
  return {
    GET: callAs('get'),
    POST: callAs('post'),
    PUT: callAs('put'),
    PATCH: callAs('patch'),
    DELETE: callAs('delete'),
  } as unknown as Calls<Paths>
}

/** Loaded on demand, as waiting is. */
async function* eachOf(read: (options: LooseOptions) => Promise<Result<unknown>>, options?: LooseOptions) {
  yield* (await import('./each.ts')).eachItem(read, options)
}

async function call(
  core: Core,
  send: SendRequest,
  method: Method,
  path: string,
  options: LooseOptions,
): Promise<Result<unknown>> {
  let isSent = false
  const init = {
    ...options,
    headers: { ...contentTypeOf(options.body), ...options.headers },
    // The body is parsed below, where invalid JSON becomes an error value instead of an exception.
    parseAs: 'stream',
    fetch: (request: Request) => {
      isSent = true
      return send(request, options.signal)
    },
  }
  try {
    const { error, response } = await core.request(method, path as never, init as never)
    if (!response.ok) return failure(response, error)
    const body = parseJson(await response.text())
    if (body === undefined) return failure(response, body)
    return path.startsWith('/api/v1/') ? unwrap(response, body) : { data: body, error: undefined }
  } catch (cause) {
    // An exception before the request is sent is a mistake in the program, such as an invalid URL.
    if (options.signal?.aborted || !isSent) throw cause
    return { data: undefined, error: unreachableError() }
  }
}

function unwrap(response: Response, body: unknown): Result<unknown> {
  return isRecord(body) && body.success === true && 'data' in body
    ? { data: body.data, error: undefined }
    : failure(response, body)
}

const failure = (response: Response, body: unknown): Result<never> => ({
  data: undefined,
  error: errorFromResponse(response, body),
})

/** @returns undefined when the text is no JSON; null for an empty text, which some calls of `/api/auth/*` return */
function parseJson(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isBinary = (body: unknown): boolean =>
  body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body) || body instanceof FormData

/** A Blob has its own type; other bytes are `application/octet-stream` unless the caller sets the header. */
function contentTypeOf(body: unknown): Record<string, string> {
  if (!isBinary(body) || body instanceof FormData) return {}
  const type = body instanceof Blob ? body.type : ''
  return { 'content-type': type || 'application/octet-stream' }
}

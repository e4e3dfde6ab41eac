/**
 * The client: openapi-fetch on the types of openapi.ts, with the envelope taken off in the types and at run time. A call
 * never rejects but when its signal is aborted or it could not even be sent as asked (a mistake in the program).
 */
import createClient from 'openapi-fetch'
import { type Answer, errorOf, isRecord, unreachable } from './errors.ts'
import { type EventsOptions, followEvents, type VideoEvent } from './events.ts'
import type { paths } from './openapi.ts'
import { shareEvents } from './shared-events.ts'
import { type GenerateBody, generateAndWait, type Video, type WaitOptions } from './generate-and-wait.ts'

export type KinoraOptions = {
  /** Where the service is, such as `https://films.example.com`. In a browser it may be left out: the page's own host. */
  baseUrl?: string | undefined
  /** An API key, sent as `x-api-key`. */
  apiKey?: string | undefined
  /** A session token, sent as a bearer token. In a browser of the same host the cookie does without either. */
  token?: string | undefined
  /** Instead of the global fetch. */
  fetch?: (request: Request, init?: { signal: AbortSignal }) => Promise<Response>
}

type Method = 'get' | 'post' | 'delete'
type PathsWith<M extends Method> = {
  [Path in keyof paths]: paths[Path] extends { [method in M]: object } ? Path : never
}[keyof paths]
type OperationOf<M extends Method, Path extends keyof paths> = paths[Path][M]

type ParamsOf<Operation> = Operation extends { parameters: infer Params }
  ? object extends Params
    ? { params?: Params }
    : { params: Params }
  : { params?: never }
type BodyOf<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? { body: Content[keyof Content] }
  : Operation extends { requestBody?: { content: infer Content } }
    ? { body?: Content[keyof Content] }
    : { body?: never }

/** What a call takes: `params: { path, query, header }` and `body` as the operation has them, and how it is sent. */
export type CallOptions<M extends Method, Path extends keyof paths> = ParamsOf<OperationOf<M, Path>> &
  BodyOf<OperationOf<M, Path>> & {
    signal?: AbortSignal
    headers?: Record<string, string>
    /** In a browser: the request arrives even when the page goes away meanwhile. */
    keepalive?: boolean
  }

type Unwrapped<Body> = Body extends { success: true; data: infer Data } ? Data : Body

/** The data of a good answer: that of the envelope, or the whole body where there is none (`/api/auth/*`). */
export type DataOf<M extends Method, Path extends keyof paths> =
  OperationOf<M, Path> extends {
    responses: { 200: { content: { 'application/json': infer Body } } }
  }
    ? Unwrapped<Body>
    : unknown

type Call<M extends Method> = <Path extends PathsWith<M>>(
  path: Path,
  ...options: object extends CallOptions<M, Path> ? [options?: CallOptions<M, Path>] : [options: CallOptions<M, Path>]
) => Promise<Answer<DataOf<M, Path>>>

export type Kinora = {
  GET: Call<'get'>
  POST: Call<'post'>
  DELETE: Call<'delete'>
  /**
   * Makes a video and waits for the film. Requests that got no answer are sent again, and make one video all the same.
   * Ending it by the signal ends the waiting and not the video.
   * @returns the finished video, or the error; a video that failed is `VIDEO_FAILED`, its message the reason
   */
  generateAndWait: (body: GenerateBody, options?: WaitOptions) => Promise<Answer<Video>>
  /**
   * Status and progress of the caller's videos as they change, over one connection that is made again whenever it is lost.
   * Ends when the signal is aborted.
   * @throws KinoraStreamError when the service refuses the stream for good, as with 401
   */
  events: (options?: EventsOptions) => AsyncGenerator<VideoEvent, void, undefined>
}

/** How the parts of the client reach the service; a path of openapi.json in, a plain Response out. */
export type Send = (path: string, init: { headers: Record<string, string>; signal: AbortSignal }) => Promise<Response>

/** @throws TypeError outside a browser when `baseUrl` is missing */
export function openKinora(options: KinoraOptions = {}): Kinora {
  if (options.baseUrl === undefined && !('location' in globalThis)) {
    throw new TypeError('openKinora needs baseUrl outside a browser, such as { baseUrl: "http://localhost:8080" }.')
  }
  const baseUrl = (options.baseUrl ?? '').replace(/\/+$/, '')
  const headers: Record<string, string> = {
    ...(options.apiKey === undefined ? {} : { 'x-api-key': options.apiKey }),
    ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
  }
  const send: SendRequest = (request, signal) => {
    // Looked up at each call, so that a fetch that is put in place later is used as well.
    const fetch = options.fetch ?? globalThis.fetch
    // Given again, although the request has it: Node forgets the signal of a request that was collected as garbage, and
    // would never end what waits for it (nodejs/node#55428).
    return signal ? fetch(request, { signal }) : fetch(request)
  }
  const core: Core = createClient<Record<string, never>>({
    baseUrl,
    headers,
    credentials: 'same-origin',
    bodySerializer: (body: unknown) => (isBinary(body) ? body : JSON.stringify(body)),
  })
  const callAs =
    (method: Method) =>
    (path: string, init: LooseOptions = {}) =>
      call(core, send, method, path, init)

  const shared = shareEvents((eventsOptions) => kinora.events(eventsOptions))
  const kinora: Kinora = {
    GET: callAs('get') as Call<'get'>,
    POST: callAs('post') as Call<'post'>,
    DELETE: callAs('delete') as Call<'delete'>,
    generateAndWait: (body, waitOptions) => generateAndWait(kinora, shared, body, waitOptions),
    events: (eventsOptions) =>
      followEvents(
        (path, init) =>
          send(
            new Request(baseUrl + path, {
              ...init,
              headers: { ...headers, ...init.headers },
              credentials: 'same-origin',
              cache: 'no-store',
            }),
            init.signal,
          ),
        eventsOptions,
      ),
  }
  return kinora
}

type SendRequest = (request: Request, signal: AbortSignal | undefined) => Promise<Response>
type LooseOptions = { body?: unknown; signal?: AbortSignal; headers?: Record<string, string>; keepalive?: boolean }
/** openapi-fetch without the types, which Call has. */
type Core = {
  request: (
    method: Method,
    path: never,
    init: never,
  ) => Promise<{ data?: unknown; error?: unknown; response: Response }>
}

async function call(
  core: Core,
  send: SendRequest,
  method: Method,
  path: string,
  options: LooseOptions,
): Promise<Answer<unknown>> {
  let isSent = false
  const init = {
    ...options,
    headers: { ...contentTypeOf(options.body), ...options.headers },
    // The body is read below, where one that is no JSON becomes an error instead of an exception.
    parseAs: 'stream',
    fetch: (request: Request) => {
      isSent = true
      return send(request, options.signal)
    },
  }
  try {
    const { error, response } = await core.request(method, path as never, init as never)
    if (!response.ok) return failed(response, error)
    const body = parsed(await response.text())
    if (body === undefined) return failed(response, body)
    return path.startsWith('/api/v1/') ? unwrapped(response, body) : { data: body, error: undefined }
  } catch (cause) {
    // What throws before anything is sent is a mistake in the program, such as an address that is none.
    if (options.signal?.aborted || !isSent) throw cause
    return { data: undefined, error: unreachable() }
  }
}

function unwrapped(response: Response, body: unknown): Answer<unknown> {
  return isRecord(body) && body.success === true && 'data' in body
    ? { data: body.data, error: undefined }
    : failed(response, body)
}

const failed = (response: Response, body: unknown): Answer<never> => ({
  data: undefined,
  error: errorOf(response, body),
})

/** @returns undefined when the text is no JSON; null for an empty one, which some calls of the sign-in answer */
function parsed(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isBinary = (body: unknown): boolean =>
  body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body) || body instanceof FormData

/** A file of a browser knows its type; other bytes are only that, unless the caller says more. */
function contentTypeOf(body: unknown): Record<string, string> {
  if (!isBinary(body) || body instanceof FormData) return {}
  const type = body instanceof Blob ? body.type : ''
  return { 'content-type': type || 'application/octet-stream' }
}

/**
 * HTTP client for untrusted URLs, protected against SSRF: the result URLs that AI providers report and the start images
 * that users link to are fetched through it. Invariant: for any URL, redirect and DNS response, it connects only to
 * public hosts, to the operator's allowlist and to the host that the call allows (see ssrf-guard.ts), and no response
 * costs more time or bytes than the caller's limits.
 */
import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Agent, type Dispatcher } from 'undici'
import { withTimeout } from '../async/timer.ts'
import { type FetchCode, FetchError, toFetchError } from './fetch-error.ts'
import { checkHost, checkUrl, guardedConnector, type Lookup, parseAllowlist } from './ssrf-guard.ts'
import { userAgent } from './user-agent.ts'

export type FetchLimits = {
  maxBytes: number
  /** The timeout of the whole fetch: redirects, headers and body. */
  timeoutMs: number
  /** The longest time without data, before the headers and between two chunks of the body. */
  idleTimeoutMs: number
  /** Content types that the request asks for; servers often send another, generic one, or none. */
  accept: readonly string[]
  /** Content types refused before the body, beside pages and data not in `accept`: exact, or ending in `/*`. */
  refuse: readonly string[]
  /** Aborts the fetch, which then fails with the signal's reason. */
  signal?: AbortSignal
  /** Sent to the origin of the URL alone: a redirect to another one gets none of them. */
  headers?: Record<string, string>
  /** A `host:port` that may be private and use http, for this fetch alone. */
  allow?: string | undefined
}

export type FetchResponse = {
  /** The URL of the response after redirects. It may contain a signed query: never log it. */
  url: string
  /** Lower case, without parameters. */
  contentType: string
  /** The value of Content-Length; null when the header is missing. */
  sizeBytes: number | null
  /** Throws `FetchError` when a limit is exceeded or the body ends early. To be read or abandoned within timeoutMs. */
  body: AsyncIterable<Uint8Array>
}

export type SafeFetch = {
  /** Checks a URL without a DNS lookup. @throws FetchError ADDRESS_REFUSED, SCHEME_REFUSED, PORT_REFUSED */
  checkUrl(url: string): void
  /**
   * Checks a URL that another service will fetch: as checkUrl, and resolves its host name.
   * @throws FetchError ADDRESS_REFUSED, SCHEME_REFUSED, PORT_REFUSED; TIMEOUT, UNREACHABLE when the resolver does not
   * answer
   */
  checkHost(url: string, timeoutMs: number): Promise<void>
  /** @throws FetchError, or the reason of `limits.signal` */
  get(url: string, limits: FetchLimits): Promise<FetchResponse>
  /**
   * Streams a response into a new file. The file is flushed to disk when this returns and removed when it throws.
   * @throws FetchError; the reason of `limits.signal`; errors of the file system (`EEXIST` leaves the file alone)
   */
  toFile(url: string, file: string, limits: FetchLimits): Promise<{ contentType: string; sizeBytes: number }>
  close(): Promise<void>
}

const REDIRECTS_MAX = 3
const URL_CHARACTERS_MAX = 8192
const HEADER_BYTES_MAX = 16 * 1024
const CONNECT_TIMEOUT_MS = 10_000
/** Pages, data and playlists: never a film or an image, but what a server sends instead of one. */
const DOCUMENT_TYPE =
  /^(text\/(html|xml)|application\/(json|xml|xhtml\+xml|.*mpegurl)|audio\/(x-)?mpegurl|[^/]*\/.*\+(json|xml))$/
/** The file has been announced and is not there yet. */
const notReadyStatuses = new Set([202, 204])
const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** `allow`: `host:port` entries that may be private and may use http; matched exactly. */
export type GuardOptions = { allow: readonly string[]; lookup?: Lookup }

/**
 * What every client of untrusted URLs has: the checks of a URL, and the agent whose sockets the SSRF guard opens.
 * @throws Error that names an entry which is not a host and port
 */
export function openGuard({ allow, lookup }: GuardOptions) {
  const allowlist = parseAllowlist(allow)
  return {
    allowlist,
    agent: new Agent({
      connect: guardedConnector(allowlist, lookup, CONNECT_TIMEOUT_MS),
      // undici limits header sizes for HTTP/1.1 only, and one film a connection gains nothing from HTTP/2.
      allowH2: false,
      maxHeaderSize: HEADER_BYTES_MAX,
      keepAliveMaxTimeout: 10_000,
    }),
    checkUrl: (url: string): void => void parseSafeUrl(url, allowlist),
    checkHost: async (url: string, timeoutMs: number): Promise<void> => {
      const target = parseSafeUrl(url, allowlist)
      const late = () => {
        throw new FetchError('TIMEOUT', `The name ${target.hostname} could not be resolved in time.`)
      }
      try {
        await withTimeout(checkHost(target, allowlist, lookup), timeoutMs, late)
      } catch (error) {
        throw toFetchError(error, 'UNREACHABLE', target.hostname)
      }
    },
  }
}

/** The end of the certificate of an https address, whose chain is checked. @throws FetchError */
export async function certificateUntil(url: string, options: GuardOptions, timeoutMs: number): Promise<Date> {
  const allowlist = parseAllowlist(options.allow)
  const { hostname, host, port } = parseSafeUrl(url, allowlist)
  const connect = guardedConnector(allowlist, options.lookup, timeoutMs)
  return new Promise((resolve, reject) => {
    connect({ protocol: 'https:', hostname, host, servername: hostname, port: port || '443' }, (error, socket) => {
      if (!socket || !('getPeerCertificate' in socket)) return reject(toFetchError(error, 'UNREACHABLE', hostname))
      const until = new Date(socket.getPeerCertificate().valid_to)
      socket.destroy()
      resolve(until)
    })
  })
}

/** @throws Error that names an entry which is not a host and port */
export function openSafeFetch(options: GuardOptions): SafeFetch {
  const guard = openGuard(options)
  const { checkUrl, checkHost } = guard
  /** By the host that a call allows: few, those of the operator's own accounts. */
  const guards = new Map<string | undefined, typeof guard>([[undefined, guard]])
  function guardFor(allow: string | undefined) {
    const found = guards.get(allow) ?? openGuard({ ...options, allow: [...options.allow, ...(allow ? [allow] : [])] })
    guards.set(allow, found)
    return found
  }
  const safeFetch: SafeFetch = {
    checkUrl,
    checkHost,
    get: async (url, limits) => {
      const deadline = startDeadline(limits.timeoutMs, limits.signal)
      try {
        const { response, finalUrl } = await followRedirects(guardFor(limits.allow), url, limits, deadline.signal)
        return checkResponse(response, finalUrl, limits, deadline)
      } catch (error) {
        deadline.clear()
        throw error
      }
    },
    toFile: async (url, file, limits) => {
      const handle = await open(file, 'wx', 0o600)
      try {
        const response = await safeFetch.get(url, limits)
        const sink = handle.createWriteStream({ flush: true })
        await pipeline(response.body, sink)
        if (sink.bytesWritten === 0)
          throw new FetchError('NOT_READY', `${new URL(response.url).hostname} sent no bytes.`)
        return { contentType: response.contentType, sizeBytes: sink.bytesWritten }
      } catch (error) {
        await handle.close()
        await rm(file, { force: true })
        throw error
      }
    },
    close: async () => {
      await Promise.all([...guards.values()].map(({ agent }) => agent.destroy()))
    },
  }
  return safeFetch
}

async function followRedirects(
  { agent, allowlist }: Pick<ReturnType<typeof openGuard>, 'agent' | 'allowlist'>,
  url: string,
  limits: FetchLimits,
  signal: AbortSignal,
): Promise<{ response: Dispatcher.ResponseData; finalUrl: URL }> {
  const headers = { accept: limits.accept.join(', '), 'user-agent': userAgent, 'accept-encoding': 'identity' }
  let target = parseSafeUrl(url, allowlist)
  const { origin } = target
  for (let redirects = 0; ; redirects += 1) {
    const sent = target.origin === origin ? { ...limits.headers, ...headers } : headers
    const response = await sendRequest(agent, target, { method: 'GET', headers: sent }, limits.idleTimeoutMs, signal)
    const location = header(response, 'location')
    if (!redirectStatuses.has(response.statusCode) || location === '') return { response, finalUrl: target }
    discard(response)
    if (redirects === REDIRECTS_MAX) {
      throw new FetchError('TOO_MANY_REDIRECTS', `The address redirects more than ${REDIRECTS_MAX} times.`)
    }
    target = parseSafeUrl(location, allowlist, target.href)
  }
}

/** @throws FetchError URL_REFUSED, ADDRESS_REFUSED, SCHEME_REFUSED, PORT_REFUSED */
export function parseSafeUrl(text: string, allowlist: ReadonlySet<string>, base?: string): URL {
  const url = text.length > URL_CHARACTERS_MAX ? null : URL.parse(text, base)
  if (!url) throw new FetchError('URL_REFUSED', 'The address is not a valid URL.')
  checkUrl(url, allowlist)
  url.hash = ''
  return url
}

/**
 * Sends one request and resolves with the response's status and headers.
 * @param timeoutMs for the headers, and between two parts of the body
 * @throws FetchError; the signal's reason
 */
export async function sendRequest(
  agent: Agent,
  url: URL,
  request: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string },
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  signal.throwIfAborted()
  const pending = agent.request({
    ...request,
    origin: url.origin,
    path: url.pathname + url.search,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    signal,
  })
  // undici observes the signal only after it is connected, so the signal also races a DNS server or host that hangs.
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    const response = await Promise.race([pending, aborted])
    // A body destroyed while it has no reader emits an error event, which would crash the process without a listener.
    response.body.on('error', () => undefined)
    return response
  } catch (error) {
    pending.then(discard, () => undefined)
    throw signal.aborted ? signal.reason : toFetchError(error, 'UNREACHABLE', url.hostname)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** @throws FetchError NOT_READY, STATUS, TYPE_REFUSED, TOO_LARGE: the response is refused by its headers */
function checkResponse(
  response: Dispatcher.ResponseData,
  url: URL,
  limits: FetchLimits,
  deadline: Deadline,
): FetchResponse {
  const refuse = (code: FetchCode, message: string, status?: number): never => {
    discard(response)
    throw new FetchError(code, message, status === undefined ? {} : { status })
  }
  const { statusCode } = response
  if (notReadyStatuses.has(statusCode)) refuse('NOT_READY', `${url.hostname} answered with status ${statusCode}.`)
  if (statusCode !== 200) refuse('STATUS', `${url.hostname} answered with status ${statusCode}.`, statusCode)

  const contentType = (header(response, 'content-type').split(';')[0] ?? '').trim().toLowerCase()
  const isDocument = DOCUMENT_TYPE.test(contentType) && !limits.accept.includes(contentType)
  if (isDocument || limits.refuse.some((pattern) => matches(contentType, pattern))) {
    refuse('TYPE_REFUSED', `${url.hostname} sent "${sanitised(contentType)}" where ${limits.accept[0]} was expected.`)
  }
  // No content encoding is decoded here. Some object stores keep the marker of a signed upload, `aws-chunked`, on a
  // file.
  const encoding = header(response, 'content-encoding').trim().toLowerCase()
  if (!['', 'identity', 'aws-chunked'].includes(encoding)) {
    refuse('TYPE_REFUSED', `${url.hostname} sent the file compressed although it was asked not to.`)
  }

  const declared = header(response, 'content-length')
  const sizeBytes = /^\d+$/.test(declared) ? Number(declared) : null
  if (sizeBytes !== null && sizeBytes > limits.maxBytes) refuse('TOO_LARGE', tooLarge(url.hostname, limits.maxBytes))
  return {
    url: url.href,
    contentType,
    sizeBytes,
    body: limitedBody(response, url.hostname, sizeBytes, limits, deadline),
  }
}

async function* limitedBody(
  response: Dispatcher.ResponseData,
  hostname: string,
  sizeBytes: number | null,
  limits: FetchLimits,
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  let receivedBytes = 0
  try {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      receivedBytes += chunk.byteLength
      if (receivedBytes > limits.maxBytes) throw new FetchError('TOO_LARGE', tooLarge(hostname, limits.maxBytes))
      yield chunk
    }
    if (sizeBytes !== null && receivedBytes !== sizeBytes) {
      throw new FetchError('INCOMPLETE', `${hostname} sent ${receivedBytes} of ${sizeBytes} bytes.`)
    }
  } catch (error) {
    throw deadline.signal.aborted ? deadline.signal.reason : toFetchError(error, 'INCOMPLETE', hostname)
  } finally {
    deadline.clear()
    discard(response)
  }
}

export type Deadline = { signal: AbortSignal; clear: () => void }

/** A signal that aborts with a FetchError TIMEOUT after `timeoutMs`, or with the caller's. */
export function startDeadline(timeoutMs: number, callerSignal: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const expire = () => controller.abort(new FetchError('TIMEOUT', `The fetch took longer than ${timeoutMs / 1000} s.`))
  // unref: the timer of a body that is never read must not delay the exit of the process.
  const timer = setTimeout(expire, timeoutMs).unref()
  return {
    signal: callerSignal ? AbortSignal.any([controller.signal, callerSignal]) : controller.signal,
    clear: () => clearTimeout(timer),
  }
}

function discard(response: Dispatcher.ResponseData): void {
  response.body.destroy()
}

function header(response: Dispatcher.ResponseData, name: string): string {
  const value = response.headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? ''
}

function matches(contentType: string, pattern: string): boolean {
  return pattern.endsWith('/*') ? contentType.startsWith(pattern.slice(0, -1)) : contentType === pattern
}

/** An untrusted content type, safe to quote in an error message. */
function sanitised(contentType: string): string {
  return contentType.replace(/[^\w/+.-]/g, '?').slice(0, 60)
}

function tooLarge(hostname: string, maxBytes: number): string {
  return `${hostname} sent more than the ${maxBytes} bytes that are allowed.`
}

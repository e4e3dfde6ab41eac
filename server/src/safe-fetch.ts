/**
 * The guarded fetcher: the only way out to an address that someone gave us (start images, results, outbound
 * webhooks). The rule: whatever the address, its redirects and its resolver say, only public hosts and those the
 * operator has named are ever connected to, and no answer costs more time or bytes than the caller allows.
 *
 * The check sits in the socket's own name lookup. What the socket connects to is what was judged there; there is no
 * second resolution for a resolver to answer differently.
 */
import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { Agent, type Dispatcher } from 'undici'
import manifest from '../package.json' with { type: 'json' }
import { type FetchCode, FetchRefused, refusalFrom } from './fetch-error.ts'
import { checkUrl, guardedConnector, type Lookup, readAllowList } from './ssrf-guard.ts'

export { FetchRefused } from './fetch-error.ts'

export type FetchCaps = {
  maxBytes: number
  /** For everything together: redirects, headers and body. */
  timeoutMs: number
  /** The longest silence, before the headers and between two pieces of the body. */
  idleTimeoutMs: number
  /** Content types that are welcome; one may end in `/*`. */
  accept: readonly string[]
  /** Gives up early; the fetch then fails with the signal's reason. */
  signal?: AbortSignal
}

export type Fetched = {
  /** Where the answer came from, after redirects. May hold a signed query: never log it. */
  url: string
  /** Lower case, without parameters. */
  contentType: string
  /** As declared; null when the server does not say. */
  sizeBytes: number | null
  /** Throws `FetchRefused` when a cap is passed or the body ends early. Must be read or abandoned within timeoutMs. */
  body: AsyncIterable<Uint8Array>
}

export type GuardedFetch = {
  /**
   * Judges an address as it stands, without asking the network: a name may still turn out to be private.
   * @throws FetchRefused
   */
  check(url: string): void
  /** @throws FetchRefused, or the reason of `caps.signal` */
  get(url: string, caps: FetchCaps): Promise<Fetched>
  /**
   * Fetches into a new file that is on disk when this returns, and is not there at all when it throws.
   * @throws FetchRefused; the reason of `caps.signal`; the file system's own errors (`EEXIST` leaves the file alone)
   */
  toFile(url: string, file: string, caps: FetchCaps): Promise<{ contentType: string; sizeBytes: number }>
  /**
   * Sends a body; redirects are not followed, any status is an answer, at most `maxBytes` of the reply are read.
   * @throws FetchRefused when there is no answer
   */
  post(
    url: string,
    body: string | Uint8Array,
    headers: Record<string, string>,
    caps: { timeoutMs: number; maxBytes: number },
  ): Promise<{ status: number }>
  close(): Promise<void>
}

const REDIRECTS_MAX = 3
const URL_CHARACTERS_MAX = 8192
const HEADER_BYTES_MAX = 16 * 1024
const CONNECT_TIMEOUT_MS = 10_000
const redirectStatuses = new Set([301, 302, 303, 307, 308])

/**
 * @param options.allow `host:port` entries that may be private and may speak http; matched exactly
 * @throws Error that names an entry which is no host and port
 */
export function openFetch(options: { allow: readonly string[]; lookup?: Lookup }): GuardedFetch {
  const allowed = readAllowList(options.allow)
  const agent = new Agent({
    connect: guardedConnector(allowed, options.lookup, CONNECT_TIMEOUT_MS),
    // Limits on headers hold for HTTP/1.1 only, and one film per connection gains nothing from HTTP/2.
    allowH2: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    keepAliveMaxTimeout: 10_000,
  })

  const fetcher: GuardedFetch = {
    check: (url) => {
      checkedUrl(url, allowed)
    },
    get: async (url, caps) => {
      const deadline = startDeadline(caps.timeoutMs, caps.signal)
      try {
        const { response, finalUrl } = await follow(agent, allowed, url, caps, deadline.signal)
        return readAnswer(response, finalUrl, caps, deadline)
      } catch (error) {
        deadline.clear()
        throw error
      }
    },
    toFile: async (url, file, caps) => {
      const handle = await open(file, 'wx', 0o600)
      try {
        const fetched = await fetcher.get(url, caps)
        const sink = handle.createWriteStream({ flush: true })
        await pipeline(fetched.body, sink)
        return { contentType: fetched.contentType, sizeBytes: sink.bytesWritten }
      } catch (error) {
        await handle.close()
        await rm(file, { force: true })
        throw error
      }
    },
    post: async (url, body, headers, caps) => {
      const deadline = startDeadline(caps.timeoutMs, undefined)
      try {
        const target = checkedUrl(url, allowed)
        const sent = { ...headers, 'user-agent': userAgent, 'accept-encoding': 'identity' }
        const response = await send(
          agent,
          target,
          { method: 'POST', body, headers: sent },
          caps.timeoutMs,
          deadline.signal,
        )
        // The reply is read only to free the connection; the status alone counts, even if the rest never arrives.
        await response.body.dump({ limit: caps.maxBytes, signal: deadline.signal }).catch(() => undefined)
        return { status: response.statusCode }
      } finally {
        deadline.clear()
      }
    },
    close: () => agent.destroy(),
  }
  return fetcher
}

const userAgent = `Kinora/${manifest.version}`

async function follow(
  agent: Agent,
  allowed: ReadonlySet<string>,
  url: string,
  caps: FetchCaps,
  signal: AbortSignal,
): Promise<{ response: Dispatcher.ResponseData; finalUrl: URL }> {
  const headers = { accept: caps.accept.join(', '), 'user-agent': userAgent, 'accept-encoding': 'identity' }
  let target = checkedUrl(url, allowed)
  for (let redirects = 0; ; redirects += 1) {
    const response = await send(agent, target, { method: 'GET', headers }, caps.idleTimeoutMs, signal)
    const location = header(response, 'location')
    if (!redirectStatuses.has(response.statusCode) || location === '') return { response, finalUrl: target }
    discard(response)
    if (redirects === REDIRECTS_MAX) {
      throw new FetchRefused('TOO_MANY_REDIRECTS', `The address redirects more than ${REDIRECTS_MAX} times.`)
    }
    target = checkedUrl(location, allowed, target.href)
  }
}

function checkedUrl(address: string, allowed: ReadonlySet<string>, base?: string): URL {
  const url = address.length > URL_CHARACTERS_MAX ? null : URL.parse(address, base)
  if (!url) throw new FetchRefused('ADDRESS_REFUSED', 'The address is not a valid URL.')
  checkUrl(url, allowed)
  url.hash = ''
  return url
}

async function send(
  agent: Agent,
  url: URL,
  message: { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string | Uint8Array },
  idleTimeoutMs: number,
  signal: AbortSignal,
): Promise<Dispatcher.ResponseData> {
  signal.throwIfAborted()
  const answer = agent.request({
    ...message,
    origin: url.origin,
    path: url.pathname + url.search,
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    signal,
  })
  // undici heeds the signal only once it is connected; a resolver or a host that never answers must not outlast it.
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    const response = await Promise.race([answer, aborted])
    // A body that is destroyed while nobody reads it must not take the process down with an unheard error event.
    response.body.on('error', () => undefined)
    return response
  } catch (error) {
    answer.then(discard, () => undefined)
    throw signal.aborted ? signal.reason : refusalFrom(error, 'UNREACHABLE', url.hostname)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

function readAnswer(response: Dispatcher.ResponseData, url: URL, caps: FetchCaps, deadline: Deadline): Fetched {
  const refuse = (code: FetchCode, message: string, status?: number): never => {
    discard(response)
    throw new FetchRefused(code, message, status === undefined ? {} : { status })
  }
  const { statusCode } = response
  if (statusCode !== 200) refuse('STATUS', `${url.hostname} answered with status ${statusCode}.`, statusCode)

  const contentType = (header(response, 'content-type').split(';')[0] ?? '').trim().toLowerCase()
  if (!caps.accept.some((pattern) => matches(contentType, pattern.toLowerCase()))) {
    refuse(
      'TYPE_REFUSED',
      `${url.hostname} sent "${shown(contentType)}" where ${caps.accept.join(' or ')} was expected.`,
    )
  }
  // Nothing is ever decoded here. Stores are known to leave the marker of a signed upload, `aws-chunked`, on the file.
  const encoding = header(response, 'content-encoding').trim().toLowerCase()
  if (!['', 'identity', 'aws-chunked'].includes(encoding)) {
    refuse('TYPE_REFUSED', `${url.hostname} sent the file compressed although it was asked not to.`)
  }

  const declared = header(response, 'content-length')
  const sizeBytes = /^\d+$/.test(declared) ? Number(declared) : null
  if (sizeBytes !== null && sizeBytes > caps.maxBytes) refuse('TOO_LARGE', tooLarge(url.hostname, caps.maxBytes))
  return { url: url.href, contentType, sizeBytes, body: cappedBody(response, url.hostname, sizeBytes, caps, deadline) }
}

async function* cappedBody(
  response: Dispatcher.ResponseData,
  hostname: string,
  sizeBytes: number | null,
  caps: FetchCaps,
  deadline: Deadline,
): AsyncGenerator<Uint8Array> {
  let receivedBytes = 0
  try {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      receivedBytes += chunk.byteLength
      if (receivedBytes > caps.maxBytes) throw new FetchRefused('TOO_LARGE', tooLarge(hostname, caps.maxBytes))
      yield chunk
    }
    if (sizeBytes !== null && receivedBytes !== sizeBytes) {
      throw new FetchRefused('INCOMPLETE', `${hostname} sent ${receivedBytes} of ${sizeBytes} bytes.`)
    }
  } catch (error) {
    throw deadline.signal.aborted ? deadline.signal.reason : refusalFrom(error, 'INCOMPLETE', hostname)
  } finally {
    deadline.clear()
    discard(response)
  }
}

type Deadline = { signal: AbortSignal; clear: () => void }

function startDeadline(timeoutMs: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController()
  const late = () => controller.abort(new FetchRefused('TIMEOUT', `The fetch took longer than ${timeoutMs / 1000} s.`))
  // A body that was never read must not keep a process from ending.
  const timer = setTimeout(late, timeoutMs).unref()
  return {
    signal: caller ? AbortSignal.any([controller.signal, caller]) : controller.signal,
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

/** A foreign text, made fit for a sentence. */
function shown(contentType: string): string {
  return contentType.replace(/[^\w/+.-]/g, '?').slice(0, 60)
}

function tooLarge(hostname: string, maxBytes: number): string {
  return `${hostname} sent more than the ${maxBytes} bytes that are allowed.`
}

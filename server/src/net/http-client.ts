/**
 * A JSON client for the APIs of AI providers and payment processors. A failed call reports whether the request may have
 * reached the server, which decides whether a submit may be retried. The URLs are the operator's settings and therefore
 * trusted, so the SSRF guard does not apply.
 */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { Agent, request } from 'undici'
import { parseRetryAfter } from '../async/backoff.ts'
import { openSemaphore } from '../async/semaphore.ts'
import { parseJson } from '../text/json-reader.ts'
import { userAgent } from './user-agent.ts'

export type CallResult =
  | {
      kind: 'response'
      status: number
      body: unknown
      /** Names in lower case; the first value of each. */
      headers: Record<string, string | undefined>
      retryAfterS: number | null
    }
  /** No byte of the request was sent: DNS failure, no connection, or aborted before there was one. */
  | { kind: 'not_sent'; reason: string }
  /** The request was sent, at least in part, and there is no response. */
  | { kind: 'no_response'; reason: string }

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type HttpClient = {
  /**
   * Never throws. The response body is null when it is not JSON.
   * @param options `body`: JSON as text, or a form, which is sent as multipart. `timeoutS`, `bytesMax`: other limits
   * than the client's.
   *   `maySend`: asked just before the first byte of a body; false: nothing is sent
   */
  call: (
    method: HttpMethod,
    url: string,
    options: {
      headers: Record<string, string>
      body?: string | FormData
      signal?: AbortSignal | undefined
      timeoutS?: number
      bytesMax?: number
      maySend?: (() => boolean) | undefined
    },
  ) => Promise<CallResult>
  close: () => Promise<void>
}

const CONNECT_TIMEOUT_MS = 5_000
const BODY_BYTES_MAX = 1024 * 1024
/** The slowest line on which a large body still arrives in time. */
const BYTES_A_SECOND = 1_000_000
/** A client reads and parses one longer body at a time: a film in base64 takes four times its size meanwhile. */
const LARGE_BYTES = 8 * 1024 * 1024

/** @param timeoutS limit of a whole call, however slowly the response arrives */
export function openHttpClient(defaultTimeoutS: number): HttpClient {
  const connect = { timeout: Math.min(CONNECT_TIMEOUT_MS, defaultTimeoutS * 500) }
  const keepAliveAgent = new Agent({ connect, connections: 128 })
  // A call that changes something gets a new connection. The server may close a keep-alive connection just as the
  // request is sent; then it is unknown whether the request arrived, and a video would have to wait for its deadline.
  const freshAgent = new Agent({ connect, connections: 128, pipelining: 0 })
  const large = openSemaphore({ permits: 1, queuedMax: Number.POSITIVE_INFINITY })
  return {
    call: async (method, url, { headers, body, signal, maySend, ...limits }) => {
      const content = body === undefined ? null : contentOf(body)
      const { timeoutS = defaultTimeoutS + (content?.bytes.size ?? 0) / BYTES_A_SECOND, bytesMax = BODY_BYTES_MAX } =
        limits
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(new Error('no answer in time')), timeoutS * 1000)
      const aborted = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal
      let isSent = false
      const onFirstByte = () => {
        if (maySend?.() === false) throw new Error('it was too late to send it')
        // undici also reads the body of a call that was aborted while it was connecting, but sends none of it.
        isSent = !aborted.aborted
      }
      try {
        const response = await request(url, {
          method,
          dispatcher: method === 'GET' ? keepAliveAgent : freshAgent,
          // A long call may send nothing for as long as it lasts.
          headersTimeout: timeoutS * 1000,
          bodyTimeout: timeoutS * 1000,
          headers: { accept: 'application/json', 'user-agent': userAgent, ...content?.headers, ...headers },
          body: content && observedBody(content.bytes, onFirstByte),
          signal: aborted,
        })
        // Without a body undici does not report when the request is sent.
        isSent = true
        const value = await readJson(response.body, bytesMax, () => large.acquire(null, aborted))
        return {
          kind: 'response',
          status: response.statusCode,
          body: value,
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
          ),
          retryAfterS: parseRetryAfter(String(response.headers['retry-after'] ?? ''), new Date()),
        }
      } catch (error) {
        return { kind: isSent ? 'no_response' : 'not_sent', reason: reasonOf(error) }
      } finally {
        clearTimeout(timer)
      }
    },
    close: async () => {
      await Promise.all([keepAliveAgent.destroy(), freshAgent.destroy()])
    },
  }
}

/** Begins a time in which a request may be sent, by the machine's clock: a process paused for longer sends none. */
export function openSendWindow(ms: number): () => boolean {
  const endMs = Date.now() + ms
  return () => Date.now() < endMs
}

function contentOf(body: string | FormData) {
  const boundary = `kinora-${randomUUID()}`
  const bytes = body instanceof FormData ? multipart(body, boundary) : new Blob([body])
  const type = body instanceof FormData ? `multipart/form-data; boundary=${boundary}` : 'application/json'
  return { bytes, headers: { 'content-type': type, 'content-length': String(bytes.size) } }
}

/** The form (RFC 7578) as one Blob of parts: its files are read from disk as they are sent, and not before. */
function multipart(form: FormData, boundary: string): Blob {
  const quoted = (name: string) => name.replace(/[\r\n"]/g, encodeURIComponent)
  const parts: (string | Blob)[] = []
  for (const [name, value] of form) {
    const file = value instanceof File ? `; filename="${quoted(value.name)}"\r\ncontent-type: ${value.type}` : ''
    parts.push(`--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"${file}\r\n\r\n`)
    parts.push(value, '\r\n')
  }
  return new Blob([...parts, `--${boundary}--\r\n`])
}

/**
 * The request body as a stream. undici reads it when it begins to write to an established connection, so before that no
 * byte was sent: more reliable than a list of error codes.
 */
function observedBody(body: Blob, onFirstByte: () => void): Readable {
  return Readable.from(
    (async function* () {
      onFirstByte()
      yield* body.stream()
    })(),
    { objectMode: false },
  )
}

/** @param startLarge waits until a large body may be read on; it returns what ends that */
async function readJson(
  stream: AsyncIterable<Uint8Array>,
  bytesMax: number,
  startLarge: () => Promise<() => void>,
): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  let endLarge: (() => void) | undefined
  try {
    for await (const chunk of stream) {
      sizeBytes += chunk.length
      if (sizeBytes > bytesMax) throw new Error('the answer is too long')
      chunks.push(chunk)
      if (sizeBytes > LARGE_BYTES) endLarge ??= await startLarge()
    }
    return parseJson(Buffer.concat(chunks).toString('utf8'))
  } finally {
    endLarge?.()
  }
}

/** Sentences for network error codes, for the operator who reads why a video waits. */
const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  UND_ERR_SOCKET: 'the connection broke off',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  ETIMEDOUT: 'no connection in time',
  ENOTFOUND: 'its address is not known',
  EAI_AGAIN: 'its address could not be looked up',
}

/** Network errors have a string code; the DOMException of an aborted call has a number there. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message: string }
  return typeof code === 'string' ? (reasons[code] ?? code) : message
}

/**
 * A JSON client for the APIs of AI providers and payment processors. A failed call reports whether the request may have
 * reached the server, which decides whether a submit may be retried. The URLs are the operator's settings and therefore
 * trusted, so the SSRF guard does not apply.
 */
import { Readable } from 'node:stream'
import { Agent, request } from 'undici'
import { parseRetryAfter } from '../async/backoff.ts'
import { parseJson } from '../text/json-reader.ts'

export type CallResult =
  | { kind: 'response'; status: number; body: unknown; retryAfterS: number | null }
  /** No byte of the request was sent: DNS failure, no connection, or aborted before there was one. */
  | { kind: 'not_sent'; reason: string }
  /** The request was sent, at least in part, and there is no response. */
  | { kind: 'no_response'; reason: string }

export type HttpClient = {
  /** Never throws. The response body is null when it is not JSON. */
  call: (
    method: 'GET' | 'POST',
    url: string,
    options: { headers: Record<string, string>; body?: string; signal?: AbortSignal | undefined },
  ) => Promise<CallResult>
  close: () => Promise<void>
}

const CONNECT_TIMEOUT_MS = 5_000
const BODY_BYTES_MAX = 1024 * 1024

/** @param timeoutS limit of a whole call, however slowly the response arrives */
export function openHttpClient(timeoutS: number): HttpClient {
  const connect = { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutS * 500) }
  const keepAliveAgent = new Agent({ connect, connections: 128 })
  // A POST gets a new connection. The server may close a keep-alive connection just as the request is sent; then it is
  // unknown whether the request arrived, and a video would have to wait for its deadline.
  const freshAgent = new Agent({ connect, connections: 128, pipelining: 0 })
  return {
    call: async (method, url, { headers, body, signal }) => {
      const deadline = new AbortController()
      const timer = setTimeout(() => deadline.abort(new Error('no answer in time')), timeoutS * 1000)
      const aborted = signal ? AbortSignal.any([signal, deadline.signal]) : deadline.signal
      let isSent = false
      const onFirstByte = () => {
        // undici also reads the body of a call that was aborted while it was connecting, but sends none of it.
        isSent = !aborted.aborted
      }
      try {
        const response = await request(url, {
          method,
          dispatcher: method === 'POST' ? freshAgent : keepAliveAgent,
          headers: { accept: 'application/json', ...(body ? contentHeaders(body) : {}), ...headers },
          body: body ? observedBody(body, onFirstByte) : null,
          signal: aborted,
        })
        const text = await readLimited(response.body)
        return {
          kind: 'response',
          status: response.statusCode,
          body: parseJson(text),
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

const contentHeaders = (body: string) => ({
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(body)),
})

/**
 * The request body as a stream. undici reads it when it begins to write to an established connection, so before that no byte
 * was sent: more reliable than a list of error codes.
 */
function observedBody(body: string, onFirstByte: () => void): Readable {
  return new Readable({
    read() {
      onFirstByte()
      this.push(body)
      this.push(null)
    },
  })
}

async function readLimited(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of stream) {
    sizeBytes += chunk.length
    if (sizeBytes > BODY_BYTES_MAX) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
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

/**
 * One HTTP call to a provider, with the one distinction that matters to a submit: whether the request can have reached
 * the other side. The address is the operator's own setting, so it does not go through the guarded fetcher.
 */
import { Agent, request } from 'undici'

export type Answer =
  | { kind: 'answered'; status: number; body: unknown; retryAfterS: number | null }
  /** Nothing left the house: no address, no connection. */
  | { kind: 'unsent'; reason: string }
  /** Sent, or partly sent, and no answer. */
  | { kind: 'unanswered'; reason: string }

export type Caller = {
  call: (
    method: 'GET' | 'POST',
    url: string,
    options: { headers: Record<string, string>; body?: unknown; signal?: AbortSignal | undefined },
  ) => Promise<Answer>
  close: () => Promise<void>
}

const CONNECT_TIMEOUT_MS = 5_000
const ANSWER_TIMEOUT_MS = 30_000
const BODY_BYTES_MAX = 1024 * 1024
/** Errors that come before the first byte is sent. A reset is not among them: it may come after. */
const unsentCodes = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

export function openCaller(): Caller {
  const agent = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    connections: 128,
  })
  return {
    call: async (method, url, { headers, body, signal }) => {
      try {
        const response = await request(url, {
          method,
          dispatcher: agent,
          headers: { accept: 'application/json', ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
          body: body ? JSON.stringify(body) : null,
          // A submit gets a connection of its own. A kept one may be closed by the other side just as the request
          // leaves, and the video would have to wait for its deadline because nobody knows whether it arrived.
          reset: method === 'POST',
          signal: signal ?? null,
        })
        const text = await readCapped(response.body)
        return {
          kind: 'answered',
          status: response.statusCode,
          body: parse(text),
          retryAfterS: Number(response.headers['retry-after']) || null,
        }
      } catch (error) {
        const { code = '', message } = error as NodeJS.ErrnoException
        return { kind: unsentCodes.has(code) ? 'unsent' : 'unanswered', reason: code || message }
      }
    },
    close: () => agent.destroy(),
  }
}

async function readCapped(stream: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of stream) {
    sizeBytes += chunk.length
    if (sizeBytes > BODY_BYTES_MAX) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

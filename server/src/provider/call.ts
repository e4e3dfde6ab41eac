/**
 * One HTTP call to a provider, with the one distinction that matters to a submit: whether the request can have reached
 * the other side. The address is the operator's own setting, so it does not go through the guarded fetcher.
 */
import { Readable } from 'node:stream'
import { Agent, request } from 'undici'

export type Answer =
  | { kind: 'answered'; status: number; body: unknown; retryAfterS: number | null }
  /** Nothing left the house: no address, no connection, or given up before there was one. */
  | { kind: 'unsent'; reason: string }
  /** Sent, or partly sent, and no answer. */
  | { kind: 'unanswered'; reason: string }

export type Caller = {
  call: (
    method: 'GET' | 'POST',
    url: string,
    options: { headers: Record<string, string>; body?: string; signal?: AbortSignal | undefined },
  ) => Promise<Answer>
  close: () => Promise<void>
}

const CONNECT_TIMEOUT_MS = 5_000
const BODY_BYTES_MAX = 1024 * 1024

/** @param timeoutS for one call from beginning to end, however slowly the answer drips in */
export function openCaller(timeoutS: number): Caller {
  const connect = { timeout: Math.min(CONNECT_TIMEOUT_MS, timeoutS * 500) }
  const asking = new Agent({ connect, connections: 128 })
  // A submit gets a connection of its own. A kept one may be closed by the other side just as the request leaves, and
  // the video would have to wait for its deadline because nobody knows whether it arrived.
  const submitting = new Agent({ connect, connections: 128, pipelining: 0 })
  return {
    call: async (method, url, { headers, body, signal }) => {
      const late = new AbortController()
      const timer = setTimeout(() => late.abort(new Error('no answer in time')), timeoutS * 1000)
      const ended = signal ? AbortSignal.any([signal, late.signal]) : late.signal
      let isSent = false
      const onSend = () => {
        // A call that was given up while it was connecting gets as far as this, and no further.
        isSent = !ended.aborted
      }
      try {
        const response = await request(url, {
          method,
          dispatcher: method === 'POST' ? submitting : asking,
          headers: { accept: 'application/json', ...(body ? contentHeaders(body) : {}), ...headers },
          body: body ? onceSending(body, onSend) : null,
          signal: ended,
        })
        const text = await readCapped(response.body)
        return {
          kind: 'answered',
          status: response.statusCode,
          body: parse(text),
          retryAfterS: retryAfterS(response.headers['retry-after']),
        }
      } catch (error) {
        return { kind: isSent ? 'unanswered' : 'unsent', reason: reasonOf(error) }
      } finally {
        clearTimeout(timer)
      }
    },
    close: async () => {
      await Promise.all([asking.destroy(), submitting.destroy()])
    },
  }
}

const contentHeaders = (body: string) => ({
  'content-type': 'application/json',
  'content-length': String(Buffer.byteLength(body)),
})

/**
 * The body, drawn by the client at the moment when it begins to write to a connection that stands. Until then nothing
 * has left the house, whatever went wrong: no list of error codes could say that as surely.
 */
function onceSending(body: string, onSend: () => void): Readable {
  return new Readable({
    read() {
      onSend()
      this.push(body)
      this.push(null)
    },
  })
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

/** Seconds from now, given as a number or as a date; null for anything else and for what has passed. */
function retryAfterS(header: string | string[] | undefined): number | null {
  const text = String(header ?? '').trim()
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1000)
  return seconds > 0 ? seconds : null
}

/** What the codes of the network mean, for the operator who reads why a video waits. */
const reasons: Record<string, string> = {
  ECONNREFUSED: 'nobody answers at its address',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  UND_ERR_SOCKET: 'the connection broke off',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  ETIMEDOUT: 'no connection in time',
  ENOTFOUND: 'its address is not known',
  EAI_AGAIN: 'its address could not be looked up',
}

/** Errors of the network have a telling code; an exception of an aborted call has a number there. */
function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message: string }
  return typeof code === 'string' ? (reasons[code] ?? code) : message
}

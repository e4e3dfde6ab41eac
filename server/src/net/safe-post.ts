/**
 * Sends JSON to untrusted URLs through the SSRF guard: the webhooks of users. Invariant: as safe-fetch.ts, it connects
 * to public hosts and to the operator's allowlist only; it follows no redirect, and reads no more of a response than
 * `maxBytes`.
 */
import type { Dispatcher } from 'undici'
import { type GuardOptions, openGuard, parseSafeUrl, type SafeFetch, sendRequest, startDeadline } from './safe-fetch.ts'

export type PostLimits = {
  /** The most bytes of the response's body; the rest is not read. */
  maxBytes: number
  /** The timeout of connection, headers and body together. */
  timeoutMs: number
  /** Aborts the request, which then fails with the signal's reason. */
  signal?: AbortSignal
}

/** `retryAfter`: the header as it was sent. `text`: the beginning of the body; '' when it broke off before. */
export type PostResponse = { status: number; retryAfter: string | null; text: string }

export type SafePost = {
  /** The same as those of SafeFetch. */
  checkUrl: SafeFetch['checkUrl']
  checkHost: SafeFetch['checkHost']
  /**
   * @throws FetchError ADDRESS_REFUSED, SCHEME_REFUSED, PORT_REFUSED, TIMEOUT, UNREACHABLE, TOO_LARGE (headers); the
   * reason of
   *   `limits.signal`
   */
  post(url: string, headers: Record<string, string>, body: string, limits: PostLimits): Promise<PostResponse>
  close(): Promise<void>
}

/** @throws Error that names an entry which is not a host and port */
export function openSafePost(options: GuardOptions): SafePost {
  const { allowlist, agent, ...checks } = openGuard(options)
  return {
    ...checks,
    post: async (url, headers, body, { maxBytes, timeoutMs, signal }) => {
      const deadline = startDeadline(timeoutMs, signal)
      try {
        const target = parseSafeUrl(url, allowlist)
        const response = await sendRequest(agent, target, { method: 'POST', headers, body }, timeoutMs, deadline.signal)
        const retryAfter = response.headers['retry-after']
        return {
          status: response.statusCode,
          retryAfter: (Array.isArray(retryAfter) ? retryAfter[0] : retryAfter) ?? null,
          text: await beginningOf(response, maxBytes),
        }
      } finally {
        deadline.clear()
      }
    },
    close: () => agent.destroy(),
  }
}

/** The status has arrived, so a body that breaks off, or never ends, is no failure: what there is of it is returned. */
async function beginningOf(response: Dispatcher.ResponseData, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      chunks.push(chunk)
      bytes += chunk.byteLength
      // Leaving the loop destroys the body, and with it the connection.
      if (bytes > maxBytes) break
    }
  } catch {
    response.body.destroy()
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString('utf8')
}

/** Calls of Kinora's API through the typed client, with the errors of Vercel's AI SDK. */
import { APICallError } from '@ai-sdk/provider'
import { type Kinora, type KinoraError, openKinora, type Result } from '../../client/src/index.ts'

export type Connection = {
  baseUrl: string
  apiKey: string
  headers: Record<string, string>
  fetch: typeof globalThis.fetch | undefined
}

/** The calls of one doStart or doStatus: the SDK's headers , signal, errorsand last response headers. */
export type Caller = {
  call: <Data>(requestBodyValues: unknown, send: (client: Client) => Promise<Result<Data>>) => Promise<Data>
  response: (modelId: string) => { timestamp: Date; modelId: string; headers: Record<string, string> | undefined }
}
type Client = { kinora: Kinora; init: { headers: Record<string, string>; signal?: AbortSignal } }

export function openCaller(
  { baseUrl, apiKey, headers, fetch }: Connection,
  options: { headers?: Record<string, string | undefined>; abortSignal?: AbortSignal },
): Caller {
  let last: { url: string; headers: Record<string, string> | undefined } = { url: baseUrl, headers: undefined }
  const kinora = openKinora({
    baseUrl,
    apiKey,
    // The SDK has retries of its own (maxRetries).
    retry: false,
    fetch: async (request, init) => {
      last = { url: request.url, headers: undefined }
      const response = await (fetch ?? globalThis.fetch)(request, init)
      last.headers = Object.fromEntries(response.headers)
      return response
    },
  })
  const sent = Object.entries({ ...headers, ...options.headers }).filter((entry) => entry[1] !== undefined)
  const init = {
    headers: Object.fromEntries(sent) as Record<string, string>,
    ...(options.abortSignal ? { signal: options.abortSignal } : {}),
  }
  return {
    call: async (requestBodyValues, send) => {
      const { data, error } = await send({ kinora, init })
      if (error) throw toCallError(error, { ...last, requestBodyValues })
      return data
    },
    response: (modelId) => ({ timestamp: new Date(), modelId, headers: last.headers }),
  }
}

function toCallError(
  error: KinoraError,
  {
    url,
    headers,
    requestBodyValues,
  }: { url: string; headers: Record<string, string> | undefined; requestBodyValues: unknown },
): APICallError {
  const { code, message, status, details, requestId, retryAfterSeconds } = error
  return new APICallError({
    message,
    url,
    requestBodyValues,
    ...(status === 0 ? {} : { statusCode: status }),
    ...(headers ? { responseHeaders: headers } : {}),
    data: { code, details, requestId },
    // A missing response (0) is repeated too: the start has an Idempotency-Key. 409 with a time: the same key is in
    // progress.
    isRetryable:
      status === 0 ||
      status === 408 ||
      status === 429 ||
      status >= 500 ||
      (status === 409 && retryAfterSeconds !== null),
  })
}

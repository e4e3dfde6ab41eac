/**
 * VideoModelV4 on the typed client. There is no `doGenerate`: the SDK then starts a film and polls for it (or waits for its webhook), and
 * sends one Idempotency-Key with every attempt of a start, so a start whose response is lost makes one film.
 */
import {
  APICallError,
  type Experimental_VideoModelV4,
  type Experimental_VideoModelV4VideoData,
  InvalidArgumentError,
  type JSONValue,
} from '@ai-sdk/provider'
import { type Kinora, type KinoraError, openKinora, type Result } from '../../client/src/index.ts'
import { requestOf } from './request.ts'

export type Connection = {
  baseUrl: string
  apiKey: string
  headers: Record<string, string>
  fetch: typeof globalThis.fetch | undefined
}

export function openVideoModel(modelId: string, connection: () => Connection): Experimental_VideoModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'kinora.video',
    modelId,
    maxVideosPerCall: 1,

    handleWebhookOption: async ({ webhook }) => {
      const { url, received } = await webhook()
      return { webhookUrl: url, received }
    },

    doStart: async (options) => {
      const caller = openCaller(connection(), options)
      const { body, warnings } = await requestOf(caller, modelId, options)
      const { uuid, creditsUsed } = await caller.call(body, ({ kinora, init }) =>
        kinora.POST('/api/v1/video/generate', { ...init, body }),
      )
      return {
        operation: { uuid },
        warnings,
        providerMetadata: { kinora: { uuid, creditsUsed } },
        response: caller.response(modelId),
      }
    },

    doStatus: async (options) => {
      const caller = openCaller(connection(), options)
      const uuid = uuidOf(options.operation)
      const video = await caller.call({ uuid }, ({ kinora, init }) =>
        kinora.GET('/api/v1/video/{uuid}', { ...init, params: { path: { uuid } } }),
      )
      const shared = {
        providerMetadata: { kinora: { uuid, creditsUsed: video.creditsUsed } },
        response: caller.response(modelId),
      }
      if (video.status === 'FAILED') {
        return { status: 'error', error: video.error ?? 'The film failed; its credits are back.', ...shared }
      }
      if (video.status !== 'COMPLETED') return { status: 'pending', ...shared }
      return { status: 'completed', videos: filmOf(video.videoUrl), warnings: [], ...shared }
    },
  }
}

/** The calls of one doStart or doStatus: the SDK's headers and signal, its errors, and the headers of the last response. */
export type Caller = {
  call: <Data>(requestBodyValues: unknown, send: (client: Client) => Promise<Result<Data>>) => Promise<Data>
  response: (modelId: string) => { timestamp: Date; modelId: string; headers: Record<string, string> | undefined }
}
type Client = { kinora: Kinora; init: { headers: Record<string, string>; signal?: AbortSignal } }

function openCaller(
  { baseUrl, apiKey, headers, fetch }: Connection,
  options: { headers?: Record<string, string | undefined>; abortSignal?: AbortSignal },
): Caller {
  let last: { url: string; headers: Record<string, string> | undefined } = { url: baseUrl, headers: undefined }
  const kinora = openKinora({
    baseUrl,
    apiKey,
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
    // Without a response (0) as well: the start has an Idempotency-Key. 409 with a time: the same key is in progress.
    isRetryable:
      status === 0 ||
      status === 408 ||
      status === 429 ||
      status >= 500 ||
      (status === 409 && retryAfterSeconds !== null),
  })
}

function uuidOf(operation: JSONValue): string {
  if (
    typeof operation === 'object' &&
    operation !== null &&
    'uuid' in operation &&
    typeof operation.uuid === 'string'
  ) {
    return operation.uuid
  }
  throw new InvalidArgumentError({ argument: 'operation', message: 'Pass the operation that startVideo has returned.' })
}

/** The signed link needs no key; it is new with every status. */
function filmOf(videoUrl: string | null): Experimental_VideoModelV4VideoData[] {
  if (videoUrl === null) return []
  const mediaType = new URL(videoUrl).pathname.endsWith('.webm') ? 'video/webm' : 'video/mp4'
  return [{ type: 'url', url: videoUrl, mediaType }]
}

/**
 * VideoModelV4 on the typed client. There is no `doGenerate`: the SDK then starts a film and polls for it (or waits for
 * its webhook), and sends one Idempotency-Key with every attempt of a start, so a start whose response is lost makes
 * one film.
 */
import {
  type Experimental_VideoModelV4,
  type Experimental_VideoModelV4VideoData,
  InvalidArgumentError,
  type JSONValue,
} from '@ai-sdk/provider'
import { type Connection, openCaller } from './caller.ts'
import { requestOf } from './request.ts'

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

/** Media types of the films that the service stores, by the extension of the link. */
const mediaTypes = new Map([
  ['webm', 'video/webm'],
  ['mov', 'video/quicktime'],
])

/** The signed link needs no key; it is new with every status. */
function filmOf(videoUrl: string | null): Experimental_VideoModelV4VideoData[] {
  if (videoUrl === null) return []
  const extension = new URL(videoUrl).pathname.split('.').at(-1) ?? ''
  const mediaType = mediaTypes.get(extension) ?? 'video/mp4'
  return [{ type: 'url', url: videoUrl, mediaType }]
}

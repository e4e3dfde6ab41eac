/** The provider: its settings, and the models by their ids. No type of the client is in a public declaration. */
import {
  type Experimental_VideoModelV4,
  LoadAPIKeyError,
  LoadSettingError,
  NoSuchModelError,
  type ProviderV4,
} from '@ai-sdk/provider'
import { openVideoModel } from './video-model.ts'

export type KinoraProviderSettings = {
  /** The service's URL, such as `https://films.example.com`. Default: the environment variable `KINORA_URL`. */
  baseURL?: string | undefined
  /** An API key with the scopes `read` and `generate`. Default: the environment variable `KINORA_API_KEY`. */
  apiKey?: string | undefined
  /** Sent with every request. */
  headers?: Record<string, string> | undefined
  /** Replaces the global fetch. It gets a Request. */
  fetch?: typeof globalThis.fetch | undefined
}

export type KinoraProvider = ProviderV4 & {
  /** The video model with this id, one of `GET /api/v1/config/models`. */
  video: (modelId: string) => Experimental_VideoModelV4
  /** Is `video` under the name that provider registries call. */
  videoModel: (modelId: string) => Experimental_VideoModelV4
}

/** Missing settings are read from the environment when a model is called: AI_LoadSettingError, AI_LoadAPIKeyError. */
export function createKinora(settings: KinoraProviderSettings = {}): KinoraProvider {
  const connection = () => ({
    baseUrl: settings.baseURL ?? environment('KINORA_URL') ?? missingUrl(),
    apiKey: settings.apiKey ?? environment('KINORA_API_KEY') ?? missingKey(),
    headers: settings.headers ?? {},
    fetch: settings.fetch,
  })
  const videoModel = (modelId: string) => openVideoModel(modelId, connection)
  const none = (modelType: 'languageModel' | 'embeddingModel' | 'imageModel') => (modelId: string) => {
    throw new NoSuchModelError({ modelId, modelType, message: 'Kinora has video models only: videoModel(id).' })
  }
  return {
    specificationVersion: 'v4',
    video: videoModel,
    videoModel,
    languageModel: none('languageModel'),
    embeddingModel: none('embeddingModel'),
    imageModel: none('imageModel'),
  }
}

/** The provider of the service that `KINORA_URL` and `KINORA_API_KEY` name. */
export const kinora: KinoraProvider = createKinora()

function environment(name: string): string | undefined {
  // Edge runtimes have no `process`.
  const value = typeof process === 'undefined' ? undefined : process.env[name]
  return value === '' ? undefined : value
}

function missingUrl(): never {
  const message = "Name the Kinora service: createKinora({ baseURL: 'https://films.example.com' }), or KINORA_URL."
  throw new LoadSettingError({ message })
}

function missingKey(): never {
  const message =
    'The API key is missing: createKinora({ apiKey }), or KINORA_API_KEY. The studio makes one under API keys.'
  throw new LoadAPIKeyError({ message })
}

/**
 * The bodies that vendors' clients take, for the dialects of the simulator. vendor-schemas.mjs makes a JSON Schema of
 * each that a route of the catalogue uses. Names are dialects; a key is the model, the path, or both.
 */
import type { EndpointTypeMap } from '@fal-ai/client/endpoints'
import type { Interactions } from '@google/genai'
import type { VideoGenerationRequest } from '@openrouter/sdk/models'
import type { CharacterPerformanceCreateParams } from '@runwayml/sdk/resources/character-performance'
import type { ImageToVideoCreateParams } from '@runwayml/sdk/resources/image-to-video'
import type { TextToVideoCreateParams } from '@runwayml/sdk/resources/text-to-video'
import type { VideoToVideoCreateParams } from '@runwayml/sdk/resources/video-to-video'
import type { VideoCreateParams } from 'lumaai/resources/generations/video'

export type fal = {
  [Endpoint in keyof EndpointTypeMap]: Endpoint extends keyof OtherValues
    ? Omit<EndpointTypeMap[Endpoint]['input'], keyof OtherValues[Endpoint]> & OtherValues[Endpoint]
    : EndpointTypeMap[Endpoint]['input']
}
/**
 * The client has one type for endpoints that are alike, with the values of one of them. Those of the others, by the
 * pages https://fal.ai/models/<endpoint>/llms.txt.
 */
type OtherValues = { [Endpoint in Veo31]: { resolution?: '720p' | '1080p' | '4k' } } & {
  [Endpoint in LtxFast]: { duration?: '6' | '8' | '10' | '12' | '14' | '16' | '18' | '20' }
}
type Veo31 = `fal-ai/veo3.1${'' | '/fast'}${'' | '/image-to-video' | '/first-last-frame-to-video'}`
type LtxFast = `fal-ai/ltx-2.3/${'text' | 'image'}-to-video/fast`

export type runway = ByModel<'text_to_video', TextToVideoCreateParams> &
  ByModel<'image_to_video', ImageToVideoCreateParams> &
  ByModel<'video_to_video', VideoToVideoCreateParams> & {
    'character_performance act_two': CharacterPerformanceCreateParams
  }
type ByModel<Path extends string, Params extends { model: string }> = {
  [Model in Params['model'] as `${Path} ${Model}`]: Extract<Params, { model: Model }>
}

/** Its client has names of its own, and sends those with underscores. */
export type openrouter = {
  videos: Underscored<Omit<VideoGenerationRequest, 'provider' | 'trace'>> & { provider?: object }
}
type Underscored<T> = T extends string | number | boolean
  ? T
  : T extends readonly (infer Item)[]
    ? Underscored<Item>[]
    : T extends object
      ? { [Name in keyof T as Name extends string ? UnderscoredName<Name> : never]: Underscored<T[Name]> }
      : T
type UnderscoredName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${UnderscoredName<Rest>}`
  : Name

export type luma = { 'dream-machine': VideoCreateParams }

type Interaction = Interactions.InteractionCreateParams.CreateModelInteractionParams
type VideoFormat = Interactions.VideoResponseFormat
export type google = {
  interactions: Pick<Interaction, 'background' | 'model' | 'previous_interaction_id' | 'store' | 'webhook_config'> & {
    input: unknown
    response_format: VideoFormat | VideoFormat[]
    generation_config?: Pick<NonNullable<Interaction['generation_config']>, 'seed' | 'video_config'>
  }
}

/** Google: the Gemini API and Vertex AI. */
import { type TSchema, Type } from 'typebox'
import { type Facts, type Fields, flag, integer, link, list, object, one, text } from './fields.ts'

/**
 * https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation; GenerateVideosConfig
 * of @google/genai
 */
const veoAtVertex = (qualities: string[], hasReferences: boolean) => {
  const facts = (media: Fields, seconds = one(4, 6, 8), allowed = qualities) =>
    object({
      instances: list(object({ prompt: text, ...media }), 1, 1),
      parameters: object(
        {
          sampleCount: Type.Literal(1),
          durationSeconds: seconds,
          aspectRatio: one('16:9', '9:16'),
          resolution: one(...allowed),
          generateAudio: flag,
        },
        { seed: integer(0, 2 ** 32 - 1), negativePrompt: text },
      ),
    })
  return {
    'text-to-video': facts({}),
    'image-to-video': facts({ image: link }),
    'first-last': facts({ image: link, lastFrame: link }),
    extend: facts({ video: link }, one(7), ['720p']),
    ...(hasReferences
      ? {
          reference: facts(
            { referenceImages: list(object({ image: link, referenceType: Type.Literal('asset') }), 1, 3) },
            one(8),
          ),
        }
      : {}),
  }
}

/**
 * CreateModelInteraction of @google/genai; durations as protobuf writes them. `references`: pictures beside a film.
 * `isStored`: an interaction goes on from an earlier one, and then has no film.
 */
const omni = (seconds: number, references: number, isStored: boolean) => {
  const qualities = one('360p', '720p', '1080p', '4k')
  const file = (type: string) => object({ type: Type.Literal(type), uri: link })
  const given = object({ type: Type.Literal('text'), text })
  const facts = (task: string, ...images: TSchema[]) =>
    object({
      input: Type.Tuple([given, ...images]),
      response_format: object({
        aspect_ratio: one('16:9', '9:16'),
        duration: one(...Array.from({ length: seconds - 2 }, (_, i) => `${i + 3}s`)),
        resolution: qualities,
      }),
      generation_config: object({ video_config: object({ task: Type.Literal(task) }) }),
    })
  const edit = (more: Fields, parts: number, ...films: TSchema[]) =>
    object({
      ...more,
      input: list(Type.Union([given, ...films, ...(references > 0 ? [file('image')] : [])]), parts, parts + references),
      response_format: object({ resolution: qualities }),
      generation_config: object({ video_config: object({ task: Type.Literal('edit') }) }),
    })
  return {
    'text-to-video': facts('text_to_video'),
    'image-to-video': facts('image_to_video', file('image')),
    edit: Type.Union([edit({}, 2, file('video')), ...(isStored ? [edit({ previous_interaction_id: text }, 1)] : [])]),
  }
}

export const google: Record<string, Record<string, Facts>> = {
  vertex: {
    'veo-3.1-generate-001': veoAtVertex(['720p', '1080p', '4k'], true),
    'veo-3.1-fast-generate-001': veoAtVertex(['720p', '1080p', '4k'], true),
    'veo-3.1-lite-generate-001': veoAtVertex(['720p', '1080p'], false),
    'gemini-omni-1.2-flash': omni(15, 6, false),
    'gemini-omni-1.1-flash-preview': omni(10, 0, false),
  },
  google: { 'gemini-omni-1.2-flash': omni(15, 6, true), 'gemini-omni-1.1-flash': omni(10, 0, true) },
}

/** What other services' formats call the inputs of a film: one row a field. */
import type { Kind, Role } from '../film/inputs.ts'

/** What a field of a format brings: a kind, and its roles, of which the first is the field's usual meaning. */
export type Field = { kind: Kind; roles: readonly Role[] }

const picture = (...roles: Role[]): Field => ({ kind: 'image', roles })
const film = (...roles: Role[]): Field => ({ kind: 'film', roles })
const sound = (...roles: Role[]): Field => ({ kind: 'sound', roles })

/** References of the formats that tell them apart by their type alone. */
const typed = {
  image: picture('reference', 'portrait', 'start'),
  film: film('reference', 'film', 'motion'),
  sound: sound('reference', 'sound'),
}
const frames = { first_frame: picture('start'), last_frame: picture('end') }
export type FrameType = keyof typeof frames
export const isFrame = (type: string): type is FrameType => Object.hasOwn(frames, type)
/** The fields of each format. Those of Replicate and fal are more: vocabulary.ts. */
export const fieldsOfFormats = {
  openAi: { input_reference: picture('start', 'portrait', 'reference'), video: film('film') },
  replicate: {
    image: picture('start', 'portrait'),
    last_frame: picture('end'),
    reference_images: picture('reference'),
    video: film('film', 'motion'),
    reference_videos: film('reference'),
    audio: sound('sound'),
    reference_audios: sound('reference'),
  },
  fal: {
    image_url: picture('start', 'portrait'),
    end_image_url: picture('end'),
    reference_image_urls: picture('reference'),
    video_url: film('film', 'motion'),
    reference_video_urls: film('reference'),
    audio_url: sound('sound'),
    reference_audio_urls: sound('reference'),
  },
  openRouter: { ...frames, image_url: typed.image, video_url: typed.film, audio_url: typed.sound, job: film('film') },
  aiGateway: { ...frames, ...typed, start: picture('start', 'portrait') },
} satisfies Record<string, Record<string, Field>>

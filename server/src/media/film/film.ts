/** What a film is, and the limits that it must meet. The server and its child process share this file. */
import type { ChildLimits } from '../child-process.ts'
import { MediaRefused } from '../refusal.ts'
import type { BindingRequest } from './binding.ts'

export type FilmLimits = ChildLimits & {
  /** Longest side of a frame, in pixels. */
  sidePixelsMax: number
  /** Width times height of a frame. 4k is 8.3 million, 21:9 4k (5040×2160) 10.9 million. */
  pixelsMax: number
  durationMaxS: number
}

/** `binding`: what is found out for a manifest; null: nothing. */
export type FilmJob = FilmLimits & { binding: BindingRequest | null }
/** `countMax`: how many pictures of a film are taken at the most. */
export type FramesJob = FilmLimits & { countMax: number }

/** The longest film that a model may make: the limits of the inspection's cost are measured with it. */
export const FILM_SECONDS_MAX = 120

export const filmCodecs = ['avc', 'hevc', 'vp8', 'vp9', 'av1'] as const

/** The kinds of films that inspection accepts, by the extension of their files. */
export const filmContentTypes = { mp4: 'video/mp4', webm: 'video/webm', mov: 'video/quicktime' } as const
export type FilmExtension = keyof typeof filmContentTypes

export type Film = {
  durationS: number
  /** The size of a decoded frame, after the rotation that the file specifies. */
  width: number
  height: number
  codec: (typeof filmCodecs)[number]
  contentType: (typeof filmContentTypes)[FilmExtension]
  extension: FilmExtension
  sizeBytes: number
}

/** @throws MediaRefused TOO_LARGE_PICTURE */
export function checkFrameSize(width: number, height: number, limits: FilmLimits): void {
  if (Math.max(width, height) > limits.sidePixelsMax || width * height > limits.pixelsMax) {
    throw new MediaRefused('TOO_LARGE_PICTURE', `The film's picture is too large: ${width}×${height} pixels.`)
  }
}

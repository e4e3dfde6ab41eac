/**
 * The limits that a film must meet and the error that refuses it. The server and the child process share this file, so it
 * has type imports only.
 */
import type { ChildLimits } from '../child-process.ts'

export type FilmLimits = ChildLimits & {
  /** Longest side of a frame, in pixels. */
  sidePixelsMax: number
  /** Width times height of a frame. 4k is 8.3 million, 21:9 4k (5040×2160) 10.9 million. */
  pixelsMax: number
  durationMaxS: number
}

/** The longest film that a model may make: the limits of the inspection's cost are measured with it. */
export const FILM_SECONDS_MAX = 120

export const filmRefusalCodes = [
  'NOT_A_VIDEO',
  'TRUNCATED',
  'NO_VIDEO_TRACK',
  'UNSUPPORTED_CODEC',
  'TOO_LARGE_PICTURE',
  'TOO_LONG',
  'UNDECODABLE',
  'TOO_SLOW',
] as const

export type FilmRefusalCode = (typeof filmRefusalCodes)[number]

/**
 * The film itself is at fault, so a retry is useless. `message` is one sentence that may be shown to the video's owner; it
 * never contains a path.
 */
export class FilmRefused extends Error {
  readonly code: FilmRefusalCode

  /** @param options.cause details for the operator, for the log only */
  constructor(code: FilmRefusalCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'FilmRefused'
    this.code = code
  }
}

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

/** @throws FilmRefused TOO_LARGE_PICTURE */
export function checkFrameSize(width: number, height: number, limits: FilmLimits): void {
  if (Math.max(width, height) > limits.sidePixelsMax || width * height > limits.pixelsMax) {
    throw new FilmRefused('TOO_LARGE_PICTURE', `The film's picture is too large: ${width}×${height} pixels.`)
  }
}

/**
 * What is asked of a film, and how a film that falls short is refused. Shared by the server and the inspecting child
 * process, so it imports nothing that runs.
 */
import type { ChildLimits } from './child.ts'

export type FilmLimits = ChildLimits & {
  /** Longest side of the picture, in pixels. */
  sidePixelsMax: number
  /** Width times height of the picture. 4k is 8.3 million, 21:9 4k (5040×2160) 10.9 million. */
  pixelsMax: number
  durationMaxS: number
}

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
 * The film is at fault and would be again: asking once more is of no use. `message` is one plain sentence that may be
 * shown to the video's owner; it never holds a path.
 */
export class FilmRefused extends Error {
  readonly code: FilmRefusalCode

  /** @param options.cause what an operator may want to know, for the log only */
  constructor(code: FilmRefusalCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'FilmRefused'
    this.code = code
  }
}

export const filmCodecs = ['avc', 'hevc', 'vp8', 'vp9', 'av1'] as const

export type Film = {
  durationS: number
  /** Of the picture as it is shown: taken from a decoded frame, turned as the file asks. */
  width: number
  height: number
  codec: (typeof filmCodecs)[number]
  contentType: 'video/mp4' | 'video/webm' | 'video/quicktime'
  extension: 'mp4' | 'webm' | 'mov'
  sizeBytes: number
}

/** @throws FilmRefused TOO_LARGE_PICTURE */
export function checkPicture(width: number, height: number, limits: FilmLimits): void {
  if (Math.max(width, height) > limits.sidePixelsMax || width * height > limits.pixelsMax) {
    throw new FilmRefused('TOO_LARGE_PICTURE', `The film's picture is too large: ${width}×${height} pixels.`)
  }
}

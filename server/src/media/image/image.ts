/**
 * The limits that a start image must meet and the error that refuses it. The server and the child process share this file,
 * so it has type imports only.
 */
import type { ChildLimits } from '../child-process.ts'

export type ImageLimits = ChildLimits & {
  /** Shortest and longest side of the upload in pixels, after rotation. */
  sidePixelsMin: number
  sidePixelsMax: number
  /** Width times height of the upload. */
  pixelsMax: number
  /** Work of decoding the upload, in bytes of decoded samples; see `decodeCost`. */
  costMaxBytes: number
  /** Longest side of the stored image in pixels; larger uploads are scaled down. */
  storedSidePixelsMax: number
  /** Size of the stored image. */
  storedMaxBytes: number
}

export const imageRefusalCodes = [
  'NOT_AN_IMAGE',
  'ANIMATED',
  'TRUNCATED',
  'MORE_THAN_AN_IMAGE',
  'WRONG_SIZE',
  'UNDECODABLE',
  'TOO_COSTLY',
  'TOO_SLOW',
] as const

export type ImageRefusalCode = (typeof imageRefusalCodes)[number]

/** The image itself is at fault, so a retry is useless. `message` is one sentence for the user who uploaded it. */
export class ImageRefused extends Error {
  readonly code: ImageRefusalCode

  /** @param options.cause details for the operator, for the log only */
  constructor(code: ImageRefusalCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'ImageRefused'
    this.code = code
  }
}

/** The kinds of images that are stored, by the extension of their files. */
export const imageContentTypes = { png: 'image/png', jpg: 'image/jpeg' } as const
export type ImageExtension = keyof typeof imageContentTypes

/** The image as it is stored. */
export type Image = {
  width: number
  height: number
  contentType: (typeof imageContentTypes)[ImageExtension]
  extension: ImageExtension
}

/** What a start image is, and the limits that it must meet. The server and its child process share this file. */
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

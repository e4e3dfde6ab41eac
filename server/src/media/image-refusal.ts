/**
 * What is asked of a start image, and how one that falls short is refused. Shared by the server and the inspecting child
 * process, so it imports nothing that runs.
 */
import type { ChildLimits } from './child.ts'

export type ImageLimits = ChildLimits & {
  /** Shortest and longest side of what is sent, in pixels, as it is shown. */
  sidePixelsMin: number
  sidePixelsMax: number
  /** Width times height of what is sent. */
  pixelsMax: number
  /** Longest side of what is kept: a larger image is made smaller. */
  keptSidePixelsMax: number
  /** Size of what is kept. */
  keptMaxBytes: number
}

export const imageRefusalCodes = [
  'NOT_AN_IMAGE',
  'ANIMATED',
  'TRUNCATED',
  'MORE_THAN_AN_IMAGE',
  'WRONG_SIZE',
  'UNDECODABLE',
  'TOO_SLOW',
] as const

export type ImageRefusalCode = (typeof imageRefusalCodes)[number]

/** The image is at fault and would be again. `message` is one plain sentence for whoever sent it. */
export class ImageRefused extends Error {
  readonly code: ImageRefusalCode

  /** @param options.cause what an operator may want to know, for the log only */
  constructor(code: ImageRefusalCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'ImageRefused'
    this.code = code
  }
}

/** The image as it is kept. */
export type Image = {
  width: number
  height: number
  contentType: 'image/png' | 'image/jpeg'
  extension: 'png' | 'jpg'
}

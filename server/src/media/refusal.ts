/** The refusal of a film, image or asset. The server and its child processes share this file, so it imports nothing. */

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

/** Of assets that are films or sounds; those that are images are refused as images. */
export const assetRefusalCodes = [
  ...filmRefusalCodes,
  'NOT_AN_ASSET',
  'TOO_LARGE',
  'PROTECTED',
  'HIGH_DYNAMIC_RANGE',
  'TRANSPARENT',
  'ROTATED',
  'NO_SOUND',
] as const

/** Of the films of which a cut is made. */
export const cutRefusalCodes = [
  ...filmRefusalCodes,
  'TOO_LARGE',
  'HIGH_DYNAMIC_RANGE',
  'NO_SOUND',
] as const satisfies readonly (typeof assetRefusalCodes)[number][]

/** NOT_AS_ORDERED: a film much shorter or smaller than the request, which the inspecting child does not know. */
export type RefusalCode = (typeof assetRefusalCodes | typeof imageRefusalCodes)[number] | 'NOT_AS_ORDERED'

/** The file itself is at fault, so a retry is useless. `message`: a sentence for its owner, without a path. */
export class MediaRefused extends Error {
  readonly code: RefusalCode

  /** @param options.cause details for the operator, for the log only */
  constructor(code: RefusalCode, message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'MediaRefused'
    this.code = code
  }
}

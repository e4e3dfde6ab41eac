/**
 * What a film is made of: a text alone, or inputs beside it. A model's file may have modes of other names, which then
 * state their inputs.
 */
import type { Role } from './inputs.ts'

export type Mode = string

export const TEXT_TO_VIDEO = 'text-to-video'
/** Model and mode of a film that is cut of others (video/cut.ts); no model of the catalogue has this name. */
export const CUT = 'cut'
/** The roles of the modes that need not state them. */
export const MODES: Record<Mode, readonly Role[]> = {
  [TEXT_TO_VIDEO]: [],
  'image-to-video': ['start'],
  'first-last': ['start', 'end'],
  reference: ['reference'],
  extend: ['film'],
  upscale: ['film'],
  edit: ['film'],
  motion: ['start', 'motion'],
  'lip-sync': ['film', 'sound'],
  avatar: ['portrait', 'sound'],
  keyframes: ['keyframe'],
}
export const MODE_NAME = '^[a-z][a-z0-9-]{0,39}$'

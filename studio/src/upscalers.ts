/** Models that make a larger copy of a finished film. */
import type { Schemas } from '@kinora/client'

/** The mode whose film decides all but the quality. */
export const UPSCALE = 'upscale'

/** Whether a model makes larger copies and no films of its own. */
export const isUpscaler = ({ modes }: Pick<Schemas['Model'], 'modes'>): boolean =>
  modes.every((mode) => mode === UPSCALE)

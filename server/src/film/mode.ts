/** What a film is made of: a text alone, or images or a film beside it. */
export const MODES = ['text-to-video', 'image-to-video', 'first-last', 'reference', 'extend', 'upscale'] as const
export type Mode = (typeof MODES)[number]

/** Sizes in pixels, such as 1280x720, for formats that name a film's size and not its aspect ratio and quality. */
import type { Model } from '../../video/catalogue.ts'

type Shape = { aspectRatio: string; quality: string }

/** `<width>x<height>` with even sides; the quality names the short one. */
export function sizeOf({ aspectRatio, quality }: Shape): string {
  const [across = 1, down = 1] = aspectRatio.split(':').map(Number)
  const short = quality === '4k' ? 2160 : Number.parseInt(quality, 10)
  const long = 2 * Math.round((short * Math.max(across, down)) / Math.min(across, down) / 2)
  return across >= down ? `${long}x${short}` : `${short}x${long}`
}

const shapesOf = ({ aspectRatios, resolutions }: Model): Shape[] =>
  aspectRatios.flatMap((aspectRatio) => resolutions.map((quality) => ({ aspectRatio, quality })))

export const sizesOf = (model: Model): string[] => shapesOf(model).map(sizeOf)

/** The shape that a model makes in this size; null when it makes none. */
export const shapeOf = (model: Model, size: string): Shape | null =>
  shapesOf(model).find((shape) => sizeOf(shape) === size) ?? null

/** Sizes in pixels, such as 1280x720, for formats that name a film's size and not its aspect ratio and quality. */
import { filmSize } from '../catalogue/film-size.ts'
import type { Model } from '../catalogue/model.ts'
import { AppError } from '../errors.ts'
import { invalidField } from './format.ts'

type Shape = { aspectRatio: string; quality: string }

export function sizeOf({ aspectRatio, quality }: Shape): string {
  const { width, height } = filmSize(aspectRatio, quality)
  return `${width}x${height}`
}

const shapesOf = ({ summary: { aspectRatios, resolutions } }: Model): Shape[] =>
  aspectRatios.flatMap((aspectRatio) => resolutions.map((quality) => ({ aspectRatio, quality })))

export const sizesOf = (model: Model): string[] => shapesOf(model).map(sizeOf)

/** A field of a request under the name that its format gives it. */
type Field = { name: string; value: string | undefined }

/**
 * The shape that a request states, by its size or by ratio and quality. A request may state the same shape twice, but
 * not two shapes: one of them would be made and paid, and the other one asked for. Of a model that is not listed there
 * is none: `generate` refuses it.
 * @throws AppError UNSUPPORTED_QUALITY for a size that the model does not make, INVALID_REQUEST for a field that
 * contradicts it
 */
export function statedShape(
  model: Model | undefined,
  size: Field,
  stated: { aspectRatio?: Field; quality?: Field },
): Partial<Shape> {
  if (!model?.listed) return {}
  const { aspectRatio, quality } = stated
  if (size.value === undefined) {
    return {
      ...(aspectRatio?.value !== undefined && { aspectRatio: aspectRatio.value }),
      ...(quality?.value !== undefined && { quality: quality.value.toLowerCase() }),
    }
  }
  const shape = shapesOf(model).find((each) => sizeOf(each) === size.value)
  if (!shape) {
    const sizes = sizesOf(model)
    const message =
      sizes.length > 0
        ? `${model.name} makes films of ${sizes.join(', ')}.`
        : `The films of ${model.name} have the shape of their image; leave ${size.name} out.`
    throw new AppError('UNSUPPORTED_QUALITY', message, { details: [{ path: size.name, message }] })
  }
  for (const key of ['aspectRatio', 'quality'] as const) {
    const { name = '', value } = stated[key] ?? {}
    if (value === undefined || value.toLowerCase() === shape[key]) continue
    throw invalidField(
      name,
      `The ${size.name} ${size.value} does not have the ${name} ${value}; leave one of them out.`,
    )
  }
  return shape
}

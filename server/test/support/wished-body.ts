/** A wish, as the samples of the catalogue have it, as the body of a request. */
import { type Chosen, imagesOf } from '../../src/catalogue/constraints.ts'
import type { Model } from '../../src/catalogue/model.ts'
import { isOptionField, type RequestedParameters } from '../../src/film/fields.ts'

const LINK = 'https://example.com/a.png'
const FILM = '01900000-0000-7000-8000-000000000000'

/** @param sources the image and the film that it is made from, and how many images where a mode takes several */
export function wishedBody(
  model: Model,
  { mode, ...fields }: Chosen,
  { image = LINK, film = FILM, references = 1 } = {},
): RequestedParameters {
  const stated = Object.entries(fields).filter(([, value]) => value !== undefined)
  const own = stated.filter(([name]) => Object.hasOwn(model.options ?? {}, name) && !isOptionField(name))
  const others = stated.filter((each) => !own.includes(each))
  const images = imagesOf[mode].map((name) => [
    name,
    name === 'referenceImageUrls' ? Array(references).fill(image) : name.endsWith('From') ? film : image,
  ])
  return {
    ...(mode === 'upscale' ? {} : { prompt: 'A boat' }),
    model: model.id,
    ...Object.fromEntries([...others, ...images]),
    ...(own.length > 0 && { options: Object.fromEntries(own) }),
  } as RequestedParameters
}

/** A wish, as the samples of the catalogue have it, as the body of a request. */
import { type Chosen, lengthOf, shapeOf } from '../../src/catalogue/constraints.ts'
import type { Model } from '../../src/catalogue/model.ts'
import { isOptionField } from '../../src/film/fields.ts'
import type { Kind, Role } from '../../src/film/inputs.ts'
import type { FilmInput } from '../../src/video/generate-request.ts'

const LINK = 'https://example.com/a.png'
const FILM = '01900000-0000-7000-8000-000000000000'

/**
 * @param sources the image, the film and the sound that it is made from
 * @param sources.isOfEveryKind references are one of each kind that the mode takes
 */
export function wishedBody(
  model: Model,
  { mode, ...fields }: Chosen,
  { image = LINK, film = FILM, sound = 'https://example.com/a.mp3', isOfEveryKind = false } = {},
): FilmInput {
  const shape = shapeOf(model, mode)
  const decided = lengthOf(shape) ? ['duration'] : []
  const stated = Object.entries(fields).filter(([name, value]) => value !== undefined && !decided.includes(name))
  const own = stated.filter(([name]) => Object.hasOwn(model.options ?? {}, name) && !isOptionField(name))
  const others = stated.filter((each) => !own.includes(each))
  const sources: Record<Kind, object> = { image: { url: image }, film: { video: film }, sound: { url: sound } }
  const inputs = [...(model.roles.get(mode) ?? [])].flatMap(([role, { from, kinds }]) =>
    isOfEveryKind && kinds.length > 1
      ? kinds.map((kind, i) => inputOf(role, kind, i))
      : Array.from({ length: from }, (_, i) => inputOf(role, kinds[0] ?? 'image', i)),
  )
  function inputOf(role: Role, kind: Kind, at: number) {
    const source =
      kind === 'film' && role === 'reference' && film.startsWith('http') ? { url: film, kind } : sources[kind]
    return {
      role,
      ...source,
      ...(kind === 'sound' && role === 'reference' && { kind }),
      ...(role === 'keyframe' && { at }),
    }
  }
  return {
    ...(shape.prompt === 'none' ? {} : { prompt: 'A boat' }),
    model: model.id,
    mode,
    ...Object.fromEntries(others),
    ...(inputs.length > 0 && { inputs }),
    ...(own.length > 0 && { options: Object.fromEntries(own) }),
  } as FilmInput
}

/**
 * What goes into a film beside its prompt, by the fields of a vendor's body: pictures, films and sounds, each with a
 * role.
 */
import { uriOf } from './uploads.ts'

export type Kind = 'image' | 'film' | 'sound'
export type Role = 'start' | 'end' | 'keyframe' | 'reference' | 'film' | 'motion' | 'sound' | 'portrait'
/** `url`: http(s), or a data URI. */
export type Input = { role: Role; kind: Kind; url: string }
/** What a body has in such a place, which may be no address. */
export type GivenInput = Omit<Input, 'url'> & { url: unknown }

/**
 * The role of what is at a path of a body. A segment of a path takes one item of a list by its number, or the items
 * that have a value: `content[role=last_frame].image_url`, `promptImage[0].uri`; with no value those without the field.
 */
export type Fields = { [path: string]: Role | `reference ${Kind}` }

const kindOf: Record<Role, Kind> = {
  ...{ start: 'image', end: 'image', keyframe: 'image', reference: 'image', portrait: 'image' },
  ...{ film: 'film', motion: 'film', sound: 'sound' },
}

/** @param find what an upload is, by its name in the body */
export function inputsIn(
  body: unknown,
  fields: Fields,
  find: (value: unknown) => unknown = (value) => value,
): GivenInput[] {
  return Object.entries(fields).flatMap(([path, named]) => {
    const [role, kind = kindOf[role as Role]] = named.split(' ') as [Role, Kind?]
    const urls = at(body, path).map((value) => uriOf(find(uriOf(value))))
    return urls.flatMap((url) => (url === undefined ? [] : [{ role, kind, url }]))
  })
}

/** The values at a path; lists on the way, and at its end, are each taken whole. */
function at(body: unknown, path: string): unknown[] {
  return path
    .split('.')
    .reduce((values, segment) => values.flatMap((value) => step(value, segment)), [body])
    .flat()
    .filter((value) => value !== undefined && value !== null && value !== '')
}

function step(value: unknown, segment: string): unknown[] {
  const [, name = '', chosen] = /^(\w+)(?:\[(.*)\])?$/.exec(segment) ?? []
  const found = Object(value)[name]
  const items = [found].flat()
  if (chosen === undefined) return items
  if (/^\d+$/.test(chosen)) return [items[Number(chosen)]]
  const wanted = chosen.split(',').map((each) => each.split('='))
  return items.filter((item) => wanted.every(([field = '', word = '']) => String(Object(item)[field] ?? '') === word))
}

/** What a message and the film call an input: of several, and of references and keyframes, with its number. */
export function nameOf(input: Omit<Input, 'url'>, all: readonly Omit<Input, 'url'>[]): string {
  const same = all.filter(({ role, kind }) => role === input.role && kind === input.kind)
  const noun = nouns[input.role] ?? (input.role === 'reference' ? `reference ${input.kind}` : input.role)
  const isListed = same.length > 1 || input.role === 'reference' || input.role === 'keyframe'
  return isListed ? `${noun} ${same.indexOf(input) + 1}` : noun
}
const nouns: { [role: string]: string } = {
  start: 'start image',
  end: 'end image',
  motion: 'film of the motion',
}

/** Of the inputs with one of these roles, in the order of the roles. */
export const withRole = <I extends { role: Role }>(inputs: readonly I[], ...roles: Role[]): I[] =>
  roles.flatMap((role) => inputs.filter((input) => input.role === role))

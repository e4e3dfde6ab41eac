/**
 * The inputs of a film: pictures, films and sounds from which it is made, each with a role. The fields of a request
 * that name one (`startImageUrl`) are names for roles; inside there are inputs alone.
 */
import { type Static, Type } from 'typebox'
import { AppError } from '../errors.ts'
import { isUuid } from '../id.ts'
import { INPUT_URL_CHARACTERS_MAX, INPUTS_MAX, REFERENCES_MAX } from './limits.ts'

export const ROLES = ['start', 'end', 'keyframe', 'reference', 'film', 'motion', 'sound', 'portrait'] as const
export type Role = (typeof ROLES)[number]
export const KINDS = ['image', 'film', 'sound'] as const
export type Kind = (typeof KINDS)[number]

/** The kind of an input of a role; of a reference unless it says another one. */
export const kindOf: Record<Role, Kind> = {
  start: 'image',
  end: 'image',
  keyframe: 'image',
  reference: 'image',
  film: 'film',
  motion: 'film',
  sound: 'sound',
  portrait: 'image',
}
/** Of these a request may have several. */
export const LISTED_ROLES: readonly Role[] = ['keyframe', 'reference']

/**
 * An input as the row of its video has it. `source`: `kinora:` and the storage key of an asset, `video:` and the uuid
 * of a video of the owner, or a link to another site. `at`: of a keyframe, in seconds. `name`: of the asset, which the
 * prompt may name.
 */
export const StoredInput = Type.Object({
  role: Type.Enum([...ROLES]),
  kind: Type.Enum([...KINDS]),
  source: Type.String(),
  at: Type.Optional(Type.Number()),
  name: Type.Optional(Type.String()),
})
export type Input = Static<typeof StoredInput>

const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
/** An input as its owner reads it. */
export const ShownInput = Type.Object(
  {
    role: Type.Enum([...ROLES]),
    kind: Type.Enum([...KINDS]),
    asset: TextOrNull('Its id'),
    video: TextOrNull('Its uuid'),
    url: TextOrNull('The link that was sent; of an asset a newly signed one'),
    at: Type.Union([Type.Number(), Type.Null()], { description: 'Of a keyframe, in seconds' }),
  },
  { title: 'VideoInput' },
)
export type ShownInput = Static<typeof ShownInput>

const ASSET = 'kinora:'
const VIDEO = 'video:'
/** An asset by its id or name, until its storage key is read. */
const NAMED = 'asset:'
export const ofAsset = (key: string): string => ASSET + key
export const ofVideo = (uuid: string): string => VIDEO + uuid.toLowerCase()
/** The storage key of an asset; null for another source. */
export const keyIn = (source: string): string | null => after(ASSET, source)
/** The name of assets as a prompt has it, `@mara`, without its sign and in small letters. */
export const assetNameOf = (name: string): string => name.replace(/^@/, '').normalize('NFC').toLowerCase()
/** The uuid of a video; null for another source. */
export const videoIn = (source: string): string | null => after(VIDEO, source)
/** The id or name of an asset that was not read yet; null for another source. */
export const nameIn = (source: string): string | null => after(NAMED, source)
const after = (prefix: string, source: string) => (source.startsWith(prefix) ? source.slice(prefix.length) : null)
const INTERNAL = /^(kinora|video|asset):/
export const isLink = (source: string): boolean => URL.canParse(source) && !INTERNAL.test(source)

const LINK = `An https URL of at most ${INPUT_URL_CHARACTERS_MAX} characters, or the url of an asset`
export const GivenInput = Type.Object(
  {
    role: Type.Enum([...ROLES], { title: 'InputRole' }),
    asset: Type.Optional(
      Type.String({ maxLength: 100, description: 'The id of an asset of yours, or its name, such as @mara' }),
    ),
    video: Type.Optional(Type.String({ format: 'uuid', description: 'The uuid of a completed video of yours' })),
    url: Type.Optional(Type.String({ description: LINK })),
    kind: Type.Optional(
      Type.Enum([...KINDS], { description: 'Of a reference that is a link: what it leads to; an image when left out' }),
    ),
    at: Type.Optional(Type.Number({ minimum: 0, description: 'Of a keyframe: its time in the film, in seconds' })),
  },
  { title: 'Input', additionalProperties: false, description: 'Exactly one of asset, video and url' },
)
export const GivenInputs = Type.Array(GivenInput, {
  minItems: 1,
  maxItems: INPUTS_MAX,
  description:
    'What the film is made from beside the prompt: the roles decide the mode. References keep their order; the prompt names them @1, @2, or by the name of their assets',
})

const NamedFilm = (description: string) => Type.Optional(Type.String({ format: 'uuid', description }))
const Picture = (description: string) => Type.Optional(Type.String({ description }))
/** The fields of a request that name an input by its role, and the mode of those that are made of a film. */
export const roleFields = {
  startImageUrl: {
    role: 'start',
    request: Picture(`Names the input start: ${LINK}; makes the video image-to-video`),
  },
  endImageUrl: {
    role: 'end',
    request: Picture('As startImageUrl: the picture with which the film ends; makes the video first-last'),
  },
  referenceImageUrls: {
    role: 'reference',
    request: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: REFERENCES_MAX,
        description: 'Each as startImageUrl: what the film shows; makes the video reference',
      }),
    ),
  },
  extendFrom: {
    role: 'film',
    mode: 'extend',
    request: NamedFilm('The uuid of a completed video of yours, whose film goes on; makes the video extend'),
  },
  upscaleFrom: {
    role: 'film',
    mode: 'upscale',
    request: NamedFilm('The uuid of a completed video of yours, for a larger copy of its film'),
  },
} as const satisfies Record<string, { role: Role; mode?: string; request: unknown }>
export type RoleField = keyof typeof roleFields
type RoleFields = { [Name in RoleField]?: Static<(typeof roleFields)[Name]['request']> | undefined }
const ROLE_FIELDS = Object.entries(roleFields) as [RoleField, { role: Role; mode?: string }][]

/** `path`: the field of the request that has it. */
export type Given = Input & { path: string }
type Givable = RoleFields & {
  inputs?: readonly Static<typeof GivenInput>[] | undefined
  mode?: string | undefined
}

/**
 * The inputs of a request, in its order; null when it has none.
 * @throws AppError INVALID_REQUEST for two fields of one role, and an input that is none
 */
export function givenInputs(request: Givable): { inputs: Given[]; mode?: string } | null {
  const found: Given[] = []
  let { mode } = request
  for (const [path, field] of ROLE_FIELDS) {
    const value = request[path]
    if (value === undefined || value === null) continue
    const { role } = field
    if (field.mode !== undefined) {
      if (mode !== undefined && mode !== field.mode)
        throw refused('mode', `With ${path} the mode is ${field.mode}; leave out mode, or name the film in inputs.`)
      mode = field.mode
    }
    const kind = kindOf[role]
    for (const each of [value].flat())
      found.push({ role, kind, path, source: kind === 'film' ? ofVideo(each) : linkIn(each, role, path) })
  }
  for (const [i, each] of (request.inputs ?? []).entries()) {
    const path = `inputs.${i}`
    const other = found.find(({ role, path: named }) => role === each.role && !named.startsWith('inputs.'))
    if (other) throw refused(other.path, `Both ${other.path} and inputs have ${article(each.role)}; leave one out.`)
    found.push(readInput(each, path))
  }
  return found.length === 0 ? null : { inputs: found, ...(mode !== undefined && { mode }) }
}

/** The request with its inputs in one list. @throws AppError INVALID_REQUEST; see givenInputs */
export function withInputs<R extends Givable>(
  request: R,
): Omit<R, RoleField | 'inputs'> & { inputs?: Given[]; mode?: string } {
  const given = givenInputs(request)
  const rest = { ...request } as Record<string, unknown>
  for (const [name] of given ? ROLE_FIELDS : []) delete rest[name]
  return { ...rest, ...given } as ReturnType<typeof withInputs<R>>
}

function readInput({ role, asset, video, url, kind, at }: Static<typeof GivenInput>, path: string): Given {
  const link = url === undefined ? url : linkIn(url, role, path)
  const sources = [asset && NAMED + asset, video && ofVideo(video), link].filter((each) => each !== undefined)
  const [source] = sources
  if (source === undefined || sources.length > 1)
    throw refused(path, `The ${nounOf(role)} needs exactly one of asset, video and url.`)
  const name = nounOf(role)
  if (video !== undefined && !isUuid(video)) throw refused(path, `The video of the ${name} is no uuid.`)
  if (video !== undefined && kindOf[role] !== 'film' && role !== 'reference')
    throw refused(path, `The ${name} is ${articled(kindOf[role])}, and a video is a film; name an asset or a url.`)
  if (kind !== undefined && (url === undefined || (role !== 'reference' && kind !== kindOf[role])))
    throw refused(path, `Only the url of a reference needs a kind; leave it out of the ${name}.`)
  if (at !== undefined && role !== 'keyframe')
    throw refused(path, `Only a keyframe has a time; leave out at of the ${name}.`)
  const found = kind ?? (video !== undefined ? 'film' : kindOf[role])
  return { role, kind: found, path, source, ...(at !== undefined && { at }) }
}

/** A link of a request. The words of rows are not the caller's: they name any file. @throws AppError INVALID_REQUEST */
function linkIn(url: string, role: Role, path: string): string {
  if (INTERNAL.test(url)) throw refused(path, `The ${nounOf(role)} must be an https URL, or the url of an asset.`)
  return url
}

/** The inputs as their row has them; null: none. */
export const storedInputs = (given: readonly Given[] | null | undefined): Input[] | null =>
  given && given.length > 0
    ? given.map(({ role, kind, source, at, name }) => ({
        ...{ role, kind, source },
        ...(at !== undefined && { at }),
        ...(name !== undefined && { name }),
      }))
    : null

/** The words of an input for its user: of several references with its number. */
export function nameOf<I extends Input>(input: I, all: readonly I[]): string {
  const same = all.filter(({ role }) => role === input.role)
  return same.length > 1 || LISTED_ROLES.includes(input.role)
    ? `${nounOf(input.role, input.kind)} ${same.indexOf(input) + 1}`
    : nounOf(input.role)
}

export function nounOf(role: Role, kind: Kind = kindOf[role]): string {
  switch (role) {
    case 'start':
      return 'start image'
    case 'end':
      return 'end image'
    case 'reference':
      return `reference ${kind}`
    case 'motion':
      return 'film of the motion'
    default:
      return role
  }
}
const articled = (word: string): string => `${/^[aeiou]/.test(word) ? 'an' : 'a'} ${word}`
export const article = (role: Role): string => articled(nounOf(role))

const refused = (path: string, message: string) =>
  new AppError('INVALID_REQUEST', message, { details: [{ path, message }] })

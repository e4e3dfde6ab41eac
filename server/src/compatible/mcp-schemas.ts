/** What the tools of `/mcp` take and return, and what a language model reads about them. */
import { Type } from 'typebox'
import type { Scope } from '../account/key/scope.ts'
import { PRICE_UNITS } from '../catalogue/price.ts'
import { requestSchemas, schemasOf } from '../film/fields.ts'
import { filmCount, metadataSchema } from '../film/limits.ts'
import { Balance, Package } from '../http/credit.ts'

/** The tools that change something; the others read. An unknown tool changes nothing. */
const CHANGING_FILMS = ['generate_video', 'cancel_video', 'delete_video']
const CHANGING_PROJECTS = [
  ...['create_project', 'change_project', 'add_shots', 'change_shot', 'delete_shot'],
  ...['generate_project', 'render_project'],
]
const CHANGING = [...CHANGING_FILMS, ...CHANGING_PROJECTS]

/** The scope that an API key needs to call a tool. */
export const scopeOfTool = (name: unknown): Scope => (CHANGING.includes(String(name)) ? 'generate' : 'read')

/** What a browser token may call; the others are about the account. */
const FOR_TOKENS = ['list_models', 'get_model', 'quote_video', 'get_video', 'list_videos', ...CHANGING_FILMS]

export const isForTokens = (name: unknown): boolean => FOR_TOKENS.includes(String(name))

/** Less than the 60 s after which clients give a request up. */
const WAIT_S_MAX = 50
export const PAGE_SIZE = 20

const { upscaleFrom: _, ...ofNewFilm } = requestSchemas
const film = {
  ...ofNewFilm,
  model: Type.String({ description: 'An id of list_models' }),
  duration: Type.Optional(
    Type.Integer({
      description: 'Seconds, within minDuration and maxDuration of the model; none where an input decides it',
    }),
  ),
  prompt: Type.Optional(ofNewFilm.prompt),
  aspectRatio: Type.Optional(
    Type.String({
      description: 'One of the aspectRatios of the model; not needed where the film has the shape of its image',
    }),
  ),
  startImageUrl: Type.Optional(Type.String({ description: 'An https link to the picture that the film begins with' })),
  n: filmCount,
  metadata: Type.Optional(metadataSchema),
}
const waitSeconds = Type.Optional(
  Type.Integer({
    minimum: 0,
    maximum: WAIT_S_MAX,
    description: `Wait until the film is final, at most this long (0 to ${WAIT_S_MAX}). A time-out is no error: the status is not final then, and get_video asks again`,
  }),
)
const uuid = Type.String({ description: 'The uuid that generate_video returned' })

export const inputs = {
  none: Type.Object({}),
  model: Type.Object({ model: film.model }),
  quote: Type.Object(film),
  generate: Type.Object({
    ...film,
    maxCredits: Type.Optional(Type.Integer({ minimum: 1, description: 'Refuse a film that costs more credits' })),
    waitSeconds,
    idempotencyKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        pattern: '^[\\x20-\\x7e]+$',
        description: 'Your own name of this call: repeated with it, the call returns the same film and costs nothing',
      }),
    ),
  }),
  video: Type.Object({ uuid, waitSeconds }),
  list: Type.Object({
    q: Type.Optional(Type.String({ maxLength: 100, description: 'Only videos with this text in their prompt' })),
    page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000, description: `From 1; ${PAGE_SIZE} a page` })),
  }),
  uuid: Type.Object({ uuid }),
}

export const Video = Type.Object({
  ...schemasOf('mcp'),
  videoUrl: Type.Optional(
    Type.String({ description: 'Link to the film, valid for a day; get_video returns a new one' }),
  ),
  error: Type.Optional(Type.String({ description: 'Why it failed' })),
  uuids: Type.Optional(
    Type.Array(Type.String(), { description: 'Of generate_video with n: all films; get_video waits for each' }),
  ),
  pollAfterSeconds: Type.Optional(Type.Integer({ description: 'When to call get_video again' })),
})
const Model = Type.Object({
  id: Type.String(),
  name: Type.String(),
  modes: Type.Array(Type.String()),
  minDuration: Type.Integer(),
  maxDuration: Type.Integer(),
  resolutions: Type.Array(Type.String()),
  aspectRatios: Type.Array(Type.String()),
  creditsPer: Type.Enum([...PRICE_UNITS]),
  credits: Type.Record(Type.String(), Type.Number(), { description: 'By resolution' }),
})
const Credits = Type.Object({ ...Balance.properties, packages: Type.Array(Type.Object(Package.properties)) })
export const outputs = {
  models: Type.Object({ models: Type.Array(Model) }),
  model: Type.Object({
    ...Model.properties,
    schema: Type.Object({}, { additionalProperties: true, description: 'JSON Schema of the input of generate_video' }),
    rules: Type.Array(Type.Object({}, { additionalProperties: true }), {
      description: 'What values exclude each other, and why',
    }),
    prices: Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()], {
      description: 'Credits by the values on which they depend',
    }),
    usualSeconds: Type.Integer({ description: 'How long a film takes' }),
  }),
  quote: Type.Object({
    credits: Type.Integer(),
    ceiling: Type.Boolean({ description: 'Whether that is the most: the seconds that are made are paid for' }),
    available: Type.Integer(),
    enough: Type.Boolean(),
    mode: Type.String(),
    provider: Type.String({ description: 'The kind of provider that is tried first' }),
    estimatedSeconds: Type.Integer(),
  }),
  video: Video,
  list: Type.Object({
    videos: Type.Array(Type.Omit(Video, ['progress', 'estimatedSeconds', 'queuePosition'])),
    total: Type.Integer(),
    page: Type.Integer(),
  }),
  deleted: Type.Object({ uuid: Type.String(), deleted: Type.Boolean() }),
  credits: Credits,
}

/** What stands after the name of the service. */
export const INSTRUCTIONS =
  'makes short films from text, or from a picture and text. A film costs credits, which quote_video tells before and which ' +
  'come back when it fails; it takes one to several minutes. generate_video returns at once or after waitSeconds; then call get_video ' +
  'with the uuid until the status is COMPLETED or FAILED. Give the user the link in videoUrl. A longer film is a project: create_project ' +
  'with its shots, quote_project, generate_project, get_project until all are made, render_project.'

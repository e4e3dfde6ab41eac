/**
 * The fields of a video, each described once: its value in SQL, its JSON schema, an example, and the views that have
 * it. The SELECT lists and the types of their rows come from here, the schemas and examples of the API, the JSON of
 * webhooks (server/sql/video_view.sql, which `npm run schema` writes), and of the parameters the request that creates a
 * video.
 */
import { type Static, type TObject, type TSchema, Type } from 'typebox'
import {
  computed,
  inPublic,
  listed,
  ofPublished,
  ofRequest,
  ordered,
  orNull,
  own,
  parameter,
  read,
  shown,
  Text,
  Time,
  TimeOrNull,
  unsent,
  type Value,
  type View,
  whole,
} from './describe.ts'
import { FAILURE_CODES, RETRYABLE_CODES } from './failure.ts'
import { fileFields } from './files.ts'
import { type Given, GivenInputs, type RoleField, roleFields, ShownInput, StoredInput } from './inputs.ts'
import { metadataStored, PROMPT_CHARACTERS_MAX, SEED_MAX } from './limits.ts'
import { TEXT_TO_VIDEO } from './mode.ts'

/** The status values of a video. COMPLETED and FAILED are final. */
export const STATUSES = ['PENDING', 'GENERATING', 'UPLOADING', 'COMPLETED', 'FAILED'] as const
export type Status = (typeof STATUSES)[number]

export const isFinal = (status: Status): boolean => status === 'COMPLETED' || status === 'FAILED'

/** The quality of a request that names none. */
export const DEFAULT_QUALITY = '720p'
/** A prompt in a list has at most this many characters, then an ellipsis. */
const LIST_PROMPT_CHARACTERS = 120

const listPrompt = `case when length(v.prompt) > ${LIST_PROMPT_CHARACTERS} then left(v.prompt, ${LIST_PROMPT_CHARACTERS}) || '…' else v.prompt end`

const uuid = '01939b1e-5d6a-7c3e-9f0a-4b1c2d3e4f50'
const exampleLink = (extension: string) =>
  `https://kinora.example/files/video/01939b1e-1111-7aaa-8bbb-000000000001/${uuid}.${extension}?exp=1768555800&sig=…`

const Uuid = Type.String({ format: 'uuid' })
const OptionValue = Type.Union([Type.String(), Type.Number(), Type.Boolean()])

/** The video that a film is made from, in a mode. */
const madeFrom = (mode: string) => `case when v.mode = '${mode}' then kinora.input_video(p_inputs => v.made_of) end`
export const fields = {
  userId: read('v.user_id', Text, ['claim']),
  id: read('v.id', Text, ['claim', 'export']),
  uuid: shown('v.id', Uuid, uuid, ['list', 'detail', 'task', 'change', 'mcp', 'compatible', 'event', 'webhook']),
  prompt: parameter(
    shown(
      { else: 'v.prompt', in: { list: listPrompt, change: listPrompt } },
      Type.String({ description: `In lists and event streams the first ${LIST_PROMPT_CHARACTERS} characters, then …` }),
      'A paper boat in a rain gutter, dawn',
      ['list', 'detail', 'change', 'share', 'explore', 'mcp', 'compatible', 'webhook', 'export', 'claim'],
    ),
    {
      name: 'prompt',
      request: Type.String({
        description: `What the film shows; 1 to ${PROMPT_CHARACTERS_MAX} characters after trimming`,
      }),
    },
  ),
  model: parameter(shown('v.model', Type.String(), 'delta-1-5', [...whole, 'share', 'explore']), {
    name: 'model',
    request: Type.String({
      description: 'An id of GET /api/v1/config/models',
      examples: ['alpha-2', 'beta-3-1', 'delta-1-5'],
    }),
  }),
  status: shown(
    'v.status',
    Type.Enum([...STATUSES], {
      title: 'VideoStatus',
      description: 'PENDING, GENERATING, UPLOADING, then COMPLETED or FAILED, which are final',
    }),
    'COMPLETED',
    [...whole, 'task', 'change'],
  ),
  progress: shown(
    'kinora.video_progress(p_video => v, p_now => :now)',
    Type.Integer({ minimum: 0, maximum: 100, description: 'Never falls' }),
    100,
    ['task', 'change', 'mcp', 'compatible'],
  ),
  estimatedSeconds: shown(
    'kinora.video_estimated_s(p_video => v, p_now => :now)',
    orNull(
      Type.Integer({ minimum: 1 }),
      'Seconds until the film is ready: as the provider says, or as the last films took; null: unknown, or final',
    ),
    null,
    ['task', 'change', 'mcp', 'compatible'],
  ),
  queuePosition: shown(
    `case when v.status = 'GENERATING' then v.queue_position end`,
    orNull(Type.Integer({ minimum: 0 }), 'Tasks before this one at the provider; null: none, or unknown'),
    null,
    ['task', 'change', 'mcp', 'compatible', 'claim'],
  ),
  videoUrl: computed(
    orNull(
      Text,
      'Signed link to the film; read the video again to renew it. Add ?download for an attachment, ?download&filename=name to name it',
    ),
    exampleLink('mp4'),
    ['list', 'detail'],
  ),
  thumbnailUrl: computed(orNull(Text, 'Signed link to a JPEG'), exampleLink('jpg'), ['list', 'detail', 'change']),
  ...fileFields,
  /** The requested value until the film is stored, then the film's own. */
  duration: shown(
    'coalesce(floor(v.film_duration_s * 100 + 0.5) / 100, v.duration_s)::float8',
    Type.Number({ description: 'Seconds' }),
    4,
    ['list', 'detail', 'share', 'explore', 'mcp', 'event'],
  ),
  durationS: parameter(read('v.duration_s', Type.Integer(), ['compatible', 'webhook', 'export', 'claim']), {
    name: 'duration',
    request: Type.Number({ description: 'Whole seconds, within the minDuration and maxDuration of the model' }),
  }),
  aspectRatio: parameter(
    shown(
      {
        else: 'kinora.film_aspect_ratio(p_ordered => v.aspect_ratio, p_width => v.film_width, p_height => v.film_height)',
        in: ordered('v.aspect_ratio'),
      },
      Type.String({ description: 'As requested; of the film itself once it is COMPLETED' }),
      '16:9',
      [...whole, 'share', 'explore'],
    ),
    {
      name: 'aspectRatio',
      request: Type.Optional(Type.String({ description: 'One of the model’s; none is needed where an image decides' })),
    },
  ),
  quality: parameter(
    read(
      {
        else: 'kinora.film_quality(p_ordered => v.quality, p_width => v.film_width, p_height => v.film_height)',
        in: ordered('v.quality'),
      },
      Text,
      ['detail', 'explore', 'compatible', 'event', 'webhook', 'export', 'claim'],
    ),
    {
      name: 'quality',
      request: Type.Optional(
        Type.String({ description: `One of the resolutions of the model; ${DEFAULT_QUALITY} when left out` }),
      ),
      absent: DEFAULT_QUALITY,
    },
  ),
  creditsUsed: shown(
    `case when v.status = 'FAILED' then 0 else v.credits end`,
    Type.Integer({ description: 'The price in credits, the most until it is completed; 0 once released' }),
    16,
    ['list', 'detail', 'mcp', 'compatible', 'event', 'webhook'],
  ),
  /** The price, also of a film that failed, and credits for a second of film where it follows what is made. */
  credits: read('v.credits', Type.Integer(), ['export']),
  secondRate: read('v.second_rate::float8', orNull(Type.Number()), ['claim', 'export']),
  createdAt: shown('v.created_at', Time('When the video was requested'), '2026-01-15T09:30:00.000Z', whole),
  /** When a provider accepted the task. */
  acceptedAt: read('v.accepted_at', TimeOrNull(''), ['compatible', 'webhook']),
  completedAt: shown(
    { else: `case when v.status = 'COMPLETED' then v.completed_at end`, in: { export: 'v.completed_at' } },
    TimeOrNull('When the film was ready'),
    '2026-01-15T09:30:48.000Z',
    ['list', 'detail', 'share', 'explore', 'compatible', 'event', 'webhook', 'export'],
  ),
  endedAt: shown('v.completed_at', TimeOrNull('When it was ready, or failed'), '2026-01-15T09:30:48.000Z', ['change']),
  failedAt: read(`case when v.status = 'FAILED' then v.updated_at end`, TimeOrNull(''), ['compatible', 'webhook']),
  deletedAt: read('v.deleted_at', TimeOrNull(''), ['export']),
  sharedAt: read(
    '(select s.created_at from kinora.video_share s where s.user_id = v.user_id and s.video_id = v.id)',
    TimeOrNull(''),
    ['export'],
  ),
  provider: shown(
    'v.providers[v.provider_index]',
    Type.String({ description: 'The AI provider of the current attempt, or that made the film' }),
    'provider-b',
    ['detail', 'export'],
  ),
  /** In USD the final cost that the provider states, and that of the catalogue; null: unknown. */
  costs: read('jsonb_build_array(v.final_cost * v.unit_usd, v.catalogue_usd)', Type.Array(orNull(Type.Number())), [
    'claim',
  ]),
  startImageUrl: computed(orNull(Text, 'Of the input start: as sent, or a newly signed link to the asset'), null, [
    'detail',
  ]),
  endImageUrl: computed(orNull(Text, 'As startImageUrl, of the input end'), null, ['detail']),
  referenceImageUrls: computed(orNull(Type.Array(Text), 'Each as startImageUrl, of the references'), null, ['detail']),
  /** The inputs as the row has them. */
  madeOf: parameter(read('v.made_of', orNull(Type.Array(StoredInput)), ofRequest), {
    name: 'inputs',
    request: Type.Optional(GivenInputs),
  }),
  inputs: computed(orNull(Type.Array(ShownInput), 'What it was made from beside the prompt; null: nothing'), null, [
    'detail',
  ]),
  seed: parameter(
    shown('v.seed', orNull(Type.Integer(), 'As requested; null when the provider was to choose one'), null, inPublic),
    {
      name: 'seed',
      request: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: SEED_MAX,
          description: 'Films of the same request and seed resemble each other, where the provider supports it',
        }),
      ),
      isOption: true,
    },
  ),
  negativePrompt: parameter(shown('v.negative_prompt', orNull(Text, 'As requested'), null, ofPublished), {
    name: 'negativePrompt',
    request: Type.Optional(Type.String({ description: 'What the film must not show; for models that have it' })),
    isOption: true,
  }),
  audio: parameter(
    shown(
      'v.audio',
      orNull(Type.Boolean(), 'Whether the model makes sound; null for one without a choice'),
      null,
      ofPublished,
    ),
    {
      name: 'audio',
      request: Type.Optional(
        Type.Boolean({ description: 'Whether the film has sound; for models that have the choice' }),
      ),
      isOption: true,
    },
  ),
  options: parameter(
    shown(
      'v.options',
      orNull(Type.Record(Type.String(), OptionValue), 'Those of the model, with its defaults'),
      null,
      ofPublished,
    ),
    {
      name: 'options',
      request: Type.Optional(
        Type.Record(Type.String(), OptionValue, {
          description: 'What the model alone has: the options of GET /api/v1/config/models',
        }),
      ),
    },
  ),
  mode: parameter(
    shown(
      'v.mode',
      Type.String({ description: 'What it was made of: a text, or the roles of its inputs' }),
      TEXT_TO_VIDEO,
      [...whole, 'explore'],
    ),
    {
      name: 'mode',
      request: Type.Optional(
        Type.String({
          description: 'Where a model has several modes of the same inputs, such as extend and edit: which one',
        }),
      ),
    },
  ),
  extendedFrom: shown(madeFrom('extend'), orNull(Uuid, 'The video that this one continues'), null, listed),
  upscaledFrom: shown(madeFrom('upscale'), orNull(Uuid, 'The video that this one enlarges'), null, listed),
  project: shown(
    "case when v.model = 'cut' then v.options ->> 'project' end",
    orNull(Uuid, 'The project of which it is a cut; null: a film'),
    null,
    ['event'],
  ),
  /** The videos of one request for several: the uuid of the first. */
  batchId: shown(
    'v.batch_id',
    orNull(Uuid, 'The same for all videos of one request with n; null for one that was requested alone'),
    null,
    unsent,
  ),
  favourite: shown(
    'v.favourite',
    Type.Boolean({ description: 'As POST /api/v1/video/arrange has set it' }),
    false,
    own,
  ),
  folderId: shown('v.folder_id', orNull(Uuid, 'The folder; null: in none'), null, own),
  waiting: shown(
    'v.is_waiting and v.due_at is not null',
    Type.Boolean({
      description: 'Whether it waits for others of yours to end: of a project whose shots were generated together',
    }),
    false,
    [...own, 'change'],
  ),
  usedIn: shown(
    `(select t.project_id from kinora.shot_take t join kinora.shot s on s.user_id = t.user_id and s.project_id = t.project_id and s.id = t.shot_id where t.user_id = v.user_id and t.video_id = v.id and s.take_id = v.id)`,
    orNull(Uuid, 'The project in which it is the chosen take of a shot; null: in none'),
    null,
    ['list', 'detail'],
  ),
  isWaiting: read('v.is_waiting', Type.Boolean(), ['claim']),
  madeBy: shown(
    'v.made_by',
    orNull(Uuid, 'The API key, program or member of the team that made it; null: a session of your own'),
    null,
    [...own, 'change'],
  ),
  subject: shown('v.subject', orNull(Text, 'Of its browser token; null: none'), null, [...own, 'change', 'event']),
  /** No worker reads it, so that no provider gets it. */
  metadata: shown('v.metadata', orNull(metadataStored, 'As requested; null: none'), null, [...unsent, 'change']),
  /** `quality` of the detail. */
  resolution: computed(
    Type.String({ description: 'As requested; of the film itself once it is COMPLETED' }),
    DEFAULT_QUALITY,
    ['detail', 'explore'],
  ),
  filmWidth: read('v.film_width', orNull(Type.Integer()), ['share', 'export']),
  filmHeight: read('v.film_height', orNull(Type.Integer()), ['share', 'export']),
  filmDurationS: read('v.film_duration_s', orNull(Type.Number()), ['export']),
  fileSize: shown('v.size_bytes', orNull(Type.Number(), 'Bytes'), 1834022, ['detail']),
  sizeBytes: read('v.size_bytes', orNull(Type.Integer()), ['export']),
  generationTime: shown(
    'case when v.result_at < v.accepted_at then 0 else round(extract(epoch from v.result_at - v.accepted_at), 1) end::float8',
    orNull(Type.Number(), 'Seconds from the provider’s acceptance to its result'),
    41.3,
    ['detail'],
  ),
  error: shown('v.error', orNull(Text, 'Why the video failed'), null, [
    'detail',
    'task',
    'change',
    'compatible',
    'event',
    'webhook',
    'export',
  ]),
  failure: shown(
    `case when v.status = 'FAILED' then jsonb_build_object('code', v.error_code, 'message', v.error, 'retryable', v.error_code = any('{${RETRYABLE_CODES}}')) end`,
    orNull(
      Type.Object(
        {
          code: Type.Enum(FAILURE_CODES, { description: 'Why it failed, for programs' }),
          message: Type.String({ description: 'The same as error' }),
          retryable: Type.Boolean({ description: 'Whether the same request may succeed when it is made again' }),
        },
        { title: 'VideoFailure' },
      ),
      'null unless the video is FAILED',
    ),
    null,
    ['list', 'detail', 'task', 'change', 'mcp', 'compatible', 'event', 'webhook', 'export'],
  ),
  /** See end-read.ts. */
  isReplayable: read('v.is_replayable', orNull(Type.Boolean()), ['list', 'detail', 'task', 'change', 'compatible']),
  /** The film of which it is a remix. */
  remixedFrom: read('v.remixed_from', orNull(Text), ['compatible', 'webhook']),
  providers: read('v.providers', Type.Array(Text), ['claim']),
  /** Position in `providers`, from 1, of the provider in use. */
  providerIndex: read('v.provider_index', Type.Integer(), ['claim']),
  providerTaskId: read('v.provider_task_id', orNull(Text), ['claim']),
  /** See handle.ts. */
  providerHandle: read('v.provider_handle', Type.Unsafe<Buffer | null>({}), ['claim']),
  expectedAt: read('v.expected_at', TimeOrNull(''), ['claim']),
  lostAt: read('v.lost_at', TimeOrNull(''), ['claim']),
  submittedAt: read('v.submitted_at', TimeOrNull(''), ['claim']),
  resultAt: read('v.result_at', TimeOrNull(''), ['claim']),
  resultUrl: read('v.result_url', orNull(Text), ['claim']),
  deadlineAt: read('v.deadline_at', Time(''), ['claim']),
  attempt: read('v.attempt', Type.Integer(), ['claim']),
}

type Fields = typeof fields
type In<F, V extends View> = F extends { in: readonly (infer I)[] } ? (V extends I ? true : false) : false
/** A time is a `Date` in a row. */
type ValueOf<F> = F extends { schema: infer S extends TSchema }
  ? Date extends Static<S>
    ? Exclude<Static<S>, string>
    : Static<S>
  : never

/** A row of a view, as the driver returns it for `columnsText`. */
export type Row<V extends View> = {
  [K in keyof Fields as Fields[K] extends { sql: Value }
    ? In<Fields[K], V> extends true
      ? K
      : never
    : never]: ValueOf<Fields[K]>
}
/** A row of a view as JSON. */
export type JsonRow<V extends View> = {
  [K in keyof Row<V>]: Row<V>[K] extends Date ? string : Row<V>[K] extends Date | null ? string | null : Row<V>[K]
}

type Schemas<V extends View> = {
  [K in keyof Fields as Fields[K] extends { example: unknown }
    ? In<Fields[K], V> extends true
      ? K
      : never
    : never]: Fields[K]['schema']
}
/** What a view shows. */
export type Shown<V extends View> = Static<TObject<Schemas<V>>>

type ParameterName = { [K in keyof Fields]: Fields[K] extends { request: TSchema } ? K : never }[keyof Fields]
/** What a film is made from, as its row has it and a provider gets it. */
export type Parameters = { [K in ParameterName]: ValueOf<Fields[K]> }
export type RequestSchemas = { [K in ParameterName as Fields[K]['name']]: Fields[K]['request'] }
type OptionName = {
  [K in ParameterName]: Fields[K]['isOption'] extends true ? Fields[K]['name'] : never
}[ParameterName]
/** A request with its inputs in one list, whichever fields have named them. */
export type Wanted = Omit<Static<TObject<RequestSchemas>>, 'inputs'> & { inputs?: readonly Given[] | null }
/** The parameters as a request has them. */
export type RequestedParameters = Static<TObject<RequestSchemas>> & { [Name in RoleField]?: RoleValue<Name> }
type RoleValue<Name extends RoleField> = Static<(typeof roleFields)[Name]['request']>

export type Field = {
  sql?: Value
  schema: TSchema
  example?: unknown
  in: readonly View[]
  name?: string
  request?: TSchema
  absent?: string | null
  isOption?: boolean
}
type Entry = [name: string, field: Field]

const entries: Entry[] = Object.entries(fields)
export const readIn = (view: View): Entry[] =>
  entries.filter(([, field]) => field.sql !== undefined && field.in.includes(view))
const shownIn = (view: View): Entry[] => entries.filter(([, field]) => 'example' in field && field.in.includes(view))
export const parameters = entries.filter(([, { request }]) => request !== undefined)

/** The JSON schemas of what a view shows. */
export const schemasOf = <V extends View>(view: V): Schemas<V> =>
  Object.fromEntries(shownIn(view).map(([name, { schema }]) => [name, schema])) as unknown as Schemas<V>

export const exampleOf = <V extends View>(view: V): Shown<V> =>
  Object.fromEntries(shownIn(view).map(([name, { example }]) => [name, example])) as Shown<V>

/** What a view shows, without what else a row has. */
export const pick = <V extends View, From extends Record<keyof Shown<V>, unknown>>(view: V, from: From) =>
  Object.fromEntries(shownIn(view).map(([name]) => [name, from[name as keyof From]])) as Pick<From, keyof Shown<V>>

/** The JSON schemas of the parameters in a request, and of the fields that name an input. */
export const requestSchemas = Object.fromEntries([
  ...parameters.map(([, { name, request }]) => [name, request]),
  ...Object.entries(roleFields).map(([name, { request }]) => [name, request]),
]) as unknown as RequestSchemas & { [Name in RoleField]: (typeof roleFields)[Name]['request'] }

/** Those that a model has as its options; every other option is in `options` of a request. */
export const optionSchemas = Object.fromEntries(
  parameters.flatMap(([, { name, request, isOption }]) => (isOption ? [[name, request]] : [])),
) as unknown as Pick<RequestSchemas, OptionName>
export const isOptionField = (name: string): name is OptionName => Object.hasOwn(optionSchemas, name)

/** A request that names what any model needs. */
export const exampleRequest = Object.fromEntries(
  ['prompt', 'model', 'duration', 'aspectRatio'].map((name) => [name, Object.fromEntries(entries)[name]?.example]),
) as RequestedParameters

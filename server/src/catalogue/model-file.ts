/**
 * The schema of a model's file, which `npm run schema` publishes as catalogue/model.schema.json.
 */
import { type Static, type TSchema, Type } from 'typebox'
import { ROLES } from '../film/inputs.ts'
import { REFERENCES_MAX } from '../film/limits.ts'
import { MODE_NAME } from '../film/mode.ts'
import { FILM_SECONDS_MAX } from '../media/film/film.ts'
import type { Mapping } from '../provider/request-mapping.ts'
import { type Amounts, UNITS } from './amounts.ts'

/** Words of quality, from the smallest; film-size.ts has their pixels. */
export const QUALITIES = ['360p', '480p', '540p', '720p', '768p', '1080p', '1440p', '4k'] as const
/** The longest `deadlineSeconds` of a model; kinora.longest_deadline() rests on it. */
export const DEADLINE_S_MAX = 3600
export const FOLLOWS_THE_IMAGE = 'follows the image'
export const KEPT = 'kept'

const strict = { additionalProperties: false }
const Name = (description: string) => Type.String({ minLength: 1, maxLength: 80, description })
const Sentence = (description: string) => Type.String({ minLength: 1, maxLength: 300, description })
const Day = (description: string) => Type.String({ format: 'date', description })
const Account = Type.String({ pattern: '^[a-z0-9-]+$', description: 'the id of an account of providers.json' })
const Records = <S extends TSchema>(pattern: string, schema: S, options = {}) =>
  Type.Record(Type.String({ pattern }), schema, { ...strict, ...options })
/** Beside the files of models, and none itself. */
export const WORKFLOW_FILE = /^[a-z0-9][a-z0-9.-]*\.workflow\.json$/
const FIELD = '^[a-z][A-Za-z0-9]{0,39}$'
/** One value for each mode that has one. */
const byMode = <S extends TSchema>(schema: S, options = {}) =>
  Records(MODE_NAME, schema, { minProperties: 1, ...options })

const Seconds = Type.Integer({ minimum: 1, maximum: FILM_SECONDS_MAX })
const span = <S extends TSchema>(each: S) => Type.Object({ from: each, to: each }, strict)
const Duration = Type.Union(
  [
    Type.Array(Seconds, { minItems: 1 }),
    Type.Object(
      {
        from: Seconds,
        to: Seconds,
        step: Type.Optional(Type.Integer({ minimum: 1 })),
        follows: Type.Optional(
          Type.Enum(['film', 'motion', 'sound', 'vendor'], {
            description:
              'As long as that input, in whole seconds; vendor: it chooses, `to` is frozen, and what was made is settled',
          }),
        ),
      },
      strict,
    ),
  ],
  { description: 'Whole seconds: a list, or all from `from` to `to` in steps of `step` (1)' },
)
const Quality = Type.Array(Type.Enum([...QUALITIES]), { minItems: 1 })
const limits = {
  seconds: Type.Optional(span(Type.Number({ exclusiveMinimum: 0, maximum: FILM_SECONDS_MAX }))),
  secondsTogether: Type.Optional(Type.Number({ exclusiveMinimum: 0, description: 'Of all of them, at most' })),
  quality: Type.Optional(
    Type.Union([Quality, Type.Literal(KEPT)], {
      description: `The qualities that it may have; "${KEPT}": it has one of the mode’s, and keeps it`,
    }),
  ),
  bytes: Type.Optional(Type.Integer({ minimum: 1, description: 'At most' })),
  formats: Type.Optional(Type.Array(Type.String({ pattern: '^[a-z0-9]+$' }), { minItems: 1 })),
  sides: Type.Optional(span(Type.Integer({ minimum: 1 }))),
}
const Count = Type.Integer({ minimum: 0, maximum: REFERENCES_MAX })
const Limits = Type.Object({ to: Type.Optional(Count), ...limits }, strict)
/** What a mode says of one of its roles. */
const RoleLimits = Type.Object(
  {
    from: Type.Optional(Count),
    to: Type.Optional(Count),
    ...limits,
    image: Type.Optional(Limits),
    film: Type.Optional(Limits),
    sound: Type.Optional(Limits),
  },
  {
    ...strict,
    description:
      'How many, one when left out, and what each may be. References of several kinds have limits by kind; without them they are images',
  },
)
const ModeShape = Type.Object(
  {
    duration: Type.Optional(Duration),
    quality: Type.Optional(Quality),
    aspectRatio: Type.Optional(
      Type.Union(
        [
          Type.Array(Type.String({ pattern: '^[1-9]\\d?:[1-9]\\d?$' }), { minItems: 1 }),
          Type.Literal(FOLLOWS_THE_IMAGE),
        ],
        {
          description: `The accepted ratios; "${FOLLOWS_THE_IMAGE}": the film has the shape of its image or of the film that it is made from, and a ratio is ignored`,
        },
      ),
    ),
    inputs: Type.Optional(
      Records(`^(${ROLES.join('|')})$`, RoleLimits, {
        description: 'What it is made from, by role; left out: what the name of the mode says, one of each',
      }),
    ),
    prompt: Type.Optional(
      Type.Enum(['required', 'optional', 'none'], { description: 'none: the film keeps the prompt of its film' }),
    ),
  },
  { ...strict, description: 'What users may ask for in this mode. What is left out is as in the first mode' },
)

const common = {
  title: Type.Optional(Name('Label in the studio')),
  description: Type.Optional(Sentence('Shown to users')),
  modes: Type.Optional(
    Type.Array(Type.String({ pattern: MODE_NAME }), {
      minItems: 1,
      description: 'The modes that have it; all when left out',
    }),
  ),
}
const Option = Type.Union(
  [
    Type.Object({ type: Type.Literal('boolean'), default: Type.Optional(Type.Boolean()), ...common }, strict),
    Type.Object(
      {
        type: Type.Literal('integer'),
        minimum: Type.Integer(),
        maximum: Type.Integer(),
        default: Type.Optional(Type.Integer()),
        ...common,
      },
      strict,
    ),
    Type.Object(
      {
        type: Type.Literal('number'),
        minimum: Type.Number(),
        maximum: Type.Number(),
        default: Type.Optional(Type.Number()),
        ...common,
      },
      strict,
    ),
    Type.Object(
      {
        type: Type.Literal('string'),
        enum: Type.Optional(Type.Array(Type.String({ minLength: 1 }), { minItems: 1 })),
        maxLength: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 5000, description: 'Of a free text; 1000 when left out' }),
        ),
        default: Type.Optional(Type.String()),
        ...common,
      },
      strict,
    ),
  ],
  {
    description:
      'A field that this model has: `audio`, `seed` and `negativePrompt` of the request itself, another name of its `options`',
  },
)

const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()])
const NumberRange = Type.Object(
  { from: Type.Number(), to: Type.Number(), step: Type.Optional(Type.Number({ exclusiveMinimum: 0 })) },
  strict,
)
const Rule = Type.Object(
  {
    when: Records(FIELD, Type.Union([Scalar, Type.Array(Scalar, { minItems: 1 })]), {
      minProperties: 1,
      description:
        'The fields of a request, `mode` among them, and the values with which the rule applies; all of them must hold',
    }),
    then: Records(
      FIELD,
      Type.Union([
        Type.Array(Scalar, { minItems: 1 }),
        NumberRange,
        Type.Literal('required'),
        Type.Literal('forbidden'),
      ]),
      { minProperties: 1, description: 'The values that fields may then have; `required`, `forbidden`' },
    ),
    why: Type.Optional(Sentence('Shown to users beside what the rule forbids')),
  },
  strict,
)

const AmountsOf = <N extends TSchema>(amount: N) =>
  Type.Union([amount, Type.Record(Type.String(), amount, { minProperties: 1 })], {
    description:
      'One amount, or amounts by words of the request joined with +: a quality, a mode, the name of a boolean option that is true, ' +
      '`referenceFilms` (a reference is a film), `field=value` of any field. The entry with the most words that all hold counts; `*`: when no other one holds',
  })
const Unit = Type.Enum([...UNITS], {
  description:
    'second of film, clip (the whole film), megapixel (a million pixels of its picture, each second), or input second (of the film, motion or sound that goes in)',
})
const Price = Type.Union([
  Type.Object({ per: Unit, credits: AmountsOf(Type.Number({ exclusiveMinimum: 0 })) }, strict),
  Type.Object({ fromCost: Type.Object({ markup: Type.Number({ minimum: 1, maximum: 100 }) }, strict) }, strict),
])
const Cost = Type.Object(
  {
    per: Unit,
    usd: AmountsOf(Type.Number({ minimum: 0 })),
    inputUsd: Type.Optional(
      Type.Unsafe<Amounts>({
        ...AmountsOf(Type.Number({ minimum: 0 })),
        description: 'Beside `usd`: for each second of the films that go in',
      }),
    ),
    unitUsd: Type.Optional(
      Records('^[a-z]+$', AmountsOf(Type.Number({ minimum: 0 })), {
        description:
          'What one of the units in which the vendor states this cost is worth, by the name of the unit; `seconds` follow from `usd`',
      }),
    ),
    asOf: Type.Optional(Day('When the price was read; without it the cost never counts as old')),
    source: Type.String({ minLength: 1, description: 'The page that has it' }),
  },
  { ...strict, description: 'What the vendor charges' },
)

const Fields = Type.Unsafe<Mapping>(
  Type.Object(
    {},
    { description: 'The fields of the vendor’s request: each a JSONata expression, or an object of fields' },
  ),
)
const Mention = Type.String({ pattern: '\\{n\\}', maxLength: 40 })
const Route = Type.Object(
  {
    account: Account,
    model: Type.Optional(
      Type.Union([Type.String({ minLength: 1 }), byMode(Type.String({ minLength: 1 }))], {
        description:
          'The vendor’s name of the model: for all modes, or for each mode that the route serves; the id when left out',
      }),
    ),
    input: Type.Optional(
      Type.Union([byMode(Fields), Fields], { description: 'For all modes or by mode; the adapter’s when left out' }),
    ),
    workflow: Type.Optional(
      Type.String({
        pattern: WORKFLOW_FILE.source,
        description:
          'A file beside this one, with the workflow that ComfyUI exports for its API: the `prompt` of the input, which sets values in it',
      }),
    ),
    serves: Type.Optional(
      Records(FIELD, Type.Union([Type.Array(Scalar), NumberRange]), {
        description:
          'The values that the route can do where they are fewer than the model’s. An empty list: only requests without the field',
      }),
    ),
    cost: Type.Optional(Cost),
    fallback: Type.Optional(
      Type.Literal('at a loss', {
        description:
          'Serves after the first route also where the price, which follows that one’s cost, does not cover its own cost',
      }),
    ),
    mentions: Type.Optional(
      Type.Object(
        { image: Type.Optional(Mention), film: Type.Optional(Mention), sound: Type.Optional(Mention) },
        {
          ...strict,
          description:
            'How prompts of the vendor name a reference, by its kind: {n} is its number among those of that kind. Users write @1, @2',
        },
      ),
    ),
    keeps: Type.Optional(
      Type.Object(
        {
          models: Type.Optional(
            Type.Array(Type.String({ minLength: 1 }), { minItems: 1, description: 'Ids of models; all when left out' }),
          ),
          days: Type.Optional(Type.Integer({ minimum: 1, description: 'For ever when left out' })),
        },
        {
          ...strict,
          description:
            'Of which models, and for how long, the account goes on from a film that it has made by `filmTask`',
        },
      ),
    ),
    until: Type.Optional(Day('The last day on which the vendor makes films of it')),
    weight: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description: 'Routes in a row that have one are equals: each comes first in proportion to its weight',
      }),
    ),
  },
  { ...strict, description: 'How an account makes films of the model' },
)

export const ModelFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    id: Type.String({
      pattern: '^[a-z0-9][a-z0-9.-]{0,79}$',
      description: 'What clients send as `model`; the name of the file',
    }),
    name: Name('Shown to users'),
    company: Name('Shown to users'),
    description: Type.Optional(Sentence('Shown to users')),
    sample: Type.Optional(
      Type.Array(Type.String({ pattern: '^https://[A-Za-z0-9.-]+(:\\d+)?/', maxLength: 500 }), {
        minItems: 1,
        maxItems: 10,
        description: 'Links to films of the model, shown to users',
      }),
    ),
    position: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Models with a position come first in lists; the others by id' }),
    ),
    asOf: Type.Optional(Day('When the values were read from the vendors’ pages')),
    modes: byMode(ModeShape, {
      description: 'What users may ask for. The first mode states duration, quality and aspectRatio',
    }),
    options: Type.Optional(Records(FIELD, Option)),
    rules: Type.Optional(Type.Array(Rule)),
    price: Type.Union([Price, Type.Null()], {
      description: 'Stored with a video when it is made; null: the model cannot be used yet',
    }),
    routes: Type.Array(Route, { minItems: 1, description: 'In order of preference' }),
    usualSeconds: Type.Integer({
      minimum: 1,
      description: 'How long the model usually takes, for the estimated progress',
    }),
    deadlineSeconds: Type.Integer({ minimum: 1, maximum: DEADLINE_S_MAX, description: 'How long a provider may take' }),
    listed: Type.Optional(Type.Boolean({ description: 'Default true. false: neither shown nor accepted' })),
    enabled: Type.Optional(
      Type.Boolean({ description: 'Default true. false: shown, but generate returns MODEL_UNAVAILABLE' }),
    ),
  },
  { ...strict, title: 'A model of Kinora' },
)
export type ModelEntry = Static<typeof ModelFile>
export type Route = Static<typeof Route>
export type Option = Static<typeof Option>
export type Shape = Static<typeof ModeShape>
export type RoleLimits = Static<typeof RoleLimits>
/** What a rule leaves of a field. */
export type Narrower = NonNullable<ModelEntry['rules']>[number]['then'][string]

/** The text of catalogue/model.schema.json. */
export const modelSchemaText = (): string =>
  `${JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', ...ModelFile }, null, 2)}\n`

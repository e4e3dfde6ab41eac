/** The file of a model: its schema, and the reading of one file with the line of each mistake. */
import { findNodeAtLocation, type JSONPath, type Node, parseTree, printParseErrorCode } from 'jsonc-parser'
import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Mapping } from '../provider/request-mapping.ts'

export const MODES = ['text-to-video', 'image-to-video', 'first-last', 'reference', 'extend'] as const
export type Mode = (typeof MODES)[number]
/** Words of quality, from the smallest; the shorter side in pixels is film-size.ts's. */
export const QUALITIES = ['360p', '480p', '540p', '720p', '768p', '1080p', '1440p', '4k'] as const

const strict = { additionalProperties: false }
const Name = (description: string) => Type.String({ minLength: 1, maxLength: 80, description })
const Ratio = Type.String({ pattern: '^\\d{1,2}:\\d{1,2}$', description: 'Width to height, such as 16:9' })
const Quality = Type.Enum([...QUALITIES])
const Range = Type.Object(
  { from: Type.Number(), to: Type.Number(), step: Type.Optional(Type.Number({ exclusiveMinimum: 0 })) },
  { ...strict, description: 'All values from `from` to `to`, in steps of `step` (1)' },
)
const Seconds = Type.Union([Type.Array(Type.Integer({ minimum: 1 }), { minItems: 1 }), Range], {
  description: 'Whole seconds: a list, or a range',
})
const ModeShape = Type.Object(
  {
    duration: Type.Optional(Seconds),
    quality: Type.Optional(Type.Array(Quality, { minItems: 1 })),
    aspectRatio: Type.Optional(
      Type.Union([Type.Array(Ratio, { minItems: 1 }), Type.Literal('follows the image')], {
        description: 'The accepted ratios; `follows the image`: the film has the shape of its image, and a ratio is ignored',
      }),
    ),
    /** Images of a reference mode. */
    images: Type.Optional(Type.Object({ from: Type.Integer({ minimum: 1 }), to: Type.Integer({ maximum: 30 }) }, strict)),
  },
  { ...strict, description: 'What users may ask for in this mode. What is left out is as in the first mode' },
)
const common = {
  title: Type.Optional(Name('Label in the studio')),
  description: Type.Optional(Type.String({ maxLength: 300 })),
  modes: Type.Optional(Type.Array(Type.Enum([...MODES]), { description: 'The modes that have it; all when left out' })),
}
const Option = Type.Union([
  Type.Object({ type: Type.Literal('boolean'), default: Type.Optional(Type.Boolean()), ...common }, strict),
  Type.Object(
    {
      type: Type.Enum(['integer', 'number']),
      minimum: Type.Optional(Type.Number()),
      maximum: Type.Optional(Type.Number()),
      default: Type.Optional(Type.Number()),
      ...common,
    },
    strict,
  ),
  Type.Object(
    {
      type: Type.Literal('string'),
      enum: Type.Optional(Type.Array(Type.String(), { minItems: 1 })),
      maxLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 5000 })),
      default: Type.Optional(Type.String()),
      ...common,
    },
    strict,
  ),
])
const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()])
const Rule = Type.Object(
  {
    when: Type.Record(Type.String(), Type.Union([Scalar, Type.Array(Scalar, { minItems: 1 })]), {
      minProperties: 1,
      description: 'The fields of a request and the values with which the rule applies',
    }),
    then: Type.Record(
      Type.String(),
      Type.Union([Type.Array(Scalar, { minItems: 1 }), Range, Type.Literal('required'), Type.Literal('forbidden')]),
      { minProperties: 1, description: 'What fields may then have' },
    ),
    why: Type.Optional(Type.String({ maxLength: 200, description: 'Shown to users beside what the rule forbids' })),
  },
  strict,
)
const Amounts = <N extends TSchema>(amount: N) =>
  Type.Union([amount, Type.Record(Type.String(), amount, { minProperties: 1 })], {
    description:
      'One amount, or amounts by words of the request: quality, mode, true options, `option=value`, several joined with +. ' +
      'The entry with the most words that all hold counts; `*` when none does',
  })
const PRICE_UNITS = ['second', 'clip', 'megapixel'] as const
const Price = Type.Union([
  Type.Object({ per: Type.Enum([...PRICE_UNITS]), credits: Amounts(Type.Number({ exclusiveMinimum: 0 })) }, strict),
  Type.Object({ fromCost: Type.Object({ markup: Type.Number({ minimum: 1 }) }, strict) }, strict),
])
const Cost = Type.Object(
  {
    per: Type.Enum([...PRICE_UNITS]),
    usd: Amounts(Type.Number({ minimum: 0 })),
    asOf: Type.String({ format: 'date' }),
    source: Type.String({ minLength: 1 }),
  },
  strict,
)
const InputSchema = Type.Unsafe<Mapping>(
  Type.Object({}, { additionalProperties: true, description: 'Fields of the vendor’s request: JSONata over the request' }),
)
const Route = Type.Object(
  {
    account: Type.String({ pattern: '^[a-z0-9-]+$', description: 'An account of providers.json' }),
    model: Type.Optional(
      Type.Union([Type.String({ minLength: 1 }), Type.Partial(Type.Record(Type.Enum([...MODES]), Type.String({ minLength: 1 })))], {
        description: 'The vendor’s name of the model, for all modes or for those that the route serves; the id when left out',
      }),
    ),
    input: Type.Optional(Type.Union([InputSchema, Type.Partial(Type.Record(Type.Enum([...MODES]), InputSchema))])),
    /** Values that the route serves, where they are fewer than the model's. */
    serves: Type.Optional(Type.Record(Type.String(), Type.Union([Type.Array(Scalar, { minItems: 1 }), Range]))),
    cost: Type.Optional(Cost),
    weight: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  },
  strict,
)

export const ModelFile = Type.Object(
  {
    $schema: Type.Optional(Type.String()),
    id: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{0,79}$', description: 'What clients send as `model`' }),
    name: Name('Shown to users'),
    company: Name('Shown to users'),
    description: Type.Optional(Type.String({ maxLength: 300 })),
    asOf: Type.Optional(Type.String({ format: 'date', description: 'When the values were read from the vendors’ pages' })),
    modes: Type.Partial(Type.Record(Type.Enum([...MODES]), ModeShape)),
    options: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z][A-Za-z0-9]{0,39}$' }), Option)),
    rules: Type.Optional(Type.Array(Rule)),
    price: Type.Union([Price, Type.Null()]),
    routes: Type.Array(Route, { minItems: 1 }),
    usualSeconds: Type.Integer({ minimum: 1 }),
    deadlineSeconds: Type.Integer({ minimum: 1, maximum: 3600 }),
    listed: Type.Optional(Type.Boolean({ default: true })),
    enabled: Type.Optional(Type.Boolean({ default: true })),
  },
  strict,
)
export type ModelEntry = Static<typeof ModelFile>

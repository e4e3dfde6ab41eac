/** How a field of a video is described: its value in SQL, its JSON schema, and the views that have it. */
import { type Static, type TSchema, Type } from 'typebox'

/**
 * - `list`, `detail`, `task`: of the API
 * - `change`: the event of a stream: the task, and of a film that has ended its prompt and thumbnail
 * - `share`: what viewers of a public link get
 * - `explore`: what everyone reads of a published film
 * - `mcp`: of the tools
 * - `compatible`: what the APIs in other services' formats read
 * - `event`: the data of a webhook; `webhook`: what one in another service's format is made of
 * - `export`: of an account's data
 * - `claim`: what a worker's step reads
 */
export const VIEWS = [
  'list',
  'detail',
  'task',
  'change',
  'share',
  'explore',
  'mcp',
  'compatible',
  'event',
  'webhook',
  'export',
  'claim',
] as const
export type View = (typeof VIEWS)[number]

/** An expression over the row `v` of kinora.video, with `:now` for the call's time; `in`: another one in some views. */
export type Value = string | { else: string; in: { [V in View]?: string } }

/** A field that is read and not shown as it is. */
export const read = <S extends TSchema, const V extends View>(sql: Value, schema: S, views: readonly V[]) => ({
  sql,
  schema,
  in: views,
})
/** A field that views show. */
export const shown = <S extends TSchema, const V extends View>(
  sql: Value,
  schema: S,
  example: Static<S>,
  views: readonly V[],
) => ({ ...read(sql, schema, views), example })
/** A field that views show and that TypeScript computes from others. */
export const computed = <S extends TSchema, const V extends View>(
  schema: S,
  example: Static<S>,
  views: readonly V[],
) => ({
  schema,
  example,
  in: views,
})
/**
 * A field that is a parameter of the film: `name` in a request, by the schema `request`; `absent`: when the request
 * leaves it out; `isOption`: a model has it when it is one of its options.
 */
export const parameter = <F extends object, R extends TSchema, const N extends string, const O extends boolean = false>(
  field: F,
  {
    name,
    request,
    absent = null,
    isOption = false as O,
  }: { name: N; request: R; absent?: string | null; isOption?: O },
) => ({ ...field, name, request, absent, isOption })

/** The value of the views that keep what was requested; the others have the film's own once it is stored. */
export const ordered = (sql: string) => ({ compatible: sql, webhook: sql, export: sql, claim: sql })

/** Both are `Date`s in a row, and text in JSON. */
export const Time = (description: string) =>
  Type.Unsafe<Date | string>(Type.String({ format: 'date-time', description }))
export const TimeOrNull = (description: string) =>
  Type.Unsafe<Date | string | null>(Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description }))
export const orNull = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description })
export const Text = Type.String()

/** Views of a film's parameters that are no part of a list; a published film shows no input of its maker. */
export const ofRequest = ['detail', 'compatible', 'webhook', 'export', 'claim'] as const
export const ofPublished = [...ofRequest, 'explore'] as const
/** Views of the film as a whole: those that have its parameters; all but a worker's. */
export const unsent = ['list', 'detail', 'mcp', 'compatible', 'event', 'webhook', 'export'] as const
/** Views for which a link to the film before says enough. */
export const listed = ['list', 'detail', 'mcp', 'compatible', 'event', 'webhook'] as const
export const whole = [...unsent, 'claim'] as const
export const inPublic = [...whole, 'explore'] as const
/** Views of the owner alone. */
export const own = ['list', 'detail', 'export'] as const

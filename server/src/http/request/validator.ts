/**
 * Ajv for requests, of our own routes and of `/api/auth`, and the numbers of their query strings. Invariant: a value of
 * a format is one that PostgreSQL takes; the formats of ajv-formats let others through, which then fail in the
 * database.
 *
 * The schemas of a route are compiled at its first request. Compiling those of every route at the start takes 0.25 s of
 * CPU time, two thirds of building the server.
 */
import { Ajv, type ErrorObject, type Options } from 'ajv'
import type { DataValidationCxt } from 'ajv/dist/types/index.js'
import addFormats from 'ajv-formats'
import fastJsonStringify, { type Schema } from 'fast-json-stringify'
import type { FastifySchema, FastifySchemaCompiler, FastifyServerOptions } from 'fastify'
import { isUuid } from '../../id.ts'
import { isName, NAME_RULE, trimName } from '../../text/name.ts'
import { dropNulls } from './null-fields.ts'

export function openValidator(options: Options): Ajv {
  const ajv = addFormats.default(new Ajv({ strict: false, ...options }))
  // That of ajv-formats accepts urn:uuid:… too.
  ajv.addFormat('uuid', isUuid)
  ajv.addFormat('date-time', isDateTime)
  ajv.addKeyword({
    keyword: 'x-name',
    type: 'string',
    modifying: true,
    validate: readName,
    error: { message: `must be ${NAME_RULE}` },
  })
  return ajv
}

/**
 * Returns what replaces the texts of a query string by the whole numbers and booleans that they are, in place, and a
 * list that is sent with one value by a list of it. Ajv's coercion reads numbers as JavaScript does, so that 0x10, 1e2
 * and ' 3' were pages; what is no decimal number stays text here, which the schema refuses. `name[key]=value` is an
 * entry of a map.
 */
export function queryReader(properties: Record<string, { type?: unknown }>) {
  const typed = Object.entries(properties).filter(
    ([, { type }]) => type === 'integer' || type === 'boolean' || type === 'array',
  )
  const maps = Object.keys(properties).filter((name) => properties[name]?.type === 'object')
  return (query: Record<string, unknown>): void => {
    for (const name of maps) readMap(query, name)
    for (const [name, { type }] of typed) {
      const text = query[name]
      if (typeof text === 'string')
        query[name] = type === 'integer' ? toInteger(text) : type === 'array' ? [text] : toBoolean(text)
    }
  }
}

/** Makes the map of what is sent as `name[key]`, in place. */
export function readMap(query: Record<string, unknown>, name: string): void {
  const entries = Object.entries(query).flatMap(([key, value]) =>
    key.startsWith(`${name}[`) && key.endsWith(']') ? [[key, key.slice(name.length + 1, -1), value] as const] : [],
  )
  if (entries.length === 0) return
  for (const [key] of entries) delete query[key]
  query[name] = Object.fromEntries(entries.map(([, key, value]) => [key, value]))
}

const toInteger = (text: string) => (/^(0|-?[1-9]\d*)$/.test(text) ? Number(text) : text)
const toBoolean = (text: string) => (text === 'true' ? true : text === 'false' ? false : text)

const dateTimePattern = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** RFC 3339 without leap seconds, which a Date cannot have, in UTC from the year 1 to 9999, as PostgreSQL reads it. */
function isDateTime(text: string): boolean {
  const day = dateTimePattern.exec(text)?.[1]
  const year = new Date(text).getUTCFullYear()
  if (day === undefined || !(year >= 1 && year <= 9999)) return false
  // A Date turns 30 February into 2 March.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

/** The keyword of a name (envelope.ts), which is stored without blanks around it. */
function readName(_schema: unknown, text: string, _parent: unknown, at?: DataValidationCxt): boolean {
  if (!isName(text)) return false
  if (at) at.parentData[at.parentDataProperty] = trimName(text)
  return true
}

/** The part of an Ajv validation function that Fastify reads. */
type Validate = ((data: unknown) => boolean) & { errors?: ErrorObject[] | null }
type SerializerFactory = NonNullable<
  NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>['buildSerializer']
>

/** A body of 1 MiB with 90,000 unknown fields had a response of 4.6 MB, which took the event loop 150 ms to write. */
const ERRORS_MAX = 100

const validator = once(() => openValidator({ allErrors: true, useDefaults: true, verbose: true }))

export const compileValidator: FastifySchemaCompiler<FastifySchema> = ({ schema, httpPart, method }) => {
  const compiled = once(() => validator().compile(schema))
  const readQuery =
    httpPart === 'querystring' ? queryReader((schema as { properties: Record<string, object> }).properties) : null
  const isOfPost = httpPart === 'body' && method === 'POST'
  const validate: Validate = (data) => {
    if (isOfPost) dropNulls(schema as Parameters<typeof dropNulls>[0], data)
    readQuery?.(data as Record<string, unknown>)
    const isValid = compiled()(data)
    validate.errors = compiled().errors?.slice(0, ERRORS_MAX) ?? null
    return isValid
  }
  return validate
}

export const buildSerializer: SerializerFactory = () => (route) => {
  const serialize = once(() => fastJsonStringify(route.schema as Schema))
  return (data) => serialize()(data)
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/** The response envelope `{ success, data }`, with `error` beside it on failure: its builder and its schemas. */
import { STATUS_CODES } from 'node:http'
import type { FastifyReply } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import { ERROR_CODES, type ErrorCode, errorRow } from '../../errors.ts'
import { NAME_RULE } from '../../text/name.ts'

export const ok = <T>(data: T) => ({ success: true as const, data })

/**
 * The response of a page whose rows are JSON text already: Fastify sends a string as it is. The handler returns it (and
 * not the reply, for whose end Fastify would wait), so it has the type of the response that it is the text of.
 * @param name the field of the rows
 * @param rows a JSON array as text
 */
export function okPage<Response>(
  reply: Pick<FastifyReply, 'header'>,
  name: string,
  rows: string,
  { total, page, pageSize, nextCursor }: { total: number; page: number; pageSize: number; nextCursor: string | null },
  beside: object,
): Response {
  reply.header('content-type', 'application/json; charset=utf-8')
  const fields = JSON.stringify({ ...beside, total, page, pageSize, nextCursor })
  return `{"success":true,"data":{"${name}":${rows},${fields.slice(1)}}` as Response
}

const Succeeded = Type.Object({ success: Type.Literal(true) }, { title: 'Envelope' })

/**
 * Schema of a success response.
 * @param data the schema of its data
 * @param example of the data; when left out, that of its schema
 */
export const Envelope = <T extends TSchema>(data: T, example?: Static<T>) =>
  Type.Object(
    { ...Succeeded.properties, data },
    {
      'x-response-description': 'Success',
      'x-base': Succeeded,
      ...(example === undefined ? {} : { examples: [ok(example)] }),
    },
  )

export const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
/** The pattern of a text that is neither empty nor blanks alone. */
export const NOT_BLANK = '\\S'
/** What a user names; text/name.ts has the rule, which validator.ts applies. */
export const Name = (maxLength: number, description?: string) =>
  Type.String({
    ...{ minLength: 1, maxLength, 'x-name': true },
    description: [description, `${NAME_RULE[0]?.toUpperCase()}${NAME_RULE.slice(1)}; blanks around it are removed`]
      .filter(Boolean)
      .join('. '),
  })
/** The response of a deletion. */
export const Deleted = Type.Object({ id: Type.String(), deleted: Type.Literal(true) }, { title: 'Deleted' })
/** The reason that an administrator gives. */
export const Reason = (description = 'Why; kept in the audit log') =>
  Type.String({ maxLength: 500, pattern: NOT_BLANK, description })
export const NumberOrNull = (description: string) => Type.Union([Type.Number(), Type.Null()], { description })
/** A `Date`, or its text as ISO 8601 in UTC, as which it is serialized. */
export const Timestamp = (description: string, ...examples: string[]) =>
  Type.Unsafe<Date | string>(
    Type.String({ format: 'date-time', description, ...(examples.length > 0 ? { examples } : {}) }),
  )
export const TimestampOrNull = (description: string) =>
  Type.Unsafe<Date | string | null>(Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description }))

const message = Type.String({ description: 'What went wrong and what to do, for people' })
const requestId = Type.String({ description: 'The same as the header X-Request-Id; name it when you ask for help' })

/** The schema of `error` with these codes, which have the details of the first. */
function errorOf(codes: ErrorCode[]) {
  const { details, isAlways } = errorRow(codes[0] ?? 'INTERNAL')
  const title = `${details?.title?.replace(/Details$/, '') ?? 'Plain'}Error`
  const code = Type.Enum(codes, { description: 'What went wrong, for programs' })
  const known = details && { details: isAlways ? details : Type.Optional(details) }
  return Type.Object({ code, message, ...known, requestId }, { title })
}

/** The error of any code: the code tells which details there are. */
const AnyError = Type.Unsafe<{ code: ErrorCode; message: string; details?: unknown; requestId: string }>({
  ...Type.Union([...Map.groupBy(ERROR_CODES, (code) => errorRow(code).details).values()].map(errorOf)),
  'x-discriminator': 'code',
})

export const ErrorBody = Type.Object(
  { success: Type.Literal(false), data: Type.Object({}), error: AnyError },
  { title: 'Error' },
)

export const statusName = (status: number): string => STATUS_CODES[status] ?? ''

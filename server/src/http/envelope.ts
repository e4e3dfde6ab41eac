/** The response envelope `{ success, data }`, with `error` beside it on failure: its builder and its schemas. */
import { STATUS_CODES } from 'node:http'
import { type TSchema, Type } from 'typebox'
import { type ErrorCode, statusOf } from '../errors.ts'

export const ok = <T>(data: T) => ({ success: true as const, data })

/** Schema of a success response, from the schema of its data. */
export const Envelope = <T extends TSchema>(data: T) =>
  Type.Object({ success: Type.Literal(true), data }, { description: 'Success' })

export const TextOrNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })
/** A `Date`, serialized as ISO 8601 in UTC. */
export const Timestamp = (description: string) => Type.Unsafe<Date>(Type.String({ format: 'date-time', description }))
export const TimestampOrNull = (description: string) =>
  Type.Unsafe<Date | null>(Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description }))

export const ErrorBody = Type.Object(
  {
    success: Type.Literal(false),
    data: Type.Object({}),
    error: Type.Object({
      code: Type.Enum(Object.keys(statusOf) as ErrorCode[], { description: 'What went wrong, for programs' }),
      message: Type.String({ description: 'What went wrong and what to do, for people' }),
      details: Type.Optional(Type.Unknown({ description: 'For programs: which field, how many credits, and so on' })),
      requestId: Type.String({ description: 'The same as the header X-Request-Id; name it when you ask for help' }),
    }),
  },
  { $id: 'Error' },
)

export const statusName = (status: number): string => STATUS_CODES[status] ?? ''

/** Schemas of a route's error responses: the given statuses, and those that every route can return. */
export const errors = (...statuses: number[]) =>
  Object.fromEntries(
    [...new Set([...statuses, 429, 500, 503])].map((status) => [
      status,
      { description: statusName(status), ...Type.Ref('Error#') },
    ]),
  )

/**
 * As errors, for a route that changes something: the body parser (400, 413, 415, also where no body is expected) and the CSRF
 * check (403) come before the handler.
 */
export const changeErrors = (...statuses: number[]) => errors(400, 403, 413, 415, ...statuses)

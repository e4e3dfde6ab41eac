/** What several routes take: their caller, a page of a list, and the key that makes a request safe to repeat. */
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Caller, signedIn } from '../account/credential.ts'
import { AppError } from '../errors.ts'
import { TextOrNull } from './envelope.ts'

/** The signed-in user of a route with `access`. */
export const userOf = (request: Pick<FastifyRequest, 'caller'>): Caller => signedIn(request.caller)

export const paging = {
  page: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 1, description: 'From 1' }),
  pageSize: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
}

/** Of lists that are read on from where the page before ended. */
export const cursorPaging = {
  pageSize: paging.pageSize,
  cursor: Type.Optional(Type.String({ description: 'nextCursor of the page before' })),
}
export const NextCursor = TextOrNull('For the next page; null on the last')
/** Of lists that can be read either way. */
export const pagingOrCursor = {
  ...paging,
  cursor: Type.Optional(
    Type.String({ description: 'nextCursor of the page before; quick however deep. page is ignored' }),
  ),
}

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      description:
        'Up to 255 characters of your choice. The same key with the same body answers the same and does nothing twice, ' +
        'for at least 24 hours; with another body it is 422.',
    }),
  ),
})

/** @throws AppError INVALID_REQUEST */
export function idempotencyKeyOf(headers: { 'idempotency-key'?: string }): string | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key
  const message = 'must have 1 to 255 printable ASCII characters'
  throw new AppError('INVALID_REQUEST', `The Idempotency-Key ${message}.`, {
    details: [{ path: 'Idempotency-Key', message }],
  })
}

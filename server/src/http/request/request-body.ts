/**
 * Requests without a body, operations that take none, and bodies that are too large. Invariant: an unknown field of a
 * body or of a query is 400 at every operation of openapi.json. Raw bodies, for routes whose body is signed: the
 * signature covers the bytes as sent.
 */
import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify'
import { type Static, type TSchema, Type } from 'typebox'
import { AppError } from '../../errors.ts'
import { withNulls } from './null-fields.ts'

/** Of a JSON body. */
export const BODY_BYTES_MAX = 1024 * 1024

/** An empty body is none: many clients send `Content-Type: application/json` with every request, without a body. */
export function acceptEmptyJson(http: FastifyInstance): void {
  const parse = http.getDefaultJsonParser('error', 'error')
  http.removeContentTypeParser('application/json')
  http.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined)
    else parse(request, String(body), done)
  })
}

/**
 * Reads the rest of a body that is too large, when a user sends it. Fastify closes the connection instead, and a client
 * that is still sending sees a reset (EPIPE) in place of the 413, and sends the body again. The request timeout limits
 * how long. The connection of a request without a valid credential is closed.
 */
export function drainTooLargeBodies(http: FastifyInstance): void {
  http.addHook('onError', (request, reply, { code }, done) => {
    if (code === 'FST_ERR_CTP_BODY_TOO_LARGE' && request.caller !== null) {
      reply.removeHeader('connection')
      request.raw.resume()
    }
    done()
  })
}

/** Fastify validates null when there is no body. */
const emptyBody = { type: ['object', 'null'], additionalProperties: false }

/** Lets the operations that are registered from now on allow no field that their schemas have not. */
export function refuseUnknownFields(http: FastifyInstance): void {
  http.addHook('onRoute', (route) => {
    const { schema, config } = route
    // Others than our clients send those with a raw body, with parameters of their own.
    if (schema?.operationId === undefined || config?.body === 'raw') return
    const isChange = [route.method].flat().some((method) => changing.has(method))
    const querystring = { type: 'object', properties: {}, ...(schema.querystring ?? {}), additionalProperties: false }
    route.schema = { ...schema, querystring, ...(isChange && schema.body === undefined && { body: emptyBody }) }
  })
}

const changing = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** A body of `schema`, or with a field of `others` of that field's schema. An `anyOf` would report all problems. */
export function either<A extends TSchema, B extends Record<string, TSchema>>(schema: A, others: B) {
  const fields = Object.keys(others)
  return Type.Unsafe<Static<A> | Static<B[keyof B]>>({
    allOf: [
      { if: { anyOf: fields.map((field) => ({ required: [field] })) }, else: schema },
      ...fields.map((field) => ({ if: { not: { required: [field] } }, else: others[field] })),
    ],
  })
}

/**
 * The schema as openapi.json has it: without a body that allows no field, those of `either` as `anyOf`, and of a POST
 * with null for what may be left out.
 */
export function describedSchema<S extends FastifySchema>(schema: S, method: string | string[]): S {
  const { body, ...described } = schema
  if (typeof body !== 'object' || body === null) return schema
  if (body === emptyBody) return described as S
  const { allOf } = body as { allOf?: { else?: TSchema }[] }
  const whole = allOf ? { anyOf: allOf.map((part) => part.else as TSchema) } : body
  return { ...schema, body: method === 'POST' ? withNulls(whole) : whole }
}

/** Makes every route of `scope` receive its body as a Buffer. */
export function acceptRawBody(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
}

/** The body of a route in such a scope; empty when the request has none. */
export const rawBodyOf = ({ body }: Pick<FastifyRequest, 'body'>): Buffer =>
  (body as Buffer | undefined) ?? Buffer.alloc(0)

/**
 * The `onRequest` hook of a route whose body is read alike under any Content-Type. Fastify answers one that it cannot
 * read, such as an empty one, with 415 before it chooses a parser; the sender of a webhook would repeat it in vain.
 */
export function ignoreContentType({ raw }: Pick<FastifyRequest, 'raw'>, _reply: FastifyReply, done: () => void): void {
  delete raw.headers['content-type']
  done()
}

/** Yields the body's chunks; a consumer that stops early does not destroy the socket, and the rest is drained. */
export async function* chunksOf(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body.iterator({ destroyOnReturn: false })
  } catch (error) {
    if (!body.destroyed || body.readableEnded) throw error
    throw new AppError('INVALID_REQUEST', 'The file did not arrive whole; send it again.')
  } finally {
    body.resume()
  }
}

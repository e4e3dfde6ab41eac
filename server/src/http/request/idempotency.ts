/**
 * The header Idempotency-Key. Every POST that makes something takes it, and all others refuse it: a client that sends
 * it relies on it. A route that has `replay` gets the key as `request.onceKey`, and gives it to the deed (`once` of
 * db/idempotency.ts), which writes it in its own transaction. A repetition gets what `replay` reads of what the deed
 * has made, so no answer is stored, and no secret in it. The routes with `IdempotencyHeaders` of their own freeze,
 * move or grant credits, and their SQL functions check the key.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteHandlerMethod } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../../app.ts'
import { findMade, Repeated, type RequestKey, requestHash } from '../../db/idempotency.ts'
import { AppError } from '../../errors.ts'
import { keyPrefixOf } from '../../video/replay.ts'
import { userOf } from './request.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Of a route with `replay`; null without the header. */
    onceKey: RequestKey | null
  }
}

export const IdempotencyHeaders = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      title: 'IdempotencyKey',
      description:
        'Up to 255 characters of your choice. A repeated request with the same key and body returns what the first one made, with the ' +
        'header Idempotent-Replayed, and does nothing twice, for at least 24 hours; the same key with another body is 422.',
    }),
  ),
})

/** @throws AppError INVALID_REQUEST */
export function idempotencyKeyOf(headers: Record<string, string | string[] | undefined>): string | null {
  const key = headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw invalid('The Idempotency-Key must have 1 to 255 printable ASCII characters.')
}

/** Says in a header that a response is the one of an earlier request with the same Idempotency-Key. */
export function markReplay(reply: FastifyReply, isReplay: boolean): void {
  if (isReplay) reply.header('idempotent-replayed', 'true')
}

/** What is registered from now on takes the header, or refuses it. Not those that others than clients call (`raw`). */
export function registerIdempotency(http: FastifyInstance, app: App): void {
  http.decorateRequest('onceKey', null)
  http.addHook('onRoute', (route) => {
    const { config = {}, schema = {} } = route
    const { replay, unrepeatable } = config
    if (replay) {
      route.schema = { ...schema, headers: IdempotencyHeaders }
      route.handler = onceOnly(app, schema.operationId ?? '', route.handler, replay)
      return
    }
    if (route.method !== 'POST' || schema.headers === IdempotencyHeaders || config.body === 'raw') return
    if (schema.operationId === undefined && unrepeatable === undefined) return
    const refuse = async ({ headers }: Pick<FastifyRequest, 'headers'>) => {
      if (headers['idempotency-key'] !== undefined) throw refusal(unrepeatable ?? NOTHING_TWICE)
    }
    route.preValidation = [refuse, ...[route.preValidation ?? []].flat()]
  })
}

const NOTHING_TWICE = 'a repetition makes nothing twice'

type Replay = (request: FastifyRequest, id: string) => Promise<unknown>

function onceOnly(app: App, operation: string, handler: RouteHandlerMethod, replay: Replay): RouteHandlerMethod {
  return async function (request, reply) {
    const key = keyOf(request, operation)
    request.onceKey = key
    try {
      const answer: unknown = await handler.call(this, request, reply)
      if (key) app.crashPoint('once.committed')
      return answer
    } catch (error) {
      const id = error instanceof Repeated ? error.id : await madeBefore(app, key, error)
      markReplay(reply, true)
      return await replay(request, id).catch(gone)
    }
  }
}

function keyOf(request: FastifyRequest, operation: string): RequestKey | null {
  const sent = idempotencyKeyOf(request.headers)
  if (sent === null) return null
  const { params, query, body } = request
  const caller = userOf(request)
  const hash = requestHash({ params, query, body })
  return { userId: caller.userId, operation, key: keyPrefixOf(caller) + sent, hash }
}

/** It was valid when it was done: since then a limit may be reached, or a name taken by what it has made. */
async function madeBefore({ sql }: App, key: RequestKey | null, refusal: unknown): Promise<string> {
  const id = key && refusal instanceof AppError && (await findMade(sql, key))
  if (id) return id
  throw refusal
}

function gone(error: unknown): never {
  if (!(error instanceof AppError) || error.code !== 'NOT_FOUND') throw error
  const message = 'What this request made was deleted since; take a new Idempotency-Key to make another one.'
  throw new AppError('NOT_FOUND', message)
}

const refusal = (reason: string) =>
  invalid(`This operation takes no Idempotency-Key: ${reason}. Send it without the header.`)

const invalid = (message: string) =>
  new AppError('INVALID_REQUEST', message, { details: [{ path: 'Idempotency-Key', message }] })

/**
 * `/api/v1/video/callback/{provider}`: callbacks of AI providers. The caller is authenticated before the body is
 * parsed. The response is 200 once the report is committed; a malformed body is 400, so that the provider sends it
 * again.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import type { OpenProvider } from '../provider/open.ts'
import type { Callback, Report } from '../provider/provider.ts'
import { findTask, isCallbackSecret, type Reference, readReference } from '../video/callback-reference.ts'
import { recordCallback } from '../video/lifecycle.ts'
import { Envelope, ok } from './request/envelope.ts'
import { limitUnauthenticated } from './request/rate-limits.ts'
import { acceptRawBody, ignoreContentType, rawBodyOf } from './request/request-body.ts'

const Envelope200 = Envelope(Type.Object({ received: Type.Literal(true) }), { received: true })
/** The envelope, or the text that a vendor wants instead. */
const Received = Type.Unsafe<Static<typeof Envelope200> | string>(Envelope200)
type Understood = Exclude<Callback, { kind: 'forged' | 'unreadable' | 'try_later' }>

export function registerCallback(server: FastifyInstance, app: App): void {
  /** What each authenticated request's reference names; null: the shared secret authenticates it. */
  const references = new WeakMap<object, Reference | null>()
  server.register(async (scope) => {
    // Raw, because the body must not be parsed before the caller is authenticated.
    acceptRawBody(scope)

    scope.withTypeProvider<TypeBoxTypeProvider>().route({
      method: 'POST',
      url: '/api/v1/video/callback/:provider',
      config: { limit: 'signed', body: 'raw' },
      onRequest: [
        ignoreContentType,
        // The check comes before the body is read. A request that fails it counts towards the limit of its address.
        async (request, reply) => {
          try {
            references.set(request, authenticate(app, accountOf(app, request.params.provider), request))
          } catch (error) {
            await limitUnauthenticated(app, request, reply)
            throw error
          }
        },
      ],
      schema: {
        tags: ['providers'],
        operationId: 'receiveCallback',
        summary: 'For AI providers: report the progress or the result of a task',
        description:
          'Authenticated by the signed reference in the callback URL that was submitted with the task, or by the header ' +
          'X-Callback-Secret. The body has the provider’s own format.',
        params: Type.Object({
          provider: Type.String({ description: 'Its name in the catalogue of models, such as provider-a' }),
        }),
        querystring: Type.Object({ ref: Type.Optional(Type.String()), sig: Type.Optional(Type.String()) }),
        headers: Type.Object({ 'x-callback-secret': Type.Optional(Type.String()) }),
        errors: ['UNAUTHENTICATED', 'CONFLICT'],
        response: { 200: Received },
      },
      handler: async (request, reply) => {
        const account = accountOf(app, request.params.provider)
        const callback = await readCallback(app, account, request)
        if (callback.kind !== 'challenge') {
          const reference = references.get(request) ?? null
          const target = reference ?? (await findByTask(app, account, callback.handle?.taskId ?? null))
          throwIfNotRecorded(await recordCallback(app, account, target, callback))
        }
        if (callback.reply === undefined) return ok({ received: true as const })
        // As text, which the schema of the response leaves as it is.
        reply.type(typeof callback.reply === 'string' ? 'text/plain' : 'application/json')
        return typeof callback.reply === 'string' ? callback.reply : JSON.stringify(callback.reply)
      },
    })
  })
}

/** @throws AppError NOT_FOUND */
function accountOf(app: App, id: string): string {
  if (!app.providers.has(id)) throw new AppError('NOT_FOUND', 'There is no such provider.')
  return id
}

/** Returns the video named by the signed reference; null when only the shared secret authenticates the caller. */
function authenticate(
  app: App,
  provider: string,
  request: FastifyRequest<{ Querystring: { ref?: string; sig?: string }; Headers: { 'x-callback-secret'?: string } }>,
): Reference | null {
  const { ref, sig } = request.query
  const secret = request.headers['x-callback-secret']
  // Nothing is validated yet: a query may repeat a name, which makes it an array.
  const isSigned = typeof ref === 'string' && typeof sig === 'string' && ref && sig
  const reference = isSigned ? readReference(app.config, provider, ref, sig) : null
  if (reference) return reference
  if (typeof secret === 'string' && isCallbackSecret(app.config, secret)) return null
  throw new AppError('UNAUTHENTICATED', 'This callback carries neither a good signature nor the callback secret.')
}

/** @throws AppError INVALID_REQUEST, UNAUTHENTICATED, UNAVAILABLE, by what the adapter makes of it */
async function readCallback(app: App, account: string, request: FastifyRequest): Promise<Understood> {
  const provider = await app.providers.open(account)
  const query = new URL(request.url, 'http://callback').searchParams
  for (const own of ['ref', 'sig']) query.delete(own)
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  )
  const callback = (await provider?.readCallback?.({ body: rawBodyOf(request), headers, query, now: app.now() })) ?? {
    kind: 'unreadable',
  }
  switch (callback.kind) {
    case 'forged':
      throw new AppError('UNAUTHENTICATED', "The provider's own signature is wrong, or not of the last five minutes.")
    case 'unreadable':
      throw new AppError('INVALID_REQUEST', 'This callback cannot be read; send it again as documented.')
    case 'try_later':
      throw new AppError('UNAVAILABLE', "The provider's keys cannot be read at the moment; send this callback again.")
    case 'report':
      return isContestable(callback.report, provider) ? { ...callback, kind: 'poll' } : callback
    default:
      return callback
  }
}

/** A failure that a poll may contradict: fal has named one while the task went on. */
const isContestable = ({ kind }: Report, provider: OpenProvider | null): boolean =>
  kind === 'failed' && provider?.poll !== undefined && !provider.adapter.capabilities.failsByCallback

/** @throws AppError NOT_FOUND, CONFLICT */
function throwIfNotRecorded(outcome: Awaited<ReturnType<typeof recordCallback>>): void {
  switch (outcome) {
    case 'not_found':
      throw new AppError('NOT_FOUND', 'There is no video for this callback.')
    case 'other_task':
      throw new AppError('CONFLICT', 'This video belongs to another task; nothing was changed.')
    case 'recorded':
      return
    default:
      throw new Error(`unknown outcome ${outcome satisfies never}`)
  }
}

async function findByTask(app: App, provider: string, taskId: string | null): Promise<Reference> {
  const reference = taskId ? await findTask(app, provider, taskId) : null
  if (!reference) throw new AppError('NOT_FOUND', 'There is no video for this task id.')
  return reference
}

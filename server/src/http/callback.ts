/**
 * `/api/v1/video/callback/{provider}`: callbacks of AI providers. The caller is authenticated before the body is parsed. The
 * response is 200 once the report is committed; a malformed body is 400, so that the provider sends it again.
 */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import type { Provider } from '../provider/provider.ts'
import { parseJson } from '../text/json-reader.ts'
import { findTask, isCallbackSecret, type Reference, readReference } from '../video/callback-reference.ts'
import { recordCallback } from '../video/lifecycle.ts'
import { Envelope, errors, ok } from './request/envelope.ts'
import { limitUnauthenticated } from './request/rate-limits.ts'
import { acceptRawBody, ignoreContentType, rawBodyOf } from './request/request-body.ts'

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
            references.set(request, authenticate(app, providerOf(app, request.params.provider).name, request))
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
        response: {
          200: Envelope(Type.Object({ received: Type.Literal(true) }), { received: true }),
          ...errors(400, 401, 404, 409, 413),
        },
      },
      handler: async (request) => {
        const provider = providerOf(app, request.params.provider)
        const reference = references.get(request) ?? null
        const callback = parseCallback(provider, request, app.now())
        const target = reference ?? (await findByTask(app, provider.name, callback.taskId))
        const outcome = await recordCallback(app, provider.name, target, callback)
        switch (outcome) {
          case 'not_found':
            throw new AppError('NOT_FOUND', 'There is no video for this callback.')
          case 'other_task':
            throw new AppError('CONFLICT', 'This video belongs to another task; nothing was changed.')
          case 'recorded':
            return ok({ received: true as const })
          default:
            throw new Error(`unknown outcome ${outcome satisfies never}`)
        }
      },
    })
  })
}

/** @throws AppError NOT_FOUND */
function providerOf(app: App, name: string): Provider {
  const provider = app.providers.get(name)
  if (!provider) throw new AppError('NOT_FOUND', 'There is no such provider.')
  return provider
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

function parseCallback(provider: Provider, request: FastifyRequest, now: Date) {
  const malformed = () => new AppError('INVALID_REQUEST', 'This callback cannot be read; send it again as documented.')
  const body = parseJson(rawBodyOf(request).toString('utf8'))
  if (body === null) throw malformed()
  const { headers } = request
  const signature = {
    'x-webhook-timestamp': String(headers['x-webhook-timestamp'] ?? ''),
    'x-webhook-signature': String(headers['x-webhook-signature'] ?? ''),
  }
  const callback = provider.readCallback(body, signature, now)
  if (callback === 'bad_signature') {
    throw new AppError('UNAUTHENTICATED', "The provider's own signature is wrong, or not of the last five minutes.")
  }
  if (!callback) throw malformed()
  return callback
}

async function findByTask(app: App, provider: string, taskId: string | null): Promise<Reference> {
  const reference = taskId ? await findTask(app, provider, taskId) : null
  if (!reference) throw new AppError('NOT_FOUND', 'There is no video for this task id.')
  return reference
}

/**
 * What the compatible APIs share: each serves the wire format of another service under a prefix of its own, and every one ends in
 * `generate`. Credentials, rate limits, body limits and the log are those of all routes (server.ts); only the shape of an error
 * is the format's.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../app.ts'
import { type AppError, statusOf } from '../../errors.ts'
import { catalogue, type Model, usableModels } from '../../video/catalogue.ts'
import { notFound, toAppError } from '../error-responses.ts'
import { idsOf } from '../request-trace.ts'
import type { LimitLargeBodies } from './large-bodies.ts'
import type { WaitForFilm } from './wait-for-film.ts'

/** What all formats use of one process. */
export type Shared = { limitLarge: LimitLargeBodies; waitForFilm: WaitForFilm }

/** The body of an error response in the format. */
export type ErrorShape = (error: AppError, status: number, request: FastifyRequest, reply: FastifyReply) => object

export function registerFormat(
  server: FastifyInstance,
  { prefix, errorShape }: { prefix: string; errorShape: ErrorShape },
  registerRoutes: (scope: FastifyInstance) => void,
): void {
  server.register(
    async (scope) => {
      const send = (error: AppError, cause: Error, request: FastifyRequest, reply: FastifyReply) => {
        const status = statusOf[error.code]
        if (status >= 500) request.log.error({ err: cause, ...idsOf(request) }, error.message)
        if (error.retryAfterS) reply.header('retry-after', String(error.retryAfterS))
        const body = errorShape(error, status, request, reply)
        reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body)
      }
      scope.setErrorHandler((cause: FastifyError, request, reply) =>
        send(toAppError(cause, request), cause, request, reply),
      )
      scope.setNotFoundHandler((request, reply) => send(notFound(), notFound(), request, reply))
      registerRoutes(scope)
    },
    { prefix },
  )
}

/** The models that can be used now. */
export const enabledModels = (app: App): Model[] => usableModels(catalogue(), app)

/** The model of a request that names none. */
export const defaultModel = (app: App): string => enabledModels(app)[0]?.id ?? ''

/** Unix seconds, as the formats have them. */
export const unixSeconds = (date: Date | null): number | null => date && Math.floor(date.getTime() / 1000)

/** The path of the field that an error names, if it names one. */
export function fieldOf({ details }: AppError): string | null {
  const path = Array.isArray(details) ? (details[0] as { path?: unknown } | undefined)?.path : undefined
  return typeof path === 'string' ? path : null
}

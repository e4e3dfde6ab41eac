/** A span for each request, under the caller's traceparent. Only with tracing; none for health checks and metrics. */
import type { FastifyInstance } from 'fastify'
import { parseTraceparent } from '../../tracing/trace-context.ts'
import type { RequestTrace, Tracing } from '../../tracing/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Null without tracing. */
    trace: RequestTrace | null
  }
}

export function registerRequestTrace(http: FastifyInstance, tracing: Tracing | null): void {
  http.decorateRequest('trace', null)
  if (!tracing) return
  http.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.limit !== 'none') {
      request.trace = tracing.openRequest(parseTraceparent(request.headers.traceparent))
    }
    done()
  })
  // The span begins after the body is read: what its chunks call does not run in the context of an earlier hook.
  http.addHook('preHandler', (request, _reply, done) => {
    if (request.trace) tracing.runRequest(request.trace, done)
    else done()
  })
  http.addHook('onResponse', (request, { statusCode }, done) => {
    if (request.trace) {
      const route = request.routeOptions.url
      tracing.endRequest(request.trace, route ? `${request.method} ${route}` : request.method, {
        attributes: {
          'http.request.method': request.method,
          'http.route': route,
          'http.response.status_code': statusCode,
          'kinora.request.id': request.id,
          'user.id': request.caller?.userId,
        },
        error: statusCode >= 500 ? String(statusCode) : null,
        isRead: statusCode < 400 && (request.method === 'GET' || request.method === 'HEAD'),
      })
    }
    done()
  })
}

/** The fields of a log line that find the request's user and trace; its id is in every line of its log. */
export const idsOf = ({ caller, trace }: { caller: { userId: string } | null; trace: RequestTrace | null }) => ({
  ...(caller && { userId: caller.userId }),
  ...(trace && { traceId: trace.traceId }),
})

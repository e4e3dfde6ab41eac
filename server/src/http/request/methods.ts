/**
 * The methods of each path, for 405 and its Allow header. Invariant: a path without parameters has the methods of its own routes only.
 * The router would send its other methods to a route with a parameter: DELETE /api/v1/video/list to that of /api/v1/video/{uuid}.
 */
import type { FastifyInstance } from 'fastify'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]

export type Methods = {
  /** The methods that have a route at this path. Empty: none. */
  at: (path: string) => Method[]
  /** Called after the registration of all routes: sends the other methods of a path without parameters to the not-found handler. */
  refuseOthers: () => void
}

export function openMethods(http: FastifyInstance): Methods {
  /** By path, of the paths without parameters. */
  const own = new Map<string, Set<string>>()
  let isComplete = false
  http.addHook('onRoute', ({ url, method }) => {
    // Fastify adds HEAD to each GET. Of the route of a prefix it reports nothing else for the path with a trailing slash.
    if (isComplete || method === 'HEAD' || /[:*]/.test(url)) return
    own.set(url, new Set([...(own.get(url) ?? []), ...[method].flat()]))
  })
  return {
    at: (path) => METHODS.filter((method) => own.get(path)?.has(method) ?? http.findRoute({ url: path, method })),
    refuseOthers: () => {
      isComplete = true
      for (const [url, methods] of own) {
        const others = METHODS.filter((method) => !methods.has(method) && hasParameterRoute(http, url, method))
        if (others.length === 0) continue
        http.route({ method: others, url, schema: { hide: true }, handler: (_request, reply) => reply.callNotFound() })
      }
    },
  }
}

/** A wildcard does not count: its route decides which paths it has. */
function hasParameterRoute(http: FastifyInstance, url: string, method: Method): boolean {
  const names = Object.keys(http.findRoute({ url, method })?.params ?? {})
  return names.length > 0 && !names.includes('*')
}

/**
 * The notice of a route that will end (docs/api.md): its responses have `Deprecation` (RFC 9745), `Sunset` (RFC 8594)
 * and a `Link` to what replaces it, also those that refuse a request, and openapi.json marks it.
 */
import type { FastifyInstance, onSendHookHandler } from 'fastify'

const DAY_MS = 24 * 3600 * 1000
const NOTICE_DAYS_MIN = 180

export type Deprecation = {
  /** The day on which the notice begins, `2026-11-26`. */
  since: string
  /** The day of the earliest end. */
  sunset: string
  /** The path or URL of what replaces the route, or of a page that says so. */
  successor: string
}

/** Applies to the routes that are registered after this, by `deprecated` of their config. */
export function registerDeprecation(http: FastifyInstance): void {
  http.addHook('onRoute', (route) => {
    const { deprecated } = route.config ?? {}
    if (!deprecated) return
    const headers = headersOf(deprecated)
    route.schema = { ...route.schema, deprecated: true }
    const addHeaders: onSendHookHandler = (_request, reply, payload, done) => {
      reply.headers(headers)
      done(null, payload)
    }
    route.onSend = [route.onSend ?? [], addHeaders].flat()
  })
}

/** @throws Error when the notice is shorter than the documented one */
function headersOf({ since, sunset, successor }: Deprecation): Record<string, string> {
  const [sinceMs, sunsetMs] = [Date.parse(since), Date.parse(sunset)]
  if (!(sunsetMs - sinceMs >= NOTICE_DAYS_MIN * DAY_MS))
    throw new Error(`The notice from ${since} to ${sunset} is shorter than ${NOTICE_DAYS_MIN} days.`)
  return {
    deprecation: `@${sinceMs / 1000}`,
    sunset: new Date(sunsetMs).toUTCString(),
    link: `<${successor}>; rel="successor-version"`,
  }
}

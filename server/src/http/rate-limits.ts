/**
 * How often: per signed-in user, and per address where nobody is signed in yet. Counted in the memory of each API process
 * (a shared counter would be one more thing to be down), so N processes behind a balancer allow up to N times as much.
 */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'

const GENERATE_PER_MINUTE = 60
const IMAGE_PER_MINUTE = 30
const SIGN_IN_PER_MINUTE = 10
const REST_PER_MINUTE = 600
const KEYS_KEPT = 100_000

export async function registerLimits(http: FastifyInstance, { config }: App): Promise<void> {
  if (!config.rateLimits) return
  await http.register(rateLimit, {
    global: true,
    hook: 'onRequest',
    cache: KEYS_KEPT,
    timeWindow: 60_000,
    max: (request) => {
      const { limit } = request.routeOptions.config
      if (limit === 'generate') return GENERATE_PER_MINUTE
      if (limit === 'image') return IMAGE_PER_MINUTE
      return limit === 'sign-in' ? SIGN_IN_PER_MINUTE : REST_PER_MINUTE
    },
    // One user's allowance is the same from everywhere; generate and upload have their own, so that polling cannot use it up.
    keyGenerator: (request) => {
      const { limit } = request.routeOptions.config
      return limit === 'sign-in' ? `address ${request.ip}` : `${limit ?? 'rest'} ${request.caller?.userId}`
    },
    allowList: (request) => {
      const { limit } = request.routeOptions.config
      return limit === 'none' || (limit !== 'sign-in' && request.caller === null)
    },
    errorResponseBuilder: (_request, { max, ttl }) =>
      new AppError('RATE_LIMITED', `That is more than ${max} requests in a minute; wait a little and try again.`, {
        retryAfterS: Math.max(1, Math.ceil(ttl / 1000)),
      }),
  })
}

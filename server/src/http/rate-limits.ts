/**
 * Rate limits: fixed windows of a minute, per user, and at sign-in per IP address. The counters live in the memory of each
 * API process (a shared store would be one more dependency that can fail), so N processes behind a load balancer allow up
 * to N times as much.
 */
import rateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'

const GENERATE_PER_MINUTE = 60
const IMAGE_PER_MINUTE = 30
const SIGN_IN_PER_MINUTE = 10
const DEFAULT_PER_MINUTE = 600
/** Size of the LRU of counters. */
const COUNTERS_MAX = 100_000

export async function registerRateLimits(http: FastifyInstance, { config }: App): Promise<void> {
  if (!config.rateLimits) return
  await http.register(rateLimit, {
    global: true,
    hook: 'onRequest',
    cache: COUNTERS_MAX,
    timeWindow: 60_000,
    max: (request) => {
      const { limit } = request.routeOptions.config
      if (limit === 'generate') return GENERATE_PER_MINUTE
      if (limit === 'image') return IMAGE_PER_MINUTE
      return limit === 'sign-in' ? SIGN_IN_PER_MINUTE : DEFAULT_PER_MINUTE
    },
    // A user has one counter for all IP addresses. Generate and upload have counters of their own, so that polling
    // cannot use their limit up.
    keyGenerator: (request) => {
      const { limit } = request.routeOptions.config
      return limit === 'sign-in' ? `address ${request.ip}` : `${limit ?? 'default'} ${request.caller?.userId}`
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

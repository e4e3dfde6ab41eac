/**
 * Rate limits of requests: per user, and without a valid credential per prefix of the IP address. They apply before the
 * body is read. rate-limit/policies.ts has the numbers, account/sign-in-guard.ts the limits of failed attempts to sign
 * in.
 */
import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify'
import { addressPrefix } from '../../account/address-prefix.ts'
import type { Caller } from '../../account/credential/credential.ts'
import { deviceOf } from '../../account/device.ts'
import type { Scope } from '../../account/key/scope.ts'
import { refuseDuringMaintenance } from '../../admin/incidents.ts'
import type { App } from '../../app.ts'
import { isTestOwner, testOwnerOf } from '../../id.ts'
import { type LimitName, type Outcome, policies } from '../../rate-limit/policies.ts'
import { rateLimited } from '../../rate-limit/rate-limited.ts'

const SIGN_IN = '/api/auth/sign-in/email'

/**
 * Which limit a route has; `user`, that of its caller, when left out. `password`: it checks a password. `signed`: its
 * handler checks a signature, and calls `limitUnauthenticated` when that is wrong. `webhook`, `redeem`: only requests
 * that are not accepted count, of `redeem` beside `user`.
 */
export type RouteLimit =
  | 'user'
  | 'generate'
  | 'image'
  | 'password'
  | 'static'
  | 'webhook'
  | 'register'
  | 'redeem'
  | 'verify'
  | 'writer'
  | 'signed'
  | 'none'

/** A person's test keys have counters of their own: a suite that uses them up leaves those of production. */
const counterOf = ({ userId, actorId }: Caller): string => (isTestOwner(userId) ? testOwnerOf(actorId) : actorId)

/**
/**
 * The most requests in a window for one whom an administrator has limited: of all requests, and what counts apart has
 * no more. Undefined: as all.
 */
const maxOf = ({ maxRequests }: Caller, name: LimitName): number | undefined => {
  if (maxRequests === undefined || !['user', 'generate', 'image'].includes(name)) return undefined
  return name === 'user' ? maxRequests : Math.min(maxRequests, policies[name].max)
}

/**
 * Limits a request by its route, its caller and its address.
 * @throws AppError RATE_LIMITED; UNAVAILABLE for new work during maintenance
 */
export function limitRequest(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { limit }: FastifyContextConfig,
): Promise<void> | void {
  const { caller } = request
  if (caller && (limit === 'generate' || limit === 'image')) refuseDuringMaintenance(app)
  switch (limit) {
    case 'none':
    case 'signed':
      return
    case 'static':
    case 'webhook':
    case 'register':
    case 'verify':
      return count(app, reply, limit, addressPrefix(request.ip))
    case 'password':
      return limitPasswordCheck(app, request, reply)
    case 'redeem':
      return caller ? limitGuesses(app, request, reply, caller.actorId) : limitUnauthenticated(app, request, reply)
    case 'writer':
      return caller ? limitWriter(app, reply, caller.actorId) : limitUnauthenticated(app, request, reply)
    default:
      if (caller) return countCaller(app, reply, limit ?? 'user', caller)
      return limitUnauthenticated(app, request, reply)
  }
}

/** Counts a request whose credential or signature is missing or wrong. @throws AppError RATE_LIMITED */
export function limitUnauthenticated(app: App, request: FastifyRequest, reply: FastifyReply): Promise<void> | void {
  return count(app, reply, 'anonymous', addressPrefix(request.ip))
}

/**
 * Counts what a request does beside its route's own limit: an image inside its body, a generate as a call of a tool, or
 * another message of a batch.
 * @throws AppError RATE_LIMITED, UNAVAILABLE during maintenance
 */
export function limitAlso(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  name: 'generate' | 'image' | 'user',
): Promise<void> | void {
  if (name !== 'user') refuseDuringMaintenance(app)
  return request.caller ? countCaller(app, reply, name, request.caller) : limitUnauthenticated(app, request, reply)
}

/** Counts the films of a request beyond the first, which the route has counted. @throws AppError RATE_LIMITED */
export async function limitFilms(app: App, request: FastifyRequest, reply: FastifyReply, n = 1): Promise<void> {
  for (let i = 1; i < n; i++) await limitAlso(app, request, reply, 'generate')
}

/** Called with the response of a `webhook` or `redeem` route: what was accepted does not count. */
export function forgetAccepted({ rateLimiter }: App, request: FastifyRequest, status: number): void {
  const { limit } = request.routeOptions.config
  if (status >= 400 || (limit !== 'webhook' && limit !== 'redeem')) return
  rateLimiter.reward(limit, addressPrefix(request.ip))
  if (limit === 'redeem' && request.caller) rateLimiter.reward(limit, request.caller.actorId)
}

/**
 * Counts by user and by address: neither many accounts nor many addresses may guess a code. As another request of the
 * user, too: an idempotent replay is accepted, so the limit of guesses does not bound it.
 */
async function limitGuesses(app: App, request: FastifyRequest, reply: FastifyReply, actorId: string): Promise<void> {
  await count(app, reply, 'user', actorId)
  await count(app, reply, 'redeem', addressPrefix(request.ip))
  await count(app, reply, 'redeem', actorId)
}

async function limitWriter(app: App, reply: FastifyReply, actorId: string): Promise<void> {
  await count(app, reply, 'user', actorId)
  await count(app, reply, 'writer', actorId)
}

/**
 * Counts by address and by user: a stolen session must not allow guessing the password from many addresses. To sign in,
 * a browser that has done so before has a counter of its own, so a stranger behind the same address cannot use it up;
 * its address counts after all when it signs in to another account (sign-in-guard.ts).
 */
async function limitPasswordCheck(app: App, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const prefix = addressPrefix(request.ip)
  const isSignIn = request.routeOptions.url === SIGN_IN
  const device = isSignIn ? deviceOf(app.config, request.headers.cookie) : null
  if (device) {
    await count(app, reply, 'device', prefix)
    await count(app, reply, 'password', `device ${device.id}`)
  } else await count(app, reply, 'password', prefix)
  if (request.caller) await count(app, reply, 'password', request.caller.actorId)
}

/** What a caller may still do of what is counted by the person: `left` of `limit` requests until the window ends. */
export type Rate = { name: LimitName; limit: number; windowSeconds: number; left: number; resetMs: number }

/** The rates that count for a caller, as they are now; none where nothing is limited. */
export async function ratesOf({ rateLimiter, writer }: App, caller: Caller): Promise<Rate[]> {
  const { key } = caller
  const may = (scope: Scope) => key === null || key.scopes.includes(scope)
  const names: LimitName[] = [
    'user',
    ...(may('generate') ? (['generate', 'image'] as const) : []),
    ...(may('generate') && writer && !key?.token ? (['writer'] as const) : []),
    ...(may('account') ? (['redeem'] as const) : []),
  ]
  const outcomes = await rateLimiter.read(
    names.map((name) => ({ name, key: counterOf(caller), max: maxOf(caller, name) })),
  )
  return outcomes.flatMap(({ max, remaining, resetMs }, i) => {
    const name = names[i]
    if (!name) return []
    return [{ name, limit: max, windowSeconds: policies[name].windowMs / 1000, left: remaining, resetMs }]
  })
}

const countCaller = (app: App, reply: FastifyReply, name: LimitName, caller: Caller): Promise<void> | void =>
  count(app, reply, name, counterOf(caller), maxOf(caller, name))

function count(
  { rateLimiter }: App,
  reply: FastifyReply,
  name: LimitName,
  key: string,
  own?: number,
): Promise<void> | void {
  const outcome = rateLimiter.consume(name, key, own)
  if (!(outcome instanceof Promise)) return apply(reply, name, outcome)
  return outcome.then((arrived) => apply(reply, name, arrived))
}

/** RateLimit-Policy of each limit (draft-ietf-httpapi-ratelimit-headers): requests, and the window in seconds. */
const policyHeader = (name: LimitName, max: number): string => `"${name}";q=${max};w=${policies[name].windowMs / 1000}`
const policyHeaders = Object.fromEntries(
  Object.entries(policies).map(([name, { max }]) => [name, policyHeader(name as LimitName, max)]),
) as Record<LimitName, string>

/** @throws AppError RATE_LIMITED */
function apply(reply: FastifyReply, name: LimitName, { isAllowed, max, remaining, resetMs }: Outcome): void {
  if (max === Number.POSITIVE_INFINITY) return
  const resetS = Math.max(1, Math.ceil(resetMs / 1000))
  const policy = policies[name]
  const header = max === policy.max ? policyHeaders[name] : policyHeader(name, max)
  addLimit(reply, name, header, `r=${remaining};t=${resetS}`)
  reply.header('x-ratelimit-limit', max).header('x-ratelimit-remaining', remaining).header('x-ratelimit-reset', resetS)
  if (isAllowed) return
  throw rateLimited(`That is more than ${max} requests in ${nameOf(policy)}`, resetMs)
}

/** Names a limit in the headers of a response, beside those that stand there, or in the place of the same one. */
export function addLimit(reply: FastifyReply, name: string, policy: string, state: string): void {
  const others = (header: string) =>
    String(reply.getHeader(header) ?? '')
      .split(', ')
      .filter((each) => each !== '' && !each.startsWith(`"${name}";`))
  reply.header('ratelimit-policy', [...others('ratelimit-policy'), policy].join(', '))
  reply.header('ratelimit', [...others('ratelimit'), `"${name}";${state}`].join(', '))
}

const nameOf = ({ windowMs }: { windowMs: number }): string =>
  windowMs > 3600_000 ? 'a day' : windowMs > 60_000 ? 'an hour' : 'a minute'

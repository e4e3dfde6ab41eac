/**
 * What is limited, and how a counter moves. Every store of counters (memory.ts, primary.ts, postgresql.ts) counts by these
 * policies.
 */

/** A fixed window: at most `max` in `windowMs` from the first one. */
type WindowPolicy = { kind: 'window'; max: number; windowMs: number }
/**
 * Backoff: `max` attempts without a pause, then pauses of `firstMs`, twice as long after each further attempt, up to
 * `longestMs`. An attempt during a pause is refused and does not prolong it. `windowMs` without attempts ends it.
 */
type BackoffPolicy = { kind: 'backoff'; max: number; firstMs: number; longestMs: number; windowMs: number }
export type Policy = { counter: CounterName } & (WindowPolicy | BackoffPolicy)
type CounterName =
  | 'generate'
  | 'image'
  | 'user'
  | 'anonymous'
  | 'static'
  | 'password'
  | 'device'
  | 'webhook'
  | 'account'
  | 'client'
  | 'mail'
  | 'register'

export type Outcome = {
  isAllowed: boolean
  max: number
  remaining: number
  /** Until the window ends; of a refused attempt under backoff: until the pause ends. */
  resetMs: number
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const perMinute = (counter: CounterName, max: number): Policy => ({ counter, kind: 'window', max, windowMs: MINUTE_MS })
const backoff = (max: number): Policy => ({
  counter: 'client',
  kind: 'backoff',
  max,
  firstMs: 30_000,
  longestMs: 15 * MINUTE_MS,
  windowMs: HOUR_MS,
})

/** By name. Policies with the same `counter` share their counters. */
export const policies = {
  /** Of a user: generate and upload have counters of their own, so that polling cannot use their limit up. */
  generate: perMinute('generate', 60),
  image: perMinute('image', 30),
  user: perMinute('user', 600),
  /** Of an address prefix: requests without a valid credential. */
  anonymous: perMinute('anonymous', 600),
  /** Of an address prefix: the files of the studio and of the API reference. */
  static: perMinute('static', 6_000),
  /** Of an address prefix, of a device and of a user: requests that check a password. */
  password: perMinute('password', 10),
  /** Of an address prefix: sign-ins with the cookie of a device. It bounds the time of hashing passwords. */
  device: perMinute('device', 100),
  /** Of an address prefix: webhooks that are not accepted. */
  webhook: perMinute('webhook', 600),
  /** Of an account: attempts to sign in from devices that it does not know. Beyond it the account is guarded. */
  account: { counter: 'account', kind: 'window', max: 20, windowMs: HOUR_MS },
  /** Of an e-mail address, whether or not it has an account: messages that a person without its password may cause. */
  mail: { counter: 'mail', kind: 'window', max: 5, windowMs: HOUR_MS },
  /** Of an address prefix: registrations of OAuth clients, which need no credential. */
  register: { counter: 'register', kind: 'window', max: 20, windowMs: HOUR_MS },
  /** Of an account and a client, which is a device or an address prefix: failed attempts to sign in. */
  client: backoff(10),
  'guarded-client': backoff(1),
} satisfies Record<string, Policy>

export type LimitName = keyof typeof policies

/** `sinceMs`: the start of the window, or under backoff the last attempt. */
export type Counter = { count: number; sinceMs: number }

/** Counts one attempt in place. A refused attempt under backoff changes nothing. */
export function consume(policy: Policy, counter: Counter, nowMs: number): Outcome {
  // A clock that was set back must not make a window longer.
  if (nowMs < counter.sinceMs) counter.sinceMs = nowMs
  if (nowMs >= counter.sinceMs + policy.windowMs) counter.count = 0
  if (policy.kind === 'window') {
    if (counter.count === 0) counter.sinceMs = nowMs
    counter.count += 1
    return windowOutcome(policy, counter.count, counter.sinceMs + policy.windowMs - nowMs)
  }
  const waitMs = counter.sinceMs + pauseMs(policy, counter.count) - nowMs
  if (counter.count > 0 && waitMs > 0) return { isAllowed: false, max: policy.max, remaining: 0, resetMs: waitMs }
  counter.count += 1
  counter.sinceMs = nowMs
  return backoffOutcome(policy, counter.count)
}

export const windowOutcome = ({ max }: Policy, count: number, resetMs: number): Outcome => ({
  isAllowed: count <= max,
  max,
  remaining: Math.max(0, max - count),
  resetMs,
})

export const backoffOutcome = (policy: Policy & BackoffPolicy, count: number): Outcome => ({
  isAllowed: true,
  max: policy.max,
  remaining: Math.max(0, policy.max - count),
  resetMs: pauseMs(policy, count),
})

/** The pause after `count` attempts. */
const pauseMs = ({ max, firstMs, longestMs }: BackoffPolicy, count: number): number =>
  count < max ? 0 : Math.min(longestMs, firstMs * 2 ** Math.min(count - max, 30))

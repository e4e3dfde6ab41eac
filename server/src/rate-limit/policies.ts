/** What is limited, and how a counter moves. Each store (memory.ts, postgresql.ts) counts by these policies. */

/** A fixed window: at most `max` in `windowMs` from the first one. */
type WindowPolicy = { kind: 'window'; max: number; windowMs: number }
/**
 * Backoff: `max` attempts without a pause, then pauses of `firstMs`, twice as long after each further attempt, up to
 * `longestMs`. An attempt during a pause is refused and does not prolong it. `windowMs` without attempts ends it.
 */
type BackoffPolicy = { kind: 'backoff'; max: number; firstMs: number; longestMs: number; windowMs: number }
export type Policy = WindowPolicy | BackoffPolicy

export type Outcome = {
  isAllowed: boolean
  max: number
  remaining: number
  /** The time until the window ends; of a refused attempt under backoff, until the pause ends. */
  resetMs: number
}

/** `max`: in the place of the policy's, for one whom an administrator has limited. */
export type Attempt = { name: LimitName; key: string; max?: number | undefined }

/** Counters that several processes share, behind a call. */
export type SharedCounters = {
  /** Counts a batch; outcome i belongs to attempt i. */
  consume: (attempts: Attempt[]) => Promise<Outcome[]>
  reward: (attempt: Attempt) => Promise<unknown>
  /** What is left, without counting; outcome i belongs to attempt i, of a limit with a window. */
  read: (attempts: Attempt[]) => Promise<Outcome[]>
  close: () => void
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const perMinute = (max: number): Policy => ({ kind: 'window', max, windowMs: MINUTE_MS })
const perHour = (max: number): Policy => ({ kind: 'window', max, windowMs: HOUR_MS })
const backoff = (max: number): Policy => ({
  kind: 'backoff',
  max,
  firstMs: 30_000,
  longestMs: 15 * MINUTE_MS,
  windowMs: HOUR_MS,
})

export const policies = {
  /** Generate and upload have counters of their own of each user, so that polling cannot use their limit up. */
  generate: perMinute(60),
  image: perMinute(30),
  user: perMinute(600),
  /** Requests of an address prefix without a valid credential. */
  anonymous: perMinute(600),
  /** Requests of an address prefix for the files of the studio and of the API reference. */
  static: perMinute(6_000),
  /** Requests that check a password, of an address prefix, of a device and of a user. */
  password: perMinute(10),
  /** Sign-ins of an address prefix with the cookie of a device. The limit bounds the time of hashing passwords. */
  device: perMinute(100),
  /** Webhooks of an address prefix that are not accepted. */
  webhook: perMinute(600),
  /** Attempts to sign in to an account from devices that it does not know. Beyond the limit the account is guarded. */
  account: perHour(20),
  /** Messages to an e-mail address, with or without an account, that a person without its password may cause. */
  mail: perHour(5),
  /** Invitations to teams by a member, and to a team. */
  invite: perHour(50),
  /** Registrations of OAuth clients by an address prefix, which need no credential. */
  register: perHour(20),
  /** Attempts to redeem a code that fail, of an address prefix and of a user. */
  redeem: perHour(20),
  /** Requests of an address prefix whether a file was made here, which need no credential. */
  verify: perMinute(60),
  /** Questions of a user to the operator's language model, each of which it pays for. */
  writer: { kind: 'window', max: 100, windowMs: 24 * HOUR_MS },
  /** Failed attempts to sign in to an account by a client, which is a device or an address prefix. */
  client: backoff(10),
  'guarded-client': backoff(1),
} satisfies Record<string, Policy>

export type LimitName = keyof typeof policies

/** The policy of an attempt. */
export const policyOf = ({ name, max }: Attempt): Policy =>
  max === undefined ? policies[name] : { ...policies[name], max }

/** The counters that a limit uses: both limits of a client count the same attempts. */
export const counterOf = (name: LimitName): LimitName => (name === 'guarded-client' ? 'client' : name)

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

/** What a counter of a window allows now; `resetMs` is 0 before its first attempt. */
export function readWindow(policy: Policy, { count, sinceMs }: Counter, nowMs: number): Outcome {
  const resetMs = Math.max(0, Math.min(nowMs, sinceMs) + policy.windowMs - nowMs)
  return { ...windowOutcome(policy, resetMs > 0 && count > 0 ? count : 0, count > 0 ? resetMs : 0), isAllowed: true }
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

/**
 * Authenticates requests by session token or API key. Look-ups of one tick of the event loop are one query, and what it found is
 * cached (TTL 30 s). A revocation takes effect in every process within a second all the same: revocations.ts polls for them, and
 * a cached credential counts only while the latest poll is younger than that. better-auth's getSession takes two queries and
 * updates (measured: 3,000 requests/s instead of 23,000), so it is used for sign-in only.
 *
 * Invariant: memory that requests without a valid credential take is bounded in bytes. A credential longer than any that is
 * handed out is refused unread, the caches are keyed by SHA-256, and unknown credentials have a cache of their own. Only
 * headers that authenticated are also kept as they came (`recent`), for a few seconds.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { App } from '../../app.ts'
import type { Config } from '../../config/config.ts'
import { AppError } from '../../errors.ts'
import { isUuid } from '../../id.ts'
import { percentDecoded } from '../../text/percent-decoded.ts'
import { API_KEY_PREFIX } from '../auth.ts'
import { findToken, readToken, TOKEN_PREFIX } from '../key/browser-token.ts'
import { isScope, requireScope, type Scope } from '../key/scope.ts'
import { ACCESS_TOKEN_PREFIX, findGrant } from '../oauth.ts'
import { hashSessionToken, lastUsedEveryS } from '../sessions.ts'
import { openRecentHeaders } from './recent-headers.ts'
import { openRevocations } from './revocations.ts'

/**
 * `key`: the API key of the request; null with a session. `tokenId`: of the browser token that stands for it. With an OAuth token `key` is the
 * consent, whose `audience` is the one API at which the token counts.
 */
export type Caller = {
  userId: string
  isAdmin: boolean
  key: { id: string; scopes: readonly Scope[]; audience?: 'mcp'; tokenId?: string } | null
}
/** The parts of a request that authentication reads. */
export type Presented = { headers: Record<string, string | string[] | undefined>; ip: string }
export type Credentials = {
  /** @returns the authenticated user, at once when the credential is cached; null without a valid credential */
  authenticate: (request: Presented) => Caller | null | Promise<Caller | null>
  /** Calls `listener` when a credential of the user may have been revoked. @returns the function that unsubscribes */
  onRevoked: (userId: string, listener: () => void) => () => void
  close: () => void
}

const TTL_MS = 30_000
/** Unknown credentials: long enough for the polling of a client that has been signed out, which would be a query each. */
const UNKNOWN_TTL_MS = 1_000
/** A purge walks over both caches: 4 ms with 3,000 credentials. */
const PURGE_EVERY_MS = 5_000
/** Age of the latest poll of revocations up to which a cached credential counts. */
const CONFIRMED_MAX_MS = 800
/** Estimates from above: a digest of 64 characters, a user id, the objects and the LRU's own arrays are about 400 bytes. */
const ENTRY_BYTES = 512
const KNOWN_BYTES_MAX = 16 * 1024 ** 2
const UNKNOWN_BYTES_MAX = 4 * 1024 ** 2

/** An API key's time of last use is written at most this often: it would otherwise be a write for every look-up. */
const KEY_USED_EVERY_S = 60

/** Session tokens have 32 characters, API keys 64 after their prefix, browser tokens 80. */
const CREDENTIAL_CHARACTERS_MAX = 85
/** A signed token: token, dot, base64 of an HMAC-SHA256; every character may be percent-encoded. */
const SIGNED_CHARACTERS_MAX = 3 * (CREDENTIAL_CHARACTERS_MAX + 1 + 44)

type Known = { caller: Caller; expiresMs: number; lookedUpMs: number; isDropped: boolean }

export function openCredentials(app: App): Credentials {
  const { known, unknown, recent, purge, drop } = openCaches()
  /** Single-flight: the look-ups under way, so that a burst with one new credential runs one query. */
  const underWay = new Map<string, Promise<Caller | null>>()
  const listeners = openListeners()
  /** Counts the polls that found revocations. What was looked up during such a poll may be from before, and is not cached. */
  let revocationCount = 0

  const revocations = openRevocations(app, {
    isNeeded: () => {
      purge()
      return known.size > 0 || unknown.size > 0 || listeners.size() > 0
    },
    onRevoked: (userIds) => {
      revocationCount += 1
      const isRevoked = (userId: string) => userIds === 'all' || userIds.has(userId)
      drop(isRevoked)
      listeners.notify(isRevoked)
    },
  })

  const lookUp = async (key: string, credential: Credential, ip: string): Promise<Caller | null> => {
    revocations.start()
    const lookedUpMs = performance.now()
    const countBefore = revocationCount
    const found = await findCredential(app, credential, ip)
    if (!found) unknown.set(key, { lookedUpMs })
    else if (revocationCount === countBefore) known.set(key, { ...found, lookedUpMs, isDropped: false })
    return found?.caller ?? null
  }

  const isValid = (entry: Known): boolean => isConfirmed(entry, revocations.seenUntilMs(), app.now())

  return {
    authenticate: (request) => {
      const again = recent.get(request.headers)
      if (again && isValid(again)) return again.caller
      const credential = readCredential(request.headers, app.config)
      if (!credential) return null
      const key = credential.kind + credential.hash
      const cached = known.get(key)
      if (cached && isValid(cached)) {
        recent.add(request.headers, cached)
        return cached.caller
      }
      if (cached) known.delete(key)
      if (unknown.has(key)) return null
      const pending = underWay.get(key) ?? lookUp(key, credential, request.ip).finally(() => underWay.delete(key))
      underWay.set(key, pending)
      return pending
    },
    onRevoked: (userId, listener) => {
      revocations.start()
      return listeners.add(userId, listener)
    },
    close: revocations.close,
  }
}

/** Whether the latest poll of revocations is young enough for the entry to count, and the credential has not expired. */
const isConfirmed = ({ expiresMs, lookedUpMs }: Known, seenUntilMs: number, now: Date): boolean =>
  performance.now() - Math.max(lookedUpMs, seenUntilMs) < CONFIRMED_MAX_MS && expiresMs > now.getTime()

function openCaches() {
  const known = new LRUCache<string, Known>({
    maxSize: KNOWN_BYTES_MAX,
    sizeCalculation: () => ENTRY_BYTES,
    ttl: TTL_MS,
    dispose: (entry) => {
      entry.isDropped = true
    },
  })
  const unknown = new LRUCache<string, { lookedUpMs: number }>({
    maxSize: UNKNOWN_BYTES_MAX,
    sizeCalculation: () => ENTRY_BYTES,
    ttl: UNKNOWN_TTL_MS,
  })
  const recent = openRecentHeaders<Known>(TTL_MS)
  let nextPurgeMs = 0
  /** Removes what has expired. Reading does not, and an idle process would keep it. */
  const purge = () => {
    const nowMs = performance.now()
    if (nowMs < nextPurgeMs) return
    nextPurgeMs = nowMs + PURGE_EVERY_MS
    known.purgeStale()
    unknown.purgeStale()
    recent.age()
  }
  const drop = (isRevoked: (userId: string) => boolean) => {
    const revoked = [...known.entries()].filter(([, { caller }]) => isRevoked(caller.userId))
    for (const [key] of revoked) known.delete(key)
  }
  return { known, unknown, recent, purge, drop }
}

function openListeners() {
  const listeners = new Map<string, Set<() => void>>()
  return {
    size: () => listeners.size,
    /** @returns the function that removes it */
    add: (userId: string, listener: () => void) => {
      const ofUser = listeners.get(userId) ?? new Set()
      listeners.set(userId, ofUser.add(listener))
      return () => {
        ofUser.delete(listener)
        if (ofUser.size === 0) listeners.delete(userId)
      }
    },
    notify: (isRevoked: (userId: string) => boolean) => {
      for (const [userId, ofUser] of listeners) if (isRevoked(userId)) for (const listener of ofUser) listener()
    },
  }
}

/** @throws AppError UNAUTHENTICATED */
export function signedIn(caller: Caller | null): Caller {
  if (caller) return caller
  throw new AppError(
    'UNAUTHENTICATED',
    'Sign in first: the request has no session or API key that is valid. Send a session cookie, "Authorization: Bearer <session token or API key>" or an API key as "x-api-key".',
  )
}

/**
 * Checks that the credential of a long request still authenticates it, with the scopes that it had.
 * @param found what it authenticates now. @throws AppError UNAUTHENTICATED, INSUFFICIENT_SCOPE
 */
export function requireUnchanged({ userId, key }: Caller, found: Caller | null): void {
  const isSame = found?.userId === userId && found.key?.id === key?.id
  const caller = signedIn(isSame ? found : null)
  for (const scope of key?.scopes ?? []) requireScope(caller, scope)
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export function administrator(caller: Caller | null): Caller {
  if (signedIn(caller).isAdmin) return signedIn(caller)
  throw new AppError('FORBIDDEN', 'Only an administrator may do this.')
}

const plainCookie = /(?:^|;\s*)kinora\.session_token=([^;]+)/
const hostCookie = /(?:^|;\s*)__Host-kinora\.session_token=([^;]+)/

/** `hash`: SHA-256 of the value, in hexadecimal, the encoding that takes least time. */
type Credential = { kind: 'key' | 'token' | 'session' | 'oauth'; value: string; hash: string }

function readCredential(
  headers: Presented['headers'],
  { publicUrl, authSecret: secret }: Pick<Config, 'publicUrl' | 'authSecret'>,
): Credential | null {
  const apiKey = headers['x-api-key']
  if (typeof apiKey === 'string') return keyOf(apiKey)

  const authorization = headers.authorization
  if (typeof authorization === 'string') {
    if (authorization.length > SIGNED_CHARACTERS_MAX) return null
    // fal's clients send an API key as `Key <key>`, and only that counts.
    const [, scheme = '', token] = /^(bearer|key) +(\S+)$/i.exec(authorization) ?? []
    // No session token has an underscore. The clients of the compatible APIs send an API key only this way.
    const key = token && keyOf(token)
    if (!token || key || scheme.toLowerCase() === 'key') return key || null
    if (token.startsWith(ACCESS_TOKEN_PREFIX)) return credentialOf('oauth', token)
    // Sign-in returns the bare token in its body and the signed one in a header; both are accepted.
    return credentialOf('session', token.includes('.') ? verifyToken(percentDecoded(token), secret) : token)
  }

  const cookie = sessionCookieOf(headers, publicUrl)
  if (!cookie || cookie.length > SIGNED_CHARACTERS_MAX) return null
  return credentialOf('session', verifyToken(percentDecoded(cookie), secret))
}

/** An API key or a browser token, which may stand wherever a key may; null for any other text. */
function keyOf(text: string): Credential | null {
  if (text.startsWith(API_KEY_PREFIX)) return credentialOf('key', text)
  return text.startsWith(TOKEN_PREFIX) ? credentialOf('token', text) : null
}

/**
 * The value of the session cookie, as it was sent. Over https only the __Host- cookie counts, against session fixation: an attacker
 * on the network can set a cookie without prefix over http, and another subdomain can set one with __Secure- for the whole domain.
 */
export const sessionCookieOf = ({ cookie }: Presented['headers'], publicUrl: string): string | null =>
  (publicUrl.startsWith('https:') ? hostCookie : plainCookie).exec(String(cookie ?? ''))?.[1] ?? null

function credentialOf(kind: Credential['kind'], value: string | null): Credential | null {
  if (value === null || value.length > CREDENTIAL_CHARACTERS_MAX) return null
  return { kind, value, hash: hash('sha256', value) }
}

/** The token of better-auth's `<token>.<base64 HMAC-SHA256>`, or null when the signature is invalid. Constant-time. */
function verifyToken(signed: string, secret: string): string | null {
  const dot = signed.lastIndexOf('.')
  if (dot < 1) return null
  const token = signed.slice(0, dot)
  const given = Buffer.from(signed.slice(dot + 1), 'base64')
  const expected = createHmac('sha256', secret).update(token).digest()
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}

/** Look-ups are combined fairly by address, so that a flood of wrong credentials from one does not delay the others. */
async function findCredential(
  app: App,
  { kind, value }: Credential,
  ip: string,
): Promise<Omit<Known, 'lookedUpMs' | 'isDropped'> | null> {
  if (kind === 'oauth') return findOauthToken(app, value)
  if (kind === 'token') return findBrowserToken(app, value)
  const { sql, calls, config, now } = app
  const at = now()
  const token = hashSessionToken(value)
  const keyHash = hash('sha256', value, 'base64url')
  const row = await calls.credential.add(
    ip,
    kind === 'key'
      ? { key_hash: keyHash, stale_before: before(at, KEY_USED_EVERY_S) }
      : { token, ...idleLimits(at, config.sessionIdleS) },
    at,
  )
  if (row.userId === null || !isUuid(row.userId)) return null
  // A key is not valid before its limits are stored.
  if (row.keyId !== null && row.scopes === null) return null
  if (row.isStale) {
    await (kind === 'key'
      ? sql`update public.apikey set "lastRequest" = ${at} where key = ${keyHash}`
      : sql`update public.session set "updatedAt" = ${at} where token = ${token}`)
  }
  const isAdmin = (row.role ?? '').split(',').includes('admin')
  // A scope that this release does not know permits nothing.
  const key = row.keyId === null ? null : { id: row.keyId, scopes: row.scopes?.filter(isScope) ?? [] }
  return {
    caller: { userId: row.userId, isAdmin, key },
    expiresMs: row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY,
  }
}

async function findOauthToken(app: App, token: string): Promise<Omit<Known, 'lookedUpMs' | 'isDropped'> | null> {
  const grant = await findGrant(app, token)
  if (!grant) return null
  const { userId, consentId: id, scopes, expiresAt } = grant
  return {
    caller: { userId, isAdmin: false, key: { id, scopes, audience: 'mcp' } },
    expiresMs: expiresAt.getTime(),
  }
}

async function findBrowserToken(app: App, text: string): Promise<Omit<Known, 'lookedUpMs' | 'isDropped'> | null> {
  const ids = readToken(app.config, text)
  const token = ids && (await findToken(app, ids))
  if (!token) return null
  const { keyId, scopes, expiresAt } = token
  const key = { id: keyId, scopes: scopes.filter(isScope), tokenId: ids.id }
  return { caller: { userId: ids.userId, isAdmin: false, key }, expiresMs: expiresAt.getTime() }
}

/** The limits of a session's last use, which is neither read nor written without an idle timeout. */
const idleLimits = (at: Date, idleS: number | null) =>
  idleS === null ? {} : { used_since: before(at, idleS), stale_before: before(at, lastUsedEveryS(idleS)) }

const before = (at: Date, seconds: number): Date => new Date(at.getTime() - seconds * 1000)

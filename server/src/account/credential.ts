/**
 * Authenticates requests by session token or API key, with one query and a cache (TTL 5 s, so a revoked credential works for
 * at most that long). better-auth's getSession takes two queries and updates (measured: 3,000 requests/s instead of 23,000),
 * so it is used for sign-in only.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { isUuid } from '../id.ts'
import { API_KEY_PREFIX } from './auth.ts'
import { lastUsedEveryS, storedToken } from './session-token.ts'

export type Caller = { userId: string; isAdmin: boolean }
/** @returns the authenticated user; null without a valid credential */
export type Authenticate = (headers: Record<string, string | string[] | undefined>) => Promise<Caller | null>

const CACHE_TTL_MS = 5_000
const CACHE_MAX = 50_000
/** Throttles updates of an API key's "last used" time, which would otherwise be a write on every request. */
const LAST_USED_EVERY_S = 60

export function openCredentials(app: App): Authenticate {
  // Single-flight: promises are cached, so that a burst with one new credential runs one query.
  const cache = new LRUCache<string, Promise<Caller | null>>({ max: CACHE_MAX, ttl: CACHE_TTL_MS })
  return (headers) => {
    const credential = readCredential(headers, app.config)
    if (!credential) return Promise.resolve(null)
    const key = `${credential.kind}:${credential.value}`
    let caller = cache.get(key)
    if (!caller) {
      caller = credential.kind === 'key' ? findKey(app, credential.value) : findSession(app, credential.value)
      cache.set(key, caller)
      caller.catch(() => cache.delete(key))
    }
    return caller
  }
}

/** @throws AppError UNAUTHENTICATED */
export function signedIn(caller: Caller | null): Caller {
  if (caller) return caller
  throw new AppError(
    'UNAUTHENTICATED',
    'Sign in first: send a session cookie, "Authorization: Bearer <session token>" or an API key as "x-api-key".',
  )
}

/** @throws AppError UNAUTHENTICATED, FORBIDDEN */
export function administrator(caller: Caller | null): Caller {
  if (signedIn(caller).isAdmin) return signedIn(caller)
  throw new AppError('FORBIDDEN', 'Only an administrator may do this.')
}

const plainCookie = /(?:^|;\s*)kinora\.session_token=([^;]+)/
const hostCookie = /(?:^|;\s*)__Host-kinora\.session_token=([^;]+)/

type Credential = { kind: 'key' | 'session'; value: string }

function readCredential(
  headers: Parameters<Authenticate>[0],
  { publicUrl, authSecret: secret }: Pick<Config, 'publicUrl' | 'authSecret'>,
): Credential | null {
  const apiKey = headers['x-api-key']
  if (typeof apiKey === 'string') return apiKey.startsWith(API_KEY_PREFIX) ? { kind: 'key', value: apiKey } : null

  const authorization = headers.authorization
  if (typeof authorization === 'string') {
    const token = /^bearer +(\S+)$/i.exec(authorization)?.[1]
    if (!token) return null
    // Sign-in returns the bare token in its body and the signed one in a header; both are accepted.
    const bare = token.includes('.') ? verifyToken(tryDecode(token), secret) : token
    return bare ? { kind: 'session', value: bare } : null
  }

  // Over https only the __Host- cookie counts, against session fixation: an attacker on the network can set a cookie without
  // prefix over http, and another subdomain can set one with __Secure- for the whole domain.
  const pattern = publicUrl.startsWith('https:') ? hostCookie : plainCookie
  const cookie = pattern.exec(String(headers.cookie ?? ''))?.[1]
  const token = cookie ? verifyToken(tryDecode(cookie), secret) : null
  return token ? { kind: 'session', value: token } : null
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

function tryDecode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function findSession({ sql, config, now }: App, token: string): Promise<Caller | null> {
  const at = now()
  const idleS = config.sessionIdleS
  const stored = storedToken(token)
  const [row] = await sql<{ id: string; role: string | null; isStale: boolean | null }[]>`
    select u.id, u.role,
           s."updatedAt" < ${at}::timestamptz - make_interval(secs => ${idleS === null ? null : lastUsedEveryS(idleS)}) as is_stale
    from public.session s
    join public."user" u on u.id = s."userId"
    where s.token = ${stored} and s."expiresAt" > ${at} and ${notBanned({ sql, at })}
      and coalesce(s."updatedAt" >= ${at}::timestamptz - make_interval(secs => ${idleS}), true)
  `
  if (!row) return null
  if (row.isStale) await sql`update public.session set "updatedAt" = ${at} where token = ${stored}`
  return toCaller(row)
}

async function findKey({ sql, now }: App, key: string): Promise<Caller | null> {
  const at = now()
  const hash = createHash('sha256').update(key).digest('base64url')
  const [row] = await sql<{ id: string; role: string | null; isStale: boolean }[]>`
    select u.id, u.role,
           coalesce(k."lastRequest" < ${at}::timestamptz - make_interval(secs => ${LAST_USED_EVERY_S}), true) as is_stale
    from public.apikey k
    join public."user" u on u.id = k."referenceId"
    where k.key = ${hash} and k.enabled and coalesce(k."expiresAt" > ${at}, true) and ${notBanned({ sql, at })}
  `
  if (!row) return null
  if (row.isStale) await sql`update public.apikey set "lastRequest" = ${at} where key = ${hash}`
  return toCaller(row)
}

const notBanned = ({ sql, at }: Pick<App, 'sql'> & { at: Date }) =>
  sql`(u.banned is not true or u."banExpires" <= ${at})`

const toCaller = (row: { id: string; role: string | null }): Caller | null =>
  isUuid(row.id) ? { userId: row.id, isAdmin: (row.role ?? '').split(',').includes('admin') } : null

/**
 * Who sends a request. One query looks a session token or an API key up, and the answer is kept for `KEPT_MS`, so a
 * revoked session or key works for at most that long. better-auth's own getSession would do the same in two queries and
 * with updates (measured: 3,000 requests/s instead of 20,000), so it serves sign-in and stays off this path.
 */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { App } from '../app.ts'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import { isUuid } from '../id.ts'
import { API_KEY_PREFIX } from './auth.ts'

export type Caller = { userId: string; isAdmin: boolean }
export type WhoIs = (headers: Record<string, string | string[] | undefined>) => Promise<Caller | null>

const KEPT_MS = 5_000
const KEPT_MAX = 50_000
/** How stale "last used" of a key may be; more often would be a write on every request. */
const LAST_USED_EVERY_S = 60

export function openCredentials(app: App): WhoIs {
  // Promises are kept, so that a burst with one new credential asks the database once.
  const known = new LRUCache<string, Promise<Caller | null>>({ max: KEPT_MAX, ttl: KEPT_MS })
  return (headers) => {
    const credential = readCredential(headers, app.config)
    if (!credential) return Promise.resolve(null)
    const key = `${credential.kind}:${credential.value}`
    let caller = known.get(key)
    if (!caller) {
      caller = credential.kind === 'key' ? findKey(app, credential.value) : findSession(app, credential.value)
      known.set(key, caller)
      caller.catch(() => known.delete(key))
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
const secureCookie = /(?:^|;\s*)__Secure-kinora\.session_token=([^;]+)/

type Credential = { kind: 'key' | 'session'; value: string }

function readCredential(
  headers: Parameters<WhoIs>[0],
  { publicUrl, authSecret: secret }: Pick<Config, 'publicUrl' | 'authSecret'>,
): Credential | null {
  const apiKey = headers['x-api-key']
  if (typeof apiKey === 'string') return apiKey.startsWith(API_KEY_PREFIX) ? { kind: 'key', value: apiKey } : null

  const authorization = headers.authorization
  if (typeof authorization === 'string') {
    const token = /^bearer +(\S+)$/i.exec(authorization)?.[1]
    if (!token) return null
    // Sign-in hands out the bare token in its body and the signed one in a header; both are good.
    const bare = token.includes('.') ? unsigned(decodeURIComponentOr(token), secret) : token
    return bare ? { kind: 'session', value: bare } : null
  }

  // Behind https the name begins so that only a page over https can have set it: whoever sits on the line could slip in a
  // session of their own under the other name.
  const pattern = publicUrl.startsWith('https:') ? secureCookie : plainCookie
  const cookie = pattern.exec(String(headers.cookie ?? ''))?.[1]
  const token = cookie ? unsigned(decodeURIComponentOr(cookie), secret) : null
  return token ? { kind: 'session', value: token } : null
}

/** The token of `<token>.<base64 HMAC-SHA256 of it>` when the signature is ours, which is how better-auth signs. */
function unsigned(signed: string, secret: string): string | null {
  const dot = signed.lastIndexOf('.')
  if (dot < 1) return null
  const token = signed.slice(0, dot)
  const given = Buffer.from(signed.slice(dot + 1), 'base64')
  const expected = createHmac('sha256', secret).update(token).digest()
  return given.length === expected.length && timingSafeEqual(given, expected) ? token : null
}

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

async function findSession({ sql, now }: App, token: string): Promise<Caller | null> {
  const at = now()
  const [row] = await sql<{ id: string; role: string | null }[]>`
    select u.id, u.role
    from public.session s
    join public."user" u on u.id = s."userId"
    where s.token = ${token} and s."expiresAt" > ${at} and ${notBanned({ sql, at })}
  `
  return row ? toCaller(row) : null
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

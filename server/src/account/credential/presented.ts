/**
 * Reads the credential that a request presents: session token, API key, browser token or OAuth token. One longer than
 * any that is handed out is refused unread.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../../config/config.ts'
import { percentDecoded } from '../../text/percent-decoded.ts'
import { API_KEY_PREFIX } from '../auth.ts'
import { TOKEN_PREFIX } from '../key/browser-token.ts'
import { ACCESS_TOKEN_PREFIX } from '../oauth.ts'

/** The parts of a request that authentication reads. */
export type Presented = { headers: Record<string, string | string[] | undefined>; ip: string }

/** Session tokens have 32 characters, API keys 64 after their prefix, browser tokens 80. */
const CREDENTIAL_CHARACTERS_MAX = 85
/** A signed token: token, dot, base64 of an HMAC-SHA256; every character may be percent-encoded. */
const SIGNED_CHARACTERS_MAX = 3 * (CREDENTIAL_CHARACTERS_MAX + 1 + 44)

const plainCookie = /(?:^|;\s*)kinora\.session_token=([^;]+)/
const hostCookie = /(?:^|;\s*)__Host-kinora\.session_token=([^;]+)/

/** `hash`: SHA-256 of the value, in hexadecimal, the encoding that takes least time. */
export type Credential = { kind: 'key' | 'token' | 'session' | 'oauth'; value: string; hash: string }

export function readCredential(
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

/** What to do about a request whose credential is none, or no valid one. */
export function refusalOf(headers: Presented['headers']): string {
  const { 'x-api-key': apiKey, authorization, cookie } = headers
  const [, scheme = '', bearer] = /^(\S+) +(\S+)$/.exec(String(authorization ?? '')) ?? []
  const token = String(apiKey ?? bearer ?? '')
  if (token.startsWith(TOKEN_PREFIX))
    return 'This browser token is wrong or its time is over; get a new one from your server (POST /api/v1/key/token).'
  if (token.startsWith(API_KEY_PREFIX))
    return 'There is no such API key: it was mistyped or deleted, or its time is over. Copy the whole key, or make a new one.'
  if (apiKey !== undefined || /^key$/i.test(scheme))
    return `This is no API key of this service: an API key begins with ${API_KEY_PREFIX}.`
  if (token.startsWith(ACCESS_TOKEN_PREFIX))
    return 'This access token is wrong, is for /mcp alone, or its time is over; refresh it, or connect again.'
  if (authorization !== undefined && !/^bearer$/i.test(scheme))
    return 'The header Authorization cannot be read: send "Bearer <session token or API key>".'
  if (authorization !== undefined || cookie?.includes('kinora.session_token='))
    return `This session has ended, or its token is wrong: sign in again, or send an API key, which begins with ${API_KEY_PREFIX}.`
  return 'Sign in first: the request has no session and no API key. Send a session cookie, "Authorization: Bearer <session token or API key>" or an API key as "x-api-key".'
}

/**
 * The value of the session cookie, as it was sent. Over https only the __Host- cookie counts, against session fixation:
 * a network attacker can set a cookie without prefix over http, another subdomain one with __Secure- for the domain.
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

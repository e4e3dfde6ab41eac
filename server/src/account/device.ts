/**
 * Device cookies (OWASP, "Slow Down Online Guessing Attacks with Device Cookies"): a browser that has signed in to an
 * account keeps a signed cookie that says so. Its failed attempts are counted apart, so a stranger's attempts never
 * lock it out. The cookie authenticates nothing.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config/config.ts'

/** `account` is the keyed hash of the e-mail address: the cookie does not contain the address. */
export type Device = { id: string; account: string }
type Settings = Pick<Config, 'authSecret' | 'publicUrl'>

/** 400 days: browsers keep no cookie for longer. */
const COOKIE_AGE_S = 400 * 86_400
/** A cookie as this module makes it has 82 characters. */
const cookiePattern = /(?:^|;\s*)(?:__Host-)?kinora\.device=([\w-]{16}\.[\w-]{22}\.[\w-]{43})(?:;|$)/

/** A keyed hash of the e-mail address, in lower case as better-auth looks it up. */
export const accountHash = ({ authSecret }: Pick<Settings, 'authSecret'>, email: string): string =>
  hmac(authSecret, `sign-in account: ${email.toLowerCase()}`).subarray(0, 16).toString('base64url')

/** The device that a request's Cookie header names; null without one, or with a wrong signature. */
export function deviceOf({ authSecret }: Pick<Settings, 'authSecret'>, cookies: string | undefined): Device | null {
  const [id, account, signature] = cookiePattern.exec(cookies ?? '')?.[1]?.split('.') ?? []
  if (!id || !account || !signature) return null
  const expected = hmac(authSecret, `device: ${id}.${account}`)
  const given = Buffer.from(signature, 'base64url')
  return given.length === expected.length && timingSafeEqual(given, expected) ? { id, account } : null
}

/** A Cookie header without the device cookie. */
export const withoutDevice = (cookies: string): string =>
  cookies
    .split(';')
    .map((cookie) => cookie.trim())
    .filter((cookie) => cookie && !/^(__Host-)?kinora\.device=/.test(cookie))
    .join('; ')

/** A new cookie for the account, as better-auth's setCookie takes it. */
export function newDeviceCookie({ authSecret, publicUrl }: Settings, account: string) {
  const secure = publicUrl.startsWith('https:')
  const id = randomBytes(12).toString('base64url')
  const signature = hmac(authSecret, `device: ${id}.${account}`).toString('base64url')
  return {
    name: secure ? '__Host-kinora.device' : 'kinora.device',
    value: `${id}.${account}.${signature}`,
    options: { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: COOKIE_AGE_S } as const,
  }
}

const hmac = (secret: string, text: string): Buffer => createHmac('sha256', secret).update(text).digest()

/**
 * Signed links to our own `/files/*`. A link is a bearer credential for one key until its expiry: it names no user and
 * needs no session, so that a video player, an e-mail or another service can use it.
 */
import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import { checkedKey } from './key.ts'

export type LinkSettings = { publicUrl: string; authSecret: string }

/**
 * `<publicUrl>/files/<key>?exp=<unix seconds>&sig=<base64url HMAC-SHA256>`.
 *
 * The expiry is rounded up to a whole eighth of `ttlS`: a link is valid for at least `ttlS` and at most 9/8 of it, and
 * two reads within that eighth return the same link, which a browser's cache recognises.
 */
export function signLink(settings: LinkSettings, key: string, time: { nowMs: number; ttlS: number }): string {
  const stepS = Math.max(1, Math.floor(time.ttlS / 8))
  const exp = Math.ceil((time.nowMs / 1000 + time.ttlS) / stepS) * stepS
  return `${settings.publicUrl}/files/${checkedKey(key)}?exp=${exp}&sig=${signature(settings.authSecret, key, exp)}`
}

/**
 * Verifies the signature in constant time.
 * @returns the expiry in Unix seconds, or why it is refused: it is none of these links, or no whole one, or has expired
 */
export function verifyLink(
  settings: Pick<LinkSettings, 'authSecret'>,
  link: { key: string; exp: string; sig: string },
  nowMs: number,
): number | 'forged' | 'expired' {
  const exp = /^\d{1,12}$/.test(link.exp) ? Number(link.exp) : 0
  const expected = Buffer.from(signature(settings.authSecret, link.key, exp))
  const given = Buffer.from(link.sig)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'forged'
  return exp * 1000 > nowMs ? exp : 'expired'
}

function signature(authSecret: string, key: string, exp: number): string {
  return createHmac('sha256', linkKey(authSecret)).update(`${exp}\n${key}`).digest('base64url')
}

const linkKeys = new Map<string, KeyObject>()

/**
 * The HMAC key for links, derived from the shared secret (HKDF) so that it is useless for other purposes. It is cached:
 * a page of a hundred videos signs two hundred links, and a derivation costs twice as much as a signature.
 */
function linkKey(authSecret: string): KeyObject {
  const cached = linkKeys.get(authSecret)
  if (cached) return cached
  const key = createSecretKey(new Uint8Array(hkdfSync('sha256', authSecret, '', 'kinora file links v1', 32)))
  linkKeys.set(authSecret, key)
  return key
}

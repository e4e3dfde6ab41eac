/**
 * Signed links to our own `/files/*`. The rule: a link is good for one key until one second, and for whoever holds it;
 * it names no user and needs no session, so that a player, a mail or another service can use it.
 */
import { createHmac, createSecretKey, hkdfSync, type KeyObject, timingSafeEqual } from 'node:crypto'
import { checkedKey } from './key.ts'

export type LinkSettings = { publicUrl: string; authSecret: string }

/**
 * `<publicUrl>/files/<key>?exp=<unix seconds>&sig=<base64url HMAC-SHA256>`.
 *
 * The end is rounded up to a whole eighth of `ttlS`: the link holds for `ttlS` at least and 9/8 of it at most, and
 * reading a video twice within that eighth gives the same link, which a browser's cache then recognises.
 */
export function signLink(settings: LinkSettings, key: string, time: { nowMs: number; ttlS: number }): string {
  const stepS = Math.max(1, Math.floor(time.ttlS / 8))
  const exp = Math.ceil((time.nowMs / 1000 + time.ttlS) / stepS) * stepS
  return `${settings.publicUrl}/files/${checkedKey(key)}?exp=${exp}&sig=${signature(settings.authSecret, key, exp)}`
}

/** The Unix second until which the link is good, or null when it is forged or over. */
export function verifyLink(
  settings: Pick<LinkSettings, 'authSecret'>,
  link: { key: string; exp: string; sig: string },
  nowMs: number,
): number | null {
  const exp = /^\d{1,12}$/.test(link.exp) ? Number(link.exp) : 0
  const expected = Buffer.from(signature(settings.authSecret, link.key, exp))
  const given = Buffer.from(link.sig)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  return exp * 1000 > nowMs ? exp : null
}

function signature(authSecret: string, key: string, exp: number): string {
  return createHmac('sha256', linkKey(authSecret)).update(`${exp}\n${key}`).digest('base64url')
}

const linkKeys = new Map<string, KeyObject>()

/**
 * One secret serves several purposes; a key derived for this one is worth nothing for the others. It is derived once:
 * a page of a hundred videos signs two hundred links, and deriving costs twice as much as signing.
 */
function linkKey(authSecret: string): KeyObject {
  const known = linkKeys.get(authSecret)
  if (known) return known
  const key = createSecretKey(new Uint8Array(hkdfSync('sha256', authSecret, '', 'kinora file links v1', 32)))
  linkKeys.set(authSecret, key)
  return key
}

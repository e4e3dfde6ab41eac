/**
 * The signed reference that a provider carries back to us: it names owner and video, so that a callback finds its row by
 * primary key, and nobody but a provider we gave it to can call back for that video.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import { isUuid } from '../id.ts'

export type Reference = { userId: string; videoId: string }

/** `{AI_CALLBACK_URL}/{provider}?ref=<user>.<video>&sig=<hex HMAC-SHA256 of provider and ref>` */
export function callbackUrl(config: Config, provider: string, { userId, videoId }: Reference): string {
  const ref = `${userId}.${videoId}`
  return `${config.callbackUrl}/${provider}?ref=${ref}&sig=${sign(config, provider, ref).toString('hex')}`
}

/** The reference, or null when the signature is not ours. Constant-time. */
export function readReference(config: Config, provider: string, ref: string, sig: string): Reference | null {
  const expected = sign(config, provider, ref)
  // Read strictly: Buffer.from ends at the first letter that is not hexadecimal and drops the rest.
  const given = Buffer.from(/^[0-9a-f]{64}$/.test(sig) ? sig : '', 'hex')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const [userId = '', videoId = ''] = ref.split('.')
  return isUuid(userId) && isUuid(videoId) ? { userId, videoId } : null
}

/** Whether a caller knows AI_CALLBACK_SECRET itself. Digests are compared, so that lengths tell nothing either. */
export function isCallbackSecret(config: Config, given: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'kinora callback secret').update(text).digest()
  return timingSafeEqual(digest(given), digest(config.callbackSecret))
}

// A line feed stands in neither part, so no other pair of provider and ref makes the same text.
const sign = (config: Config, provider: string, ref: string): Buffer =>
  createHmac('sha256', config.callbackSecret).update(`${provider}\n${ref}`).digest()

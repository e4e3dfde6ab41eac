/**
 * The signed reference in a callback URL. It names owner and video, so that a callback finds its row by primary key,
 * and its HMAC proves that the caller received the URL from this service. A callback without one names its task.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { App } from '../app.ts'
import type { Config } from '../config/config.ts'
import { isUuid } from '../id.ts'

export type Reference = { userId: string; videoId: string }

/** `{AI_CALLBACK_URL}/{provider}?ref=<user>.<video>&sig=<hex HMAC-SHA256 of provider and ref>` */
export function callbackUrl(config: Config, provider: string, { userId, videoId }: Reference): string {
  const ref = `${userId}.${videoId}`
  return `${config.callbackUrl}/${provider}?ref=${ref}&sig=${sign(config, provider, ref).toString('hex')}`
}

/** The reference, or null when the signature is wrong. Compares in constant time. */
export function readReference(config: Config, provider: string, ref: string, sig: string): Reference | null {
  const expected = sign(config, provider, ref)
  // The pattern is required: Buffer.from stops at the first character that is not hexadecimal and drops the rest.
  const given = Buffer.from(/^[0-9a-f]{64}$/.test(sig) ? sig : '', 'hex')
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null
  const [userId = '', videoId = ''] = ref.split('.')
  return isUuid(userId) && isUuid(videoId) ? { userId, videoId } : null
}

/** Whether a caller sent AI_CALLBACK_SECRET itself. Digests are compared in constant time, hiding the length too. */
export function isCallbackSecret(config: Config, given: string): boolean {
  const digest = (text: string) => createHmac('sha256', 'kinora callback secret').update(text).digest()
  return timingSafeEqual(digest(given), digest(config.callbackSecret))
}

// The separator is a line feed, which neither part can contain, so that no two pairs sign the same text.
const sign = (config: Config, provider: string, ref: string): Buffer =>
  createHmac('sha256', config.callbackSecret).update(`${provider}\n${ref}`).digest()

/** Finds the video of a provider's task, for a callback without a signed reference. */
export async function findTask({ sql }: App, provider: string, taskId: string) {
  const [row] = await sql<{ userId: string; videoId: string }[]>`
    select user_id, video_id from kinora.provider_task where provider = ${provider} and task_id = ${taskId}
  `
  return row ?? null
}

/** Signatures of callbacks that several vendors share, or whose keys have to be fetched. */
import { createHash, createHmac, createPublicKey, type JsonWebKey, timingSafeEqual, verify } from 'node:crypto'
import type { CallResult } from '../net/http-client.ts'
import { at, textAt } from '../text/json-reader.ts'
import { type ReceivedCallback, SIGNATURE_AGE_MAX_MS } from './provider.ts'

/** Keys are read again after a day, and after an unknown signature, at most once in five minutes. */
const KEYS_AGE_MAX_MS = 24 * 3600_000
const KEYS_AGE_MIN_MS = 5 * 60_000

/** Whether a signature is right; null when the keys cannot be read now. */
export type IsSigned = (callback: ReceivedCallback) => Promise<boolean | null>

/** Checks with keys that are fetched, cached, and fetched again when none fits. */
export function withFetchedKeys<Key>(
  read: () => Promise<Key[] | null>,
  fits: (callback: ReceivedCallback, key: Key) => boolean,
): IsSigned {
  let keys: Key[] | null = null
  let readAtMs = Number.NEGATIVE_INFINITY
  return async (callback) => {
    const isGood = () => keys?.some((key) => fits(callback, key)) ?? false
    const ageMs = callback.now.getTime() - readAtMs
    if (ageMs < KEYS_AGE_MAX_MS && isGood()) return true
    if (keys !== null && ageMs < KEYS_AGE_MIN_MS) return false
    const fresh = await read()
    if (fresh === null) return keys === null ? null : isGood()
    keys = fresh
    readAtMs = callback.now.getTime()
    return isGood()
  }
}

/** @param timestamp Unix seconds, or milliseconds from 12 digits on */
export function isRecent(timestamp: string | undefined, now: Date): boolean {
  if (!timestamp || !/^\d{1,15}$/.test(timestamp)) return false
  const signedMs = Number(timestamp) * (timestamp.length < 12 ? 1000 : 1)
  return Math.abs(now.getTime() - signedMs) <= SIGNATURE_AGE_MAX_MS
}

/** The four headers of fal: Ed25519 over request id, user id, time and the hash of the body, by one of the keys of its key set. */
export const openFalSignature = (readKeySet: () => Promise<CallResult>): IsSigned =>
  withFetchedKeys(
    async () => {
      const result = await readKeySet()
      const keys = result.kind === 'response' ? at(result.body, 'keys') : null
      return Array.isArray(keys)
        ? keys
            .filter((key) => textAt(key, 'kty') === 'OKP')
            .map((key: JsonWebKey) => createPublicKey({ key, format: 'jwk' }))
        : null
    },
    ({ headers, body, now }, key) => {
      const part = (name: string) => headers[`x-fal-webhook-${name}`] ?? ''
      const hash = createHash('sha256').update(body).digest('hex')
      const message = [part('request-id'), part('user-id'), part('timestamp'), hash].join('\n')
      const signature = Buffer.from(part('signature'), 'hex')
      return isRecent(part('timestamp'), now) && verify(null, Buffer.from(message), key, signature)
    },
  )

/** Standard Webhooks: HMAC-SHA256 over id, time and body; the header may have several signatures. @param secret `whsec_…` */
export function isStandardSigned({ headers, body, now }: ReceivedCallback, secret: string): boolean {
  const { 'webhook-id': id = '', 'webhook-timestamp': timestamp = '', 'webhook-signature': signatures = '' } = headers
  if (!isRecent(timestamp, now)) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  return signatures.split(' ').some((each) => {
    const given = Buffer.from(each.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

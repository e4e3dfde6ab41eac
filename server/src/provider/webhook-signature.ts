/** Signatures of callbacks that several vendors share, or whose keys have to be fetched. */
import {
  createHash,
  createHmac,
  createPublicKey,
  type JsonWebKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from 'node:crypto'
import type { CallResult } from '../net/http-client.ts'
import { at, textAt } from '../text/json-reader.ts'
import { type ReceivedCallback, SIGNATURE_AGE_MAX_MS } from './provider.ts'

/** Keys are read again after a day, and after an unknown signature, at most once in five minutes. */
const KEYS_AGE_MAX_MS = 24 * 3600_000
const KEYS_AGE_MIN_MS = 5 * 60_000
/** After a failed read the keys that there are have to do: the vendor repeats its callbacks. */
const READ_AGAIN_MS = 10_000
/** A key set has a few; each costs the check of a signature. */
const KEYS_MAX = 20
const CLOCK_SKEW_S = 30

/** Whether a signature is right; null when the keys cannot be read now. */
export type IsSigned = (callback: ReceivedCallback) => Promise<boolean | null>

/** Checks with keys that are fetched, cached, and fetched again when none fits: one call at a time. */
export function withFetchedKeys<Key>(
  read: () => Promise<Key[] | null>,
  fits: (callback: ReceivedCallback, key: Key) => boolean | Promise<boolean>,
): IsSigned {
  let keys: Key[] | null = null
  let readAtMs = Number.NEGATIVE_INFINITY
  let failedAtMs = Number.NEGATIVE_INFINITY
  const refresh = async (nowMs: number) => {
    const fresh = await read().catch(() => null)
    if (fresh === null) {
      failedAtMs = nowMs
      return
    }
    keys = fresh.slice(0, KEYS_MAX)
    readAtMs = nowMs
  }
  let reading: Promise<void> | null = null
  return async (callback) => {
    const isGood = async () => {
      for (const key of keys ?? []) if (await fits(callback, key)) return true
      return false
    }
    const ageMs = callback.now.getTime() - readAtMs
    if (ageMs < KEYS_AGE_MAX_MS && (await isGood())) return true
    if (keys !== null && ageMs < KEYS_AGE_MIN_MS) return false
    if (Math.abs(callback.now.getTime() - failedAtMs) >= READ_AGAIN_MS) {
      reading ??= refresh(callback.now.getTime()).finally(() => {
        reading = null
      })
      await reading
    }
    return keys === null ? null : isGood()
  }
}

/** @param timestamp Unix seconds, or milliseconds from 12 digits on */
export function isRecent(timestamp: string | undefined, now: Date): boolean {
  if (!timestamp || !/^\d{1,15}$/.test(timestamp)) return false
  const signedMs = Number(timestamp) * (timestamp.length < 12 ? 1000 : 1)
  return Math.abs(now.getTime() - signedMs) <= SIGNATURE_AGE_MAX_MS
}

/** The four headers of fal: Ed25519 over request id, user id, time and the hash of the body, by a key of its set. */
export const openFalSignature = (readKeySet: () => Promise<CallResult>): IsSigned =>
  withFetchedKeys(
    async () => {
      const keys = keysOf(await readKeySet())
      return keys?.filter((key) => textAt(key, 'crv') === 'Ed25519').flatMap(publicKeyOf) ?? null
    },
    ({ headers, body, now }, key) => {
      const part = (name: string) => headers[`x-fal-webhook-${name}`] ?? ''
      const hash = createHash('sha256').update(body).digest('hex')
      const message = [part('request-id'), part('user-id'), part('timestamp'), hash].join('\n')
      const signature = Buffer.from(part('signature'), 'hex')
      return isRecent(part('timestamp'), now) && verify(null, Buffer.from(message), key, signature)
    },
  )

/**
 * A JWT of Google, by one of the keys of its key set. It names neither the body nor an audience that is documented, so
 * that it only tells who calls.
 */
export const openGoogleSignature = (readKeySet: () => Promise<CallResult>): IsSigned =>
  withFetchedKeys(
    async () => {
      const keys = keysOf(await readKeySet())
      // Loaded with the first callback: no other vendor signs in this way.
      return keys && [(await import('jose')).createLocalJWKSet({ keys: keys.filter((key) => key.kty === 'RSA') })]
    },
    async ({ headers, now }, keySet) => {
      const { jwtVerify } = await import('jose')
      const options = { algorithms: ['RS256'], currentDate: now, requiredClaims: ['exp'], clockTolerance: CLOCK_SKEW_S }
      return jwtVerify(headers['webhook-signature'] ?? '', keySet, options).then(
        () => true,
        () => false,
      )
    },
  )

/** None of a key that is malformed: the others are good. */
function publicKeyOf(key: JsonWebKey): KeyObject[] {
  try {
    return [createPublicKey({ key, format: 'jwk' })]
  } catch {
    return []
  }
}

function keysOf(keySet: CallResult): JsonWebKey[] | null {
  const keys = keySet.kind === 'response' ? at(keySet.body, 'keys') : null
  return Array.isArray(keys) ? keys : null
}

/** Standard Webhooks: HMAC-SHA256 over id, time and body, with several signatures. @param secret `whsec_…` */
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

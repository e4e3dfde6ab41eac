/**
 * Seals secrets that the database stores: AES-256-GCM with a key that is derived from AUTH_SECRET, so that a copy of
 * the database alone reveals none. The owner is authenticated with the bytes: a sealed secret that is moved to another
 * row does not open.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { Config } from './config.ts'

type Settings = Pick<Config, 'authSecret'>
/** `purpose`: has a key of its own. `owner`: the row. */
export type Seal = { purpose: string; owner: string }

const IV_BYTES = 12
const TAG_BYTES = 16

/** @returns nonce, ciphertext and tag, one after another */
export function seal(settings: Settings, { purpose, owner }: Seal, secret: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', derivedKey(settings, purpose), iv).setAAD(Buffer.from(owner))
  return Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
}

/** @returns null when AUTH_SECRET has changed since, or the bytes are of another row */
export function unseal(settings: Settings, { purpose, owner }: Seal, sealed: Buffer): Buffer | null {
  try {
    const key = derivedKey(settings, purpose)
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES })
    decipher.setAAD(Buffer.from(owner)).setAuthTag(sealed.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

/** A key for one purpose; none reveals AUTH_SECRET or another purpose's key. */
export const derivedKey = ({ authSecret }: Settings, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', authSecret, '', purpose, 32))

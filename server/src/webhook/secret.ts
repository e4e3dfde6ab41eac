/**
 * Secrets of webhooks: made here, stored sealed, opened to sign. The key that seals them is derived from AUTH_SECRET, so that a
 * copy of the database alone signs nothing; the user and the row are authenticated with it, so that a sealed secret that is
 * moved to another row does not open.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'

/** Whose secret it is: of an endpoint, or of a user's webhookUrls (`endpointId` null). */
export type SecretOwner = { userId: string; endpointId: string | null }

/** The specification allows 24 to 64. */
const SECRET_BYTES = 32
const IV_BYTES = 12
const TAG_BYTES = 16

export const newSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** `whsec_` and standard base64, as Standard Webhooks has it; shown to the user once. */
export const secretText = (secret: Buffer): string => `whsec_${secret.toString('base64')}`

/** AES-256-GCM: nonce, ciphertext and tag, one after another. */
export function seal(config: Pick<Config, 'authSecret'>, owner: SecretOwner, secret: Buffer): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(config), iv).setAAD(aadOf(owner))
  return Buffer.concat([iv, cipher.update(secret), cipher.final(), cipher.getAuthTag()])
}

/** @returns null when AUTH_SECRET has changed since, or the bytes are of another row */
export function unseal(config: Pick<Config, 'authSecret'>, owner: SecretOwner, sealed: Buffer): Buffer | null {
  try {
    const decipher = createDecipheriv('aes-256-gcm', keyOf(config), sealed.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(aadOf(owner)).setAuthTag(sealed.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}

/** The header webhook-signature: one signature a secret, with spaces between them. */
export function signatures(
  secrets: readonly Buffer[],
  message: { id: string; timestampS: number; body: string },
): string {
  const content = `${message.id}.${message.timestampS}.${message.body}`
  return secrets.map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`).join(' ')
}

/**
 * The header X-OpenRouter-Signature. Its key is the text of the secret. The format has one signature, so the secret before a rotation
 * does not sign.
 */
export function openRouterSignature([secret]: readonly Buffer[], timestampS: number, body: string): string {
  const key = secret ? secretText(secret) : ''
  return `t=${timestampS},v1=${createHmac('sha256', key).update(`${timestampS},${body}`).digest('hex')}`
}

const keyOf = ({ authSecret }: Pick<Config, 'authSecret'>): Buffer =>
  Buffer.from(hkdfSync('sha256', authSecret, '', 'kinora webhook secrets', 32))

const aadOf = ({ userId, endpointId }: SecretOwner): Buffer => Buffer.from(`${userId} ${endpointId ?? 'webhookUrl'}`)

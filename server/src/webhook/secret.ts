/** Secrets of webhooks: made here, stored sealed and bound to user and row (seal.ts), opened to sign. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Config } from '../config/config.ts'
import { seal, unseal } from '../config/seal.ts'

/** Whose secret it is: of an endpoint, or of a user's webhookUrls (`endpointId` null). */
export type SecretOwner = { userId: string; endpointId: string | null }

/** Standard Webhooks allows 24 to 64. */
const SECRET_BYTES = 32

export const newSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** `whsec_` and standard base64, as Standard Webhooks has it; shown to the user once. */
export const secretText = (secret: Buffer): string => `whsec_${secret.toString('base64')}`

export const sealSecret = (config: Pick<Config, 'authSecret'>, owner: SecretOwner, secret: Buffer): Buffer =>
  seal(config, sealOf(owner), secret)

/** @returns null when AUTH_SECRET has changed since, or the bytes are of another row */
export const unsealSecret = (config: Pick<Config, 'authSecret'>, owner: SecretOwner, sealed: Buffer): Buffer | null =>
  unseal(config, sealOf(owner), sealed)

/** The header webhook-signature: one signature a secret, with spaces between them. */
export function signatures(
  secrets: readonly Buffer[],
  message: { id: string; timestampS: number; body: string },
): string {
  const content = `${message.id}.${message.timestampS}.${message.body}`
  return secrets.map((secret) => `v1,${createHmac('sha256', secret).update(content).digest('base64')}`).join(' ')
}

const sealOf = ({ userId, endpointId }: SecretOwner) => ({
  purpose: 'kinora webhook secrets',
  owner: `${userId} ${endpointId ?? 'webhookUrl'}`,
})

/** Signs as Standard Webhooks has it, which several vendors use. */
import { createHmac } from 'node:crypto'

/** @param secret `whsec_…`; without one a vendor sends no such headers */
export function standardSignature(body: string, id: string, secret: string | null): Record<string, string> {
  if (secret === null) return {}
  const timestamp = String(Math.floor(Date.now() / 1000))
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const hash = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${hash}` }
}

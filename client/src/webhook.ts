/** Webhooks that a program receives, by Standard Webhooks: verified, and typed by `type`. */
import type { webhooks } from './openapi.ts'

type Content<Hook> = Hook extends { post: { requestBody: { content: { 'application/json': infer Body } } } }
  ? Body
  : never
/** `type` determines `data`. */
export type WebhookEvent = Content<webhooks[keyof webhooks]>
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

const TOLERANCE_S = 300
const PREFIX = 'whsec_'

/** The request is not one that Kinora has signed with this secret, or it is old: respond with 401. */
export class KinoraWebhookError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'KinoraWebhookError'
  }
}

/**
 * Verifies the signature of a request, and returns its event.
 * @param body as it arrived, before it is parsed
 * @param secret `whsec_…` of the endpoint, or that of `webhookUrl`
 * @throws KinoraWebhookError
 */
export async function unwrap(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
): Promise<WebhookEvent> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  )
  if (!id || !timestamp || !signatures)
    throw new KinoraWebhookError('The request has no webhook-id, webhook-timestamp and webhook-signature.')
  // NaN is no number of seconds either.
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= TOLERANCE_S))
    throw new KinoraWebhookError('The request is older than five minutes, or the clock of this machine is wrong.')
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytesOf(secret.replace(PREFIX, '')), algorithm, false, ['verify'])
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  // Several while a secret is changed; verify compares in constant time.
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',')
    if (version === 'v1' && (await crypto.subtle.verify('HMAC', key, bytesOf(value), signed))) return JSON.parse(text)
  }
  throw new KinoraWebhookError('No signature of the request is of this secret: pass the body as it arrived.')
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  return [headers[name]].flat()[0]
}

/** @throws KinoraWebhookError for what is no base64 */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    throw new KinoraWebhookError('The secret and the signatures are base64, the secret after whsec_.')
  }
}

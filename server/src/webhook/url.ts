/** The URL of a webhook, from a user: the SSRF guard checks it when given, and by the socket when used. */
import type { App } from '../app.ts'
import { AppError } from '../errors.ts'
import { FetchError } from '../net/fetch-error.ts'

export const URL_CHARACTERS_MAX = 2048
/** The user waits for the response; a name that takes longer is checked when it is used. */
const RESOLVE_TIMEOUT_MS = 3_000

/**
 * @param field names the field in the error
 * @throws AppError INVALID_REQUEST: too long, not https, not public, no such host
 */
export async function checkWebhookUrl(app: App, field: string, url: string): Promise<void> {
  const refuse = (reason: string) =>
    new AppError('INVALID_REQUEST', `The ${field} cannot be used: ${reason}`, {
      details: [{ path: field, message: 'must be an https URL on the public Internet' }],
    })
  const noAddress = () => {
    const { protocol, hostname, port } = new URL(url)
    const allowed = `${hostname}:${port || (protocol === 'http:' ? 80 : 443)}`
    const ways = `the https address of a tunnel to it, or have the operator set WEBHOOK_ALLOW=${allowed}`
    return refuse(`${hostname} is not an address on the public Internet, where this service sends events; use ${ways}.`)
  }
  if (url.length > URL_CHARACTERS_MAX) throw refuse(`it has more than ${URL_CHARACTERS_MAX} characters.`)
  try {
    app.webhookPost.checkUrl(url)
    await app.webhookPost.checkHost(url, RESOLVE_TIMEOUT_MS)
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    if (error.code === 'ADDRESS_REFUSED') throw noAddress()
    if (!error.retryable) throw refuse(error.message)
  }
}

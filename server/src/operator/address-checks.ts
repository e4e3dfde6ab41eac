/** Checks of the address of the service, as a stranger and a provider see it. */
import manifest from '../../package.json' with { type: 'json' }
import type { Config } from '../config/config.ts'
import { certificateUntil, openSafeFetch } from '../net/safe-fetch.ts'
import { parseJson, textAt } from '../text/json-reader.ts'
import { type Finding, good } from './finding.ts'

const RESOLVE_TIMEOUT_MS = 3_000
const READ_TIMEOUT_MS = 10_000
const HEALTH_LIMITS = { maxBytes: 10_000, timeoutMs: READ_TIMEOUT_MS, idleTimeoutMs: READ_TIMEOUT_MS, refuse: [] }
/** Programs that renew certificates of 90 days do so 30 days before the end. */
const RENEWED_BEFORE_MS = 14 * 86_400_000

/** Whether providers can reach the callbacks, as this machine sees it: the name resolves to a public address. */
export async function callbackCheck({ callbackUrl, production }: Config): Promise<Finding[]> {
  if (!production) return []
  const fetch = openSafeFetch({ allow: [] })
  const { origin } = new URL(callbackUrl)
  try {
    await fetch.checkHost(callbackUrl, RESOLVE_TIMEOUT_MS)
    return [good('callback address', `${origin} has a public address`)]
  } catch (error) {
    const remedy =
      'set PUBLIC_URL or AI_CALLBACK_URL to an address that providers reach; without callbacks films are polled, and finish later'
    return [{ what: 'callback address', state: `${origin}: ${(error as Error).message}`, remedy, isFault: false }]
  } finally {
    await fetch.close()
  }
}

/**
 * Whether PUBLIC_URL leads to this release, as a stranger reaches it: by the SSRF guard, and with a valid certificate.
 * A service without a public address names its own in FETCH_ALLOW.
 */
export async function addressCheck({ publicUrl, production, fetchAllow }: Config): Promise<Finding[]> {
  const what = 'address'
  if (!production) {
    const remedy = 'for users, set PUBLIC_URL to an https address and NODE_ENV=production: docs/deployment.md'
    return [{ what, state: `${publicUrl}, outside production`, remedy, isFault: false }]
  }
  const fetch = openSafeFetch({ allow: fetchAllow })
  try {
    const { body } = await fetch.get(`${publicUrl}/healthz`, { ...HEALTH_LIMITS, accept: ['application/json'] })
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk)
    const version = textAt(parseJson(Buffer.concat(chunks).toString()), 'data', 'version')
    if (version === manifest.version) return [good(what, `${publicUrl} leads to this release, ${version}`)]
    const state = `${publicUrl} leads to ${version === null ? 'another service' : `Kinora ${version}, not ${manifest.version}`}`
    return [{ what, state, remedy: 'point PUBLIC_URL and its proxy here', isFault: false }]
  } catch (error) {
    const remedy = 'check PUBLIC_URL, its DNS entry, the proxy in front and its certificate'
    return [{ what, state: `${publicUrl}: ${reasonOf(error)}`, remedy, isFault: false }]
  } finally {
    await fetch.close()
  }
}

/** Of a FetchError, whose cause has what TLS or the network said. */
const reasonOf = (error: unknown): string => {
  const { message, cause } = error as Error
  return [message.replace(/\.$/, ''), ...(cause instanceof Error ? [cause.message] : [])].join(': ')
}

/** Until when the certificate of PUBLIC_URL is valid. */
export async function certificateCheck({ publicUrl, production, fetchAllow }: Config): Promise<Finding[]> {
  if (!production || !publicUrl.startsWith('https:')) return []
  const [what, { host }] = ['certificate', new URL(publicUrl)]
  try {
    const until = await certificateUntil(publicUrl, { allow: fetchAllow }, READ_TIMEOUT_MS)
    const isSoon = until.getTime() - Date.now() < RENEWED_BEFORE_MS
    const remedy = isSoon ? 'renew it, and see why the proxy did not' : ''
    return [{ what, state: `of ${host}, until ${until.toISOString().slice(0, 10)}`, remedy, isFault: false }]
  } catch (error) {
    const remedy = 'check the certificate and its chain at the proxy in front'
    return [{ what, state: `of ${host}: ${reasonOf(error)}`, remedy, isFault: false }]
  }
}

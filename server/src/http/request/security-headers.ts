/**
 * Security headers of every response: no caching, no content sniffing, no script, no framing (clickjacking). The few
 * responses that are pages or files replace the ones that do not fit them.
 */
import type { Config } from '../../config/config.ts'

const YEAR_S = 365 * 24 * 3600

export const defaultHeaders = {
  // Responses hold one user's data; the browser must not show them from its cache after that user has signed out.
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
}

/** Adds HSTS behind https, without includeSubDomains: other hosts of the domain may not belong to this service. */
export const securityHeaders = ({ publicUrl }: Pick<Config, 'publicUrl'>): Record<string, string> => ({
  ...defaultHeaders,
  ...(publicUrl.startsWith('https:') ? { 'strict-transport-security': `max-age=${YEAR_S}` } : {}),
})
